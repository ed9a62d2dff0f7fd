//! Findings about variations and notation. Runs only on games that the reader or the replay
//! flagged.

use crate::chess::{MoveNumber, Position};
use crate::findings::finding::Findings;
use crate::findings::move_numbers::MoveNumberCheck;
use crate::findings::moves::{NotationCheck, other_letters};
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::{AtMove, Checks, Finding, moves, repairs, shown};
use crate::pgn::{Game, GapItem, Span, Token, gap_items};
use crate::replay::{Event, Ply, StopReason, Unread, Walk};

/// Whether the game must be walked.
#[inline]
pub(crate) fn is_due(game: &Game, start: &Position, checks: &Checks) -> bool {
    game.hints.lenient
        || game.hints.variations && !checks.mainline_only
        || game.letters.is_some()
        || MoveNumberCheck::may_be_wrong(game, start)
}

/// Walks through a game. Returns the unreadable words in variations, with their moves.
#[cold]
pub(crate) fn closely(played: &PlayedGame<'_>, findings: &mut Findings<'_>) -> Vec<(Span, AtMove)> {
    let PlayedGame { game, text, .. } = *played;
    let checks = findings.checks;
    findings.extend(other_letters(game, text));
    let numbers_count = checks.looks_at_all || MoveNumberCheck::may_be_wrong(game, &played.start);
    let mut check = GameWalk {
        text,
        notation: NotationCheck::new(game, text, checks),
        numbers: numbers_count.then(|| MoveNumberCheck::new(game, text, checks)),
        began: Vec::new(),
        unread: Vec::new(),
        is_whole: !checks.mainline_only || !game.hints.variations,
    };
    let mut walk = Walk::new(game, played.start.clone()).with_null_moves(checks.null_moves);
    let mut stopped = false;
    while let Some(event) = walk.next() {
        stopped |= matches!(event, Event::Stop(_)) && walk.depth() == 0;
        let of_variation = walk.depth() > 0 || matches!(event, Event::End(_) | Event::Unread(..));
        if !checks.mainline_only || !of_variation {
            check.event(&event, &walk, findings);
        }
    }
    if !stopped && let Some(numbers) = &mut check.numbers {
        numbers.at_end(MoveNumber::of(walk.position()), findings);
    }
    let letters = check.notation.finish(findings);
    if check.is_whole {
        let numbers = check.numbers.map_or_else(Vec::new, |numbers| numbers.edits);
        repairs::add_to(findings.list(), &codes::WRONG_MOVE_NUMBER, numbers);
        repairs::add_to(findings.list(), &codes::OTHER_PIECE_LETTERS, letters);
    }
    check.unread
}

struct GameWalk<'a> {
    text: &'a [u8],
    notation: NotationCheck<'a>,
    numbers: Option<MoveNumberCheck<'a>>,
    /// For each open variation its `(`, and whether there is something in it, and a move.
    began: Vec<(Token, bool, bool)>,
    unread: Vec<(Span, AtMove)>,
    /// Whether all lines have been played to their ends.
    is_whole: bool,
}

