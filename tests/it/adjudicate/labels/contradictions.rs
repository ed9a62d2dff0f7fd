//! Games whose recorded result contradicts the rules.

use arbiter::adjudication::RuleChoice;
use arbiter::law::rulesets::CHESSCOM_EDITIONS;

use super::*;

/// Compares the contradictions in a file: number, record, ruling, reason.
/// A line in the reason must end in mate.
#[track_caller]
fn check_contradictions(name: &str, rules: impl Into<RuleChoice>, expected: &[&str]) {
    let rules = rules.into();
    let mut adjudicator = Adjudicator::new(&[rules], NODES);
    let mut found = Vec::new();
    let mut number = 0;
    let games = each_game(name, |_, game, text| {
        number += 1;
        let Ok(adjudication) = adjudicator.adjudicate(game, text) else {
            return;
        };
        let ruling = &adjudication.rulings[0];
        if ruling.verdict != Verdict::Contradiction {
            return;
        }
        // The notes of a contradiction must not refute it.
        if matches!(rules, RuleChoice::InForce(_)) {
            let is_refuted = |note: &String| note.contains("took effect");
            assert!(!ruling.notes.iter().any(is_refuted), "{:?}", ruling.notes);
        }
        let mut because = ruling.because.as_deref().unwrap_or_default();
        if let Some(line) = &ruling.line {
            assert!(mates(text, &line.uci), "game {number}: {}", line.san);
            (because, _) = because
                .split_once(": ")
                .expect("the line is in the sentence");
        }
        let reason = adjudication
            .recorded
            .termination
            .and_then(|said| said.reason);
        found.push(format!(
            "{number}: {} {}: {} {}: {because}",
            adjudication
                .recorded
                .result
                .map_or("none", ResultMark::as_str),
            reason.map_or("none", |reason| reason.as_str()),
            ruling.result,
            ruling.reason,
        ));
    });
    if games.is_some() {
        assert_eq!(found, expected, "{name} by {}", rules.name());
    }
}

#[test]
fn contradictions_of_fics() {
    let file = "outcomes/fics_ending_in_comment.pgn";
    // The server requires a pawn, a rook, a queen or two minor pieces; FIDE, any mate.
    check_contradictions(
        file,
        &FIDE,
        &[
            "851: 1/2-1/2 time-against-insufficient-material: 0-1 time-against-insufficient-material: \
             White ran out of time, and Black can still mate",
            "913: 1/2-1/2 time-against-insufficient-material: 1-0 time-against-insufficient-material: \
             Black ran out of time, and White can still mate",
            "1264: 1/2-1/2 time-against-insufficient-material: 1-0 time-against-insufficient-material: \
             Black ran out of time, and White can still mate",
        ],
    );
    // Games 1051 and 1197 end one ply after a repetition that is claimed.
    check_contradictions(file, &FICS, &[]);
}

#[test]
fn contradictions_of_chesscom() {
    check_contradictions("bulk/chesscom.pgn", &FIDE, &[]);
    check_contradictions("bulk/chesscom.pgn", &CHESSCOM, &[]);
    let file = "bulk/chesscom_no_blank_lines.pgn";
    // Twice the site calls a queen and pawns, and a bishop and pawns, against a bare king
    // `insufficient material` after a flag fall. A bare king has also won by resignation.
    check_contradictions(
        file,
        &FIDE,
        &[
            "283: 1/2-1/2 insufficient-material: * open: the position is not dead, and White can still mate",
            "1205: 1/2-1/2 insufficient-material: * open: the position is not dead, and Black can still mate",
            "1278: 1-0 resignation: 1/2-1/2 resignation: \
             White cannot mate by any series of legal moves (insufficient material)",
        ],
    );
    // Repetitions that the site missed or recorded differently.
    check_contradictions(
        file,
        &CHESSCOM,
        &[
            "283: 1/2-1/2 insufficient-material: * open: \
             the material is sufficient by these rules: \
             at most one bishop or knight each, K+2N v K; \
             if White's time was up, the game is drawn, as Black cannot win",
            "517: 1-0 resignation: 1/2-1/2 threefold-repetition: \
             threefold repetition ended the game, and 1-0 is recorded: \
             the position stood on the board after plies 84, 88 and 92",
            "1205: 1/2-1/2 insufficient-material: * open: \
             the material is sufficient by these rules: \
             at most one bishop or knight each, K+2N v K; \
             if Black's time was up, the game is drawn, as White cannot win",
        ],
    );
}

