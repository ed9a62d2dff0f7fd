//! For people: a paragraph for each game, with its last position.

use crate::adjudication::{
    Adjudication, CanWin, Opportunity, PlyRef, RuledReason, Ruling, Verdict,
};
use crate::boards::diagram;
use crate::chess::Color;

use crate::adjudication::phrases::{lower_start, sentence};
use crate::commands::adjudicate::formats::{AdjudicatedGame, Heading, Stretch, missed_runs, words};
use crate::law::End;
use crate::pgn::termination::Reason;
use crate::pgn::{ResultMark, Span};
use crate::replay::main_line;
use crate::report::escape::Escaped;
use crate::report::{Buffer, Format, append, wrap, wrap_if};

/// Columns of a paragraph's line where the output is no terminal.
const COLUMNS: usize = 80;

/// Sentences and a diagram.
pub(crate) struct HumanRulings {
    /// Write the draws that could have been claimed instead of the games.
    pub(crate) claims: bool,
    /// Width of the terminal.
    pub(crate) columns: Option<usize>,
}

impl Format<&AdjudicatedGame<'_>> for HumanRulings {
    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        let Ok(adjudication) = game.adjudication else {
            return;
        };
        let judged = Judged { game, adjudication };
        if self.claims {
            judged.opportunities(out, self.columns);
        } else {
            judged.paragraph(out, self.columns);
        }
    }
}

/// A game with its adjudication.
struct Judged<'a> {
    game: &'a AdjudicatedGame<'a>,
    adjudication: &'a Adjudication,
}

