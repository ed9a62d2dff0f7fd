//! Lenient notation: the intended move, and the notation variants of the word.

use arbiter::chess::san::SanPlus;
use arbiter::chess::{CastlingMode, CastlingSide, Move, Position, Role, San};
use arbiter::notation::{LenientSan, LetterSet, NotationVariant, NotationVariants, fallback_move};
use arbiter::replay::{Reader, Replay};

use crate::{corpus, position};

use crate::random_games::Random;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White can promote on e8, or on d8 or f8 by capture.
const PROMOTION: &str = "3r1r2/4P3/8/8/8/8/k7/7K w - - 0 1";
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
/// Knights on b1 and f3 reach d2; knight f3 and bishop d3 can capture on e5.
const OPEN: &str = "r1bqkbnr/ppp2ppp/2np4/4p3/4P3/3B1N2/PPP2PPP/RNBQK2R w KQkq - 0 5";
const EN_PASSANT: &str = "6bk/7b/8/3pP3/8/8/8/Q3K3 w - d6 0 2";

fn read(text: &str) -> Option<LenientSan> {
    let (lenient, length) = LenientSan::read(text.as_bytes(), LetterSet::english())?;
    (length == text.len()).then_some(lenient)
}

/// The move that reader and replay find with its notation variants, or the reason for rejecting it.
fn meaning(fen: &str, text: &str) -> String {
    let position = position(fen);
    let Some(lenient) = read(text) else {
        return "no move".to_owned();
    };
    let san = lenient.plus.san;
    let names_pawn = lenient.variants.has(NotationVariant::PawnLetter);
    let second = || fallback_move(san, &position).filter(|_| !names_pawn);
    let Some(mv) = san.find(&position).or_else(second) else {
        return san.why_not(&position).to_string();
    };
    let after = position.after(mv);
    let all: NotationVariants = NotationVariant::ALL.iter().copied().collect();
    let found = lenient.variants(&position, mv, &after, all);
    let found: Vec<_> = found.iter().map(|one| format!("{one:?}")).collect();
    let standard = SanPlus::of(&position, mv, &after);
    format!("{standard} {}", found.join(" ")).trim().to_owned()
}

fn check(fen: &str, text: &str, expected: &str) {
    assert_eq!(meaning(fen, text), expected, "`{text}` in `{fen}`");
}

#[test]
fn standard_notation_has_no_deviation() {
    for text in ["e4", "Nf3", "Na3"] {
        check(START, text, text);
    }
    for text in ["O-O", "O-O-O", "Rxa8+", "Rf1", "Kd1"] {
        check(CASTLING, text, text);
    }
    check("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", "O-O-O+");
    for text in ["Nbd2", "Bb5", "Nxe5", "O-O"] {
        check(OPEN, text, text);
    }
    for text in ["e8=Q", "exd8=N", "exf8=R"] {
        check(PROMOTION, text, text);
    }
    check(EN_PASSANT, "exd6#", "exd6#");
}

#[test]
fn marks_of_check_and_mate() {
    let mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    check(mate, "Qh4#", "Qh4#");
    check(mate, "Qh4", "Qh4# MissingMateMark");
    check(mate, "Qh4+", "Qh4# CheckMarkForMate");
    for text in ["Qh4++", "Qh4 mate", "Qh4 #", "Qh4\u{2021}", "Qh4+#"] {
        check(mate, text, "Qh4# OddCheckMark");
    }
    check(mate, "Qh4 ch.", "Qh4# CheckMarkForMate OddCheckMark");
    let check_on_f7 = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";
    check(check_on_f7, "Qxf7+", "Qxf7+");
    check(check_on_f7, "Qxf7", "Qxf7+ MissingCheckMark");
    check(check_on_f7, "Qxf7#", "Qxf7+ MateMarkForCheck");
    check(check_on_f7, "Qxf7 +", "Qxf7+ OddCheckMark");
    check(check_on_f7, "Qxf7++", "Qxf7+ MateMarkForCheck OddCheckMark");
    check(START, "Nf3+", "Nf3 SpuriousCheckMark");
    check(START, "Nf3#", "Nf3 SpuriousMateMark");
    // Two crosses for a double check, as in the Informant.
    let double = "4k3/8/8/8/4N3/8/4R3/4K3 w - - 0 1";
    check(double, "Nf6++", "Nf6+ OddCheckMark");
}

