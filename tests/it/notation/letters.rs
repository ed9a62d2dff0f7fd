//! Games in the piece letters of other languages.

use arbiter::chess::san::PieceMove;
use arbiter::chess::san::SanPlus;
use arbiter::chess::{Move, Position, Role, San};
use arbiter::notation::{LETTER_SETS, LetterSet};
use arbiter::replay::{Reader, Replay, Start};

use crate::arbiter_command::{Scratch, run};
use crate::corpus;

/// Moves of the main line, and whether all of them are legal.
fn moves(reader: &mut Reader, text: &[u8]) -> (Vec<Move>, bool) {
    let game = reader.read(text, None);
    let Ok((start, _)) = Start::of(game, text, &Position::initial()) else {
        return (Vec::new(), false);
    };
    let mut replay = Replay::new(game, start.position);
    let mut moves = Vec::new();
    while let Some(ply) = replay.play() {
        moves.push(ply.mv);
    }
    (moves, replay.stop().is_none())
}

/// A move in other letters.
fn word(plus: SanPlus, set: &LetterSet) -> String {
    let english = plus.to_string();
    let letters = |role: Role| (role.letter(), set.letter(role));
    match plus.san {
        San::Piece(PieceMove {
            role, promotion, ..
        }) => {
            let (english_letter, letter) = letters(role);
            let mut word = if role == Role::Pawn {
                english
            } else {
                english.replacen(english_letter, letter, 1)
            };
            if let Some(promotion) = promotion {
                let (english_letter, letter) = letters(promotion);
                word = word.replace(&format!("={english_letter}"), &format!("={letter}"));
            }
            word
        }
        _ => english,
    }
}

/// Writes a game in other letters, and returns whether any move contains one.
fn translate(moves: &[Move], set: &LetterSet) -> (String, bool) {
    let mut text = String::from("[Event \"x\"]\n\n");
    let mut position = Position::initial();
    let mut differs = false;
    for (ply, &mv) in moves.iter().enumerate() {
        let after = position.after(mv);
        let plus = SanPlus::of(&position, mv, &after);
        let word = word(plus, set);
        differs |= word != plus.to_string();
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &word;
        text.push(if ply % 8 == 7 { '\n' } else { ' ' });
        position = after;
    }
    (text + "*\n", differs)
}

/// Number of games, and of games in which each set is recognised. Each game is read in every set.
#[derive(Default)]
struct Found {
    games: usize,
    recognised: usize,
    /// Games that are legal in two sets with different moves, or in English.
    open: usize,
}

fn check_games(text: &[u8]) -> Found {
    let mut reader = Reader::new();
    let mut found = Found::default();
    let whole = text
        .split(|&byte| byte == b'[')
        .filter_map(|part| {
            let end = part.windows(2).position(|end| end == b"]\n")?;
            Some(&part[end + 2..])
        })
        .filter(|movetext| movetext.len() > 200);
    for movetext in whole {
        let (original, _) = moves(&mut reader, movetext);
        for set in &LETTER_SETS[1..] {
            let (text, differs) = translate(&original, set);
            if !differs {
                continue;
            }
            found.games += 1;
            let mut forced = Reader::new().in_letters(Some(set));
            let read = moves(&mut forced, text.as_bytes());
            assert_eq!(read, (original.clone(), true), "{set}:\n{text}");

            let read = moves(&mut reader, text.as_bytes());
            let game = reader.read(text.as_bytes(), None);
            let Some(letters) = game.letters else {
                found.open += 1;
                continue;
            };
            assert_eq!(read, (original.clone(), true), "{set}:\n{text}");
            assert!(
                letters.sets().any(|one| std::ptr::eq(one, set)),
                "{set}, taken for {}:\n{text}",
                letters.first()
            );
            found.recognised += 1;
        }
    }
    found
}

#[test]
fn famous_games_in_all_letters() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    let found = check_games(&std::fs::read(path).unwrap());
    assert_eq!(found.games, 5 * (LETTER_SETS.len() - 1));
    assert_eq!((found.recognised, found.open), (found.games, 0));
}

#[test]
fn real_games_in_all_letters() {
    let Some(text) = corpus::text("bulk/twic1427.pgn") else {
        return;
    };
    let found = check_games(&text.as_bytes()[..200_000]);
    println!("{} of {}", found.recognised, found.games);
    assert!(found.games > 4_000, "{}", found.games);
    // A draw of a few moves may be legal in two sets with different moves.
    assert!(
        found.open * 1_000 <= found.games,
        "{} of {}",
        found.open,
        found.games
    );
}

