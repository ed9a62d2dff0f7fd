use crate::chess::{Color, Position, Setup};
use crate::law::rulesets::*;
use crate::law::{Facts, GameRecord};

fn position(fen: &str) -> Position {
    let setup: Setup = fen.parse().unwrap();
    Position::new(&setup).unwrap()
}

#[test]
fn every_preset_is_found_by_its_name_and_says_where_it_comes_from() {
    for rules in RULE_SETS {
        let same = RULE_SETS.iter().filter(|other| other.name == rules.name);
        assert_eq!(same.count(), 1, "{}", rules.name);
        let found = RuleSet::named(rules.name).unwrap();
        assert_eq!(found.title, rules.title);
        assert!(!rules.title.is_empty() && !rules.cite.is_empty() && !rules.source.is_empty());
    }
    assert!(RuleSet::named("FIDE").is_none());
}

#[test]
fn ends_that_hold_somewhere_have_a_place_in_the_order_of_tests() {
    for rules in RULE_SETS {
        for end in End::ALL {
            let standing = rules.standing(end);
            if matches!(standing, Standing::Automatic | Standing::OnClaim) {
                assert!(rules.order.contains(&end), "{} {end}", rules.name);
            }
        }
        assert_eq!(rules.standing(End::Checkmate), Standing::Automatic);
    }
}

#[test]
fn no_claim_without_a_form_and_no_form_without_a_claim() {
    for rules in RULE_SETS {
        for end in [End::Threefold, End::FiftyMoves] {
            let rule = rules.rule(end);
            assert_eq!(
                rules.standing(end) == Standing::OnClaim,
                rule.announced.is_some() || rule.on_board.is_some(),
                "{} {end}",
                rules.name
            );
        }
    }
}

/// Everything about a rule set that can decide a game.
fn substance(rules: &RuleSet) -> String {
    let standings = End::ALL.map(|end| rules.standing(end));
    format!(
        "{standings:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        rules.material_set,
        rules.material_is_open,
        rules.flag,
        rules.key,
        rules.fivefold_in_a_row,
        rules.rule(End::Threefold).announced.is_some(),
        rules.rule(End::Threefold).on_board.is_some(),
        rules.resignation_exception.standing,
        rules.agreement.standing,
        rules.order,
    )
}

#[test]
fn no_two_presets_decide_all_games_alike() {
    for (nth, rules) in RULE_SETS.iter().enumerate() {
        for other in &RULE_SETS[..nth] {
            let in_one = |editions: &&Editions| {
                [rules, other].map(|rules| editions.sets.iter().any(|set| set.name == rules.name))
                    == [true; 2]
            };
            // Editions may differ in articles and penalties only.
            if EDITIONS.iter().any(in_one) {
                continue;
            }
            assert_ne!(
                substance(rules),
                substance(other),
                "{} and {}",
                rules.name,
                other.name
            );
        }
    }
}

/// The standings of a preset, in the order of [`End::LISTED`].
fn row(rules: &RuleSet) -> String {
    End::LISTED
        .iter()
        .map(|&end| match rules.standing(end) {
            Standing::Automatic => 'a',
            Standing::OnClaim => 'c',
            Standing::ByDirector => 'd',
            Standing::Recorded => 'r',
            Standing::Absent => '-',
            Standing::Undefined => '?',
        })
        .collect()
}

#[test]
fn the_table_of_rules_and_rule_sets() {
    let expected = [
        ("fide-2023", "aaa-caca"),
        ("fide-2018", "aaa-caca"),
        ("fide-2017", "aaa-caca"),
        ("fide-2014", "aaa-caca"),
        ("fide-2009", "aaa-c-c-"),
        ("fide-online", "aaa-a-a-"),
        ("uscf", "aaaacdcd"),
        ("lichess", "aa-acaa-"),
        ("chesscom-2022", "aa-aa-a-"),
        ("chesscom-2007", "aa-ac?c?"),
        ("icc", "aa-ac-c-"),
        ("fics", "aa-ac-c-"),
        ("engine", "aa-aa-a-"),
        ("brettspielnetz", "aa-cc-c-"),
        ("brainking", "aa-cc-c-"),
        ("beginners", "aa?aa-a-"),
        ("classic", "aa-aa-a-"),
        ("mail", "a?------"),
    ];
    let found = RULE_SETS.map(|rules| (rules.name, row(rules)));
    assert_eq!(
        found.each_ref().map(|(name, row)| (*name, row.as_str())),
        expected
    );
}

