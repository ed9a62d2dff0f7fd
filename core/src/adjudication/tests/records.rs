//! Records against the rules.

use crate::adjudication::tests::*;

#[test]
fn a_game_without_a_record_contradicts_nothing() {
    check(
        "",
        FOOLS_MATE,
        &FIDE,
        ("0-1", "checkmate", Consistent, Some(4)),
    );
    check("", "1. e4", &FIDE, ("*", "open", Consistent, None));
    check(
        &from("", "*", "unterminated"),
        "1. e4",
        &FIDE,
        ("*", "open", Consistent, None),
    );
}

#[test]
fn a_game_that_stops_is_not_decided() {
    check(
        &from("", "1-0", ""),
        "1. e4 e5 2. Ke3 Qh4",
        &FIDE,
        ("*", "incomplete", Undecided, None),
    );
}

#[test]
fn an_agreed_draw_needs_a_rule_and_a_move_by_each_side() {
    let drawn = from("", "1/2-1/2", "");
    for (moves, rules, expected) in [
        (
            "1. e4 e5",
            &FIDE,
            ("1/2-1/2", "agreement", Consistent, None),
        ),
        ("1. e4", &FIDE, ("*", "agreement", Undecided, None)),
        ("", &FIDE, ("*", "agreement", Undecided, None)),
        ("1. e4 e5", &MAIL, ("*", "open", Contradiction, None)),
        (
            "1. e4 e5",
            &BRAINKING,
            ("1/2-1/2", "agreement", Consistent, None),
        ),
    ] {
        check(&drawn, moves, rules, expected);
    }
}

