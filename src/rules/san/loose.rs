//! Moves written otherwise than the standard asks, where it is plain which move is meant.
//!
//! [`Loose::read`] takes everything that [`SanPlus::read`] takes and reads it alike; beyond that it understands long
//! algebraic notation, the notation of engines, and what handwriting, other traditions and careless programs make of
//! SAN. What is unusual about a word is a set of [`Deviations`]. What a word alone cannot show (a check mark without
//! check) is added once the move is known, by [`Loose::deviations`].

use super::letters::LetterSet;
use super::{San, SanPlus, Suffix};
use crate::rules::castling::CastlingSide;
use crate::rules::moves::{Move, MoveKind};
use crate::rules::piece::Role;
use crate::rules::position::Position;
use crate::rules::square::{File, Rank, Square};

/// One way in which a move may be written otherwise than the PGN standard's export format does (section 8.2.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Deviation {
    /// The move gives check and is not marked.
    MissingCheckMark,
    /// The move mates and is not marked.
    MissingMateMark,
    /// `+` at a move that does not give check.
    SpuriousCheckMark,
    /// `#` at a move that does not even give check.
    SpuriousMateMark,
    /// `+` at a move that mates.
    CheckMarkForMate,
    /// `#` at a move that only gives check.
    MateMarkForCheck,
    /// A mark of check or mate other than `+` and `#`, or one that stands apart: `++`, `ch`, `mate`.
    OddCheckMark,
    /// The move captures and has no `x`.
    MissingCaptureMark,
    /// `x` at a move that captures nothing.
    SpuriousCaptureMark,
    /// Another mark of capture than `x`: `:`, `X`, `×`.
    OddCaptureMark,
    /// The file the piece comes from, where the piece is plain without it.
    NeedlessFile,
    /// The rank, likewise.
    NeedlessRank,
    /// The square the piece comes from, where less would do.
    NeedlessSquare,
    /// The rank the piece comes from, where the file would do and goes first.
    RankForFile,
    /// Long algebraic notation: `Ng1-f3`, `e2-e4`.
    LongAlgebraic,
    /// The notation of engines: `g1f3`, `e7e8q`.
    Uci,
    /// Castling with zeros.
    CastlingWithZeros,
    /// Castling with small letters, or with letters and zeros mixed.
    OddCastling,
    /// `P` for a pawn.
    PawnLetter,
    /// A promotion without `=`: `e8Q`, `e8(Q)`, `e8/Q`.
    PromotionWithoutEquals,
    /// A small letter for what a pawn becomes.
    LowerCasePromotion,
    /// A small letter for the piece.
    LowerCasePiece,
    /// A capital letter for a file.
    UpperCaseFile,
    /// `e.p.` behind a capture en passant.
    EnPassantMark,
    /// `e.p.` behind a move that is none.
    SpuriousEnPassantMark,
    /// A dash other than the hyphen.
    OddDash,
}

impl Deviation {
    /// Every one, in the order of the declaration.
    pub const ALL: [Deviation; 26] = [
        Deviation::MissingCheckMark,
        Deviation::MissingMateMark,
        Deviation::SpuriousCheckMark,
        Deviation::SpuriousMateMark,
        Deviation::CheckMarkForMate,
        Deviation::MateMarkForCheck,
        Deviation::OddCheckMark,
        Deviation::MissingCaptureMark,
        Deviation::SpuriousCaptureMark,
        Deviation::OddCaptureMark,
        Deviation::NeedlessFile,
        Deviation::NeedlessRank,
        Deviation::NeedlessSquare,
        Deviation::RankForFile,
        Deviation::LongAlgebraic,
        Deviation::Uci,
        Deviation::CastlingWithZeros,
        Deviation::OddCastling,
        Deviation::PawnLetter,
        Deviation::PromotionWithoutEquals,
        Deviation::LowerCasePromotion,
        Deviation::LowerCasePiece,
        Deviation::UpperCaseFile,
        Deviation::EnPassantMark,
        Deviation::SpuriousEnPassantMark,
        Deviation::OddDash,
    ];
}

