//! Archives in pipes, read from beginning to end.

use std::io::{self, Read};

use rawzip::CompressionMethod as Method;

use crate::error::Error;
use crate::input::background::{BlockWriter, DecompressError, Failure};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::zip::{Archive, FORMAT, Held, Member};
use crate::input::kind::{Format, HEAD_BYTES};

/// Size of a local file header without name and extra field, in bytes (APPNOTE 4.3.7).
const HEADER_BYTES: usize = 30;

/// Size of a directory header without name, extra field and comment, in bytes (APPNOTE 4.3.12).
const DIRECTORY_HEADER_BYTES: usize = 46;

/// Value of a four-byte length field whose actual value is in the extra field.
const IN_EXTRA_FIELD: u32 = u32::MAX;

impl Archive {
    /// Sends the wanted members in the order in which they are stored.
    pub(crate) fn read_pipe(
        mut self,
        packed: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        let outcome = self.read_sequence(packed, out);
        self.finish_sequence(outcome, out)
    }

    /// Reports the outcome of [`Archive::read_sequence`].
    pub(crate) fn finish_sequence(
        self,
        outcome: Result<u64, DecompressError>,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        match outcome {
            Ok(_) => self.finish(out),
            Err(DecompressError::Disconnected) => Err(DecompressError::Disconnected),
            Err(DecompressError::Failed(Failure::Error(error))) => out.broken(error),
            Err(DecompressError::Failed(Failure::Corrupt { cause, .. })) => {
                out.broken(self.broken(cause))
            }
        }
    }

    /// Reads concatenated archives to the end of the file, and returns their number. Fails only if
    /// the rest cannot be read.
    pub(crate) fn read_sequence(
        &mut self,
        packed: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> Result<u64, DecompressError> {
        for archives in 1.. {
            while self.next(packed, out)? {}
            let follows = skip_directory(packed).and_then(|()| another_follows(packed));
            match follows {
                Ok(true) => {}
                Ok(false) => return Ok(archives),
                Err(cause) => return Err(DecompressError::of(FORMAT, packed.at(), cause)),
            }
        }
        unreachable!("every archive takes up bytes")
    }

    /// Reads the next member; false at the archive's directory. Fails only if the rest cannot be
    /// read.
    fn next(
        &mut self,
        packed: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> Result<bool, DecompressError> {
        let fail =
            |packed: &CompressedReader<'_>, cause| DecompressError::of(FORMAT, packed.at(), cause);
        let header = match LocalHeader::read(packed) {
            Ok(Some(header)) => header,
            Ok(None) => return Ok(false),
            Err(cause) => return Err(fail(packed, cause)),
        };
        let name = self.member(&header.name);
        let member = Member {
            name: &name,
            method: header.method,
            encrypted: header.encrypted,
        };
        let wanted = self.wants(&header.name);
        if wanted {
            out.member(name.to_string())?;
        }
        let start = packed.at().0;
        let outcome = if header.length.is_none() && !member.ends_by_itself() {
            Err(DecompressError::from(Error::unsupported(
                &*name,
                "streamed zip entry has no length; save the archive to a file first",
            )))
        } else {
            let mut stored = (&mut *packed).take(header.length.unwrap_or(u64::MAX));
            if wanted {
                member.decompress(&mut stored, out).map(Some)
            } else if header.length.is_none() {
                member.pass_over(&mut stored).map(Some)
            } else {
                Ok(None)
            }
        };
        let found_end = match header.length {
            Some(length) => {
                let left = length - (packed.at().0 - start);
                packed.skip(left).map_err(|cause| fail(packed, cause))? == left
            }
            None => outcome.is_ok(),
        };
        let outcome = match outcome {
            Ok(held) if found_end => header
                .held(packed, packed.at().0 - start)
                .and_then(|said| held.map_or(Ok(()), |held| held.check(said)))
                .map_err(|cause| fail(packed, cause)),
            Ok(_) => Err(fail(packed, io::ErrorKind::UnexpectedEof.into())),
            Err(stop) => Err(stop),
        };
        match outcome {
            outcome if wanted => out.end(outcome)?,
            Ok(()) => {}
            Err(stop) => return Err(stop),
        }
        if found_end {
            Ok(true)
        } else {
            let cause = format!("the end of `{name}` cannot be found");
            Err(DecompressError::from(self.broken(cause)))
        }
    }
}

/// Skips the directory of an archive and the archive comment (APPNOTE 4.3.6).
fn skip_directory(packed: &mut CompressedReader<'_>) -> io::Result<()> {
    loop {
        let head = packed.peek(DIRECTORY_HEADER_BYTES)?;
        // Size of the fixed part of the record, and offset and width of each length field in it.
        let (fixed, lengths): (usize, &[(usize, usize)]) = match head {
            [b'P', b'K', 1, 2, ..] => (DIRECTORY_HEADER_BYTES, &[(28, 2), (30, 2), (32, 2)]),
            [b'P', b'K', 5, 5, ..] => (6, &[(4, 2)]),
            [b'P', b'K', 5, 6, ..] => (22, &[(20, 2)]),
            [b'P', b'K', 6, 6, ..] => (12, &[(4, 8)]),
            [b'P', b'K', 6, 7, ..] => (20, &[]),
            [b'P', b'K', 6, 8, ..] => (8, &[(4, 4)]),
            _ if head.len() < 4 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ => {
                let cause = "its directory is damaged";
                return Err(io::Error::new(io::ErrorKind::InvalidData, cause));
            }
        };
        let is_end = head.starts_with(b"PK\x05\x06");
        let Some(head) = head.get(..fixed) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        let number = |&(at, width): &(usize, usize)| {
            let bytes = head[at..at + width].iter().rev();
            bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let length = lengths
            .iter()
            .map(number)
            .fold(fixed as u64, u64::saturating_add);
        if packed.skip(length)? < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if is_end {
            return Ok(());
        }
    }
}

/// Whether another archive follows, after any zeros. Other bytes are an error.
pub(crate) fn another_follows(packed: &mut CompressedReader<'_>) -> io::Result<bool> {
    packed.skip_zeros()?;
    let head = packed.peek(HEAD_BYTES)?;
    if head.is_empty() {
        Ok(false)
    } else if Format::of(head) == Format::Zip {
        Ok(true)
    } else {
        let cause = "something else follows its end";
        Err(io::Error::new(io::ErrorKind::InvalidData, cause))
    }
}

/// Local file header of a member.
struct LocalHeader {
    name: Vec<u8>,
    method: Method,
    encrypted: bool,
    /// Compressed length, in bytes, if known.
    length: Option<u64>,
    /// Checksum and length of the content, unless a data descriptor after the member holds them.
    held: Option<Held>,
}

impl LocalHeader {
    /// Reads the next local header; `None` at the directory.
    fn read(packed: &mut CompressedReader<'_>) -> io::Result<Option<LocalHeader>> {
        let head = packed.peek(HEADER_BYTES)?;
        match head {
            [b'P', b'K', 3, 4, ..] if head.len() >= HEADER_BYTES => {}
            // Directory, its end, archive extra data record (before an encrypted directory), and
            // zip64 end.
            [b'P', b'K', 1, 2, ..]
            | [b'P', b'K', 5, 6, ..]
            | [b'P', b'K', 6, 8, ..]
            | [b'P', b'K', 6, 6, ..] => return Ok(None),
            _ if head.len() < HEADER_BYTES => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ => {
                let cause = "no member begins where one should";
                return Err(io::Error::new(io::ErrorKind::InvalidData, cause));
            }
        }
        let mut fixed = [0; HEADER_BYTES];
        packed.read_exact(&mut fixed)?;
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| {
            u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]])
        };
        let flags = short(6);
        let mut name = vec![0; usize::from(short(26))];
        packed.read_exact(&mut name)?;
        let mut extra = vec![0; usize::from(short(28))];
        packed.read_exact(&mut extra)?;
        let (stored, bytes) = lengths(long(18), long(22), &extra);
        let has_descriptor = flags & 8 != 0;
        Ok(Some(LocalHeader {
            name,
            method: Method::new(short(8)),
            encrypted: flags & 1 != 0,
            length: (!has_descriptor || stored > 0).then_some(stored),
            held: (!has_descriptor).then_some(Held {
                crc: long(14),
                bytes,
            }),
        }))
    }

