//! Every check, on words that are put together at random.

use arbiter::chess::Position;
use arbiter::findings::registry::Severity;
use arbiter::findings::{self, Checks};
use arbiter::pgn::TokenKind;
use arbiter::replay::Reader;

use crate::chess::random_games::Random;

#[test]
fn every_check_on_words_put_together_at_random() {
    const SEED: u64 = 0x5eed_0bad;
    eprintln!("seed {SEED:#x}");
    let words = [
        "e4",
        "e5",
        "Nf3",
        "Nc6",
        "d4",
        "exd4",
        "nf3",
        "Sf3",
        "Sc6",
        "Lb5",
        "\u{2658}f3",
        "g1f3",
        "e2-e4",
        "O-O",
        "0-0",
        "0-0-O",
        "o-o",
        "e8(Q)",
        "e8=Q",
        "--",
        "null",
        "(",
        ")",
        "(=)",
        "()",
        "{",
        "}",
        "{a}",
        "{a {b} c}",
        "e.p.",
        "ep",
        "+",
        "++",
        "mate",
        "$1",
        "$",
        "$256",
        "!",
        "?!",
        "1.",
        "1...",
        "2.",
        "3...",
        "0.",
        "00.",
        ";",
        "\n",
        "\n%",
        "\t",
        "*",
        "1-0",
        "N",
        "D",
        "=",
        "Px",
        "Pf3",
        "Kf3",
        "Rf3",
        "E4",
        "BXC3",
        "bc4",
        "b1c3",
        "xe4",
        "dxe",
        "e:d5",
        "Be5:",
        "\u{41e}-\u{41e}",
        "O\u{2013}O",
        "Nf6#",
        "Qh5+",
        "Nbd2",
        "N1d2",
        "Ng1f3",
        "Q",
        "@@@@",
    ];
    let mut random = Random(SEED);
    let initial = Position::initial();
    let all = Checks::new(true, &[], &[]);
    let (mut mainline, mut passing) = (all.clone(), all.clone());
    mainline.mainline_only = true;
    passing.null_moves = true;
    let checks = [Checks::default(), all, mainline, passing];
    let mut reader = Reader::new();
    let mut findings = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..random.below(24) {
            text += words[random.below(words.len())];
            if random.below(4) > 0 {
                text.push(' ');
            }
        }
        let cut = text.find("\n\n").unwrap_or(text.len());
        let text = &text.as_bytes()[..cut];
        let unclosed = text
            .iter()
            .rposition(|&byte| byte == b'{')
            .filter(|&at| !text[at..].contains(&b'}'));
        // Whether this brace opens a comment is unknown here, so an unclosed one is skipped.
        if unclosed.is_some() {
            continue;
        }
        let game = reader.read(text, None);
        assert!(game.tokens.is_sorted_by_key(|token| token.span));
        for pair in game.tokens.windows(2) {
            // Unreadable text may contain a move, as in `xe4e5Nf3`.
            let apart = pair[0].span.end <= pair[1].span.start;
            assert!(apart || pair[0].kind == TokenKind::Unreadable, "{pair:?}");
        }
        assert!(game.faults.is_sorted_by_key(|fault| fault.span));
        for checks in &checks {
            let mut found = Vec::new();
            let game = reader.read(text, None);
            let verdict = findings::check(game, text, &initial, checks, &mut found);
            let shown = String::from_utf8_lossy(text);
            assert_eq!(
                verdict == findings::GameStatus::Clean,
                found.is_empty(),
                "{shown}"
            );
            assert!(found.is_sorted_by_key(|finding| finding.span), "{shown}");
            for finding in &found {
                assert!(finding.span.range().end <= text.len(), "{shown}");
                assert!(checks.has(finding.rule), "{shown}");
                if finding.in_variation {
                    assert!(finding.severity < Severity::Error, "{shown}");
                }
            }
            findings += found.len();
        }
    }
    assert!(findings > 100_000, "{findings}");
}
