//! `--suite`: positions with known counts, read, checked and reported.

use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;

use crate::chess::{Position, PositionFaults, Setup, fen};
use crate::commands::interrupt;
use crate::commands::output::Outcome;
use crate::commands::perft::contest::SuitePlace;
use crate::commands::perft::counting::{CountError, MOST_DEPTH, Perft};
use crate::commands::perft::formats::Count;
use crate::commands::perft::{NoResult, PerftArgs, PerftRun, read, too_large};
use crate::error::Error;
use crate::input::LineNo;
use crate::report::Measure;

/// Position with its expected counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteEntry {
    /// Line in the file.
    pub line: LineNo,
    /// FEN as written in the file.
    pub fen: String,
    /// The position.
    pub setup: Setup,
    /// Depths with expected counts, in file order.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a whole suite: positions in file order, each with a count.
///
/// Both usual forms are read, even mixed: lines `FEN ;D1 20 ;D2 400`, and blocks of `epd FEN`
/// followed by `perft 1 20` lines. Empty lines, `#` comments and `id` lines are ignored.
///
/// # Errors
///
/// The first line that cannot be read, and why; a suite without any count is an error of its first
/// line.
pub fn parse(text: &str) -> Result<Vec<SuiteEntry>, (LineNo, String)> {
    let mut entries: Vec<SuiteEntry> = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let number = LineNo(nth as u64 + 1);
        let fail = |reason| (number, reason);
        // Some suites end each line with a NUL, as C programs do a string.
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" | "id" => {}
            _ if word.starts_with('#') => {}
            "epd" | "fen" => entries.push(entry(number, rest.trim(), &[]).map_err(fail)?),
            "perft" => {
                let count = count(rest).map_err(fail)?;
                let Some(entry) = entries.last_mut() else {
                    return Err(fail("a count without a position before it".to_owned()));
                };
                entry.counts.push(count);
            }
            _ => {
                let mut parts = line.split(';');
                let fen = parts.next().unwrap_or_default().trim();
                let counts: Vec<&str> = parts.map(str::trim).collect();
                if counts.is_empty() {
                    return Err(fail(format!(
                        "`{line}` is neither `FEN ;D1 20 …` nor `epd …`, `perft …` or `id …`"
                    )));
                }
                entries.push(entry(number, fen, &counts).map_err(fail)?);
            }
        }
    }
    entries.retain(|entry| !entry.counts.is_empty());
    if entries.is_empty() {
        let reason = "the suite names no position with a count";
        return Err((LineNo(1), reason.to_owned()));
    }
    Ok(entries)
}

fn entry(line: LineNo, fen: &str, counts: &[&str]) -> Result<SuiteEntry, String> {
    Ok(SuiteEntry {
        line,
        fen: fen.to_owned(),
        setup: fen::parse(fen.as_bytes()).map_err(|error| error.to_string())?,
        counts: counts
            .iter()
            .filter(|words| !words.is_empty())
            .map(|words| count(words.strip_prefix('D').unwrap_or(words)))
            .collect::<Result<_, _>>()?,
    })
}

/// `4 197281`
fn count(words: &str) -> Result<(u32, u64), String> {
    let is_large = |error: &ParseIntError| *error.kind() == IntErrorKind::PosOverflow;
    let too_deep = || format!("the depth of `{words}` exceeds {MOST_DEPTH} plies");
    let malformed = || format!("`{words}` is not a depth and a count such as `D4 197281`");
    let mut numbers = words.split_whitespace();
    let pair = (numbers.next(), numbers.next(), numbers.next());
    let (Some(depth), Some(nodes), None) = pair else {
        return Err(malformed());
    };
    match (depth.parse(), nodes.parse()) {
        (Ok(depth), Ok(nodes)) if depth <= MOST_DEPTH => Ok((depth, nodes)),
        (Ok(_), Ok(_)) => Err(too_deep()),
        (Err(error), Ok(_)) if is_large(&error) => Err(too_deep()),
        (Ok(_), Err(error)) if is_large(&error) => {
            Err(format!("the count of `{words}` exceeds {}", u64::MAX))
        }
        _ => Err(malformed()),
    }
}

/// Counts of a position of a suite, or why it cannot be played.
type Checked<'a> = Result<Vec<Count<'a>>, PositionFaults>;

