//! The announced move in the game: legal, played already, or neither.

use crate::adjudication::ruling::list;
use crate::chess::{Color, Move};
use crate::commands::adjudicate::claim::Claim;
use crate::commands::adjudicate::claim::announced::{Announced, Reading};
use crate::commands::adjudicate::claim::game::{ClaimGame, named, ply_before};
use crate::commands::adjudicate::phrases::side_possessive;
use crate::law::claim::Announcement;
use crate::notation::LetterSet;

/// The move announced with a claim.
pub(crate) enum AnnouncedMove {
    /// None.
    Nothing,
    /// A legal move.
    Legal {
        mv: Move,
        /// The move with its number, such as `35.Qc4+`.
        name: String,
        /// The letters it was written in, if they are not the English ones.
        letters: Option<&'static LetterSet>,
    },
    /// A move that has been played already, as this ply.
    Played(u32),
    /// A move that is not legal now, and why.
    Illegal(String),
    /// It is not known which move is meant, and why.
    Unclear(String),
}

impl AnnouncedMove {
    /// The announcement as the law sees it.
    pub(crate) fn announcement(&self) -> Announcement {
        match *self {
            AnnouncedMove::Nothing => Announcement::Nothing,
            AnnouncedMove::Legal { mv, .. } => Announcement::Legal(mv),
            AnnouncedMove::Played(ply) => Announcement::Played(ply),
            AnnouncedMove::Illegal(_) => Announcement::Illegal,
            AnnouncedMove::Unclear(_) => Announcement::Unclear,
        }
    }

    /// The claimant; unless named, the side whose move is announced, or the side to move.
    pub(crate) fn claimant(&self, game: &ClaimGame, claim: &Claim) -> Color {
        let record = game.record();
        claim.by.unwrap_or(match *self {
            AnnouncedMove::Played(ply) => record.at(ply - 1).turn,
            _ => record.at(record.plies()).turn,
        })
    }
}

/// Finds the announced move in the game.
pub(crate) fn find(game: &ClaimGame, claim: &Claim) -> AnnouncedMove {
    let Some(announced) = &claim.announced else {
        return AnnouncedMove::Nothing;
    };
    let record = game.record();
    let position = game.last();
    let turn = position.turn();
    let fits = announced
        .number
        .is_none_or(|number| number == position.fullmoves())
        && announced.color.is_none_or(|color| color == turn);
    if !fits {
        let played = match announced.color {
            Some(color) => vec![color],
            None => Color::ALL.to_vec(),
        }
        .into_iter()
        .filter_map(|color| ply_before(record, announced.number?, color))
        .find(|&ply| is_played(game, ply, announced));
        return match played {
            Some(ply) => AnnouncedMove::Played(ply + 1),
            None => AnnouncedMove::Illegal(format!(
                "`{}` is not the coming move: it is {} turn, and move {}.",
                announced.written,
                side_possessive(turn),
                position.fullmoves()
            )),
        };
    }
    let has_been_played = record.plies().checked_sub(1).is_some_and(|ply| {
        let before = record.at(ply);
        let may_be = announced
            .number
            .is_none_or(|number| number == before.fullmoves)
            && announced.color.is_none_or(|color| color == before.turn);
        may_be && is_played(game, ply, announced)
    });
    // `35.` with one dot is White's move.
    let by = claim.by;
    let is_meant =
        by == Some(!turn) || by.is_none() && announced.number.is_some() && turn == Color::Black;
    if has_been_played && is_meant {
        return AnnouncedMove::Played(record.plies());
    }
    let written = &announced.written;
    let why = match announced.read(&position) {
        Reading::Legal { mv, letters } => {
            return AnnouncedMove::Legal {
                mv,
                name: named(&position, mv),
                letters,
            };
        }
        _ if has_been_played => return AnnouncedMove::Played(record.plies()),
        Reading::Illegal(error) => {
            return AnnouncedMove::Illegal(format!(
                "The announced move `{written}` is not legal: {error}."
            ));
        }
        Reading::Several(moves) => {
            let readings: Vec<_> = moves
                .iter()
                .map(|&(mv, letters)| format!("{} in {}", named(&position, mv), letters.name()))
                .collect();
            let what = match readings.len() {
                1 => "is not legal in English letters, and a move in others",
                _ => "is a different move in different languages",
            };
            format!("{what}: {}", readings.join(", "))
        }
        Reading::Ambiguous { role, to, from } => {
            let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
            let all = if squares.len() == 2 { "both" } else { "all" };
            format!(
                "is ambiguous: the {role}s on {} can {all} go to {to}",
                list(&squares)
            )
        }
        Reading::Incomplete(error) => format!("is incomplete: {error}"),
        Reading::NoMove => "is not a move".to_owned(),
    };
    AnnouncedMove::Unclear(format!("The announced move `{written}` {why}."))
}

/// Whether the announced move is the one that has been played after a ply.
fn is_played(game: &ClaimGame, ply: u32, announced: &Announced) -> bool {
    let record = game.record();
    match announced.read(&record.after(ply)) {
        Reading::Legal { mv, .. } => record.played(ply + 1) == Some(mv),
        _ => false,
    }
}
