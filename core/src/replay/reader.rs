//! The reader of games: the parser, and language detection for words outside standard notation.

use crate::chess::Position;
use crate::chess::piece::Role;
use crate::chess::san::{PieceMove, San};
use crate::notation::lenient::is_word_end;
use crate::notation::{
    Fallback, LETTER_SETS, LenientSan, LetterSet, Letters, NotationVariant, NotationVariants,
};
use crate::pgn::values::result;
use crate::pgn::{FaultKind, Game, Scanner, TagName, Token, TokenKind};
use crate::replay::{Replay, Start, main_line_of};
use crate::text::index::IndexView;
use crate::text::{TagFilter, ends_with_wide_blank};

/// Reads games one after the other. Its buffers are reused, so each thread has its own.
///
/// ```
/// use chess_arbiter_core::Reader;
///
/// let mut reader = Reader::new();
/// assert!(reader.read(b"1. e4 e5 *", None).result.is_some());
/// ```
#[derive(Default)]
pub struct Reader {
    game: Game,
    scanner: Scanner,
    languages: LanguageDetector,
}

impl Reader {
    /// A reader with empty buffers.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Has replays of the games go on after an illegal move that stood.
    #[must_use]
    pub fn playing_illegal(mut self, plays_illegal: bool) -> Reader {
        self.game.plays_illegal = plays_illegal;
        self
    }

    /// Reads every game in these piece letters. By default they are English, or those in which the
    /// main line is legal to its end if it is not in English.
    #[must_use]
    pub fn in_letters(mut self, letters: Option<&'static LetterSet>) -> Reader {
        self.languages.forced = letters;
        self
    }

    /// Reads the text of one game, which is cut off at `unclosed_comment`, a `{` that never closes.
    pub fn read(&mut self, text: &[u8], unclosed_comment: Option<usize>) -> &Game {
        self.read_indexed(text, unclosed_comment, None)
    }

    /// Like [`Reader::read`], by an index that was made of the text.
    pub(crate) fn read_indexed(
        &mut self,
        text: &[u8],
        unclosed_comment: Option<usize>,
        index: Option<IndexView<'_>>,
    ) -> &mut Game {
        let game = &mut self.game;
        self.scanner.scan(text, unclosed_comment, index, game);
        if !game.is_plain() || self.languages.doubts(game) {
            self.languages.settle(text, game);
        }
        if !game.is_over() {
            zeros_as_result(text, game, &self.languages.initial);
        }
        game
    }

    /// Reads the text of one game; words outside standard notation stay unreadable.
    pub fn read_strictly(&mut self, text: &[u8], unclosed_comment: Option<usize>) -> &Game {
        self.scanner
            .scan(text, unclosed_comment, None, &mut self.game);
        &self.game
    }

    /// Reads the tag pairs of one game.
    pub fn read_tags(&mut self, text: &[u8]) -> &Game {
        self.read_indexed_tags(text, None, None)
    }

    /// Reads the tag pairs of one game that the filter accepts, and all that are unusual, by an
    /// index that was made of the text.
    pub(crate) fn read_indexed_tags(
        &mut self,
        text: &[u8],
        index: Option<IndexView<'_>>,
        wanted: Option<&TagFilter>,
    ) -> &Game {
        Scanner::scan_tags(text, index.unwrap_or_default(), wanted, &mut self.game);
        &self.game
    }

    /// The game that was read last.
    pub fn game(&self) -> &Game {
        &self.game
    }
}

/// Decides how the words that standard notation cannot read are read. Its buffers are reused.
///
/// Lenient notation ([`LenientSan`]) is read word by word. The language of the piece letters is
/// decided for the whole game: its main line must be legal to its end in one set of letters, and
/// not in English, which takes a replay.
#[derive(Debug, Default)]
struct LanguageDetector {
    /// The letters of all games, if given.
    forced: Option<&'static LetterSet>,
    /// The tokens as the scan left them.
    strict: Vec<Token>,
    /// The tokens in the letters being tried.
    trial: Vec<Token>,
    initial: Position,
}

