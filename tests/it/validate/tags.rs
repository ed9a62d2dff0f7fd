//! Tag pairs: valid ones have no finding, invalid ones have the expected one.

use arbiter::findings::{Checks, Codes};
use arbiter::pgn::TagName;
use arbiter::replay::Reader;

use crate::corpus;
use crate::found::{codes, findings, game, strict};

const NO_CODE: [&str; 0] = [];

/// Codes for a tag among valid ones, without and with `--strict`.
fn of_tag(name: &str, value: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let text = game(&[(name, value)], "1. e4 *");
    (codes(&text), strict(&text))
}

#[test]
fn values_of_the_standard_have_no_finding() {
    for (name, value) in [
        ("Event", "F/S Return Match"),
        ("Event", "The \\\"Big\\\" one \\\\ or not"),
        ("Site", "Belgrade, Serbia JUG"),
        ("Date", "1992.11.04"),
        ("Date", "1992.??.??"),
        ("Date", "2024.02.29"),
        ("Round", "29"),
        ("Round", "3.1"),
        ("Round", "4.1.2"),
        ("Round", "-"),
        ("White", "Fischer, Robert J."),
        ("White", "Jones:Smith:Zacharias"),
        ("WhiteElo", "2785"),
        ("WhiteElo", "-"),
        ("WhiteElo", "?"),
        ("WhiteElo", "2400:2300"),
        ("BlackUSCF", "1905"),
        ("WhiteTitle", "GM"),
        ("WhiteTitle", "IM:-:GM"),
        ("WhiteType", "program"),
        ("WhiteNA", "someone@example.org"),
        ("EventDate", "1992.09.02"),
        ("UTCDate", "1992.11.04"),
        ("Time", "15:00:00"),
        ("UTCTime", "14:00:??"),
        ("TimeControl", "40/7200:20/3600:900"),
        ("TimeControl", "4500+60"),
        ("TimeControl", "300"),
        ("TimeControl", "*180"),
        ("TimeControl", "?"),
        ("TimeControl", "-"),
        ("ECO", "C95"),
        ("ECO", "A00/01"),
        ("Termination", "normal"),
        ("Termination", "rules infraction"),
        ("Mode", "OTB"),
        ("Board", "4"),
        ("PlyCount", "1"),
        ("Annotator", "Lasker, Emanuel"),
        ("SetUp", "0"),
        ("Zebra", "any name will do"),
    ] {
        let found = of_tag(name, value);
        assert_eq!(found, (vec![], vec![]), "[{name} \"{value}\"]");
    }
}

#[test]
fn values_that_are_wrong_have_a_warning() {
    for (name, value, code) in [
        ("Date", "1992.02.30", "W108"),
        ("Date", "1992.13.01", "W108"),
        ("Date", "04.11.1992", "W108"),
        ("Date", "1992-11-04", "W108"),
        ("Date", "1992", "W108"),
        ("Date", "2992.01.01", "W108"),
        ("EventDate", "2023.02.29", "W108"),
        ("UTCDate", "2023.00.01", "W108"),
        ("WhiteElo", "25OO", "W109"),
        ("BlackElo", "-2500", "W109"),
        ("BlackElo", "25000", "W109"),
        ("WhiteUSCF", "expert", "W109"),
        ("Round", "1/2", "W110"),
        ("Round", "3.", "W110"),
        ("TimeControl", "40/0", "W111"),
        ("TimeControl", "300:180", "W111"),
        ("TimeControl", "5+", "W111"),
        ("TimeControl", "xyz", "W111"),
        ("TimeControl", "180+2d", "W111"),
        ("TimeControl", "G/90;+30", "W111"),
        ("TimeControl", "G/60;d5", "W111"),
        ("TimeControl", "15|10", "W111"),
        ("TimeControl", "0+0", "W111"),
        ("TimeControl", "5400/40+30", "W111"),
        ("ECO", "F00", "W112"),
        ("ECO", "B9", "W112"),
        ("ECO", "Sicilian", "W112"),
        ("UTCTime", "24:00:00", "W113"),
        ("Time", "noon", "W113"),
        ("SetUp", "yes", "W115"),
        ("PlyCount", "2", "W116"),
        ("PlyCount", "one", "W116"),
    ] {
        let found = of_tag(name, value);
        assert_eq!(found, (vec![code], vec![code]), "[{name} \"{value}\"]");
    }
}

