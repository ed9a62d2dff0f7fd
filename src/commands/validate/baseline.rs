//! Baselines: known findings, which are not reported again, and their files.
//!
//! A finding is identified by its code, the text of its game and its position in that text, not by
//! line numbers, game numbers or file names: games may be inserted, the file may be moved and its
//! line endings may change. All findings of a changed game are new. Findings that are reported once
//! per file are identified by their code alone, since the first game they concern may change.
//!
//! The file has a line with the version, then one JSON object for each known finding, sorted, so
//! that it can be compared and merged line by line.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::commands::held_file::read_file;
use crate::error::Error;
use crate::findings::Finding;
use crate::input::{Offset, plain_name};
use crate::report::{FileState, OutputFile, json};

/// The identity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint {
    /// Hash of the game's text: 128-bit FNV-1a of the trimmed text with line feeds as line endings.
    pub game: u128,
    /// The number of the code; its letter may change between versions.
    pub number: u16,
    /// Start of the finding, in bytes from 0 of the hashed text.
    pub at: u64,
}

/// The hashed part of a game's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashedText<'a> {
    text: &'a [u8],
    /// Its start in the whole text.
    start: usize,
    pub(crate) hash: u128,
    /// The position of the previous finding, and the number of two-byte line endings before it.
    last: (usize, usize),
}

const FNV_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl fmt::Display for Fingerprint {
    /// Number, game and place, as `201:…:17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}:{:032x}:{}", self.number, self.game, self.at)
    }
}

impl<'a> HashedText<'a> {
    /// The text of a game as in its source.
    pub(crate) fn new(text: &'a [u8]) -> HashedText<'a> {
        const BOM: &[u8] = b"\xef\xbb\xbf";
        let mut inner = text.trim_ascii_start();
        while let Some(rest) = inner.strip_prefix(BOM) {
            inner = rest.trim_ascii_start();
        }
        let start = text.len() - inner.len();
        let inner = inner.trim_ascii_end();
        let mut hash = FNV_BASIS;
        let mut feed = |byte: u8| {
            hash = (hash ^ u128::from(byte)).wrapping_mul(FNV_PRIME);
        };
        for (at, &byte) in inner.iter().enumerate() {
            match byte {
                b'\r' if inner.get(at + 1) == Some(&b'\n') => {}
                b'\r' => feed(b'\n'),
                byte => feed(byte),
            }
        }
        HashedText {
            text: inner,
            start,
            hash,
            last: (0, 0),
        }
    }

    /// The fingerprint of a finding of the game. Findings in the order of place cost one pass over
    /// the text.
    pub(crate) fn fingerprint(&mut self, finding: &Finding) -> Fingerprint {
        if finding.rule.is_once_per_file {
            return Fingerprint {
                game: 0,
                number: finding.rule.number() as u16,
                at: 0,
            };
        }
        let at = (finding.span.start as usize)
            .saturating_sub(self.start)
            .min(self.text.len());
        let (from, before) = if self.last.0 <= at { self.last } else { (0, 0) };
        let here = memchr::memchr_iter(b'\n', &self.text[from..at])
            .filter(|&feed| from + feed > 0 && self.text[from + feed - 1] == b'\r')
            .count();
        let line_ends = before + here;
        self.last = (at, line_ends);
        Fingerprint {
            game: self.hash,
            number: finding.rule.number() as u16,
            at: (at - line_ends) as u64,
        }
    }
}

/// The number of known findings by identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Baseline(HashMap<Fingerprint, u64>);

impl Baseline {
    /// Removes one finding from the baseline, if it is known.
    pub(crate) fn takes(&mut self, fingerprint: &Fingerprint) -> bool {
        let count = self.0.get_mut(fingerprint).filter(|count| **count > 0);
        count.is_some_and(|count| {
            *count -= 1;
            true
        })
    }

    /// The number of findings that have not been removed.
    pub(crate) fn left(&self) -> u64 {
        self.0.values().copied().fold(0, u64::saturating_add)
    }