/// Maximum number of tokens of a game whose language is detected, since detection copies them.
const MOST_TOKENS: usize = 100_000;

/// A set of letters, or several with the same moves, in which a main line is legal to its end.
struct Fit {
    letters: Letters,
    /// Whether it has letters for pawns, which are rare.
    pawn_letters: bool,
    /// Whether another set yields other moves.
    ambiguous: bool,
}

impl LanguageDetector {
    /// Whether a game in standard notation may still have other letters than English: it names
    /// pawns (`P` is the Dutch knight), or a king or rook moves before any other piece.
    #[inline]
    fn doubts(&self, game: &Game) -> bool {
        self.forced.is_some() || game.hints.pawn_letter || begins_with_king_or_rook(game)
    }

    /// Reads each word, and reports the unreadable ones.
    #[cold]
    fn settle(&mut self, text: &[u8], game: &mut Game) {
        match self.forced {
            Some(set) => self.read_in(set, text, game),
            None => self.find_letters(text, game),
        }
        if game.hints.unread {
            for nth in 0..game.tokens.len() {
                let token = game.tokens[nth];
                if token.kind == TokenKind::Unreadable {
                    game.fault(FaultKind::UnreadableToken, token.span);
                }
            }
        }
        game.faults.sort_by_key(|fault| fault.span);
    }

    /// Reads every word in one set of letters.
    fn read_in(&mut self, set: &'static LetterSet, text: &[u8], game: &mut Game) {
        reread_game(game, text, set);
        game.hints.unread = true;
        game.letters = Letters::other_than_english(set);
    }

    /// Reads the words in English, or in the letters in which the main line is legal if it is not
    /// in English.
    fn find_letters(&mut self, text: &[u8], game: &mut Game) {
        let doubts = self.doubts(game);
        if !game.hints.unread && !doubts {
            return;
        }
        self.strict.clear();
        if game.tokens.len() <= MOST_TOKENS {
            self.strict.extend_from_slice(&game.tokens);
        }
        if game.hints.unread {
            reread_game(game, text, LetterSet::english());
            let strange = |token: &Token| {
                token.kind == TokenKind::Unreadable || has_capital_file(token, text)
            };
            if !doubts && !game.tokens.iter().any(strange) {
                return;
            }
        }
        if self.strict.is_empty() {
            return;
        }
        let Ok((start, _)) = Start::of(game, text, &self.initial) else {
            return;
        };
        let english = reach(&game.tokens, &start.position, game.fallback());
        // A capital letter that was read as a file may be a piece's.
        let capital = || {
            let mut tokens = game.tokens.iter();
            let token = tokens.find(|token| has_capital_file(token, text));
            token.map(|token| token.span)
        };
        let Some(doubtful) = english.stop.map(|stop| stop.token.span).or_else(capital) else {
            return;
        };
        if has_few_pieces(&game.tokens, text) {
            return;
        }
        let word = &text[doubtful.start as usize..];
        let in_english = LenientSan::read(word, LetterSet::english());
        let mut found: Option<Fit> = None;
        let mut furthest = english.plies;
        for (nth, set) in LETTER_SETS.iter().enumerate().skip(1) {
            let in_set = LenientSan::read(word, set);
            if in_set.is_none() || in_set == in_english {
                continue;
            }
            self.trial.clone_from(&self.strict);
            reread(&mut self.trial, text, set);
            let reach = reach(&self.trial, &start.position, Fallback::Never);
            if reach.stop.is_some() {
                if reach.plies > furthest && found.is_none() {
                    furthest = reach.plies;
                    game.nearly = Some((set, reach.plies));
                }
                continue;
            }
            let mut pawns = self.trial.iter().filter(|token| is_pawn_move(token));
            let pawn_letters = pawns.any(|token| set.begins(token.span.of(text)));
            match &mut found {
                Some(fit) if pawn_letters && !fit.pawn_letters => {}
                Some(fit) if fit.pawn_letters == pawn_letters => {
                    if same_moves(&game.tokens, &self.trial) {
                        fit.letters.add(nth);
                    } else {
                        fit.ambiguous = true;
                    }
                }
                _ => {
                    found = Some(Fit {
                        letters: Letters::of(nth),
                        pawn_letters,
                        ambiguous: false,
                    });
                    std::mem::swap(&mut game.tokens, &mut self.trial);
                }
            }
        }
        match found {
            None => {}
            Some(fit) if fit.ambiguous => {
                game.tokens.clone_from(&self.strict);
                reread(&mut game.tokens, text, LetterSet::english());
                game.nearly = None;
            }
            Some(fit) => {
                game.nearly = None;
                game.hints.lenient = true;
                game.hints.unread = true;
                game.letters = Some(fit.letters);
            }
        }
    }
}

