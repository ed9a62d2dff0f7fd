//! Counts of positions already seen, shared by all threads without a lock.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What identifies a counted position, without loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    /// The squares with men.
    pub(crate) occupied: u64,
    /// Four bits for each man.
    pub(crate) men: [u64; 2],
    /// Side to move, en passant square and depth; below 2¹⁶ and not 0.
    pub(crate) rest: u64,
}

/// A table of counts. An entry holds the whole position, so that no two positions can be taken for each other. Threads
/// write entries word by word without a lock; one of the words is combined with a checksum of the others, and an entry
/// mixed from two writes passes for whole with a chance of about 2⁻⁶⁴ each time one is met.
///
/// An entry takes 32 bytes; it can be in any of the four places of two neighbouring cache lines, and the one with the
/// smallest count makes room for it. The table begins with a sixteenth of its size and doubles when it is nearly full,
/// since clearing memory that nobody needs takes longer than most counts.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The word with which the first cache line begins.
    lead: usize,
    /// The most lines there can be in use, a power of two.
    most: usize,
    /// The number of lines in use, less one: a mask, as the number is a power of two.
    mask: AtomicUsize,
    /// About how many entries have been written.
    written: AtomicUsize,
}

/// A man's square, the men, and rest and count in one word; the square's word is combined with [`checksum`].
struct Entry<'t>(&'t [AtomicU64; ENTRY]);

/// The size of an entry in words.
const ENTRY: usize = 4;

/// The size of a cache line in bytes, and in words.
const LINE_BYTES: usize = 64;
const LINE: usize = LINE_BYTES / size_of::<AtomicU64>();

/// Lines in a page of memory.
const PAGE: usize = 4_096 / LINE_BYTES;

/// Counts of this many bits fit beside the rest; a larger one is not stored.
const COUNT_BITS: u32 = 48;

/// How often the table can double.
const DOUBLINGS: u32 = 4;

/// One in so many writes is counted, for all of them.
const SAMPLE: usize = 64;

/// There is not enough memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTooLarge {
    /// Requested size, in MiB.
    pub mib: usize,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a table of {} MiB", self.mib)
    }
}

impl std::error::Error for TableTooLarge {}

impl Table {
    /// A table that may grow to about so many MiB, at least four entries. The number of entries is a power of two.
    ///
    /// # Errors
    ///
    /// If the system refuses the memory.
    pub fn new(mib: usize) -> Result<Table, TableTooLarge> {
        let too_large = TableTooLarge { mib };
        let bytes = mib.checked_mul(1 << 20).ok_or(too_large)?;
        let bits = (bytes / LINE_BYTES).max(2).ilog2();
        let first = bits.saturating_sub(DOUBLINGS).max(1);
        // A collection that fails aborts the program: a reservation asks first.
        Vec::<AtomicU64>::new()
            .try_reserve_exact((LINE << bits) + LINE)
            .map_err(|_| too_large)?;
        // The system hands out zeroed memory when it is first used: zeroes cost nothing where they are not read.
        let words: Box<[AtomicU64]> = std::iter::repeat_with(AtomicU64::default)
            .take((LINE << bits) + LINE)
            .collect();
        let table = Table {
            lead: words.as_ptr().align_offset(LINE_BYTES) % LINE,
            words,
            most: 1 << bits,
            mask: AtomicUsize::new((1 << first) - 1),
            written: AtomicUsize::new(0),
        };
        table.touch(0, 1 << first);
        Ok(table)
    }

    /// The count stored for a position.
    #[inline]
    pub(crate) fn find(&self, exact: &Exact) -> Option<u64> {
        self.places(exact.hash())
            .into_iter()
            .find_map(|entry| entry.count_of(exact))
    }

    /// Stores a count, in the place of another position's if need be.
    #[inline]
    pub(crate) fn store(&self, exact: &Exact, count: u64) {
        if count >> COUNT_BITS != 0 {
            return;
        }
        let hash = exact.hash();
        self.put(hash, exact, count);
        if (hash >> 32).is_multiple_of(SAMPLE as u64) {
            self.count_write();
        }
    }

