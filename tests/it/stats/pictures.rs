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

/// Draws a chart of the games of some years, one bar each.
fn chart(scratch: &Scratch, name: &str, years: usize, key: &str) -> Vec<u8> {
    let flags = ["--by", key, "--chart-kind", "bars"];
    drawn(scratch, name, &games(years), &flags)
}

/// Draws a chart with an empty environment, as on a machine without fonts.
fn drawn(scratch: &Scratch, name: &str, games: &str, flags: &[&str]) -> Vec<u8> {
    let input = scratch.file("games.pgn", games.as_bytes());
    let path = scratch.path().join(name);
    let words = ["stats", "-q", "--chart", path.to_str().unwrap(), &input];
    let output = command(&[&words, flags].concat())
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

/// Texts of a chart in SVG.
fn texts(svg: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(svg).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    nodes
        .map(|node| node.text().unwrap().trim().to_owned())
        .collect()
}

/// Rectangles of a colour in a chart in SVG: left, top, width and height.
fn rectangles(svg: &[u8], color: &str) -> Vec<[i32; 4]> {
    let text = std::str::from_utf8(svg).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && node.attribute("fill") == Some(color));
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name)?.parse().ok();
    nodes
        .map(|node| ["x", "y", "width", "height"].map(|name| number(&node, name).unwrap()))
        .collect()
}

/// One game a result, with tags before the result.
fn some_games(tags: &str, results: &[&str]) -> String {
    let game = |result: &&str| format!("{tags}\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n");
    results.iter().map(game).collect()
}

#[test]
fn a_chart_has_a_title_axes_a_total_and_its_source() {
    let scratch = Scratch::new("chart-texts");
    let pgn = some_games("[Date \"1999.01.01\"]", &["1-0", "0-1", "*", "0-0"]);
    for kind in ["bars", "trend"] {
        let flags = ["--by", "year", "--chart-kind", kind, "--source", "rules"];
        let texts = texts(&drawn(&scratch, "a.svg", &pgn, &flags));
        let source = format!(
            "Source: {}/games.pgn (results by the rules fide)",
            scratch.path().display()
        );
        let expected = [
            "Results by year",
            "Total: 2 games; 2 with no or another result",
            "White won",
            "drawn",
            "Black won",
            "share of games",
            "year",
            "games",
            "1999",
            "50 %",
            &source,
        ];
        for text in expected {
            assert!(
                texts.iter().any(|it| it == text),
                "{kind}: {text} in {texts:?}"
            );
        }
    }
}

#[test]
fn the_source_of_a_chart_names_what_was_read() {
    let scratch = Scratch::new("chart-sources");
    let path = scratch.path().join("a.svg");
    let path = path.to_str().unwrap();
    let check = |words: &[&str], source: &str| {
        let ran = run(&[&["stats", "-q", "--chart", path], words].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let texts = texts(&std::fs::read(path).unwrap());
        assert_eq!(texts.last().map(String::as_str), Some(source));
    };
    let [famous, endings] = ["fixtures/famous.pgn", "fixtures/endings.pgn"];
    check(&[famous], "Source: fixtures/famous.pgn (recorded results)");
    check(
        &[famous, endings, famous, endings, famous],
        "Source: fixtures/famous.pgn, fixtures/endings.pgn, fixtures/famous.pgn and 2 more \
         (recorded results)",
    );
    check(
        &["--merge", "fixtures/famous.json", "fixtures/endings.json"],
        "Source: fixtures/famous.json, fixtures/endings.json (recorded results)",
    );
}

#[test]
fn a_trend_stacks_the_shares_of_each_year() {
    let scratch = Scratch::new("chart-trend");
    let year =
        |year: u32, results: &[&str]| some_games(&format!("[Date \"{year}.??.??\"]"), results);
    let pgn = [
        year(2003, &["1-0", "1/2-1/2", "0-1", "0-1"]),
        year(2001, &["1-0", "1-0", "1-0", "0-1"]),
        year(2002, &["1/2-1/2"; 2]),
        // A gap: a column is missing.
        year(2005, &["0-1"]),
        some_games("", &["1-0"; 3]),
    ];
    let svg = drawn(&scratch, "a.svg", &pgn.concat(), &["--by", "year"]);
    let texts = texts(&svg);
    for text in [
        "2001",
        "2002",
        "2003",
        "2005",
        "3 games of unknown year left out",
    ] {
        assert!(texts.iter().any(|it| it == text), "{text} in {texts:?}");
    }
    // Without the boxes of the legend, which stand above, and the labels, which are lower.
    let columns = |color| -> Vec<[i32; 4]> {
        let mut columns = rectangles(&svg, color);
        columns.retain(|&[_, top, width, height]| top > 100 && width > 100 && height > 20);
        columns.sort_unstable();
        columns
    };
    let (white, grey, black) = (columns("#FFFFFF"), columns("#AAAAAA"), columns("#262626"));
    let heights = |columns: &[[i32; 4]]| columns.iter().map(|it| it[3]).collect::<Vec<_>>();
    assert_eq!(heights(&white), [225, 75]);
    assert_eq!(heights(&grey), [300, 75]);
    assert_eq!(heights(&black), [75, 150, 300]);
    // The years 2001, 2002, 2003 and 2005, with one column of space.
    let width = (960 - white[0][0] - 16) / 5;
    for (column, nth) in [
        (white[0], 0),
        (grey[0], 1),
        (white[1], 2),
        (grey[1], 2),
        (black[1], 2),
        (black[2], 4),
    ] {
        let place = column[0] - white[0][0];
        assert!((place - nth * width).abs() <= 4, "{column:?} {nth}");
    }
    // White's part is at the bottom, Black's at the top.
    assert_eq!(black[0][1] + 75, white[0][1]);
    assert_eq!(white[1][1] + 75, white[0][1] + 225);
}

#[test]
fn ordered_keys_have_a_trend_unless_bars_are_asked_for() {
    let scratch = Scratch::new("chart-kinds");
    let pgn = |diff: i32| {
        let tags = format!(
            "[Date \"2001.0{}.??\"]\n[WhiteElo \"{}\"]\n[BlackElo \"2000\"]",
            diff.rem_euclid(9) + 1,
            2000 + diff
        );
        some_games(&tags, &["1-0", "1/2-1/2"])
    };
    let all: String = [-250, -150, -60, 0, 40, 60, 160].map(pgn).concat();
    let is_trend = |flags: &[&str]| {
        let svg = drawn(&scratch, "a.svg", &all, flags);
        // Only a trend has no column of games.
        let texts = texts(&svg);
        texts.iter().any(|text| text == "0") && texts.iter().any(|text| text == "share of games")
    };
    for key in ["year", "month", "elo", "elo-diff", "plies"] {
        assert!(is_trend(&["--by", key]), "{key}");
        assert!(!is_trend(&["--by", key, "--top", "3"]), "{key}");
        assert!(!is_trend(&["--by", key, "--chart-kind", "bars"]), "{key}");
    }
    for flags in [
        &["--by", "white"][..],
        &[],
        &["--by", "year", "--by", "elo"],
    ] {
        assert!(!is_trend(flags), "{flags:?}");
        let path = scratch.path().join("b.svg");
        let words = [
            "stats",
            "--chart-kind",
            "trend",
            "--chart",
            path.to_str().unwrap(),
        ];
        let ran = run(&[&words, flags, &["fixtures/famous.pgn"]].concat());
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.stderr.contains("`--chart-kind trend` needs one key"),
            "{}",
            ran.stderr
        );
        assert!(!path.exists());
    }
    // Bands of differences are symmetric around 0, and follow each other without gaps.
    let svg = drawn(&scratch, "a.svg", &all, &["--by", "elo-diff"]);
    let texts = texts(&svg);
    for band in [
        "−249 to −150",
        "−149 to −50",
        "−49 to 49",
        "50 to 149",
        "150 to 249",
    ] {
        assert!(texts.iter().any(|it| it == band), "{band} in {texts:?}");
    }
}

