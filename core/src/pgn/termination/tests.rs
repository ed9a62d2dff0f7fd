use crate::pgn::termination::*;
use crate::replay::Reader;

/// The reason read from a game of Anna against Boris with these tags and this movetext, and the
/// words it is read from.
fn read(tags: &str, movetext: &str) -> Option<(Option<Reason>, Option<Color>, String)> {
    let text =
        format!("[White \"Anna, A.\"]\n[Black \"boris the bot\"]\n{tags}\n1. e4 e5 {movetext}\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let found = Termination::of(game, text.as_bytes())?;
    let words = String::from_utf8_lossy(found.words.of(text.as_bytes())).into_owned();
    Some((found.reason, found.against, words))
}

/// A closing comment before the result, after it, and as the comment to the end of a line.
fn check_comment(sentence: &str, reason: Reason, against: Option<Color>) {
    for movetext in [
        format!("{{{sentence}}} 1-0"),
        format!("1-0 {{{sentence}}}"),
        format!("{{ [%clk 0:00:01] }} {{ {sentence} }} *"),
        format!("; {sentence}\n0-1"),
    ] {
        let (found, side, words) =
            read("", &movetext).unwrap_or_else(|| panic!("nothing in `{movetext}`"));
        assert_eq!((found, side), (Some(reason), against), "{movetext}");
        assert_eq!(words, sentence, "{movetext}");
    }
}

fn check_tag(tag: &str, reason: Option<Reason>, against: Option<Color>) {
    let (found, side, _) =
        read(&format!("{tag}\n"), "1-0").unwrap_or_else(|| panic!("nothing in `{tag}`"));
    assert_eq!((found, side), (reason, against), "{tag}");
}

const WHITE: Option<Color> = Some(Color::White);
const BLACK: Option<Color> = Some(Color::Black);

#[test]
fn sentences_of_fics_and_icc() {
    use Reason as R;
    for (sentence, reason, against) in [
        ("White resigns", R::Resignation, WHITE),
        ("Black checkmated", R::Checkmate, BLACK),
        ("White forfeits on time", R::TimeForfeit, WHITE),
        ("boris the bot forfeits on time", R::TimeForfeit, BLACK),
        ("Black forfeits by disconnection", R::Disconnection, BLACK),
        (
            "White got disconnected and forfeits",
            R::Disconnection,
            WHITE,
        ),
        ("White lost connection", R::Disconnection, WHITE),
        ("Black has disconnected", R::Disconnection, BLACK),
        ("White wins by disconnection", R::Disconnection, BLACK),
        ("boris the bot crashed", R::Disconnection, BLACK),
        ("White has left the game", R::Abandoned, WHITE),
        ("Game drawn by disconnection", R::Disconnection, None),
        (
            "White ran out of time and Black has no material to mate",
            R::TimeAgainstInsufficientMaterial,
            WHITE,
        ),
        ("Game drawn by mutual agreement", R::Agreement, None),
        ("Game drawn by repetition", R::ThreefoldRepetition, None),
        ("Game drawn by stalemate", R::Stalemate, None),
        ("Game drawn by the 50 move rule", R::FiftyMoves, None),
        (
            "Neither player has mating material",
            R::InsufficientMaterial,
            None,
        ),
        (
            "Game drawn because neither player has mating material",
            R::InsufficientMaterial,
            None,
        ),
        (
            "Game drawn because both players ran out of time",
            R::BothOutOfTime,
            None,
        ),
        ("White wins by adjudication", R::Adjudication, BLACK),
        ("Game drawn by adjudication", R::Adjudication, None),
        ("Game adjourned by mutual agreement", R::Adjourned, None),
        (
            "boris the bot lost connection; game adjourned",
            R::Adjourned,
            None,
        ),
        ("Game aborted on move 1", R::Aborted, None),
    ] {
        check_comment(sentence, reason, against);
    }
    check_tag(
        "[ICCResult \"Black forfeits on time\"]",
        Some(R::TimeForfeit),
        BLACK,
    );
}

#[test]
fn sentences_after_the_figures_of_engines() {
    use Reason as R;
    for (comment, words, reason, against) in [
        (
            "+M1/245 0.016s, Black mates",
            "Black mates",
            R::Checkmate,
            WHITE,
        ),
        (
            "0.00/40 0.1s, tl=0.3s,\nDraw by 3-fold\nrepetition",
            "Draw by 3-fold\nrepetition",
            R::ThreefoldRepetition,
            None,
        ),
        (
            "0.00/245 0.036s, tl=3.241s, Draw by adjudication: SyzygyTB",
            "Draw by adjudication: SyzygyTB",
            R::Adjudication,
            None,
        ),
        (
            "+9.10/20 1s, White wins by adjudication: TCEC win rule",
            "White wins by adjudication: TCEC win rule",
            R::Adjudication,
            BLACK,
        ),
        (
            "+M3/9 0.1s, White makes an illegal move: e1g1",
            "White makes an illegal move: e1g1",
            R::IllegalMove,
            WHITE,
        ),
        (
            "0.00/1 9s, White loses on time (12ms overrun)",
            "White loses on time (12ms overrun)",
            R::TimeForfeit,
            WHITE,
        ),
        (
            "[%eval 0.1] -0.2/9 1s, Black's connection stalls",
            "Black's connection stalls",
            R::Disconnection,
            BLACK,
        ),
        (
            "Xboard adjudication: Trivial draw",
            "Trivial draw",
            R::Adjudication,
            None,
        ),
        (
            "Xboard adjudication: repetition draw",
            "repetition draw",
            R::ThreefoldRepetition,
            None,
        ),
        (
            "+1000.01/127 Xboard adjudication: Checkmate",
            "Checkmate",
            R::Checkmate,
            None,
        ),
        (
            "[%clk 0:00:09] White wins on time.",
            "White wins on time.",
            R::TimeForfeit,
            BLACK,
        ),
        (
            "White resigns (Lag: Av=0.5s, max=1.2s)",
            "White resigns (Lag: Av=0.5s, max=1.2s)",
            R::Resignation,
            WHITE,
        ),
        (
            "Anna, A. resigns",
            "Anna, A. resigns",
            R::Resignation,
            WHITE,
        ),
    ] {
        let (found, side, said) = read("", &format!("{{{comment}}} *")).unwrap();
        assert_eq!(
            (found, side, &*said),
            (Some(reason), against, words),
            "{comment}"
        );
    }
}

#[test]
fn termination_tags_of_many_sites() {
    use Reason as R;
    for (value, reason, against) in [
        ("Normal", R::Normal, None),
        ("Time forfeit", R::TimeForfeit, None),
        ("rules infraction", R::RulesInfraction, None),
        ("unterminated", R::Unterminated, None),
        ("death", R::Death, None),
        ("boris the bot won by resignation", R::Resignation, WHITE),
        ("Anna, A. won on time", R::TimeForfeit, BLACK),
        ("ANNA,  A. won - game abandoned", R::Abandoned, BLACK),
        ("somebody else won by checkmate", R::Checkmate, None),
        ("Game drawn by agreement", R::Agreement, None),
        ("Game drawn by 50-move rule", R::FiftyMoves, None),
        (
            "Game drawn by timeout vs insufficient material",
            R::TimeAgainstInsufficientMaterial,
            None,
        ),
        ("GUI TB Mate in 25", R::Adjudication, None),
        ("3-fold rep", R::ThreefoldRepetition, None),
        ("abandonment", R::Abandoned, None),
        ("disconnect", R::Disconnection, None),
        ("Game drawn - game abandoned", R::Abandoned, None),
        ("engine crash", R::Disconnection, None),
        ("WhiteIsMated", R::Checkmate, WHITE),
        ("BlackResigns", R::Resignation, BLACK),
        ("Repetition", R::ThreefoldRepetition, None),
        ("boris the bot was disqualified", R::RulesInfraction, BLACK),
        ("closed for fair play", R::RulesInfraction, None),
        ("time forfeit (arbiter's decision)", R::Adjudication, None),
        (
            "boris the bot won on time (12 s over)",
            R::TimeForfeit,
            WHITE,
        ),
        ("bye", R::Default, None),
    ] {
        check_tag(&format!("[Termination \"{value}\"]"), Some(reason), against);
    }
    check_tag("[Termination \"by telephone\"]", None, None);
    assert_eq!(read("[Termination \"?\"]\n", "*"), None);
}

#[test]
fn what_tells_more_stands_before_what_tells_less() {
    use Reason as R;
    let of = |tags: &str, movetext: &str| {
        read(tags, movetext).map(|(reason, _, words)| (reason.unwrap(), words))
    };
    assert_eq!(
        of("[Termination \"normal\"]\n", "{0.1s, Draw by stalemate} *"),
        Some((R::Stalemate, "Draw by stalemate".to_owned()))
    );
    assert_eq!(
        of(
            "[Termination \"adjudication\"]\n[TerminationDetails \"3-Fold repetition\"]\n",
            "*"
        ),
        Some((R::ThreefoldRepetition, "3-Fold repetition".to_owned()))
    );
    assert_eq!(
        of("[Termination \"normal\"]\n", "{ a fine game } *"),
        Some((R::Normal, "normal".to_owned()))
    );
}

#[test]
fn the_organisers_word_stands_above_the_comment() {
    use Reason as R;
    let of = |tags: &str, comment: &str| {
        read(tags, &format!("{{{comment}}} 1-0")).and_then(|(reason, ..)| reason)
    };
    for words in [
        "adjudication",
        "Adjudicated",
        "manual adjudication",
        "User adjudication",
        "GUI adjudication",
    ] {
        let tag = format!("[Termination \"{words}\"]\n");
        for comment in [
            "Black resigns",
            "Draw by 3-fold repetition",
            "Black disconnects",
        ] {
            assert_eq!(of(&tag, comment), Some(R::Adjudication), "{words}");
        }
    }
    assert_eq!(
        of(
            "[TerminationDetails \"Boris the bot resigns\"]\n",
            "Draw by stalemate"
        ),
        Some(R::Resignation)
    );
    // Other tags are single words, which a sentence of the site explains.
    assert_eq!(
        of("[Termination \"time forfeit\"]\n", "Black disconnects"),
        Some(R::Disconnection)
    );
    assert_eq!(
        of("[Termination \"abandoned\"]\n", "Black resigns"),
        Some(R::Resignation)
    );
}

#[test]
fn an_annotators_words_are_not_a_site_s() {
    for comment in [
        "and White resigns",
        "here Black could have drawn by repetition",
        "Normal",
        "time",
        "the king is checkmated",
        "White resigns, as 2... Qh4 wins",
        "White has mates",
        "and after the withdrawal of the knight it is over",
    ] {
        assert_eq!(read("", &format!("{{{comment}}} 1-0")), None, "{comment}");
    }
    // Only text after the last move closes the game.
    assert_eq!(read("", "{White resigns} 2. Nf3 1-0"), None);
}

#[test]
fn the_usual_words_of_arbiters_in_six_languages() {
    use Reason as R;
    for (sentence, reason, against) in [
        ("lost on time", R::TimeForfeit, None),
        ("White lost on time", R::TimeForfeit, WHITE),
        ("Flag fall", R::TimeForfeit, None),
        ("Black timed out", R::TimeForfeit, BLACK),
        ("Timed out.", R::TimeForfeit, None),
        (
            "boris the bot overstepped the time limit",
            R::TimeForfeit,
            BLACK,
        ),
        ("Overstepped", R::TimeForfeit, None),
        ("time over", R::TimeForfeit, None),
        ("Black's flag fell", R::TimeForfeit, BLACK),
        ("White made an illegal move", R::IllegalMove, WHITE),
        ("made an illegal move", R::IllegalMove, None),
        ("Black loses by flag fall", R::TimeForfeit, BLACK),
        ("Zeitüberschreitung", R::TimeForfeit, None),
        ("ZEITÜBERSCHREITUNG", R::TimeForfeit, None),
        ("Weiß gibt auf", R::Resignation, WHITE),
        (
            "Schwarz verliert durch Zeitüberschreitung",
            R::TimeForfeit,
            BLACK,
        ),
        (
            "Remis durch Stellungswiederholung",
            R::ThreefoldRepetition,
            None,
        ),
        ("Remis durch Vereinbarung", R::Agreement, None),
        ("Les Noirs abandonnent", R::Resignation, BLACK),
        ("Les Blancs perdent au temps", R::TimeForfeit, WHITE),
        ("Dépassement de temps", R::TimeForfeit, None),
        ("DÉPASSEMENT DE TEMPS", R::TimeForfeit, None),
        ("Nulle par répétition", R::ThreefoldRepetition, None),
        ("Las blancas abandonan", R::Resignation, WHITE),
        ("Negras pierden por tiempo", R::TimeForfeit, BLACK),
        ("Tablas por repetición", R::ThreefoldRepetition, None),
        ("Il Nero perde per il tempo", R::TimeForfeit, BLACK),
        ("Il Bianco abbandona", R::Resignation, WHITE),
        ("Patta d'accordo", R::Agreement, None),
        ("Zwart geeft op", R::Resignation, BLACK),
        (
            "Remise door herhaling van zetten",
            R::ThreefoldRepetition,
            None,
        ),
        ("Tijdsoverschrijding", R::TimeForfeit, None),
    ] {
        let tag = format!("[Termination \"{sentence}\"]");
        check_tag(&tag, Some(reason), against);
        if !sentence.ends_with('.') {
            check_comment(sentence, reason, against);
        }
    }
    for (tag, reason) in [
        ("Zeit", R::TimeForfeit),
        ("Temps", R::TimeForfeit),
        ("abandon", R::Resignation),
        ("Forfait", R::Default),
    ] {
        check_tag(&format!("[Termination \"{tag}\"]"), Some(reason), None);
    }
    // These are of annotators.
    for comment in [
        "Tempo!",
        "Zeit",
        "Mat",
        "White lost on time pressure",
        "Weiß gibt auf, denn die Dame ist weg, und so weiter",
        "and now Black overstepped",
        "Blancas lo pierden por tiempo",
        "Droht Stellungswiederholung",
    ] {
        assert_eq!(read("", &format!("{{{comment}}} 1-0")), None, "{comment}");
    }
}

#[test]
fn broken_comments_end_quietly() {
    for movetext in ["{", "{White resigns", "; ", ";", "{}", "1-0 {", "{ [%] }"] {
        assert_eq!(read("", movetext), None, "{movetext}");
    }
    let long = format!("{{{} White resigns}} *", "x".repeat(1_000));
    assert_eq!(read("", &long), None);
}

#[test]
fn the_result_a_reason_gives() {
    let of = |reason, against| {
        Termination {
            reason: Some(reason),
            against,
            words: Span::default(),
        }
        .implied_result()
    };
    assert_eq!(of(Reason::Resignation, WHITE), Some(ResultMark::Black));
    assert_eq!(of(Reason::Resignation, None), None);
    assert_eq!(of(Reason::Agreement, None), Some(ResultMark::Draw));
    assert_eq!(
        of(Reason::TimeAgainstInsufficientMaterial, BLACK),
        Some(ResultMark::Draw)
    );
    assert_eq!(of(Reason::Adjudication, None), None);
}
