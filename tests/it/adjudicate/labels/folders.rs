//! Folders named after the end of their games.

use super::*;

/// Claim of a folder name about its games.
#[derive(Clone, Copy, Debug)]
enum Says {
    /// End on the board in the last position.
    Board(Option<End>),
    /// An end reached at some ply, or a later one of its kind.
    Reached(End),
    /// Play continued after an automatic draw.
    WentOn,
    /// The game ended with the automatic draw.
    EndedThere,
    /// No position occurred three times.
    NoRepetition,
    /// Whether White and Black can still win at the end.
    CanWin(CanWin, CanWin),
    /// White can still win.
    WhiteCanWin,
    /// A win on time by a side that could not win.
    WonInVain,
    /// A draw by insufficient material, although mate is still possible.
    DrawnTooEarly,
}

/// Folders named after the end of their games. Other folders are about other things.
const FOLDERS: [(&str, Says); 42] = {
    use Says::{
        Board, DrawnTooEarly, EndedThere, NoRepetition, Reached, WentOn, WhiteCanWin, WonInVain,
    };
    const CHECKMATE: Says = Board(Some(End::Checkmate));
    const STALEMATE: Says = Board(Some(End::Stalemate));
    const DEAD: Says = Board(Some(End::DeadPosition));
    const TOO_LITTLE: Says = Board(Some(End::InsufficientMaterial));
    [
        ("basic/checkmate", CHECKMATE),
        ("basic/doubleCheck/checkmate", CHECKMATE),
        ("basic/doubleCheck/noCheckmate", Board(None)),
        ("basic/fifty", Reached(End::FiftyMoves)),
        ("basic/fivefold", Reached(End::Fivefold)),
        ("basic/insufficientMaterial/both", TOO_LITTLE),
        (
            "basic/insufficientMaterial/none",
            Says::CanWin(CanWin::Yes, CanWin::Yes),
        ),
        (
            "basic/insufficientMaterial/onlyBlack",
            Says::CanWin(CanWin::Yes, CanWin::No),
        ),
        (
            "basic/insufficientMaterial/onlyWhite",
            Says::CanWin(CanWin::No, CanWin::Yes),
        ),
        ("basic/report/noProgress", Reached(End::FiftyMoves)),
        ("basic/report/repetition", Reached(End::Threefold)),
        ("basic/seventyFive", Reached(End::SeventyFiveMoves)),
        ("basic/stalemate", STALEMATE),
        ("basic/threefold", Reached(End::Threefold)),
        ("cha/basicCheckmate/draw", DEAD),
        ("cha/basicCheckmate/helpmate04", WhiteCanWin),
        ("cha/basicCheckmate/helpmate10", WhiteCanWin),
        ("cha/basicCheckmate/helpmateAroundMax", WhiteCanWin),
        ("cha/basicHelpmateExistenceTheorem", WhiteCanWin),
        (
            "cha/lichess/quick/depthAboveFour/winnableForFlaggingWithHelpmate",
            CHECKMATE,
        ),
        ("cha/lichess/quick", WonInVain),
        ("cha/pawnWall/no", Says::CanWin(CanWin::Yes, CanWin::Yes)),
        ("cha/pawnWall/yes", DEAD),
        ("edgeCases/doubleCheckCheckmateBizarre", CHECKMATE),
        ("edgeCases/max", CHECKMATE),
        ("longestMate", CHECKMATE),
        ("random/fifty", Reached(End::FiftyMoves)),
        ("random/fivefold", Reached(End::Fivefold)),
        ("random/noRepetition", NoRepetition),
        ("random/seventyFive", Reached(End::SeventyFiveMoves)),
        ("random/stalemate", STALEMATE),
        ("random/threefold", Reached(End::Threefold)),
        ("realGames/earlyDraw", Reached(End::Threefold)),
        ("realGames/fifty", Reached(End::FiftyMoves)),
        ("realGames/fivefold/beyond", WentOn),
        ("realGames/fivefold/correct", EndedThere),
        ("realGames/seventyFive/beyond", WentOn),
        ("realGames/seventyFive/correct", EndedThere),
        ("review/blog/predraw", DrawnTooEarly),
        ("review/wcc2021", Reached(End::Threefold)),
        ("review/wikipedia/fiftyMove", Reached(End::FiftyMoves)),
        ("review/wikipedia/threefold", Reached(End::Threefold)),
    ]
};

