//! Tally of the findings of a run, by code and by file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::findings::registry::{Code, Fix, Rule, Severity};
use crate::input::{GameNo, LineNo, Source};

/// Numbers of findings by severity, notes first.
pub(crate) type BySeverity = [u64; 3];

/// Number of files shown, those with the most findings.
const FILES: usize = 10;

/// Maximum numbers of findings shown: of the run, and of each code.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MostShown {
    pub(crate) most: Option<u64>,
    pub(crate) per_code: Option<u64>,
}

/// Game, line and column of a finding in its file.
pub(crate) type FindingPlace = (GameNo, LineNo, u64);

/// Findings of one printed code.
pub(crate) struct CodeTally {
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) count: u64,
    /// Number of findings shown.
    pub(crate) shown: u64,
    pub(crate) games: u64,
    pub(crate) files: u64,
    pub(crate) first: (Source, FindingPlace),
    /// The last file, by number, and the last game in it.
    last: Option<(u64, GameNo)>,
}

/// Findings of a run. They are added in input order.
#[derive(Default)]
pub(crate) struct RunTally {
    pub(crate) counts: BySeverity,
    /// Number of findings shown.
    shown: u64,
    /// Numbers that `--fix` repairs, and `--fix-suggestions` besides.
    pub(crate) fixable: [u64; 2],
    codes: BTreeMap<(Severity, Code), CodeTally>,
    /// Number of files that have ended.
    ended: u64,
    /// The current file, if anything was found in it.
    file: Option<(Source, BySeverity)>,
    /// Files with findings, in order. A file may be followed.
    files: Vec<(Source, BySeverity)>,
}

impl CodeTally {
    /// `W201`.
    pub(crate) fn code(&self) -> Code {
        self.rule.code_at(self.severity)
    }
}

impl RunTally {
    /// Adds a finding of the current file. Returns whether it is shown.
    pub(crate) fn add(
        &mut self,
        source: &Source,
        (rule, severity): (&'static Rule, Severity),
        place: FindingPlace,
        fix: Fix,
        limits: MostShown,
    ) -> bool {
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
        let here = (self.ended, place.0);
        code.count += 1;
        code.games += u64::from(code.last != Some(here));
        let file_goes_on = code.last.is_some_and(|(file, _)| file == self.ended);
        code.files += u64::from(!file_goes_on);
        code.last = Some(here);
        let has_room = |most: Option<u64>, shown| most.is_none_or(|most| shown < most);
        let shows = has_room(limits.most, self.shown) && has_room(limits.per_code, code.shown);
        self.shown += u64::from(shows);
        code.shown += u64::from(shows);
        shows
    }

    /// Ends the current file.
    pub(crate) fn end_of_source(&mut self) {
        self.ended += 1;
        let Some((source, counts)) = self.file.take() else {
            return;
        };
        match self.files.last_mut() {
            Some((last, all)) if last.name() == source.name() => {
                *all = std::array::from_fn(|severity| all[severity] + counts[severity]);
            }
            _ => self.files.push((source, counts)),
        }
    }

    /// Numbers of findings that are not shown.
    pub(crate) fn hidden(&self) -> BySeverity {
        let mut hidden = self.counts;
        for code in self.codes.values() {
            hidden[code.severity as usize] -= code.shown;
        }
        hidden
    }

    /// The codes, the most severe first, then the most frequent.
    pub(crate) fn codes(&self) -> Vec<&CodeTally> {
        let mut codes: Vec<_> = self.codes.values().collect();
        codes.sort_by_key(|code| Reverse((code.severity, code.count)));
        codes
    }

    /// The files with the most findings, errors before warnings before notes, and the number of
    /// other files with findings.
    pub(crate) fn worst(&self) -> (Vec<(&Source, BySeverity)>, usize) {
        let files = self.files.iter();
        let mut files: Vec<_> = files.map(|(source, counts)| (source, *counts)).collect();
        files.sort_by_key(|&(_, [notes, warnings, errors])| Reverse([errors, warnings, notes]));
        let more = files.len().saturating_sub(FILES);
        files.truncate(FILES);
        (files, more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::registry::{ILLEGAL_MOVE, STRAY_BRACE};
    use crate::input::SourceId;

    #[test]
    fn games_and_files_are_counted_once_and_the_worst_files_kept() {
        let mut tally = RunTally::default();
        let place = |game| (GameNo(game), LineNo(1), 1);
        for file in 0..30 {
            let source = Source::text(SourceId(file), &format!("{file}.pgn"), b"");
            let mut add = |rule: &'static Rule, games: &[u64]| {
                for &game in games {
                    let code = (rule, rule.severity);
                    tally.add(
                        &source,
                        code,
                        place(game),
                        Fix::Certain,
                        MostShown::default(),
                    );
                }
            };
            add(&ILLEGAL_MOVE, &[1, 1, 2]);
            if file == 17 {
                add(&ILLEGAL_MOVE, &[2, 9]);
            } else if file % 2 == 0 {
                add(&STRAY_BRACE, &[1]);
            }
            for (game, fix) in [(9, Fix::Never), (9, Fix::Suggested), (10, Fix::Suggested)] {
                let code = (&ILLEGAL_MOVE, Severity::Error);
                tally.add(&source, code, place(game), fix, MostShown::default());
            }
            tally.end_of_source();
            tally.end_of_source();
        }
        assert_eq!(tally.fixable, [30 * 3 + 2 + 15, 30 * 2]);
        let codes = tally.codes();
        let numbers = |code: &CodeTally| (code.count, code.games, code.files);
        assert_eq!(codes[0].code().as_str(), "E201");
        assert_eq!(numbers(codes[0]), (30 * 6 + 2, 30 * 4, 30));
        assert_eq!(numbers(codes[1]), (15, 15, 15));
        assert_eq!(codes[1].first.0.name(), "0.pgn");
        let (worst, more) = tally.worst();
        assert_eq!(worst[0].0.name(), "17.pgn");
        assert_eq!(worst[1].0.name(), "0.pgn");
        assert_eq!((worst.len(), more), (FILES, 20));
    }

    #[test]
    fn each_code_has_a_limit_of_its_own() {
        let limits = MostShown {
            most: Some(4),
            per_code: Some(2),
        };
        let mut tally = RunTally::default();
        let source = Source::text(SourceId(0), "x", b"");
        let place = (GameNo(1), LineNo(1), 1);
        let mut shows =
            |rule, severity| tally.add(&source, (rule, severity), place, Fix::Never, limits);
        assert!(shows(&ILLEGAL_MOVE, Severity::Error));
        assert!(shows(&ILLEGAL_MOVE, Severity::Error));
        assert!(!shows(&ILLEGAL_MOVE, Severity::Error));
        // In a variation it is another code.
        assert!(shows(&ILLEGAL_MOVE, Severity::Warning));
        assert!(shows(&STRAY_BRACE, Severity::Warning));
        assert!(!shows(&STRAY_BRACE, Severity::Note));
        assert_eq!(tally.hidden(), [1, 0, 1]);
    }
}
