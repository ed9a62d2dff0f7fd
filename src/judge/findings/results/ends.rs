//! Ends that come by themselves while moves can still be made: the dead position (FIDE Laws 2023 art. 5.2.2), the fifth
//! occurrence of a position (9.6.1), and 75 moves by each side without capture or pawn move (9.6.2).

use super::{Played, at_move, centre, codes, main_line, material, recorded};
use crate::judge::findings::tags::Date;
use crate::judge::findings::{Finding, Rule, label, shown};
use crate::pgn::{Game, ResultMark, TagName, Token};
use crate::replay::Replay;
use crate::rules::{Color, Position, Repetitions};

/// Plies without capture or pawn move after which a game is drawn.
const SEVENTY_FIVE_MOVES: u32 = 150;

/// Watches a game while it is replayed, for signs that a position may have occurred five times, or that 75 moves may have
/// been made without a capture or pawn move. Most games show neither; the others are replayed once more.
pub(in crate::judge::findings) struct Watch {
    /// How many positions had a key of each kind.
    counts: [u8; KINDS],
    /// The largest count.
    most: u8,
    /// The longest run of plies without capture or pawn move.
    longest: u32,
}

/// With so many kinds of keys, four of the 40 positions that are counted in a long game fall together by chance in one
/// game of ten thousand.
const KINDS: usize = 1024;

impl Watch {
    /// Begins with the position before the first move.
    pub(in crate::judge::findings) fn new(start: &Position) -> Watch {
        let mut watch = Watch {
            counts: [0; KINDS],
            most: 0,
            longest: 0,
        };
        watch.see(start);
        watch
    }

    /// Looks at the position after a move.
    ///
    /// Between two occurrences of a position lie four plies at least. Of five occurrences four are therefore later than the
    /// third ply of their run, and these alone are counted.
    #[inline(always)]
    pub(in crate::judge::findings) fn see(&mut self, position: &Position) {
        let run = position.halfmoves();
        if run >= 4 {
            let count = &mut self.counts[position.key() as usize % KINDS];
            *count = count.saturating_add(1);
            self.most = self.most.max(*count);
            self.longest = self.longest.max(run);
        }
    }

