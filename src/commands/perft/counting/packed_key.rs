//! Packing of a node into the key of a table entry.

use crate::chess::bitboard::Bitboard;
use crate::commands::perft::counting::board::{Men, Node, Side};
use crate::commands::perft::counting::table::PackedKey;

/// Most men of a packed node. Positions that no game leads to may have more.
pub(crate) const MOST_MEN: u32 = 32;

impl Node {
    /// Packs a node of at most [`MOST_MEN`] men with its depth: the occupied squares, four bits for
    /// each man, and the rest.
    #[inline(always)]
    pub(crate) fn packed_key<S: Side>(&self, depth: u32) -> PackedKey {
        // Six roles, and a seventh for rooks that may castle. Queens are in both slider sets.
        let code = |men: &Men| {
            let queens = men.diagonal & men.orthogonal;
            let may_castle = self.castling & men.orthogonal;
            let rooks = men.orthogonal.without(queens).without(may_castle);
            let bishops = men.diagonal.without(queens);
            [
                men.pawns | bishops | queens | may_castle,
                men.knights | bishops | men.king | may_castle,
                rooks | queens | men.king | may_castle,
            ]
        };
        let (us, them) = (code(&self.us), code(&self.them));
        let ours = self.us.all();
        let occupied = (ours | self.them.all()).bits();
        let planes = [us[0] | them[0], us[1] | them[1], us[2] | them[2], ours];
        let [a, b, c, d] = gather(planes.map(Bitboard::bits), occupied);
        let passed = self
            .passed
            .first()
            .map_or(0, |square| square.index() as u64);
        PackedKey {
            occupied,
            men: [a | b << 32, c | d << 32],
            rest: passed << 9 | u64::from(depth) << 1 | S::COLOR as u64,
        }
    }
}

/// The bits of each plane that are in `mask`, next to each other.
#[inline]
fn gather(planes: [u64; 4], mask: u64) -> [u64; 4] {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // With the loop below a perft of depth 7 from the start position takes 16 % longer.
        #[allow(unsafe_code)]
        // SAFETY: this line is compiled only where the build target has `bmi2`.
        planes.map(|plane| unsafe { core::arch::x86_64::_pext_u64(plane, mask) })
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    gather_one_by_one(planes, mask)
}

/// As [`gather`], without the instruction.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn gather_one_by_one(planes: [u64; 4], mask: u64) -> [u64; 4] {
    let mut gathered = [0; 4];
    for (place, square) in Bitboard::new(mask).into_iter().enumerate() {
        for (to, from) in gathered.iter_mut().zip(planes) {
            *to |= (from >> square.index() & 1) << place;
        }
    }
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered_alike_with_and_without_the_instruction() {
        let mut word = 1_u64;
        for _ in 0..1_000 {
            let [a, b, c, d, mask] = std::array::from_fn(|_| {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                word ^ word >> 29
            });
            let planes = [a, b, c, d];
            let gathered = gather(planes, mask);
            assert_eq!(gathered, gather_one_by_one(planes, mask));
            assert_eq!(
                gathered.map(u64::count_ones),
                planes.map(|plane| (plane & mask).count_ones())
            );
        }
    }
}