#[test]
fn the_edition_in_force_on_a_day() {
    let check = |editions: &Editions, (year, month, day), expected: &str| {
        let found = editions.in_force(Some(Date::new(year, month, day))).name;
        assert_eq!(found, expected, "{year}-{month}-{day}");
    };
    let fide = |day, expected| check(&FIDE_EDITIONS, day, expected);
    fide((1851, 6, 21), "fide-2009");
    // Onischuk–Guseinov, played on after 75 moves by each side.
    fide((2014, 6, 20), "fide-2009");
    fide((2014, 6, 30), "fide-2009");
    fide((2014, 7, 1), "fide-2014");
    fide((2017, 6, 30), "fide-2014");
    fide((2017, 7, 1), "fide-2017");
    fide((2017, 12, 31), "fide-2017");
    fide((2018, 1, 1), "fide-2018");
    fide((2022, 12, 31), "fide-2018");
    fide((2023, 1, 1), "fide-2023");
    fide((2099, 1, 1), "fide-2023");
    check(&CHESSCOM_EDITIONS, (2019, 5, 5), "chesscom-2007");
    check(&CHESSCOM_EDITIONS, (2022, 3, 8), "chesscom-2022");
}

#[test]
fn editions_follow_each_other_and_are_presets() {
    for editions in EDITIONS {
        assert!(RuleSet::named(editions.name).is_none());
        let since: Vec<_> = editions.sets.iter().map(|rules| rules.since).collect();
        assert!(since.iter().all(Option::is_some) && since.is_sorted());
        for rules in editions.sets {
            assert!(RuleSet::named(rules.name).is_some(), "{}", rules.name);
        }
        assert_eq!(
            editions.in_force(None).name,
            editions.sets.last().unwrap().name
        );
    }
}

#[test]
fn later_editions_of_fide_only_add_ends() {
    for pair in FIDE_EDITIONS.sets.windows(2) {
        let [earlier, later] =
            [pair[0], pair[1]].map(|rules| rules.ends_that_stand(Standing::Automatic));
        assert_eq!(earlier.both(later), earlier, "{}", pair[1].name);
    }
}

#[test]
fn places_are_found_as_words() {
    let check = |place: &str, expected: &[&str]| {
        let found: Vec<_> = RULE_SETS
            .iter()
            .filter(|rules| !rules.places.is_empty() && rules.is_played_at(place))
            .map(|rules| rules.name)
            .collect();
        assert_eq!(found, expected, "{place}");
    };
    check("https://lichess.org/5jr9agap", &["lichess"]);
    check("lichess.org int", &["lichess"]);
    check("chess.com int", &["chesscom-2022", "chesscom-2007"]);
    check("playchess.com int", &[]);
    check("icc int", &["icc"]);
    check("mexiccity", &[]);
    check("fics freechess.org", &["fics"]);
    check("tcec22 league 1", &["engine"]);
    check("ccrl 40/40", &["engine"]);
    check("moscow rus", &[]);
}

#[test]
fn articles_are_numbered_as_in_their_edition() {
    let threefold = |rules: &RuleSet| {
        [
            rules.rule(End::Threefold).announced,
            rules.rule(End::Threefold).on_board,
        ]
        .map(|form| rules.cite(form).to_string())
    };
    assert_eq!(
        threefold(&FIDE),
        ["FIDE 2023 art. 9.2.1", "FIDE 2023 art. 9.2.2"]
    );
    assert_eq!(
        threefold(&FIDE_2018),
        ["FIDE 2018 art. 9.2.1.1", "FIDE 2018 art. 9.2.1.2"]
    );
    assert_eq!(
        threefold(&FIDE_2014),
        ["FIDE 2014 art. 9.2a", "FIDE 2014 art. 9.2b"]
    );
    assert_eq!(FIDE.cite(None).to_string(), "FIDE 2023");
    assert_eq!(LICHESS.cite_end(End::FiftyMoves).to_string(), "lichess");
}

#[test]
fn resigning_against_one_who_cannot_mate_is_a_draw_since_2023_only() {
    let standing = |rules: &RuleSet| rules.resignation_exception.standing;
    assert_eq!(standing(&FIDE), Standing::Automatic);
    assert_eq!(standing(&FIDE_2018), Standing::Absent);
    assert!(
        FIDE.resignation_exception
            .is_later_than(Date::new(2022, 12, 31))
    );
    assert!(
        !FIDE
            .resignation_exception
            .is_later_than(Date::new(2023, 1, 1))
    );
}

#[test]
fn draws_without_a_claim_began_on_1_july_2014() {
    // Onischuk–Guseinov was played on 20 June 2014.
    assert!(
        FIDE.rule(End::SeventyFiveMoves)
            .is_later_than(Date::new(2014, 6, 20))
    );
    assert!(
        !FIDE
            .rule(End::SeventyFiveMoves)
            .is_later_than(Date::new(2014, 7, 1))
    );
    assert!(
        !FIDE
            .rule(End::FiftyMoves)
            .is_later_than(Date::new(1991, 1, 1))
    );
}

/// The automatic end of a position.
fn ended(rules: &RuleSet, position: &Position) -> Option<End> {
    let record = GameRecord::new(position.clone(), None);
    let ended = Facts::of(record, [rules.key]).automatic_end(rules, None);
    ended.map(|(_, end)| end)
}

