//! Rules of chess servers and engine tournaments.

use crate::law::rulesets::end::End;
use crate::law::rulesets::key::RepetitionKey;
use crate::law::rulesets::material::{MaterialSet, TooLittle};
use crate::law::rulesets::rule::{Article, ClaimProcedure, EndRule, FlagFall, IllegalMoves};
use crate::law::rulesets::{Date, Editions, RuleSet, TimedGames};

/// Base of the servers: no dead positions beyond lists of pieces, and resigning always loses.
const SERVER: RuleSet = RuleSet {
    checkmate: EndRule::AUTOMATIC,
    stalemate: EndRule::AUTOMATIC,
    insufficient_material: EndRule::AUTOMATIC,
    threefold: EndRule::CLAIMED_ON_BOARD,
    fifty_moves: EndRule::CLAIMED_ON_BOARD,
    material_set: MaterialSet::OneMinorEach,
    agreement: EndRule::RECORDED,
    flag: FlagFall::Material(TooLittle::LoneMinor),
    ..RuleSet::BASE
};

/// Claims by either side: the servers do not ask whose turn it is.
const EITHER_SIDE: ClaimProcedure = ClaimProcedure {
    either_side: true,
    ..ClaimProcedure::NONE
};

/// The order of tests in scalachess and cutechess, fifty moves before repetitions.
const FIFTY_MOVES_FIRST: &[End] = &[
    End::Checkmate,
    End::Stalemate,
    End::InsufficientMaterial,
    End::FiftyMoves,
    End::Fivefold,
    End::Threefold,
];

/// Both flags draw (FICS help `flag`, ICC help `draw`).
const BOTH_FLAGS: Option<(Article, Option<TimedGames>)> = Some((Article::UNNUMBERED, None));

/// lichess.org.
pub const LICHESS: RuleSet = RuleSet {
    name: "lichess",
    title: "lichess.org",
    cite: "lichess",
    places: &["lichess.org", "lichess"],
    source: "scalachess cbffc9d (Position.autoDraw, InsufficientMatingMaterial), lila 0224181 \
        (Drawer.claim) and the lichess FAQ",
    material_set: MaterialSet::Exact,
    fivefold: EndRule::AUTOMATIC,
    fifty_moves: EndRule::AUTOMATIC,
    flag: FlagFall::Material(TooLittle::Exact),
    order: FIFTY_MOVES_FIRST,
    claims: EITHER_SIDE,
    notes: &[
        "threefold repetition ends the game automatically for players who have set it so, and \
        when a draw has been offered; the games do not show it",
        "75 moves are never reached: 50 moves end the game",
        "the server compares positions by 24 bits of a hash; the comparison here is exact",
    ],
    ..SERVER
};

/// chess.com, live chess, since third occurrences and fifty moves end the game automatically.
///
/// The day is not published. Games went on past a third occurrence until 5 May 2019, and none of
/// some thousand in March 2022 does; between these dates, claims decide.
pub const CHESSCOM: RuleSet = RuleSet {
    name: "chesscom-2022",
    title: "chess.com, live chess, since 2022 at the latest",
    cite: "chess.com",
    source: "chess.com help pages and forum on draws",
    since: Some(Date::new(2022, 1, 1)),
    places: &["chess.com"],
    material_set: MaterialSet::OneMinorEachOrTwoKnights,
    threefold: EndRule::AUTOMATIC,
    fifty_moves: EndRule::AUTOMATIC,
    flag: FlagFall::Material(TooLittle::LoneMinorOrTwoKnightsAgainstKing),
    key: RepetitionKey::RAW_EN_PASSANT,
    order: &[
        End::InsufficientMaterial,
        End::Checkmate,
        End::Stalemate,
        End::Threefold,
        End::FiftyMoves,
    ],
    notes: &[
        "pieces are counted before mate is looked for: a mate with at most one bishop or knight \
        each is called a draw",
        "how the site compares positions is not published; it seems to compare FENs, which record \
        every double step",
        "K+B v K+N and the like end the game, although a mate is still possible there",
    ],
    ..SERVER
};

