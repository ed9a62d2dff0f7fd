//! Counts of positions already seen, shared by all threads without a lock.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What identifies a counted position, without loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exact {
    /// The squares with men.
    pub(super) occupied: u64,
    /// Four bits for each man.
    pub(super) men: [u64; 2],
    /// Side to move, en passant square and depth; below 2¹⁶, and not 0.
    pub(super) rest: u64,
}

/// A table of counts.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// Where the first cache line begins.
    lead: usize,
    size: usize,
    /// The number of lines in use, less one: a mask, as the number is a power of two.
    mask: AtomicUsize,
    /// About how many entries have been written.
    written: AtomicUsize,
}

type Entry = [AtomicU64; 4];

/// Counts of this many bits fit beside the rest; a larger one is not stored.
const COUNT_BITS: u32 = 48;

/// The table grows fourfold, from a sixteenth.
const GROWTHS: u32 = 4;
const FACTOR: u32 = 1;

/// One in so many writes is counted, for all of them.
const SAMPLE: usize = 64;

impl Table {
    /// A table that may grow to about so many MiB, at least one entry. The number of entries is a power of two.
    pub fn new(mib: usize) -> Table {
        let bits = ((mib << 20) / 64).max(2).ilog2();
        let first = bits.saturating_sub(FACTOR * GROWTHS).max(1);
        let words: Box<[AtomicU64]> = std::iter::repeat_with(AtomicU64::default).take((8 << bits) + 8).collect();
        if std::env::var("HUGE").is_ok() { want_huge_pages(&words); }
        let table = Table {
            lead: words.as_ptr().align_offset(64) & 7,
            words,
            size: 1 << bits,
            mask: AtomicUsize::new((1 << first) - 1),
            written: AtomicUsize::new(0),
        };
        for page in (0..1 << first).step_by(64) {
            table.line(page)[0][3].store(0, Ordering::Relaxed);
        }
        table
    }

    /// The count stored for a position.
    #[inline]
    pub(super) fn find(&self, exact: &Exact) -> Option<u64> {
        let lines = self.lines(exact.hash());
        for line in lines {
            for entry in line {
                if let Some(count) = entry.count_of(exact) {
                    return Some(count);
                }
            }
        }
        None
    }

    /// Stores a count, in the place of another position's if need be.
    #[inline]
    pub(super) fn store(&self, exact: &Exact, count: u64) {
        if count >> COUNT_BITS != 0 {
            return;
        }
        let hash = exact.hash();
        self.put(hash, exact, count);
        if (hash >> 32) as usize % SAMPLE == 0 {
            self.count_write();
        }
    }

    #[inline]
    fn put(&self, hash: u64, exact: &Exact, count: u64) {
        let [one, other] = self.lines(hash);
        let [a, b] = one;
        let [c, d] = other;
        let mut least = a;
        let mut size = a.size();
        for entry in [b, c, d] {
            let other = entry.size();
            if other < size {
                least = entry;
                size = other;
            }
        }
        least.write(exact, count);
    }

    /// Asks for an entry before it is needed.
    #[inline]
    pub(super) fn prefetch(&self, exact: &Exact) {
        let lines = self.lines(exact.hash());
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // A perft of depth 7 from the start position takes a tenth longer without this.
            #[allow(unsafe_code)]
            // SAFETY: the address is that of a live entry, and a prefetch changes nothing.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(lines[0]).cast());
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(lines[1]).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = entry;
    }

    #[inline]
    fn lines(&self, hash: u64) -> [&[Entry; 2]; 2] {
        let line = hash as usize & self.mask.load(Ordering::Relaxed);
        [self.line(line), self.line(line ^ 1)]
    }

    #[inline]
    fn line(&self, line: usize) -> &[Entry; 2] {
        let (entries, _) = self.words[self.lead + line * 8..][..8].as_chunks::<4>();
        entries.first_chunk().unwrap()
    }

