//! What chess servers and engine tournaments do.

use super::ends::End;
use super::key::RepetitionKey;
use super::material::{MaterialSet, TooLittle};
use super::{ClaimForms, ClaimProcedure, FlagFall, KeyArticles, Rule, RuleSet};

const ON_BOARD: ClaimForms = ClaimForms {
    announced: None,
    on_board: Some(""),
};

/// What the servers have in common: no dead positions beyond lists of pieces, and resigning always loses.
const SERVER: RuleSet = RuleSet {
    name: "",
    title: "",
    cite: "",
    source: "",
    since: None,
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

/// chess.com, live chess.
pub const CHESSCOM: RuleSet = RuleSet {
    name: "chesscom",
    title: "chess.com, live chess",
    cite: "chess.com",
    source: "chess.com help pages and forum on draws",
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

/// The Internet Chess Club.
pub const ICC: RuleSet = RuleSet {
    name: "icc",
    title: "Internet Chess Club",
    cite: "ICC",
    source: "the help files of ICC on draws",
    notes: &["a draw is claimed with the command `draw`, on the position as it stands"],
    ..SERVER
};

/// The Free Internet Chess Server.
pub const FICS: RuleSet = RuleSet {
    name: "fics",
    title: "Free Internet Chess Server",
    cite: "FICS",
    source: "the server program chessd, and games of the server",
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