    /// Whether the game must be looked at again.
    #[inline]
    pub(super) fn has_seen_enough(&self) -> bool {
        self.most >= 4 || self.longest >= SEVENTY_FIVE_MOVES
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Dead,
    Fivefold,
    SeventyFive,
}

/// An end, and where it came.
#[derive(Clone, Debug)]
struct Reached {
    end: End,
    /// After how many plies.
    ply: u32,
    position: Position,
    /// Number and notation of the move that led to it.
    by: Option<String>,
    /// Whether the occurrences followed each other without others between, as they had to before July 2017.
    consecutive: bool,
}

/// Every end that a game came to, and what was recorded in spite of it.
#[cold]
pub(super) fn check(game: &Game, text: &[u8], played: &Played<'_>, findings: &mut Vec<Finding>) {
    let date = game
        .known(TagName::Date)
        .and_then(|tag| Date::of(&tag.unescape(text)))
        .unwrap_or_default();
    // Articles 9.6.1 and 9.6.2 came into force then.
    let before_automatic_draws = date.may_be_before(2014, 7, 1);
    for reached in reached(game, text, played.start) {
        if reached.end != End::Dead && before_automatic_draws {
            continue;
        }
        match main_line(game).nth(reached.ply as usize) {
            Some(next) => findings.push(played_on(game, &reached, next, text, date)),
            None => findings.extend(against_draw(game, text, &reached)),
        }
        if reached.end == End::Dead && played.plies > reached.ply {
            findings.extend(against_draw(game, text, &reached));
        }
    }
}

/// The first time of each end.
fn reached(game: &Game, text: &[u8], start: &Position) -> Vec<Reached> {
    let mut replay = Replay::new(game, start.clone());
    let mut repetitions = Repetitions::new(start);
    let mut keys = vec![start.key()];
    let mut found: Vec<Reached> = Vec::new();
    let mut last = None;
    loop {
        let position = replay.position();
        for end in [End::Dead, End::Fivefold, End::SeventyFive] {
            let holds = match end {
                End::Dead => material::is_dead(position.board()),
                End::Fivefold => position.halfmoves() >= 16 && repetitions.count() >= 5,
                End::SeventyFive => {
                    position.halfmoves() >= SEVENTY_FIVE_MOVES && !position.is_checkmate()
                }
            };
            if holds && !found.iter().any(|reached| reached.end == end) {
                let newest = keys.len() - 1;
                found.push(Reached {
                    end,
                    ply: replay.plies(),
                    position: position.clone(),
                    by: last.map(|(turn, number, token): (Color, u32, Token)| {
                        let dots = if turn == Color::White { "." } else { "..." };
                        format!("{number}{dots}{}", shown(token.span.of(text)))
                    }),
                    consecutive: newest >= 16
                        && (1..5).all(|nth| keys[newest - 4 * nth] == keys[newest]),
                });
            }
        }
        let (turn, number) = (position.turn(), position.fullmoves());
        let Some(ply) = replay.play() else {
            return found;
        };
        last = Some((turn, number, ply.token));
        repetitions.push(replay.position());
        keys.push(replay.position().key());
    }
}

impl Reached {
    /// `the game was drawn with 85.Rf6: the position had occurred five times`
    fn sentence(&self) -> String {
        let with = match &self.by {
            Some(by) => format!("with {by}"),
            None => "from the beginning".to_owned(),
        };
        let why = match self.end {
            End::Dead => format!(
                "neither side could mate any more, {}",
                material::in_words(self.position.board())
            ),
            End::Fivefold => "the position had occurred five times".to_owned(),
            End::SeventyFive => {
                "each side had made 75 moves without capture or pawn move".to_owned()
            }
        };
        format!("the game was drawn {with}: {why}")
    }

    fn article(&self) -> &'static str {
        match self.end {
            End::Dead => "5.2.2",
            End::Fivefold => "9.6.1",
            End::SeventyFive => "9.6.2",
        }
    }
}

/// Moves after the end.
fn played_on(game: &Game, reached: &Reached, next: &Token, text: &[u8], date: Date) -> Finding {
    let rule: &'static Rule = match reached.end {
        End::Dead => &codes::MOVE_AFTER_DEAD_POSITION,
        End::Fivefold => &codes::MOVE_AFTER_FIVEFOLD,
        End::SeventyFive => &codes::MOVE_AFTER_SEVENTY_FIVE,
    };
    let word = label(&reached.position, &shown(next.span.of(text)));
    let article = reached.article();
    let help = if let (Some(square), Some(by)) = (centre::is_signal(game, reached.ply), &reached.by)
    {
        format!("{}: cut after {by}", centre::purpose(square))
    } else if reached.end == End::Fivefold && !reached.consecutive && date.may_be_before(2017, 7, 1)
    {
        "until July 2017 the five occurrences had to follow each other without others between"
            .to_owned()
    } else {
        format!("FIDE Laws (2023) art. {article}; a result that both players signed stands (8.7)")
    };
    let message = format!("play goes on with {word}, but {}", reached.sentence());
    Finding::new(rule, next.span, message)
        .help(help)
        .at(at_move(reached.ply + 1, next, text, &reached.position))
}

/// A win on record where the game ended in a draw by itself.
fn against_draw(game: &Game, text: &[u8], reached: &Reached) -> Option<Finding> {
    let (mark, span) = recorded(game, text)
        .find(|(mark, _)| matches!(mark, ResultMark::White | ResultMark::Black))?;
    Some(
        Finding::new(
            &codes::RESULT_AGAINST_DRAW,
            span,
            format!("the result is `{mark}`, but {}", reached.sentence()),
        )
        .help(format!("FIDE Laws (2023) art. {}", reached.article())),
    )
}
