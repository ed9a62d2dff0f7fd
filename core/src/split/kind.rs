//! Kind of a file: its content by its name, its compression by its first bytes.

/// Kind of a source's content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum InputKind {
    /// Games in PGN.
    #[default]
    Pgn,
    /// A FEN on each line.
    Fen,
    /// A position with operations on each line.
    Epd,
}

impl InputKind {
    /// Extension of a file's name, in lower case.
    pub fn extension(self) -> &'static str {
        match self {
            InputKind::Pgn => ".pgn",
            InputKind::Fen => ".fen",
            InputKind::Epd => ".epd",
        }
    }

    /// Whether a name or path is that of a file of this kind, compressed or not.
    pub fn has_name(self, name: &[u8]) -> bool {
        ends_with(plain_name(name), self.extension().as_bytes())
    }

    /// The kind by a file's name, without compression suffixes: PGN unless it is `*.fen` or
    /// `*.epd`.
    pub fn of_name(name: &str) -> InputKind {
        let lists = [InputKind::Fen, InputKind::Epd];
        let found = lists
            .into_iter()
            .find(|kind| kind.has_name(name.as_bytes()));
        found.unwrap_or_default()
    }

    /// Name of one unit: `game` or `position`.
    pub fn unit(self) -> &'static str {
        match self {
            InputKind::Pgn => "game",
            InputKind::Fen | InputKind::Epd => "position",
        }
    }
}

/// Suffixes of compressed files. They only decide which files a directory search finds; the format
/// is recognised by content.
const COMPRESSED: [&[u8]; 6] = [b".zst", b".gz", b".bz2", b".xz", b".lzma", b".zip"];

/// The name of a file without a compression suffix.
pub fn plain_name(name: &[u8]) -> &[u8] {
    let suffix = COMPRESSED.iter().find(|end| ends_with(name, end));
    &name[..name.len() - suffix.map_or(0, |end| end.len())]
}

/// Case-insensitive `ends_with`.
pub fn ends_with(name: &[u8], end: &[u8]) -> bool {
    name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// Number of bytes [`Compression::of`] needs.
pub const HEAD_BYTES: usize = 13;

/// Compression format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Uncompressed.
    Plain,
    /// zstd (RFC 8878), skippable frames included.
    Zstd,
    /// gzip (RFC 1952).
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz (the .xz file format, version 1.2).
    Xz,
    /// Legacy lzma, the predecessor of xz.
    Lzma,
    /// A zip archive (PKWARE APPNOTE 6.3).
    Zip,
    /// A known format that is not supported, by name.
    Other(&'static str),
}

impl Compression {
    /// Format of a file by its first [`HEAD_BYTES`], or by all its bytes if it is shorter.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Compression::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Compression::Zip,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Compression::Other("7z"),
            [0x04, 0x22, 0x4d, 0x18, ..] => Compression::Other("lz4"),
            [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => Compression::Other("rar"),
            [b'L', b'Z', b'I', b'P', 1, ..] => Compression::Other("lzip"),
            [0x1f, 0x9d, ..] => Compression::Other("compress"),
            head if is_lzma(head) => Compression::Lzma,
            _ => Compression::Plain,
        }
    }

    /// Name of the format, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Plain => "text",
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Lzma => "lzma",
            Compression::Zip => "zip",
            Compression::Other(name) => name,
        }
    }
}

/// Reason why a compression is not read.
pub fn unsupported_compression(format: &str) -> String {
    format!("unsupported compression: {format}; decompress it first")
}

/// Legacy lzma files have no magic number. This is the test of XZ Utils: the default properties, a
/// dictionary whose size is a power of two or the sum of two neighbouring ones, and a length that
/// is unknown or below 256 GiB. Text never matches, since such a header contains NULs.
fn is_lzma(head: &[u8]) -> bool {
    let Some(&[0x5d, d0, d1, d2, d3, ref length @ ..]) = head.first_chunk::<HEAD_BYTES>() else {
        return false;
    };
    let dictionary = u32::from_le_bytes([d0, d1, d2, d3]);
    let length = u64::from_le_bytes(*length);
    let highest = dictionary.checked_ilog2().map_or(0, |log| 1_u32 << log);
    let rest = dictionary - highest;
    (rest == 0 || rest == highest / 2)
        && dictionary >= 1 << 12
        && (length == u64::MAX || length < 1 << 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_holds() {
        assert_eq!(InputKind::of_name("a/Tactics.EPD.gz"), InputKind::Epd);
        assert_eq!(InputKind::of_name("x.fen"), InputKind::Fen);
        assert_eq!(InputKind::of_name("fen"), InputKind::Pgn);
        assert_eq!(InputKind::of_name("games.pgn.zst"), InputKind::Pgn);
    }

    #[test]
    fn forms_are_known_by_their_first_bytes() {
        for (head, format) in [
            (&b""[..], Compression::Plain),
            (b"1", Compression::Plain),
            (b"[Event \"x\"]\n", Compression::Plain),
            (b"]\0\0\x80\0", Compression::Plain),
            (b"BZh91AY&SY", Compression::Bzip2),
            (b"BZhello", Compression::Plain),
            (b"\xfd7zXZ\0\0", Compression::Xz),
            (b"PK\x03\x04\x14", Compression::Zip),
            (b"PK\x05\x06\0\0", Compression::Zip),
            (b"7z\xbc\xaf\x27\x1c\0", Compression::Other("7z")),
            (
                b"]\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff",
                Compression::Lzma,
            ),
            (
                b"]\0\0\x81\0\xff\xff\xff\xff\xff\xff\xff\xff",
                Compression::Plain,
            ),
        ] {
            assert_eq!(Compression::of(head), format, "{head:?}");
        }
    }
}
