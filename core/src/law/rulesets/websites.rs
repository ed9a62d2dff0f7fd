//! The rules on five pages for players: two game sites, a compendium for beginners, a site of many
//! games, and a server for play by mail.

use crate::law::rulesets::RuleSet;
use crate::law::rulesets::key::RepetitionKey;
use crate::law::rulesets::material::MaterialSet;
use crate::law::rulesets::rule::{Article, ClaimProcedure, EndRule, FlagFall};

/// Mate, and nothing else.
const BARE: RuleSet = RuleSet {
    checkmate: EndRule::AUTOMATIC,
    stalemate: EndRule::UNDEFINED,
    ..RuleSet::BASE
};

/// Brettspielnetz.de: other draws than stalemate are claimed by a message that names the intended
/// move.
pub(crate) const BRETTSPIELNETZ: RuleSet = RuleSet {
    name: "brettspielnetz",
    title: "Brettspielnetz.de",
    cite: "Brettspielnetz",
    source: "Brettspielnetz.de, rules of chess, section on draws",
    stalemate: EndRule::AUTOMATIC,
    insufficient_material: EndRule::ON_CLAIM,
    threefold: EndRule::CLAIMED_BY_EXAMPLE,
    fifty_moves: EndRule::CLAIMED_BY_EXAMPLE,
    material_set: MaterialSet::LoneMinor,
    agreement: EndRule::RECORDED,
    other_keys: &[(
        "the moves that are legal now count, not castling rights",
        RepetitionKey::LEGAL_MOVES,
    )],
    claims: ClaimProcedure {
        lost_by_moving: Some(Article::UNNUMBERED),
        ..ClaimProcedure::NONE
    },
    notes: &[
        "a claim is a message to the staff that names the intended move; a player who makes the \
        move on the board has no right to claim",
        "the announced move is the page's example of a claim; a third occurrence or fifty moves \
        on the board, after the opponent's move, are left open",
        "`the same moves are legal` is read as castling rights; read as moves possible now, \
        castling that is only prevented would not tell two positions apart",
    ],
    ..BARE
};

/// BrainKing: draws by material, repetition and fifty moves are decided by the staff, on request.
pub(crate) const BRAINKING: RuleSet = RuleSet {
    name: "brainking",
    title: "BrainKing",
    cite: "BrainKing",
    source: "BrainKing.com, rules of chess",
    stalemate: EndRule::AUTOMATIC,
    insufficient_material: EndRule::ON_CLAIM,
    threefold: EndRule::CLAIMED_ON_BOARD,
    fifty_moves: EndRule::CLAIMED_ON_BOARD,
    material_set: MaterialSet::LoneMinor,
    material_is_open: true,
    agreement: EndRule::RECORDED,
    flag: FlagFall::Undefined,
    claims: ClaimProcedure {
        either_side: true,
        ..ClaimProcedure::NONE
    },
    notes: &[
        "draws by material, repetition and fifty moves are not detected: the staff finish the \
        game on request of either side",
        "which material is too little is not defined; K v K, K+B v K and K+N v K are certain",
        "which positions are the same is not defined; FIDE's reading is taken",
    ],
    ..BARE
};

/// A compendium for beginners.
pub(crate) const BEGINNERS: RuleSet = RuleSet {
    name: "beginners",
    title: "a compendium for beginners",
    cite: "the beginners' compendium",
    source: "a compendium of texts for beginners; where they differ, the fuller one",
    stalemate: EndRule::AUTOMATIC,
    dead_position: EndRule::UNDEFINED,
    insufficient_material: EndRule::AUTOMATIC,
    threefold: EndRule::AUTOMATIC,
    fifty_moves: EndRule::AUTOMATIC,
    material_set: MaterialSet::LoneMinor,
    material_is_open: true,
    agreed_set: MaterialSet::KnightAgainstBishop,
    agreement: EndRule::RECORDED,
    flag: FlagFall::Loses,
    over_the_board: true,
    notes: &[
        "too little material is given by examples; other dead positions are not mentioned",
        "with K+N v K+B the players are to agree to a draw: the game does not end automatically",
        "one of its texts repeats moves where the rule repeats positions; positions are taken, \
        and the same by FIDE's reading",
        "the fifty-move rule is said not to allow the game to go on, hence it needs no claim",
    ],
    ..BARE
};

/// A site of many games.
pub(crate) const CLASSIC: RuleSet = RuleSet {
    name: "classic",
    title: "a site of many games, its page on classic chess",
    cite: "the classic page",
    source: "a site of many games, its page on classic chess",
    stalemate: EndRule::AUTOMATIC,
    insufficient_material: EndRule::AUTOMATIC,
    threefold: EndRule::AUTOMATIC,
    fifty_moves: EndRule::AUTOMATIC,
    material_set: MaterialSet::LoneMinor,
    material_is_open: true,
    agreement: EndRule::RECORDED,
    flag: FlagFall::Undefined,
    key: RepetitionKey::BOARD,
    notes: &[
        "`the same board position` is taken at its word: neither the side to move nor castling \
        nor en passant counts",
        "too little material on both sides is given by examples; K v K, K+B v K and K+N v K are \
        taken",
    ],
    ..BARE
};

/// A server for play by mail.
pub(crate) const MAIL: RuleSet = RuleSet {
    name: "mail",
    title: "a server for play by mail",
    cite: "the play-by-mail page",
    source: "a play-by-mail server, its page on chess",
    notes: &["the page has no draw; of stalemate it says nothing"],
    ..BARE
};