#[test]
fn real_games_are_english() {
    let Some(folder) = corpus::path("bulk") else {
        return;
    };
    let mut reader = Reader::new();
    for name in ["twic1427.pgn", "chesscom.pgn", "annotated_variations.pgn"] {
        let text = std::fs::read(folder.join(name)).unwrap();
        for movetext in text.split(|&byte| byte == b'[') {
            assert_eq!(reader.read(movetext, None).letters, None, "{name}");
        }
    }
}

fn check(movetext: &str, expected: &[&str]) {
    let mut reader = Reader::new();
    let game = reader.read(movetext.as_bytes(), None);
    let sets: Vec<_> = game
        .letters
        .into_iter()
        .flat_map(|letters| letters.sets().map(LetterSet::name))
        .collect();
    assert_eq!(sets, expected, "{movetext}");
}

#[test]
fn english_wins_where_it_is_whole() {
    check("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", &[]);
    // Legal as pawn moves, and as Dutch knight moves.
    check("1. e4 e5 2. Pf3 Pc6 *", &[]);
    // The Russian knight has the letter of the English king.
    check("1. e4 e5 2. Ke2 Ke7 *", &[]);
}

#[test]
fn letters_that_are_english_ones_too() {
    check("1. e4 e5 2. Pf3 Pc6 3. Pxe5 Pxe5 *", &["Dutch"]);
    check(
        "1. e4 e5 2. Kf3 Kc6 3. Sc4 *",
        &["Russian in Latin letters"],
    );
    check("1. e4 e5 2. Rf3 Rc6 3. Bc4 Bc5 *", &["Icelandic"]);
    let kings = [
        "French",
        "Spanish",
        "Portuguese",
        "Romanian",
        "Esperanto",
        "Indonesian",
    ];
    check("1. e4 e5 2. Re2 Re7 3. Re3 Re6 *", &kings);
}

#[test]
fn a_wrong_move_is_not_another_language() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2B w - - 0 1\"]\n\n";
    check(&format!("{fen}1. Rd1 *"), &[]);
    check(&format!("{fen}1. Rd1 Rd8 2. Rc2 *"), &[]);
}

#[test]
fn one_word_of_another_language_is_an_error() {
    check("1. e4 e5 2. Sf3 Nc6 3. Bb5 *", &[]);
    check("1. e4 e5 2. Sf3 Sc6 3. Bb5 *", &[]);
    check("1. e4 e5 2. Sf3 Sc6 3. Lb9 *", &[]);
    // Knights, bishops or kings: ambiguous.
    check("1. e4 e5 2. Re2 Re7 3. d4 *", &[]);
    check("1. e4 e5 2. \u{2658}f3 Nc6 *", &[]);
}

#[test]
fn other_notation_in_other_letters() {
    check("1. e2-e4 e7-e5 2. Sg1-f3 Sb8-c6 3. Lf1-b5 *", &["German"]);
    check(
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. 0-0 d6 5. L:c6+ *",
        &["German"],
    );
    let promotion = "[FEN \"8/4P3/8/8/8/8/k7/7K w - - 0 1\"]\n\n";
    check(&format!("{promotion}1. e8D Ka3 2. De3+ *"), GERMAN_QUEEN);
    check(&format!("{promotion}1. e8(D) Ka3 2. De3+ *"), GERMAN_QUEEN);
}

/// Languages with king K and queen D.
const GERMAN_QUEEN: &[&str] = &[
    "German",
    "Dutch",
    "Czech",
    "Finnish",
    "Icelandic",
    "Latvian",
];

#[test]
fn variations_are_read_in_the_letters_of_the_main_line() {
    let text = "1. e4 e5 2. Sf3 (2. Lc4 Lc5 3. Dh5) 2... Sc6 3. Lb5 *";
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    assert!(game.faults.is_empty(), "{:?}", game.faults);
}

#[test]
fn a_set_can_be_forced() {
    let scratch = Scratch::new("letters");
    let file = scratch.file(
        "game.pgn",
        "[Event \"x\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Ab5 *\n".as_bytes(),
    );
    for set in ["spanish", "it", "Catal\u{e0}"] {
        let ran = run(&[
            "replay",
            "-q",
            "--format",
            "fen",
            "--piece-letters",
            set,
            &file,
        ]);
        let last = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\n";
        assert_eq!((ran.code, ran.stdout().as_str()), (Some(0), last), "{set}");
    }
    let ran = run(&[
        "validate",
        "-q",
        "--format",
        "concise",
        "--piece-letters",
        "en",
        &file,
    ]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout().contains("error[E203] `Cf3`"), "{ran:?}");
    let ran = run(&["validate", "--piece-letters", "martian", &file]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no such piece letters"), "{ran:?}");
}
