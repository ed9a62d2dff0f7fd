//! Random games, compared with shakmaty at every ply.

use std::env;
use std::ops::AddAssign;

use arbiter::chess::san::{PieceMove, SanPlus, Suffix};
use arbiter::chess::{
    CastlingMode, CastlingSide, File, Move, MoveKind, Rank, Role, San, Square, Uci,
};
use arbiter::commands::perft::counting::perft;
use pgn_reader::shakmaty::{
    self, Chess, EnPassantMode, Position as _, fen::Fen, san as peer_san, uci::UciMove,
};
use rayon::prelude::*;

use crate::position;

const GAMES: u64 = 20_000;
/// Maximum length in plies. Longer random games are mostly wandering kings and pieces.
const LONGEST_GAME: usize = 200;

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, and any seed is good.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Removes a random item from a list.
    pub fn draw<T>(&mut self, from: &mut Vec<T>) -> T {
        from.remove(self.below(from.len()))
    }
}

/// Kinds of moves and positions seen, to prove coverage.
#[derive(Default, Debug)]
struct Tally {
    plies: usize,
    moves: usize,
    captures: usize,
    castles: usize,
    en_passant: usize,
    promotions: usize,
    checks: usize,
    checkmates: usize,
    stalemates: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.plies += other.plies;
        self.moves += other.moves;
        self.captures += other.captures;
        self.castles += other.castles;
        self.en_passant += other.en_passant;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.checkmates += other.checkmates;
        self.stalemates += other.stalemates;
    }
}

/// Preferences of the players, so that all kinds of positions arise: crowded or bare boards, many
/// promotions.
#[derive(Clone, Copy)]
pub enum Taste {
    Anything,
    Quiet,
    Captures,
    Pawns,
}

impl Taste {
    fn likes(self, mv: Move) -> bool {
        match self {
            Taste::Anything => true,
            Taste::Quiet => mv.captured.is_none(),
            Taste::Captures => mv.captured.is_some(),
            Taste::Pawns => mv.role == Role::Pawn,
        }
    }

    pub fn choose(self, moves: &[Move], random: &mut Random) -> Move {
        // Castling and en passant are seldom possible, and random choice would make them even
        // rarer.
        let rare = |mv: &&Move| matches!(mv.kind, MoveKind::Castle | MoveKind::EnPassant);
        if let Some(&mv) = moves.iter().find(rare)
            && random.below(4) > 0
        {
            return mv;
        }
        let mut mv = moves[random.below(moves.len())];
        for _ in 0..4 {
            if self.likes(mv) {
                break;
            }
            mv = moves[random.below(moves.len())];
        }
        mv
    }
}

fn role(peer: shakmaty::Role) -> Role {
    Role::ALL[peer as usize - 1]
}

fn square(peer: shakmaty::Square) -> Square {
    Square::new(peer as usize)
}

fn file(peer: shakmaty::File) -> File {
    File::new(peer as usize)
}

fn rank(peer: shakmaty::Rank) -> Rank {
    Rank::new(peer as usize)
}

fn of_peer(peer: shakmaty::Move) -> Move {
    let special = |role, from, to, captured, kind| Move {
        role,
        from: square(from),
        to: square(to),
        captured,
        kind,
    };
    match peer {
        shakmaty::Move::Normal {
            role: moved,
            from,
            capture,
            to,
            promotion,
        } => special(
            role(moved),
            from,
            to,
            capture.map(role),
            promotion.map_or(MoveKind::Normal, |becomes| {
                MoveKind::Promotion(role(becomes))
            }),
        ),
        shakmaty::Move::EnPassant { from, to } => {
            special(Role::Pawn, from, to, Some(Role::Pawn), MoveKind::EnPassant)
        }
        shakmaty::Move::Castle { king, rook } => {
            special(Role::King, king, rook, None, MoveKind::Castle)
        }
        shakmaty::Move::Put { .. } => unreachable!("no pieces are dropped in chess"),
    }
}

