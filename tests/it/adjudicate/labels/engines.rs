//! Engine games, in which the program records how the game ended.

use super::*;

#[test]
fn engine_games_end_as_their_programs_said() {
    let Some(table) = corpus::text("outcomes/engine_games/labels.tsv") else {
        return;
    };
    let rows: Vec<_> = corpus::rows(&table).collect();
    let mut nth = 0;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut disproved = 0;
    let mut late = 0;
    let mut dead_before = Vec::new();
    each_game("outcomes/engine_games/games.pgn.zst", |_, game, text| {
        let row = &rows[nth];
        nth += 1;
        let (said, words) = (row[3], row[4]);
        *counts.entry(said).or_default() += 1;
        let what = || format!("game {nth}, `{words}`");
        let expected = match said {
            "checkmate" => End::Checkmate,
            "stalemate" => End::Stalemate,
            "fifty" => End::FiftyMoves,
            "threefold" => End::Threefold,
            "insufficient" => End::InsufficientMaterial,
            _ => {
                let adjudication = adjudicated(text, &FIDE);
                // A win by a ruling does not ask who can mate.
                let is_ruling = matches!(words, "adjudication" | "rules infraction");
                let expected = if is_ruling && row[5] != "1/2-1/2" {
                    Verdict::Undecided
                } else {
                    Verdict::Consistent
                };
                assert_eq!(adjudication.rulings[0].verdict, expected, "{}", what());
                return;
            }
        };
        let text = with_closing_comment(game, text, words);
        // The tournament rules allowed the program to end the game there.
        let rules = match expected {
            // The program also adjudicated two knights against one, which no rule set lists.
            End::InsufficientMaterial if nth == 711 => &FIDE,
            // One of the two programs follows the chess.com list.
            End::InsufficientMaterial if words == "Insufficient material" => &CHESSCOM,
            _ => &ENGINE,
        };
        let by_program = adjudicated(&text, rules);
        let ruling = &by_program.rulings[0];
        if nth != 711 {
            let because = &ruling.because;
            assert_eq!(
                ruling.verdict,
                Verdict::Consistent,
                "{}: {because:?}",
                what()
            );
            // If two draws occur at once, the programs disagree which to name.
            let either = row[10] == "fifty+threefold";
            assert!(
                is(ruling.reason, expected, either),
                "{}: {}",
                what(),
                ruling.reason
            );
            let ended = ruling.ended.expect("the moves ended the game");
            late += usize::from(ruling.played_on);
            assert!(
                by_program.plies - ended.ply <= 1,
                "{}: ply {}",
                what(),
                ended.ply
            );
        }
        // FIDE agrees, except for material with which a mate is still possible.
        let adjudication = adjudicated(&text, &FIDE);
        let ruling = &adjudication.rulings[0];
        if expected == End::InsufficientMaterial && adjudication.board.is_none() {
            disproved += 1;
            assert_eq!(ruling.verdict, Verdict::Contradiction, "{}", what());
            let line = ruling.line.as_ref().expect("a mate that is still possible");
            assert!(mates(&text, &line.uci), "{}: {}", what(), line.san);
        } else {
            assert_eq!(
                ruling.verdict,
                Verdict::Consistent,
                "{}: {:?}",
                what(),
                ruling.because
            );
            if ruling.reason == RuledReason::End(End::DeadPosition) {
                // Neither side could win from an earlier ply on: a forced capture, or a locked
                // position.
                dead_before.push((nth, said.to_owned()));
            } else {
                let either = row[10] == "fifty+threefold";
                assert!(
                    is(ruling.reason, expected, either),
                    "{}: {}",
                    what(),
                    ruling.reason
                );
            }
        }
    });
    assert_eq!(nth, rows.len());
    let counts: Vec<_> = counts.into_iter().collect();
    assert_eq!(
        counts,
        [
            ("adjudication", 1_934),
            ("checkmate", 1_996),
            ("disconnect", 2),
            ("fifty", 240),
            ("insufficient", 151),
            ("other", 25),
            ("stalemate", 30),
            ("threefold", 1_621),
            ("time", 1),
        ]
    );
    // For example K+B v K+N and K+N+N v K.
    assert_eq!(disproved, 28);
    // Two repetitions were recorded one ply late.
    assert_eq!(late, 2);
    let dead_before: Vec<_> = dead_before
        .iter()
        .map(|(nth, said)| (*nth, said.as_str()))
        .collect();
    assert_eq!(
        dead_before,
        [
            (451, "insufficient"),
            (529, "insufficient"),
            (614, "insufficient"),
            (690, "insufficient"),
            (1_318, "stalemate"),
            (2_136, "stalemate"),
            (2_889, "threefold"),
            (3_459, "stalemate"),
            (4_646, "stalemate"),
            (4_698, "stalemate"),
        ]
    );
}
