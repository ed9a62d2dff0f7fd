use crate::chess::{San, Setup};
use crate::law::history::*;
use crate::law::rulesets::{End, FIDE, FIDE_2014, LICHESS, Standing, USCF};

const KEYS: [RepetitionKey; 6] = [
    RepetitionKey::FIDE,
    RepetitionKey::RAW_EN_PASSANT,
    RepetitionKey::PSEUDO_LEGAL_EN_PASSANT,
    RepetitionKey::LEGAL_MOVES,
    RepetitionKey {
        turn: true,
        ..RepetitionKey::BOARD
    },
    RepetitionKey::BOARD,
];

fn start(fen: &str) -> (Position, Option<Square>) {
    let setup: Setup = fen.parse().unwrap();
    (Position::new(&setup).unwrap(), setup.en_passant)
}

/// Plays moves and returns the counts of the last position under each of [`KEYS`].
fn counts(fen: &str, moves: &str) -> [u32; 6] {
    KEYS.map(|key| {
        let (mut position, en_passant) = start(fen);
        let mut history = History::new(key, &position, en_passant);
        for san in moves.split_whitespace() {
            let san = San::from_ascii(san.as_bytes()).unwrap();
            let mv = san.to_move(&position).unwrap();
            position.play_unchecked(mv);
            history.push(mv, &position);
        }
        history.count()
    })
}

const INITIAL: &str = crate::chess::fen::INITIAL;

#[test]
fn en_passant_was_legal_the_first_time() {
    let moves = "e4 Nf6 e5 d5 Bc4 Nc6 Bf1 Nb8 Bc4 Nc6 Bf1 Nb8";
    assert_eq!(counts(INITIAL, moves), [2, 2, 2, 2, 3, 3]);
}

#[test]
fn a_double_step_without_a_legal_capture_makes_no_difference() {
    let moves = "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1";
    assert_eq!(counts(INITIAL, moves), [3, 2, 3, 3, 3, 3]);
}

#[test]
fn a_pawn_pinned_on_its_file_cannot_capture_en_passant() {
    let fen = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1";
    let moves = "e4 Kd7 Rd2 Kd8 Rd1 Kd7 Rd2 Kd8 Rd1";
    assert_eq!(counts(fen, moves), [3, 2, 2, 3, 3, 3]);
}

#[test]
fn the_en_passant_square_of_a_fen_counts_where_double_steps_do() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(
        counts(fen, "Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1"),
        [3, 2, 3, 3, 3, 3]
    );
}

#[test]
fn castling_rights_lost_while_castling_was_prevented() {
    let fen = "4k3/8/8/8/8/8/8/4K1NR w K - 0 1";
    assert_eq!(
        counts(fen, "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8"),
        [2, 2, 2, 3, 3, 3]
    );
}

#[test]
fn castling_rights_lost_while_castling_was_possible() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(
        counts(fen, "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8"),
        [2, 2, 2, 2, 3, 3]
    );
}

#[test]
fn the_same_board_with_the_other_side_to_move() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(counts(fen, "Ra2 Ke7 Ra3 Ke8 Ra1"), [1, 1, 1, 1, 1, 2]);
}

#[test]
fn the_initial_position_counts() {
    assert_eq!(counts(INITIAL, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), [3; 6]);
}

#[test]
fn occurrences_by_ply_and_moves_that_bring_the_third() {
    let (mut position, _) = start(INITIAL);
    let mut history = History::new(RepetitionKey::FIDE, &position, None);
    for (nth, san) in "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ').enumerate() {
        assert_eq!(history.ply() as usize, nth);
        let san = San::from_ascii(san.as_bytes()).unwrap();
        let mv = san.to_move(&position).unwrap();
        position.play_unchecked(mv);
        history.push(mv, &position);
    }
    assert_eq!(history.occurrences().collect::<Vec<_>>(), [9, 5]);
    let announced = history.third_time_moves(&position);
    let announced: Vec<_> = announced
        .iter()
        .map(|mv| San::of(&position, *mv).to_string())
        .collect();
    // The position after 2...e5 comes for the third time.
    assert_eq!(announced, ["Ng8"]);
}

/// A small generator of numbers, good enough to choose moves.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// Compares two positions without any shortcut.
fn plainly_same(
    key: RepetitionKey,
    a: &(Position, Option<Square>),
    b: &(Position, Option<Square>),
) -> bool {
    let castling_moves = |position: &Position| {
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.castling_side().is_some())
            .map(|mv| mv.to)
            .collect();
        moves.sort();
        moves
    };
    let beside = |(position, passed): &(Position, Option<Square>)| {
        passed.filter(|&square| {
            let turn = position.turn();
            position
                .board()
                .of(turn, Role::Pawn)
                .into_iter()
                .any(|pawn| {
                    pawn.rank().index().abs_diff(square.rank().index()) == 1
                        && pawn.file().index().abs_diff(square.file().index()) == 1
                        && (pawn.rank().index() < square.rank().index()) == (turn == Color::White)
                })
        })
    };
    let legal = |position: &Position| {
        position
            .legal_moves()
            .into_iter()
            .find(|mv| mv.kind == crate::chess::MoveKind::EnPassant)
            .map(|mv| mv.to)
    };
    a.0.board() == b.0.board()
        && (!key.turn || a.0.turn() == b.0.turn())
        && match key.castling {
            CastlingPart::Ignored => true,
            CastlingPart::Rights => a.0.castling() == b.0.castling(),
            CastlingPart::Ability => castling_moves(&a.0) == castling_moves(&b.0),
        }
        && match key.en_passant {
            EnPassantPart::Ignored => true,
            EnPassantPart::Raw => a.1 == b.1,
            EnPassantPart::PseudoLegal => beside(a) == beside(b),
            EnPassantPart::Legal => legal(&a.0) == legal(&b.0),
        }
}

