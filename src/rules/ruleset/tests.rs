use super::*;
use crate::rules::{Color, Position, Setup};

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
            let standing = rules.rule(end).standing;
            if matches!(standing, Standing::Automatic | Standing::OnClaim) {
                assert!(rules.order.contains(&end), "{} {end}", rules.name);
            }
        }
        assert_eq!(rules.checkmate.standing, Standing::Automatic);
    }
}

#[test]
fn no_claim_without_a_form_and_no_form_without_a_claim() {
    for rules in RULE_SETS {
        for end in [End::Threefold, End::FiftyMoves] {
            let forms = rules.forms(end).unwrap();
            assert_eq!(
                rules.rule(end).standing == Standing::OnClaim,
                *forms != ClaimForms::NONE,
                "{} {end}",
                rules.name
            );
        }
    }
}

/// Everything about a rule set that can decide a game.
fn substance(rules: &RuleSet) -> String {
    let standings = End::ALL.map(|end| rules.rule(end).standing);
    format!(
        "{standings:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        rules.material_set,
        rules.material_is_open,
        rules.flag,
        rules.key,
        rules.fivefold_in_a_row,
        rules.threefold_forms.announced.is_some(),
        rules.threefold_forms.on_board.is_some(),
        rules.resignation_exception.standing,
        rules.agreement.standing,
        rules.order,
    )
}

#[test]
fn no_two_presets_decide_all_games_alike() {
    for (nth, rules) in RULE_SETS.iter().enumerate() {
        for other in &RULE_SETS[..nth] {
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

/// How the presets of a row of the table stand, in the order of the list.
fn row(end: End) -> String {
    RULE_SETS
        .iter()
        .map(|rules| match rules.rule(end).standing {
            Standing::Automatic => 'a',
            Standing::OnClaim => 'c',
            Standing::Recorded => 'r',
            Standing::Absent => '-',
            Standing::Undefined => '?',
        })
        .collect()
}

#[test]
fn the_table_of_rules_and_rule_sets() {
    // fide, 2018, 2014, online, uscf; lichess, chesscom, icc, fics, engine; brettspielnetz, brainking, beginners, classic,
    // mail
    assert_eq!(row(End::Threefold), "cccacca".to_owned() + "cca" + "ccaa-");
    assert_eq!(row(End::Fivefold), "aaa--a----".to_owned() + "-----");
    assert_eq!(row(End::FiftyMoves), "cccacaacca".to_owned() + "ccaa-");
    assert_eq!(
        row(End::SeventyFiveMoves),
        "aaa-?-----".to_owned() + "-----"
    );
    assert_eq!(row(End::Stalemate), "aaaaaaaaaa".to_owned() + "aaaa?");
    assert_eq!(
        row(End::InsufficientMaterial),
        "----aaaaaa".to_owned() + "ccaa-"
    );
    assert_eq!(row(End::DeadPosition), "aaaaa-----".to_owned() + "-----");
}

#[test]
fn articles_are_numbered_as_in_their_edition() {
    let threefold = |rules: &RuleSet| {
        [
            rules.threefold_forms.announced,
            rules.threefold_forms.on_board,
        ]
        .map(|article| rules.article(article.unwrap()).to_string())
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
    assert_eq!(FIDE.article("").to_string(), "FIDE 2023");
    assert_eq!(LICHESS.article_on(End::FiftyMoves).to_string(), "lichess");
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
    assert!(FIDE.seventy_five.is_later_than(Date::new(2014, 6, 20)));
    assert!(!FIDE.seventy_five.is_later_than(Date::new(2014, 7, 1)));
    assert!(!FIDE.fifty.is_later_than(Date::new(1991, 1, 1)));
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
        assert_eq!(
            rules.first(rules.ends_on_board(&mate)),
            Some(end),
            "{}",
            rules.name
        );
    }
}

#[test]
fn stalemate_with_a_lone_minor() {
    let stalemate = position("k7/8/1KN5/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_stalemate());
    assert_eq!(
        FIDE.first(FIDE.ends_on_board(&stalemate)),
        Some(End::Stalemate)
    );
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
        "chesscom",
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
        &["uscf", "lichess", "chesscom", "icc", "engine"],
    );
    check("8/8/k3b3/8/8/3KB3/8/8 w - - 0 1", &["chesscom", "icc"]);
    check("8/8/k3n3/8/8/3KB3/8/8 w - - 0 1", &["chesscom", "icc"]);
    check("8/8/k3n3/8/8/3KN3/8/8 w - - 0 1", &["chesscom", "icc"]);
    check("8/8/k7/8/8/3KNN2/8/8 w - - 0 1", &["chesscom"]);
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
