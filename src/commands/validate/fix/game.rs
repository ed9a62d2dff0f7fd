//! Repair of one game.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::iter;

use crate::chess::Position;
use crate::commands::validate::fix::wrap::line_breaks;
use crate::findings::GameStatus;
use crate::findings::registry::{Fix, Rule, RuleBits, Severity};
use crate::findings::{Checks, Edit, Finding, LONG_LINE, check, check_line, line_end, not_pgn};
use crate::input::{Buffers, Chunks, GameText, InputKind, Source, SourceId};
use crate::pgn::{Annotation, Game, annotations};
use crate::replay::{Reader, of_text};
use crate::text::count_characters;

/// Numbers of findings by code.
pub(crate) type RuleCounts = BTreeMap<&'static str, u64>;

/// Repairs that are tried in one game, one after another.
const MOST_ROUNDS: usize = 64;

/// Repairs games.
pub(crate) struct GameFixer {
    /// Reader in the letters of `--piece-letters`, and one that finds the letters.
    readers: [Reader; 2],
    initial: Position,
    suggestions: bool,
    keep_original: bool,
}

/// A game that has been repaired.
#[derive(Default)]
pub(crate) struct FixedGame {
    /// The new text, if it is another.
    pub(crate) text: Option<Vec<u8>>,
    pub(crate) fixed: RuleCounts,
    /// Findings whose repairs were not applied, as others would appear.
    pub(crate) refused: RuleCounts,
    /// Other findings that could be repaired, if it were certain how.
    pub(crate) uncertain: RuleCounts,
    /// Findings that are left.
    pub(crate) left: Vec<Finding>,
    pub(crate) is_unreadable: bool,
    /// The comment that is not closed, in the new text.
    unclosed: Option<usize>,
    /// The reader of the new text.
    reader: usize,
}

/// A text with its findings.
struct Attempt {
    text: Vec<u8>,
    unclosed: Option<usize>,
    findings: Vec<Finding>,
    reader: usize,
    /// Whether moves or other movetext has changed.
    moves: bool,
}

/// Repairs the position of a line, which has no suggestions.
pub(crate) fn fix_line(kind: InputKind, text: &[u8], checks: &Checks) -> FixedGame {
    let mut fixed = FixedGame::default();
    check_line(kind, text, checks, &mut fixed.left);
    let meant = |finding: &&Finding| finding.repair.is_some();
    let meant: Vec<_> = fixed.left.iter().filter(meant).collect();
    if let Some(new) = apply(text, &compatible(&meant).0).filter(|_| !meant.is_empty()) {
        let mut after = Vec::new();
        check_line(kind, &new, checks, &mut after);
        let before = std::mem::replace(&mut fixed.left, after.clone());
        fixed.count(&before, &after);
        fixed.text = Some(new);
    }
    fixed
}

impl GameFixer {
    pub(crate) fn new(reader: Reader, suggestions: bool, keep_original: bool) -> GameFixer {
        GameFixer {
            readers: [reader, Reader::new()],
            initial: Position::initial(),
            suggestions,
            keep_original,
        }
    }

    /// The finding in place of all others if a file begins with this text and is not PGN; none if
    /// the text is a game.
    pub(crate) fn not_pgn(&mut self, game: &GameText<'_>) -> Option<Finding> {
        let read = self.readers[0].read(game.bytes, game.unclosed_comment);
        let [whole, _] = match read.is_unreadable(game.bytes) {
            false => return None,
            true => not_pgn::findings(read, game.bytes, &Checks::default()),
        };
        whole
    }

