//! Kind of a file's content, by its name.

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
    /// The kind by a file's name, without compression suffixes: PGN unless it is `*.fen` or
    /// `*.epd`.
    pub fn of_name(name: &str) -> InputKind {
        let name = plain_name(name.as_bytes());
        if ends_with(name, b".fen") {
            InputKind::Fen
        } else if ends_with(name, b".epd") {
            InputKind::Epd
        } else {
            InputKind::Pgn
        }
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
pub(crate) fn plain_name(name: &[u8]) -> &[u8] {
    let suffix = COMPRESSED.iter().find(|end| ends_with(name, end));
    &name[..name.len() - suffix.map_or(0, |end| end.len())]
}

/// Whether a name or path is that of a PGN file, compressed or not.
pub(crate) fn is_pgn_name(name: &[u8]) -> bool {
    ends_with(plain_name(name), b".pgn")
}

/// Case-insensitive `ends_with`.
pub(crate) fn ends_with(name: &[u8], end: &[u8]) -> bool {
    name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
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
}
