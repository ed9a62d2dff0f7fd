//! Doubtful readings: moves that can be read another way, and moves that may be hidden.

use memchr::memchr_iter;

use crate::chess::Position;
use crate::commands::adjudicate::claim::game::ClaimGame;
use crate::commands::adjudicate::claim::{ClaimKind, ClaimRuling};
use crate::commands::adjudicate::phrases::{sentence_start, word};
use crate::findings::registry as codes;
use crate::findings::{self, Checks, Codes};
use crate::law::{GameRecord, Loss};
use crate::notation::Letters;
use crate::pgn::Game;
use crate::replay::{Reader, Replay, Start, main_line};
use crate::text::decode;

impl ClaimGame {
    /// A game up to a ply, or to its end.
    ///
    /// # Errors
    ///
    /// Why the game cannot be played so far.
    pub fn of_game(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<ClaimGame, String> {
        let mut read = ClaimGame::as_read(game, text, initial, at)?;
        let result = game.result.map(|(_, span)| span).or(game.other_result);
        let end = || result.map_or(text.len(), |result| result.range().start);
        add_doubts(&mut read, game, text, at.is_none().then(end));
        Ok(read)
    }

    /// A game up to the illegal move at which it stops, if there is one, and it is at this ply.
    ///
    /// # Errors
    ///
    /// Why the game cannot be played so far.
    pub(crate) fn before_illegal(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<Option<ClaimGame>, String> {
        let (start, _) = Start::of(game, text, initial)
            .map_err(|fault| findings::not_begun(game, text, fault).message)?;
        let mut replay = Replay::new(game, start.position);
        replay.play_to_end();
        let stop = replay.last_illegal().copied().or(replay.stop());
        let Some(stop) = stop.filter(|stop| at.is_none_or(|at| at + 1 == stop.ply)) else {
            return Ok(None);
        };
        let mut played = ClaimGame::as_read(game, text, initial, Some(stop.ply - 1))?;
        let word = stop.token.span;
        add_doubts(&mut played, game, text, Some(word.end as usize));
        let finding = findings::of_stop(game, text, &stop, &played.last());
        if *finding.rule != codes::ILLEGAL_MOVE {
            return Ok(None);
        }
        let word = decode(word.of(text));
        let label = findings::label(&played.last(), &word);
        let why = finding.message.replacen(&format!("`{word}`"), &label, 1);
        played.notes.push(why);
        Ok(Some(played))
    }
}

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

/// Adds the doubts about the moves of a game, which was read up to a claim, or to this `end` of the
/// moves in the text.
fn add_doubts(read: &mut ClaimGame, game: &Game, text: &[u8], end: Option<usize>) {
    let plies = read.record().plies();
    let last = main_line(game).take(plies as usize).last();
    let place = last.map_or(0, |token| token.span.end);
    let at_end = end.is_some();
    let end = end.unwrap_or(place as usize);
    let read_again = |change: &dyn Fn(&mut [u8])| {
        let mut text = text.to_vec();
        change(&mut text);
        let mut reader = Reader::new()
            .in_letters(game.letters.map(Letters::first))
            .playing_illegal(game.plays_illegal);
        let game = reader.read(&text, None);
        let before = main_line(game).take_while(|token| token.span.end <= place);
        let at = (!at_end).then_some(before.count() as u32);
        ClaimGame::as_read(game, &text, &Position::initial(), at).ok()
    };
    let mut checks = Checks::new(false, &[Codes::of(DOUBTFUL)], &[]);
    checks.repairs = true;
    let mut found = Vec::new();
    findings::check(game, text, &Position::initial(), &checks, &mut found);
    found.retain(|one| !one.in_variation && one.span.range().start < end);
    let first = game.first_number(text);
    let mut is_renumbered = first.is_some_and(|(first, _)| first != read.record().at(0).fullmoves);
    for one in found.iter().take(MOST) {
        let span = one.span.range();
        let message = sentence_start(&one.message);
        read.notes.push(format!("{message} ({})", one.code()));
        read.others.extend(if *one.rule == codes::PAWN_OR_BISHOP {
            let other = read_again(&|text| text[span.start] = b'B');
            other.into_iter().collect()
        } else if *one.rule == codes::WRONG_MOVE_NUMBER {
            is_renumbered = true;
            let before = main_line(game).take_while(|token| token.span < one.span);
            without_before(read, before.count() as u32, one.span.of(text))
        } else {
            Vec::new()
        });
    }
    if is_renumbered {
        let note = "Moves are named by the numbers of the board, which are not those of the text";
        read.notes.push(note.to_owned());
    }
    let semicolons = memchr_iter(b';', &text[..end]).skip_while(|&at| at < game.movetext);
    for at in semicolons.take(MOST) {
        let other = read_again(&|text| text[at] = b' ');
        if let Some(other) = other.filter(|other| other.record().plies() > plies) {
            let hidden = text[at..].split(|&byte| byte == b'\n').next();
            let hidden = findings::shown(hidden.unwrap_or_default());
            let note = format!("`{hidden}` is read as a comment, and can be moves of the game");
            read.notes.push(note);
            read.others.push(other);
        }
    }
}

/// The game from a ply on, if its number in the text says that moves before it are missing: with a
/// capture or a pawn move among them, and without.
fn without_before(read: &ClaimGame, ply: u32, number: &[u8]) -> Vec<ClaimGame> {
    let record = read.record();
    let digits = number.split(|byte| !byte.is_ascii_digit()).next();
    let number = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u32>().ok());
    let missing = number.map_or(0, |number| number.saturating_sub(record.at(ply).fullmoves));
    let mut setup = record.after(ply).setup();
    let quiet = setup.halfmoves.saturating_add(missing.saturating_mul(2));
    let clocks = [0, quiet].into_iter().filter(|_| missing > 0);
    let readings = clocks.filter_map(|clock| {
        setup.halfmoves = clock;
        let mut rest = GameRecord::new(Position::new(&setup).ok()?, None);
        rest.moves.extend(&record.moves[ply as usize..]);
        Some(read.with_record(rest))
    });
    readings.collect()
}

/// Leaves a claim open if one of the other readings of game and move decides otherwise.
pub(crate) fn weigh(
    game: &ClaimGame,
    kind: ClaimKind,
    ruling: ClaimRuling,
    mut others: impl Iterator<Item = ClaimRuling>,
) -> ClaimRuling {
    if kind == ClaimKind::Loss(Loss::IllegalMoves) && !game.others.is_empty() {
        let why = "By another reading of the moves this one may be legal.";
        return ruling.left_open(kind, why.to_owned());
    }
    let otherwise = others.find(|other| match (ruling.upheld, other.upheld) {
        (None, _) | (Some(false), None) => false,
        (one, another) => one != another || ruling.result != other.result,
    });
    let Some(other) = otherwise else {
        return ruling;
    };
    let [one, another] = [&ruling, &other].map(|ruling| word(ruling.ground));
    let why = format!(
        "As the moves are read, the claim would be {one}, and by another reading {another}."
    );
    ruling.left_open(kind, why)
}
