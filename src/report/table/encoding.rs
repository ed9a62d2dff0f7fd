//! Encodings of values in Parquet pages ([encodings]).
//!
//! [encodings]: https://parquet.apache.org/docs/file-format/data-pages/encodings/

/// Appends a number of variable length: seven bits a byte, the lowest first (ULEB128).
pub(super) fn push_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Bits that are needed for a number.
pub(super) fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// Appends numbers of `width` bits each, the lowest bit first, and fills the last byte with zeros.
fn push_bits(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64>, width: u32) {
    if width == 0 {
        return;
    }
    let (mut bits, mut filled) = (0_u64, 0);
    let mut push = |number: u64, width: u32| {
        bits |= number << filled;
        filled += width;
        if filled >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            filled -= 32;
        }
    };
    for number in numbers {
        if width <= 32 {
            push(number, width);
        } else {
            push(number & u64::from(u32::MAX), 32);
            push(number >> 32, width - 32);
        }
    }
    let bytes = filled.div_ceil(8) as usize;
    out.extend_from_slice(&bits.to_le_bytes()[..bytes]);
}

/// Appends flags, one bit each (`PLAIN`).
pub(super) fn push_flags(out: &mut Vec<u8>, flags: &[bool]) {
    let byte = |flags: &[bool]| {
        flags
            .iter()
            .rev()
            .fold(0, |byte, &flag| byte << 1 | u8::from(flag))
    };
    let (eights, rest) = flags.as_chunks::<8>();
    out.extend(eights.iter().map(|eight| byte(eight)));
    if !rest.is_empty() {
        out.push(byte(rest));
    }
}

/// Appends one number of at most `width` bits several times (`RLE`).
pub(super) fn push_run(out: &mut Vec<u8>, number: u32, times: usize, width: u32) {
    push_varint(out, (times as u64) << 1);
    let bytes = width.div_ceil(8) as usize;
    out.extend_from_slice(&number.to_le_bytes()[..bytes]);
}

/// Values of a bit-packed run come in groups of this many.
const GROUP: usize = 8;

/// Appends small numbers of at most `width` bits: runs of one value, and groups of eight values
/// bit by bit (`RLE`).
pub(super) fn push_runs(out: &mut Vec<u8>, numbers: &[u32], width: u32) {
    let runs_on =
        |rest: &[u32]| rest.len() >= GROUP && rest[1..GROUP].iter().all(|&it| it == rest[0]);
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let length = if runs_on(rest) {
            let length = rest
                .iter()
                .position(|&it| it != first)
                .unwrap_or(rest.len());
            push_run(out, first, length, width);
            length
        } else {
            let mut length = GROUP.min(rest.len());
            while length < rest.len() && !runs_on(&rest[length..]) {
                length = (length + GROUP).min(rest.len());
            }
            let groups = length.div_ceil(GROUP);
            push_varint(out, (groups as u64) << 1 | 1);
            let padding = std::iter::repeat_n(0, groups * GROUP - length);
            let numbers = rest[..length].iter().map(|&it| u64::from(it));
            push_bits(out, numbers.chain(padding), width);
            length
        };
        rest = &rest[length..];
    }
}

/// Deltas of a block, and of one of its parts with a width of its own.
const BLOCK: usize = 128;
const MINIBLOCK: usize = 32;

/// Appends numbers as differences from the number before (`DELTA_BINARY_PACKED`).
pub(super) fn push_deltas(out: &mut Vec<u8>, numbers: &[i64]) {
    let zigzag = |number: i64| (number << 1 ^ number >> 63) as u64;
    push_varint(out, BLOCK as u64);
    push_varint(out, (BLOCK / MINIBLOCK) as u64);
    push_varint(out, numbers.len() as u64);
    let first = numbers.first().copied().unwrap_or(0);
    push_varint(out, zigzag(first));
    let mut before = first;
    for block in numbers.get(1..).unwrap_or_default().chunks(BLOCK) {
        let mut deltas = [0_i64; BLOCK];
        for (delta, &number) in deltas.iter_mut().zip(block) {
            *delta = number.wrapping_sub(before);
            before = number;
        }
        let deltas = &deltas[..block.len()];
        let least = deltas.iter().copied().min().unwrap_or(0);
        push_varint(out, zigzag(least));
        let above = |delta: &i64| delta.wrapping_sub(least) as u64;
        let mut widths = [0; BLOCK / MINIBLOCK];
        for (of_mini, deltas) in widths.iter_mut().zip(deltas.chunks(MINIBLOCK)) {
            *of_mini = width(deltas.iter().map(above).fold(0, |all, it| all | it)) as u8;
        }
        out.extend_from_slice(&widths);
        for (width, deltas) in widths.iter().zip(deltas.chunks(MINIBLOCK)) {
            let padding = std::iter::repeat_n(0, MINIBLOCK - deltas.len());
            push_bits(
                out,
                deltas.iter().map(above).chain(padding),
                (*width).into(),
            );
        }
    }
}

/// Texts as the length of the beginning that each shares with the text before, and the rest of it
/// (`DELTA_BYTE_ARRAY`).
#[derive(Default)]
pub(super) struct DeltaStrings {
    shared: Vec<i64>,
    lengths: Vec<i64>,
    rest: Vec<u8>,
    last: Vec<u8>,
}

impl DeltaStrings {
    pub(super) fn push(&mut self, text: &[u8]) {
        let shared = shared_beginning(&self.last, text);
        self.shared.push(shared as i64);
        self.lengths.push((text.len() - shared) as i64);
        self.rest.extend_from_slice(&text[shared..]);
        self.last.truncate(shared);
        self.last.extend_from_slice(&text[shared..]);
    }

    /// Adds the last text again.
    pub(super) fn repeat(&mut self, times: usize) {
        let lengths = self.lengths.len() + times;
        self.shared.resize(lengths, self.last.len() as i64);
        self.lengths.resize(lengths, 0);
    }

    /// Number of bytes that are not shared.
    pub(super) fn bytes(&self) -> usize {
        self.rest.len()
    }

    /// Appends the texts, and begins again without any.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        push_deltas(out, &self.shared);
        push_deltas(out, &self.lengths);
        out.extend_from_slice(&self.rest);
        self.shared.clear();
        self.lengths.clear();
        self.rest.clear();
        self.last.clear();
    }
}

/// Adds the last item again.
pub(super) fn repeat_last<T: Clone>(items: &mut Vec<T>, times: usize) {
    if let Some(last) = items.last().cloned() {
        items.resize(items.len() + times, last);
    }
}

/// Length of the longest common prefix.
fn shared_beginning(a: &[u8], b: &[u8]) -> usize {
    let eights = a.chunks_exact(8).zip(b.chunks_exact(8));
    let mut same = 0;
    for (a, b) in eights {
        if a != b {
            break;
        }
        same += 8;
    }
    let rest = a[same..].iter().zip(&b[same..]);
    same + rest.take_while(|(a, b)| a == b).count()
}