    /// Reads the text of a baseline.
    ///
    /// # Errors
    ///
    /// The number of the first malformed line, and what is wrong there.
    pub(crate) fn from_text(text: &str) -> Result<Baseline, (u64, String)> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index as u64 + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty());
        let (number, first) = lines.next().ok_or((1, "the file is empty".to_owned()))?;
        let version = serde_json::from_str::<Version>(first)
            .map_err(|_| (number, "not a baseline".to_owned()))?;
        if version.number != VERSION {
            let found = version.number;
            let reason = format!("unsupported version {found}; the supported version is {VERSION}");
            return Err((number, reason));
        }
        lines
            .map(|(number, line)| {
                let entry: BaselineEntry = serde_json::from_str(line).map_err(|cause| {
                    // The place that serde_json names is a line of a text of one line.
                    let reason = cause.to_string();
                    let reason = reason.split(" at line ").next().unwrap_or_default();
                    (number, format!("invalid entry: {reason}"))
                })?;
                entry.known().map_err(|reason| (number, reason))
            })
            .collect()
    }
}

impl FromIterator<(Fingerprint, u64)> for Baseline {
    fn from_iter<I: IntoIterator<Item = (Fingerprint, u64)>>(entries: I) -> Baseline {
        let mut baseline = Baseline::default();
        for (fingerprint, count) in entries {
            let known = baseline.0.entry(fingerprint).or_default();
            *known = known.saturating_add(count);
        }
        baseline
    }
}

const VERSION: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    #[serde(rename = "arbiter-baseline")]
    number: u64,
}

/// A line of the file: a finding and its count. The order of entries is that of the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct BaselineEntry {
    /// The file it was found in; informative.
    pub file: String,
    /// The code; only its number is compared.
    pub code: String,
    /// The message; informative.
    pub message: String,
    /// The hash of the game's text, in hexadecimal.
    pub game: String,
    /// Start of the finding, in bytes from 0 of the hashed text.
    pub at: u64,
    /// How often it was found.
    pub count: u64,
}

impl BaselineEntry {
    fn known(&self) -> Result<(Fingerprint, u64), String> {
        let is_digit = |at: usize| self.code.as_bytes()[at].is_ascii_digit();
        let is_code =
            self.code.len() == 4 && self.code.starts_with(['E', 'W', 'N']) && (1..4).all(is_digit);
        let number = is_code.then(|| self.code[1..].parse().ok()).flatten();
        let number = number.ok_or_else(|| format!("`{}` is not a finding code", self.code))?;
        let is_hash =
            self.game.len() == 32 && self.game.bytes().all(|byte| byte.is_ascii_hexdigit());
        let game = u128::from_str_radix(&self.game, 16).ok();
        let game = game
            .filter(|_| is_hash)
            .ok_or_else(|| format!("`{}` is not the hash of a game", self.game))?;
        let at = self.at;
        Ok((Fingerprint { game, number, at }, self.count))
    }
}

/// A baseline that is to be written: its file, and the findings with their numbers. Its size grows
/// with the number of distinct findings.
pub(crate) struct NewBaseline {
    file: OutputFile,
    found: BTreeMap<BaselineEntry, u64>,
}

impl NewBaseline {
    /// Opens the file, before the old one is read.
    ///
    /// # Errors
    ///
    /// A name of a compressed file, as baselines are compared and merged line by line; or a file
    /// that cannot be written.
    pub(crate) fn create(path: &Path) -> Result<NewBaseline, Error> {
        let name = path.as_os_str().as_encoded_bytes();
        if plain_name(name).len() < name.len() {
            let path = path.display();
            let reason = format!("cannot write `{path}`: a baseline is not compressed");
            return Err(Error::Usage(reason));
        }
        let old = FileState::of(path);
        let mut file = OutputFile::create(path)?;
        file.expect(old);
        let found = BTreeMap::new();
        Ok(NewBaseline { file, found })
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, file: &str, finding: &Finding, fingerprint: &Fingerprint) {
        let entry = BaselineEntry {
            file: file.to_owned(),
            code: finding.rule.code.to_owned(),
            message: finding.message.clone(),
            game: format!("{:032x}", fingerprint.game),
            at: fingerprint.at,
            count: 0,
        };
        *self.found.entry(entry).or_default() += 1;
    }

