//! Disputed claims: real ones, and cases that distinguish rule sets and interpretations.

mod counting;
mod flag;
mod on_the_board;
mod repetition;

use arbiter::adjudication::RuleChoice;
use arbiter::chess::{Color, Position, Setup};
use arbiter::commands::adjudicate::claim::{
    Announced, Claim, ClaimGame, ClaimKind, ClaimRuling, Ground, decide,
};
use arbiter::law::End;
use arbiter::replay::Reader;

use crate::corpus;

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
        let rules = self.rules.parse::<RuleChoice>().unwrap().without_game();
        let compared = [
            "fide",
            "lichess",
            "chesscom",
            "engine",
            "brettspielnetz",
            "classic",
        ];
        let compared = compared.map(|name| name.parse::<RuleChoice>().unwrap());
        decide(self.case, &claim, rules, self.nodes.into(), &compared)
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

#[test]
fn a_claim_is_about_a_whole_game() {
    use crate::arbiter_command::run_with_stdin;

    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let claim = |text: &str, more: &[&str]| {
        let words = [&["adjudicate", "-q", "--claim", "threefold"], more].concat();
        run_with_stdin(&words, text.into())
    };
    assert_eq!(claim(&format!("{moves} *"), &[]).code, Some(0));
    let comment = format!("{moves} {{claimed here 5. e4 e5 1/2-1/2");
    let variation = format!("{moves} (4... e5 5. e4 1/2-1/2");
    let mated = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# Ke7 1-0";
    for (text, says) in [
        (&*comment, "for 8 plies only, the comment is not closed;"),
        (&variation, "for 8 plies only, the variation is not closed;"),
        (
            mated,
            "for 7 plies only, `Ke7` cannot be played: the game ended by checkmate with 4.Qxf7#;",
        ),
        (
            "1. e4 e5 foo bar baz quux",
            "game 1: the text is not PGN: it has no tag pair",
        ),
    ] {
        let ran = claim(text, &[]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    assert_eq!(claim(&comment, &["--at", "8"]).code, Some(0));
    // Other text is no second game.
    let with_words = format!("[White \"A\"]\n\n{moves} *\n\nHello there friends\n");
    assert_eq!(claim(&with_words, &[]).code, Some(0));
    for announced in ["f6-g8", "ng8", "Ng8.", "...Ng8", "Nf6-g8"] {
        let text = moves.strip_suffix("Ng8").unwrap();
        let ran = claim(&format!("{text}*"), &["--move", announced]);
        assert_eq!(ran.code, Some(0), "{announced}: {ran:?}");
    }
}
