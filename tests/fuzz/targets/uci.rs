//! UCI: the first line is a move in a position that the bytes after it choose.

#![no_main]

use arbiter::chess::{CastlingMode, Uci, UciError};
use fuzz::{check, line_and_rest, walk};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (text, seed) = line_and_rest(data);
    let uci = Uci::from_ascii(text);
    match uci {
        Ok(uci) => assert_eq!(uci.to_string().as_bytes(), text),
        Err(error) => assert_eq!(error, UciError::Syntax),
    }

    let position = walk(seed);
    let moves = check(&position);
    let own = position.castling_mode();
    for &mv in &moves {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            let uci = mv.uci(mode);
            let text = uci.to_string();
            assert_eq!(Uci::from_ascii(text.as_bytes()), Ok(uci), "{text}");
            let found = uci.to_move(&position);
            if mode == own || mode == CastlingMode::Chess960 {
                assert_eq!(found, Ok(mv), "{text} in `{position}`");
            } else {
                assert!(found.is_ok(), "{text} in `{position}`");
            }
        }
    }
    if let Ok(uci) = uci {
        match uci.to_move(&position) {
            Ok(mv) => {
                assert!(moves.contains(&mv), "{uci} in `{position}`");
                let written =
                    [CastlingMode::Standard, CastlingMode::Chess960].map(|mode| mv.uci(mode));
                assert!(written.contains(&uci), "{uci} in `{position}`");
            }
            Err(error) => {
                assert_eq!(error, UciError::Illegal);
                assert!(
                    moves.iter().all(|mv| mv.uci(own) != uci),
                    "{uci} in `{position}`"
                );
            }
        }
    }
});