    /// Writes what was found, and returns how many findings that are.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]
    pub(crate) fn write(self) -> Result<u64, Error> {
        let mut text = json::of(&Version { number: VERSION });
        text.push('\n');
        let findings = self.found.values().sum();
        for (entry, count) in self.found {
            text.push_str(&json::of(&BaselineEntry { count, ..entry }));
            text.push('\n');
        }
        self.file.commit_all(text.as_bytes())?;
        Ok(findings)
    }
}

/// Reads a baseline.
///
/// # Errors
///
/// [`Error::Io`] and [`Error::Invalid`].
pub(crate) fn read(path: &Path) -> Result<Baseline, Error> {
    let text = String::from_utf8(read_file(path)?).map_err(|error| {
        let at = Offset(error.utf8_error().valid_up_to() as u64);
        (1, format!("not text: byte {at} is not UTF-8"))
    });
    let read = text.and_then(|text| Baseline::from_text(&text));
    let name = path.display().to_string();
    read.map_err(|(line, reason)| Error::invalid("baseline", name, line, reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::registry::ILLEGAL_MOVE;
    use crate::pgn::Span;

    fn fingerprint(text: &str, word: &str) -> Fingerprint {
        let at = text.find(word).unwrap();
        let span = Span::new(at, at + word.len());
        HashedText::new(text.as_bytes()).fingerprint(&Finding::new(&ILLEGAL_MOVE, span, ""))
    }

    #[test]
    fn white_space_around_a_game_and_its_line_ends_do_not_matter() {
        let game = "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *";
        let plain = fingerprint(game, "Ke3");
        let crlf = game.replace('\n', "\r\n");
        for text in [
            format!("\n\n{game}\n\n"),
            format!("\u{feff}{game}"),
            format!("\r\n\u{feff} {crlf}\r\n"),
            game.replace('\n', "\r"),
        ] {
            assert_eq!(fingerprint(&text, "Ke3"), plain, "{text:?}");
        }
        assert_ne!(fingerprint(&game.replace("e5", "c5"), "Ke3"), plain);
        assert_ne!(fingerprint(game, "e5"), plain);
    }

    #[test]
    fn a_baseline_knows_each_finding_as_often_as_it_counts_it() {
        let known = fingerprint("1. e4 *", "e4");
        let mut baseline = Baseline::from_iter([(known, 1)]);
        assert!(baseline.takes(&known));
        assert!(!baseline.takes(&known));
        assert_eq!(baseline.left(), 0);
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published value for "foobar".
        let foobar = "343e1662793c64bf6f0d3597ba446f18";
        let hash = HashedText::new(b"foobar").hash;
        assert_eq!(format!("{hash:032x}"), foobar);
    }

    #[test]
    fn what_is_no_baseline_is_told_by_its_line() {
        let game = "0".repeat(32);
        let entry = |code: &str, game: &str| {
            format!(
                r#"{{"file":"a.pgn","code":"{code}","message":"m","game":"{game}","at":3,"count":2}}"#
            )
        };
        let head = r#"{"arbiter-baseline":1}"#;
        let good = format!("{head}\r\n\n{}\n", entry("E201", &game));
        assert_eq!(Baseline::from_text(&good).unwrap().left(), 2);
        let cases = [
            (String::new(), 1, "the file is empty"),
            ("[Event \"x\"]".into(), 1, "not a baseline"),
            (r#"{"arbiter-baseline":2}"#.into(), 1, "version 2"),
            (format!("{head}\n\nx"), 3, "invalid entry"),
            (format!("{head}\n{{}}"), 2, "missing field `file`"),
            (format!("{head}\n{}", entry("E2+1", &game)), 2, "`E2+1`"),
            (format!("{head}\n{}", entry("ü01", &game)), 2, "`ü01`"),
            (format!("{head}\n{}", entry("E201", "12")), 2, "`12`"),
        ];
        for (text, line, reason) in cases {
            let error = Baseline::from_text(&text).unwrap_err();
            assert_eq!(error.0, line, "{text}: {error:?}");
            assert!(error.1.contains(reason), "{text}: {error:?}");
        }
    }
}