#[test]
fn marks_of_capture() {
    check(OPEN, "Ne5", "Nxe5 MissingCaptureMark");
    check(OPEN, "Nxg5", "Ng5 SpuriousCaptureMark");
    for text in ["N:e5", "NXe5", "N\u{d7}e5", "Ne5:"] {
        check(OPEN, text, "Nxe5 OddCaptureMark");
    }
    let pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    check(pawns, "exd5", "exd5");
    check(pawns, "ed5", "exd5 MissingCaptureMark");
    check(pawns, "e:d5", "exd5 OddCaptureMark");
    check(pawns, "ed5:", "exd5 OddCaptureMark");
    check(pawns, "exf5", "there is nothing to capture on f5");
    check(pawns, "e4xd5", "exd5 NeedlessSquare");
    for text in ["exd", "ed", "e:d"] {
        check(pawns, text, "no move");
    }
    check(
        pawns,
        "xd5",
        "a pawn capture must name the file the pawn comes from",
    );
    check(
        START,
        "xe4",
        "a pawn capture must name the file the pawn comes from",
    );
}

#[test]
fn more_origin_than_needed() {
    check(START, "Ngf3", "Nf3 NeedlessFile");
    check(START, "N1f3", "Nf3 NeedlessRank");
    check(START, "Ng1f3", "Nf3 NeedlessSquare");
    check(OPEN, "N1d2", "Nbd2 RankForFile");
    check(OPEN, "Nb1d2", "Nbd2 NeedlessSquare");
    check(OPEN, "Bd3b5", "Bb5 NeedlessSquare");
    check(START, "ee4", "e4 NeedlessFile");
    // Only the knight on g1 can move there: the other is pinned (PGN standard 8.2.3.4).
    let pinned = "rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1";
    check(pinned, "Nge2", "Ne2 NeedlessFile");
    let knights = "N3k2N/8/8/3N4/N4N1N/2R5/1R6/4K3 w - - 0 1";
    check(knights, "Nh4g6", "Nh4g6");
    check(knights, "N8g6", "N8g6");
    check(knights, "Nh8g6", "N8g6 NeedlessSquare");
}

#[test]
fn two_squares() {
    check(START, "e2-e4", "e4 LongAlgebraic");
    check(START, "Ng1-f3", "Nf3 LongAlgebraic");
    check(OPEN, "Nf3xe5", "Nxe5 NeedlessSquare");
    check(PROMOTION, "e7-e8=Q", "e8=Q LongAlgebraic");
    check(
        PROMOTION,
        "e7xd8Q",
        "exd8=Q NeedlessSquare PromotionWithoutEquals",
    );
    check(START, "e2e4", "e4 Uci");
    check(START, "g1f3", "Nf3 Uci");
    check(OPEN, "f3e5", "Nxe5 Uci");
    check(OPEN, "d3b5", "Bb5 Uci");
    check(PROMOTION, "e7e8q", "e8=Q Uci");
    check(PROMOTION, "e7d8n", "exd8=N Uci");
    check(CASTLING, "e1g1", "O-O Uci");
    check(CASTLING, "e1c1", "O-O-O Uci");
    check(CASTLING, "e1f1", "Kf1 Uci");
    // A capital P explicitly names a pawn, and there is none.
    check(START, "Pg1f3", "White has no pawn on g1");
    check(START, "g1g3", "no knight on g1 can reach g3");
    check(START, "g3f5", "White has no piece on g3");
    check(START, "e7e5", "White has no piece on e7");
}

#[test]
fn castling_by_other_signs() {
    check(CASTLING, "0-0", "O-O CastlingWithZeros");
    check(CASTLING, "0-0-0", "O-O-O CastlingWithZeros");
    for text in ["o-o", "O-0", "0-O", "OO", "\u{41e}-\u{41e}"] {
        check(CASTLING, text, "O-O OddCastling");
    }
    for text in ["o-o-o", "0-0-O", "O-0-0", "OOO"] {
        check(CASTLING, text, "O-O-O OddCastling");
    }
    check(CASTLING, "O\u{2013}O", "O-O OddDash");
    check(
        CASTLING,
        "0\u{2014}0\u{2014}0",
        "O-O-O CastlingWithZeros OddDash",
    );
    // Castling written with king squares is engine notation; people write O-O.
    check(CASTLING, "Kg1", "the king cannot reach g1");
    check(CASTLING, "Ke1-g1", "the king cannot reach g1");
    for text in ["O-", "O-O-", "O-O-O-O", "OOOO", "00", "000", "0-1"] {
        check(CASTLING, text, "no move");
    }
}

