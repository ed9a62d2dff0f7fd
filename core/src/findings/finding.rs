//! Findings, and the list of those of one game, of which not too many are kept.

use crate::chess::{MoveNumber, Position};
use crate::findings::checks::{Checks, Codes};
use crate::findings::edit::Repair;
use crate::findings::registry as codes;
use crate::findings::registry::{Code, Fix, Rule, Severity};
use crate::pgn::Span;
use crate::text::decode;

/// Outcome of one game.
///
/// ```
/// use chess_arbiter_core::{Checks, GameStatus, Position, Reader, check};
///
/// let (mut reader, mut findings) = (Reader::new(), Vec::new());
/// let text = b"Dear Sir, here is my game.";
/// let game = reader.read(text, None);
/// let status = check(game, text, &Position::initial(), &Checks::default(), &mut findings);
/// assert_eq!(status, GameStatus::Unreadable);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameStatus {
    /// Nothing to report.
    Clean,
    /// Something to report.
    WithFindings,
    /// No part of it could be read.
    Unreadable,
}

/// Something worth reporting about a game.
///
/// ```
/// use chess_arbiter_core::{Checks, Finding, Position, Reader, check};
///
/// let text = b"1. e4 e5 2. Nf6 *";
/// let mut reader = Reader::new();
/// let mut findings: Vec<Finding> = Vec::new();
/// let game = reader.read(text, None);
/// check(game, text, &Position::initial(), &Checks::default(), &mut findings);
/// let finding = findings.iter().find(|finding| finding.code().as_str() == "E201").unwrap();
/// assert_eq!(finding.span.of(text), b"Nf6");
/// assert_eq!(finding.at.as_ref().unwrap().label, "2.Nf6");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Severity of the rule, one lower in a variation; `--strict` raises some.
    pub severity: Severity,
    /// The fault, without a final stop. Text of the game is quoted unescaped.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// Position in the game's text.
    pub span: Span,
    /// The move concerned.
    pub at: Option<AtMove>,
    /// Whether it is in a variation, where severities are one lower.
    pub in_variation: bool,
    /// Why the move is illegal, in one word.
    pub reason: Option<&'static str>,
    /// The edits after which it is gone.
    pub repair: Option<Box<Repair>>,
}

impl Finding {
    /// A finding with the severity of its rule.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            rule,
            severity: rule.severity,
            message: message.into(),
            help: None,
            span,
            at: None,
            in_variation: false,
            reason: None,
            repair: None,
        }
    }

    /// The code, with the letter of the finding's severity.
    pub fn code(&self) -> Code {
        self.rule.code_at(self.severity)
    }

    /// The option that repairs it.
    pub fn fix(&self) -> Fix {
        match &self.repair {
            Some(repair) if repair.is_certain => Fix::Certain,
            Some(_) => Fix::Suggested,
            None if codes::FIXED_IN_FILES.contains(&self.rule) => Fix::Certain,
            None => Fix::Never,
        }
    }

    /// Adds a help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// Sets whether it is in a variation.
    #[must_use]
    pub fn in_variation(mut self, in_variation: bool) -> Finding {
        self.in_variation = in_variation;
        self.set_severity(self.rule.severity);
        self
    }

    /// Sets the severity to that of the rule, or one lower in a variation.
    fn set_severity(&mut self, of_rule: Severity) {
        self.severity = match self.in_variation {
            true => of_rule.lower(),
            false => of_rule,
        };
    }

    /// Adds the move concerned.
    #[must_use]
    pub(crate) fn at(mut self, at: AtMove) -> Finding {
        self.at = Some(at);
        self
    }
}

/// The move of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtMove {
    /// Ply of the game, from 1.
    pub ply: u32,
    /// Number and notation, such as `12...Nf6`.
    pub label: String,
    /// The position before the move.
    pub fen: String,
}

impl AtMove {
    /// The move written as `word`, with the position before it.
    pub(crate) fn new(ply: u32, word: &[u8], position: &Position) -> AtMove {
        AtMove {
            ply,
            label: label(position, &shown(word)),
            fen: position.to_string(),
        }
    }
}

/// `12.Nf3` or `12...Nf6`, for the move about to be made.
pub fn label(position: &Position, san: &str) -> String {
    format!("{}{san}", MoveNumber::of(position))
}

