//! Ends that come automatically while moves can still be made, and results that cannot be: judged
//! as `adjudicate --rules auto` judges them, on the few games that may have such an end.

use crate::adjudication::{Adjudicator, RuleChoice, RuledReason, Ruling, Verdict};
use crate::chess::{Board, Color, Position, Role};
use crate::findings::finding::Findings;
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::results::recorded;
use crate::findings::{AtMove, Finding};
use crate::law::rulesets::{Condition, FlagFall, MaterialSet, minors};
use crate::law::{End, Repetitions, Standing};
use crate::pgn::termination::{Reason, is_sentence_tag};
use crate::pgn::{Game, ResultMark, TagName, Termination, Token, TokenKind};
use crate::replay::main_line;
use crate::winnability::{Solver, Winnability};

/// Nodes for the question who can still mate. Walls of pawns and forced moves need fewer;
/// `adjudicate` searches further.
const NODES: u64 = 10_000;

/// Whether the last position is the first that stands for the third time.
fn third_is_last(repetitions: &Repetitions) -> bool {
    repetitions.count() == 3 && repetitions.repeated().filter(|&count| count >= 3).count() == 1
}

/// Whether the last position stands for the third time, whatever is taken for the same position:
/// rule sets differ on en passant, which may be possible only directly after a pawn move.
fn ends_with_third(repetitions: &Repetitions) -> bool {
    let first_of_run = repetitions.keys().nth(repetitions.run_start());
    third_is_last(repetitions) && first_of_run != repetitions.keys().next_back()
}

/// Reports an end that the rules of the game contradict. Returns whether mate or stalemate is on
/// the board although the game was over before.
#[cold]
pub(crate) fn check(played: &PlayedGame<'_>, findings: &mut Findings<'_>) -> bool {
    let PlayedGame { game, text, .. } = *played;
    let (rules, _) = RuleChoice::Auto.for_game(game, text);
    let Ok(adjudication) = Adjudicator::new(&[rules], NODES).adjudicate(game, text) else {
        return false;
    };
    let Some(ruling) = adjudication.rulings.first() else {
        return false;
    };
    let (RuledReason::End(end), Some(when)) = (ruling.reason, ruling.ended) else {
        findings.extend(against_record(game, text, ruling));
        return false;
    };
    let Some(moves_after) = moves_after(end) else {
        return false;
    };
    let reached = Reached {
        end,
        ply: when.ply,
        position: played.position_after(when.ply),
        by: played.label(when.ply),
        ruling,
    };
    let next = main_line(game).nth(when.ply as usize);
    if let Some(next) = next.filter(|_| ruling.played_on) {
        findings.push(reached.played_on(moves_after, next, text));
    }
    let is_dead = matches!(end, End::DeadPosition | End::InsufficientMaterial);
    if is_dead || !ruling.played_on {
        findings.extend(reached.against_draw(game, text));
    }
    played.ending.is_some() && !ruling.played_on
}

/// The finding about moves after an end. After mate and stalemate there are none, and a move is
/// illegal.
fn moves_after(end: End) -> Option<&'static Rule> {
    Some(match end {
        End::Fivefold => &codes::MOVE_AFTER_FIVEFOLD,
        End::SeventyFiveMoves => &codes::MOVE_AFTER_SEVENTY_FIVE,
        End::Threefold => &codes::MOVE_AFTER_THREEFOLD,
        End::FiftyMoves => &codes::MOVE_AFTER_FIFTY,
        End::DeadPosition => &codes::MOVE_AFTER_PROVEN_DEAD_POSITION,
        End::InsufficientMaterial => &codes::MOVE_AFTER_DEAD_POSITION,
        _ => return None,
    })
}

/// Whether a game has to be judged: an automatic end by the rules it was played by, or a record
/// that these refute, is possible.
#[inline]
pub(crate) fn is_due(played: &PlayedGame<'_>) -> bool {
    let repetitions = played.repetitions;
    let most = repetitions.repeated().max().unwrap_or(1);
    let longest = repetitions.longest();
    let board = played.end.board();
    let may_refute_record =
        || says_more_than_a_result(played.game, played.text) && reason_may_be_wrong(played);
    MaterialSet::has_only_minors(board)
        || most >= 4
        || longest >= 150
        || (most >= 3 || longest >= 100) && may_end_early(played)
        || played.ending == Some(End::Stalemate)
        || played.ending.is_none() && (may_be_helpless(played) || may_refute_record())
}