#[test]
fn values_that_are_in_use_are_left_to_strict() {
    for (name, value) in [
        ("Date", "?"),
        ("WhiteElo", "0"),
        ("WhiteElo", "1500?"),
        ("BlackElo", "++++"),
        ("Round", "?.1"),
        ("Round", "2.1(4)"),
        ("TimeControl", "60+0.1"),
        ("TimeControl", "90 minutes + 30 seconds increment per move"),
        ("TimeControl", "G/90;inc30"),
        ("ECO", "B90m"),
        ("UTCTime", "9:05:00 a.m."),
        ("Time", "12:30"),
        ("WhiteTitle", "LM"),
        ("WhiteType", "computer"),
        ("Termination", "White forfeits on time"),
        ("Mode", "over the board"),
        ("Board", "four"),
    ] {
        let found = of_tag(name, value);
        assert_eq!(found, (vec![], vec!["N126"]), "[{name} \"{value}\"]");
    }
    for (name, code) in [("WhiteElo", "N125"), ("Opening", "N125"), ("Zebra", "N125")] {
        assert_eq!(of_tag(name, ""), (vec![], vec![code]), "[{name} \"\"]");
    }
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        let found = of_tag(name, "");
        assert_eq!(found, (vec!["N120"], vec!["N120"]), "[{name} \"\"]");
    }
    let long = "x".repeat(256);
    assert_eq!(of_tag("Annotator", &long), (vec![], vec!["N127"]));
    assert_eq!(of_tag("Annotator", &long[1..]), (vec![], vec![]));
    assert_eq!(of_tag("gameId", "7"), (vec![], vec!["N128"]));
}

#[test]
fn a_finding_says_what_a_value_was_understood_to_be() {
    for (name, value, help) in [
        ("TimeControl", "60 mins", "it is read as `3600`; the forms"),
        (
            "TimeControl",
            "1 in 5 days",
            "it is read as `1/432000`; the forms",
        ),
        (
            "TimeControl",
            "15'/game & 10''/move",
            "it is read as `900+10`; the forms",
        ),
        ("Date", "Sun Jul 09 2023", "write `2023.07.09`"),
        ("Date", "May 2013", "write `2013.05.??`"),
        ("Date", "May-June 2013", "use question marks"),
    ] {
        let text = game(&[(name, value)], "*");
        let found = findings(text.as_bytes(), &Checks::new(true, &[], &[]));
        let (finding, _) = found.iter().find(|(_, marked)| marked == value).unwrap();
        let said = finding.help.as_deref().unwrap_or_default();
        assert!(said.starts_with(help), "[{name} \"{value}\"]: {said}");
    }
}

#[test]
fn a_finding_points_at_the_value_and_says_why() {
    let text = game(&[("Date", "2021.02.30"), ("ECO", "F00")], "1. e4 *");
    let found = findings(text.as_bytes(), &Checks::default());
    let told: Vec<_> = found
        .iter()
        .map(|(finding, marked)| (marked.as_str(), finding.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "2021.02.30",
                "`2021.02.30` is not a date: February 2021 has 28 days"
            ),
            ("F00", "`F00` is not an opening code: codes are A00 to E99"),
        ]
    );
}

/// Value of a tag in the first game of a text.
fn value(pgn: &str, name: &str) -> String {
    let mut reader = Reader::new();
    let game = reader.read(pgn.as_bytes(), None);
    let tag = game.tag(pgn.as_bytes(), name).unwrap();
    String::from_utf8(tag.unescape(pgn.as_bytes()).into_owned()).unwrap()
}