    /// Repairs a game. Each repair is checked: its finding must be gone, and no other may appear.
    pub(crate) fn fix(&mut self, game: &GameText<'_>, checks: &Checks) -> FixedGame {
        let mut unclosed = game.unclosed_comment;
        let (status, mut findings) = self.check(game.bytes, unclosed, checks, 0);
        let mut fixed = FixedGame {
            is_unreadable: status == GameStatus::Unreadable,
            ..FixedGame::default()
        };
        let mut text = Cow::Borrowed(game.bytes);
        let mut moves = false;
        for _ in 0..MOST_ROUNDS {
            let rules = self.repairable(&findings);
            let all = RuleBits::of(rules.iter().copied());
            // All at once, else those of one rule.
            let singly = rules.iter().map(|rule| RuleBits::of([*rule]));
            let tried = iter::once(all).chain(singly.filter(|_| rules.len() > 1));
            let current = (&*text, unclosed);
            let attempt = tried
                .filter(|_| !rules.is_empty())
                .find_map(|rules| self.attempt(current, &findings, rules, checks, fixed.reader));
            let Some(attempt) = attempt else { break };
            fixed.count(&findings, &attempt.findings);
            moves |= attempt.moves;
            fixed.reader = attempt.reader;
            findings = attempt.findings;
            text = Cow::Owned(attempt.text);
            unclosed = attempt.unclosed;
        }
        self.count_left(&findings, &mut fixed);
        if moves && self.keep_original {
            let length = text.len();
            text = Cow::Owned(self.with_original((&text, unclosed), game, fixed.reader));
            unclosed = unclosed.map(|at| at + text.len() - length);
        }
        if let Cow::Owned(text) = text {
            fixed.text = Some(text);
        }
        fixed.unclosed = unclosed;
        fixed.left = findings;
        fixed
    }

    /// Counts the findings that are left although their rules can be repaired.
    fn count_left(&self, findings: &[Finding], fixed: &mut FixedGame) {
        let refused = RuleBits::of(self.repairable(findings));
        for finding in findings {
            let is_fixable = match finding.rule.fix {
                Fix::Certain => true,
                Fix::Suggested => self.suggestions,
                Fix::Never => false,
            };
            let counts = match refused.has(finding.rule) {
                true => &mut fixed.refused,
                false if is_fixable => &mut fixed.uncertain,
                false => continue,
            };
            *counts.entry(finding.rule.code).or_default() += 1;
        }
    }

    /// Status and findings of a repaired game under other checks.
    pub(crate) fn status(
        &mut self,
        game: &GameText<'_>,
        fixed: &FixedGame,
        checks: &Checks,
    ) -> (GameStatus, Vec<Finding>) {
        let text = fixed.text.as_deref().unwrap_or(game.bytes);
        self.check(text, fixed.unclosed, checks, fixed.reader)
    }

    fn check(
        &mut self,
        text: &[u8],
        unclosed_comment: Option<usize>,
        checks: &Checks,
        reader: usize,
    ) -> (GameStatus, Vec<Finding>) {
        let mut findings = Vec::new();
        let game = self.readers[reader].read(text, unclosed_comment);
        let status = check(game, text, &self.initial, checks, &mut findings);
        (status, findings)
    }

    fn is_repairable(&self, finding: &Finding) -> bool {
        let repair = finding.repair.as_ref();
        repair.is_some_and(|repair| repair.is_certain || self.suggestions)
    }

