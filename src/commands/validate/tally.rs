//! Tally of the findings of a run, by code and by file, in bounded memory.

use std::collections::{BTreeMap, HashSet};

use crate::findings::registry::{Code, Fix, Rule, Severity};
use crate::input::{GameNo, LineNo, Source};
use crate::replay::of_text;

/// Numbers of findings by severity, notes first.
pub(crate) type Counts = [u64; 3];

/// Number of files kept, those with the most findings.
const FILES: usize = 10;

/// Place of a finding in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) game: GameNo,
    pub(crate) line: LineNo,
    pub(crate) column: u64,
}

/// Findings of one printed code.
pub(crate) struct CodeTally {
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) count: u64,
    /// Number of findings shown.
    pub(crate) shown: u64,
    pub(crate) games: u64,
    pub(crate) files: u64,
    pub(crate) first: (Source, Place),
    /// The last file, by number, and the last game in it.
    last: Option<(u64, GameNo)>,
}

/// Findings of a run. They are added in input order.
#[derive(Default)]
pub(crate) struct Tally {
    counts: Counts,
    fixable: [u64; 2],
    codes: BTreeMap<(Severity, Code), CodeTally>,
    /// Number of files that have ended.
    ended: u64,
    /// The current file, if anything was found in it.
    file: Option<(Source, Counts)>,
    worst: Vec<(Source, Counts)>,
    /// Hashes of the names of other files with findings.
    others: HashSet<u64>,
}

impl CodeTally {
    /// `W201`.
    pub(crate) fn code(&self) -> Code {
        self.rule.code_at(self.severity)
    }
}

impl Tally {
    /// Adds a finding of the current file, and returns the tally of its code.
    pub(crate) fn add(
        &mut self,
        source: &Source,
        (rule, severity): (&'static Rule, Severity),
        place: Place,
        fix: Fix,
    ) -> &mut CodeTally {
        self.counts[severity as usize] += 1;
        match fix {
            Fix::Certain => self.fixable[0] += 1,
            Fix::Suggested => self.fixable[1] += 1,
            Fix::Never => {}
        }
        let (_, file) = self.file.get_or_insert_with(|| (source.clone(), [0; 3]));
        file[severity as usize] += 1;
        let key = (severity, rule.code_at(severity));
        let code = self.codes.entry(key).or_insert_with(|| CodeTally {
            rule,
            severity,
            count: 0,
            shown: 0,
            games: 0,
            files: 0,
            first: (source.clone(), place),
            last: None,
        });
        let here = (self.ended, place.game);
        code.count += 1;
        code.games += u64::from(code.last != Some(here));
        let file_goes_on = code.last.is_some_and(|(file, _)| file == self.ended);
        code.files += u64::from(!file_goes_on);
        code.last = Some(here);
        code
    }

    /// Ends the current file, and puts it among the worst, if it is one.
    pub(crate) fn end_of_source(&mut self) {
        self.ended += 1;
        let Some((source, mut counts)) = self.file.take() else {
            return;
        };
        // A file is read again for its duplicates.
        let before = |(other, _): &(Source, Counts)| other.name() == source.name();
        if let Some(nth) = self.worst.iter().position(before) {
            let (_, before) = self.worst.remove(nth);
            counts = std::array::from_fn(|severity| counts[severity] + before[severity]);
        }
        self.others.remove(&hash_of(&source));
        let worse = |(_, other): &(Source, Counts)| other.iter().rev().ge(counts.iter().rev());
        let place = self.worst.partition_point(worse);
        self.worst.insert(place, (source, counts));
        if self.worst.len() > FILES {
            self.others
                .extend(self.worst.pop().map(|(source, _)| hash_of(&source)));
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Numbers of findings that are not shown.
    pub(crate) fn hidden(&self) -> Counts {
        let mut hidden = self.counts;
        for code in self.codes.values() {
            hidden[code.severity as usize] -= code.shown;
        }
        hidden
    }

    /// Numbers that `--fix` repairs, and `--fix-suggestions` besides.
    pub(crate) fn fixable(&self) -> [u64; 2] {
        self.fixable
    }

    /// The codes, the most severe first, then the most frequent.
    pub(crate) fn codes(&self) -> Vec<&CodeTally> {
        let mut codes: Vec<_> = self.codes.values().collect();
        codes.sort_by_key(|code| std::cmp::Reverse((code.severity, code.count)));
        codes
    }

    /// The files with the most findings, errors before warnings before notes.
    pub(crate) fn worst(&self) -> &[(Source, Counts)] {
        &self.worst
    }

    /// Number of other files with findings.
    pub(crate) fn more_files(&self) -> u64 {
        self.others.len() as u64
    }
}

fn hash_of(source: &Source) -> u64 {
    of_text(source.name().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::registry::{ILLEGAL_MOVE, STRAY_BRACE};
    use crate::input::SourceId;

    #[test]
    fn games_and_files_are_counted_once_and_the_worst_files_kept() {
        let mut tally = Tally::default();
        let place = |game| Place {
            game: GameNo(game),
            line: LineNo(1),
            column: 1,
        };
        for file in 0..30 {
            let source = Source::text(SourceId(file), &format!("{file}.pgn"), b"");
            let mut add = |rule: &'static Rule, games: &[u64]| {
                for &game in games {
                    tally.add(&source, (rule, rule.severity), place(game), Fix::Certain);
                }
            };
            add(&ILLEGAL_MOVE, &[1, 1, 2]);
            if file == 17 {
                add(&ILLEGAL_MOVE, &[2, 9]);
            } else if file % 2 == 0 {
                add(&STRAY_BRACE, &[1]);
            }
            for (game, fix) in [(9, Fix::Never), (9, Fix::Suggested), (10, Fix::Suggested)] {
                tally.add(&source, (&ILLEGAL_MOVE, Severity::Error), place(game), fix);
            }
            tally.end_of_source();
            tally.end_of_source();
        }
        assert_eq!(tally.fixable(), [30 * 3 + 2 + 15, 30 * 2]);
        let codes = tally.codes();
        let numbers = |code: &CodeTally| (code.count, code.games, code.files);
        assert_eq!(codes[0].code().as_str(), "E201");
        assert_eq!(numbers(codes[0]), (30 * 6 + 2, 30 * 4, 30));
        assert_eq!(numbers(codes[1]), (15, 15, 15));
        assert_eq!(codes[1].first.0.name(), "0.pgn");
        assert_eq!(tally.worst()[0].0.name(), "17.pgn");
        assert_eq!(tally.worst()[1].0.name(), "0.pgn");
        assert_eq!((tally.worst().len(), tally.more_files()), (FILES, 20));
    }
}
