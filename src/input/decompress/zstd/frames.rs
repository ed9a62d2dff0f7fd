//! Headers of zstd frames and blocks, from which the frames of a file are found without
//! decompression.

use std::fs::File;
use std::io;

use crate::input::compressed::FileAt;
use crate::input::fill;

/// Next frame of a file.
pub(crate) enum Frame {
    Data(Header),
    /// Skippable frame of `bytes` bytes, header included.
    Skippable {
        bytes: u64,
    },
}

/// Frame header (RFC 8878, section 3.1.1.1).
pub(crate) struct Header {
    /// Size of the header with the magic number, in bytes.
    pub(crate) bytes: usize,
    /// Window size, in bytes.
    pub(crate) window: u64,
    /// Content size, in bytes, if declared.
    pub(crate) content: Option<u64>,
    pub(crate) checksum: bool,
}

/// Size of a frame's magic number, and of a block header, in bytes.
const MAGIC_BYTES: usize = 4;
pub(crate) const BLOCK_HEADER_BYTES: usize = 3;

/// Maximum size of a frame header with its magic number, in bytes.
pub(crate) const HEADER_BYTES: usize = 18;

/// Magic number of a frame that holds data.
const DATA: [u8; MAGIC_BYTES] = [0x28, 0xb5, 0x2f, 0xfd];

fn is_skippable(magic: [u8; MAGIC_BYTES]) -> bool {
    matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18])
}

pub(crate) fn is_magic(magic: [u8; MAGIC_BYTES]) -> bool {
    magic == DATA || is_skippable(magic)
}

/// Parses the header of a frame; `None` if it is truncated, or no frame begins here.
pub(crate) fn frame(head: &[u8]) -> Option<Frame> {
    let (magic, rest) = head.split_first_chunk::<MAGIC_BYTES>()?;
    if is_skippable(*magic) {
        let length = u32::from_le_bytes(*rest.first_chunk()?);
        let bytes = (MAGIC_BYTES + 4) as u64 + u64::from(length);
        return Some(Frame::Skippable { bytes });
    }
    (*magic == DATA)
        .then(|| Header::read(rest))
        .flatten()
        .map(Frame::Data)
}

/// Begin of the first frame that begins at `least` or later, with the skippable frames before it;
/// the `size` of the file if there is none, or if the frames cannot be followed.
///
/// `pzstd` precedes each frame with a skippable one of four bytes, the size of the frame. Other
/// frames are followed from block to block.
pub(crate) fn frame_at_or_after(file: &File, least: u64, size: u64) -> io::Result<u64> {
    let mut reader = FrameWalk { file, size, at: 0 };
    while reader.at < least {
        if !reader.next()? {
            return Ok(size);
        }
    }
    Ok(reader.at)
}

/// Walk over the headers of a file.
struct FrameWalk<'a> {
    file: &'a File,
    size: u64,
    at: u64,
}

impl FrameWalk<'_> {
    /// Goes to the next frame, or to the skippable frames before it; false at the end of the file
    /// and before bytes that are no frame.
    fn next(&mut self) -> io::Result<bool> {
        loop {
            match frame(&self.read::<HEADER_BYTES>(self.at)?) {
                Some(Frame::Skippable { bytes }) => {
                    let content = self.at + (MAGIC_BYTES + 4) as u64;
                    self.at += bytes;
                    if let Ok(length) = self.read::<4>(content)?.try_into()
                        && bytes == (MAGIC_BYTES + 8) as u64
                    {
                        let next = self.at + u64::from(u32::from_le_bytes(length));
                        let is_frame = |head: &[u8]| matches!(frame(head), Some(Frame::Data(_)));
                        if is_frame(&self.read::<HEADER_BYTES>(self.at)?)
                            && (next == self.size
                                || frame(&self.read::<HEADER_BYTES>(next)?).is_some())
                        {
                            self.at = next;
                            return Ok(true);
                        }
                    }
                }
                Some(Frame::Data(header)) => {
                    self.at += header.bytes as u64;
                    return self.skip_blocks(&header);
                }
                None => return Ok(false),
            }
        }
    }

    fn skip_blocks(&mut self, header: &Header) -> io::Result<bool> {
        while let Ok(head) = self.read::<BLOCK_HEADER_BYTES>(self.at)?.try_into()
            && let Some(block) = BlockHeader::of(head)
        {
            self.at += block.bytes;
            if block.is_last {
                self.at += header.checksum_bytes();
                return Ok(self.at < self.size);
            }
        }
        Ok(false)
    }

    /// Up to `N` bytes at an offset, fewer only at the end of the file.
    fn read<const N: usize>(&self, at: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; N];
        let file = self.file;
        let (filled, failure) = fill(&mut FileAt { file, at }, &mut bytes);
        bytes.truncate(filled);
        failure.map_or(Ok(bytes), Err)
    }
}

/// Header of a block (RFC 8878, section 3.1.1.2).
pub(crate) struct BlockHeader {
    /// Size of the block with this header, in bytes.
    pub(crate) bytes: u64,
    pub(crate) is_last: bool,
}

impl BlockHeader {
    /// Parses a block header; `None` for the reserved type.
    pub(crate) fn of([a, b, c]: [u8; BLOCK_HEADER_BYTES]) -> Option<BlockHeader> {
        let header = u32::from_le_bytes([a, b, c, 0]);
        let stored = match header >> 1 & 3 {
            // RLE block: a single byte, repeated.
            1 => 1,
            3 => return None,
            _ => header >> 3,
        };
        Some(BlockHeader {
            bytes: BLOCK_HEADER_BYTES as u64 + u64::from(stored),
            is_last: header & 1 == 1,
        })
    }
}

impl Header {
    /// Size of the checksum after the last block, in bytes.
    pub(crate) fn checksum_bytes(&self) -> u64 {
        if self.checksum { 4 } else { 0 }
    }

    /// Parses the bytes after the magic number; `None` if they are truncated.
    fn read(bytes: &[u8]) -> Option<Header> {
        let (&descriptor, mut rest) = bytes.split_first()?;
        let mut field = |length: usize| -> Option<u64> {
            let (value, after) = rest.split_at_checked(length)?;
            rest = after;
            let bytes = value.iter().rev();
            Some(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte)))
        };
        let single_segment = descriptor & 0x20 != 0;
        let window = if single_segment {
            0
        } else {
            let window = field(1)?;
            let base = 1_u64 << (10 + (window >> 3));
            base + base / 8 * (window & 7)
        };
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        field(dictionary)?;
        let content_bytes = match descriptor >> 6 {
            0 => usize::from(single_segment),
            1 => 2,
            2 => 4,
            _ => 8,
        };
        let content = field(content_bytes)?;
        let content = match content_bytes {
            0 => None,
            2 => Some(content + 256),
            _ => Some(content),
        };
        Some(Header {
            bytes: MAGIC_BYTES + bytes.len() - rest.len(),
            window: match content {
                Some(content) if single_segment => content,
                Some(content) => window.min(content),
                None => window,
            },
            content,
            checksum: descriptor & 4 != 0,
        })
    }
}