    #[cold]
    fn count_write(&self) {
        let written = SAMPLE + self.written.fetch_add(SAMPLE, Ordering::Relaxed);
        let mask = self.mask.load(Ordering::Relaxed);
        if written > mask / 8 * 15 && mask < self.size - 1 {
            self.grow(mask);
        }
    }

    /// Grows the table, if no other thread has done so meanwhile, and moves what belongs into the new part there.
    fn grow(&self, mask: usize) {
        let grown = (mask << FACTOR | (1 << FACTOR) - 1) & (self.size - 1);
        let swapped = self
            .mask
            .compare_exchange(mask, grown, Ordering::Relaxed, Ordering::Relaxed);
        if swapped.is_err() {
            return;
        }
        for page in (mask + 1..=grown).step_by(64) {
            self.line(page)[0][3].store(0, Ordering::Relaxed);
        }
        for line in 0..=mask {
            let line = self.line(line);
            for entry in line {
                if let Some((exact, count)) = entry.read() {
                    let hash = exact.hash();
                    if hash as usize & (grown ^ mask) != 0 {
                        self.put(hash, &exact, count);
                        entry[3].store(0, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

trait E {fn count_of(&self, exact: &Exact) -> Option<u64>; fn size(&self)->u64; fn read(&self)->Option<(Exact,u64)>; fn write(&self, exact:&Exact, count:u64); }
impl E for Entry {
    #[inline]
    fn count_of(&self, exact: &Exact) -> Option<u64> {
        let [word, a, b, last] = self
            .each_ref()
            .map(|word| word.load(Ordering::Relaxed));
        let same = [a, b] == exact.men && last >> COUNT_BITS == exact.rest && word ^ check(&[a, b], last) == exact.occupied;
        same.then_some(last & ((1 << COUNT_BITS) - 1))
    }

    #[inline]
    fn size(&self) -> u64 {
        let last = self[3].load(Ordering::Relaxed);
        if last == 0 { 0 } else { 1 + (last & ((1 << COUNT_BITS) - 1)) }
    }

    /// What is stored, if it is whole.
    #[inline]
    fn read(&self) -> Option<(Exact, u64)> {
        let [word, a, b, last] = self
            .each_ref()
            .map(|word| word.load(Ordering::Relaxed));
        let men = [a, b];
        let exact = Exact {
            occupied: word ^ check(&men, last),
            men,
            rest: last >> COUNT_BITS,
        };
        (last != 0).then_some((exact, last & ((1 << COUNT_BITS) - 1)))
    }

    /// Stores a count that fits.
    #[inline]
    fn write(&self, exact: &Exact, count: u64) {
        let last = exact.rest << COUNT_BITS | count;
        let [a, b] = exact.men;
        let word = exact.occupied ^ check(&exact.men, last);
        for (place, word) in self.iter().zip([word, a, b, last]) {
            place.store(word, Ordering::Relaxed);
        }
    }
}

const ODD: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Exact {
    /// The words folded by multiplications whose halves are added: every bit reaches the low ones.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let one = fold(self.men[0] ^ ODD[0], self.men[1] ^ ODD[1]);
        let other = fold(self.occupied ^ ODD[2], self.rest ^ ODD[0]);
        fold(one ^ ODD[1], other ^ ODD[2])
    }
}

#[inline]
fn check(men: &[u64; 2], last: u64) -> u64 {
    fold(fold(men[0] ^ ODD[1], men[1] ^ ODD[2]), last ^ ODD[0])
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

fn want_huge_pages<T>(memory: &[T]) {
        let bytes = size_of_val(memory);
        let start = memory.as_ptr().cast::<u8>();
        let lead = start.align_offset(HUGE_PAGE);
        let pages = bytes.saturating_sub(lead) / HUGE_PAGE * HUGE_PAGE;
        if pages > 0 {
            #[allow(unsafe_code)]
            unsafe {
                libc::madvise(start.wrapping_add(lead).cast_mut().cast(), pages, libc::MADV_HUGEPAGE);
            }
        }
}
const HUGE_PAGE: usize = 2 << 20;
