//! Doubtful readings of a game: moves that can be read another way, and moves that may be hidden.

use std::mem;

use memchr::{memchr, memchr_iter};

use crate::adjudication::{
    Adjudication, Adjudicator, Opportunity, RuledReason, Ruling, Verdict, first_of_each,
};
use crate::chess::{Color, Position};
use crate::commands::adjudicate::phrases::sentence_start;
use crate::findings::registry as codes;
use crate::findings::{self, Checks, Codes};
use crate::law::Unseen;
use crate::notation::Letters;
use crate::pgn::{Game, ResultMark, may_be_move};
use crate::replay::{Reader, Replay, Start, main_line};
use crate::text::Index;

/// Findings after which a move can be meant otherwise, or moves may be hidden.
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

/// Most doubts of one game.
const MOST: usize = 16;

/// What is doubtful in the moves of a game.
#[derive(Default)]
pub(crate) struct Doubts {
    pub(crate) notes: Vec<String>,
    pub(crate) others: Vec<OtherReading>,
}

/// A game with one doubtful place written as it may have been meant.
pub(crate) struct OtherReading {
    text: Vec<u8>,
    /// Offset in the text to which the moves are read, unless to their end.
    end: Option<u32>,
    /// Plies before the doubtful place.
    ply: u32,
    /// Whether it counts only if it has more moves.
    pub(crate) is_longer: bool,
    /// The doubt.
    pub(crate) note: String,
}

impl Doubts {
    /// The doubts about a game of which so many plies were played, to the `end` of its moves in the
    /// text if that is given.
    pub(crate) fn of(game: &Game, text: &[u8], plies: u32, end: Option<usize>) -> Doubts {
        let initial = Position::initial();
        let Ok((Start { position, .. }, _)) = Start::of(game, text, &initial) else {
            return Doubts::default();
        };
        let place = main_line(game).take(plies as usize).last();
        let place = place.map_or(0, |token| token.span.end);
        let moment = end.is_none().then_some(place);
        let end = end.unwrap_or(place as usize);
        let mut checks = Checks::new(false, &[Codes::of(DOUBTFUL)], &[]);
        checks.repairs = true;
        let mut found = Vec::new();
        findings::check(game, text, &initial, &checks, &mut found);
        found.retain(|one| !one.in_variation && one.span.range().start < end);
        let first = game.first_number(text);
        let mut is_renumbered = first.is_some_and(|(first, _)| first != position.fullmoves());
        let mut doubts = Doubts::default();
        for one in found.iter().take(MOST) {
            let before = main_line(game).take_while(|token| token.span < one.span);
            let ply = before.count() as u32;
            let note = format!("{} ({})", sentence_start(&one.message), one.code());
            let (texts, to) = if *one.rule == codes::PAWN_OR_BISHOP {
                (vec![replaced(text, one.span.range().start, b'B')], moment)
            } else if *one.rule == codes::WRONG_MOVE_NUMBER {
                is_renumbered = true;
                let number = one.span.of(text);
                let texts = without_before(game, text, &position, ply, number, end);
                (texts, Some(place))
            } else {
                (Vec::new(), None)
            };
            let others = texts.into_iter().map(|other| OtherReading {
                end: to.map(|to| (to as usize + other.len() - text.len()) as u32),
                text: other,
                ply,
                is_longer: false,
                note: note.clone(),
            });
            doubts.others.extend(others);
            doubts.notes.push(note);
        }
        if is_renumbered {
            let note =
                "Moves are named by the numbers of the board, which are not those of the text";
            doubts.notes.push(note.to_owned());
        }
        let hidden = hiding_semicolons(game, text, end).into_iter();
        doubts.others.extend(hidden.map(|at| {
            let before = main_line(game).take_while(|token| (token.span.start as usize) < at);
            let line = text[at..].split(|&byte| byte == b'\n').next();
            let line = findings::shown(line.unwrap_or_default());
            OtherReading {
                text: replaced(text, at, b' '),
                end: moment,
                ply: before.count() as u32,
                is_longer: true,
                note: format!("`{line}` is read as a comment, and can be moves of the game"),
            }
        }));
        doubts
    }
}

impl OtherReading {
    /// Plays the game in this reading, up to a ply or to its end.
    pub(crate) fn play<T>(
        &self,
        game: &Game,
        play: impl FnOnce(&Game, &[u8], Option<u32>) -> Option<T>,
    ) -> Option<T> {
        let mut reader = Reader::new()
            .in_letters(game.letters.map(Letters::first))
            .playing_illegal(game.plays_illegal);
        let game = reader.read(&self.text, None);
        let at = self.end.map(|end| {
            let before = main_line(game).take_while(|token| token.span.end <= end);
            before.count() as u32
        });
        play(game, &self.text, at)
    }

    /// Whether it counts, by the plies of the game as it is read and in this reading.
    pub(crate) fn counts(&self, plies: u32, other: u32) -> bool {
        !self.is_longer || other > plies
    }

    /// Leaves open what this reading, in which the game has `more` plies, decides otherwise.
    fn weigh(&self, ruling: &mut Ruling, other: &Ruling, more: i32) {
        if ruling.ended.is_some_and(|ended| ended.ply <= self.ply) {
            return;
        }
        self.weigh_claims(ruling, other, more);
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
        ruling.result = ResultMark::Unknown;
        ruling.reason = RuledReason::Unknown;
        ruling.verdict = Verdict::Undecided;
        ruling.article = None;
        ruling.line = None;
        ruling.ended = None;
        ruling.played_on = false;
    }

    /// Leaves claims open that could be made in one of the readings only.
    fn weigh_claims(&self, ruling: &mut Ruling, other: &Ruling, more: i32) {
        let mut claims = mem::take(&mut ruling.opportunities);
        let mut others = other.opportunities.clone();
        for claim in &mut others {
            claim.at.ply = claim.at.ply.saturating_add_signed(-more);
        }
        let before_end = |ply: u32| ruling.ended.is_none_or(|end| ply < end.ply);
        let may_count = |ply: u32| ply > self.ply && before_end(ply);
        others.retain(|it| it.unseen.is_none() && may_count(it.at.ply));
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
pub(crate) fn weigh(
    adjudication: &mut Adjudication,
    adjudicator: &mut Adjudicator,
    game: &Game,
    text: &[u8],
) {
    let result = game.result.map(|(_, span)| span).or(game.other_result);
    let end = result.map_or(text.len(), |result| result.range().start);
    let has_odd_moves = || {
        let start = Start::of(game, text, &Position::initial());
        let position = start.ok().map(|(start, _)| start.position);
        let is_initial = |it: &Position| (it.fullmoves(), it.turn()) == (1, Color::White);
        game.hints.lenient || game.hints.odd_numbers || !position.as_ref().is_some_and(is_initial)
    };
    if !has_odd_moves() && hiding_semicolons(game, text, end).is_empty() {
        return;
    }
    for reading in Doubts::of(game, text, adjudication.plies, Some(end)).others {
        let other = reading.play(game, |game, text, _| {
            adjudicator.adjudicate(game, text).ok()
        });
        let counts = |it: &Adjudication| {
            it.early_end.is_none() && reading.counts(adjudication.plies, it.plies)
        };
        let Some(other) = other.filter(counts) else {
            continue;
        };
        let more = other.plies.cast_signed() - adjudication.plies.cast_signed();
        for (ruling, other) in adjudication.rulings.iter_mut().zip(&other.rulings) {
            reading.weigh(ruling, other, more);
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
    let mut index = Index::default();
    if memchr(b';', moves).is_some() {
        index.extend(moves, 0);
    }
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
