//! Batch labels and `--claim` agree under every rule set.

use arbiter::claim::{Announced, Claim, ClaimGame, ClaimKind, decide};
use arbiter::law::claim::{Announcement, ClaimFacts, ClaimOutcome, Decision, Ground};
use arbiter::law::rulesets::RULE_SETS;
use arbiter::law::{Facts, Loss, Opportunity, Prospects};
use arbiter::notation::LetterSet;
use rayon::prelude::*;
use std::cell::RefCell;

use crate::arbiter_command::run_with_stdin;

use super::*;

/// Node limit of each search; small, because most games need none.
const NODES: u64 = 20_000;

/// One game in this many is claimed at every ply.
const EVERY_PLY: usize = 40;

/// Maximum number of opportunities of a game claimed under one rule set.
const MOST_OPPORTUNITIES: usize = 6;

/// Files with many claimable games; more than 5,000 games in total.
const FILES: [&str; 5] = [
    "outcomes/threefold_engine_games",
    "outcomes/fics_ending_in_comment.pgn",
    "bulk/chesscom_no_blank_lines.pgn",
    "bulk/chesscom.pgn",
    "outcomes/labelled_by_folder/realGames",
];

/// Draws by counting, each claimed on the board as it stands.
const COUNTED: [End; 2] = [End::Threefold, End::FiftyMoves];

/// A game with its adjudication under each rule set.
struct Judged {
    text: Vec<u8>,
    game: ClaimGame,
    adjudications: Vec<Adjudication>,
}

impl Judged {
    fn new(text: &[u8]) -> Option<Judged> {
        let mut reader = Reader::new();
        let game = reader.read(text, None);
        let at = |at| ClaimGame::of_game(game, text, &Position::initial(), at).ok();
        let adjudications: Vec<Adjudication> = RULE_SETS
            .chunks(2)
            .map(|rules| Adjudicator::new(rules, NODES).adjudicate(game, text).ok())
            .collect::<Option<_>>()?;
        Some(Judged {
            text: text.to_vec(),
            game: at(Some(adjudications[0].plies))?,
            adjudications,
        })
    }

    fn rulings(&self) -> impl Iterator<Item = (&Adjudication, &Ruling)> {
        let adjudications = self.adjudications.iter();
        adjudications.flat_map(|adjudication| {
            adjudication
                .rulings
                .iter()
                .map(move |ruling| (adjudication, ruling))
        })
    }

    /// Text to print if the engines disagree.
    fn at(&self, ply: u32, ruling: &Ruling) -> String {
        let text = String::from_utf8_lossy(&self.text);
        format!("after ply {ply} under {}:\n{text}", ruling.rules.name)
    }

    /// Claims every opportunity of the adjudication, with the arguments of the command.
    fn claim_opportunities(&self) {
        for (_, ruling) in self.rulings() {
            let known = ruling.opportunities.iter().filter(|it| it.unseen.is_none());
            for opportunity in known.take(MOST_OPPORTUNITIES) {
                let claim = Claim {
                    kind: ClaimKind::Draw(opportunity.end),
                    by: Some(opportunity.by),
                    announced: opportunity
                        .announced
                        .map(|san| Announced::new(&san.to_string())),
                };
                let english = Some(LetterSet::english());
                let game = self.game.cut(opportunity.at.ply).in_letters(english, None);
                let decided = decide(&game, &claim, ruling.rules, NODES.into(), &[]);
                let at = || self.at(opportunity.at.ply, ruling);
                assert_eq!(decided.ground, Ground::Holds, "{opportunity:?} {}", at());
                assert_eq!(
                    decided.article,
                    opportunity.article,
                    "{opportunity:?} {}",
                    at()
                );
            }
        }
    }