/// A set of deviations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Deviations(u32);

impl Deviations {
    /// The standard is kept.
    pub const NONE: Deviations = Deviations(0);

    /// Whether the set has it.
    #[inline]
    pub fn has(self, deviation: Deviation) -> bool {
        self.0 >> deviation as u32 & 1 == 1
    }

    /// Whether the two have one in common.
    #[inline]
    pub fn meets(self, other: Deviations) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that both have.
    #[must_use]
    pub fn and(self, other: Deviations) -> Deviations {
        Deviations(self.0 & other.0)
    }

    fn add(&mut self, deviation: Deviation) {
        self.0 |= 1 << deviation as u32;
    }

    fn add_if(&mut self, condition: bool, deviation: Deviation) {
        self.0 |= u32::from(condition) << deviation as u32;
    }

    fn without(self, deviation: Deviation) -> Deviations {
        Deviations(self.0 & !(1 << deviation as u32))
    }

    /// Each, in the order of the declaration.
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.into_iter().filter(move |&one| self.has(one))
    }
}

impl FromIterator<Deviation> for Deviations {
    fn from_iter<T: IntoIterator<Item = Deviation>>(all: T) -> Deviations {
        let mut set = Deviations::NONE;
        for one in all {
            set.add(one);
        }
        set
    }
}

/// A move read from a word, with what is unusual about the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The move.
    pub plus: SanPlus,
    /// What the word alone shows.
    pub deviations: Deviations,
}

/// What stands behind a move apart from it and belongs to it all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    EnPassant,
    Standard(Suffix),
    Odd(Suffix),
}