/// Takes a last `0-0` for the result by which both have lost, if the Result tag says so or castling
/// is not legal there.
#[cold]
fn zeros_as_result(text: &[u8], game: &mut Game, initial: &Position) {
    let Some(nth) = game.tokens.len().checked_sub(1) else {
        return;
    };
    let span = game.tokens[nth].span;
    if span.of(text) != b"0-0" {
        return;
    }
    let Ok((start, _)) = Start::of(game, text, initial) else {
        return;
    };
    let said = game
        .known(TagName::Result)
        .map(|tag| result::read(tag.value.of(text)));
    let is_said = said.is_some_and(|said| said.is_valid() && said.value.is_none());
    let stop = reach(&game.tokens, &start.position, game.fallback()).stop;
    if is_said || stop.is_some_and(|stop| stop.token.span == span) {
        game.tokens[nth].kind = TokenKind::NonstandardResult(None);
        game.other_result = Some(span);
    }
}

/// Whether the first piece to move is a king or a rook, which is rare in real games. Their letters
/// are those of other pieces in other languages.
fn begins_with_king_or_rook(game: &Game) -> bool {
    let mut moves = game.tokens.iter().filter_map(piece_move);
    let first = moves.find(|mv| mv.role != Role::Pawn);
    first.is_some_and(|mv| matches!(mv.role, Role::King | Role::Rook))
}

/// The move of a piece, or of a pawn, that a token is.
#[inline]
fn piece_move(token: &Token) -> Option<PieceMove> {
    if let TokenKind::San(plus) = token.kind
        && let San::Piece(mv) = plus.san
    {
        return Some(mv);
    }
    None
}

/// Plays the main line as far as it can be played.
fn reach<'a>(tokens: &'a [Token], start: &Position, fallback: Fallback) -> Replay<'a> {
    let mut replay = Replay::over(tokens, start.clone(), fallback);
    replay.play_to_end();
    replay
}

/// Minimum number of piece letters for another language, if all are English letters: a single
/// illegal `Rd1` is nearly always legal in some language.
const FEWEST_PIECES: usize = 4;

/// Whether all words can be English, and the pieces are too few to tell.
fn has_few_pieces(tokens: &[Token], text: &[u8]) -> bool {
    let has_letter = |token: &&Token| text[token.span.start as usize].is_ascii_uppercase();
    let moves = tokens.iter().filter(|token| piece_move(token).is_some());
    moves.filter(has_letter).count() < FEWEST_PIECES
        && tokens
            .iter()
            .all(|token| token.kind != TokenKind::Unreadable)
}

fn is_pawn_move(token: &Token) -> bool {
    piece_move(token).is_some_and(|mv| mv.role == Role::Pawn)
}

/// Whether a word was read as a pawn move with an upper-case file.
fn has_capital_file(token: &Token, text: &[u8]) -> bool {
    let first = text.get(token.span.start as usize);
    is_pawn_move(token) && first.is_some_and(|byte| (b'A'..=b'H').contains(byte))
}

/// Whether two readings of a game are the same moves in the main line.
fn same_moves(one: &[Token], other: &[Token]) -> bool {
    let kinds = |tokens| main_line_of(tokens).map(|token: &Token| token.kind);
    kinds(one).eq(kinds(other))
}