    /// Claims both counted draws at a ply, by the side to move and by the other side.
    fn claim_at(&self, ply: u32) {
        let record = self.game.record().cut(ply);
        let others = |rules: &RuleSet| rules.other_keys.iter().map(|&(_, key)| key);
        let keys = RULE_SETS
            .into_iter()
            .flat_map(|rules| [rules.key].into_iter().chain(others(rules)));
        let facts = Facts::of(record, keys);
        let solver = RefCell::new(Solver::new(NODES));
        let prospects = Prospects::new(facts.last(), &solver);
        let turn = facts.last().turn();
        for (adjudication, ruling) in self.rulings() {
            for (by, end) in [turn, !turn]
                .into_iter()
                .flat_map(|by| COUNTED.map(|end| (by, end)))
            {
                let claim = ClaimFacts {
                    facts: &facts,
                    kind: ClaimKind::Draw(end),
                    by,
                    announced: Announcement::Nothing,
                    prospects: &prospects,
                };
                let decided = claim.decide(ruling.rules, NODES.into());
                self.compare(adjudication, ruling, ply, (end, by), &decided);
                let may_announce = || {
                    let mut moves = facts.last().legal_moves().into_iter();
                    moves.any(|mv| {
                        let announced = Announcement::Legal(mv);
                        let claim = ClaimFacts { announced, ..claim };
                        claim.decide(ruling.rules, NODES.into()).ground == Ground::Unknown
                    })
                };
                let is_open = ruling.opportunities.iter().any(|it| {
                    (it.end, it.by, it.at.ply, it.unseen.is_some()) == (end, by, ply, true)
                });
                if is_open {
                    let is_right = decided.ground == Ground::Holds;
                    let is_open = decided.ground == Ground::Unknown || may_announce();
                    assert!(is_right || is_open, "{decided:?} {}", self.at(ply, ruling));
                } else if ruling.ended.is_none_or(|ended| ended.ply > ply)
                    && ruling.rules.name == FIDE.name
                {
                    let at = || format!("{decided:?} {}", self.at(ply, ruling));
                    assert_ne!(decided.ground, Ground::Unknown, "{}", at());
                }
            }
        }
    }

    fn compare(
        &self,
        adjudication: &Adjudication,
        ruling: &Ruling,
        ply: u32,
        (end, by): (End, Color),
        decided: &Decision,
    ) {
        let at = || format!("{by} claims {end}: {decided:?} {}", self.at(ply, ruling));
        let rule_exists = !matches!(decided.ground, Ground::NoRule | Ground::Undefined);
        match ruling.ended.filter(|ended| ended.ply <= ply) {
            // One may prove a position dead that the other leaves open.
            Some(_) if adjudication.can_win.contains(&CanWin::Unknown) => {}
            Some(_) if rule_exists => {
                let result = match decided.outcome {
                    ClaimOutcome::Won(winner) => winner,
                    ClaimOutcome::Drawn => {
                        assert_eq!(ruling.result, ResultMark::Draw, "{}", at());
                        return;
                    }
                    ClaimOutcome::Open => panic!("the game is over; {}", at()),
                };
                let won = [ResultMark::White, ResultMark::Black][result.index()];
                assert_eq!(ruling.result, won, "{}", at());
            }
            Some(_) => assert_ne!(decided.ground, Ground::Holds, "{}", at()),
            None => {
                let is_this = |opportunity: &&Opportunity| {
                    (
                        opportunity.end,
                        opportunity.by,
                        opportunity.at.ply,
                        opportunity.announced,
                        opportunity.unseen,
                    ) == (end, by, ply, None, None)
                };
                let has_chance = ruling.opportunities.iter().find(is_this);
                assert_eq!(
                    decided.ground == Ground::Holds,
                    has_chance.is_some(),
                    "{}",
                    at()
                );
                let is_over = matches!(decided.ground, Ground::Over | Ground::Automatic);
                let is_final = ply == adjudication.plies && adjudication.board.is_some();
                assert!(!is_over || is_final, "{}", at());
            }
        }
    }

    /// Claims a win on time in the last position, and compares it with the adjudication.
    fn claim_time(&self) {
        let last = self.game.last();
        for loser in Color::ALL {
            let result = if loser == Color::White { "0-1" } else { "1-0" };
            let text = format!(
                "[SetUp \"1\"]\n[FEN \"{last}\"]\n[Result \"{result}\"]\n[Termination \"time forfeit\"]\n\n{result}\n"
            );
            let Some(judged) = Judged::new(text.as_bytes()) else {
                return;
            };
            let claim = Claim {
                kind: ClaimKind::Loss(Loss::Time),
                by: Some(loser),
                announced: None,
            };
            for (_, ruling) in judged.rulings() {
                let decided = decide(&judged.game, &claim, ruling.rules, NODES.into(), &[]);
                // A claim requires a proven mate, an adjudication only an evident one.
                if ruling.result == ResultMark::Unknown || decided.result == ResultMark::Unknown {
                    continue;
                }
                assert_eq!(decided.result, ruling.result, "{}", judged.at(0, ruling));
            }
        }
    }

