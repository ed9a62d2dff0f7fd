//! Doubtful readings of a game: moves that can be read another way, and moves that may be hidden.

use std::mem;

use memchr::memchr_iter;

use crate::adjudication::phrases::sentence_start;
use crate::adjudication::{
    Adjudication, Adjudicator, Opportunity, RuledReason, Ruling, Verdict, first_of_each,
};
use crate::chess::{Color, Position};
use crate::findings::registry as codes;
use crate::findings::{self, Checks, Codes};
use crate::law::Unseen;
use crate::notation::Letters;
use crate::pgn::{Game, ResultMark, TagName, Token, may_be_move};
use crate::replay::{Reader, Replay, Start, main_line};
use crate::text::Index;

/// Rules whose findings make a move doubtful, or show that moves may be hidden.
const DOUBTFUL: [&codes::Rule; 8] = [
    &codes::WRONG_MOVE_NUMBER,
    &codes::PAWN_OR_BISHOP,
    &codes::LOWER_CASE_PIECE,
    &codes::UPPER_CASE_FILE,
    &codes::OTHER_PIECE_LETTERS,
    &codes::DRAW_OFFER,
    &codes::BRACE_IN_COMMENT,
    &codes::STRAY_BRACE,
];

/// Maximum number of doubts of each kind in a game.
const MOST: usize = 16;

/// A doubtful place of a game.
pub(crate) struct Doubt {
    /// Sentence about it for a ruling.
    pub(crate) note: String,
    /// Whether moves may be hidden there, which is a doubt only if they can be played.
    pub(crate) hides: bool,
    /// Plies before it.
    ply: u32,
    /// The game as it may have been meant, and the offset to which the moves are read, unless to
    /// their end.
    others: Vec<(Vec<u8>, Option<u32>)>,
}

/// Offset of the result that ends the moves of a game, or of the end of its text.
pub(crate) fn end_of_moves(game: &Game, text: &[u8]) -> usize {
    let result = game.result.map(|(_, span)| span).or(game.other_result);
    result.map_or(text.len(), |result| result.range().start)
}

/// The doubts about the first `plies` of a game, or about all its moves up to their `end` in the
/// text.
pub(crate) fn doubts(game: &Game, text: &[u8], plies: u32, end: Option<usize>) -> Vec<Doubt> {
    let place = || {
        let last = main_line(game).take(plies as usize).last();
        last.map_or(0, |token| token.span.end)
    };
    let moment = end.is_none().then(place);
    let end = end.unwrap_or_else(|| place() as usize);
    let mut doubts = Vec::new();
    let initial = Position::initial;
    let start = || Some(Start::of(game, text, &initial()).ok()?.0.position);
    let begins_later = |start: Position| (start.fullmoves(), start.turn()) != (1, Color::White);
    let may_begin_later = game.known(TagName::Fen).is_some();
    let is_odd = !game.is_plain() || game.hints.lenient || game.hints.odd_numbers;
    // A bishop in lower case, as in `bb3`, is read as a pawn.
    let of_b_pawn = |token: &&Token| text.get(token.span.start as usize) == Some(&b'b');
    let mut of_b_pawn = game.tokens.iter().filter(of_b_pawn);
    if (is_odd
        || may_begin_later && start().is_some_and(begins_later)
        || of_b_pawn.any(|token| matches!(token.span.of(text), [_, b'a'..=b'h', ..])))
        && let Some(position) = start()
    {
        let mut checks = Checks::new(false, &[Codes::of(DOUBTFUL)], &[]);
        checks.repairs = true;
        let mut found = Vec::new();
        findings::check(game, text, &initial(), &checks, &mut found);
        found.retain(|one| !one.in_variation && one.span.range().start < end);
        let first = game.first_number(text);
        let mut is_renumbered = first.is_some_and(|(first, _)| first != position.fullmoves());
        for one in found.iter().take(MOST) {
            let before = main_line(game).take_while(|token| token.span < one.span);
            let ply = before.count() as u32;
            let others = if *one.rule == codes::PAWN_OR_BISHOP {
                vec![(replaced(text, one.span.range().start, b'B'), moment)]
            } else if *one.rule == codes::WRONG_MOVE_NUMBER {
                is_renumbered = true;
                let texts = without_before(game, text, &position, ply, one.span.of(text), end);
                let others = texts.into_iter().map(|other| {
                    let to = (place() as usize + other.len()).saturating_sub(text.len());
                    (other, Some(to as u32))
                });
                others.collect()
            } else {
                Vec::new()
            };
            doubts.push(Doubt {
                note: format!("{} ({})", sentence_start(&one.message), one.code()),
                hides: false,
                ply,
                others,
            });
        }
        doubts.extend(is_renumbered.then(|| {
            Doubt {
                note:
                    "Moves are named by the numbers of the board, which are not those of the text"
                        .to_owned(),
                hides: false,
                ply: 0,
                others: Vec::new(),
            }
        }));
    }
    let hidden = hiding_semicolons(game, text, end).into_iter();
    doubts.extend(hidden.map(|at| {
        let before = main_line(game).take_while(|token| (token.span.start as usize) < at);
        let line = text[at..].split(|&byte| byte == b'\n').next();
        let line = findings::shown(line.unwrap_or_default());
        Doubt {
            note: format!("`{line}` is read as a comment, and can be moves of the game"),
            hides: true,
            ply: before.count() as u32,
            others: vec![(replaced(text, at, b' '), moment)],
        }
    }));
    doubts
}