fn san_of_peer(peer: peer_san::San) -> San {
    match peer {
        peer_san::San::Normal {
            role: moved,
            file: from_file,
            rank: from_rank,
            capture,
            to,
            promotion,
        } => San::Piece(PieceMove {
            role: role(moved),
            file: from_file.map(file),
            rank: from_rank.map(rank),
            capture,
            to: square(to),
            promotion: promotion.map(role),
        }),
        peer_san::San::Castle(shakmaty::CastlingSide::KingSide) => San::Castle(CastlingSide::King),
        peer_san::San::Castle(shakmaty::CastlingSide::QueenSide) => {
            San::Castle(CastlingSide::Queen)
        }
        peer_san::San::Put { .. } | peer_san::San::Null => unreachable!("not in chess"),
    }
}

/// A number for each move of a position, to compare sets of moves.
fn ordinal(mv: Move) -> u32 {
    let kind = match mv.kind {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1,
        MoveKind::Castle => 2,
        MoveKind::Promotion(role) => 3 + role.index(),
    };
    let captured = mv.captured.map_or(6, Role::index);
    [mv.from.index(), mv.to.index(), mv.role.index(), captured]
        .into_iter()
        .fold(kind as u32, |word, part| word << 6 | part as u32)
}

/// Plays one game in both programs and compares them at every ply.
fn check_game(fen: &str, mode: CastlingMode, game: u64, random: &mut Random) -> Tally {
    let taste = [Taste::Anything, Taste::Quiet, Taste::Captures, Taste::Pawns][random.below(4)];
    let peer_mode = match mode {
        CastlingMode::Standard => shakmaty::CastlingMode::Standard,
        CastlingMode::Chess960 => shakmaty::CastlingMode::Chess960,
    };
    let mut ours = position(fen);
    let mut peer: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(peer_mode)
        .unwrap();
    let mut tally = Tally::default();
    let (mut our_ordinals, mut peer_ordinals) = (Vec::new(), Vec::new());
    loop {
        let context = || format!("`{ours}` in game {game}");
        assert_eq!(
            ours.to_string(),
            Fen::from_position(&peer, EnPassantMode::Legal).to_string(),
            "game {game} from `{fen}`"
        );
        assert_eq!(ours.key(), ours.recompute_key(), "{}", context());
        assert_eq!(
            ours.checkers().bits(),
            u64::from(peer.checkers()),
            "{}",
            context()
        );

        let moves = ours.legal_moves();
        let peer_moves = peer.legal_moves();
        our_ordinals.clear();
        our_ordinals.extend(moves.iter().copied().map(ordinal));
        our_ordinals.sort_unstable();
        peer_ordinals.clear();
        peer_ordinals.extend(peer_moves.iter().copied().map(of_peer).map(ordinal));
        peer_ordinals.sort_unstable();
        assert!(
            our_ordinals == peer_ordinals,
            "{}: {moves:?}, and not {peer_moves:?}",
            context()
        );
        assert_eq!(ours.count_legal_moves(), moves.len(), "{}", context());
        assert_eq!(perft(&ours, 1), moves.len() as u64, "{}", context());
        assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{}", context());
        let mated = moves.is_empty() && ours.is_check();
        let stalemated = moves.is_empty() && !ours.is_check();
        assert_eq!(ours.is_checkmate(), mated, "{}", context());
        assert_eq!(ours.is_stalemate(), stalemated, "{}", context());
        tally.checkmates += usize::from(mated);
        tally.stalemates += usize::from(stalemated);

        for &peer_move in &peer_moves {
            let mv = of_peer(peer_move);
            let san = San::of(&ours, mv);
            assert_eq!(
                san,
                san_of_peer(peer_san::San::disambiguate(peer_move, &peer_moves)),
                "{mv:?} in {}",
                context()
            );
            assert_eq!(san.to_move(&ours), Ok(mv), "`{san}` in {}", context());
        }
        tally.moves += moves.len();

        let bare_kings = ours.board().occupied().count() == 2;
        if moves.is_empty() || bare_kings || tally.plies == LONGEST_GAME {
            return tally;
        }
        let mv = taste.choose(&moves, random);
        let peer_move = *peer_moves
            .iter()
            .find(|&&peer| of_peer(peer) == mv)
            .unwrap();
        tally.plies += 1;
        tally.captures += usize::from(mv.captured.is_some());
        match mv.kind {
            MoveKind::Normal => {}
            MoveKind::Promotion(_) => tally.promotions += 1,
            MoveKind::EnPassant => tally.en_passant += 1,
            MoveKind::Castle => tally.castles += 1,
        }

        let uci = mv.uci(mode).to_string();
        assert_eq!(
            uci,
            UciMove::from_move(peer_move, peer_mode).to_string(),
            "{}",
            context()
        );
        let read = Uci::from_ascii(uci.as_bytes()).unwrap();
        assert_eq!(read.to_move(&ours), Ok(mv), "`{uci}` in {}", context());

        let mut next = ours.clone();
        next.play_unchecked(mv);
        let san = SanPlus::of(&ours, mv, &next);
        tally.checks += usize::from(san.suffix == Some(Suffix::Check));
        let peer_plus = peer_san::SanPlus::from_move_and_play_unchecked(&mut peer, peer_move);
        assert_eq!(san.to_string(), peer_plus.to_string(), "{}", context());
        let read = SanPlus::from_ascii(san.to_string().as_bytes());
        assert_eq!(read, Ok(san), "{}", context());
        ours = next;
    }
}