/// Whether a byte ends a word of movetext: blanks, brackets and the signs that may stand behind a move.
pub(crate) fn is_word_end(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

impl Loose {
    /// Reads a move from the beginning of a text that is a whole word there; marks of promotion in parentheses and of
    /// en passant with points belong to it. The letters of the pieces are those of a language. Returns how many bytes
    /// it takes.
    ///
    /// A `b` is read as a file where that makes a move, and as a bishop only where it does not; see
    /// [`San::second_reading`].
    pub fn read(text: &[u8], letters: &LetterSet) -> Option<(Loose, usize)> {
        let reader = || Reader {
            rest: text,
            letters,
            english: std::ptr::eq(letters, LetterSet::english()),
            deviations: Deviations::NONE,
        };
        let found = reader()
            .castling()
            .or_else(|| reader().null_move())
            .or_else(|| reader().piece_or_pawn(false))
            .or_else(|| reader().piece_or_pawn(true))?;
        let (loose, rest) = found;
        Some((loose, text.len() - rest.len()))
    }

    /// The length of a mark of check, mate or en passant at the beginning of a text, such as `+`, `mate` or `e.p.`; it
    /// may be several in a row. Such a mark belongs to the move before it, even if a blank stands between.
    pub fn detached_mark(text: &[u8]) -> Option<usize> {
        let mut rest = text;
        while let Some((_, after)) = mark(rest) {
            rest = after;
        }
        let length = text.len() - rest.len();
        (length > 0 && rest.first().is_none_or(|&byte| is_word_end(byte))).then_some(length)
    }

    /// Everything unusual about the word, now that it is known which move it is and where it leads. `wanted` are the
    /// deviations of interest; others may be left out, which saves time.
    pub fn deviations(
        &self,
        before: &Position,
        mv: Move,
        after: &Position,
        wanted: Deviations,
    ) -> Deviations {
        use Deviation as D;
        let mut found = self.deviations;
        found.0 |= self.check_marks(after, wanted).0;
        if found.has(D::EnPassantMark) && mv.kind != MoveKind::EnPassant {
            found = found.without(D::EnPassantMark);
            found.add(D::SpuriousEnPassantMark);
        }
        let San::Piece {
            role,
            file,
            rank,
            capture,
            ..
        } = self.plus.san
        else {
            return found.and(wanted);
        };
        let square_given = file.is_some() && rank.is_some();
        // `g1f3` and `e1g1` were read as moves of a pawn; `e2e4` is one, and is written as engines do.
        let by_squares = role == Role::Pawn && square_given && !capture;
        let is_uci = by_squares && !found.has(D::LongAlgebraic) && !found.has(D::PawnLetter);
        if is_uci {
            found.add(D::Uci);
            found = found
                .without(D::PromotionWithoutEquals)
                .without(D::LowerCasePromotion);
        } else {
            found.add_if(self.is_small_bishop(mv), D::LowerCasePiece);
        }
        if !found.has(D::Uci) && !found.has(D::LongAlgebraic) {
            let captures = mv.captured.is_some();
            found.add_if(captures && !capture, D::MissingCaptureMark);
            found.add_if(!captures && capture, D::SpuriousCaptureMark);
            found.0 |= self.origin(before, mv).0;
        } else if mv.captured.is_none() {
            found.add_if(capture, D::SpuriousCaptureMark);
        }
        found.and(wanted)
    }

    /// Whether the word was read as a move of a pawn from the b-file, and is one of a bishop.
    fn is_small_bishop(&self, mv: Move) -> bool {
        match self.plus.san {
            San::Piece {
                role: Role::Pawn,
                rank: None,
                ..
            } => mv.role == Role::Bishop,
            _ => false,
        }
    }

    /// File or rank that the move does not need, or not in this order.
    fn origin(&self, before: &Position, mv: Move) -> Deviations {
        use Deviation as D;
        let mut found = Deviations::NONE;
        let (file, rank) = match self.plus.san {
            San::Piece { .. } if self.is_small_bishop(mv) => return found,
            San::Piece { file, rank, .. } => (file, rank),
            _ => (None, None),
        };
        if file.is_none() && rank.is_none() {
            return found;
        }
        let San::Piece {
            file: needed_file,
            rank: needed_rank,
            ..
        } = San::of(before, mv)
        else {
            return found;
        };
        match (
            file.is_some(),
            rank.is_some(),
            needed_file.is_some(),
            needed_rank.is_some(),
        ) {
            (true, true, needs_file, needs_rank) => {
                found.add_if(!(needs_file && needs_rank), D::NeedlessSquare);
            }
            (true, false, needs_file, _) => found.add_if(!needs_file, D::NeedlessFile),
            (false, true, true, false) => found.add(D::RankForFile),
            (false, true, _, needs_rank) => found.add_if(!needs_rank, D::NeedlessRank),
            (false, false, ..) => {}
        }
        found
    }

    fn check_marks(&self, after: &Position, wanted: Deviations) -> Deviations {
        use Deviation as D;
        let mut found = Deviations::NONE;
        let suffix = self.plus.suffix;
        let missing = Deviations::from_iter([D::MissingCheckMark, D::MissingMateMark]);
        if suffix.is_none() && !wanted.meets(missing) {
            return found;
        }
        if !after.is_check() {
            match suffix {
                None => {}
                Some(Suffix::Check) => found.add(D::SpuriousCheckMark),
                Some(Suffix::Checkmate) => found.add(D::SpuriousMateMark),
            }
            return found;
        }
        // `++` stands for mate in one tradition, and for a double check in another.
        let double = self.deviations.has(D::OddCheckMark) && after.checkers().count() > 1;
        match (suffix, after.has_legal_move()) {
            (None, true) => found.add(D::MissingCheckMark),
            (None, false) => found.add(D::MissingMateMark),
            (Some(Suffix::Check), false) => found.add(D::CheckMarkForMate),
            (Some(Suffix::Checkmate), true) if !double => found.add(D::MateMarkForCheck),
            _ => {}
        }
        found
    }
}

impl San {
    /// The move that a text in English letters means if its first reading as a pawn move is illegal: `bc4` the bishop's
    /// move `Bc4`, `g1f3` the move of whatever piece stands on g1, `e1g1` castling.
    ///
    /// `length` is that of the text without a check mark; where it shows that the pawn was named by `P`, there is no other
    /// reading.
    pub fn second_reading(self, length: usize, position: &Position) -> Option<Move> {
        let San::Piece {
            role: Role::Pawn,
            file: Some(file),
            rank,
            capture,
            to,
            promotion: None,
        } = self
        else {
            return None;
        };
        if length != 1 + usize::from(rank.is_some()) + usize::from(capture) + 2 {
            return None;
        }
        if let Some(rank) = rank.filter(|_| !capture)
            && let Some(mv) = by_squares(position, Square::at(file, rank), to)
        {
            return Some(mv);
        }
        let bishop = San::Piece {
            role: Role::Bishop,
            file: None,
            rank: None,
            capture,
            to,
            promotion: None,
        };
        (file == File::B && rank.is_none())
            .then(|| bishop.find(position))
            .flatten()
    }
}

/// The move from a square to another, if it is not that of a pawn. Castling is written by the king's squares, or, in
/// Chess960, by those of king and rook.
fn by_squares(position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let role = board.role_on(from).filter(|_| board.color(us).has(from))?;
    if role == Role::Pawn {
        return None;
    }
    let san = San::Piece {
        role,
        file: Some(from.file()),
        rank: Some(from.rank()),
        capture: false,
        to,
        promotion: None,
    };
    let step = san.find(position);
    if step.is_some() || role != Role::King {
        return step;
    }
    [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .filter(|side| {
            position.castling_rook(us, *side) == Some(to)
                || side.king_to(us) == to && from.file().index().abs_diff(to.file().index()) > 1
        })
        .find_map(|side| San::Castle(side).find(position))
}

/// What behind a move belongs to it, and the text behind that.
fn mark(text: &[u8]) -> Option<(Mark, &[u8])> {
    const MARKS: [(&str, Mark); 20] = [
        ("e.p.", Mark::EnPassant),
        ("e. p.", Mark::EnPassant),
        ("e.p", Mark::EnPassant),
        ("ep.", Mark::EnPassant),
        ("ep", Mark::EnPassant),
        ("E.P.", Mark::EnPassant),
        ("++", Mark::Odd(Suffix::Checkmate)),
        ("+#", Mark::Odd(Suffix::Checkmate)),
        ("##", Mark::Odd(Suffix::Checkmate)),
        ("+", Mark::Standard(Suffix::Check)),
        ("#", Mark::Standard(Suffix::Checkmate)),
        ("\u{2020}", Mark::Odd(Suffix::Check)),
        ("\u{2021}", Mark::Odd(Suffix::Checkmate)),
        ("\u{2260}", Mark::Odd(Suffix::Checkmate)),
        ("\u{d7}", Mark::Odd(Suffix::Checkmate)),
        ("mate", Mark::Odd(Suffix::Checkmate)),
        ("mat", Mark::Odd(Suffix::Checkmate)),
        ("ch.", Mark::Odd(Suffix::Check)),
        ("ch", Mark::Odd(Suffix::Check)),
        ("dbl.ch.", Mark::Odd(Suffix::Check)),
    ];
    MARKS
        .iter()
        .find_map(|&(spelling, mark)| Some((mark, text.strip_prefix(spelling.as_bytes())?)))
}

struct Reader<'a> {
    rest: &'a [u8],
    letters: &'a LetterSet,
    english: bool,
    deviations: Deviations,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn dash(&mut self) -> bool {
        // Hyphens, dashes and the minus sign; the last two are those of Windows-1252.
        const DASHES: [&[u8]; 9] = [
            "\u{2010}".as_bytes(),
            "\u{2011}".as_bytes(),
            "\u{2012}".as_bytes(),
            "\u{2013}".as_bytes(),
            "\u{2014}".as_bytes(),
            "\u{2015}".as_bytes(),
            "\u{2212}".as_bytes(),
            b"\x96",
            b"\x97",
        ];
        if self.eat("-") {
            return true;
        }
        let Some(rest) = DASHES.iter().find_map(|dash| self.rest.strip_prefix(*dash)) else {
            return false;
        };
        self.rest = rest;
        self.deviations.add(Deviation::OddDash);
        true
    }

    fn file(&mut self) -> Option<File> {
        let (&byte, rest) = self.rest.split_first()?;
        let file = File::from_ascii(byte.to_ascii_lowercase())?;
        self.deviations
            .add_if(byte.is_ascii_uppercase(), Deviation::UpperCaseFile);
        self.rest = rest;
        Some(file)
    }

    fn rank(&mut self) -> Option<Rank> {
        let (&byte, rest) = self.rest.split_first()?;
        let rank = Rank::from_ascii(byte)?;
        self.rest = rest;
        Some(rank)
    }

    /// A file with a rank behind it; in `e8b` the b is none.
    fn square(&mut self) -> Option<Square> {
        self.rest.get(1).filter(|byte| byte.is_ascii_digit())?;
        Some(Square::at(self.file()?, self.rank()?))
    }

    fn capture(&mut self) -> bool {
        if self.eat("x") {
            return true;
        }
        let odd = [":", "X", "\u{d7}"].into_iter().any(|mark| self.eat(mark));
        self.deviations.add_if(odd, Deviation::OddCaptureMark);
        odd
    }

    /// Letters, zeros and dashes: `O-O`, `0-0-0`, `o-O`. The letter may be the Cyrillic one, which looks the same.
    fn castling(mut self) -> Option<(Loose, &'a [u8])> {
        let mut wings = 0;
        let (mut zeros, mut small) = (0, 0);
        loop {
            if self.eat("0") {
                zeros += 1;
            } else if self.eat("o") || self.eat("\u{41e}") {
                small += 1;
            } else if !self.eat("O") {
                return None;
            }
            wings += 1;
            if wings == 3 || !self.dash() {
                break;
            }
        }
        let side = match wings {
            2 => CastlingSide::King,
            3 => CastlingSide::Queen,
            _ => return None,
        };
        if zeros == wings {
            self.deviations.add(Deviation::CastlingWithZeros);
        } else {
            self.deviations
                .add_if(zeros + small > 0, Deviation::OddCastling);
        }
        self.end(San::Castle(side))
    }

    fn null_move(mut self) -> Option<(Loose, &'a [u8])> {
        const SPELLINGS: [&str; 9] = [
            "--", "Z0", "null", "NULL", "Null", "0000", "@@@@", "<>", "pass",
        ];
        SPELLINGS.into_iter().find(|spelling| self.eat(spelling))?;
        self.end(San::Null)
    }

    /// The letter of the piece, if there is one; `bishop` reads `b` as one.
    fn role(&mut self, bishop: bool) -> Role {
        if let Some((role, length)) = self.letters.piece(self.rest) {
            self.rest = &self.rest[length..];
            if let Some(rest) = ["\u{fe0e}", "\u{fe0f}"]
                .iter()
                .find_map(|selector| self.rest.strip_prefix(selector.as_bytes()))
            {
                self.rest = rest;
            }
            self.deviations
                .add_if(role == Role::Pawn, Deviation::PawnLetter);
            return role;
        }
        let small = match self.rest {
            [byte @ (b'k' | b'q' | b'r' | b'n' | b'p'), ..] if self.english => {
                Role::from_letter(*byte)
            }
            [b'b', ..] if self.english && bishop => Some(Role::Bishop),
            _ => None,
        };
        let Some(role) = small else {
            return Role::Pawn;
        };
        self.rest = &self.rest[1..];
        self.deviations.add(if role == Role::Pawn {
            Deviation::PawnLetter
        } else {
            Deviation::LowerCasePiece
        });
        role
    }

    fn piece_or_pawn(mut self, bishop: bool) -> Option<(Loose, &'a [u8])> {
        let role = self.role(bishop);
        if bishop && role != Role::Bishop {
            return None;
        }
        let file = self.file();
        let rank = self.rank();
        // Some write the mark of capture behind the square: `Be5:`, `ed5:`.
        let colon = self.rest.first() == Some(&b':');
        let mut capture = self.capture();
        let dash = !capture && self.dash();
        let (file, rank, to) = match self.square() {
            Some(to) => (file, rank, to),
            None if dash || capture && !colon => return None,
            None => (None, None, Square::at(file?, rank?)),
        };
        if dash {
            self.deviations.add(Deviation::LongAlgebraic);
        }
        // `Cf3` is a knight's move in some language, rather than one of the c-pawn.
        let leaps = |file: File| file.index().abs_diff(to.file().index()) > 1;
        if role == Role::Pawn
            && rank.is_none()
            && file.is_some_and(leaps)
            && self.deviations.has(Deviation::UpperCaseFile)
        {
            return None;
        }
        let promotion = self.promotion(role)?;
        if !capture && self.rest.first() == Some(&b':') {
            capture = self.capture();
        }
        let san = San::Piece {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        };
        self.end(san)
    }

    /// What a pawn becomes, if that is said. The outer `None` is a text that cannot be read.
    fn promotion(&mut self, of: Role) -> Option<Option<Role>> {
        let start = self.rest;
        let before = self.eat("(");
        let equals = self.eat("=");
        if of != Role::Pawn && (before || !equals) {
            self.rest = start;
            return Some(None);
        }
        let parentheses = before || self.eat("(");
        if !equals && !parentheses {
            self.eat("/");
        }
        let role = match self.letters.piece(self.rest) {
            Some((role, length)) => {
                self.rest = &self.rest[length..];
                Some(role)
            }
            None => self.small_promotion(),
        };
        let Some(role) = role else {
            // A sign without a letter is no promotion: `(` may begin a variation, and `(=)` is an offer of a draw.
            self.rest = start;
            return (!equals || before).then_some(None);
        };
        if parentheses && !self.eat(")") {
            self.rest = start;
            return Some(None);
        }
        self.deviations
            .add_if(!equals || parentheses, Deviation::PromotionWithoutEquals);
        Some(Some(role))
    }

    fn small_promotion(&mut self) -> Option<Role> {
        let (&byte, rest) = self.rest.split_first()?;
        let role = if self.english {
            Role::from_letter(byte).filter(|_| byte.is_ascii_lowercase())
        } else {
            self.letters.lower_case_piece(byte)
        }?;
        // `e.p.` and `ep` are something else, and so is what goes on.
        if rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        self.rest = rest;
        self.deviations.add(Deviation::LowerCasePromotion);
        Some(role)
    }

    /// The marks behind the move, and the end of the word.
    fn end(mut self, san: San) -> Option<(Loose, &'a [u8])> {
        let mut suffix = None;
        loop {
            let apart = |byte: &&u8| b" \t\r\n!?".contains(byte);
            let blanks = self.rest.iter().take_while(apart).count();
            let Some((mark, rest)) = mark(&self.rest[blanks..]) else {
                break;
            };
            // Apart from the move, a mark must be a word of its own.
            let alone = rest.first().is_none_or(|&byte| is_word_end(byte));
            if blanks > 0 && !alone {
                break;
            }
            match mark {
                Mark::EnPassant => self.deviations.add(Deviation::EnPassantMark),
                Mark::Standard(found) if blanks == 0 && suffix.is_none() => suffix = Some(found),
                Mark::Standard(found) | Mark::Odd(found) => {
                    // Of several marks that counts which says most.
                    if suffix != Some(Suffix::Checkmate) {
                        suffix = Some(found);
                    }
                    self.deviations.add(Deviation::OddCheckMark);
                }
            }
            self.rest = rest;
        }
        let plus = SanPlus { san, suffix };
        let deviations = self.deviations;
        self.rest
            .first()
            .is_none_or(|&byte| is_word_end(byte))
            .then_some((Loose { plus, deviations }, self.rest))
    }
}