impl Doubt {
    /// Plays the game in its other readings, up to a ply or to its end.
    pub(crate) fn play<T>(
        &self,
        game: &Game,
        mut play: impl FnMut(&Game, &[u8], Option<u32>) -> Option<T>,
    ) -> Vec<T> {
        let mut reader = Reader::new()
            .in_letters(game.letters.map(Letters::first))
            .playing_illegal(game.plays_illegal);
        let played = self.others.iter().filter_map(|(text, end)| {
            let other = reader.read(text, None);
            if self.hides && main_line(other).count() <= main_line(game).count() {
                return None;
            }
            let at = end.map(|end| {
                let before = main_line(other).take_while(|token| token.span.end <= end);
                before.count() as u32
            });
            play(other, text, at)
        });
        played.collect()
    }

    /// Leaves a ruling open if another reading has another label.
    fn weigh_label(&self, ruling: &mut Ruling, other: &Ruling) {
        let label = |it: &Ruling| (it.result, it.reason, it.verdict);
        if ruling.verdict == Verdict::Undecided || label(ruling) == label(other) {
            return;
        }
        let [one, another] = [&*ruling, other]
            .map(|it| format!("{}, {} ({})", it.result, it.reason, it.verdict.as_str()));
        let doubt = &self.note;
        ruling.because = Some(format!(
            "as the moves are read it would be {one}, and by another reading {another}: {doubt}"
        ));
        (ruling.result, ruling.reason) = (ResultMark::Unknown, RuledReason::Unknown);
        ruling.verdict = Verdict::Undecided;
        (ruling.article, ruling.line) = (None, None);
        (ruling.ended, ruling.played_on) = (None, false);
    }

    /// Leaves claims open that could be made in one of two readings only. The other one has `more`
    /// plies.
    fn weigh_claims(&self, ruling: &mut Ruling, other: &Ruling, more: i32) {
        let is_new = |it: &Opportunity| {
            let is_before_end = ruling.ended.is_none_or(|end| it.at.ply < end.ply);
            it.unseen.is_none() && it.at.ply > self.ply && is_before_end
        };
        let mut others = other.opportunities.clone();
        for claim in &mut others {
            claim.at.ply = claim.at.ply.saturating_add_signed(-more);
        }
        others.retain(is_new);
        let mut claims = mem::take(&mut ruling.opportunities);
        claims.append(&mut others);
        let key = |it: &Opportunity| {
            let is_announced = it.announced.is_some();
            (it.at.ply, it.end as usize, it.by.index(), is_announced)
        };
        claims.sort_by_key(key);
        let claims = claims.chunk_by(|one, next| key(one) == key(next));
        let claims = claims.map(|same| {
            let mut claim = same[0].clone();
            if same.len() == 1 && claim.at.ply > self.ply {
                claim.unseen.get_or_insert(Unseen::OtherReading);
            }
            claim
        });
        ruling.opportunities = claims.collect();
        ruling.claimable = first_of_each(&ruling.opportunities);
    }
}

/// Leaves open what another reading of the moves decides otherwise.
pub fn weigh(
    adjudication: &mut Adjudication,
    adjudicator: &mut Adjudicator,
    game: &Game,
    text: &[u8],
) {
    let plies = adjudication.plies;
    for doubt in doubts(game, text, plies, Some(end_of_moves(game, text))) {
        let others = doubt.play(game, |game, text, _| {
            let other = adjudicator.adjudicate(game, text).ok()?;
            // A record without moves is judged by other rules.
            (other.early_end.is_none() && other.plies > 0).then_some(other)
        });
        for other in others {
            let more = other.plies.cast_signed() - plies.cast_signed();
            for (ruling, other) in adjudication.rulings.iter_mut().zip(&other.rulings) {
                if ruling.ended.is_none_or(|ended| ended.ply > doubt.ply) {
                    doubt.weigh_claims(ruling, other, more);
                    doubt.weigh_label(ruling, other);
                }
            }
        }
    }
}

/// A text with another byte at a place.
fn replaced(text: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut text = text.to_vec();
    text[at] = byte;
    text
}

/// The semicolons of comments that can be moves of the game, which end at `end`.
fn hiding_semicolons(game: &Game, text: &[u8], end: usize) -> Vec<usize> {
    let moves = text.get(game.movetext..end).unwrap_or_default();
    if !game.hints.line_comments {
        return Vec::new();
    }
    let mut index = Index::default();
    index.extend(moves, 0);
    let hides_moves = |&at: &usize| {
        let line = moves[at..].split(|&byte| byte == b'\n').next();
        let mut words = line.unwrap_or_default().split(u8::is_ascii_whitespace);
        !index.view(0).is_in_comment(at) && words.any(may_be_move)
    };
    let hiding = memchr_iter(b';', moves).filter(hides_moves);
    hiding.map(|at| game.movetext + at).take(MOST).collect()
}

/// The game from a ply on, if its number in the text says that moves before it are missing: with a
/// capture or a pawn move among them, and without.
fn without_before(
    game: &Game,
    text: &[u8],
    start: &Position,
    ply: u32,
    number: &[u8],
    end: usize,
) -> Vec<Vec<u8>> {
    let mut replay = Replay::new(game, start.clone());
    while replay.plies() < ply && replay.play().is_some() {}
    let digits = number.split(|byte| !byte.is_ascii_digit()).next();
    let number = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u32>().ok());
    let mut setup = replay.position().setup();
    let missing = number.map_or(0, |number| number.saturating_sub(setup.fullmoves));
    let next = main_line(game).nth(ply as usize);
    let next = next.map_or(end, |token| token.span.range().start);
    let quiet = setup.halfmoves.saturating_add(missing.saturating_mul(2));
    let clocks = [0, quiet].into_iter().filter(|_| missing > 0);
    let readings = clocks.map(|clock| {
        setup.halfmoves = clock;
        let tag = format!("[FEN \"{setup}\"]\n");
        [
            tag.as_bytes(),
            &text[game.start..game.movetext],
            &text[next..],
        ]
        .concat()
    });
    readings.collect()
}