/// chess.com, live chess, while a third occurrence and fifty moves had to be claimed.
pub const CHESSCOM_2007: RuleSet = RuleSet {
    name: "chesscom-2007",
    title: "chess.com, live chess, until 2021",
    source: "chess.com forum on draws, and games of the server until 2019",
    since: Some(Date::new(2007, 1, 1)),
    threefold: EndRule::CLAIMED_ON_BOARD,
    fivefold: EndRule::UNDEFINED,
    fifty_moves: EndRule::CLAIMED_ON_BOARD,
    seventy_five_moves: EndRule::UNDEFINED,
    material_set: MaterialSet::LoneMinor,
    material_is_open: true,
    notes: &[
        "games of the server went on with K+B v K+B in 2017 and 2018; whether other minor pieces \
        ended a game is not known",
        "games of the server went on past a third occurrence until May 2019, and past fifty moves \
        until January 2018: both were claimed with the button for a draw",
        "how the site compared positions is not published; it seems to have compared FENs, which \
        record every double step",
    ],
    ..CHESSCOM
};

/// The rules of chess.com in both editions.
pub const CHESSCOM_EDITIONS: Editions = Editions {
    name: "chesscom",
    title: "chess.com, live chess",
    sets: &[&CHESSCOM_2007, &CHESSCOM],
};

/// The Internet Chess Club.
pub const ICC: RuleSet = RuleSet {
    name: "icc",
    title: "Internet Chess Club",
    cite: "ICC",
    source: "the help file of ICC on the command `draw`",
    places: &["chessclub.com", "internet chess club", "icc"],
    threefold: EndRule::CLAIMED_EITHER_WAY,
    both_flags: BOTH_FLAGS,
    claims: EITHER_SIDE,
    notes: &[
        "a draw is claimed with the command `draw`, also before a move that repeats the position \
        for the third time",
        "a player with a forced mate when the flag fell can ask for another result",
    ],
    ..SERVER
};

/// The Free Internet Chess Server.
pub const FICS: RuleSet = RuleSet {
    name: "fics",
    title: "Free Internet Chess Server",
    cite: "FICS",
    source: "the server program chessd (CheckRepetition, boardToFEN), the help file on `draw`, and \
        games of the server",
    places: &["freechess.org", "free internet chess server", "fics"],
    threefold: EndRule::CLAIMED_EITHER_WAY,
    fifty_moves: EndRule::CLAIMED_EITHER_WAY,
    both_flags: BOTH_FLAGS,
    key: RepetitionKey::BOARD_AND_TURN,
    claims: ClaimProcedure {
        reaches_back: true,
        ..EITHER_SIDE
    },
    material_set: MaterialSet::LoneMinor,
    notes: &[
        "a draw is claimed with the command `draw`, with or without a move; the position before \
        the last move counts too",
        "games go on with K+N v K+N, K+B v K+N and K+B v K+B, which end at once on ICC",
    ],
    ..SERVER
};

/// Tournaments of engines, as cutechess and its like run them.
pub const ENGINE: RuleSet = RuleSet {
    name: "engine",
    title: "engine tournaments (cutechess and the like)",
    cite: "cutechess",
    source: "cutechess 045c427, WesternBoard::result",
    places: &[
        "tcec",
        "ccrl",
        "cegt",
        "cccc",
        "computer-chess-championship",
        "cutechess",
        "cute chess",
        "fastchess",
        "fast-chess",
        "c-chess-cli",
        "fishtest",
        "chessgui",
        "littleblitzer",
        "banksiagui",
    ],
    material_set: MaterialSet::Exact,
    threefold: EndRule::AUTOMATIC,
    fifty_moves: EndRule::AUTOMATIC,
    flag: FlagFall::Loses,
    illegal_moves: Some(IllegalMoves::new("", Some(1), None)),
    key: RepetitionKey::PSEUDO_LEGAL_EN_PASSANT,
    order: FIFTY_MOVES_FIRST,
    notes: &[
        "a pawn that stands beside one that has just passed it makes a position of its own, even \
        if it may not capture",
    ],
    ..SERVER
};