    /// Checksum and length of the content, read from the data descriptor if the header lacks them.
    /// The compressed length is `stored`.
    fn held(&self, packed: &mut CompressedReader<'_>, stored: u64) -> io::Result<Held> {
        if let Some(held) = self.held {
            return Ok(held);
        }
        // Data descriptor (APPNOTE 4.3.9): an optional signature, the checksum, and two lengths of
        // four or eight bytes. The variant is recognised by the known length and the next header.
        let head = packed.peek(26)?;
        for signature in [&b"PK\x07\x08"[..], b""] {
            for width in [4, 8] {
                let length = signature.len() + 4 + 2 * width;
                let Some(descriptor) = head.get(..length) else {
                    continue;
                };
                let number = |at: usize, width: usize| {
                    let bytes = descriptor[at..at + width].iter().rev();
                    bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
                };
                let crc_at = signature.len();
                if descriptor.starts_with(signature)
                    && number(crc_at + 4, width) == stored
                    && head[length..].starts_with(b"PK")
                {
                    let held = Held {
                        crc: number(crc_at, 4) as u32,
                        bytes: number(crc_at + 4 + width, width),
                    };
                    packed.skip(length as u64)?;
                    return Ok(held);
                }
            }
        }
        if head.len() < 26 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let cause = "no checksum follows where one should";
        Err(io::Error::new(io::ErrorKind::InvalidData, cause))
    }
}

/// Compressed and uncompressed length of a member, from the zip64 extra field if it holds them
/// (APPNOTE 4.5.3).
fn lengths(stored: u32, bytes: u32, extra: &[u8]) -> (u64, u64) {
    let mut rest = extra;
    while let Some((&[a, b, c, d], after)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([c, d]));
        let Some((field, after)) = after.split_at_checked(length) else {
            break;
        };
        rest = after;
        if u16::from_le_bytes([a, b]) == 1 {
            let (numbers, _) = field.as_chunks::<8>();
            let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let mut length = |said: u32| {
                if said == IN_EXTRA_FIELD {
                    numbers.next().unwrap_or(u64::from(said))
                } else {
                    u64::from(said)
                }
            };
            let bytes = length(bytes);
            return (length(stored), bytes);
        }
    }
    (u64::from(stored), u64::from(bytes))
}