    fn check(&self, nth: usize) {
        self.claim_opportunities();
        let plies = self.adjudications[0].plies;
        if nth.is_multiple_of(EVERY_PLY) && plies <= 400 {
            (0..=plies).for_each(|ply| self.claim_at(ply));
            self.claim_time();
            return;
        }
        let ended = self.rulings().filter_map(|(_, ruling)| ruling.ended);
        let first = ended.map(|ended| ended.ply).min();
        let mut samples: Vec<u32> = [Some(plies), first, first.and_then(|ply| ply.checked_sub(1))]
            .into_iter()
            .flatten()
            .collect();
        samples.sort_unstable();
        samples.dedup();
        samples.into_iter().for_each(|ply| self.claim_at(ply));
    }
}

fn check_all(texts: &[Vec<u8>]) {
    texts.par_iter().enumerate().for_each(|(nth, text)| {
        if let Some(judged) = Judged::new(text) {
            judged.check(nth);
        }
    });
}

#[test]
fn claims_and_labels_agree_on_the_fixtures() {
    let games = ["claim.pgn", "karpov_miles.pgn", "endings.pgn"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(name);
        std::fs::read(path).unwrap()
    });
    let mut texts = Vec::new();
    for games in &games {
        let text = String::from_utf8_lossy(games);
        let mut starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
        starts.push(text.len());
        texts.extend(
            starts
                .windows(2)
                .map(|pair| games[pair[0]..pair[1]].to_vec()),
        );
    }
    assert!(texts.len() > 5, "{}", texts.len());
    for text in &texts {
        let judged = Judged::new(text).expect("the fixtures can be played");
        judged.check(0);
    }
}

#[test]
fn claims_and_labels_agree_on_real_games() {
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for name in FILES {
        if each_game(name, |_, _, text| texts.push(text.to_vec())).is_none() {
            return;
        }
    }
    assert!(texts.len() > 5_000, "{}", texts.len());
    check_all(&texts);
}

/// The game from a ply on, with the clock of its FEN or without counters.
fn cut_off(judged: &Judged, from: u32, with_clock: bool) -> Judged {
    let mut reader = Reader::new();
    let game = reader.read(&judged.text, None);
    let (start, _) = Start::of(game, &judged.text, &Position::initial()).unwrap();
    let mut replay = Replay::new(game, start.position);
    while replay.plies() < from {
        replay.play().expect("the game is longer");
    }
    let start = replay.position().clone();
    let fen = start.to_string();
    let (rest, _) = fen
        .rsplit_once(' ')
        .and_then(|(rest, _)| rest.rsplit_once(' '))
        .unwrap();
    let fen = if with_clock { &fen } else { rest };
    let mode = start.castling_mode();
    let moves = std::iter::from_fn(|| replay.play());
    let moves: Vec<String> = moves.map(|ply| ply.mv.uci(mode).to_string()).collect();
    let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} *\n", moves.join(" "));
    Judged::new(text.as_bytes()).expect("the moves are legal")
}

/// Ground of a claim of each counted draw by the side to move under FIDE's rules.
fn grounds(game: &ClaimGame) -> [Ground; 2] {
    COUNTED.map(|end| {
        let claim = Claim {
            kind: ClaimKind::Draw(end),
            by: None,
            announced: None,
        };
        decide(game, &claim, &FIDE, NODES.into(), &[]).ground
    })
}