    /// Asks for an entry before it is needed.
    #[inline]
    pub(crate) fn prefetch(&self, exact: &Exact) {
        let lines = self.lines(exact.hash());
        #[cfg(target_arch = "x86_64")]
        for line in lines {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // Without this a perft of depth 7 from the start position takes 40 % longer.
            #[allow(unsafe_code)]
            // SAFETY: the address is that of a live entry, and a prefetch changes nothing.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = lines;
    }

    #[inline]
    fn put(&self, hash: u64, exact: &Exact, count: u64) {
        let [mut least, others @ ..] = self.places(hash);
        let mut weight = least.weight();
        for entry in others {
            let other = entry.weight();
            if other < weight {
                least = entry;
                weight = other;
            }
        }
        least.write(exact, count);
    }

    /// The entries in which a position can be.
    #[inline]
    fn places(&self, hash: u64) -> [Entry<'_>; 4] {
        let [(a, b), (c, d)] = self.lines(hash).map(|line| {
            let (entries, _) = line.as_chunks();
            (Entry(&entries[0]), Entry(&entries[1]))
        });
        [a, b, c, d]
    }

    #[inline]
    fn lines(&self, hash: u64) -> [&[AtomicU64; LINE]; 2] {
        let line = hash as usize & self.mask.load(Ordering::Relaxed);
        [self.line(line), self.line(line ^ 1)]
    }

    #[inline]
    fn line(&self, line: usize) -> &[AtomicU64; LINE] {
        let (lines, _) = self.words[self.lead..].as_chunks();
        &lines[line]
    }

    /// Takes the pages of some new lines into use. A page that is read before it is written is handed out twice by the
    /// system; without this there are twice as many faults, and a perft of depth 7 from the start position takes 3 % longer.
    fn touch(&self, first: usize, end: usize) {
        for line in (first..end).step_by(PAGE) {
            self.line(line)[LINE - 1].store(0, Ordering::Relaxed);
        }
    }

    #[cold]
    fn count_write(&self) {
        let written = SAMPLE + self.written.fetch_add(SAMPLE, Ordering::Relaxed);
        let mask = self.mask.load(Ordering::Relaxed);
        if written > mask / 8 * 15 && mask + 1 < self.most {
            self.grow(mask);
        }
    }

    /// Doubles the table, if no other thread has done so meanwhile, and moves what belongs into the new half there.
    fn grow(&self, mask: usize) {
        let grown = mask << 1 | 1;
        let swapped = self
            .mask
            .compare_exchange(mask, grown, Ordering::Relaxed, Ordering::Relaxed);
        if swapped.is_err() {
            return;
        }
        self.touch(mask + 1, grown + 1);
        for line in 0..=mask {
            let (entries, _) = self.line(line).as_chunks();
            for entry in entries.iter().map(Entry) {
                if let Some((exact, count)) = entry.read() {
                    let hash = exact.hash();
                    if hash as usize & (grown ^ mask) != 0 {
                        self.put(hash, &exact, count);
                        entry.clear();
                    }
                }
            }
        }
    }
}

impl Entry<'_> {
    #[inline]
    fn words(&self) -> [u64; ENTRY] {
        self.0.each_ref().map(|word| word.load(Ordering::Relaxed))
    }

    /// The count, if it is that of a position.
    #[inline]
    fn count_of(&self, exact: &Exact) -> Option<u64> {
        let [word, a, b, last] = self.words();
        let same = [a, b] == exact.men
            && last >> COUNT_BITS == exact.rest
            && word ^ checksum(&exact.men, last) == exact.occupied;
        same.then_some(last & COUNT)
    }

    /// What is worth keeping: nothing weighs least, then small counts.
    #[inline]
    fn weight(&self) -> u64 {
        match self.0[3].load(Ordering::Relaxed) {
            0 => 0,
            last => 1 + (last & COUNT),
        }
    }

    /// What is stored. What is mixed from two writes has random squares, and no position is found by them.
    fn read(&self) -> Option<(Exact, u64)> {
        let [word, a, b, last] = self.words();
        let men = [a, b];
        let exact = Exact {
            occupied: word ^ checksum(&men, last),
            men,
            rest: last >> COUNT_BITS,
        };
        (last != 0).then_some((exact, last & COUNT))
    }