impl Judged<'_> {
    fn paragraph(&self, out: &mut Buffer, columns: Option<usize>) {
        let adjudication = self.adjudication;
        let occasion = self.heading(out, columns).occasion();
        let occasion = occasion.map(|occasion| Escaped(&occasion).to_string());
        let mut lines: Vec<String> = occasion.into_iter().chain(self.recorded()).collect();
        for ruling in &adjudication.rulings {
            let by = match adjudication.rulings.len() {
                1 => String::new(),
                _ => format!("By {}: ", ruling.asked),
            };
            let sentences = self.sentences(ruling).into_iter();
            lines.extend(sentences.map(|sentence| by.clone() + &sentence));
        }
        for color in Color::ALL {
            match adjudication.can_win[color.index()] {
                CanWin::No if adjudication.board.is_none() => {
                    lines.push(format!("{color} cannot mate any more."));
                }
                CanWin::Unknown => {
                    lines.push(format!("Whether {color} can still mate was not found."));
                }
                _ => {}
            }
        }
        for line in lines {
            wrap(out, &line, ["  "; 2], columns.unwrap_or(COLUMNS));
        }
        out.push(b'\n');
        out.push_str(&diagram(&adjudication.last));
        out.push(b'\n');
    }

    /// Writes the game's place and players.
    fn heading(&self, out: &mut Buffer, columns: Option<usize>) -> Heading {
        let heading = Heading::new(self.game.game, self.game.text);
        let players = heading.players().unwrap_or("? - ?".to_owned());
        let (file, number) = (Escaped(self.game.source.name()), self.game.number);
        let text = format!("{file}, game {number}: {}", Escaped(&players));
        wrap_if(out, &text, ["", "  "], columns);
        heading
    }

    /// `The record says 1-0, time-forfeit (`White wins on time`).`
    fn recorded(&self) -> Option<String> {
        let recorded = &self.adjudication.recorded;
        let said = recorded.termination?;
        let result = match (recorded.result, recorded.other_result) {
            (_, Some(other)) => format!("`{}`", self.shown(other)),
            (Some(result), None) => result.to_string(),
            (None, None) => "no result".to_owned(),
        };
        let reason = said.reason.map_or("reason not known", Reason::as_str);
        let words = self.shown(said.words);
        Some(format!("The record says {result}, {reason} (`{words}`)."))
    }

    fn sentences(&self, ruling: &Ruling) -> Vec<String> {
        let mut said = vec![match ruling.ended {
            Some(at) => self.ended(ruling, at),
            None => self.open(ruling),
        }];
        if let Some(because) = &ruling.because {
            let because = Escaped(because);
            match ruling.verdict {
                Verdict::Contradiction => said.push(format!("Contradiction: {because}.")),
                Verdict::Undecided => said.push(format!("Left open: {because}.")),
                Verdict::Consistent => {}
            }
        }
        let mut unseen = Vec::new();
        for opportunity in &ruling.claimable {
            // The sides differ by a ply only.
            if opportunity.unseen.is_some() {
                if unseen.contains(&opportunity.end) {
                    continue;
                }
                unseen.push(opportunity.end);
            }
            said.push(sentence(&self.opportunity(&Stretch::new(opportunity))));
        }
        let notes = ruling.notes.iter();
        said.extend(notes.map(|note| sentence(&Escaped(note).to_string())));
        said
    }

    /// The moves ended the game.
    fn ended(&self, ruling: &Ruling, at: PlyRef) -> String {
        let after = self.after(at);
        let end = match ruling.reason {
            RuledReason::End(end) => end.row().phrase,
            other => other.as_str(),
        };
        let mut text = match (ruling.result.winner(), ruling.reason) {
            (Some(winner), _) => format!("{winner} won by {end} {after}"),
            (None, RuledReason::End(End::DeadPosition | End::InsufficientMaterial)) => format!(
                "The game was drawn {after}, because neither side can mate any more ({end})"
            ),
            (None, _) => format!("The game was drawn by {end} {after}"),
        };
        if let Some(article) = &ruling.article {
            append!(text, " ({article})");
        }
        let agrees = self.adjudication.recorded.result == Some(ruling.result);
        text + match ruling.played_on {
            true => "; moves follow.",
            false if agrees => "; the record agrees.",
            false => ".",
        }
    }

    /// The moves left the game open.
    fn open(&self, ruling: &Ruling) -> String {
        let after = self.after(self.adjudication.end);
        let is_consistent = ruling.verdict == Verdict::Consistent;
        let article = match &ruling.article {
            Some(article) => format!(" ({article})"),
            None => String::new(),
        };
        let lost = match ruling.reason {
            RuledReason::ResignationOrTime => "resigned or lost on time",
            RuledReason::Recorded(Reason::Resignation) => "resigned",
            RuledReason::Recorded(Reason::TimeForfeit) => "lost on time",
            _ => "",
        };
        let how = match (ruling.result.winner(), ruling.reason) {
            (Some(winner), _) if !lost.is_empty() => format!("{} {lost} {after}", !winner),
            (Some(winner), RuledReason::Unknown) => {
                format!("{winner} won {after}, for a reason that is not known")
            }
            (Some(winner), reason) => format!("{winner} won {after} ({reason})"),
            (None, reason) if ruling.result == ResultMark::Draw => match reason {
                RuledReason::Recorded(Reason::Agreement) => {
                    format!("The game was drawn by agreement {after}{article}")
                }
                RuledReason::End(end) => {
                    format!(
                        "The game was drawn by {} {after}{article}",
                        end.row().phrase
                    )
                }
                RuledReason::Unknown => {
                    format!("The game was drawn {after}, for a reason that is not known")
                }
                _ => format!("The game is drawn {after} ({reason}){article}"),
            },
            (None, RuledReason::Incomplete) => {
                let end = self.adjudication.end;
                let last = self.moved(end).unwrap_or("the initial position".to_owned());
                return format!("The moves can be played as far as {last}.");
            }
            (None, _) if is_consistent => {
                return format!("Nothing ended the game {after}, and no result is recorded.");
            }
            (None, _) => return format!("The moves leave the game open {after}."),
        };
        if is_consistent {
            format!("{how}; nothing on the board contradicts it.")
        } else {
            format!("By the rules: {}.", lower_start(&how))
        }
    }

    fn opportunities(&self, out: &mut Buffer, columns: Option<usize>) {
        let mut headed = false;
        for ruling in &self.adjudication.rulings {
            for run in missed_runs(self.adjudication, ruling) {
                if !headed {
                    self.heading(out, columns);
                    headed = true;
                }
                let text = format!("{}: {}", ruling.asked, self.opportunity(&run));
                wrap_if(out, &text, ["  ", "    "], columns);
            }
        }
        if headed {
            out.push(b'\n');
        }
    }

    /// `White could claim a draw by threefold repetition after 41...Kg8 (FIDE 2023 art. 9.2.2)`;
    /// `from 95.Rh5 to 119...Na4` with later plies of a run, in which either side may be to move.
    fn opportunity(&self, run: &Stretch<'_>) -> String {
        let (opportunity, last) = (run.first, run.last);
        let Opportunity { end, article, .. } = opportunity;
        let by = run.by.map_or("either side".to_owned(), |by| by.to_string());
        let mut after = self.after(opportunity.at);
        if last != opportunity.at {
            let moved = |at| self.moved(at).unwrap_or_else(|| "the beginning".to_owned());
            after = format!("from {} to {}", moved(opportunity.at), moved(last));
        }
        let could = format!("{by} could claim a draw by {} {after}", end.row().phrase);
        match (opportunity.unseen, opportunity.announced_label()) {
            (Some(unseen), _) => {
                let why = unseen.why(*end);
                format!("whether {could} ({article}) is not known: {why}")
            }
            (None, Some(announced)) => format!("{could}, announcing {announced} ({article})"),
            (None, None) => format!("{could} ({article})"),
        }
    }

    /// `after 41...Kg8`
    fn after(&self, at: PlyRef) -> String {
        match self.moved(at) {
            Some(moved) => format!("after {moved}"),
            None => "in the initial position".to_owned(),
        }
    }

    /// The move that led to a ply, in its own words: `32.Qh5`.
    fn moved(&self, at: PlyRef) -> Option<String> {
        let before = at.ply.checked_sub(1)?;
        let token = main_line(self.game.game).nth(before as usize)?;
        Some(format!("{}{}", at.number(), self.shown(token.span)))
    }

    /// Words of the game's text.
    fn shown(&self, span: Span) -> String {
        Escaped(&words(self.game.text, span)).to_string()
    }
}