/// Whether a draw that elsewhere has to be claimed may have come automatically, and is not what was
/// recorded.
#[cold]
fn may_end_early(played: &PlayedGame<'_>) -> bool {
    let PlayedGame { game, text, .. } = *played;
    let repetitions = played.repetitions;
    let is_recorded = || recorded(game, text).all(|(mark, _)| mark == ResultMark::Draw);
    let has_third = repetitions.repeated().any(|count| count >= 3);
    let may_have_third = has_third && !(third_is_last(repetitions) && is_recorded());
    let may_have_fifty = repetitions.longest() >= 100;
    if !may_have_third && !may_have_fifty {
        return false;
    }
    let (rules, _) = RuleChoice::Auto.for_game(game, text);
    let is_automatic = |end| rules.standing(end) == Standing::Automatic;
    may_have_fifty && is_automatic(End::FiftyMoves)
        || may_have_third && is_automatic(End::Threefold)
}

/// Whether neither side can mate in the last position, or not the recorded winner.
#[inline]
fn may_be_helpless(played: &PlayedGame<'_>) -> bool {
    let board = played.end.board();
    let recorded = played.game.recorded_result(played.text).ok().flatten();
    let winner = recorded.and_then(ResultMark::winner);
    // Queens and rooks are shut in for good in compositions only.
    let may_be = board.orthogonal_sliders().is_empty()
        || board.occupied().count() <= FEW_PIECES
        || winner.is_some_and(|winner| minors(board, winner).is_some());
    may_be && is_helpless(&played.end, winner)
}

/// A board with so few pieces may be dead although a queen or a rook is on it: the next captures
/// are forced.
const FEW_PIECES: usize = 6;

#[cold]
fn is_helpless(position: &Position, winner: Option<Color>) -> bool {
    let mut solver = Solver::new(NODES);
    let mut cannot = |side| matches!(solver.can_win(position, side), Winnability::Unwinnable(_));
    match winner {
        Some(winner) => cannot(winner),
        None => Color::ALL.into_iter().all(cannot),
    }
}

/// Whether a tag or a closing comment may give a reason for the result.
#[inline]
fn says_more_than_a_result(game: &Game, text: &[u8]) -> bool {
    let by_tag = game.known(TagName::Termination).is_some_and(|tag| {
        let value = tag.value.of(text);
        !PLAIN.iter().any(|plain| value.eq_ignore_ascii_case(plain))
    });
    let by_sentence = || {
        let mut unknown = game.tags.iter().filter(|tag| tag.known.is_none());
        unknown.any(|tag| is_sentence_tag(tag.name.of(text)))
    };
    by_tag || by_sentence() || has_closing_sentence(game, text)
}

/// Values of the Termination tag that refute no result.
const PLAIN: [&[u8]; 7] = [
    b"normal",
    b"?",
    b"",
    b"-",
    b"adjudication",
    b"unterminated",
    b"abandoned",
];

/// Whether words other than an embedded command stand in a comment after the last move.
#[inline]
fn has_closing_sentence(game: &Game, text: &[u8]) -> bool {
    let mut tokens = game.tokens.iter().rev();
    let last = tokens.find(|token| !matches!(token.kind, TokenKind::Result(_)));
    let from = last.map_or(game.movetext, |token| token.span.end as usize);
    let until = game
        .result
        .map_or(text.len(), |(_, span)| span.start as usize);
    let tail = text[from..until.max(from)].trim_ascii();
    let inner = tail.strip_suffix(b"}").map(<[u8]>::trim_ascii_end);
    inner.is_some_and(|inner| !inner.ends_with(b"]"))
}

#[cold]
fn reason_may_be_wrong(played: &PlayedGame<'_>) -> bool {
    let PlayedGame { game, text, .. } = *played;
    let repetitions = played.repetitions;
    let said = Termination::of(game, text);
    let Some((said, reason)) = said.and_then(|said| Some((said, said.reason?))) else {
        return false;
    };
    let recorded = game.recorded_result(text).ok().flatten();
    let is_drawn = recorded == Some(ResultMark::Draw);
    match reason {
        Reason::Agreement => !is_drawn,
        Reason::Checkmate => true,
        Reason::TimeForfeit | Reason::Resignation | Reason::IllegalMove if is_drawn => true,
        Reason::ThreefoldRepetition if is_drawn => !ends_with_third(repetitions),
        reason if reason.is_draw() => true,
        _ => said
            .implied_result()
            .is_some_and(|implied| Some(implied) != recorded),
    }
}