    /// Rules of the findings that may be repaired, each once.
    fn repairable(&self, findings: &[Finding]) -> Vec<&'static Rule> {
        let repairable = findings
            .iter()
            .filter(|finding| self.is_repairable(finding));
        let mut rules: Vec<_> = repairable.map(|finding| finding.rule).collect();
        rules.sort_unstable_by_key(|rule| rule.number());
        rules.dedup();
        rules
    }

    /// Applies the repairs of some rules to a text, given the comment in it that is not closed, if
    /// they do what they should.
    fn attempt(
        &mut self,
        (text, unclosed): (&[u8], Option<usize>),
        before: &[Finding],
        rules: RuleBits,
        checks: &Checks,
        reader: usize,
    ) -> Option<Attempt> {
        let is_meant = |finding: &&Finding| rules.has(finding.rule) && self.is_repairable(finding);
        let meant: Vec<_> = before.iter().filter(is_meant).collect();
        let (edits, repaired) = compatible(&meant);
        let new = apply(text, &edits)?;
        let game = self.readers[reader].read(text, unclosed);
        let said = Annotations::of(game, text);
        let moves = edits
            .iter()
            .any(|edit| edit.span.start as usize >= game.movetext);
        let unclosed = moved(unclosed, &edits);
        // The new letters are English.
        let letters = repaired.iter().any(|rule| rule.code == "N260");
        let reader = if letters { 1 } else { reader };
        let game = self.readers[reader].read(&new, unclosed);
        let breaks = line_breaks(text, &edits, game, &new)?;
        let breaks: Vec<_> = breaks.iter().collect();
        let (new, unclosed) = (apply(&new, &breaks)?, moved(unclosed, &breaks));
        let (status, after) = self.check(&new, unclosed, checks, reader);
        let is_move = |rule: &&Rule| rule.fix == Fix::Suggested && rule.severity == Severity::Error;
        let suggested = repaired.iter().any(is_move);
        let is_better = checks_out(before, &after, &repaired, suggested)
            && Annotations::of(self.readers[reader].game(), &new).are_those(&said);
        let is_right = is_better && status != GameStatus::Unreadable && games(&new) == games(text);
        is_right.then_some(Attempt {
            text: new,
            unclosed,
            findings: after,
            reader,
            moves,
        })
    }

    /// A text with the original movetext in comments before the new one.
    fn with_original(
        &mut self,
        (text, unclosed): (&[u8], Option<usize>),
        original: &GameText<'_>,
        reader: usize,
    ) -> Vec<u8> {
        let read = self.readers[0].read(original.bytes, original.unclosed_comment);
        let from = read.movetext;
        let at = self.readers[reader].read(text, unclosed).movetext;
        let end = line_end(text).as_bytes();
        let mut new = text[..at].to_vec();
        if !new.is_empty() && !new.ends_with(b"\n") {
            new.extend_from_slice(end);
        }
        let old = original.bytes[from..].trim_ascii_end();
        for line in old.split(|&byte| byte == b'\n') {
            for line in comment_lines(line.trim_ascii_end()) {
                new.push(b';');
                if !line.is_empty() {
                    new.push(b' ');
                    new.extend_from_slice(line);
                }
                new.extend_from_slice(end);
            }
        }
        new.extend_from_slice(&text[at..]);
        new
    }
}

/// A line, in two parts if it were too long for the export format in a comment only.
fn comment_lines(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let most = LONG_LINE - "; ".len();
    let characters = count_characters(line);
    let is_broken = line.len() >= most && (most..LONG_LINE).contains(&characters);
    let blank = line.iter().rposition(|&byte| byte == b' ');
    let (first, second) = match blank.filter(|_| is_broken) {
        Some(blank) => (line[..blank].trim_ascii_end(), Some(&line[blank + 1..])),
        None => (line, None),
    };
    iter::once(first).chain(second)
}

impl FixedGame {
    /// Counts the findings that are gone.
    fn count(&mut self, before: &[Finding], after: &[Finding]) {
        let mut gone = counts(before);
        for (code, count) in counts(after) {
            let left = gone.entry(code).or_default();
            *left = left.saturating_sub(count);
        }
        for (code, count) in gone {
            if count > 0 {
                *self.fixed.entry(code).or_default() += count;
            }
        }
    }
}

fn counts(findings: &[Finding]) -> RuleCounts {
    let mut counts = RuleCounts::new();
    for finding in findings {
        *counts.entry(finding.rule.code).or_default() += 1;
    }
    counts
}

