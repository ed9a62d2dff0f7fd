//! Claims that were available.

use crate::commands::adjudicate::labels::tests::*;

#[test]
fn too_little_material_can_be_claimed_where_it_needs_a_claim() {
    let fen = "4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1";
    let chances = |moves: &str, rules: &'static RuleSet| -> Vec<(End, Color, u32)> {
        label(&from(fen, "1-0", ""), moves, rules).rulings[0]
            .chances
            .iter()
            .map(|chance| (chance.end, chance.by, chance.at.ply))
            .collect()
    };
    let claimed = |by, ply| (End::InsufficientMaterial, by, ply);
    assert_eq!(
        chances("1. Nxe2 Kd8 2. Kd1", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1), claimed(Color::White, 2)]
    );
    assert_eq!(
        chances("1. Nxe2", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1)]
    );
    assert_eq!(chances("1. Nxe2 Kd8", &FIDE), []);
}

#[test]
fn what_could_have_been_claimed_and_by_whom() {
    let claims = |moves: &str, rules: &'static RuleSet| -> Vec<String> {
        label(&from("", "1-0", ""), moves, rules).rulings[0]
            .chances
            .iter()
            .map(|chance| {
                let announced = chance.announced_label().unwrap_or_default();
                format!(
                    "{} {} {} {announced} {}",
                    chance.end,
                    chance.by.name(),
                    chance.at.ply,
                    chance.article
                )
            })
            .collect()
    };
    let moves = format!("{KNIGHTS_THRICE} 5. e4");
    assert_eq!(
        claims(&moves, &FIDE),
        [
            "threefold-repetition black 7 4...Ng8 FIDE 2023 art. 9.2.1",
            "threefold-repetition white 8  FIDE 2023 art. 9.2.2",
        ]
    );
    assert_eq!(
        claims(&moves, &BRETTSPIELNETZ),
        [
            "threefold-repetition black 7 4...Ng8 Brettspielnetz",
            "threefold-repetition white 8 5.Nf3 Brettspielnetz",
        ]
    );
    assert_eq!(claims(&moves, &ICC), ["threefold-repetition white 8  ICC"]);
    // Either side may ask BrainKing's staff.
    assert_eq!(
        claims(&moves, &BRAINKING),
        [
            "threefold-repetition white 8  BrainKing",
            "threefold-repetition black 8  BrainKing",
        ]
    );
    // After an automatic end nothing is left to claim.
    assert_eq!(claims(&moves, &CHESSCOM), [""; 0]);
    assert_eq!(
        claims(&format!("{KNIGHTS_FIVE_TIMES} 9. e4"), &FIDE).len(),
        // At plies 7 to 15, each of them; at 16 the game is over.
        9
    );
}

#[test]
fn claims_before_a_mate_but_not_in_it() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 104 200";
    let of = |moves: &str| {
        let label = label(&from(fen, "1-0", ""), moves, &FIDE);
        let plies = label.rulings[0]
            .chances
            .iter()
            .map(|chance| chance.at.ply)
            .collect::<Vec<_>>();
        (label.board, plies)
    };
    assert_eq!(of("200. Ra8#"), (Some(End::Checkmate), vec![0]));
    assert_eq!(of("200. Ra7"), (Some(End::FiftyMoves), vec![0, 1]));
}

#[test]
fn a_history_before_the_last_capture_is_not_needed() {
    // The repetition comes late, after captures and pawn moves; an earlier one does not count.
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. d4 exd4 6. Nxd4 Nf6 \
         7. Nb3 Ng8 8. Nd4 Nf6 9. Nb3 Ng8 10. Nd4 Nf6";
    let label = label(&from("", "1/2-1/2", ""), moves, &FIDE);
    assert_eq!(label.board, Some(End::Threefold));
    let ruling = &label.rulings[0];
    let plies: Vec<_> = ruling.chances.iter().map(|chance| chance.at.ply).collect();
    assert_eq!(plies, [18, 19, 20]);
    assert_eq!(ruling.reason, RuledReason::End(End::Threefold));
}
