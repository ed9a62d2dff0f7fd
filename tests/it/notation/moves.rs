//! Notation of moves: what strict SAN and the lenient reader make of a text, and why a move is
//! rejected.

use arbiter::chess::san::SanPlus;
use arbiter::chess::{CastlingMode, CastlingSide, Move, Position, Role, San};
use arbiter::notation::{LenientSan, LetterSet, NotationVariant, NotationVariants, fallback_move};
use arbiter::replay::{Reader, Replay};

use crate::{corpus, position};

use crate::chess::random_games::Random;

fn read(text: &str) -> Option<LenientSan> {
    let (lenient, length) = LenientSan::read(text.as_bytes(), LetterSet::english())?;
    (length == text.len()).then_some(lenient)
}

const NOT_NOTATION: &str = "not notation";

/// The move that a text names in SAN, or the reason for rejecting it.
fn strict(position: &Position, text: &str) -> Result<Move, String> {
    let san = San::from_ascii(text.as_bytes()).map_err(|_| NOT_NOTATION.to_owned())?;
    san.to_move(position).map_err(|error| error.to_string())
}

/// The move that reader and replay find in SAN with its notation variants, or the reason for
/// rejecting it.
fn lenient(position: &Position, text: &str) -> String {
    let Some(lenient) = read(text) else {
        return NOT_NOTATION.to_owned();
    };
    let san = lenient.plus.san;
    let names_pawn = lenient.variants.has(NotationVariant::PawnLetter);
    let second = || fallback_move(san, position).filter(|_| !names_pawn);
    let Some(mv) = san.find(position).or_else(second) else {
        return san.why_not(position).to_string();
    };
    let after = position.after(mv);
    let all: NotationVariants = NotationVariant::ALL.iter().copied().collect();
    let found = lenient.variants(position, mv, &after, all);
    let found: Vec<_> = found.iter().map(|one| format!("{one:?}")).collect();
    let standard = SanPlus::of(position, mv, &after);
    format!("{standard} {}", found.join(" ")).trim().to_owned()
}

/// Both readings of a text, as `san_cases.txt` writes them.
fn readings(position: &Position, text: &str) -> String {
    let lenient = lenient(position, text);
    let (strict, is_same) = match strict(position, text) {
        Ok(mv) => {
            let canonical = SanPlus::of(position, mv, &position.after(mv)).to_string();
            let uci = mv.uci(position.castling_mode());
            (format!("{uci} {canonical}"), lenient == canonical)
        }
        Err(reason) => (reason.clone(), lenient == reason),
    };
    if is_same {
        strict
    } else {
        format!("{strict} | {lenient}")
    }
}

#[test]
fn each_text_is_read_as_its_case_says() {
    let (mut cases, mut wrong, mut board) = (0, Vec::new(), Position::initial());
    for line in include_str!("san_cases.txt").lines() {
        if let Some(case) = line.strip_prefix("  ") {
            cases += 1;
            let (text, _) = case.split_once(" | ").unwrap();
            let found = format!("{text} | {}", readings(&board, text));
            if found != case {
                wrong.push(format!("{board}\n  {case}\n  {found}"));
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            board = position(line);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases >= 238, "{cases} cases");
}

/// Corpus texts outside strict notation.
const NOT_STRICT: [&str; 4] = ["f1Q", "exd6 e.p.", "e2-e4", "Nb1-c3"];

/// Reasons why the lenient reader rejects texts of the corpus.
const REJECTED: [&str; 3] = [
    "it does not say what the pawn becomes",
    "the king cannot reach g1",
    "a pawn capture must name the file the pawn comes from",
];

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
        let position = position(fen);
        let agrees = |mv: Option<Move>, reason: &str| match expected {
            "AMBIGUOUS" => reason.contains(" can go to "),
            "ERROR" => mv.is_none(),
            "null" => reason == "a null move is not a legal move",
            _ => mv.is_some_and(|mv| {
                let written = SanPlus::of(&position, mv, &position.after(mv)).to_string();
                mv.uci(position.castling_mode()).to_string() == expected
                    && (canonical.is_empty() || written == canonical)
            }),
        };
        let strict = strict(&position, text);
        let reason = strict.clone().err().unwrap_or_default();
        assert!(
            agrees(strict.ok(), &reason) || NOT_STRICT.contains(&text) && reason == NOT_NOTATION,
            "`{text}` in `{fen}`: {reason}"
        );
        let lenient = lenient(&position, text);
        let standard = lenient.split(' ').next().unwrap_or_default();
        let san = San::from_ascii(standard.as_bytes()).ok();
        let mv = san.and_then(|san| san.find(&position));
        assert!(
            agrees(mv, &lenient) && (expected != "ERROR" || REJECTED.contains(&&*lenient)),
            "`{text}` in `{fen}`: {lenient}"
        );
    }
    assert!(cases >= 29, "{cases} cases");
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