/// Whether the findings of the repaired rules are gone, and no others have appeared. Once a
/// suggestion has made a move legal, the moves after it may have lesser findings.
fn checks_out(
    before: &[Finding],
    after: &[Finding],
    repaired: &[&'static Rule],
    suggested: bool,
) -> bool {
    let old = counts(before);
    let of = |code| old.get(code).copied().unwrap_or(0);
    let mut most = old.clone();
    for rule in repaired {
        if let Some(most) = most.get_mut(rule.code) {
            *most -= 1;
        }
    }
    let is_lesser = |code| {
        let mut found = after.iter().filter(|finding| finding.rule.code == code);
        suggested && of(code) == 0 && found.all(|finding| finding.severity < Severity::Error)
    };
    let new = counts(after);
    new.iter()
        .all(|(code, count)| *count <= most.get(code).copied().unwrap_or(0) || is_lesser(*code))
}

/// Edits of repairs in order, and the rules of these repairs. A repair that overlaps with an
/// earlier one is left out.
fn compatible<'a>(findings: &[&'a Finding]) -> (Vec<&'a Edit>, Vec<&'static Rule>) {
    let edits = |nth: usize| {
        let repair = findings[nth].repair.iter();
        repair.flat_map(move |repair| repair.edits.iter().map(move |edit| (edit, nth)))
    };
    let mut all: Vec<_> = (0..findings.len()).flat_map(edits).collect();
    all.sort_unstable();
    let mut left_out = HashSet::new();
    let mut last: Option<&Edit> = None;
    for (edit, nth) in &all {
        match last {
            Some(last) if overlap(last, edit) => {
                left_out.insert(*nth);
            }
            _ => last = Some(edit),
        }
    }
    all.retain(|(_, nth)| !left_out.contains(nth));
    let mut edits: Vec<_> = all.into_iter().map(|(edit, _)| edit).collect();
    edits.dedup();
    let repaired = (0..findings.len()).filter(|nth| !left_out.contains(nth));
    (edits, repaired.map(|nth| findings[nth].rule).collect())
}

/// Whether two edits change the same text in different ways.
fn overlap(one: &Edit, other: &Edit) -> bool {
    one != other && one.span.start < other.span.end && other.span.start < one.span.end
}

/// Glyphs and comments of a game.
struct Annotations {
    tokens: usize,
    /// Number of tokens before each, and the glyph or the hash of the comment.
    all: Vec<(usize, u64)>,
}

impl Annotations {
    fn of(game: &Game, text: &[u8]) -> Annotations {
        let starts = game.tokens.iter();
        let starts = starts.map(|token| game.annotations_from(text, token.span));
        let mut found = Vec::new();
        let mut all = Vec::new();
        for (nth, start) in iter::once(game.movetext).chain(starts).enumerate() {
            annotations(text, game.gap_after(start), &mut found);
            all.extend(found.drain(..).map(|annotation| match annotation {
                Annotation::Glyph(glyph) => (nth, glyph.into()),
                Annotation::Comment(span) => (nth, of_text(span.of(text).trim_ascii_end())),
            }));
        }
        Annotations {
            tokens: game.tokens.len(),
            all,
        }
    }

    /// Whether they are the same, at the same moves if none was added or deleted.
    fn are_those(&self, before: &Annotations) -> bool {
        match self.tokens == before.tokens {
            true => self.all == before.all,
            false => {
                let said = |annotations: &Annotations| -> Vec<_> {
                    annotations.all.iter().map(|one| one.1).collect()
                };
                said(self) == said(before)
            }
        }
    }
}

/// Applies edits in order, none of which may overlap.
fn apply(text: &[u8], edits: &[&Edit]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        new.extend_from_slice(text.get(at..range.start)?);
        new.extend_from_slice(edit.text.as_bytes());
        at = range.end;
    }
    new.extend_from_slice(&text[at..]);
    Some(new)
}

/// A place in a text after edits that do not enclose it.
fn moved(place: Option<usize>, edits: &[&Edit]) -> Option<usize> {
    let place = place?;
    let before = edits.iter().filter(|edit| edit.span.range().end <= place);
    let (gone, added) = before.fold((0, 0), |(gone, added), edit| {
        (gone + edit.span.range().len(), added + edit.text.len())
    });
    Some(place - gone + added)
}

/// Number of games in a text.
fn games(text: &[u8]) -> usize {
    let source = Source::stdin(SourceId(0));
    let chunks = Chunks::new(text, &source, text.len().max(1), Buffers::default());
    chunks.flatten().map(|chunk| chunk.game_count()).sum()
}