/// Reads the words of a game in a set of letters, and records their notation variants.
fn reread_game(game: &mut Game, text: &[u8], set: &LetterSet) {
    if let Some(deviations) = reread(&mut game.tokens, text, set) {
        game.hints.lenient = true;
        game.hints.pawn_letter |= deviations.has(NotationVariant::PawnLetter);
    }
}

/// Reads the words among tokens of the scan in a set of letters. In English, what standard notation
/// reads stays as it is. Returns what is unusual about the words that were read, if any were.
fn reread(tokens: &mut Vec<Token>, text: &[u8], set: &LetterSet) -> Option<NotationVariants> {
    let english = std::ptr::eq(set, LetterSet::english());
    let mut found = None;
    // No word becomes more tokens, so tokens that are read overwrite those already visited.
    let mut kept = 0;
    let mut done = 0;
    for nth in 0..tokens.len() {
        let mut token = tokens[nth];
        if token.span.start < done {
            continue;
        }
        if has_letter(&token, text, english) {
            let (before, rest) = (&tokens[..kept], &tokens[nth..]);
            match read_word(rest, text, set, before) {
                Some((word, deviations)) => {
                    let begins_before = |token: &Token| token.span.start < word.span.start;
                    kept = before
                        .iter()
                        .rposition(begins_before)
                        .map_or(0, |at| at + 1);
                    done = word.span.end;
                    token = word;
                    found = Some(deviations.or(found.unwrap_or_default()));
                }
                None => token.kind = TokenKind::Unreadable,
            }
        }
        tokens[kept] = token;
        kept += 1;
    }
    tokens.truncate(kept);
    found
}

/// Whether a word needs the letters of a set to be read.
fn has_letter(token: &Token, text: &[u8], english: bool) -> bool {
    match token.kind {
        TokenKind::Unreadable => true,
        TokenKind::San(plus) if !english => match plus.san {
            San::Piece(piece) => {
                let named = text[token.span.start as usize] == b'P';
                piece.role != Role::Pawn || piece.promotion.is_some() || named
            }
            San::Castle(_) | San::Null => false,
            San::Drop { .. } => true,
        },
        _ => false,
    }
}

/// The move that begins with the first of `tokens`, or before it: what the scan has cut in two may
/// be one word. Returns it with what is unusual about it.
fn read_word(
    tokens: &[Token],
    text: &[u8],
    set: &LetterSet,
    before: &[Token],
) -> Option<(Token, NotationVariants)> {
    let token = tokens.first()?;
    let start = token.span.start;
    let follows = |token: &Token, next: u32| token.span.end == next;
    // A result mark may directly follow the move.
    let glued = tokens.get(1).filter(|next| {
        matches!(
            next.kind,
            TokenKind::Result(_) | TokenKind::NonstandardResult(_)
        ) && follows(token, next.span.start)
    });
    let text = &text[..glued.map_or(text.len(), |result| result.span.start as usize)];
    let word = |start: u32, least: u32| {
        let (lenient, length) = LenientSan::read(&text[start as usize..], set)?;
        let end = start as usize + length;
        let mut span = token.span;
        (span.start, span.end) = (start, end as u32);
        let kind = TokenKind::San(lenient.plus);
        (span.end >= least).then_some((Token { kind, span }, lenient.variants))
    };
    let before_word = &text[..start as usize];
    let at_word_start = before_word.last().is_none_or(|&byte| is_word_end(byte))
        || ends_with_wide_blank(before_word);
    if at_word_start && let Some(found) = word(start, token.span.end) {
        return Some(found);
    }
    match before {
        // `0-0-` and `O`
        [.., half] if !at_word_start && follows(half, start) => {
            word(half.span.start, token.span.end)
        }
        // `e8`, `(` and `Q`, or `exd6`, `(`, `e` and `p`, with `)` to come
        [.., pawn, open] if open.kind == TokenKind::Open && follows(open, start) => {
            let between = text.get(pawn.span.end as usize..open.span.start as usize)?;
            between
                .iter()
                .all(|byte| b" \t\r\n".contains(byte))
                .then(|| word(pawn.span.start, token.span.end + 1))
                .flatten()
        }
        _ => None,
    }
}
