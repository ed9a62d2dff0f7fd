//! Charts, and bars in the terminal.

use std::collections::BTreeSet;
use std::process::Stdio;

use crate::arbiter_command::{Scratch, command, run};

/// Games of several years, with all results.
fn games(years: usize) -> String {
    (0..years)
        .flat_map(|year| {
            ["1-0", "1/2-1/2", "0-1"].map(|result| {
                format!("[Date \"{}.??.??\"]\n[White \"<&>\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n", 1900 + year)
            })
        })
        .collect()
}

/// Draws a chart with an empty environment, as on a machine without fonts.
fn chart(scratch: &Scratch, name: &str, years: usize, key: &str) -> Vec<u8> {
    let input = scratch.file("games.pgn", games(years).as_bytes());
    let path = scratch.path().join(name);
    let output = command(&[
        "stats",
        "-q",
        "--by",
        key,
        "--chart",
        path.to_str().unwrap(),
        &input,
    ])
    .env_clear()
    .stdin(Stdio::null())
    .output()
    .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::read(path).unwrap()
}

#[test]
fn a_drawing_names_every_group_and_share() {
    let scratch = Scratch::new("chart-svg");
    for years in [2, 60] {
        let text = String::from_utf8(chart(&scratch, "a.svg", years, "year")).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let texts: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .map(|node| node.text().unwrap().trim())
            .collect();
        for year in 0..years {
            assert!(
                texts.contains(&(1900 + year).to_string().as_str()),
                "{year}"
            );
        }
        assert_eq!(
            texts.iter().filter(|text| **text == "33 %").count(),
            3 * years
        );
        // Everything is within the image, and no two rows overlap.
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
            node.attribute(name).unwrap().parse().unwrap()
        };
        let root = document.root_element();
        let (width, height) = (number(&root, "width"), number(&root, "height"));
        let mut rows = BTreeSet::new();
        for node in document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
        {
            assert!(
                (0.0..width).contains(&number(&node, "x"))
                    && (0.0..height).contains(&number(&node, "y"))
            );
            if node.text().unwrap().trim().starts_with("19") {
                rows.insert(number(&node, "y") as i64);
            }
        }
        let gaps: Vec<_> = rows
            .iter()
            .zip(rows.iter().skip(1))
            .map(|(a, b)| b - a)
            .collect();
        assert_eq!(rows.len(), years);
        assert!(gaps.iter().all(|&gap| gap >= 20), "{gaps:?}");
    }
}

#[test]
fn a_name_is_no_markup() {
    let scratch = Scratch::new("chart-markup");
    let text = String::from_utf8(chart(&scratch, "a.svg", 1, "white")).unwrap();
    assert!(text.contains("&lt;&amp;&gt;"), "{text}");
    roxmltree::Document::parse(&text).unwrap();
}

#[test]
fn a_picture_has_three_shades_and_letters() {
    let scratch = Scratch::new("chart-png");
    for years in [2, 60] {
        let bytes = chart(&scratch, "a.png", years, "year");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(frame.width, 960);
        let count = |shade: u8| {
            pixels
                .chunks(3)
                .filter(|pixel| **pixel == [shade; 3])
                .count()
        };
        let all = pixels.len() / 3;
        assert!(count(255) > all / 4 && count(170) > all / 20 && count(38) > all / 20);
        // Letters are anti-aliased: many shades besides the three.
        let shades: BTreeSet<_> = pixels.chunks(3).map(|pixel| pixel[0]).collect();
        assert!(shades.len() > 50, "{}", shades.len());
    }
}

#[test]
fn more_groups_than_anybody_looks_at_are_left_out() {
    let scratch = Scratch::new("chart-many");
    let text = String::from_utf8(chart(&scratch, "a.svg", 300, "year")).unwrap();
    assert!(text.contains("100 groups left out"));
}

#[test]
fn a_chart_is_not_drawn_over_an_input() {
    let scratch = Scratch::new("chart-over");
    let input = scratch.file("games.svg", games(1).as_bytes());
    let ran = run(&["stats", "-q", "--chart", &input, &input]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(std::fs::read_to_string(&input).unwrap(), games(1));
    let ran = run(&["stats", "-q", "--chart", "/nowhere/a.svg", &input]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("cannot write `/nowhere/a.svg`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_bar_of_blocks_stands_beside_each_row_in_colour_only() {
    let words = ["stats", "-q", "--by", "year", "fixtures/famous.pgn"];
    assert!(!run(&words).stdout().contains('█'));
    let colored = run(&[&words[..], &["--color", "always"]].concat()).stdout();
    let rows: Vec<_> = colored
        .lines()
        .filter(|line| line.contains('\u{1b}'))
        .collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let blocks = row.chars().filter(|c| "█▒░".contains(*c)).count();
        assert_eq!(blocks, 30, "{row}");
        assert!(row.ends_with("\u{1b}[0m"), "{row}");
    }
}

#[test]
fn a_run_that_finds_no_game_leaves_the_chart_as_it_was() {
    let scratch = Scratch::new("no-chart");
    let old = scratch.file("old.svg", b"an old chart");
    let new = scratch.path().join("new.svg").to_str().unwrap().to_owned();
    for chart in [&old, &new] {
        let ran = run(&["stats", "-q", "--chart", chart, "no-such-file.pgn"]);
        assert_eq!(ran.code, Some(2));
    }
    assert_eq!(std::fs::read(&old).unwrap(), b"an old chart");
    assert!(!std::path::Path::new(&new).exists());
    let ran = run(&["stats", "-q", "--chart", &old, "fixtures/famous.pgn"]);
    assert_eq!(ran.code, Some(0));
    assert!(std::fs::read(&old).unwrap().starts_with(b"<svg"));
}