impl GameWalk<'_> {
    fn event(&mut self, event: &Event, walk: &Walk<'_>, findings: &mut Findings<'_>) {
        let in_variation = walk.depth() > 0;
        self.is_whole &= !matches!(event, Event::Stop(_) | Event::Unread(..));
        if let Event::Ply(_) | Event::Pass { .. } | Event::Stop(_) = event
            && let Some((.., moved)) = self.began.last_mut()
        {
            *moved = true;
        }
        match event {
            Event::Ply(ply) => self.ply(ply, walk, findings),
            Event::Pass { number, token } => {
                let Some(before) = walk.before() else { return };
                self.numbered(token, before, findings);
                let at = AtMove::new(*number, token.span.of(self.text), before);
                findings.push(self.pass(token, at, in_variation));
            }
            Event::Begin(token) => {
                self.began.push((*token, !walk.begins_empty(), false));
                if let Some(numbers) = &mut self.numbers {
                    numbers.begin_variation();
                }
            }
            Event::End(token) => {
                if let Some((open, has_words, false)) = self.began.pop() {
                    self.empty((open.span, token.span), has_words, in_variation, findings);
                }
                if let Some(numbers) = &mut self.numbers {
                    numbers.end_variation();
                }
            }
            Event::Stop(stop) => {
                self.numbered(&stop.token, walk.position(), findings);
                // The main line's is reported in any case.
                if !in_variation {
                    return;
                }
                let at = || AtMove::new(stop.ply, stop.token.span.of(self.text), walk.position());
                match stop.reason {
                    StopReason::Unreadable if self.unread.len() < MOST_UNREAD => {
                        self.unread.push((stop.token.span, at()));
                    }
                    StopReason::Unreadable => {}
                    StopReason::Illegal(..) => {
                        let help = "the rest of the variation is not checked";
                        let finding = moves::stop(stop, at(), self.text);
                        findings.extend(finding.map(|one| one.in_variation(true).help(help)));
                    }
                }
            }
            Event::Unread(token, why) => {
                let finding = unread(token.span, *why).in_variation(in_variation);
                findings.push(finding);
            }
        }
    }

    fn ply(&mut self, ply: &Ply, walk: &Walk<'_>, findings: &mut Findings<'_>) {
        let Some(before) = walk.before() else { return };
        let in_variation = walk.depth() > 0;
        self.numbered(&ply.token, before, findings);
        if let Some(illegal) = walk.last_illegal() {
            let at = AtMove::new(ply.number, ply.token.span.of(self.text), before);
            let help = "it stood, since the opponent answered it (FIDE A.5.2, B.4)";
            let finding = moves::stop(illegal, at, self.text);
            return findings.extend(finding.map(|one| one.help(help)));
        }
        self.notation
            .ply(ply, before, walk.position(), in_variation, findings);
    }

    fn numbered(&mut self, token: &Token, position: &Position, findings: &mut Findings<'_>) {
        if let Some(numbers) = &mut self.numbers {
            numbers.before(token, MoveNumber::of(position), findings);
        }
    }

    fn pass(&self, token: &Token, at: AtMove, in_variation: bool) -> Finding {
        let word = shown(token.span.of(self.text));
        let message = format!("`{word}` is a null move");
        let finding = Finding::new(&codes::PASSED_NULL_MOVE, token.span, message).at(at);
        if in_variation {
            return finding.in_variation(true);
        }
        finding.help("the rest of the game is not legal play")
    }

    /// Reports a variation without moves, which may be a draw offer.
    fn empty(
        &self,
        (open, close): (Span, Span),
        has_words: bool,
        in_variation: bool,
        findings: &mut Findings<'_>,
    ) {
        let span = Span::new(open.start as usize, close.end as usize);
        if span.of(self.text) == b"(=)" {
            let message = "`(=)` marks a draw offer on scoresheets, not in PGN";
            let finding = Finding::new(&codes::DRAW_OFFER_SIGN, span, message);
            findings.push(finding.in_variation(in_variation));
            return;
        }
        // They have been reported as unreadable.
        if has_words {
            return;
        }
        let inside = Span::new(open.end as usize, close.start as usize);
        let says = gap_items(self.text, inside).any(|one| matches!(one, GapItem::Comment(_)));
        let finding = Finding::new(&codes::EMPTY_VARIATION, open, "the variation has no moves");
        let finding = finding.in_variation(in_variation);
        findings.push(if says {
            finding.help("write a comment without parentheses")
        } else {
            finding
        });
    }
}

/// Maximum number of unreadable words in variations that are kept with their moves; the reader
/// lists no more of them.
const MOST_UNREAD: usize = 1_000;

/// The finding about a variation that is skipped.
pub fn unread(open: Span, why: Unread) -> Finding {
    let finding = match why {
        Unread::ReplacesNothing => {
            let message = "the variation has no move before it to replace";
            Finding::new(&codes::VARIATION_WITHOUT_MOVE, open, message)
        }
        Unread::TooDeep => {
            let message = format!("the variation is nested more than {} deep", Walk::DEEPEST);
            Finding::new(&codes::DEEP_VARIATION, open, message)
        }
    };
    finding.help("it is not checked")
}
