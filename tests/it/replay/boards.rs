//! Text boards and SVG boards.

use std::fs;

use arbiter::chess::{Bitboard, Setup};
use roxmltree::{Document, Node};

use super::of_file;
use crate::arbiter_command::Scratch;

/// SVG boards of all positions of a game, by ply.
fn pictures(path: &str, name: &str, more: &[&str]) -> Vec<String> {
    let folder = Scratch::new(name);
    let into = folder.path().join("boards");
    let into = into.to_str().unwrap();
    let flags = [
        "--board",
        "svg",
        "--board-dir",
        into,
        "--at",
        "0-",
        "--games",
        "1",
    ];
    let ran = of_file(&[&flags, more].concat(), path);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut pictures = Vec::new();
    for ply in 0.. {
        let stem = path.rsplit('/').next().unwrap().trim_end_matches(".pgn");
        let file = format!("{into}/{stem}-1-{ply}.svg");
        let Ok(picture) = fs::read_to_string(&file) else {
            break;
        };
        assert!(ran.stdout().contains(&file), "{file} is not named");
        pictures.push(picture);
    }
    assert_eq!(fs::read_dir(into).unwrap().count(), pictures.len());
    pictures
}

/// Piece placement of an SVG board, as in a FEN.
fn placement(svg: &Document<'_>) -> String {
    let mut board = [[b'.'; 8]; 8];
    for piece in svg
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")))
    {
        let place = |name| (piece.attribute(name).unwrap().parse::<usize>().unwrap() - 50) / 100;
        let letter = piece
            .attribute(("http://www.w3.org/1999/xlink", "href"))
            .unwrap();
        let letter = letter.strip_prefix('#').unwrap();
        assert!(
            svg.descendants()
                .any(|node| node.attribute("id") == Some(letter)),
            "{letter}"
        );
        board[place("y")][place("x")] = letter.as_bytes()[0];
    }
    let ranks = board.map(|rank| String::from_utf8(rank.to_vec()).unwrap());
    ranks.join("/")
}

/// Piece placement of a FEN with a dot for each empty square.
fn spelled(fen: &str) -> String {
    let setup: Setup = fen.parse().unwrap();
    let mut text = String::new();
    for byte in fen.split(' ').next().unwrap().bytes() {
        match byte {
            b'1'..=b'8' => text.push_str(&".".repeat(usize::from(byte - b'0'))),
            _ => text.push(char::from(byte)),
        }
    }
    assert_eq!(text.bytes().filter(u8::is_ascii_alphabetic).count(), {
        let all: Bitboard = setup.board.occupied();
        all.count()
    });
    text
}

#[test]
fn pictures_show_the_position_the_last_move_and_the_check() {
    let fens = of_file(
        &["--format", "fen", "--at", "0-", "--games", "1"],
        "fixtures/famous.pgn",
    );
    let csv = of_file(&["--format", "csv", "--games", "1"], "fixtures/famous.pgn").stdout();
    let checks: Vec<bool> = csv
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(7) == Some("true"))
        .collect();
    let pictures = pictures("fixtures/famous.pgn", "replay-svg", &[]);
    assert_eq!(pictures.len(), 46);
    for (ply, (picture, fen)) in pictures.iter().zip(fens.stdout().lines()).enumerate() {
        let svg = Document::parse(picture).unwrap();
        assert_eq!(placement(&svg), spelled(fen), "ply {ply}");
        let count =
            |wanted: &dyn Fn(&Node<'_, '_>) -> bool| svg.descendants().filter(wanted).count();
        let marked = count(&|node| node.attribute("fill-opacity").is_some());
        assert_eq!(marked, if ply == 0 { 0 } else { 2 }, "ply {ply}");
        let in_check = count(&|node| node.attribute("fill") == Some("url(#check)"));
        assert_eq!(
            in_check,
            usize::from(ply > 0 && checks[ply - 1]),
            "ply {ply}"
        );
    }
    let last = Document::parse(&pictures[45]).unwrap();
    let title = last
        .descendants()
        .find_map(|node| node.text().filter(|_| node.tag_name().name() == "title"));
    assert_eq!(
        title,
        Some("fixtures/famous.pgn, game 1, after 23.Be7#, Black to move")
    );
}

