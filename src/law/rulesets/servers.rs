//! What chess servers and engine tournaments do.

use crate::law::rulesets::date::Date;
use crate::law::rulesets::editions::Editions;
use crate::law::rulesets::ends::End;
use crate::law::rulesets::key::RepetitionKey;
use crate::law::rulesets::material::{MaterialSet, TooLittle};
use crate::law::rulesets::{ClaimForms, ClaimProcedure, FlagFall, KeyArticles, Rule, RuleSet};

const ON_BOARD: ClaimForms = ClaimForms {
    announced: None,
    on_board: Some(""),
    is_open: false,
};

/// What the servers have in common: no dead positions beyond lists of pieces, and resigning always loses.
const SERVER: RuleSet = RuleSet {
    name: "",
    title: "",
    cite: "",
    source: "",
    since: None,
    places: &[],
    checkmate: Rule::automatic(""),
    stalemate: Rule::automatic(""),
    dead: Rule::ABSENT,
    material: Rule::automatic(""),
    material_set: MaterialSet::OneMinorEach,
    material_is_open: false,
    threefold: Rule::on_claim(""),
    threefold_forms: ON_BOARD,
    fivefold: Rule::ABSENT,
    fivefold_in_a_row: false,
    fivefold_apart_since: None,
    fifty: Rule::on_claim(""),
    fifty_forms: ON_BOARD,
    seventy_five: Rule::ABSENT,
    agreement: Rule::recorded(""),
    resignation_exception: Rule::ABSENT,
    flag: FlagFall::Material(TooLittle::LoneMinor),
    flag_article: "",
    key: RepetitionKey::FIDE,
    key_articles: KeyArticles::NONE,
    other_keys: &[],
    claims: ClaimProcedure::NONE,
    order: &[
        End::Checkmate,
        End::Stalemate,
        End::InsufficientMaterial,
        End::Fivefold,
        End::SeventyFiveMoves,
        End::Threefold,
        End::FiftyMoves,
    ],
    notes: &[],
};

/// lichess.org.
pub const LICHESS: RuleSet = RuleSet {
    name: "lichess",
    title: "lichess.org",
    cite: "lichess",
    places: &["lichess.org", "lichess"],
    source: "scalachess cbffc9d (Position.autoDraw, InsufficientMatingMaterial) and the lichess FAQ",
    material_set: MaterialSet::Exact,
    fivefold: Rule::automatic(""),
    fifty: Rule::automatic(""),
    fifty_forms: ClaimForms::NONE,
    flag: FlagFall::Material(TooLittle::Exact),
    order: &[
        End::Checkmate,
        End::Stalemate,
        End::InsufficientMaterial,
        End::FiftyMoves,
        End::Fivefold,
        End::Threefold,
    ],
    notes: &[
        "threefold repetition ends the game by itself for players who have set it so, and when a draw has been offered; the games do not show it",
        "75 moves are never reached: 50 moves end the game",
        "the server compares positions by 24 bits of a hash; the comparison here is exact",
    ],
    ..SERVER
};

/// chess.com, live chess, since third occurrences and fifty moves end the game there without a claim.
///
/// The day is not published. Games of the server went on past a third occurrence until 5 May 2019, and none of some
/// thousand in March 2022 does; a game of the time between is left to the players.
pub const CHESSCOM: RuleSet = RuleSet {
    name: "chesscom-2022",
    title: "chess.com, live chess, since 2022 at the latest",
    cite: "chess.com",
    source: "chess.com help pages and forum on draws",
    since: Some(Date::new(2022, 1, 1)),
    places: &["chess.com"],
    material_set: MaterialSet::OneMinorEachOrTwoKnights,
    threefold: Rule::automatic(""),
    threefold_forms: ClaimForms::NONE,
    fifty: Rule::automatic(""),
    fifty_forms: ClaimForms::NONE,
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
        "pieces are counted before mate is looked for: a mate with at most one bishop or knight each is called a draw",
        "how the site compares positions is not published; it seems to compare FENs, in which every double step is told",
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
    threefold: Rule::on_claim(""),
    threefold_forms: ON_BOARD,
    fivefold: Rule::UNDEFINED,
    fifty: Rule::on_claim(""),
    fifty_forms: ON_BOARD,
    seventy_five: Rule::UNDEFINED,
    material_set: MaterialSet::LoneMinor,
    material_is_open: true,
    notes: &[
        "games of the server went on with K+B v K+B in 2017 and 2018; whether other minor pieces ended a game is not known",
        "games of the server went on past a third occurrence until May 2019, and past fifty moves until January 2018: both were claimed with the button for a draw",
        "how the site compared positions is not published; it seems to have compared FENs, in which every double step is told",
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
    source: "the help files of ICC on draws",
    places: &["chessclub.com", "internet chess club", "icc"],
    notes: &["a draw is claimed with the command `draw`, on the position as it stands"],
    ..SERVER
};

/// The Free Internet Chess Server.
pub const FICS: RuleSet = RuleSet {
    name: "fics",
    title: "Free Internet Chess Server",
    cite: "FICS",
    source: "the server program chessd, and games of the server",
    places: &["freechess.org", "free internet chess server", "fics"],
    material_set: MaterialSet::LoneMinor,
    notes: &[
        "a draw is claimed with the command `draw`, on the position as it stands",
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
        "tcec-chess.com",
        "ccrl",
        "cegt",
        "cccc",
        "computer-chess-championship",
        "cutechess",
        "cutechess-cli",
        "cute chess",
        "fastchess",
        "fast-chess",
        "c-chess-cli",
        "fishtest",
        "chessgui",
        "chessgui2",
        "littleblitzer",
        "banksiagui",
    ],
    material_set: MaterialSet::Exact,
    threefold: Rule::automatic(""),
    threefold_forms: ClaimForms::NONE,
    fifty: Rule::automatic(""),
    fifty_forms: ClaimForms::NONE,
    flag: FlagFall::Loses,
    key: RepetitionKey::PSEUDO_LEGAL_EN_PASSANT,
    order: &[
        End::Checkmate,
        End::Stalemate,
        End::InsufficientMaterial,
        End::FiftyMoves,
        End::Threefold,
    ],
    notes: &[
        "a pawn that stands beside one that has just passed it makes a position of its own, even if it may not capture",
    ],
    ..SERVER
};
