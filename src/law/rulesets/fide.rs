//! The rules of the federations: FIDE in its editions and the United States Chess Federation.

use crate::law::rulesets::date::Date;
use crate::law::rulesets::editions::Editions;
use crate::law::rulesets::ends::End;
use crate::law::rulesets::key::RepetitionKey;
use crate::law::rulesets::material::{MaterialSet, TooLittle};
use crate::law::rulesets::{ClaimForms, ClaimProcedure, FlagFall, KeyArticles, Rule, RuleSet};

/// FIDE Laws of Chess in force from 1 January 2023.
///
/// The order is that of the articles: a mating move wins whatever else it brings about (9.6.2 says so of the 75-move rule;
/// dead positions and stalemates are never mates).
pub const FIDE: RuleSet = RuleSet {
    name: "fide-2023",
    title: "FIDE Laws of Chess, in force from 1 January 2023",
    cite: "FIDE 2023 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 January 2023",
    since: Some(Date::new(2023, 1, 1)),
    places: &[],
    checkmate: Rule::automatic("5.1.1"),
    stalemate: Rule::automatic("5.2.1"),
    dead: Rule::automatic("5.2.2"),
    material: Rule::ABSENT,
    material_set: MaterialSet::None,
    material_is_open: false,
    threefold: Rule::on_claim("9.2"),
    threefold_forms: ClaimForms {
        announced: Some("9.2.1"),
        on_board: Some("9.2.2"),
        is_open: false,
    },
    fivefold: Rule::automatic("9.6.1").since(2014, 7, 1),
    fivefold_in_a_row: false,
    fivefold_apart_since: Some(Date::new(2017, 7, 1)),
    fifty: Rule::on_claim("9.3"),
    fifty_forms: ClaimForms {
        announced: Some("9.3.1"),
        on_board: Some("9.3.2"),
        is_open: false,
    },
    seventy_five: Rule::automatic("9.6.2").since(2014, 7, 1),
    agreement: Rule::recorded("5.2.3"),
    resignation_exception: Rule::automatic("5.1.2").since(2023, 1, 1),
    flag: FlagFall::Helpmate,
    flag_article: "6.9",
    key: RepetitionKey::FIDE,
    key_articles: KeyArticles {
        same: "9.2.3",
        en_passant: "9.2.3.1",
        castling: "9.2.3.2",
    },
    other_keys: &[],
    claims: ClaimProcedure {
        right: "9.5.2",
        wrong: "9.5.3",
        minutes: Some(2),
        fast_minutes: Some(("rapid and blitz chess", 1)),
        announced_move_binds: true,
        is_offer: Some("9.1.2.3"),
        either_side: false,
        lost_by_moving: Some("9.4"),
        fifty: None,
    },
    order: &[
        End::Checkmate,
        End::Stalemate,
        End::DeadPosition,
        End::Fivefold,
        End::SeventyFiveMoves,
        End::Threefold,
        End::FiftyMoves,
    ],
    notes: &[
        "too little material is not a rule of its own: it is one kind of dead position (5.2.2)",
        "an announced move may give mate: the claim is settled before the move is played",
    ],
};

/// FIDE Laws of Chess in force from 1 January 2018 to 31 December 2022.
pub const FIDE_2018: RuleSet = RuleSet {
    name: "fide-2018",
    title: "FIDE Laws of Chess, in force from 1 January 2018 to 31 December 2022",
    cite: "FIDE 2018 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 January 2018",
    since: Some(Date::new(2018, 1, 1)),
    threefold_forms: ClaimForms {
        announced: Some("9.2.1.1"),
        on_board: Some("9.2.1.2"),
        is_open: false,
    },
    resignation_exception: Rule::ABSENT,
    key_articles: KeyArticles {
        same: "9.2.2",
        en_passant: "9.2.2.1",
        castling: "9.2.2.2",
    },
    claims: ClaimProcedure {
        // Appendix B.2; the appendix on rapid chess has no such article before 2023.
        fast_minutes: Some(("blitz chess", 1)),
        ..FIDE.claims
    },
    notes: &[
        "a player who resigns loses, even if the opponent cannot mate: the exception came in 2023",
        "too little material is not a rule of its own: it is one kind of dead position (5.2.2)",
    ],
    ..FIDE
};

/// FIDE Laws of Chess in force from 1 July 2017 to 31 December 2017. They differ from those of 2018 in nothing that the
/// moves of a game can bring about.
pub const FIDE_2017: RuleSet = RuleSet {
    name: "fide-2017",
    title: "FIDE Laws of Chess, in force from 1 July 2017 to 31 December 2017",
    cite: "FIDE 2017 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2017",
    since: Some(Date::new(2017, 7, 1)),
    ..FIDE_2018
};

/// FIDE Laws of Chess in force from 1 July 2014 to 30 June 2017, the first with draws that need no claim.
pub const FIDE_2014: RuleSet = RuleSet {
    name: "fide-2014",
    title: "FIDE Laws of Chess, in force from 1 July 2014 to 30 June 2017",
    cite: "FIDE 2014 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2014",
    since: Some(Date::new(2014, 7, 1)),
    checkmate: Rule::automatic("5.1a"),
    stalemate: Rule::automatic("5.2a"),
    dead: Rule::automatic("5.2b"),
    threefold_forms: ClaimForms {
        announced: Some("9.2a"),
        on_board: Some("9.2b"),
        is_open: false,
    },
    fivefold: Rule::automatic("9.6a").since(2014, 7, 1),
    fivefold_in_a_row: true,
    fivefold_apart_since: None,
    fifty_forms: ClaimForms {
        announced: Some("9.3a"),
        on_board: Some("9.3b"),
        is_open: false,
    },
    seventy_five: Rule::automatic("9.6b").since(2014, 7, 1),
    agreement: Rule::recorded("5.2c"),
    resignation_exception: Rule::ABSENT,
    key_articles: KeyArticles {
        same: "9.2",
        en_passant: "9.2",
        castling: "9.2",
    },
    claims: ClaimProcedure {
        right: "9.5a",
        wrong: "9.5b",
        is_offer: Some("9.1b3"),
        fast_minutes: FIDE_2018.claims.fast_minutes,
        ..FIDE.claims
    },
    notes: &[
        "fivefold repetition counts only if the position occurs on five alternate moves of a player in a row, four plies apart",
        "a player who resigns loses, even if the opponent cannot mate: the exception came in 2023",
    ],
    ..FIDE
};