/// A record that the rules refute, where the moves leave the game open.
fn against_record(game: &Game, text: &[u8], ruling: &Ruling) -> Option<Finding> {
    if ruling.verdict != Verdict::Contradiction {
        return None;
    }
    let because = ruling.because.as_deref()?;
    let (mark, span) = recorded(game, text).next()?;
    let is_win = matches!(mark, ResultMark::White | ResultMark::Black);
    if is_win && ruling.result == ResultMark::Draw && ruling.line.is_none() {
        let help = match &ruling.article {
            Some(article) => format!("{article}; arbiters may decide so for other reasons"),
            None => "arbiters may decide so for other reasons".to_owned(),
        };
        let message = format!("the result is `{mark}`, but {because}");
        return Some(Finding::new(&codes::BARE_WINNER, span, message).help(help));
    }
    let (message, _) = because.split_once(": ").unwrap_or((because, ""));
    let message = format!("the recorded reason is wrong: {message}");
    Some(
        Finding::new(&codes::RECORD_AGAINST_RULES, span, message)
            .help("for details, run `arbiter adjudicate --rules auto`"),
    )
}

/// An automatic end that leaves moves to be made.
struct Reached<'a> {
    end: End,
    /// After how many plies.
    ply: u32,
    position: Position,
    /// Number and notation of the move that led to it.
    by: Option<String>,
    ruling: &'a Ruling,
}

impl Reached<'_> {
    /// `the game was drawn with 85.Rf6: the position had occurred five times`
    fn sentence(&self) -> String {
        let with = match &self.by {
            Some(by) => format!("with {by}"),
            None => "from the beginning".to_owned(),
        };
        let moves = |number: u32| {
            let by_fen = if self.ply < 2 * number {
                ", by the clock of the FEN"
            } else {
                ""
            };
            format!("each side had made {number} moves without capture or pawn move{by_fen}")
        };
        let board = self.position.board();
        let why = match self.end.condition() {
            Condition::Occurrences(3) => "the position had occurred three times".to_owned(),
            Condition::Occurrences(5) => "the position had occurred five times".to_owned(),
            Condition::Occurrences(count) => format!("the position had occurred {count} times"),
            Condition::Halfmoves(limit) => moves(limit / 2),
            _ if MaterialSet::Exact.holds(board) => {
                format!("neither side could mate any more, {}", in_words(board))
            }
            _ if MaterialSet::has_only_minors(board) => {
                let title = self.ruling.rules.title;
                format!("{} ends the game by the rules of {title}", in_words(board))
            }
            _ => "neither side could mate any more by any series of legal moves".to_owned(),
        };
        format!("the game was drawn {with}: {why}")
    }

    fn article(&self) -> &str {
        let article = self.ruling.article.as_deref();
        article.unwrap_or(self.ruling.rules.title)
    }

    /// Moves after the end.
    fn played_on(&self, rule: &'static Rule, next: &Token, text: &[u8]) -> Finding {
        let at = AtMove::new(self.ply + 1, next.span.of(text), &self.position);
        let help = match self.ruling.rules.flag {
            FlagFall::Helpmate => format!(
                "{}; a result that both players signed stands (8.7)",
                self.article()
            ),
            _ => format!("by the rules of {}", self.ruling.rules.title),
        };
        let message = format!("play goes on with {}, but {}", at.label, self.sentence());
        Finding::new(rule, next.span, message).help(help).at(at)
    }

    /// A win on record where the game ended in a draw automatically.
    fn against_draw(&self, game: &Game, text: &[u8]) -> Option<Finding> {
        if self.ruling.verdict != Verdict::Contradiction {
            return None;
        }
        let (mark, span) = recorded(game, text)
            .find(|(mark, _)| matches!(mark, ResultMark::White | ResultMark::Black))?;
        let message = format!("the result is `{mark}`, but {}", self.sentence());
        Some(Finding::new(&codes::RESULT_AGAINST_DRAW, span, message).help(self.article()))
    }
}

/// The pieces of a position without queens, rooks and pawns: `king and bishop against king`.
fn in_words(board: &Board) -> String {
    let side = |color| {
        let mut words = vec!["king"];
        for (role, word) in [(Role::Bishop, "bishop"), (Role::Knight, "knight")] {
            words.extend((0..board.of(color, role).count()).map(|_| word));
        }
        words.join(" and ")
    };
    format!("{} against {}", side(Color::White), side(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen;

    #[test]
    fn both_sides_are_reported() {
        let board = |placement: &str| {
            fen::parse(format!("{placement} w - - 0 1").as_bytes())
                .unwrap()
                .board
        };
        assert_eq!(
            in_words(&board("2b1k3/8/8/8/8/8/4B3/4KB2")),
            "king and bishop and bishop against king and bishop"
        );
        assert_eq!(
            in_words(&board("4k3/8/8/8/8/8/8/4KN2")),
            "king and knight against king"
        );
    }
}
