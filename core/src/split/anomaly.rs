//! Anomalies in the bytes of a text.

use memchr::memmem;

use crate::split::encoding::{BYTE_ORDER_MARK, Encoding};
use crate::split::mojibake::find_double_utf8;
use crate::split::splitter::{EndKind, GameEnd};
use crate::text::index::Index;
use crate::text::{Offset, is_windows_1252};

/// Anomaly of a whole text, reported once per text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextAnomaly {
    /// Kind of anomaly.
    pub kind: AnomalyKind,
    /// Offset of the first occurrence.
    pub at: Offset,
    /// Length of the first occurrence in bytes; 0 if the whole text is affected.
    pub length: usize,
}

/// Kind of [`TextAnomaly`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnomalyKind {
    /// UTF-16, transcoded to UTF-8.
    Utf16 {
        /// Whether the high byte came first.
        big_endian: bool,
    },
    /// Lines that end with `\r` alone, transcoded to `\n`.
    CarriageReturns,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// Such bytes that Windows-1252 lacks, as text in a code page of DOS has them.
    NotWindows1252,
    /// A game that begins on the line on which another ends.
    GameOnSameLine,
    /// U+FFFD, which replaces a character lost when the text was transcoded, here or earlier.
    LostCharacter,
    /// Characters encoded as UTF-8 twice.
    DoubleUtf8,
}

/// Observations about the bytes of a chunk, beside its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByteNotes {
    /// Number of line feeds.
    pub line_feeds: u64,
    /// Whether a byte order mark occurs.
    pub has_marks: bool,
    /// Whether any byte is a control character other than a tab and those that end lines.
    pub has_controls: bool,
    /// Whether a read error cuts off the last game.
    pub is_cut_off: bool,
    /// Anomalies of the whole text that first occur in the chunk, in order of offset.
    pub anomalies: Vec<TextAnomaly>,
}

impl ByteNotes {
    /// Notes without anomalies of bytes whose `index` may go further.
    fn of(bytes: &[u8], index: &Index) -> ByteNotes {
        let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
        ByteNotes {
            line_feeds: index.count_line_feeds(bytes.len()),
            has_marks: false,
            has_controls: index.has_controls && bytes.iter().any(is_control),
            is_cut_off: false,
            anomalies: Vec::new(),
        }
    }
}

/// Takes notes of a text, chunk by chunk, and reports each anomaly once.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnomalyScanner {
    /// Anomalies of the encoding, not yet reported.
    anomalies: Vec<TextAnomaly>,
    reported: Vec<AnomalyKind>,
}

impl AnomalyScanner {
    /// Adds the anomalies of the text's encoding.
    pub(crate) fn add_encoding(&mut self, encoding: Encoding) {
        self.anomalies.extend(of_encoding(encoding));
    }

    /// Notes of the next chunk: `bytes` that begin at `at`, with the games that end at `ends`. If
    /// `is_cut_off`, they may end within a character.
    pub(crate) fn notes(
        &mut self,
        bytes: &[u8],
        at: Offset,
        index: &Index,
        ends: &[GameEnd],
        is_cut_off: bool,
    ) -> ByteNotes {
        let mut notes = ByteNotes::of(bytes, index);
        notes.is_cut_off = is_cut_off;
        notes.anomalies = std::mem::take(&mut self.anomalies);
        let mut look = |kind, start, first: &dyn Fn() -> Option<(usize, usize)>| {
            if !self.reported.contains(&kind)
                && let Some((place, length)) = first()
            {
                self.reported.push(kind);
                notes.anomalies.push(TextAnomaly {
                    kind,
                    at: Offset(at.0 + (start + place) as u64),
                    length,
                });
            }
        };
        // Most games are ASCII and need no search.
        let mut start = 0;
        let game_ends = ends.iter().map(|end| (end.at.0 - at.0) as usize);
        let game_ends = game_ends.chain([bytes.len()]);
        for end in game_ends.filter(|_| index.is_beyond_ascii) {
            let game = &bytes[start..end];
            if !game.is_ascii() {
                notes.has_marks |= memmem::find(game, BYTE_ORDER_MARK).is_some();
                let is_cut_off = is_cut_off && end == bytes.len();
                let not_utf_8 = not_utf_8(game, is_cut_off);
                look(AnomalyKind::NotUtf8, start, &|| not_utf_8);
                look(AnomalyKind::NotWindows1252, start, &|| {
                    not_utf_8.and_then(|_| not_windows_1252(game, is_cut_off))
                });
                look(AnomalyKind::LostCharacter, start, &|| {
                    Some((memmem::find(game, "\u{fffd}".as_bytes())?, 3))
                });
                look(AnomalyKind::DoubleUtf8, start, &|| find_double_utf8(game));
            }
            start = end;
        }
        look(AnomalyKind::GameOnSameLine, 0, &|| {
            last_word_before_a_game(bytes, at, ends)
        });
        notes.anomalies.sort_by_key(|anomaly| anomaly.at);
        notes
    }
}

