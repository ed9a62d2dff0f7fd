//! Disputed claims: real ones, and cases that distinguish rule sets and interpretations.

mod announced;
mod counting;
mod doubts;
mod flag;
mod losses;
mod on_the_board;
mod page;
mod recorded;
mod repeated_games;
mod repetition;

use arbiter::adjudication::RuleChoice;
use arbiter::chess::{Color, Position, Setup};
use arbiter::claim::{Announced, Claim, ClaimGame, ClaimKind, ClaimRuling, Ground, decide};
use arbiter::law::End;
use arbiter::replay::Reader;

use crate::corpus;

/// Moves of the example on the Brettspielnetz page, and a position in which they are legal.
const TWO_ROOKS: &str = "1r4k1/1r4p1/p6p/8/8/2Q5/5PPP/6K1 w - - 0 31";
const EXAMPLE: &str = "31. Qc4+ Kh7 32. Qd3+ Kg8 33. Qc4+ Kh7 34. Qd3+ Kg8";

/// A game of `data/outcomes/labelled_by_folder`.
fn labelled(name: &str, at: Option<u32>) -> Option<ClaimGame> {
    let text = corpus::text(&format!("outcomes/labelled_by_folder/{name}.pgn"))?;
    Some(game(&text, at))
}

/// A game given as PGN, up to a ply or to its end.
fn game(text: &str, at: Option<u32>) -> ClaimGame {
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    ClaimGame::of_game(game, text.as_bytes(), &Position::initial(), at)
        .unwrap_or_else(|fault| panic!("{fault:?} in {text}"))
}

/// A game from a FEN.
fn game_from(fen: &str, moves: &str) -> ClaimGame {
    game(&format!("[FEN \"{fen}\"]\n\n{moves} *\n"), None)
}

/// A single position.
fn fen(fen: &str) -> ClaimGame {
    let setup: Setup = fen.parse().unwrap();
    let position = Position::new(&setup).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
    ClaimGame::of_position(&setup, position)
}

/// Builder of a claim.
struct Claimed<'a> {
    case: &'a ClaimGame,
    kind: ClaimKind,
    by: Option<Color>,
    announced: Option<&'a str>,
    rules: &'a str,
    nodes: u64,
}

impl<'a> Claimed<'a> {
    fn new(case: &'a ClaimGame, kind: ClaimKind) -> Claimed<'a> {
        Claimed {
            case,
            kind,
            by: None,
            announced: None,
            rules: "fide",
            nodes: 300_000,
        }
    }

    fn by(self, by: Color) -> Claimed<'a> {
        Claimed {
            by: Some(by),
            ..self
        }
    }

    fn announcing(self, written: &'a str) -> Claimed<'a> {
        Claimed {
            announced: Some(written),
            ..self
        }
    }

    fn under(self, rules: &'a str) -> Claimed<'a> {
        Claimed { rules, ..self }
    }

    fn ruling(&self) -> ClaimRuling {
        let claim = Claim {
            kind: self.kind,
            by: self.by,
            announced: self.announced.map(Announced::new),
        };
        let rules = self.rules.parse::<RuleChoice>().unwrap().on(None);
        let compared = [
            "fide",
            "lichess",
            "chesscom",
            "engine",
            "brettspielnetz",
            "classic",
        ];
        let compared = compared.map(|name| name.parse::<RuleChoice>().unwrap());
        let ruling = decide(self.case, &claim, rules, self.nodes.into(), &compared);
        // The decision has at most eleven words more.
        let reason = &ruling.reason;
        assert!(reason.split_whitespace().count() <= 80 - 11, "{reason}");
        ruling
    }

    /// Checks the ground, and that the ruling contains every text in `says`.
    fn is(self, ground: Ground, says: &[&str]) -> ClaimRuling {
        let ruling = self.ruling();
        let said = said(&ruling);
        assert_eq!(ruling.ground, ground, "{said}");
        for part in says {
            assert!(said.contains(part), "`{part}` is not in:\n{said}");
        }
        ruling
    }
}

/// All sentences of a ruling, one per line.
fn said(ruling: &ClaimRuling) -> String {
    let mut lines = vec![
        ruling.statement.clone(),
        ruling.reason.clone(),
        ruling.article.to_string(),
    ];
    lines.extend(ruling.details.iter().cloned());
    lines.extend(ruling.follows.iter().cloned());
    lines.extend(ruling.otherwise.iter().cloned());
    lines.join("\n")
}

fn threefold(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Draw(End::Threefold))
}

fn fifty(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Draw(End::FiftyMoves))
}