/// A word of the game's text for a message: UTF-8 or Latin-1, on one line, and truncated.
pub fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = decode(word);
    if text.chars().count() <= LONGEST {
        text.into_owned()
    } else {
        text.chars().take(LONGEST).chain(['…']).collect()
    }
}

/// More findings of one game than this are counted only; the first of each rule is kept in any
/// case, so that the worst severity is always seen.
const MOST_OF_GAME: usize = 1_000;

/// The same if findings are repaired.
const MOST_REPAIRED: usize = 100_000;

/// The same for one position of a list.
pub(crate) const MOST_OF_POSITION: usize = 100;

/// Findings of one game, appended to those of earlier games.
pub struct Findings<'a> {
    list: &'a mut Vec<Finding>,
    pub(crate) checks: &'a Checks,
    /// Index of the first finding of the game.
    first: usize,
    /// Number of further findings admitted.
    room: usize,
    /// The rules admitted in the main line and in variations.
    seen: [Codes; 2],
    left_out: u64,
}

impl<'a> Findings<'a> {
    /// Findings of one game.
    pub fn of_game(list: &'a mut Vec<Finding>, checks: &'a Checks) -> Findings<'a> {
        let most = if checks.repairs {
            MOST_REPAIRED
        } else {
            MOST_OF_GAME
        };
        Findings::new(list, checks, most)
    }

    /// Findings of which not more than `room` are kept.
    pub(crate) fn new(list: &'a mut Vec<Finding>, checks: &'a Checks, room: usize) -> Findings<'a> {
        Findings {
            first: list.len(),
            list,
            checks,
            room,
            seen: [Codes::default(); 2],
            left_out: 0,
        }
    }

    /// Whether a finding is to be added, which is then not to be asked for again; otherwise it is
    /// counted, if its rule is looked for.
    pub(crate) fn admit(&mut self, rule: &Rule, in_variation: bool) -> bool {
        if !self.checks.has(rule) {
            return false;
        }
        let seen = &mut self.seen[usize::from(in_variation)];
        if self.room == 0 && seen.has(rule) {
            self.left_out += 1;
            return false;
        }
        seen.insert(rule);
        self.room = self.room.saturating_sub(1);
        true
    }

    /// Adds a finding that has been admitted.
    pub(crate) fn push_admitted(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Adds a finding, or counts it.
    pub fn push(&mut self, finding: Finding) {
        if self.admit(finding.rule, finding.in_variation) {
            self.list.push(finding);
        }
    }

    /// Adds findings, or counts them.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// The findings so far.
    pub(crate) fn list(&mut self) -> &mut [Finding] {
        &mut self.list[self.first..]
    }

    /// Counts findings that are not put into words.
    pub(crate) fn leave_out(&mut self, rule: &Rule, count: u64) {
        if self.checks.has(rule) {
            self.left_out += count;
        }
    }

    /// Ends the game or position, called `unit`: says how many faults are not listed, drops what is
    /// not looked for, and sorts by place. Returns what is kept.
    pub fn finish(&mut self, unit: &str, text: &[u8]) -> &[Finding] {
        self.list.extend(more(self.left_out, unit, text));
        if self.list.len() > self.first {
            keep(self.checks, self.list, self.first);
            self.list[self.first..].sort_by_key(|finding| finding.span);
        }
        &self.list[self.first..]
    }
}

/// Removes the findings from the `first` on of which the rule is not selected, and gives the others
/// their severity: that of the rule, or one lower in a variation.
pub fn keep(checks: &Checks, findings: &mut Vec<Finding>, first: usize) {
    let unwanted = findings.extract_if(first.., |finding| !checks.has(finding.rule));
    unwanted.for_each(drop);
    for finding in &mut findings[first..] {
        finding.set_severity(checks.severity(finding.rule));
    }
}

/// Faults of one game or position beyond those that are listed.
fn more(left_out: u64, unit: &str, text: &[u8]) -> Option<Finding> {
    let message = match left_out {
        0 => return None,
        1 => format!("1 more fault in this {unit} is not listed"),
        more => format!("{more} more faults in this {unit} are not listed"),
    };
    Some(Finding::new(&codes::FAULTS_LEFT_OUT, end_of(text), message))
}

/// The last character that is not blank.
pub(crate) fn end_of(text: &[u8]) -> Span {
    let end = text.trim_ascii_end().len();
    Span::new(character_start(text, end.saturating_sub(1)), end)
}

/// The beginning of the UTF-8 character that the byte at `at` belongs to.
pub fn character_start(text: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&at| text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(at)
}
