//! Counts of positions already seen, shared by all threads without a lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What identifies a counted position, without loss: four planes that say which of sixteen things stands on each
/// square, and a word with the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exact {
    pub(super) planes: [u64; 4],
    /// Side to move, en passant square and depth; below 2¹⁶.
    pub(super) rest: u64,
}

/// A table of counts. An entry holds the whole position, so that no two positions can be taken for each other. Threads
/// write entries word by word without a lock; the last word is a checksum of the others, and an entry mixed from two
/// writes passes for whole with a chance of 2⁻⁶⁴ each time one is met.
///
/// The table begins with a sixteenth of its size and doubles when it is half full, since clearing memory that nobody needs
/// takes longer than most counts.
pub struct Table {
    /// The first part, and each further one as large as all before it.
    parts: Vec<OnceLock<Box<[Entry]>>>,
    /// The binary logarithm of the first part's size.
    first: u32,
    /// The number of entries in use, less one: a mask, as the number is a power of two.
    mask: AtomicU64,
    /// About how many entries have been written since the last doubling.
    written: AtomicU64,
}

/// Planes, rest and count in one word, checksum. Six words in a cache line of eight.
#[repr(align(64))]
#[derive(Default)]
struct Entry {
    words: [AtomicU64; 6],
}

/// Counts of this many bits fit beside the rest; a larger one is not stored.
const COUNT_BITS: u32 = 48;

/// How often the table can double.
const DOUBLINGS: u32 = 4;

/// One in so many writes is counted, for all of them.
const SAMPLE: u64 = 64;

impl Table {
    /// A table that may grow to about so many MiB, at least one entry. The number of entries is a power of two.
    pub fn new(mib: usize) -> Table {
        let bits = ((mib << 20) / size_of::<Entry>()).max(1).ilog2();
        let doublings = DOUBLINGS.min(bits);
        let first = bits - doublings;
        Table {
            parts: (0..=doublings).map(|_| OnceLock::new()).collect(),
            first,
            mask: AtomicU64::new((1 << first) - 1),
            written: AtomicU64::new(0),
        }
    }

    /// The count stored for a position.
    #[inline]
    pub(super) fn find(&self, exact: &Exact) -> Option<u64> {
        let (stored, count) = self.entry(exact).read()?;
        (stored == *exact).then_some(count)
    }

    /// Stores a count, in the place of another position's if need be.
    #[inline]
    pub(super) fn store(&self, exact: &Exact, count: u64) {
        if count >> COUNT_BITS != 0 {
            return;
        }
        let check = self.entry(exact).write(exact, count);
        if check.is_multiple_of(SAMPLE) {
            self.count_write();
        }
    }

    /// Asks for an entry before it is needed.
    #[inline]
    pub(super) fn prefetch(&self, exact: &Exact) {
        let entry = self.entry(exact);
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // A perft of depth 7 from the start position takes a tenth longer without this.
            #[allow(unsafe_code)]
            // SAFETY: the address is that of a live entry, and a prefetch changes nothing.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = entry;
    }

    #[inline]
    fn entry(&self, exact: &Exact) -> &Entry {
        let slot = mix(&exact.planes, exact.rest) & self.mask.load(Ordering::Relaxed);
        // The part is the number of bits of the slot above those of the first part.
        let part = (u64::BITS - (slot >> self.first).leading_zeros()) as usize;
        let begin = match part {
            0 => 0,
            _ => 1 << (self.first as usize + part - 1),
        };
        &self.part(part)[slot as usize - begin]
    }

    #[inline]
    fn part(&self, part: usize) -> &[Entry] {
        self.parts[part].get_or_init(|| {
            let entries = 1 << (self.first as usize + part.saturating_sub(1));
            std::iter::repeat_with(Entry::default)
                .take(entries)
                .collect()
        })
    }

    #[cold]
    fn count_write(&self) {
        let written = SAMPLE + self.written.fetch_add(SAMPLE, Ordering::Relaxed);
        let mask = self.mask.load(Ordering::Relaxed);
        let largest = (1 << (self.first as usize + self.parts.len() - 1)) - 1;
        if written > mask / 2 && mask < largest {
            self.grow(mask);
        }
    }

    /// Doubles the table, if no other thread has done so meanwhile, and moves what belongs into the new half there.
    fn grow(&self, mask: u64) {
        let grown = mask << 1 | 1;
        let swapped = self
            .mask
            .compare_exchange(mask, grown, Ordering::Relaxed, Ordering::Relaxed);
        if swapped.is_err() {
            return;
        }
        self.written.store(0, Ordering::Relaxed);
        for part in self.parts.iter().filter_map(OnceLock::get) {
            for entry in part {
                if let Some((exact, count)) = entry.read()
                    && mix(&exact.planes, exact.rest) & (grown ^ mask) != 0
                {
                    self.entry(&exact).write(&exact, count);
                }
            }
        }
    }
}

impl Entry {
    /// What is stored, if it is whole.
    #[inline]
    fn read(&self) -> Option<(Exact, u64)> {
        let words = self
            .words
            .each_ref()
            .map(|word| word.load(Ordering::Relaxed));
        let [planes @ .., last, check] = words;
        let exact = Exact {
            planes,
            rest: last >> COUNT_BITS,
        };
        (check == checksum(&planes, last)).then_some((exact, last & ((1 << COUNT_BITS) - 1)))
    }

    /// Stores a count that fits; returns the checksum.
    #[inline]
    fn write(&self, exact: &Exact, count: u64) -> u64 {
        let last = exact.rest << COUNT_BITS | count;
        let [a, b, c, d] = exact.planes;
        let check = checksum(&exact.planes, last);
        for (place, word) in self.words.iter().zip([a, b, c, d, last, check]) {
            place.store(word, Ordering::Relaxed);
        }
        check
    }
}

/// The words folded by multiplications whose halves are added: every bit reaches the low ones.
#[inline]
fn mix(planes: &[u64; 4], rest: u64) -> u64 {
    const ODD: [u64; 3] = [
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
    ];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let one = fold(planes[0] ^ ODD[0], planes[1] ^ ODD[1]);
    let other = fold(planes[2] ^ ODD[2], planes[3] ^ rest ^ ODD[0]);
    fold(one ^ ODD[1], other ^ rest.wrapping_mul(ODD[2]))
}

/// Never 0 for an entry that was never written.
#[inline]
fn checksum(planes: &[u64; 4], last: u64) -> u64 {
    mix(planes, last).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1);
        let exact = Exact {
            planes: [1, 2, 3, 4],
            rest: 5,
        };
        assert_eq!(table.find(&exact), None);
        table.store(&exact, 77);
        assert_eq!(table.find(&exact), Some(77));
        assert_eq!(table.find(&Exact { rest: 6, ..exact }), None);
        let planes = [1, 2, 3, 5];
        assert_eq!(table.find(&Exact { planes, ..exact }), None);
        table.store(&exact, 1 << COUNT_BITS);
        assert_eq!(table.find(&exact), Some(77));
    }

    #[test]
    fn an_entry_mixed_from_two_writes_is_not_taken() {
        let table = Table::new(0);
        let first = Exact {
            planes: [1, 2, 3, 4],
            rest: 5,
        };
        table.store(&first, 77);
        table.entry(&first).words[4].fetch_add(1, Ordering::Relaxed);
        assert_eq!(table.find(&first), None);
    }
}
