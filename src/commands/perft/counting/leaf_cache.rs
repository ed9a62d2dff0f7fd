//! Cache of leaf counts, for the same moves in another order.
//!
//! The [`Table`](crate::commands::perft::counting::Table) has positions down to two plies from the
//! end. One ply from the end there are some 25 times as many, and looking up one of them takes as
//! long as counting its moves. Most transpositions are close by, though: below nodes of depth 4 in
//! which the side not to move, the *replier*, has the same men on the same squares (the *base*), a
//! node of depth 1 is the mover's arrangement after two moves and one reply.
//!
//! Arrangements and replies are numbered, and a byte for each pair of numbers holds the count. The
//! number of the mover's next arrangement comes from a row of the one before, so that a known count
//! costs two loads from cached memory, without playing the move. The cache is exact: a number
//! stands for one arrangement, compared in full when it was assigned.
//!
//! From the start position, depth 7, it has 10.2 of 22.1 million counts of depth 1, and without it
//! the whole takes 25 % longer.

use hashbrown::HashMap;

use crate::chess::bitboard::Bitboard;
use crate::commands::perft::counting::board::{Men, Node};
use crate::commands::perft::counting::moves::SimpleMove;

/// One side's men, and its rooks that may castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Arrangement {
    men: Men,
    castling: Bitboard,
}

impl Arrangement {
    fn new(men: &Men, castling: Bitboard) -> Arrangement {
        Arrangement {
            men: *men,
            castling: castling & men.orthogonal,
        }
    }
}

/// Exclusive bound of the numbers of arrangements; 0 means none.
const ARRANGEMENTS: usize = 1 << 16;

/// Exclusive bound of the rows, of four megabytes together.
const ROWS: usize = 1 << 13;

/// Exclusive bound of the numbers of the mover's moves.
const MOVES: usize = 256;

/// Exclusive bound of the numbers of replies: with the generation, the counts of an arrangement
/// fill a cache line.
const REPLIES: usize = 64;

/// Known counts, and the current nodes of depth 4 and 3.
pub(crate) struct LeafCache {
    numbers: HashMap<Arrangement, u16>,
    /// Row of each arrangement in `next`; 0 if no move was played from it.
    rows: Vec<u16>,
    /// In each row, the arrangement that each move leads to; 0 if unknown. Row 0 stays empty.
    next: Vec<[u16; MOVES]>,
    /// For each arrangement, the generation of its counts, then by reply the count plus one; 0 if
    /// unknown.
    counts: Vec<[u8; REPLIES]>,
    moves: Numbers<MOVES>,
    replies: Numbers<REPLIES>,
    base: Option<Arrangement>,
    /// Incremented when the base changes, which invalidates all counts.
    generation: u8,
    /// Row of the mover's arrangement at the node of depth 3; 0 if the cache does not apply.
    row: u16,
}

impl LeafCache {
    pub(crate) fn new() -> LeafCache {
        LeafCache {
            numbers: HashMap::default(),
            rows: vec![0],
            next: vec![[0; MOVES]],
            counts: vec![[0; REPLIES]],
            moves: Numbers::new(),
            replies: Numbers::new(),
            base: None,
            generation: 0,
            row: 0,
        }
    }

    /// Enters a node of depth 4.
    pub(crate) fn begin_four(&mut self, node: &Node) {
        let base = Some(Arrangement::new(&node.them, node.castling));
        if self.base == base {
            return;
        }
        if self.rows.len() == ARRANGEMENTS || self.next.len() == ROWS {
            self.forget();
        }
        self.base = base;
        self.replies.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.counts.fill([0; REPLIES]);
            self.generation = 1;
        }
    }

    /// Enters a node of depth 3 below the current one of depth 4.
    pub(crate) fn begin_three(&mut self, node: &Node) {
        // After a capture it differs from the base.
        let replier = Arrangement::new(&node.us, node.castling);
        self.row = match self.base == Some(replier) {
            true => self.row_of(Arrangement::new(&node.them, node.castling)),
            false => 0,
        };
    }

    /// Known counts below a node of depth 2, reached by `reply` from the current one of depth 3.
    /// `None` if the reply is a capture or not a simple move.
    #[inline]
    pub(crate) fn below(&mut self, reply: SimpleMove) -> Option<KnownCounts<'_>> {
        if self.row == 0 || reply == SimpleMove::NONE || reply.is_capture() {
            return None;
        }
        let reply = self.replies.number(reply);
        let row = self.row;
        (reply != 0).then_some(KnownCounts {
            cache: self,
            row: usize::from(row),
            reply: usize::from(reply),
        })
    }

    fn forget(&mut self) {
        self.numbers.clear();
        self.rows.truncate(1);
        self.next.truncate(1);
        self.counts.truncate(1);
        self.moves.clear();
    }

    /// Number of an arrangement; 0 if there are too many.
    fn number_of(&mut self, arrangement: Arrangement) -> u16 {
        if let Some(&number) = self.numbers.get(&arrangement) {
            return number;
        }
        if self.rows.len() == ARRANGEMENTS {
            return 0;
        }
        let number = self.rows.len() as u16;
        self.numbers.insert(arrangement, number);
        self.rows.push(0);
        self.counts.push([0; REPLIES]);
        number
    }

    /// Row of an arrangement; 0 if there are too many.
    fn row_of(&mut self, arrangement: Arrangement) -> u16 {
        let number = self.number_of(arrangement);
        if number != 0 && self.rows[usize::from(number)] == 0 && self.next.len() < ROWS {
            self.rows[usize::from(number)] = self.next.len() as u16;
            self.next.push([0; MOVES]);
        }
        self.rows[usize::from(number)]
    }
}

