//! The rules of the federations: FIDE in its editions and the United States Chess Federation.

use crate::law::rulesets::key::RepetitionKey;
use crate::law::rulesets::material::{MaterialSet, TooLittle};
use crate::law::rulesets::rule::{
    Article, ClaimProcedure, EndRule, FastGames, FlagFall, IllegalMoves, KeyArticles,
    MaterialArticles, QuickplayRule,
};
use crate::law::rulesets::{Date, Editions, RuleSet, TimedGames};

/// The games of a quickplay finish (FIDE Laws 2023 guideline III.2): ten minutes are blitz.
const QUICKPLAY: TimedGames = TimedGames {
    words: "standard and rapid games without increment, if that was announced before the event \
        (III.2.1, III.2.2)",
    too_fast: 600,
    increment: 1,
};

/// The games of rule 14G of US Chess.
const SUDDEN_DEATH: TimedGames = TimedGames {
    words: "sudden death: the increment or delay must be below 30 seconds",
    increment: 30_000,
    ..TimedGames::ALL
};

/// FIDE Laws of Chess in force from 1 January 2023.
pub const FIDE: RuleSet = RuleSet {
    name: "fide-2023",
    title: "FIDE Laws of Chess, in force from 1 January 2023",
    cite: "FIDE 2023 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 January 2023",
    since: Some(Date::new(2023, 1, 1)),
    checkmate: EndRule::AUTOMATIC.article("5.1.1"),
    stalemate: EndRule::AUTOMATIC.article("5.2.1"),
    dead_position: EndRule::AUTOMATIC.article("5.2.2"),
    threefold: EndRule::claimed("9.2", "9.2.1", "9.2.2"),
    fivefold: EndRule::AUTOMATIC.article("9.6.1").since(2014, 7, 1),
    fifty_moves: EndRule::claimed("9.3", "9.3.1", "9.3.2"),
    seventy_five_moves: EndRule::AUTOMATIC.article("9.6.2").since(2014, 7, 1),
    fivefold_apart_since: Some(Date::new(2017, 7, 1)),
    agreement: EndRule::RECORDED.article("5.2.3"),
    agreement_needs_moves: true,
    resignation_exception: EndRule::AUTOMATIC.article("5.1.2").since(2023, 1, 1),
    resignation_article: Some(Article("5.1.2")),
    flag: FlagFall::Helpmate,
    flag_article: Some(Article("6.9")),
    over_the_board: true,
    both_flags: Some((Article("guideline III.3.1.2"), Some(QUICKPLAY))),
    quickplay: Some(QuickplayRule {
        games: QUICKPLAY,
        delay: Some(Article("guideline III.4")),
        claim: Article("guideline III.5"),
        decisions: [
            "guideline III.5.1",
            "guideline III.5.2",
            "guideline III.5.3",
        ],
    }),
    illegal_moves: Some(IllegalMoves::new("7.5.5", Some(2), None)),
    penalties: Some(Article("11.3.2.2, 12.9")),
    key_articles: KeyArticles::new("9.2.3", "9.2.3.1", "9.2.3.2"),
    claims: ClaimProcedure {
        right: Some(Article("9.5.2")),
        wrong: Some(Article("9.5.3")),
        time: Some("two minutes"),
        // Less than 60 minutes (A.1, A.3).
        fast: Some(FastGames {
            kinds: "rapid and blitz chess",
            longest: 3_599,
            time: "one minute",
        }),
        announced_move_binds: true,
        is_offer: Some(Article("9.1.2.3")),
        lost_by_moving: Some(Article("9.4")),
        ..ClaimProcedure::NONE
    },
    notes: &[
        "too little material is not a rule of its own: it is one kind of dead position (5.2.2)",
        "an announced move may give mate: the claim is settled before the move is played",
    ],
    ..RuleSet::BASE
};

/// FIDE Laws of Chess in force from 1 January 2018 to 31 December 2022.
pub const FIDE_2018: RuleSet = RuleSet {
    name: "fide-2018",
    title: "FIDE Laws of Chess, in force from 1 January 2018 to 31 December 2022",
    cite: "FIDE 2018 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 January 2018",
    since: Some(Date::new(2018, 1, 1)),
    threefold: EndRule::claimed("9.2", "9.2.1.1", "9.2.1.2"),
    resignation_exception: EndRule::ABSENT,
    key_articles: KeyArticles::new("9.2.2", "9.2.2.1", "9.2.2.2"),
    claims: ClaimProcedure {
        // Ten minutes or less (B.1, B.2); the appendix on rapid chess has no such article before
        // 2023.
        fast: Some(FastGames {
            kinds: "blitz chess",
            longest: 600,
            time: "one minute",
        }),
        ..FIDE.claims
    },
    notes: &[
        "a player who resigns loses, even if the opponent cannot mate: the exception came in 2023",
        "too little material is not a rule of its own: it is one kind of dead position (5.2.2)",
    ],
    ..FIDE
};