#[test]
fn a_wrong_year_does_not_squeeze_the_others() {
    let scratch = Scratch::new("chart-gap");
    let years = [1, 1998, 1999, 2000, 2001];
    let pgn = years.map(|year| some_games(&format!("[Date \"{year:04}.??.??\"]"), &["0-1"]));
    let svg = drawn(&scratch, "a.svg", &pgn.concat(), &["--by", "year"]);
    let widths = rectangles(&svg, "#262626")
        .into_iter()
        .filter(|it| it[3] == 300);
    let widths: Vec<_> = widths.map(|[_, _, width, _]| width).collect();
    assert_eq!(widths.len(), years.len());
    // Five columns and a gap of three.
    assert!(widths.iter().all(|&width| width > 960 / 9), "{widths:?}");
}

#[test]
fn a_chart_has_the_width_asked_for() {
    let scratch = Scratch::new("chart-width");
    let long = some_games(&format!("[Event \"{}\"]", "long ".repeat(30)), &["1-0"]);
    for (width, key) in [("400", "event"), ("400", "year"), ("1600", "event")] {
        let flags = ["--by", key, "--chart-width", width];
        let svg = drawn(&scratch, "a.svg", &(long.clone() + &games(30)), &flags);
        let text = std::str::from_utf8(&svg).unwrap();
        let document = roxmltree::Document::parse(text).unwrap();
        assert_eq!(document.root_element().attribute("width"), Some(width));
        // Half of the picture at least is for the shares.
        let limit: i32 = width.parse().unwrap();
        let parts = rectangles(&svg, "#262626");
        let right = parts
            .iter()
            .map(|[left, _, width, _]| left + width)
            .max()
            .unwrap();
        assert!((limit / 2..limit).contains(&right), "{right}");
        for color in ["#FFFFFF", "#AAAAAA", "#262626"] {
            for [left, _, width, _] in rectangles(&svg, color) {
                assert!(left >= 0 && left + width <= limit);
            }
        }
    }
    for flags in [&["--chart-width", "10"][..], &["--chart-width", "500"]] {
        let ran = run(&[&["stats", "fixtures/famous.pgn"], flags].concat());
        assert_eq!(ran.code, Some(2));
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
fn pixels_are_refused_with_the_reason() {
    let scratch = Scratch::new("chart-png");
    let path = scratch.path().join("a.PNG");
    let ran = run(&[
        "stats",
        "-q",
        "--chart",
        path.to_str().unwrap(),
        "fixtures/famous.pgn",
    ]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("charts are drawn as SVG, not as PNG"),
        "{}",
        ran.stderr
    );
    assert!(!path.exists());
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