#[test]
fn quotes_that_are_not_escaped() {
    for (line, expected, code) in [
        ("[Event \"The \"Big\" one\"]", "The \"Big\" one", "W107"),
        ("[Event \"Club \"Victory\"\"]", "Club \"Victory\"", "W107"),
        ("[Event \"\"Big\" one\"]", "\"Big\" one", "W107"),
        ("[Event \"a \"b\"] c\" ]  ", "a \"b\"] c", "W107"),
        ("[Event \"a \"b\\\" c\"]", "a \"b\" c", "W107"),
        ("[Event \"the \"big one]", "the \"big one", "E101"),
        ("[Event \"the big one]", "the big one", "E102"),
        ("[Event \"the big one", "the big one", "E102"),
        ("[Event \"the big one \\\"]", "the big one \\", "E102"),
    ] {
        let text = game(&[], "1. e4 *").replacen("[Event \"?\"]", line, 1);
        assert_eq!(codes(&text), [code], "{line}");
        assert_eq!(value(&text, "Event"), expected, "{line}");
        assert_eq!(value(&text, "Result"), "*", "{line}");
        // The next game is separate, whatever the line contains.
        let both = format!("{text}\n{}", game(&[("ECO", "F00")], "1. d4 *"));
        assert_eq!(codes(&both), [code, "W112"], "{line}");
    }
}

#[test]
fn pairs_that_are_empty_or_malformed() {
    for line in [
        "[]",
        "[Event]",
        "[Event Morphy]",
        "[Event 'Morphy']",
        "[\"Morphy\"]",
        "[Event (a) \"Morphy\"]",
    ] {
        let text = game(&[], "1. e4 *").replacen("[Event \"?\"]", line, 1);
        assert_eq!(codes(&text), ["E101"], "{line}");
    }
    let text = game(&[], "1. e4 *");
    assert_eq!(
        codes(&text.replacen("[Site \"?\"]", "[Event \"?\"]", 1)),
        ["W105"]
    );
    assert_eq!(
        codes(&text.replacen("[White", "[EVENT \"again\"]\n[White", 1)),
        ["N121", "W105"]
    );
}

#[test]
fn names_in_other_letters_are_read() {
    let text = game(&[], "1. e4 *").replace("[White \"?\"]", "[white \"Morphy, Paul\"]");
    assert_eq!(codes(&text), ["N121"]);
    assert_eq!(value(&text, "White"), "Morphy, Paul");
    let mut reader = Reader::new();
    let read = reader.read(text.as_bytes(), None);
    assert!(read.known(TagName::White).is_some());
    assert!(read.has_roster());
}

#[test]
fn order_and_layout_are_left_to_strict() {
    let plain = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    let with = |tags: &str| format!("{tags}\n1. e4 *\n");
    assert_eq!(strict(&with(plain)), NO_CODE);
    assert_eq!(strict(&with(plain).replace('\n', "\r\n")), NO_CODE);
    let bom = format!("\u{feff}{}", with(plain));
    assert_eq!(strict(&bom), NO_CODE);
    for (tags, code) in [
        (plain.replace("[Site \"?\"]\n", ""), "N122"),
        (
            plain.replace(
                "[White \"?\"]\n[Black \"?\"]\n",
                "[Black \"?\"]\n[White \"?\"]\n",
            ),
            "N123",
        ),
        (format!("[ECO \"A00\"]\n{plain}"), "N123"),
        (format!("{plain}[Zebra \"?\"]\n[Ape \"?\"]\n"), "N123"),
        (plain.replace("[Site \"?\"]\n", "[Site  \"?\"]\n"), "N124"),
        (plain.replace("[Site \"?\"]\n", "[Site \"?\" ]\n"), "N124"),
        (plain.replace("[Site \"?\"]\n", "[ Site \"?\"]\n"), "N124"),
        (plain.replace("[Site \"?\"]\n", " [Site \"?\"]\n"), "N124"),
        (plain.replace("[Site \"?\"]\n", "[Site \"?\"] "), "N124"),
        (plain.replace("[Site \"?\"]\n", "[Site \"?\"] \n"), "N124"),
        (plain.replace("[Site \"?\"]\n", "[Site \"?\"]\n\n"), "N124"),
        (format!("{plain}\n"), "N124"),
    ] {
        let text = with(&tags);
        assert_eq!(codes(&text), NO_CODE, "{tags}");
        assert_eq!(strict(&text), [code], "{tags}");
    }
    let no_blank_line = format!("{plain}1. e4 *\n");
    assert_eq!(codes(&no_blank_line), NO_CODE);
    assert_eq!(strict(&no_blank_line), ["N124"]);
    let others = format!("{plain}[Ape \"?\"]\n[ECO \"A00\"]\n[Zebra \"?\"]\n");
    assert_eq!(strict(&with(&others)), NO_CODE);
}

