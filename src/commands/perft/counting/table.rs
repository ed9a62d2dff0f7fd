//! Transposition table of counts, shared by all threads without a lock.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Collision-free key of a counted position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedKey {
    /// Occupied squares.
    pub(crate) occupied: u64,
    /// Four bits for each man.
    pub(crate) men: [u64; 2],
    /// Side to move, en passant square and depth; below 2¹⁶ and not 0.
    pub(crate) rest: u64,
}

/// Transposition table of counts.
///
/// An entry holds the whole position, so that no two positions collide. Threads write entries word
/// by word without a lock; one word is combined with a checksum of the others, so that an entry
/// mixed from two writes passes with a chance of about 2⁻⁶⁴.
///
/// An entry takes 32 bytes. It can be in any of the four places of two neighbouring cache lines,
/// and replaces the one with the smallest count. The table begins with a sixteenth of its size and
/// doubles when it is nearly full, since clearing unused memory takes longer than most counts.
pub struct CountTable {
    words: Box<[AtomicU64]>,
    /// Index of the first word of the first cache line.
    lead: usize,
    /// Most lines in use, a power of two.
    most: usize,
    /// Number of lines in use, a power of two, minus one.
    mask: AtomicUsize,
    /// Estimated number of entries written.
    written: AtomicUsize,
}

/// Four words: the occupied squares combined with [`checksum`], the men in two, and rest with
/// count.
struct Entry<'t>(&'t [AtomicU64; ENTRY]);

/// Size of an entry in words.
const ENTRY: usize = 4;

/// Size of a cache line in bytes, and in words.
const LINE_BYTES: usize = 64;
const LINE: usize = LINE_BYTES / size_of::<AtomicU64>();

/// Bits of a count beside the rest; larger counts are not stored.
const COUNT_BITS: u32 = 48;

/// Number of times that the table can double.
const DOUBLINGS: u32 = 4;

/// One of this many writes is counted, for all of them.
const SAMPLE: usize = 64;

impl CountTable {
    /// A table that may grow to about `mib` MiB, at least four entries. The number of entries is a
    /// power of two. `None` if the system refuses the memory.
    pub fn new(mib: usize) -> Option<CountTable> {
        let bytes = mib.checked_mul(1 << 20)?;
        let bits = (bytes / LINE_BYTES).max(2).ilog2();
        let first = bits.saturating_sub(DOUBLINGS).max(1);
        // A collection that fails aborts the program: a reservation asks first.
        Vec::<AtomicU64>::new()
            .try_reserve_exact((LINE << bits) + LINE)
            .ok()?;
        // The system zeroes pages when they are first used, so that unused memory costs nothing.
        let words: Box<[AtomicU64]> = std::iter::repeat_with(AtomicU64::default)
            .take((LINE << bits) + LINE)
            .collect();
        Some(CountTable {
            lead: words.as_ptr().align_offset(LINE_BYTES) % LINE,
            words,
            most: 1 << bits,
            mask: AtomicUsize::new((1 << first) - 1),
            written: AtomicUsize::new(0),
        })
    }

    /// Count of a position, if it is stored.
    #[inline]
    pub(crate) fn find(&self, key: &PackedKey) -> Option<u64> {
        self.places(key.hash())
            .into_iter()
            .find_map(|entry| entry.count_of(key))
    }