#[test]
fn a_game_cut_off_from_its_beginning_is_never_decided_otherwise() {
    let mut texts: Vec<Vec<u8>> = Vec::new();
    let read = each_game("outcomes/threefold_engine_games", |_, _, text| {
        texts.push(text.to_vec());
    });
    if read.is_none() {
        return;
    }
    let (mut open, mut held) = (0, 0);
    for text in texts.iter().step_by(texts.len() / 12) {
        let whole = Judged::new(text).unwrap();
        let last = whole.adjudications[0].plies;
        for (from, with_clock) in [1, 3, 8, 14, 40].into_iter().flat_map(|back| {
            [
                (last.saturating_sub(back), true),
                (last.saturating_sub(back), false),
            ]
        }) {
            let part = cut_off(&whole, from, with_clock);
            for ply in 0..=last - from {
                part.claim_at(ply);
                let known = grounds(&whole.game.cut(from + ply));
                for (known, seen) in known.into_iter().zip(grounds(&part.game.cut(ply))) {
                    let at = || String::from_utf8_lossy(&part.text).into_owned();
                    open += usize::from(seen == Ground::Unknown);
                    held += usize::from(known == Ground::Holds);
                    match (known, seen) {
                        (_, Ground::Unknown) | (Ground::Over | Ground::Automatic, _) => {}
                        (Ground::Holds, _) | (_, Ground::Holds) => {
                            assert_eq!(known, seen, "after ply {ply} of {}", at());
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(open > 100 && held > 10, "{open} {held}");
}

#[test]
fn labels_say_that_a_claim_is_unknown() {
    let rook = "8/8/3k4/8/8/3K4/4R3/8 w - -";
    let words = ["adjudicate", "-q", "--format"];
    let row = |format: &str, more: &[&str], fen: &str| {
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\nKd4 Kc6 Re6+ *\n");
        let ran = run_with_stdin(&[&words[..], &[format], more].concat(), text.into());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout()
    };
    let both = "threefold-repetition white 0 unknown; fifty-moves white 0 unknown; \
        threefold-repetition black 1 unknown; fifty-moves black 1 unknown";
    assert!(row("csv", &[], rook).contains(both));
    assert!(
        row("jsonl", &[], rook)
            .contains("\"move\":null,\"article\":\"FIDE 2023 art. 9.3.2\",\"holds\":\"unknown\"")
    );
    assert!(row("csv", &["--claims"], rook).contains(",unknown,0\n"));
    let human = row("human", &[], rook);
    let human = human.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(human.contains("is not known: the FEN does not say how many moves were made since"));
    let clocked = row("csv", &[], &format!("{rook} 8 60"));
    assert!(
        clocked.contains(",threefold-repetition white 0 unknown; "),
        "{clocked}"
    );
    let begun = row("csv", &[], &format!("{rook} 6 60"));
    assert!(!begun.contains("white 0 unknown"), "{begun}");
    assert!(!row("csv", &[], &format!("{rook} 0 60")).contains("unknown"));
}

#[test]
fn a_recorded_claim_is_not_refuted_by_what_is_not_known() {
    let verdict = |fen: &str, termination: &str, rules: &'static RuleSet| {
        let text = format!(
            "[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"1/2-1/2\"]\n\
            [Termination \"{termination}\"]\n\nKd4 Kc6 Re6+ 1/2-1/2\n"
        );
        let ruling = adjudicated(text.as_bytes(), rules).rulings[0].clone();
        (ruling.verdict, ruling.because.unwrap_or_default())
    };
    let rook = "8/8/3k4/8/8/3K4/4R3/8 w - -";
    let clocked = format!("{rook} 40 60");
    let fifty = "Draw by fifty-move rule";
    let threefold = "Draw by repetition";
    for rules in [&FIDE, &CHESSCOM, &FICS] {
        let (is, because) = verdict(rook, fifty, rules);
        assert_eq!(is, Verdict::Undecided, "{because}");
        assert!(
            because.starts_with("the FEN does not say how many moves"),
            "{because}"
        );
        assert_eq!(verdict(&clocked, fifty, rules).0, Verdict::Contradiction);
        assert_eq!(verdict(rook, threefold, rules).0, Verdict::Undecided);
        assert_eq!(verdict(&clocked, threefold, rules).0, Verdict::Undecided);
        assert_eq!(
            verdict(&format!("{rook} 0 60"), threefold, rules).0,
            Verdict::Contradiction
        );
    }
}