impl PerftRun<'_> {
    pub(crate) fn suite(&mut self, path: &Path) -> Result<Outcome, NoResult> {
        let name = path.display().to_string();
        let invalid = |line: LineNo, reason| Error::invalid("suite", &name, line.0, reason);
        let suite = parse(&read(path)?).map_err(|(line, reason)| invalid(line, reason))?;
        if self.engine.is_some() {
            return self.suite_against(&name, &suite);
        }
        let positions = Some(suite.len() as u64);
        self.output
            .bar
            .start(Measure::Steps("positions"), positions, "nodes");
        let (flags, perft, bar) = (self.flags, self.perft(), &self.output.bar);
        let done: Result<Vec<Checked<'_>>, _> = suite
            .par_iter()
            .map(|entry| {
                let checked = check_entry(entry, flags, perft)?;
                bar.step();
                interrupt::done(1);
                Ok(checked)
            })
            .collect();
        self.output.bar.clear();
        match done {
            Ok(checked) => self.report(&name, &suite, &checked),
            Err((_, CountError::Stopped, _)) => {
                interrupt::say_done();
                Err(NoResult::Reported)
            }
            Err((line, CountError::TooLarge, depth)) => Err(invalid(line, too_large(depth)).into()),
        }
    }

    fn report(
        &mut self,
        name: &str,
        suite: &[SuiteEntry],
        done: &[Checked<'_>],
    ) -> Result<Outcome, NoResult> {
        let (mut checked, mut wrong) = (0_u64, 0_u64);
        for (entry, counts) in suite.iter().zip(done) {
            let place = SuitePlace {
                suite: name,
                line: entry.line,
            };
            match counts {
                Ok(counts) => {
                    for count in counts {
                        checked += 1;
                        self.nodes += u128::from(count.nodes);
                        wrong += u64::from(Some(count.nodes) != count.expected);
                        self.write(|out, rows| count.write_checked(out, rows, place))?;
                    }
                }
                Err(faults) => {
                    wrong += 1;
                    self.write_unplayable(place, &entry.fen, faults)?;
                }
            }
        }
        if checked + wrong == 0 {
            return Ok(self.nothing_selected());
        }
        let (positions, nodes) = (suite.len(), self.nodes);
        let listed: usize = suite.iter().map(|entry| entry.counts.len()).sum();
        let done =
            format_args!("{positions} positions, {checked} of {listed} counts, {nodes} nodes");
        self.write_verdict(done, wrong)
    }

    pub(crate) fn nothing_selected(&self) -> Outcome {
        self.output
            .log
            .error(&"no count of the suite is within --depth and --nodes");
        Outcome::NotDone
    }
}

/// Counts a position of a suite. The error is the line and depth of the failed count.
fn check_entry<'e>(
    entry: &'e SuiteEntry,
    flags: &PerftArgs,
    perft: Perft<'_>,
) -> Result<Checked<'e>, (LineNo, CountError, u32)> {
    let position = match Position::new(&entry.setup) {
        Ok(position) => position,
        Err(faults) => return Ok(Err(faults)),
    };
    let selected = entry.counts.iter().filter(|&&count| flags.selects(count));
    let checked: Result<Vec<Count<'_>>, _> = selected
        .map(|&(depth, expected)| {
            let started = Instant::now();
            let nodes = perft
                .par_count(&position, depth)
                .map_err(|uncounted| (entry.line, uncounted, depth))?;
            Ok(Count {
                fen: &entry.fen,
                depth,
                expected: Some(expected),
                nodes,
                seconds: started.elapsed().as_secs_f64(),
            })
        })
        .collect();
    Ok(Ok(checked?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let text = "# comment\n\n8/8/8/8/8/8/6k1/4K2R w K - 0 1 ;D1 12 ;D2 38\n\
                    id pos-2\nepd 4k3/8/8/8/8/8/8/R3K3 w Q -\nperft 1 16\nperft 2 71\n\
                    4k3/8/8/8/8/8/8/4K2R w K -  0 1; D4 7059\n";
        let suite = parse(text).unwrap();
        let counts: Vec<_> = suite
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
            assert_eq!(parse(text).unwrap_err().0, LineNo(line), "{text}");
        };
        check("", 1);
        check("\n\nhello", 3);
        check("perft 1 20", 1);
        check("\n8/8/8/8/8/8/8/9 w - - 0 1 ;D1 20", 2);
        check("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 x", 1);
        let problem = |count: &str| {
            let text = format!("8/8/8/8/8/8/8/8 w - - 0 1 ;D{count}");
            parse(&text).unwrap_err().1
        };
        let nodes = "1 18446744073709551616";
        assert_eq!(
            problem(nodes),
            format!("the count of `{nodes}` exceeds {}", u64::MAX)
        );
        for depth in ["256 1", "4294967296 1"] {
            let reason = format!("the depth of `{depth}` exceeds 255 plies");
            assert_eq!(problem(depth), reason);
        }
    }
}