#[test]
fn mate_comes_before_material_but_not_on_chesscom() {
    // One bishop each; the king in the corner is hemmed in by his own.
    let mate = position("kb6/8/1K6/8/4B3/8/8/8 b - - 0 1");
    assert!(mate.is_checkmate());
    for (rules, end) in [
        (&FIDE, End::Checkmate),
        (&USCF, End::Checkmate),
        (&LICHESS, End::Checkmate),
        (&ICC, End::Checkmate),
        (&CHESSCOM, End::InsufficientMaterial),
    ] {
        assert_eq!(ended(rules, &mate), Some(end), "{}", rules.name);
    }
}

#[test]
fn stalemate_with_a_lone_minor() {
    let stalemate = position("k7/8/1KN5/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_stalemate());
    assert_eq!(ended(&FIDE, &stalemate), Some(End::Stalemate));
}

#[test]
fn which_material_ends_the_game_where() {
    let check = |fen: &str, ending: &[&str]| {
        let board = *position(fen).board();
        let found: Vec<_> = RULE_SETS
            .iter()
            .filter(|rules| rules.material_set.holds(&board))
            .map(|rules| rules.name)
            .collect();
        assert_eq!(found, ending, "{fen}");
    };
    let lists = [
        "uscf",
        "lichess",
        "chesscom-2022",
        "chesscom-2007",
        "icc",
        "fics",
        "engine",
        "brettspielnetz",
        "brainking",
        "beginners",
        "classic",
    ];
    check("8/8/4k3/8/8/3K4/8/8 w - - 0 1", &lists);
    check("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", &lists);
    check("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", &lists);
    // Bishops on squares of one colour, e3 and d6; of both, e3 and e6.
    check(
        "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1",
        &["uscf", "lichess", "chesscom-2022", "icc", "engine"],
    );
    let one_each = ["chesscom-2022", "icc"];
    check("8/8/k3b3/8/8/3KB3/8/8 w - - 0 1", &one_each);
    check("8/8/k3n3/8/8/3KB3/8/8 w - - 0 1", &one_each);
    check("8/8/k3n3/8/8/3KN3/8/8 w - - 0 1", &one_each);
    check("8/8/k7/8/8/3KNN2/8/8 w - - 0 1", &["chesscom-2022"]);
    check("8/8/k3n3/8/8/3KNN2/8/8 w - - 0 1", &[]);
    // Two bishops on squares of one colour, f2 and e3, against none and against one.
    check("8/8/k7/8/8/3KB3/5B2/8 w - - 0 1", &["lichess", "engine"]);
    check("8/8/k2b4/8/8/3KB3/5B2/8 w - - 0 1", &["lichess", "engine"]);
    check("8/8/k7/8/8/3KP3/8/8 w - - 0 1", &[]);
}

#[test]
fn who_cannot_win_on_time_where() {
    let check = |fen: &str, [exact, minor, against_king, without_pawns]: [bool; 4]| {
        let board = *position(fen).board();
        let held = [
            TooLittle::Exact,
            TooLittle::LoneMinor,
            TooLittle::LoneMinorOrTwoKnightsAgainstKing,
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns,
        ]
        .map(|set| set.holds(&board, Color::White));
        assert_eq!(held, [exact, minor, against_king, without_pawns], "{fen}");
    };
    check("8/8/k2r4/8/8/3K4/8/8 w - - 0 1", [true; 4]);
    // A knight mates a king whom his own rook, knight, bishop or pawn hems in, but not his queen.
    check("8/8/k2q4/8/8/3KN3/8/8 w - - 0 1", [true; 4]);
    check("8/8/k2r4/8/8/3KN3/8/8 w - - 0 1", [false, true, true, true]);
    check("8/8/kp6/8/8/3KN3/8/8 w - - 0 1", [false, true, true, true]);
    // A bishop on dark squares needs a knight, a pawn or a bishop on light squares against it.
    check("8/8/k2r4/8/8/3KB3/8/8 w - - 0 1", [true; 4]);
    check("8/8/k2n4/8/8/3KB3/8/8 w - - 0 1", [false, true, true, true]);
    check("8/8/k3b3/8/8/3KB3/8/8 w - - 0 1", [false, true, true, true]);
    check("8/8/k2b4/8/8/3KB3/8/8 w - - 0 1", [true; 4]);
    // Two knights.
    check("8/8/k7/8/8/3KNN2/8/8 w - - 0 1", [false, false, true, true]);
    check(
        "8/8/k2r4/8/8/3KNN2/8/8 w - - 0 1",
        [false, false, false, true],
    );
    check("8/8/kp6/8/8/3KNN2/8/8 w - - 0 1", [false; 4]);
    check("8/8/k7/8/8/3KP3/8/8 w - - 0 1", [false; 4]);
    // Two bishops on squares of one colour.
    check(
        "8/8/k7/8/8/3KB3/5B2/8 w - - 0 1",
        [true, false, false, false],
    );
}