    /// Stores a count, replacing another if need be.
    #[inline]
    pub(crate) fn store(&self, key: &PackedKey, count: u64) {
        if count >> COUNT_BITS != 0 {
            return;
        }
        let hash = key.hash();
        self.put(hash, key, count);
        if (hash >> 32).is_multiple_of(SAMPLE as u64) {
            self.count_write();
        }
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(crate) fn prefetch(&self, key: &PackedKey) {
        let lines = self.lines(key.hash());
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
    fn put(&self, hash: u64, key: &PackedKey, count: u64) {
        let [mut least, others @ ..] = self.places(hash);
        let mut weight = least.weight();
        for entry in others {
            let other = entry.weight();
            if other < weight {
                least = entry;
                weight = other;
            }
        }
        least.write(key, count);
    }

    /// Entries that can hold a position.
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

    #[cold]
    fn count_write(&self) {
        let written = SAMPLE + self.written.fetch_add(SAMPLE, Ordering::Relaxed);
        let mask = self.mask.load(Ordering::Relaxed);
        if written > mask / 8 * 15 && mask + 1 < self.most {
            self.grow(mask);
        }
    }

    /// Doubles the table, unless another thread has, and moves entries to the new half.
    fn grow(&self, mask: usize) {
        let grown = mask << 1 | 1;
        let swapped = self
            .mask
            .compare_exchange(mask, grown, Ordering::Relaxed, Ordering::Relaxed);
        if swapped.is_err() {
            return;
        }
        for line in 0..=mask {
            let (entries, _) = self.line(line).as_chunks();
            for entry in entries.iter().map(Entry) {
                if let Some((key, count)) = entry.read() {
                    let hash = key.hash();
                    if hash as usize & (grown ^ mask) != 0 {
                        self.put(hash, &key, count);
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

    /// The count, if the entry is that of a position.
    #[inline]
    fn count_of(&self, key: &PackedKey) -> Option<u64> {
        let [word, a, b, last] = self.words();
        let same = [a, b] == key.men
            && last >> COUNT_BITS == key.rest
            && word ^ checksum(&key.men, last) == key.occupied;
        same.then_some(last & COUNT)
    }

    /// Value of the entry: 0 if empty, more for larger counts.
    #[inline]
    fn weight(&self) -> u64 {
        match self.0[3].load(Ordering::Relaxed) {
            0 => 0,
            last => 1 + (last & COUNT),
        }
    }

    /// Key and count. An entry mixed from two writes has random squares, and matches no position.
    fn read(&self) -> Option<(PackedKey, u64)> {
        let [word, a, b, last] = self.words();
        let men = [a, b];
        let key = PackedKey {
            occupied: word ^ checksum(&men, last),
            men,
            rest: last >> COUNT_BITS,
        };
        (last != 0).then_some((key, last & COUNT))
    }

    /// Stores a count that fits.
    #[inline]
    fn write(&self, key: &PackedKey, count: u64) {
        let last = key.rest << COUNT_BITS | count;
        let [a, b] = key.men;
        let word = key.occupied ^ checksum(&key.men, last);
        for (place, word) in self.0.iter().zip([word, a, b, last]) {
            place.store(word, Ordering::Relaxed);
        }
    }

    fn clear(&self) {
        self.0[3].store(0, Ordering::Relaxed);
    }
}

/// Mask of a count.
const COUNT: u64 = (1 << COUNT_BITS) - 1;

const ODD: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
];

/// Multiplication with both halves combined: every bit reaches the low ones.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Checksum of the words of an entry except the squares.
#[inline]
fn checksum(men: &[u64; 2], last: u64) -> u64 {
    fold(fold(men[0] ^ ODD[1], men[1] ^ ODD[2]), last ^ ODD[0])
}

impl PackedKey {
    /// Hash that selects the cache lines.
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

    const FIRST: PackedKey = PackedKey {
        occupied: 1,
        men: [2, 3],
        rest: 4,
    };

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = CountTable::new(1).unwrap();
        assert_eq!(table.find(&FIRST), None);
        table.store(&FIRST, 77);
        assert_eq!(table.find(&FIRST), Some(77));
        assert_eq!(table.find(&PackedKey { rest: 5, ..FIRST }), None);
        let occupied = 9;
        assert_eq!(table.find(&PackedKey { occupied, ..FIRST }), None);
        for men in [[2, 9], [9, 3], [3, 2]] {
            assert_eq!(table.find(&PackedKey { men, ..FIRST }), None);
        }
        let other = PackedKey { rest: 5, ..FIRST };
        table.store(&other, 1 << COUNT_BITS);
        assert_eq!(table.find(&other), None);
    }

    #[test]
    fn an_entry_mixed_from_two_writes_is_not_taken() {
        for (word, change) in [(0, 1), (1, 1), (2, 1), (3, 1), (3, 1 << COUNT_BITS)] {
            let table = CountTable::new(0).unwrap();
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
        let table = CountTable::new(0).unwrap();
        let entries = |rest| PackedKey { rest, ..FIRST };
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
        let table = CountTable::new(4).unwrap();
        let begin = table.mask.load(Ordering::Relaxed);
        let entry = |nth: u64| PackedKey {
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
            assert!(CountTable::new(mib).is_none(), "{mib}");
        }
    }
}