#[test]
fn chesscom_before_a_third_occurrence_ended_the_game_there() {
    check_contradictions(
        "bulk/chesscom_no_blank_lines.pgn",
        RuleChoice::InForce(&CHESSCOM_EDITIONS),
        &[
            "283: 1/2-1/2 insufficient-material: * open: \
             the material is sufficient by these rules: \
             K v K, K+B v K, K+N v K; if White's time was up, the game is drawn, as Black cannot win",
            "1205: 1/2-1/2 insufficient-material: * open: \
             the material is sufficient by these rules: \
             K v K, K+B v K, K+N v K; if Black's time was up, the game is drawn, as White cannot win",
        ],
    );
}

#[test]
fn contradictions_of_master_games_by_the_laws_of_their_day() {
    let ended = |game: &str, end: &str, name: &str, result: &str| {
        format!("{game} {end}: {name} ended the game, and {result} is recorded")
    };
    let expected = [
        ended(
            "24542: 1-0 none: 1/2-1/2",
            "fivefold-repetition",
            "fivefold repetition",
            "1-0",
        ) + ": the position stood on the board after plies 166, 170, 190, 254 and 258",
        ended("58612: 1-0 none: 0-1", "checkmate", "checkmate", "1-0"),
        ended("62098: 0-1 none: 1/2-1/2", "stalemate", "stalemate", "0-1"),
        ended(
            "86187: 0-1 none: 1/2-1/2",
            "fivefold-repetition",
            "fivefold repetition",
            "0-1",
        ) + ": the position stood on the board after plies 61, 65, 69, 73 and 77",
        ended("87744: 0-1 none: 1-0", "checkmate", "checkmate", "0-1"),
    ];
    check_contradictions(
        "bulk/masters_dense.pgn.zst",
        RuleChoice::FIDE,
        &expected.each_ref().map(String::as_str),
    );
}

#[test]
fn contradictions_of_master_games() {
    // Play after the fivefold repetition, results against the board, and a win of a bare king.
    let ended = |number: u32, result: &str, ruled: &str, end: &str, name: &str| {
        format!(
            "{number}: {result} none: {ruled} {end}: {name} ended the game, and {result} is recorded"
        )
    };
    let fivefold = |number, result, plies: &str| {
        let ended = ended(
            number,
            result,
            "1/2-1/2",
            "fivefold-repetition",
            "fivefold repetition",
        );
        format!("{ended}: the position stood on the board after plies {plies}")
    };
    let expected = [
        fivefold(17_820, "0-1", "267, 271, 275, 279 and 287"),
        fivefold(18_049, "1-0", "43, 47, 51, 55 and 59"),
        fivefold(21_443, "0-1", "103, 107, 111, 115 and 119"),
        fivefold(24_542, "1-0", "166, 170, 190, 254 and 258"),
        "30972: 1-0 none: 1/2-1/2 resignation-or-time-forfeit: \
         White cannot mate by any series of legal moves (insufficient material)"
            .to_owned(),
        fivefold(38_009, "1-0", "95, 99, 103, 107 and 111"),
        fivefold(43_062, "1-0", "134, 138, 142, 164 and 194"),
        ended(58_612, "1-0", "0-1", "checkmate", "checkmate"),
        ended(62_098, "0-1", "1/2-1/2", "stalemate", "stalemate"),
        fivefold(86_187, "0-1", "61, 65, 69, 73 and 77"),
        ended(87_744, "0-1", "1-0", "checkmate", "checkmate"),
        fivefold(88_990, "0-1", "41, 45, 49, 53 and 57"),
        fivefold(89_034, "0-1", "105, 109, 113, 117 and 121"),
    ];
    check_contradictions(
        "bulk/masters_dense.pgn.zst",
        &FIDE,
        &expected.each_ref().map(String::as_str),
    );
}