/// Games that contradict their folder name, with the reason.
const OTHERWISE: [(&str, &str); 26] = [
    (
        "basic/fifty/03_fifty_half_move_clock_99_then_checkmate_by_white_with_capture",
        "mate with the clock at 99",
    ),
    (
        "basic/fifty/04_fifty_half_move_clock_99_then_checkmate_by_black_with_capture",
        "mate with the clock at 99",
    ),
    (
        "basic/fifty/10_fifty_half_move_clock_99_fifty_moves_claimable_yes",
        "the clock is at 99: the move has to be announced",
    ),
    (
        "basic/fifty/11_fifty_half_move_clock_99_fifty_moves_claimable_no_forced_capture",
        "the only moves are captures",
    ),
    (
        "basic/fifty/12_fifty_half_move_clock_99_fifty_moves_claimable_no_forced_pawn_move",
        "the only moves are pawn moves",
    ),
    (
        "basic/fivefold/01_fivefold_one_before_first_fivefold",
        "one move before",
    ),
    (
        "basic/seventyFive/14_seventy_five_half_move_clock_149_then_checkmate_by_black_without_capture_or_pawn_move",
        "the 75th move mates",
    ),
    (
        "basic/seventyFive/15_seventy_five_half_move_clock_149_then_stalemate_by_white_move",
        "the 75th move stalemates",
    ),
    (
        "basic/threefold/01_threefold_moves_very_low_one_before_first_threefold",
        "one move before",
    ),
    (
        "basic/threefold/05_threefold_moves_medium_one_before_first_threefold",
        "one move before",
    ),
    (
        "basic/threefold/09_threefold_moves_very_high_one_before_first_threefold",
        "one move before",
    ),
    (
        "basic/threefold/33_threefold_two_square_advance_no_pawn_same_rank_one_before_first_threefold",
        "one move before",
    ),
    (
        "cha/basicHelpmateExistenceTheorem/05_kqvk_black_forced_to_capture",
        "the exception that the theorem makes",
    ),
    (
        "cha/pawnWall/no/pawn_wall_norgaard_additional_own_pawns_not_marched_up",
        "no wall by its author's definition, but dead all the same",
    ),
    (
        "cha/pawnWall/no/pawn_wall_norgaard_additional_own_pawns_not_marched_up_with_opponent_pawns_between",
        "no wall by its author's definition, but dead all the same",
    ),
    (
        "realGames/fifty/pattern/fifty_pattern_098_start_black_sjugirov_inarkiev_2019",
        "agreed with the clock at 98",
    ),
    (
        "realGames/fifty/pattern/fifty_pattern_099_start_black_naroditsky_boruchovsky_2018",
        "claimed with the clock at 99, or by the repetition on the board",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_0_1_spassky_fischer_1972_seventeenth",
        "the move was announced",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_2_2_adams_ponomariov_2005_sofia",
        "the move was announced",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_4_1_alekhine_lasker_1914",
        "agreed before the third time",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_5_korchnoi_portisch_1970_game_2",
        "agreed",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_5_korchnoi_portisch_1970_game_3",
        "lost",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_5_portisch_korchnoi_1970_game_4",
        "the move was announced",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_2_7_2_pirc_defense",
        "one move before; the author's changed file plays it",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_3_1_karpov_miles_1986",
        "the claim was wrong: Black could still castle the first time",
    ),
    (
        "review/wikipedia/threefold/wikipedia_threefold_3_2_fischer_spassky_1972_twentieth",
        "the claim was wrong: the same board with the other side to move",
    ),
];

/// Whether an adjudication agrees with a folder name.
fn is_so(adjudication: &Adjudication, says: Says) -> bool {
    let ruling = &adjudication.rulings[0];
    let reached = |end: End| {
        adjudication.board == Some(end)
            || ruling.ended.is_some() && ruling.reason == RuledReason::End(end)
            || ruling
                .opportunities
                .iter()
                .any(|opportunity| opportunity.end == end && opportunity.announced.is_none())
    };
    match says {
        Says::Board(end) => adjudication.board == end,
        Says::Reached(end) => reached(end),
        Says::WentOn => ruling.ended.is_some() && ruling.played_on,
        Says::EndedThere => ruling.ended.is_some() && !ruling.played_on,
        Says::NoRepetition => !reached(End::Threefold) && !reached(End::Fivefold),
        Says::CanWin(white, black) => adjudication.can_win == [white, black],
        Says::WhiteCanWin => adjudication.can_win[0] == CanWin::Yes,
        Says::WonInVain => {
            ruling.result == ResultMark::Draw && ruling.verdict == Verdict::Contradiction
        }
        Says::DrawnTooEarly => {
            adjudication.recorded.result == Some(ResultMark::Draw)
                && ruling.result == ResultMark::Unknown
                && ruling.line.is_some()
        }
    }
}

#[test]
fn folders_say_how_games_end() {
    let root = "outcomes/labelled_by_folder";
    let Some(folder) = corpus::path(root) else {
        return;
    };
    let mut otherwise = Vec::new();
    let mut checked = [0; FOLDERS.len()];
    each_game(root, |path, _, text| {
        let name = path.strip_prefix(&folder).unwrap().with_extension("");
        let adjudication = adjudicated(text, &FIDE);
        assert_ne!(
            adjudication.rulings[0].verdict,
            Verdict::Undecided,
            "{}",
            name.display()
        );
        assert!(
            adjudication
                .can_win
                .iter()
                .all(|&can| can != CanWin::Unknown),
            "{}",
            name.display()
        );
        // The most specific folder comes first; a nested folder precedes its parent.
        let row = FOLDERS
            .iter()
            .position(|(folder, _)| name.starts_with(folder));
        let Some(row) = row else { return };
        checked[row] += 1;
        if !is_so(&adjudication, FOLDERS[row].1) {
            otherwise.push(name.to_str().unwrap().to_owned());
        }
    });
    assert!(checked.iter().all(|&games| games > 0), "{checked:?}");
    assert_eq!(checked.iter().sum::<usize>(), 450);
    otherwise.sort();
    assert_eq!(otherwise, OTHERWISE.map(|(name, _)| name));
}
