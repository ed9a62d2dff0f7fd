//! For people: a paragraph for each game, with its last position.

use crate::adjudication::{CanWin, Opportunity, PlyRef, RuledReason, Ruling, Verdict};
use crate::chess::{Color, File, Position, Rank, Square};
use crate::commands::adjudicate::formats::{
    AdjudicateFormat, AdjudicatedGame, event, missed, value, words,
};
use crate::commands::adjudicate::phrases::{lower_start, sentence_start};
use crate::law::End;
use crate::pgn::termination::Reason;
use crate::pgn::{ResultMark, Span};
use crate::replay::main_line;
use crate::report::escape::Escaped;
use crate::report::{Buffer, Format, append, wrap, wrap_if};

/// Columns of a paragraph's line where the output is no terminal.
const COLUMNS: usize = 80;

/// Sentences and a diagram.
pub(crate) struct Human {
    /// Write the draws that could have been claimed instead of the games.
    pub(crate) claims: bool,
    /// Width of the terminal.
    pub(crate) columns: Option<usize>,
}

impl AdjudicateFormat for Human {}

impl Format<&AdjudicatedGame<'_>> for Human {
    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        match self.claims {
            true => opportunities(out, game, self.columns),
            false => paragraph(out, game, self.columns),
        }
    }
}

fn paragraph(out: &mut Buffer, game: &AdjudicatedGame<'_>, columns: Option<usize>) {
    let adjudication = game.adjudication;
    heading(out, game, columns);
    let columns = columns.unwrap_or(COLUMNS);
    let mut text = |sentence: &str| wrap(out, sentence, ["  "; 2], columns);
    if let Some(event) = event(game.seen.game, game.seen.text) {
        text(&Escaped(&event).to_string());
    }
    if let Some(recorded) = recorded(game) {
        text(&recorded);
    }
    let several = adjudication.rulings.len() > 1;
    for ruling in &adjudication.rulings {
        let by = match several {
            true => format!("By {}: ", ruling.asked),
            false => String::new(),
        };
        for sentence in sentences(game, ruling) {
            text(&format!("{by}{sentence}"));
        }
    }
    for color in Color::ALL {
        match adjudication.can_win[color.index()] {
            CanWin::No if adjudication.board.is_none() => {
                text(&format!("{color} cannot mate any more."));
            }
            CanWin::Unknown => text(&format!("Whether {color} can still mate was not found.")),
            _ => {}
        }
    }
    out.push(b'\n');
    diagram(out, &adjudication.last, "    ");
    out.push(b'\n');
}

fn heading(out: &mut Buffer, game: &AdjudicatedGame<'_>, columns: Option<usize>) {
    let name = |tag| tag_value(game, tag).unwrap_or("?".to_owned());
    let text = format!(
        "{}, game {}: {} - {}",
        Escaped(game.seen.file),
        game.seen.number,
        name("White"),
        name("Black")
    );
    wrap_if(out, &text, ["", "  "], columns);
}

/// The value of a tag, escaped, if there is one.
fn tag_value(game: &AdjudicatedGame<'_>, tag: &str) -> Option<String> {
    let value = value(game.seen.game, game.seen.text, tag)?;
    let value = value.trim();
    (!value.is_empty()).then(|| Escaped(value).to_string())
}

/// `The record says 1-0, time-forfeit (`White wins on time`).`
fn recorded(game: &AdjudicatedGame<'_>) -> Option<String> {
    let recorded = &game.adjudication.recorded;
    let said = recorded.termination?;
    let result = recorded_result(game).unwrap_or("no result".to_owned());
    let reason = said.reason.map_or("reason not known", Reason::as_str);
    Some(format!(
        "The record says {result}, {reason} (`{}`).",
        shown(game, said.words)
    ))
}

fn recorded_result(game: &AdjudicatedGame<'_>) -> Option<String> {
    let recorded = &game.adjudication.recorded;
    match (recorded.result, recorded.other_result) {
        (_, Some(other)) => Some(format!("`{}`", shown(game, other))),
        (Some(result), None) => Some(result.to_string()),
        (None, None) => None,
    }
}

/// The sentences of a ruling.
fn sentences(game: &AdjudicatedGame<'_>, ruling: &Ruling) -> Vec<String> {
    let mut said = vec![match ruling.ended {
        Some(at) => ended(game, ruling, at),
        None => open(game, ruling),
    }];
    if let Some(because) = &ruling.because {
        let because = Escaped(because);
        match ruling.verdict {
            Verdict::Contradiction => said.push(format!("Contradiction: {because}.")),
            Verdict::Undecided => said.push(format!("Left open: {because}.")),
            Verdict::Consistent => {}
        }
    }
    // The sides differ by a ply only.
    let is_first_unseen = |opportunity: &Opportunity| {
        let mut unseen = ruling
            .claimable
            .iter()
            .filter(|other| other.unseen.is_some());
        unseen.find(|other| other.end == opportunity.end) == Some(opportunity)
    };
    said.extend(
        ruling
            .claimable
            .iter()
            .filter(|&opportunity| opportunity.unseen.is_none() || is_first_unseen(opportunity))
            .map(|opportunity| format!("{}.", sentence_start(&sentence(game, opportunity)))),
    );
    said.extend(
        ruling
            .notes
            .iter()
            .map(|note| format!("{}.", sentence_start(&Escaped(note).to_string()))),
    );
    said
}