#[test]
fn missing_tags_are_named() {
    let text = "[Event \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 *\n";
    let only = Checks::new(false, &[Codes::from_text("N122", false).unwrap()], &[]);
    let found = findings(text.as_bytes(), &only);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.message, "Site, Date, Round are missing");
}

#[test]
fn players_and_result_are_missed_by_default() {
    let full = game(&[], "1. e4 *");
    for (line, said) in [
        ("[White \"?\"]\n", "White is missing"),
        ("[Black \"?\"]\n", "Black is missing"),
        ("[Result \"*\"]\n", "Result is missing"),
    ] {
        let text = full.replace(line, "");
        assert_ne!(text, full);
        for checks in [Checks::default(), Checks::new(true, &[], &[])] {
            let found = findings(text.as_bytes(), &checks);
            let told: Vec<_> = found
                .iter()
                .map(|(finding, _)| (finding.rule.code, finding.message.as_str()))
                .collect();
            assert_eq!(told, [("W129", said)]);
        }
    }
    let other = full.replace("[Site \"?\"]\n", "");
    assert_eq!(codes(&other), NO_CODE);
    // The malformed line already has a finding.
    assert_eq!(codes(&full.replace("[White \"?\"]", "[White ?]")), ["E101"]);
}

#[test]
fn a_misspelled_name_of_the_roster() {
    for (written, meant) in [("Whte", "White"), ("Resutl", "Result"), ("Evnt", "Event")] {
        let text = game(&[], "1. e4 *").replace(&format!("[{meant} "), &format!("[{written} "));
        let found = findings(text.as_bytes(), &Checks::default());
        let told: Vec<_> = found
            .iter()
            .map(|(finding, marked)| (finding.rule.code, finding.help.clone(), marked.clone()))
            .collect();
        let help = format!("did you mean `{meant}`?");
        assert_eq!(told, [("W130", Some(help), written.to_owned())]);
    }
    let others = game(
        &[("Source", "x"), ("Team", "y"), ("WhiteTeam", "z")],
        "1. e4 *",
    );
    assert_eq!(codes(&others), NO_CODE);
}

#[test]
fn the_moves_of_another_variant_are_not_judged() {
    for (variant, movetext) in [
        ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4 @d6 N@@f3 *"),
        ("Antichess", "1. e3 b5 2. Bxb5 a1=K xx? K:b5?? *"),
        ("Xiangqi", "1. C2.5 H8+7 2. P-7f 炮二平五 *"),
    ] {
        let text = game(&[("Variant", variant)], movetext);
        assert_eq!(codes(&text), ["N103"], "{variant}");
    }
}

#[test]
fn where_the_game_begins() {
    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const OTHER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let check = |tags: &[(&str, &str)], expected: &[&str]| {
        let text = game(tags, "1. e4 *");
        assert_eq!(codes(&text), expected, "{tags:?}");
    };
    check(&[("SetUp", "1"), ("FEN", OTHER)], &[]);
    check(&[("FEN", OTHER)], &["N114"]);
    check(&[("FEN", INITIAL)], &[]);
    check(&[("SetUp", "0"), ("FEN", INITIAL)], &[]);
    check(&[("SetUp", "0"), ("FEN", OTHER)], &["W115"]);
    check(&[("SetUp", "2"), ("FEN", OTHER)], &["W115"]);
    check(&[("SetUp", "1")], &["W106"]);
    check(&[("SetUp", "1"), ("FEN", "?")], &["W106"]);
    check(&[("SetUp", "0")], &[]);
    check(&[("Variant", "Standard")], &[]);
    check(&[("Variant", "From Position")], &["W106"]);
    check(&[("Variant", "Chess960")], &["W106"]);
    check(&[("Variant", "Antichess")], &["N103"]);
    check(&[("Variant", "?")], &[]);
    check(&[("SetUp", "1"), ("FEN", "4k3/8/8/8 w - - 0 1")], &["E401"]);
}