/// Known counts below a node of depth 2.
pub(crate) struct KnownCounts<'a> {
    cache: &'a mut LeafCache,
    row: usize,
    reply: usize,
}

impl KnownCounts<'_> {
    /// The mover's arrangement after a move, and the number of replies if known.
    #[inline(always)]
    pub(crate) fn find(&self, mv: SimpleMove) -> (Number, Option<u64>) {
        let all = &*self.cache;
        // Captures have no number and lead to number 0, which never has counts.
        let number = all.next[self.row][usize::from(all.moves.of[mv.index()])];
        let counts = &all.counts[usize::from(number)];
        let count = counts[self.reply % REPLIES];
        let known = counts[0] == all.generation && count != 0;
        (Number(number), known.then(|| u64::from(count) - 1))
    }

    /// Stores the number of replies to a move that leads to `child`; `number` comes from
    /// [`find`](KnownCounts::find).
    #[inline(always)]
    pub(crate) fn learn(&mut self, mv: SimpleMove, number: Number, child: &Node, count: u64) {
        // No position of a game has more than 218 moves; other positions may have more.
        let Ok(count) = u8::try_from(count + 1) else {
            return;
        };
        let mut number = number.0;
        if number == 0 {
            if mv == SimpleMove::NONE || mv.is_capture() {
                return;
            }
            number = self.learn_move(mv, child);
            if number == 0 {
                return;
            }
        }
        let counts = &mut self.cache.counts[usize::from(number)];
        if counts[0] != self.cache.generation {
            counts.fill(0);
            counts[0] = self.cache.generation;
        }
        counts[self.reply % REPLIES] = count;
    }

    /// Stores the arrangement that a move leads to; 0 if there are too many arrangements or moves.
    #[cold]
    fn learn_move(&mut self, mv: SimpleMove, child: &Node) -> u16 {
        let all = &mut *self.cache;
        let mv = usize::from(all.moves.number(mv));
        if mv == 0 {
            return 0;
        }
        let number = all.number_of(Arrangement::new(&child.them, child.castling));
        all.next[self.row][mv] = number;
        number
    }
}

/// Number of an arrangement; 0 if it has none yet.
#[derive(Clone, Copy)]
pub(crate) struct Number(u16);

/// Numbers of simple moves, from 1 to below `LIMIT`, which is 256 or less.
struct Numbers<const LIMIT: usize> {
    /// Number of each move; 0 for none.
    of: Box<[u8; SimpleMove::INDICES]>,
    /// Moves with a number, in order.
    numbered: Vec<SimpleMove>,
}

impl<const LIMIT: usize> Numbers<LIMIT> {
    fn new() -> Self {
        Numbers {
            of: Box::new([0; _]),
            numbered: Vec::with_capacity(LIMIT),
        }
    }

    fn clear(&mut self) {
        for mv in self.numbered.drain(..) {
            self.of[mv.index()] = 0;
        }
    }

    /// Number of a move, new if it has none; 0 if there are no more.
    #[inline]
    fn number(&mut self, mv: SimpleMove) -> u8 {
        let number = self.of[mv.index()];
        if number != 0 || self.numbered.len() + 1 == LIMIT {
            return number;
        }
        self.numbered.push(mv);
        let number = self.numbered.len() as u8;
        self.of[mv.index()] = number;
        number
    }
}
