//! Findings about times and evaluations in comments of the main line.

use memchr::memchr2;

use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::{AtMove, Finding, Findings, shown};
use crate::pgn::values::time_control;
use crate::pgn::{MoveNotes, TagName};
use crate::replay::main_line;

/// Reports the first value that is not read, and the first clock that grows by more than the time
/// control allows.
pub(crate) fn values(played: &PlayedGame<'_>, findings: &mut Findings<'_>) {
    let PlayedGame { game, text, .. } = *played;
    // A command has a `%`, any other clock a colon.
    if memchr2(b'%', b':', &text[game.movetext..]).is_none() {
        return;
    }
    let control = game.known(TagName::TimeControl);
    let mut control = control.and_then(|tag| time_control::read(&tag.unescape(text)).value);
    let mut is_read = true;
    let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
    let mut clocks = [None; 2];
    let mut side = played.start.turn();
    for (ply, token) in (1..=played.plies).zip(main_line(game)) {
        notes.read((game, text), token.span, side, &mut found);
        let at = || AtMove::new(ply, token.span.of(text), &played.position_after(ply - 1));
        if let Some(span) = notes.unread.filter(|_| is_read) {
            is_read = false;
            let message = format!("the value of `{}` is not read", shown(span.of(text)));
            findings.push(Finding::new(&codes::UNREAD_VALUE, span, message).at(at()));
        }
        let moves = || played.start.fullmoves().saturating_add((ply - 1) / 2);
        let before = std::mem::replace(&mut clocks[side as usize], notes.clock);
        if let (Some(before), Some(clock)) = (before, notes.clock)
            && clock > before + SECOND
            && before > 0.0
            && let Some(known) = &control
            && let Some(most) = known.most_growth(moves(), before)
            && clock > before + most + SECOND
        {
            let message = format!(
                "the clock grows from {before} to {clock} seconds, by more than `{known}` allows"
            );
            findings.push(Finding::new(&codes::GROWING_CLOCK, token.span, message).at(at()));
            control = None;
        }
        side = !side;
    }
}

/// Clocks are rounded to seconds. One at zero may be of a flag that has fallen.
const SECOND: f64 = 1.0;