#[test]
fn plies_are_counted() {
    let check = |count: &str, movetext: &str, expected: &[&str]| {
        let text = game(&[("PlyCount", count)], movetext);
        assert_eq!(codes(&text), expected, "{count}: {movetext}");
    };
    check("3", "1. e4 e5 2. Nf3 *", &[]);
    check("4", "1. e4 e5 2. Nf3 *", &["W116"]);
    check("2", "1. e4 e5 2. Nf3 *", &["W116"]);
    check("0", "*", &["N117"]);
    check("3", "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 {Nc6} *", &[]);
    check("?", "1. e4 *", &[]);
    check("", "1. e4 *", &[]);
    // Illegal moves count.
    check("4", "1. e4 e5 2. Ke3 Nc6 *", &["E201"]);
    check("5", "1. e4 e5 2. Ke3 Nc6 *", &["W116", "E201"]);
    // An unreadable word makes the number of plies unknown.
    check("9", "1. e4 e5 2. Qx9 Nc6 *", &["E203"]);
    check("9", "1. e4 e5 (1... c5 2. Nf3 *", &["E206"]);
}

#[test]
fn tags_without_moves_and_moves_without_tags() {
    assert_eq!(codes(&game(&[], "*")), ["N117"]);
    assert_eq!(codes(&game(&[("Result", "1-0")], "1-0")), ["N117"]);
    assert_eq!(codes(&game(&[], "{not played} *")), ["N117"]);
    assert_eq!(codes(&game(&[], "{not played}")), ["N117"]);
    assert_eq!(codes("1. e4 e5 *\n"), ["W118"]);
    let two = game(&[("Result", "1-0")], "1. e4 e5 1-0\n\n1. d4 d5 0-1");
    assert_eq!(codes(&two), ["W118"]);
}

#[test]
fn text_among_the_tags_is_one_finding_and_no_move() {
    let text = "[Event \"?\"]\nThis was a hard game to read.\n[Site \"?\"]\n\n1. e4 *\n";
    let found = findings(text.as_bytes(), &Checks::default());
    let told: Vec<_> = found
        .iter()
        .map(|(finding, marked)| (finding.rule.code, marked.as_str()))
        .collect();
    assert_eq!(
        told,
        [("W129", "Event"), ("W131", "This was a hard game to read.")]
    );
    // Words that may be moves are reported one by one.
    let text = game(&[], "Qx9 Sf3 Zz");
    assert_eq!(codes(&text), ["E203", "E203", "E203", "E209"]);
}

#[test]
fn real_files_have_few_findings_about_tags() {
    // Games without moves, and one without an event.
    for (file, expected) in [
        ("annotated_variations.pgn", &[][..]),
        ("bom_eval_emt.pgn", &[]),
        ("chesscom.pgn", &[]),
        ("chesscom_no_blank_lines.pgn", &[("N117", 10), ("N120", 1)]),
        ("cutechess.pgn", &[("N117", 1)]),
        ("latin1_crlf.pgn", &[]),
        ("twic1427.pgn", &[("N117", 33)]),
    ] {
        let Some(path) = corpus::path(&format!("bulk/{file}")) else {
            return;
        };
        let mut counts = std::collections::BTreeMap::new();
        for (finding, _) in findings(&std::fs::read(path).unwrap(), &Checks::default()) {
            if finding.rule.number() / 100 == 1 {
                *counts.entry(finding.rule.code).or_insert(0) += 1;
            }
        }
        let counts: Vec<_> = counts.into_iter().collect();
        assert_eq!(counts, expected, "{file}");
    }
}

#[test]
fn a_blank_outside_ascii_in_a_tag_pair_is_named() {
    for (blank, name) in [("\u{a0}", "U+00A0"), ("\u{3000}", "U+3000")] {
        let text = format!("[White{blank}\"A\"]\n[Black \"B\"]\n\n1. e4 *\n");
        let found = findings(text.as_bytes(), &Checks::default());
        let mut help = found.iter().filter_map(|(found, _)| found.help.as_deref());
        assert!(help.any(|help| help.contains(name)), "{found:?}");
        let message = format!("`[White{blank}\"A\"]` is not a well-formed tag pair");
        assert!(
            found.iter().any(|(found, _)| found.message == message),
            "{found:?}"
        );
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let white = game.tag(text.as_bytes(), "White").unwrap();
        assert_eq!(white.value.of(text.as_bytes()), b"A");
    }
}