/// FIDE Laws of Chess in force from 1 July 2017 to 31 December 2017. Under those of 2018 only the
/// first illegal move in rapid and blitz chess is judged otherwise.
pub const FIDE_2017: RuleSet = RuleSet {
    name: "fide-2017",
    title: "FIDE Laws of Chess, in force from 1 July 2017 to 31 December 2017",
    cite: "FIDE 2017 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2017",
    since: Some(Date::new(2017, 7, 1)),
    illegal_moves: Some(IllegalMoves::new("7.5.5", Some(2), Some(Article("A.4.2")))),
    ..FIDE_2018
};

/// FIDE Laws of Chess in force from 1 July 2014 to 30 June 2017, the first with automatic draws by
/// repetition and by counting moves.
pub const FIDE_2014: RuleSet = RuleSet {
    name: "fide-2014",
    title: "FIDE Laws of Chess, in force from 1 July 2014 to 30 June 2017",
    cite: "FIDE 2014 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2014",
    since: Some(Date::new(2014, 7, 1)),
    checkmate: EndRule::AUTOMATIC.article("5.1a"),
    stalemate: EndRule::AUTOMATIC.article("5.2a"),
    dead_position: EndRule::AUTOMATIC.article("5.2b"),
    threefold: EndRule::claimed("9.2", "9.2a", "9.2b"),
    fivefold: EndRule::AUTOMATIC.article("9.6a").since(2014, 7, 1),
    fifty_moves: EndRule::claimed("9.3", "9.3a", "9.3b"),
    seventy_five_moves: EndRule::AUTOMATIC.article("9.6b").since(2014, 7, 1),
    fivefold_in_a_row: true,
    fivefold_apart_since: None,
    agreement: EndRule::RECORDED.article("5.2c"),
    agreement_needs_moves: false,
    resignation_article: Some(Article("5.1b")),
    both_flags: Some((Article("6.11"), Some(TimedGames::ALL))),
    quickplay: Some(QuickplayRule {
        games: TimedGames {
            words: "standard and rapid games without increment, if that was announced before the \
                event (G.2, G.3)",
            ..QUICKPLAY
        },
        delay: Some(Article("G.4")),
        claim: Article("G.5"),
        decisions: ["G.5a", "G.5b", "G.5c"],
    }),
    illegal_moves: Some(IllegalMoves::new("7.5b", Some(2), Some(Article("A.4b")))),
    penalties: Some(Article("11.3b, 12.9")),
    key_articles: KeyArticles::new("9.2", "9.2", "9.2"),
    claims: ClaimProcedure {
        right: Some(Article("9.5a")),
        wrong: Some(Article("9.5b")),
        is_offer: Some(Article("9.1b3")),
        ..FIDE_2018.claims
    },
    notes: &[
        "fivefold repetition counts only if the position occurs on five alternate moves of a \
        player in a row, four plies apart",
        "a player who resigns loses, even if the opponent cannot mate: the exception came in 2023",
    ],
    ..FIDE_2018
};

/// FIDE Laws of Chess in force from 1 July 2009 to 30 June 2014, the last without those draws.
/// Older games are judged by them too.
pub const FIDE_2009: RuleSet = RuleSet {
    name: "fide-2009",
    title: "FIDE Laws of Chess, in force from 1 July 2009 to 30 June 2014",
    cite: "FIDE 2009 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2009",
    since: Some(Date::new(2009, 7, 1)),
    fivefold: EndRule::ABSENT,
    seventy_five_moves: EndRule::ABSENT,
    fivefold_in_a_row: false,
    quickplay: Some(QuickplayRule {
        games: TimedGames {
            words: "games of which all remaining moves must be made in a limited time (10.1)",
            // Less than 15 minutes are blitz.
            too_fast: 899,
            ..QUICKPLAY
        },
        delay: None,
        claim: Article("10.2"),
        decisions: ["10.2a", "10.2b", "10.2c"],
    }),
    illegal_moves: Some(IllegalMoves::new("7.4b", Some(3), None)),
    penalties: Some(Article("12.3b, 13.4")),
    claims: ClaimProcedure {
        // Two minutes since 2014.
        time: Some("three minutes"),
        fast: None,
        ..FIDE_2014.claims
    },
    notes: &[
        "nothing but mate, stalemate and a dead position ends the game without a claim: fivefold \
        repetition and 75 moves came in July 2014",
        "games before July 2009 are judged by this edition too",
        "a player who resigns loses, even if the opponent cannot mate: the exception came in 2023",
    ],
    ..FIDE_2014
};

/// The Laws of FIDE in all their editions.
pub const FIDE_EDITIONS: Editions = Editions {
    name: "fide",
    title: "FIDE Laws of Chess",
    sets: &[&FIDE_2009, &FIDE_2014, &FIDE_2017, &FIDE_2018, &FIDE],
};