/// The first byte that is not UTF-8. Its length is 1, since such bytes are decoded one by one. If
/// `is_cut_off`, the text may end within a character.
fn not_utf_8(bytes: &[u8], is_cut_off: bool) -> Option<(usize, usize)> {
    let error = std::str::from_utf8(bytes).err()?;
    (!is_cut_off || error.error_len().is_some()).then_some((error.valid_up_to(), 1))
}

/// The first byte that is neither UTF-8 nor a character of Windows-1252. If `is_cut_off`, the text
/// may end within a character.
fn not_windows_1252(bytes: &[u8], is_cut_off: bool) -> Option<(usize, usize)> {
    let mut at = 0;
    bytes.utf8_chunks().find_map(|chunk| {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        let mut invalid = chunk.invalid().iter();
        let place = invalid.position(|&byte| !is_windows_1252(byte));
        let place = place.filter(|_| !is_cut_off || at < bytes.len());
        place.map(|place| (start + place, 1))
    })
}

/// The last word of the first game that another game follows on the same line. `bytes` begin at
/// `at`.
fn last_word_before_a_game(bytes: &[u8], at: Offset, ends: &[GameEnd]) -> Option<(usize, usize)> {
    let before = |end: &GameEnd| &bytes[..(end.at.0 - at.0) as usize];
    let is_odd = |end: &&GameEnd| {
        let is_tag = matches!(end.kind, EndKind::SameLine | EndKind::TagInSection(_));
        is_tag && !before(end).ends_with(b"\n")
    };
    let text = before(ends.iter().find(is_odd)?).trim_ascii_end();
    let letters = text.iter().rev();
    let word = letters
        .take_while(|byte| !byte.is_ascii_whitespace())
        .count();
    Some((text.len() - word, word))
}

/// Anomalies implied by the encoding.
fn of_encoding(encoding: Encoding) -> impl Iterator<Item = TextAnomaly> {
    let utf_16 = encoding.big_endian();
    let utf_16 = utf_16.map(|big_endian| AnomalyKind::Utf16 { big_endian });
    let returns = encoding
        .carriage_returns
        .then_some(AnomalyKind::CarriageReturns);
    utf_16.into_iter().chain(returns).map(|kind| TextAnomaly {
        kind,
        at: Offset(0),
        length: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index_of(bytes: &[u8]) -> Index {
        let mut index = Index::default();
        index.extend(bytes, 0);
        index
    }

    fn notes(bytes: &[u8]) -> ByteNotes {
        ByteNotes::of(bytes, &index_of(bytes))
    }

    #[test]
    fn a_census_counts_every_byte() {
        for length in [0, 1, 223, 224, 225, 1000, 5000] {
            let mut bytes = vec![b'\n'; length];
            assert_eq!(notes(&bytes).line_feeds, length as u64);
            bytes.fill(b'x');
            for place in (0..length).step_by(37) {
                for (byte, controls) in [
                    (b'y', false),
                    (0, true),
                    (b'\t', false),
                    (b'\r', false),
                    (0x1f, true),
                    (0x80, false),
                    (0xff, false),
                ] {
                    bytes[place] = byte;
                    let expected = ByteNotes {
                        has_controls: controls,
                        ..ByteNotes::default()
                    };
                    assert_eq!(notes(&bytes), expected, "{byte:#x} at {place}");
                }
                bytes[place] = b'x';
            }
        }
    }

    #[test]
    fn each_anomaly_is_reported_once() {
        let mut scanner = AnomalyScanner::default();
        let mut look = |bytes: &[u8], at, is_cut_off| {
            let notes = scanner.notes(bytes, Offset(at), &index_of(bytes), &[], is_cut_off);
            notes
                .anomalies
                .iter()
                .map(|anomaly| (anomaly.kind, anomaly.at.0))
                .collect::<Vec<_>>()
        };
        assert_eq!(look("Müller".as_bytes(), 0, false), []);
        assert_eq!(look(b"M\xc3", 10, true), []);
        assert_eq!(
            look("\u{fffd} \u{fffd}".as_bytes(), 20, false),
            [(AnomalyKind::LostCharacter, 20)]
        );
        assert_eq!(look("\u{fffd} M\u{fc} M\u{fc}".as_bytes(), 30, false), []);
        assert_eq!(look(b"M\xfcller", 40, false), [(AnomalyKind::NotUtf8, 41)]);
        assert_eq!(look(b"M\xfcller", 50, false), []);
    }
}
