//! Shared by the fuzz targets: positions, and invariants of any position.

// Its own tests use all of it.
#[allow(dead_code)]
#[path = "../../it/mailbox.rs"]
mod mailbox;

use arbiter::chess::{
    Bitboard, Board, Color, File, Move, Piece, Position, Rank, Role, Setup, Square,
};
use arbiter::commands::perft::counting::perft;

use mailbox::Mailbox;

/// Start positions of walks: every kind of move is near.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rk5r/1p6/8/8/8/8/8/1RK3R1 w BGah - 0 1",
    "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
    "Q1Q1Q3/8/Q3Q3/8/Q1Q1Q2k/8/5ppp/1K4NR b - - 0 60",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// A position some legal moves away from one of those or from an [arrangement]; `seed` chooses
/// which, and the moves. Every position on the way is checked.
pub fn walk(seed: &[u8]) -> Position {
    let (mut position, steps) = start(seed);
    for &step in steps.iter().take(80) {
        let moves = check(&position);
        let Some(&mv) = moves.get(usize::from(step) % moves.len().max(1)) else {
            break;
        };
        position.play_unchecked(mv);
    }
    position
}

/// Start position of a walk, and the bytes that choose its moves.
fn start(seed: &[u8]) -> (Position, &[u8]) {
    let (&first, rest) = seed.split_first().unwrap_or((&0, &[]));
    if first >= 128
        && let Some((arranged, steps)) = rest.split_at_checked(4 + 2 * usize::from(first & 31))
        && let Some(setup) = arrangement(arranged)
        && let Ok(position) = Position::new(&setup)
    {
        return (position, steps);
    }
    (
        STARTS[usize::from(first) % STARTS.len()].parse().unwrap(),
        rest,
    )
}

/// Tests the invariants of a position, and returns its legal moves.
pub fn check(position: &Position) -> Vec<Move> {
    assert_eq!(position.key(), position.recompute_key(), "`{position}`");
    for fen in [format!("{position}"), format!("{position:#}")] {
        let setup: Setup = fen.parse().unwrap();
        assert_eq!(setup, position.setup(), "`{fen}`");
        assert_eq!(Position::new(&setup).as_ref(), Ok(position), "`{fen}`");
    }
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves(), "`{position}`");
    assert_eq!(moves.len() as u64, perft(position, 1), "`{position}`");
    assert_eq!(moves.is_empty(), !position.has_legal_move(), "`{position}`");
    for (nth, mv) in moves.iter().enumerate() {
        assert!(!moves[..nth].contains(mv), "{mv:?} twice in `{position}`");
    }
    moves.to_vec()
}

/// Slow second opinion on a position. `passed` is the square a pawn has just passed, whether or not
/// it can be captured there.
pub fn check_slowly(position: &Position, passed: Option<Square>) {
    let slow = Mailbox::read(&format!("{position:#}")).with_passed(passed);
    assert_eq!(format!("{position:#}"), slow.fen());
    let checkers = slow.checkers(position.turn());
    let checkers: Bitboard = checkers.into_iter().map(mailbox::square).collect();
    assert_eq!(position.checkers(), checkers, "`{position}`");
    let by_squares = |mv: &Move| (mv.from, mv.to, mv.promotion());
    let mut expected = slow.moves_of_pieces();
    expected.retain(|&mv| slow.is_legal(mv));
    expected.sort_by_key(by_squares);
    let mut moves = position.legal_moves();
    moves.sort_by_key(by_squares);
    assert_eq!(moves[..], expected[..], "`{position}`");
}

/// An arrangement of pieces: a fuzzer that changes a FEN letter by letter hardly ever makes one
/// that can be played. The first four bytes are the turn, a pawn that has just made a double step,
/// and the kings; a rook that may castle and any other piece take two bytes.
pub fn arrangement(data: &[u8]) -> Option<Setup> {
    let (&[turn, passer, white_king, black_king], mut rest) = data.split_first_chunk()?;
    let mut board = Board::EMPTY;
    let mut castling = Bitboard::EMPTY;
    let turn = Color::ALL[usize::from(turn & 1)];
    let square = |byte: u8| Square::new(usize::from(byte & 63));
    while let [at, what, others @ ..] = rest {
        rest = others;
        let color = Color::ALL[usize::from(what >> 7)];
        let role = Role::ALL[usize::from(what & 7) % 5];
        if what & 64 != 0 {
            let rook = Square::at(square(*at).file(), color.back_rank());
            let role = Role::Rook;
            board.put(rook, Piece { color, role });
            castling |= Bitboard::of(rook);
        } else if role != Role::Pawn || !Bitboard::BACK_RANKS.has(square(*at)) {
            board.put(square(*at), Piece { color, role });
        }
    }
    let mut en_passant = None;
    if passer & 8 != 0 {
        let file = File::new(usize::from(passer & 7));
        let ranks = match turn {
            Color::White => [4, 5, 6],
            Color::Black => [3, 2, 1],
        };
        let [pawn, passed, home] = ranks.map(|rank| Square::at(file, Rank::new(rank)));
        let (color, role) = (!turn, Role::Pawn);
        board.put(pawn, Piece { color, role });
        board.clear(passed);
        board.clear(home);
        en_passant = Some(passed);
    }
    for (color, king) in [(Color::White, white_king), (Color::Black, black_king)] {
        let role = Role::King;
        board.put(square(king), Piece { color, role });
    }
    Some(Setup {
        board,
        turn,
        castling,
        en_passant,
        halfmoves: 0,
        fullmoves: 1,
        knows_halfmoves: true,
        knows_fullmoves: true,
    })
}

/// The text before the first line feed, and what comes after.
pub fn line_and_rest(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&byte| byte == b'\n') {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &[]),
    }
}