/// The moves ended the game.
fn ended(game: &AdjudicatedGame<'_>, ruling: &Ruling, at: PlyRef) -> String {
    let after = after(game, at);
    let end = match ruling.reason {
        RuledReason::End(end) => end.phrase(),
        other => other.as_str(),
    };
    let mut text = match ruling.result.winner() {
        Some(winner) => format!("{winner} won by {end} {after}"),
        None => match ruling.reason {
            RuledReason::End(End::DeadPosition | End::InsufficientMaterial) => {
                format!(
                    "The game was drawn {after}, because neither side can mate any more ({end})"
                )
            }
            _ => format!("The game was drawn by {end} {after}"),
        },
    };
    if let Some(article) = &ruling.article {
        append!(text, " ({article})");
    }
    text.push_str(match ruling.played_on {
        true => "; moves follow.",
        false if game.adjudication.recorded.result == Some(ruling.result) => "; the record agrees.",
        false => ".",
    });
    text
}

/// The moves left the game open.
fn open(game: &AdjudicatedGame<'_>, ruling: &Ruling) -> String {
    let after = after(game, game.adjudication.end);
    let is_consistent = ruling.verdict == Verdict::Consistent;
    let article = match &ruling.article {
        Some(article) => format!(" ({article})"),
        None => String::new(),
    };
    let how = match (ruling.result.winner(), ruling.reason) {
        (Some(winner), RuledReason::ResignationOrTime) => {
            format!("{} resigned or lost on time {after}", !winner)
        }
        (Some(winner), RuledReason::Recorded(Reason::Resignation)) => {
            format!("{} resigned {after}", !winner)
        }
        (Some(winner), RuledReason::Recorded(Reason::TimeForfeit)) => {
            format!("{} lost on time {after}", !winner)
        }
        (Some(winner), RuledReason::Unknown) => {
            format!("{winner} won {after}, for a reason that is not known")
        }
        (Some(winner), reason) => format!("{winner} won {after} ({reason})"),
        (None, RuledReason::Recorded(Reason::Agreement)) if ruling.result == ResultMark::Draw => {
            format!("The game was drawn by agreement {after}{article}")
        }
        (None, RuledReason::End(end)) if ruling.result == ResultMark::Draw => {
            format!("The game was drawn by {} {after}{article}", end.phrase())
        }
        (None, RuledReason::Unknown) if ruling.result == ResultMark::Draw => {
            format!("The game was drawn {after}, for a reason that is not known")
        }
        (None, reason) if ruling.result == ResultMark::Draw => {
            format!("The game is drawn {after} ({reason}){article}")
        }
        (None, RuledReason::Incomplete) => {
            return format!("The moves can be played as far as {}.", last_move(game));
        }
        (None, _) if is_consistent => {
            return format!("Nothing ended the game {after}, and no result is recorded.");
        }
        (None, _) => return format!("The moves leave the game open {after}."),
    };
    match is_consistent {
        true => format!("{how}; nothing on the board contradicts it."),
        false => format!("By the rules: {}.", lower_start(&how)),
    }
}

/// The last move that could be played: `32.Qh5`.
fn last_move(game: &AdjudicatedGame<'_>) -> String {
    let end = game.adjudication.end;
    match move_to(game, end) {
        Some(moved) => format!("{}{moved}", end.number()),
        None => "the initial position".to_owned(),
    }
}

/// The word of the move that led to a ply.
fn move_to(game: &AdjudicatedGame<'_>, at: PlyRef) -> Option<String> {
    let before = at.ply.checked_sub(1)?;
    let token = main_line(game.seen.game).nth(before as usize)?;
    Some(shown(game, token.span))
}

fn opportunities(out: &mut Buffer, game: &AdjudicatedGame<'_>, columns: Option<usize>) {
    let mut headed = false;
    for ruling in &game.adjudication.rulings {
        for opportunity in missed(game.adjudication, ruling) {
            if !headed {
                heading(out, game, columns);
                headed = true;
            }
            let rules = ruling.asked;
            let text = format!("{rules}: {}", sentence(game, opportunity));
            wrap_if(out, &text, ["  ", "    "], columns);
        }
    }
    if headed {
        out.push(b'\n');
    }
}

/// `White could claim a draw by threefold repetition after 41...Kg8 (FIDE 2023 art. 9.2.2)`
fn sentence(game: &AdjudicatedGame<'_>, opportunity: &Opportunity) -> String {
    let mut text = format!(
        "{} could claim a draw by {} {}",
        opportunity.by,
        opportunity.end.phrase(),
        after(game, opportunity.at)
    );
    if let Some(unseen) = opportunity.unseen {
        let why = unseen.why(opportunity.end);
        return format!(
            "whether {text} ({}) is not known: {why}",
            opportunity.article
        );
    }
    if let Some(announced) = opportunity.announced_label() {
        append!(text, ", announcing {announced}");
    }
    append!(text, " ({})", opportunity.article);
    text
}

/// `after 41...Kg8`
fn after(game: &AdjudicatedGame<'_>, at: PlyRef) -> String {
    match move_to(game, at) {
        Some(moved) => format!("after {}{moved}", at.number()),
        None => "in the initial position".to_owned(),
    }
}

/// Words of the game's text.
fn shown(game: &AdjudicatedGame<'_>, span: Span) -> String {
    Escaped(&words(game.seen.text, span)).to_string()
}

/// Adds a position, a line for each rank: capitals for White.
fn diagram(out: &mut Buffer, position: &Position, indent: &str) {
    for rank in (0..8).rev().map(Rank::new) {
        out.push_str(indent);
        for file in File::ALL {
            let piece = position.board().piece_on(Square::at(file, rank));
            out.push(piece.map_or(b'.', |piece| piece.letter() as u8));
            out.push(if file == File::ALL[7] { b'\n' } else { b' ' });
        }
    }
}