#[test]
fn time_is_up_against_a_bare_king() {
    // Black has a rook, White nothing but the king.
    let fen = "8/8/4k3/8/8/8/r7/4K3 b - - 0 1";
    for (result, termination, rules, expected) in [
        (
            "1-0",
            "Anna won on time",
            &FIDE,
            ("1/2-1/2", "time-forfeit", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Game drawn by timeout vs insufficient material",
            &FIDE,
            (
                "1/2-1/2",
                "time-against-insufficient-material",
                Consistent,
                None,
            ),
        ),
        (
            "1/2-1/2",
            "Time forfeit",
            &LICHESS,
            ("1/2-1/2", "time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "Time forfeit",
            &ENGINE,
            ("1-0", "time-forfeit", Consistent, None),
        ),
        // Without a reason neither way is open under the Laws of 2023; before, a resignation was.
        (
            "1-0",
            "",
            &FIDE,
            (
                "1/2-1/2",
                "resignation-or-time-forfeit",
                Contradiction,
                None,
            ),
        ),
        (
            "1-0",
            "",
            &FIDE_2018,
            ("1-0", "resignation-or-time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "Anna won by resignation",
            &FIDE,
            ("1/2-1/2", "resignation", Contradiction, None),
        ),
        (
            "1-0",
            "Anna won by resignation",
            &FIDE_2018,
            ("1-0", "resignation", Consistent, None),
        ),
        (
            "0-1",
            "Boris won on time",
            &FIDE,
            ("0-1", "time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "time forfeit",
            &BRAINKING,
            ("*", "time-forfeit", Undecided, None),
        ),
    ] {
        let moves = if result == "0-1" {
            "1... Kd6"
        } else {
            "1... Kd6 2. Kf1"
        };
        check(&from(fen, result, termination), moves, rules, expected);
    }
}

#[test]
fn the_side_whose_clock_ran() {
    // Bare White king; the words show whose time was up, or else the side to move.
    let fen = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    let drawn = "Game drawn by timeout vs insufficient material";
    // Black to move at the end: White could not have won.
    check(
        &from(fen, "1/2-1/2", drawn),
        "1. Kf1",
        &FIDE,
        (
            "1/2-1/2",
            "time-against-insufficient-material",
            Consistent,
            None,
        ),
    );
    // White to move at the end: his time was up, and Black can mate.
    check(
        &from(fen, "1/2-1/2", drawn),
        "1. Kf1 Kd6",
        &FIDE,
        (
            "0-1",
            "time-against-insufficient-material",
            Contradiction,
            None,
        ),
    );
    check(
        &from(
            fen,
            "1/2-1/2",
            "Black ran out of time and White has no material to mate",
        ),
        "1. Kf1 Kd6",
        &FIDE,
        (
            "1/2-1/2",
            "time-against-insufficient-material",
            Consistent,
            None,
        ),
    );
}

#[test]
fn a_record_that_contradicts_itself() {
    for (result, termination, expected) in [
        (
            "1-0",
            "Anna resigned",
            ("0-1", "resignation", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Anna won by checkmate",
            ("*", "open", Contradiction, None),
        ),
        (
            "1-0",
            "Game drawn by agreement",
            ("1/2-1/2", "agreement", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Boris resigned",
            ("1-0", "resignation", Contradiction, None),
        ),
        (
            "*",
            "Boris resigned",
            ("1-0", "resignation", Consistent, None),
        ),
        (
            "1-0",
            "Anna won by checkmate",
            ("*", "open", Contradiction, None),
        ),
        ("1/2-1/2", "Stalemate", ("*", "open", Contradiction, None)),
    ] {
        check(&from("", result, termination), "1. e4 e5", &FIDE, expected);
    }
}

#[test]
fn penalties_and_defaults_need_no_mate() {
    for (termination, expected) in [
        (
            "rules infraction",
            ("*", "rules-infraction", Undecided, None),
        ),
        ("forfeit", ("*", "default", Undecided, None)),
        ("adjudication", ("*", "adjudication", Undecided, None)),
        ("abandoned", ("1-0", "abandoned", Consistent, None)),
        ("by telephone", ("*", "unknown", Undecided, None)),
    ] {
        check(&from("", "1-0", termination), "1. e4 e5", &FIDE, expected);
    }
    check(
        &from("", "1/2-1/2", "by telephone"),
        "1. e4 e5",
        &FIDE,
        ("1/2-1/2", "unknown", Consistent, None),
    );
    check(
        &from("", "0-0", "rules infraction"),
        "1. e4 e5",
        &FIDE,
        ("*", "open", Undecided, None),
    );
}

/// A ruling on a win of a bare king, in the words of a tag or of the closing comment.
fn won_by_a_bare_king(tag: &str, comment: &str, rules: &'static RuleSet) -> Ruling {
    let fen = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    let movetext = format!("1. Kf1 {comment} 1-0");
    adjudicated(&from(fen, "1-0", tag), &movetext, rules).rulings[0].clone()
}

#[test]
fn rulings_penalties_and_unknown_words_do_not_ask_who_can_mate() {
    let of_bare_king = |tag: &str, comment: &str, reason: &str| {
        let ruling = won_by_a_bare_king(tag, comment, &FIDE);
        let found = (
            ruling.result.as_str(),
            ruling.reason.as_str(),
            ruling.verdict,
        );
        assert_eq!(found, ("*", reason, Undecided), "{tag}{comment}");
        assert_eq!(
            ruling.because.as_deref(),
            Some(
                "the recorded reason may be a ruling or penalty, which does not ask who can mate \
                (FIDE 2023 art. 11.3.2.2, 12.9)"
            ),
        );
    };
    for (words, reason) in [
        ("Fair play violation", "rules-infraction"),
        ("rules infraction", "rules-infraction"),
        ("Black was cheating", "rules-infraction"),
        ("Disqualified by the organiser", "rules-infraction"),
        ("Boris disqualified", "rules-infraction"),
        ("Arbiter's decision", "adjudication"),
        ("Administrative decision", "adjudication"),
        ("6-man EGT adjudication", "adjudication"),
        ("Black's withdrawal", "default"),
        ("No show", "default"),
        ("Anna wins by default", "default"),
    ] {
        of_bare_king(words, "", reason);
        of_bare_king("", &format!("{{{words}}}"), reason);
        of_bare_king("", &format!("{{+0.31/20 1.2s, {words}}}"), reason);
    }
    for words in ["by telephone", "1-0 per Reglement"] {
        of_bare_king(words, "", "unknown");
    }
    // A resignation and a fallen flag are still asked.
    for words in ["Anna won by resignation", "Anna won on time", "", "Normal"] {
        let verdict = won_by_a_bare_king(words, "", &FIDE).verdict;
        assert_eq!(verdict, Contradiction, "{words}");
    }
    let verdict = won_by_a_bare_king("", "{a fine game}", &FIDE).verdict;
    assert_eq!(verdict, Contradiction);
    let because = won_by_a_bare_king("no show", "", &USCF).because.unwrap();
    assert!(
        because.ends_with("which does not ask who can mate (US Chess rule 11J, 13I, 1C2)"),
        "{because}"
    );
}

#[test]
fn a_bye_and_a_game_without_moves_are_no_resignation() {
    let bare = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    check(
        &from("", "1-0", ""),
        "",
        &FIDE,
        ("1-0", "unknown", Consistent, None),
    );
    check(
        &from("", "1-0", "Normal"),
        "",
        &FIDE,
        ("1-0", "unknown", Consistent, None),
    );
    check(
        &from("", "1-0", "bye"),
        "1. e4",
        &FIDE,
        ("*", "default", Undecided, None),
    );
    let ruling = adjudicated(&from(bare, "1-0", ""), "", &FIDE).rulings[0].clone();
    assert_eq!(ruling.verdict, Undecided);
    assert!(
        ruling.because.unwrap().starts_with(
            "no moves are recorded: it may be a ruling or penalty, which does not ask"
        )
    );
    let text = "[White \"Anna\"]\n[Black \"BYE\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let bye = Adjudicator::new(&[&FIDE], NODES).adjudicate(game, text.as_bytes());
    assert_eq!(bye.unwrap().rulings[0].reason.as_str(), "default");
}

#[test]
fn words_for_results_that_agree_with_the_board() {
    for (result, moves, rules, expected) in [
        ("WhiteIsMated", FOOLS_MATE, &FIDE, ("0-1", Consistent)),
        ("BlackIsMated", FOOLS_MATE, &FIDE, ("0-1", Contradiction)),
        (
            "Repetition",
            KNIGHTS_FIVE_TIMES,
            &FIDE,
            ("1/2-1/2", Consistent),
        ),
        ("Repetition", KNIGHTS_THRICE, &FIDE, ("1/2-1/2", Consistent)),
        (
            "Repetition",
            KNIGHTS_THRICE,
            &ENGINE,
            ("1/2-1/2", Consistent),
        ),
        ("Repetition", "1. e4 e5", &FIDE, ("*", Contradiction)),
        ("0-0", "1. e4 e5", &FIDE, ("*", Undecided)),
    ] {
        let ruling = adjudicated(&from("", result, ""), moves, rules).rulings[0].clone();
        let found = (ruling.result.as_str(), ruling.verdict);
        assert_eq!(found, expected, "{result}: {:?}", ruling.because);
    }
    check(
        &from("", "0-1", "WhiteIsMated"),
        FOOLS_MATE,
        &FIDE,
        ("0-1", "checkmate", Consistent, Some(4)),
    );
}

#[test]
fn a_tag_and_a_mark_that_differ_are_named() {
    let notes = |tag: &str, mark: &str| {
        let movetext = format!("1. e4 e5 {mark}");
        adjudicated(&from("", tag, ""), &movetext, &FIDE).rulings[0]
            .notes
            .clone()
    };
    assert_eq!(
        notes("1-0", "0-1"),
        ["the Result tag says `1-0`, and the moves end with `0-1`"]
    );
    assert_eq!(
        notes("0-0", "1/2-1/2"),
        ["the Result tag says `0-0`, and the moves end with `1/2-1/2`"]
    );
    for (tag, mark) in [("1-0", "1-0"), ("1-0", ""), ("?", "1-0"), ("1:0", "1-0")] {
        assert_eq!(notes(tag, mark), [""; 0], "{tag} {mark}");
    }
}

#[test]
fn illegal_moves_and_flags_cite_their_articles() {
    let bare = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    for (fen, result, words, rules, article, verdict) in [
        (
            "",
            "1-0",
            "illegal move",
            "fide-2023",
            Some("FIDE 2023 art. 7.5.5"),
            Consistent,
        ),
        (
            "",
            "1-0",
            "illegal move",
            "fide-2018",
            Some("FIDE 2018 art. 7.5.5"),
            Consistent,
        ),
        (
            "",
            "1-0",
            "illegal move",
            "fide-2017",
            Some("FIDE 2017 art. 7.5.5"),
            Consistent,
        ),
        (
            "",
            "1-0",
            "illegal move",
            "fide-2014",
            Some("FIDE 2014 art. 7.5b"),
            Consistent,
        ),
        (
            "",
            "1-0",
            "illegal move",
            "fide-2009",
            Some("FIDE 2009 art. 7.4b"),
            Consistent,
        ),
        // The loss was the director's, whatever the material.
        ("", "1-0", "illegal move", "uscf", None, Undecided),
        (bare, "1-0", "illegal move", "uscf", None, Undecided),
        (bare, "1/2-1/2", "illegal move", "uscf", None, Undecided),
        ("", "1-0", "illegal move", "lichess", None, Consistent),
        (
            bare,
            "1-0",
            "illegal move",
            "fide-2023",
            Some("FIDE 2023 art. 7.5.5"),
            Contradiction,
        ),
        (
            bare,
            "1/2-1/2",
            "Black makes an illegal move",
            "fide-2023",
            Some("FIDE 2023 art. 7.5.5"),
            Consistent,
        ),
        (
            bare,
            "1-0",
            "Anna won on time",
            "fide-2023",
            Some("FIDE 2023 art. 6.9"),
            Contradiction,
        ),
        (
            bare,
            "1-0",
            "Anna won on time",
            "uscf",
            Some("US Chess rule 14E1"),
            Contradiction,
        ),
        (
            "8/8/4k3/8/8/8/8/3NK3 w - - 0 1",
            "1/2-1/2",
            "",
            "uscf",
            Some("US Chess rule 14D2"),
            Consistent,
        ),
    ] {
        let rules = RuleSet::named(rules).unwrap();
        let moves = if fen.is_empty() { "1. e4 e5" } else { "1. Kf1" };
        let ruling = adjudicated(&from(fen, result, words), moves, rules).rulings[0].clone();
        let found = (ruling.article.as_deref(), ruling.verdict);
        assert_eq!(found, (article, verdict), "{words} by {}", rules.name);
    }
}

#[test]
fn a_draw_on_time_with_mate_possible_for_both() {
    let fen = "4k3/r7/8/8/8/8/R7/4K3 w - - 0 1";
    for (rules, words, verdict) in [
        (&FIDE, "Time forfeit", Undecided),
        (&FIDE_2014, "Time forfeit", Undecided),
        (&USCF, "Time forfeit", Undecided),
        (&LICHESS, "Time forfeit", Contradiction),
        (&CHESSCOM, "Time forfeit", Contradiction),
        (&ENGINE, "Time forfeit", Contradiction),
        (&FICS, "Time forfeit", Undecided),
        (&ICC, "Time forfeit", Undecided),
        // The words say whose flag fell.
        (&FIDE, "Anna loses on time", Contradiction),
    ] {
        let ruling =
            adjudicated(&from(fen, "1/2-1/2", words), "1. Rb2 Rb7", rules).rulings[0].clone();
        assert_eq!(ruling.verdict, verdict, "{words} by {}", rules.name);
        if verdict == Undecided {
            assert_eq!(
                ruling.because.as_deref(),
                Some("both flags may have fallen: whose flag fell first is not recorded")
            );
        }
    }
}

#[test]
fn both_flags_draw_as_far_as_the_time_control_says_so() {
    for (time_control, rules, article, verdict) in [
        (
            "5400",
            &FIDE,
            Some("FIDE 2023 guideline III.3.1.2"),
            Consistent,
        ),
        ("300", &FIDE, None, Undecided),
        ("5400+30", &FIDE, None, Undecided),
        ("?", &FIDE, None, Undecided),
        ("300+2", &FIDE_2014, Some("FIDE 2014 art. 6.11"), Consistent),
        ("40/7200:3600", &FIDE_2014, None, Undecided),
        ("5400+5", &USCF, Some("US Chess rule 14G"), Consistent),
        ("5400+30", &USCF, None, Undecided),
        ("?", &FICS, Some("FICS"), Consistent),
        ("300", &ICC, Some("ICC"), Consistent),
        ("300", &LICHESS, None, Undecided),
    ] {
        let tags = from("", "1/2-1/2", "Both players ran out of time");
        let tags = format!("[TimeControl \"{time_control}\"]\n{tags}");
        let ruling = adjudicated(&tags, "1. e4 e5", rules).rulings[0].clone();
        let found = (ruling.article.as_deref(), ruling.verdict);
        let because = ruling.because.unwrap_or_default();
        assert_eq!(
            found,
            (article, verdict),
            "{time_control} {} {because}",
            rules.name
        );
    }
}

#[test]
fn two_knights_draw_with_the_search_that_found_no_mate() {
    let two_knights = "4k3/8/8/8/8/8/3NN3/4K2b w - - 0 1";
    let tags = from(two_knights, "1/2-1/2", "time forfeit");
    let text = format!("{tags}\n1. Kd1\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let adjudication = Adjudicator::new(&[&USCF], 20_000).adjudicate(game, text.as_bytes());
    let ruling = adjudication.unwrap().rulings[0].clone();
    let notes = ruling.notes.join("\n");
    assert_eq!(ruling.verdict, Consistent, "{notes}");
    assert!(notes.contains("no forced mate was found in "), "{notes}");
}

#[test]
fn an_unterminated_game_was_neither_resigned_nor_lost_on_time() {
    let bare = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    for word in ["unterminated", "in progress", "adjourned", "aborted"] {
        for (fen, moves, result, expected) in [
            ("", "1. e4 e5", "1-0", ("*", Undecided)),
            (bare, "1. Kf1", "1-0", ("*", Undecided)),
            ("", "1. e4 e5", "*", ("*", Consistent)),
        ] {
            let ruling = adjudicated(&from(fen, result, word), moves, &FIDE).rulings[0].clone();
            let found = (ruling.result.as_str(), ruling.verdict);
            assert_eq!(found, expected, "{word} {result} {:?}", ruling.because);
            let reason = ruling.reason.as_str();
            assert!(
                !reason.contains("resign") && !reason.contains("time"),
                "{reason}"
            );
        }
    }
}

#[test]
fn illegal_moves_in_fast_games_lost_at_once_from_2014_to_2017() {
    for (time_control, rules, article, is_noted) in [
        ("300", &FIDE_2014, "FIDE 2014 art. A.4b", true),
        ("1500+10", &FIDE_2017, "FIDE 2017 art. A.4.2", true),
        ("5400+30", &FIDE_2014, "FIDE 2014 art. 7.5b", false),
        ("?", &FIDE_2014, "FIDE 2014 art. 7.5b", true),
        ("300", &FIDE_2018, "FIDE 2018 art. 7.5.5", false),
    ] {
        let tags = format!(
            "[TimeControl \"{time_control}\"]\n{}",
            from("", "1-0", "illegal move")
        );
        let ruling = adjudicated(&tags, "1. e4 e5", rules).rulings[0].clone();
        assert_eq!(ruling.verdict, Consistent);
        assert_eq!(ruling.article.as_deref(), Some(article), "{time_control}");
        let notes = ruling.notes.join("; ");
        assert_eq!(
            notes.contains("play is supervised as A.3 asks"),
            is_noted,
            "{notes}"
        );
    }
}

#[test]
fn a_disconnection_is_neither_a_resignation_nor_a_fallen_flag() {
    // White has nothing but the king, Black a rook.
    let bare = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    let rook = "8/8/4K3/8/8/8/R7/4k3 b - - 0 1";
    for (fen, result, words, rules, expected) in [
        // With mate possible it does not matter what it was.
        ("", "1-0", "Boris disconnects", &FIDE, ("1-0", Consistent)),
        ("", "1-0", "disconnected", &FIDE, ("1-0", Consistent)),
        // A resignation or a fallen flag would draw the game.
        (bare, "1-0", "Boris disconnects", &FIDE, ("*", Undecided)),
        (bare, "1-0", "abandoned", &FIDE, ("*", Undecided)),
        (
            bare,
            "1-0",
            "Anna won - game abandoned",
            &FIDE,
            ("*", Undecided),
        ),
        // A resignation would not.
        (
            bare,
            "1-0",
            "Boris disconnects",
            &FIDE_2018,
            ("*", Undecided),
        ),
        (bare, "1-0", "Boris disconnects", &LICHESS, ("*", Undecided)),
        (
            bare,
            "1-0",
            "Boris disconnects",
            &ENGINE,
            ("1-0", Consistent),
        ),
        // Nothing says that the one who left lost.
        ("", "1-0", "Anna disconnects", &FIDE, ("*", Undecided)),
        // Draws.
        ("", "1/2-1/2", "Boris disconnects", &FIDE, ("*", Undecided)),
        ("", "1/2-1/2", "disconnected", &FIDE, ("*", Undecided)),
        (
            rook,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE,
            ("*", Undecided),
        ),
        (
            bare,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE,
            ("1/2-1/2", Consistent),
        ),
        (
            bare,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE_2018,
            ("*", Undecided),
        ),
        // Nothing recorded.
        ("", "*", "Boris disconnects", &FIDE, ("*", Undecided)),
        ("", "*", "abandoned", &FIDE, ("*", Undecided)),
    ] {
        let moves = match fen {
            "" => "1. e4 e5",
            fen if fen == bare => "1. Kf1",
            _ => "1... Kd1",
        };
        let adjudication = adjudicated(&from(fen, result, words), moves, rules);
        let ruling = &adjudication.rulings[0];
        assert_eq!(
            (ruling.result.as_str(), ruling.verdict),
            expected,
            "{words}, {result} by {}: {:?}",
            rules.name,
            ruling.because
        );
    }
}