#[test]
fn a_flipped_picture_is_the_same_board_turned_by_180_degrees() {
    let white = pictures("fixtures/famous.pgn", "replay-svg-white", &[]);
    let black = pictures("fixtures/famous.pgn", "replay-svg-black", &["--flip"]);
    assert_eq!(white.len(), black.len());
    for (ply, (white, black)) in white.iter().zip(&black).enumerate() {
        let [white, black] = [white, black].map(|picture| Document::parse(picture).unwrap());
        let turned: String = placement(&black).chars().rev().collect();
        assert_eq!(turned, placement(&white), "ply {ply}");
        let labels = |svg: &Document<'_>| -> String {
            let texts = svg.descendants().filter(|node| node.has_tag_name("text"));
            texts
                .filter_map(|node| node.text().map(str::to_owned))
                .collect()
        };
        assert_eq!(labels(&white), "abcdefgh87654321");
        assert_eq!(labels(&black), "hgfedcba12345678");
        // The squares of the last move, and the king in check.
        let marked = |svg: &Document<'_>, turned: bool| -> Vec<[usize; 2]> {
            let marks = svg.descendants().filter(|node| {
                node.attribute("fill-opacity").is_some()
                    || node.attribute("fill") == Some("url(#check)")
            });
            marks
                .map(|node| {
                    [["x", "cx"], ["y", "cy"]].map(|names| {
                        let place = names.into_iter().find_map(|name| node.attribute(name));
                        let nth = (place.unwrap().parse::<usize>().unwrap() - 50) / 100;
                        if turned { 7 - nth } else { nth }
                    })
                })
                .collect()
        };
        assert_eq!(marked(&white, false), marked(&black, true), "ply {ply}");
    }
}

#[test]
fn a_disc_shows_whose_move_it_is() {
    for flags in [&[][..], &["--flip"]] {
        for (ply, picture) in pictures("fixtures/famous.pgn", "replay-svg-turn", flags)
            .iter()
            .enumerate()
        {
            let svg = Document::parse(picture).unwrap();
            let disc = svg
                .descendants()
                .find(|node| node.attribute("id") == Some("turn"))
                .unwrap();
            let (side, fill) = [("White", "#fff"), ("Black", "#2b2b2b")][ply % 2];
            assert_eq!(disc.attribute("fill"), Some(fill), "ply {ply}");
            assert!(picture.contains(&format!("<title>{side} to move</title>")));
            // White's is at the bottom, unless the board is flipped.
            let is_low = disc.attribute("cy") == Some("800");
            assert_eq!(is_low, (ply % 2 == 0) == flags.is_empty(), "ply {ply}");
        }
    }
}

#[test]
fn boards_in_text_are_flipped_and_name_the_side_to_move() {
    let path = "fixtures/findings/E302.pgn";
    let ran = of_file(&["--at", "0-1", "--board", "unicode", "--flip"], path);
    let text = ran.stdout();
    assert!(
        text.contains("at the beginning, White to move\n      1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖\n"),
        "{text}"
    );
    assert!(text.contains("after 1.f3, Black to move\n"), "{text}");
    assert!(text.contains("\n        h g f e d c b a\n"), "{text}");
    // `--at` draws boards too; without them there is nothing to flip.
    assert!(
        of_file(&["--at", "1", "--flip"], path)
            .stdout()
            .contains("h   g   f")
    );
    for flags in [&["--flip"][..], &["--flip", "--at", "1", "--format", "fen"]] {
        let ran = of_file(flags, path);
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.stderr.contains("`--flip` needs `--board`"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_name_that_a_picture_must_escape() {
    let folder = Scratch::new("replay-svg-name");
    let path = folder.file("a & <b>.pgn", b"1. e4 *\n");
    let into = folder.path().join("boards");
    let into = into.to_str().unwrap();
    let ran = of_file(&["--board", "svg", "--board-dir", into], &path);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let picture = fs::read_to_string(format!("{into}/a----b-1-1.svg")).unwrap();
    let svg = Document::parse(&picture).unwrap();
    let title = svg
        .descendants()
        .find(|node| node.tag_name().name() == "title")
        .unwrap();
    assert!(
        title
            .text()
            .unwrap()
            .contains("a & <b>.pgn, game 1, after 1.e4")
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = Scratch::new("replay-svg-folder");
    let file = folder.file("taken", b"");
    let ran = of_file(
        &["--board", "svg", "--board-dir", &file],
        "fixtures/famous.pgn",
    );
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains(&file), "{}", ran.stderr);
}