#[test]
fn promotion_by_other_signs() {
    for text in ["e8Q", "e8(Q)", "e8/Q", "e8(=Q)", "e8=(Q)"] {
        check(PROMOTION, text, "e8=Q PromotionWithoutEquals");
    }
    check(PROMOTION, "e8=q", "e8=Q LowerCasePromotion");
    check(
        PROMOTION,
        "e8q",
        "e8=Q PromotionWithoutEquals LowerCasePromotion",
    );
    check(
        PROMOTION,
        "e8b",
        "e8=B PromotionWithoutEquals LowerCasePromotion",
    );
    check(PROMOTION, "e8", "it does not say what the pawn becomes");
    check(PROMOTION, "e7-e8", "it does not say what the pawn becomes");
    check(PROMOTION, "e8=K", "a pawn cannot become a king");
    check(PROMOTION, "e8K", "a pawn cannot become a king");
    check(PROMOTION, "e8P", "a pawn cannot become a pawn");
    for text in ["e8=", "e8=X", "e8X", "e8/"] {
        check(PROMOTION, text, "no move");
    }
}

#[test]
fn small_and_capital_letters() {
    check(START, "nf3", "Nf3 LowerCasePiece");
    check(START, "NF3", "Nf3 UpperCaseFile");
    check(START, "E4", "e4 UpperCaseFile");
    check(OPEN, "bb5", "Bb5 LowerCasePiece");
    check(OPEN, "bd3b5", "Bb5 NeedlessSquare LowerCasePiece");
    check(OPEN, "qe2", "Qe2 LowerCasePiece");
    check(START, "Pe4", "e4 PawnLetter");
    check(START, "pe4", "e4 PawnLetter");
    check(CASTLING, "rxa8+", "Rxa8+ LowerCasePiece");
}

#[test]
fn a_small_b_may_be_a_bishop_where_a_pawn_move_is_not_standard() {
    let both = "4k3/8/8/8/2B5/2n5/1P1B4/4K3 w - - 0 1";
    let position = position(both);
    for (word, bishop) in [("bb3", "c4b3"), ("bc3", "d2c3")] {
        let (read, _) = LenientSan::read(word.as_bytes(), LetterSet::english()).unwrap();
        let found = read.bishop_instead(&position).unwrap();
        assert_eq!(
            found.uci(CastlingMode::Standard).to_string(),
            bishop,
            "{word}"
        );
    }
    for word in ["bxc3", "b3", "b4", "Bb3", "b2b3"] {
        let (read, _) = LenientSan::read(word.as_bytes(), LetterSet::english()).unwrap();
        assert_eq!(read.bishop_instead(&position), None, "{word}");
    }
}

#[test]
fn a_small_b_is_a_file_wherever_a_pawn_can_go() {
    // Bishop and pawn can both capture on c3.
    let both = "4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1";
    check(both, "bxc3", "bxc3");
    check(both, "Bxc3", "Bxc3");
    check(both, "bc3", "bxc3 MissingCaptureMark PawnOrBishop");
    let bishop = "4k3/8/8/8/8/2n5/3B4/4K3 w - - 0 1";
    check(bishop, "bxc3", "Bxc3 LowerCasePiece");
    check(bishop, "bc3", "Bxc3 MissingCaptureMark LowerCasePiece");
    check(bishop, "b2xc3", "White has no piece on b2");
    check(bishop, "d2xc3", "Bxc3 LongAlgebraic");
    let both = "4k3/8/8/8/8/8/1PB5/4K3 w - - 0 1";
    check(both, "bb3", "b3 NeedlessFile PawnOrBishop");
    check(both, "b3", "b3");
    // A bishop's capital letter is never read as a file.
    let pawn = "4k3/8/8/8/8/2n5/1P6/4K3 w - - 0 1";
    check(pawn, "Bxc3", "White has no bishop");
    check(pawn, "BXC3", "White has no bishop");
}

#[test]
fn en_passant_that_is_named() {
    for text in [
        "exd6e.p.#",
        "exd6ep#",
        "exd6#e.p.",
        "exd6# e.p.",
        "exd6# e. p.",
    ] {
        check(EN_PASSANT, text, "exd6# EnPassantMark");
    }
    check(
        EN_PASSANT,
        "exd6 e.p.",
        "exd6# MissingMateMark EnPassantMark",
    );
    check(EN_PASSANT, "Qa7 e.p.", "Qa7 SpuriousEnPassantMark");
    check(START, "e4ep", "e4 SpuriousEnPassantMark");
}