/// FIDE Online Chess Regulations: the server ends the game where a claim is needed over the board.
pub const FIDE_ONLINE: RuleSet = RuleSet {
    name: "fide-online",
    title: "FIDE Online Chess Regulations",
    cite: "FIDE Online art.",
    source: "FIDE Handbook, Online Chess Regulations, Part II article 5",
    checkmate: EndRule::AUTOMATIC.article("5"),
    stalemate: EndRule::AUTOMATIC.article("5.4"),
    dead_position: EndRule::AUTOMATIC.article("5.4"),
    threefold: EndRule::AUTOMATIC.article("5.4"),
    fifty_moves: EndRule::AUTOMATIC.article("5.4"),
    agreement: EndRule::RECORDED.article("5"),
    agreement_needs_moves: true,
    resignation_exception: EndRule::UNDEFINED,
    flag: FlagFall::Helpmate,
    flag_article: Some(Article("4")),
    key_articles: KeyArticles::new("5.4", "5.4", "5.4"),
    notes: &[
        "nothing is claimed: threefold repetition and the fifty-move rule end the game \
        automatically, hence fivefold repetition and 75 moves are never reached",
        "which positions are the same is taken from the Laws of Chess, which apply where the \
        regulations are silent (article 1)",
    ],
    ..RuleSet::BASE
};

/// The rules of the United States Chess Federation.
pub const USCF: RuleSet = RuleSet {
    name: "uscf",
    title: "US Chess Federation, Official Rules of Chess, 7th edition",
    cite: "US Chess rule",
    source: "US Chess Federation's Official Rules of Chess, 7th edition, chapter 1, rules 9, 11, \
        13 and 14",
    checkmate: EndRule::AUTOMATIC.article("13A"),
    stalemate: EndRule::AUTOMATIC.article("14A"),
    dead_position: EndRule::AUTOMATIC.article("14D4"),
    insufficient_material: EndRule::AUTOMATIC.article("14D1-14D3"),
    threefold: EndRule::claimed("14C", "14C2", "14C"),
    fivefold: EndRule::BY_DIRECTOR.article("14K1"),
    fifty_moves: EndRule {
        on_board: Some(Article("14F1")),
        ..EndRule::ON_CLAIM.article("14F")
    },
    seventy_five_moves: EndRule::BY_DIRECTOR.article("14K2"),
    material_set: MaterialSet::LoneMinorOrBishopEach,
    fivefold_in_a_row: true,
    agreement: EndRule::RECORDED.article("14B"),
    resignation_article: Some(Article("13B")),
    flag: FlagFall::ForcedMate(TooLittle::LoneMinorOrTwoKnightsWithoutPawns),
    flag_article: Some(Article("14E")),
    material_articles: Some(MaterialArticles {
        on_board: [Article("14D1"), Article("14D2"), Article("14D3")],
        on_time: [Article("14E1"), Article("14E2"), Article("14E3")],
    }),
    over_the_board: true,
    both_flags: Some((Article("14G"), Some(SUDDEN_DEATH))),
    quickplay_refused: Some((
        Article("14H"),
        "games for which the organiser has announced variation 14H1 or 14H2: with two minutes left \
        and no delay or increment, the claimant must be so placed that a Class C player would have \
        little chance of losing to a Master",
    )),
    illegal_moves: Some(IllegalMoves::new("11D", None, None)),
    penalties: Some(Article("11J, 13I, 1C2")),
    key_articles: KeyArticles::new("14C", "14C", "14C"),
    other_keys: &[(
        "the ability to castle, not the right, counts",
        RepetitionKey::LEGAL_MOVES,
    )],
    claims: ClaimProcedure {
        right: Some(Article("14C")),
        wrong: Some(Article("14C2")),
        time: Some("two minutes"),
        is_offer: Some(Article("14C2")),
        fifty: Some(Article("14F")),
        before_clock: Some(Article("9G1")),
        ..ClaimProcedure::NONE
    },
    notes: &[
        "after five occurrences on alternate moves in a row (14K1), or 75 moves by each side \
        (14K2), the director may declare the game drawn; until then it goes on, and mate comes \
        first",
        "flag: K+B or K+N wins on time only with a forced mate (14E2), K+2N against no pawn \
        likewise (14E3), which is a draw unless one is shown; FIDE asks for any series of legal \
        moves",
        "a claim is possible between determining the move (hand off) and completing it (clock): \
        rule 9G1; only a repetition can be claimed with a written move that is not played (14C2), \
        as 14F1 asks for moves that have been made",
        "an illegal move loses no game: the opponent gets two minutes each time (11D); a loss is \
        the director's discretion (11J, 13I, 1C2)",
        "a player who resigns loses, even if the opponent cannot mate (13B)",
        "14H allows no claim of insufficient losing chances in sudden death; its variations do, \
        if the organiser uses one",
        "whether castling rights or the present ability to castle count has been disputed under \
        14C; rights are taken here",
    ],
    ..RuleSet::BASE
};
