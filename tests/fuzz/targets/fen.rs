//! FEN: the first line is one, or, after a byte 255, an arrangement of pieces; the bytes after the
//! line choose moves to play from its position.

#![no_main]

use arbiter::chess::{Position, PositionFault, Setup, fen};
use arbiter::commands::perft::counting::perft;
use fuzz::{arrangement, check, check_slowly, line_and_rest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (text, steps) = line_and_rest(data);
    let setup = match text {
        [0xff, arranged @ ..] => arrangement(arranged),
        _ => read(text),
    };
    let Some(setup) = setup else { return };
    for fen in [format!("{setup}"), format!("{setup:#}")] {
        assert_eq!(fen.parse::<Setup>().as_ref(), Ok(&setup), "`{fen}`");
    }
    let faults = setup.faults();
    faults.to_string();
    let mut position = match Position::new(&setup) {
        Ok(position) => position,
        Err(errors) => {
            assert_eq!(errors, faults);
            assert!(!faults.is_playable());
            return;
        }
    };
    assert!(faults.is_playable());
    let bad_en_passant = [
        PositionFault::EnPassantOnWrongRank,
        PositionFault::EnPassantWithoutPawn,
        PositionFault::EnPassantWayBlocked,
        PositionFault::EnPassantWithClock,
    ];
    let passed = if bad_en_passant.into_iter().any(|fault| faults.has(fault)) {
        position.en_passant()
    } else {
        setup.en_passant
    };
    check_slowly(&position, passed);
    for &step in steps.iter().take(12).chain(&[0, 1]) {
        let moves = check(&position);
        let replies: usize = moves
            .iter()
            .map(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                assert_eq!(next.key(), next.recompute_key(), "{mv:?} in `{position}`");
                next.count_legal_moves()
            })
            .sum();
        assert_eq!(replies as u64, perft(&position, 2), "`{position}`");
        let Some(&mv) = moves.get(usize::from(step) % moves.len().max(1)) else {
            break;
        };
        position.play_unchecked(mv);
    }
});

fn read(text: &[u8]) -> Option<Setup> {
    match fen::parse(text) {
        Ok(setup) => Some(setup),
        Err(error) => {
            assert!(error.at <= text.len(), "{error}");
            error.to_string();
            None
        }
    }
}
