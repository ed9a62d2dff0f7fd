//! Perft suites: positions with known counts.

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};

use crate::chess::Setup;
use crate::chess::fen;
use crate::chess::fen::FenError;
use crate::commands::perft::count::MOST_DEPTH;
use crate::input::LineNo;

/// A position with the counts it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteEntry {
    /// Where it stands in the file.
    pub line: LineNo,
    /// The FEN, as it is written.
    pub fen: String,
    /// The position.
    pub setup: Setup,
    /// Depth and expected count, in the order of the file.
    pub counts: Vec<(u32, u64)>,
}

/// A line of a suite cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteError {
    /// Which line.
    pub line: LineNo,
    /// What is wrong.
    pub problem: SuiteProblem,
}

/// What can be wrong with a line of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuiteProblem {
    /// The position is no FEN.
    Fen(FenError),
    /// The words are no depth and count.
    Count(String),
    /// The depth exceeds [`MOST_DEPTH`].
    Depth(String),
    /// The count exceeds 64 bits.
    TooLarge(String),
    /// A count stands before any position.
    NoPosition,
    /// A line is neither of the two forms.
    Unknown(String),
    /// No line names a position with a count.
    Empty,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            SuiteProblem::Fen(error) => write!(f, "{error}"),
            SuiteProblem::Count(words) => write!(
                f,
                "`{}` is not a depth and a count such as `D4 197281`",
                words.escape_debug()
            ),
            SuiteProblem::Depth(words) => {
                write!(f, "the depth of `{words}` exceeds {MOST_DEPTH} plies")
            }
            SuiteProblem::TooLarge(words) => {
                write!(f, "the count of `{words}` exceeds {}", u64::MAX)
            }
            SuiteProblem::NoPosition => f.write_str("a count without a position before it"),
            SuiteProblem::Unknown(line) => write!(
                f,
                "`{}` is neither `FEN ;D1 20 …` nor `epd …`, `perft …` or `id …`",
                line.escape_debug()
            ),
            SuiteProblem::Empty => f.write_str("the suite names no position with a count"),
        }
    }
}

impl std::error::Error for SuiteError {}

/// Reads suites of both usual forms, even mixed: lines `FEN ;D1 20 ;D2 400`, and blocks of `epd FEN` followed by
/// `perft 1 20` lines. Empty lines, `#` comments and `id` lines are passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The positions, in the order of the file; each has a count.
    pub entries: Vec<SuiteEntry>,
}

impl Suite {
    /// Reads a whole suite.
    ///
    /// # Errors
    ///
    /// The first line that cannot be read; a suite without any count is an error of its first line.
    pub fn parse(text: &str) -> Result<Suite, SuiteError> {
        let mut entries: Vec<SuiteEntry> = Vec::new();
        for (nth, line) in text.lines().enumerate() {
            let number = LineNo(nth as u64 + 1);
            let fail = |problem| SuiteError {
                line: number,
                problem,
            };
            // Some suites end each line with a NUL, as C programs do a string.
            let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match word {
                "" | "id" => {}
                _ if word.starts_with('#') => {}
                "epd" | "fen" => entries.push(entry(number, rest.trim(), &[]).map_err(fail)?),
                "perft" => {
                    let count = count(rest).map_err(fail)?;
                    let entry = entries.last_mut().ok_or(fail(SuiteProblem::NoPosition))?;
                    entry.counts.push(count);
                }
                _ => {
                    let mut parts = line.split(';');
                    let fen = parts.next().unwrap_or_default().trim();
                    let counts: Vec<&str> = parts.map(str::trim).collect();
                    if counts.is_empty() {
                        return Err(fail(SuiteProblem::Unknown(line.to_owned())));
                    }
                    entries.push(entry(number, fen, &counts).map_err(fail)?);
                }
            }
        }
        entries.retain(|entry| !entry.counts.is_empty());
        if entries.is_empty() {
            return Err(SuiteError {
                line: LineNo(1),
                problem: SuiteProblem::Empty,
            });
        }
        Ok(Suite { entries })
    }
}

fn entry(line: LineNo, fen: &str, counts: &[&str]) -> Result<SuiteEntry, SuiteProblem> {
    Ok(SuiteEntry {
        line,
        fen: fen.to_owned(),
        setup: fen::parse(fen.as_bytes()).map_err(SuiteProblem::Fen)?,
        counts: counts
            .iter()
            .filter(|words| !words.is_empty())
            .map(|words| count(words.strip_prefix('D').unwrap_or(words)))
            .collect::<Result<_, _>>()?,
    })
}

/// `4 197281`
fn count(words: &str) -> Result<(u32, u64), SuiteProblem> {
    let mut numbers = words.split_whitespace();
    let pair = (numbers.next(), numbers.next(), numbers.next());
    let words = || words.to_owned();
    let (Some(depth), Some(nodes), None) = pair else {
        return Err(SuiteProblem::Count(words()));
    };
    let too_large = |error: &ParseIntError| *error.kind() == IntErrorKind::PosOverflow;
    match (depth.parse(), nodes.parse()) {
        (Ok(depth), Ok(nodes)) if depth <= MOST_DEPTH => Ok((depth, nodes)),
        (Ok(_), Ok(_)) => Err(SuiteProblem::Depth(words())),
        (Err(error), Ok(_)) if too_large(&error) => Err(SuiteProblem::Depth(words())),
        (Ok(_), Err(error)) if too_large(&error) => Err(SuiteProblem::TooLarge(words())),
        _ => Err(SuiteProblem::Count(words())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let text = "# comment\n\n8/8/8/8/8/8/6k1/4K2R w K - 0 1 ;D1 12 ;D2 38\n\
                    id pos-2\nepd 4k3/8/8/8/8/8/8/R3K3 w Q -\nperft 1 16\nperft 2 71\n\
                    4k3/8/8/8/8/8/8/4K2R w K -  0 1; D4 7059\n";
        let suite = Suite::parse(text).unwrap();
        let counts: Vec<_> = suite
            .entries
            .iter()
            .map(|entry| (entry.line.0, entry.counts.clone()))
            .collect();
        assert_eq!(
            counts,
            [
                (3, vec![(1, 12), (2, 38)]),
                (5, vec![(1, 16), (2, 71)]),
                (8, vec![(4, 7059)])
            ]
        );
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text: &str, line: u64| {
            assert_eq!(Suite::parse(text).unwrap_err().line, LineNo(line), "{text}");
        };
        check("", 1);
        check("\n\nhello", 3);
        check("perft 1 20", 1);
        check("\n8/8/8/8/8/8/8/9 w - - 0 1 ;D1 20", 2);
        check("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 x", 1);
        let problem = |count: &str| {
            let text = format!("8/8/8/8/8/8/8/8 w - - 0 1 ;D{count}");
            Suite::parse(&text).unwrap_err().problem
        };
        let nodes = "1 18446744073709551616";
        assert_eq!(problem(nodes), SuiteProblem::TooLarge(nodes.to_owned()));
        for depth in ["256 1", "4294967296 1"] {
            assert_eq!(problem(depth), SuiteProblem::Depth(depth.to_owned()));
        }
    }
}
