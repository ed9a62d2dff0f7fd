//! `--part`, and the counts of games and lines that `stats --count` prints and `--counts` reads.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::commands::args::GameArgs;
use crate::commands::held_file::read_output;
use crate::error::Error;
use crate::input::{AnomalyKind, InputPart, Source, TextRange, TextTotals};

/// Totals of the texts of one part.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartCounts {
    /// Number of the part, from 1.
    part: u64,
    /// Number of all parts.
    of: u64,
    /// In the order of the inputs.
    texts: Vec<TextCounts>,
}

/// Totals of one text, or of a range of it.
#[derive(Serialize, Deserialize, Debug)]
struct TextCounts {
    /// Number of the input among all files, from 1.
    input: u32,
    file: String,
    games: u64,
    /// Number of line feeds.
    lines: u64,
    /// Decompressed.
    bytes: u64,
    /// Stored bytes of the range, if it is one.
    stored: u64,
    /// Names of [`KINDS`].
    anomalies: Vec<String>,
}

/// Anomalies that are reported once a text, in texts that can be cut.
const KINDS: [(AnomalyKind, &str); 5] = [
    (AnomalyKind::NotUtf8, "not-utf-8"),
    (AnomalyKind::NotWindows1252, "not-windows-1252"),
    (AnomalyKind::GameOnSameLine, "game-on-same-line"),
    (AnomalyKind::LostCharacter, "lost-character"),
    (AnomalyKind::DoubleUtf8, "double-utf-8"),
];

impl TextCounts {
    fn totals(&self) -> Result<TextTotals, String> {
        let kind = |name: &String| {
            let found = KINDS.iter().find(|(_, known)| known == name);
            found
                .map(|(kind, _)| *kind)
                .ok_or_else(|| format!("no anomaly is called `{name}`"))
        };
        Ok(TextTotals {
            games: self.games,
            lines: self.lines,
            bytes: self.bytes,
            anomalies: self.anomalies.iter().map(kind).collect::<Result<_, _>>()?,
        })
    }
}

impl PartCounts {
    /// Counts without a text; of all inputs without a `part`.
    pub(crate) fn new(part: Option<InputPart>) -> PartCounts {
        PartCounts {
            part: part.map_or(1, InputPart::number),
            of: part.map_or(1, InputPart::of),
            texts: Vec::new(),
        }
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, source: &Source, totals: &TextTotals) {
        self.texts.push(TextCounts {
            input: source.id().0 + 1,
            file: source.name().to_owned(),
            games: totals.games,
            lines: totals.lines,
            bytes: totals.bytes,
            stored: source.text_range().map_or(0, |range| {
                let stored = range.stored();
                stored.end - stored.start
            }),
            anomalies: KINDS
                .iter()
                .filter(|(kind, _)| totals.anomalies.contains(kind))
                .map(|(_, name)| (*name).to_owned())
                .collect(),
        });
    }
}

/// The sources of `--part`, the first with the totals of the text before it.
pub(crate) fn select(
    args: &GameArgs,
    sources: Vec<Source>,
    numbered: bool,
) -> Result<Vec<Source>, Error> {
    let Some(part) = args.part else {
        return match args.counts.is_empty() {
            true => Ok(sources),
            false => Err(Error::usage("`--counts` needs `--part`")),
        };
    };
    let mut sources = part.select(&sources)?;
    let Some(first) = sources.first_mut() else {
        return Ok(sources);
    };
    let begin = match first.text_range() {
        // Games and lines are those of a member.
        Some(TextRange::Members(_)) | None => 0,
        Some(range) => range.stored().start,
    };
    let name = first.name();
    if !args.counts.is_empty() {
        let known = before(&args.counts, part, (begin > 0).then_some(&*first))?;
        let Some((before, stored)) = known else {
            return Ok(sources);
        };
        if stored != begin {
            return Err(Error::usage(format!(
                "`--counts` have {stored} bytes of `{name}` before `--part {part}`, not {begin}: \
                 was the file changed?"
            )));
        }
        *first = first.after(before);
    } else if numbered && begin > 0 {
        return Err(Error::usage(format!(
            "`--part {part}` begins within `{name}`: its games and lines are numbered by \
             `--counts FILE`, the output of `arbiter stats --count` for the parts before"
        )));
    }
    Ok(sources)
}

/// Reads the counts of all parts before `part` and adds up those of a source, if there is one.
/// Returns also the number of its stored bytes.
fn before(
    files: &[PathBuf],
    part: InputPart,
    source: Option<&Source>,
) -> Result<Option<(TextTotals, u64)>, Error> {
    let mut known = vec![None; part.number() as usize - 1];
    for path in files {
        let (name, text) = read_output(path)?;
        let fail = |line: u64, reason| Error::invalid("counts", &name, line, reason);
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        for (line, text) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let counts: PartCounts =
                serde_json::from_slice(text).map_err(|error| fail(line, error.to_string()))?;
            if counts.of != part.of() {
                let (number, of, wanted) = (counts.part, counts.of, part.of());
                let reason = format!("part {number}/{of}, not one of {wanted}");
                return Err(fail(line, reason));
            }
            if counts.part < part.number() {
                let (mut totals, mut stored) = (TextTotals::default(), 0);
                for text in &counts.texts {
                    if let Some(source) = source
                        && text.input == source.id().0 + 1
                    {
                        if text.file != source.name() {
                            let (file, name) = (&text.file, source.name());
                            let reason = format!("its input is `{file}`, not `{name}`");
                            return Err(fail(line, reason));
                        }
                        totals.join(&text.totals().map_err(|reason| fail(line, reason))?);
                        stored += text.stored;
                    }
                }
                if let Some(slot) = (counts.part as usize).checked_sub(1) {
                    known[slot] = Some((totals, stored));
                }
            }
        }
    }
    if source.is_none() {
        return Ok(None);
    }
    let mut sum = (TextTotals::default(), 0);
    for (number, counted) in (1..).zip(known) {
        let part = || format!("{number}/{}", part.of());
        let missing = || Error::usage(format!("`--counts` lacks part {}", part()));
        let (totals, stored) = counted.ok_or_else(missing)?;
        sum.0.join(&totals);
        sum.1 += stored;
    }
    Ok(Some(sum))
}