#[test]
fn words_that_are_no_moves() {
    for text in [
        "", "N", "Nf", "Nf9", "i4", "e9", "hello", "1-0", "=", "+-", "TN", "Nf3xyz", "e4e5Nf3",
        "QxRd8", "P-K4", "(Q)", "e4 e5",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    for text in ["--", "Z0", "null", "0000", "@@@@"] {
        assert_eq!(read(text).unwrap().plus.san, San::Null, "{text}");
    }
}

#[test]
fn cases_of_other_programs() {
    let Some(table) = corpus::text("outcomes/san_cases.tsv") else {
        return;
    };
    let mut cases = 0;
    for row in corpus::rows(&table) {
        let [fen, text, expected, _, canonical, ..] = row[..] else {
            panic!("{row:?}");
        };
        cases += 1;
        let found = meaning(fen, text);
        let agrees = match expected {
            "AMBIGUOUS" => found.contains(" can go to "),
            "ERROR" => [
                "it does not say what the pawn becomes",
                "the king cannot reach g1",
                "a pawn capture must name the file the pawn comes from",
            ]
            .contains(&&*found),
            "null" => found == "a null move is not a legal move",
            _ => {
                let standard = found.split(' ').next().unwrap_or_default();
                let position = position(fen);
                let uci = San::from_ascii(standard.as_bytes())
                    .ok()
                    .and_then(|san| san.find(&position))
                    .map(|mv| mv.uci(position.castling_mode()).to_string());
                uci.as_deref() == Some(expected) && (canonical.is_empty() || standard == canonical)
            }
        };
        assert!(agrees, "`{text}` in `{fen}`: {found}");
    }
    assert!(cases >= 29, "{cases} cases");
}

#[test]
fn what_standard_notation_reads_is_read_alike() {
    const SEED: u64 = 0x0dd0_1e77;
    eprintln!("seed {SEED:#x}");
    let mut random = Random(SEED);
    let pieces: [&[u8]; 5] = [b"NBRQKP", b"abcdefgh", b"12345678", b"x=+#-", b"Oqn@Z0"];
    let (mut read_by_both, mut words) = (0, 0);
    while read_by_both < 20_000 {
        let word: Vec<u8> = (0..1 + random.below(7))
            .map(|_| {
                let letters = pieces[random.below(pieces.len())];
                letters[random.below(letters.len())]
            })
            .collect();
        words += 1;
        assert!(words < 50_000_000);
        let Ok(strict) = SanPlus::from_ascii(&word) else {
            continue;
        };
        if matches!(strict.san, San::Drop { .. }) {
            continue;
        }
        read_by_both += 1;
        let shown = String::from_utf8_lossy(&word).into_owned();
        let lenient = LenientSan::read(&word, LetterSet::english());
        let (lenient, length) = lenient.unwrap_or_else(|| panic!("{shown}"));
        assert_eq!((lenient.plus, length), (strict, word.len()), "{shown}");
    }
}

/// A way to write all moves of a game.
type Style = fn(&Position, Move, SanPlus) -> String;

fn marks(plus: SanPlus) -> String {
    plus.suffix
        .map(|suffix| suffix.mark().to_string())
        .unwrap_or_default()
}

fn long(before: &Position, mv: Move, plus: SanPlus, dash: &str) -> String {
    if mv.castling_side().is_some() {
        return plus.to_string().replace('-', dash);
    }
    let letter = match mv.role {
        Role::Pawn => String::new(),
        role => role.letter().to_string(),
    };
    let sign = if mv.captured.is_some() { "x" } else { dash };
    let promotion = mv.promotion().map(|role| format!("={}", role.letter()));
    let _ = before;
    format!(
        "{letter}{}{sign}{}{}{}",
        mv.from,
        mv.to,
        promotion.unwrap_or_default(),
        marks(plus)
    )
}

/// Notation styles that identify every move.
const STYLES: [(&str, Style); 12] = [
    ("standard", |_, _, plus| plus.to_string()),
    ("no marks", |_, _, plus| plus.san.to_string()),
    ("no captures", |_, _, plus| {
        plus.to_string().replace('x', "")
    }),
    ("colons", |_, _, plus| plus.to_string().replace('x', ":")),
    ("long", |before, mv, plus| long(before, mv, plus, "-")),
    ("long with dashes", |before, mv, plus| {
        long(before, mv, plus, "\u{2013}")
    }),
    ("engine", |before, mv, _| {
        mv.uci(before.castling_mode()).to_string()
    }),
    ("promotions without equals", |_, _, plus| {
        plus.to_string().replace('=', "")
    }),
    ("promotions in parentheses", |_, mv, plus| {
        match mv.promotion() {
            Some(role) => plus.to_string().replace(
                &format!("={}", role.letter()),
                &format!("({})", role.letter()),
            ),
            None => plus.to_string(),
        }
    }),
    ("small pieces", |_, mv, plus| {
        // A small `b` is a bishop only if the move of the b-pawn is illegal.
        if mv.role == Role::Bishop || mv.castling_side().is_some() {
            return plus.to_string();
        }
        let text = plus.to_string();
        let (first, rest) = text.split_at(1);
        format!("{}{rest}", first.to_lowercase())
    }),
    ("capital files", |_, mv, plus| match mv.castling_side() {
        Some(_) => plus.to_string(),
        // `BXC3` is a bishop move, so pawns of the b-file keep their small letter.
        None if mv.role == Role::Pawn && mv.from.file().letter() == 'b' => plus.to_string(),
        None => plus.to_string().to_uppercase(),
    }),
    (
        "castling in zeros and small letters",
        |_, mv, plus| match mv.castling_side() {
            Some(CastlingSide::King) => format!("o-0{}", marks(plus)),
            Some(CastlingSide::Queen) => format!("0-o-O{}", marks(plus)),
            None => plus.to_string(),
        },
    ),
];

/// Writes the main line of a game in a style.
fn rewrite(start: &Position, moves: &[Move], style: Style) -> String {
    let mut text = String::new();
    let mut position = start.clone();
    for &mv in moves {
        let after = position.after(mv);
        text += &style(&position, mv, SanPlus::of(&position, mv, &after));
        text.push(if text.len().is_multiple_of(7) {
            '\n'
        } else {
            ' '
        });
        position = after;
    }
    text + "*\n"
}

fn moves(text: &[u8], reader: &mut Reader) -> (Vec<Move>, bool) {
    let game = reader.read(text, None);
    let mut replay = Replay::new(game, Position::initial());
    let mut moves = Vec::new();
    while let Some(ply) = replay.play() {
        moves.push(ply.mv);
    }
    (moves, replay.stop().is_none())
}

fn check_styles(text: &[u8]) -> usize {
    let mut reader = Reader::new();
    let mut games = 0;
    for game in text
        .split(|&byte| byte == b'[')
        .filter_map(|part| {
            part.windows(2)
                .position(|end| end == b"]\n")
                .map(|at| &part[at + 2..])
        })
        .filter(|movetext| movetext.len() > 100)
    {
        let (original, _) = moves(game, &mut reader);
        games += 1;
        for (name, style) in STYLES {
            let rewritten = rewrite(&Position::initial(), &original, style);
            let (found, whole) = moves(rewritten.as_bytes(), &mut reader);
            assert!(whole && found == original, "{name}:\n{rewritten}");
        }
    }
    games
}

#[test]
fn famous_games_in_every_style() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    assert_eq!(check_styles(&std::fs::read(path).unwrap()), 5);
}

#[test]
fn real_games_in_every_style() {
    let Some(text) = corpus::text("bulk/twic1427.pgn") else {
        return;
    };
    let games = check_styles(&text.as_bytes()[..400_000]);
    assert!(games > 300, "{games}");
}

#[test]
fn squares_with_a_dash_or_a_capture_mark_and_signs_after_a_move() {
    check(START, "g1-f3", "Nf3 LongAlgebraic");
    check(START, "g1\u{2013}f3", "Nf3 LongAlgebraic OddDash");
    check(START, "Nf3,", "Nf3 SignBehindMove");
    check(START, "g1-f3,", "Nf3 LongAlgebraic SignBehindMove");
    check(CASTLING, "e1-g1", "O-O LongAlgebraic");
    check(
        EN_PASSANT,
        "exd6(e.p.)",
        "exd6# MissingMateMark MarkInParentheses",
    );
    check(
        EN_PASSANT,
        "exd6 (ep)",
        "exd6# MissingMateMark MarkInParentheses",
    );
    check(EN_PASSANT, "exd6(e.p.)#", "exd6# MarkInParentheses");
    check(
        "k7/8/1K6/8/8/8/8/7R w - - 0 1",
        "Rh8(#)",
        "Rh8# MarkInParentheses",
    );
}