#[test]
fn castling_that_only_chess960_knows() {
    for (fen, moves) in [
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "1. O-O *"),
        ("r5k1/8/8/8/8/8/8/4K3 b q - 0 1", "1... O-O-O *"),
    ] {
        let found = |variant: Option<&str>| {
            let mut tags = vec![("SetUp", "1"), ("FEN", fen)];
            tags.extend(variant.map(|variant| ("Variant", variant)));
            codes(&game(&tags, moves))
        };
        assert_eq!(found(Some("Standard")), ["W403", "E201"], "{fen}");
        assert_eq!(found(Some("From Position")), ["N416"], "{fen}");
        assert_eq!(found(Some("?")), ["N416"], "{fen}");
        assert_eq!(found(None), ["N416"], "{fen}");
        assert_eq!(found(Some("Chess960")), NO_CODE, "{fen}");
    }
    let usual = [
        ("Variant", "Standard"),
        ("FEN", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("SetUp", "1"),
    ];
    assert_eq!(codes(&game(&usual, "1. O-O *")), NO_CODE);
}

#[test]
fn comments_between_tags_are_legal() {
    let text = game(&[], "{x} 1. e4 *");
    for comment in [
        " ; captain",
        " {captain}",
        "\n{captain}",
        "\n; captain",
        "\n{a\n\nb}\n% c\n",
    ] {
        let text = text.replace("\"]", &format!("\"]{comment}"));
        assert_eq!(codes(&text), [""; 0], "{text}");
        assert_eq!(value(&text, "Result"), "*");
    }
}

#[test]
fn text_beside_a_tag_is_one_finding_and_no_movetext() {
    let text = game(&[], "1. e4 *");
    for stray in [
        "\u{a0}",
        "\u{2009}",
        "<br />",
        "<br>",
        ",",
        ".",
        ";",
        "],",
        " (2500)",
        " captain",
        "\n\u{3000}",
    ] {
        let one = text.replacen("\"]", &format!("\"]{stray}"), 1);
        let all = text.replace("\"]", &format!("\"]{stray}"));
        let expected = match stray {
            // After the last tag a line of its own belongs to the movetext.
            "\n\u{3000}" => &["W131", "W263"][..],
            _ => &["W131"],
        };
        assert_eq!(codes(&one), ["W131"], "{one}");
        assert_eq!(codes(&all), expected, "{all}");
        assert_eq!(value(&all, "Result"), "*");
    }
    assert_eq!(codes(&format!("\u{a0}{text}")), ["W131"]);
    assert_eq!(
        codes(&text.replace('[', "> [").replace("\n1.", ">\n> 1.")),
        ["W131"]
    );
    for control in ["\x0b", "\n\x0c"] {
        assert_eq!(
            codes(&text.replace("\"]", &format!("\"]{control}"))),
            [""; 0]
        );
    }
    // Moves, numbers and results are movetext.
    for words in ["e4", "1. foo", "1-0", "O-O", "*", "draw"] {
        let text = text.replace("\n\n1. e4 *", &format!(" {words}\n"));
        assert!(!codes(&text).contains(&"W131"), "{text}");
    }
}

#[test]
fn a_bracket_in_the_movetext_is_one_unreadable_word() {
    for bracket in ["[D]", "[#]", "[2. f4 exf4]", "[%clk 0:01:00]"] {
        for (before, after) in [("\n", "\n"), (" ", " ")] {
            let text = game(&[], &format!("1. e4 e5{before}{bracket}{after}2. Nf3 *"));
            let found = findings(text.as_bytes(), &Checks::default());
            let told = found
                .iter()
                .map(|(finding, marked)| (finding.rule.code, marked.as_str()));
            assert_eq!(told.collect::<Vec<_>>(), [("E203", bracket)], "{text}");
        }
    }
}