/// Seed from `ARBITER_SEED`, or a fixed one.
pub fn seed() -> u64 {
    let seed =
        env::var("ARBITER_SEED").map_or(1, |seed| seed.parse().expect("ARBITER_SEED is a number"));
    println!("ARBITER_SEED={seed}");
    seed
}

fn check_games(start: impl Fn(&mut Random) -> String + Sync, mode: CastlingMode) {
    let seed = seed();
    let tally = (0..GAMES)
        .into_par_iter()
        .map(|game| {
            let mut random = Random(seed << 32 | game);
            let fen = start(&mut random);
            check_game(&fen, mode, game, &mut random)
        })
        .reduce(Tally::default, |mut sum, game| {
            sum += game;
            sum
        });
    println!("{tally:?}");
    for (what, seen, least) in [
        ("plies", tally.plies, 2_000_000),
        ("captures", tally.captures, 200_000),
        ("castles", tally.castles, 8_000),
        ("en passant", tally.en_passant, 5_000),
        ("promotions", tally.promotions, 20_000),
        ("checks", tally.checks, 100_000),
        ("checkmates", tally.checkmates, 1_000),
        ("stalemates", tally.stalemates, 200),
    ] {
        assert!(seen >= least, "{what}: {seen}");
    }
}

#[test]
fn standard_games_go_as_in_shakmaty() {
    check_games(
        |_| arbiter::chess::fen::INITIAL.to_owned(),
        CastlingMode::Standard,
    );
}

/// Back rank of one of the 960 initial positions: bishops on both colours, the king between the
/// rooks.
pub fn chess960_rank(random: &mut Random) -> String {
    let mut rank = [' '; 8];
    rank[2 * random.below(4)] = 'b';
    rank[2 * random.below(4) + 1] = 'b';
    let mut free: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
    for piece in ['q', 'n', 'n'] {
        rank[random.draw(&mut free)] = piece;
    }
    for (file, piece) in free.into_iter().zip(['r', 'k', 'r']) {
        rank[file] = piece;
    }
    rank.into_iter().collect()
}

#[test]
fn chess960_games_go_as_in_shakmaty() {
    check_games(
        |random| {
            let black = chess960_rank(random);
            // Half of the games begin with different ranks for White and Black.
            let white = if random.below(2) == 0 {
                black.clone()
            } else {
                chess960_rank(random)
            };
            let white = white.to_ascii_uppercase();
            format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
        },
        CastlingMode::Chess960,
    );
}

#[test]
fn all_960_initial_positions_are_drawn() {
    let mut random = Random(seed());
    let mut ranks = std::collections::BTreeSet::new();
    for _ in 0..20_000 {
        ranks.insert(chess960_rank(&mut random));
    }
    assert_eq!(ranks.len(), 960);
}