    /// Stores a count that fits.
    #[inline]
    fn write(&self, exact: &Exact, count: u64) {
        let last = exact.rest << COUNT_BITS | count;
        let [a, b] = exact.men;
        let word = exact.occupied ^ checksum(&exact.men, last);
        for (place, word) in self.0.iter().zip([word, a, b, last]) {
            place.store(word, Ordering::Relaxed);
        }
    }

    fn clear(&self) {
        self.0[3].store(0, Ordering::Relaxed);
    }
}

/// The bits of a count.
const COUNT: u64 = (1 << COUNT_BITS) - 1;

const ODD: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
];

/// A multiplication whose halves are added: every bit reaches the low ones.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Of all words of an entry but the squares.
#[inline]
fn checksum(men: &[u64; 2], last: u64) -> u64 {
    fold(fold(men[0] ^ ODD[1], men[1] ^ ODD[2]), last ^ ODD[0])
}

impl Exact {
    /// Says where to look.
    #[inline]
    fn hash(&self) -> u64 {
        let one = fold(self.men[0] ^ ODD[0], self.men[1] ^ ODD[1]);
        let other = fold(self.occupied ^ ODD[2], self.rest ^ ODD[0]);
        fold(one ^ ODD[1], other ^ ODD[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Exact = Exact {
        occupied: 1,
        men: [2, 3],
        rest: 4,
    };

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.find(&FIRST), None);
        table.store(&FIRST, 77);
        assert_eq!(table.find(&FIRST), Some(77));
        assert_eq!(table.find(&Exact { rest: 5, ..FIRST }), None);
        let occupied = 9;
        assert_eq!(table.find(&Exact { occupied, ..FIRST }), None);
        for men in [[2, 9], [9, 3], [3, 2]] {
            assert_eq!(table.find(&Exact { men, ..FIRST }), None);
        }
        let other = Exact { rest: 5, ..FIRST };
        table.store(&other, 1 << COUNT_BITS);
        assert_eq!(table.find(&other), None);
    }

    #[test]
    fn an_entry_mixed_from_two_writes_is_not_taken() {
        for (word, change) in [(0, 1), (1, 1), (2, 1), (3, 1), (3, 1 << COUNT_BITS)] {
            let table = Table::new(0).unwrap();
            table.store(&FIRST, 77);
            let places = table.places(FIRST.hash());
            let entry = places
                .iter()
                .find(|entry| entry.count_of(&FIRST).is_some())
                .unwrap();
            entry.0[word].fetch_xor(change, Ordering::Relaxed);
            assert_eq!(table.find(&FIRST), None, "word {word}");
        }
    }

    #[test]
    fn the_larger_counts_stay_when_there_is_no_room() {
        let table = Table::new(0).unwrap();
        let entries = |rest| Exact { rest, ..FIRST };
        for rest in 1..=40 {
            table.store(&entries(rest), rest);
        }
        let found: Vec<u64> = (1..=40)
            .filter(|&rest| table.find(&entries(rest)).is_some())
            .collect();
        assert_eq!(found, [37, 38, 39, 40]);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let table = Table::new(4).unwrap();
        let begin = table.mask.load(Ordering::Relaxed);
        let entry = |nth: u64| Exact {
            occupied: nth.wrapping_mul(ODD[0]),
            ..FIRST
        };
        let entries = 1 << 15;
        for nth in 0..entries {
            table.store(&entry(nth), nth);
        }
        assert!(table.mask.load(Ordering::Relaxed) > begin);
        let kept = (0..entries)
            .filter(|&nth| table.find(&entry(nth)) == Some(nth))
            .count();
        // Some have made room for others, since it grows when it is nearly full.
        assert!(kept as u64 > entries * 2 / 3, "{kept} of {entries}");
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        for mib in [1 << 40, usize::MAX >> 20, usize::MAX] {
            assert_eq!(Table::new(mib).err(), Some(TableTooLarge { mib }));
        }
    }
}