#[test]
fn random_walks_count_as_comparing_every_pair_does() {
    let starts = [
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        "4k3/8/8/pppp4/8/8/PPPP4/4K3 w - - 0 1",
        "8/8/8/8/8/k7/8/K6R w - - 0 1",
    ];
    for (nth, fen) in starts.into_iter().enumerate() {
        for key in KEYS {
            let mut numbers = Numbers(nth as u64 + 7);
            let (mut position, en_passant) = start(fen);
            let mut history = History::new(key, &position, en_passant);
            let mut all = vec![(position.clone(), en_passant)];
            for _ in 0..600 {
                let moves = position.legal_moves();
                // Back and forth with few moves, so that much repeats.
                let Some(&mv) = moves.get(numbers.below(moves.len().clamp(1, 4))) else {
                    break;
                };
                let expected = all
                    .iter()
                    .filter(|earlier| plainly_same(key, earlier, &(position.after(mv), None)))
                    .count() as u32
                    + 1;
                if !mv.is_zeroing() {
                    assert_eq!(history.count_after(&position, mv), expected);
                }
                position.play_unchecked(mv);
                history.push(mv, &position);
                all.push((position.clone(), passed_square(mv)));
                let newest = all.last().unwrap();
                let plies: Vec<u32> = (0..all.len() as u32)
                    .rev()
                    .filter(|&ply| plainly_same(key, &all[ply as usize], newest))
                    .collect();
                assert_eq!(history.count() as usize, plies.len(), "{fen} {key}");
                assert_eq!(history.occurrences().collect::<Vec<_>>(), plies);
            }
        }
    }
}

#[test]
fn positions_that_share_a_hash_are_not_the_same() {
    for length in [10, 300] {
        let (mut position, _) = start("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let mut history = History::new(RepetitionKey::FIDE, &position, None);
        let mut numbers = Numbers(1);
        let mut step = |position: &mut Position| {
            let moves = position.legal_moves();
            let mv = moves[numbers.below(moves.len())];
            position.play_unchecked(mv);
            mv
        };
        for _ in 0..length {
            let mv = step(&mut position);
            history.push(mv, &position);
        }
        let mv = loop {
            let mut next = position.clone();
            let mv = step(&mut next);
            if !mv.is_zeroing() && history.count_after(&position, mv) == 1 {
                break mv;
            }
        };
        let after = position.after(mv);
        history.hashes.truncate(history.run.len() - 1, 0);
        history.hashes.push(after.key());
        history.push(mv, &after);
        assert_eq!(history.count(), 1);
    }
}

#[test]
fn claimable_and_automatic_draws_by_counting_moves() {
    let check = |halfmoves: u32, rules: &RuleSet, automatic: &[End], claimable: &[End]| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 200");
        let (position, _) = start(&fen);
        let ends = History::new(rules.key, &position, None).ends_under(rules);
        let that_stand =
            |standing| -> Vec<End> { ends.both(rules.ends_that_stand(standing)).iter().collect() };
        assert_eq!(that_stand(Standing::Automatic), automatic);
        assert_eq!(that_stand(Standing::OnClaim), claimable);
    };
    for halfmoves in [68, 99] {
        check(halfmoves, &FIDE, &[], &[]);
    }
    for halfmoves in [100, 105, 120, 149] {
        check(halfmoves, &FIDE, &[], &[End::FiftyMoves]);
        check(halfmoves, &LICHESS, &[End::FiftyMoves], &[]);
    }
    for halfmoves in [150, 369] {
        check(
            halfmoves,
            &FIDE,
            &[End::SeventyFiveMoves],
            &[End::FiftyMoves],
        );
        check(halfmoves, &USCF, &[], &[End::FiftyMoves]);
    }
}

#[test]
fn fivefold_repetition_had_to_be_in_a_row_until_2017() {
    let play = |moves: &str| {
        let (mut position, _) = start(INITIAL);
        let mut history = History::new(RepetitionKey::FIDE, &position, None);
        for san in moves.split_whitespace() {
            let san = San::from_ascii(san.as_bytes()).unwrap();
            let mv = san.to_move(&position).unwrap();
            position.play_unchecked(mv);
            history.push(mv, &position);
        }
        history
    };
    let round = "Nf3 Nf6 Ng1 Ng8 ";
    let history = play(&round.repeat(4));
    assert_eq!(history.count(), 5);
    assert!(history.ends_under(&FIDE).has(End::Fivefold));
    assert!(history.ends_under(&FIDE_2014).has(End::Fivefold));

    let detour = "Nf3 Nf6 Ng5 Nh5 Nf3 Nf6 Ng1 Ng8";
    let history = play(&format!("{}{detour}", round.repeat(3)));
    assert_eq!(history.count(), 5);
    assert!(history.ends_under(&FIDE).has(End::Fivefold));
    assert!(!history.ends_under(&FIDE_2014).has(End::Fivefold));
    assert!(history.ends_under(&FIDE_2014).has(End::Threefold));
}