/// FIDE Laws of Chess in force from 1 July 2009 to 30 June 2014, the last without automatic draws by repetition or by
/// counting moves. Older games are judged by them too.
pub const FIDE_2009: RuleSet = RuleSet {
    name: "fide-2009",
    title: "FIDE Laws of Chess, in force from 1 July 2009 to 30 June 2014",
    cite: "FIDE 2009 art.",
    source: "FIDE Handbook E/01, Laws of Chess, edition of 1 July 2009",
    since: Some(Date::new(2009, 7, 1)),
    fivefold: Rule::ABSENT,
    fivefold_in_a_row: false,
    seventy_five: Rule::ABSENT,
    claims: ClaimProcedure {
        // Two minutes since 2014.
        minutes: Some(3),
        fast_minutes: None,
        ..FIDE_2014.claims
    },
    notes: &[
        "nothing but mate, stalemate and a dead position ends the game without a claim: fivefold repetition and 75 moves came in July 2014",
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
    since: None,
    checkmate: Rule::automatic("5"),
    stalemate: Rule::automatic("5.4"),
    dead: Rule::automatic("5.4"),
    threefold: Rule::automatic("5.4"),
    threefold_forms: ClaimForms::NONE,
    fivefold: Rule::ABSENT,
    fifty: Rule::automatic("5.4"),
    fifty_forms: ClaimForms::NONE,
    seventy_five: Rule::ABSENT,
    agreement: Rule::recorded("5"),
    resignation_exception: Rule::UNDEFINED,
    flag_article: "4",
    key_articles: KeyArticles {
        same: "5.4",
        en_passant: "5.4",
        castling: "5.4",
    },
    claims: ClaimProcedure::NONE,
    notes: &[
        "nothing is claimed: threefold repetition and the fifty-move rule end the game by themselves, hence fivefold repetition and 75 moves are never reached",
        "which positions are the same is taken from the Laws of Chess, which apply where the regulations are silent (article 1)",
    ],
    ..FIDE
};

/// The rules of the United States Chess Federation.
pub const USCF: RuleSet = RuleSet {
    name: "uscf",
    title: "US Chess Federation, Official Rules of Chess, 7th edition",
    cite: "US Chess rule",
    source: "US Chess Federation's Official Rules of Chess, 7th edition, chapter 1, rules 9, 13 and 14",
    since: None,
    places: &[],
    checkmate: Rule::automatic("13A"),
    stalemate: Rule::automatic("14A"),
    dead: Rule::automatic("14D4"),
    material: Rule::automatic("14D1-14D3"),
    material_set: MaterialSet::LoneMinorOrBishopEach,
    material_is_open: false,
    threefold: Rule::on_claim("14C"),
    threefold_forms: ClaimForms {
        announced: Some("14C2"),
        on_board: Some("14C"),
        is_open: false,
    },
    fivefold: Rule::by_director("14K1"),
    fivefold_in_a_row: true,
    fivefold_apart_since: None,
    fifty: Rule::on_claim("14F"),
    fifty_forms: ClaimForms {
        announced: Some("14F"),
        on_board: Some("14F"),
        is_open: false,
    },
    seventy_five: Rule::by_director("14K2"),
    agreement: Rule::recorded("14B"),
    resignation_exception: Rule::UNDEFINED,
    flag: FlagFall::ForcedMate(TooLittle::LoneMinorOrTwoKnightsWithoutPawns),
    flag_article: "14E",
    key: RepetitionKey::FIDE,
    key_articles: KeyArticles {
        same: "14C",
        en_passant: "14C",
        castling: "14C",
    },
    other_keys: &[(
        "the ability to castle, not the right, counts",
        RepetitionKey::LEGAL_MOVES,
    )],
    claims: ClaimProcedure {
        right: "14C",
        wrong: "14C2",
        minutes: Some(2),
        fast_minutes: None,
        announced_move_binds: false,
        is_offer: Some("14C2"),
        either_side: false,
        lost_by_moving: None,
        fifty: Some("14F"),
    },
    order: &[
        End::Checkmate,
        End::Stalemate,
        End::InsufficientMaterial,
        End::DeadPosition,
        End::Fivefold,
        End::SeventyFiveMoves,
        End::Threefold,
        End::FiftyMoves,
    ],
    notes: &[
        "after five occurrences on alternate moves in a row (14K1), or 75 moves by each side (14K2), the director may declare the game drawn; until then it goes on, and mate comes first",
        "flag: K+B or K+N wins on time only with a forced mate (14E2), K+N+N against no pawn likewise (14E3); FIDE asks for any series of legal moves",
        "a claim is possible between determining the move (hand off) and completing it (clock): rule 9G1",
        "whether castling rights or the present ability to castle count has been disputed under 14C; rights are taken here",
    ],
};
