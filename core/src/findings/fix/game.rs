//! Repair of one game.

use std::borrow::Cow;
use std::collections::HashSet;
use std::iter;

use crate::chess::Position;
use crate::findings::GameStatus;
use crate::findings::fix::counts::{FixCounts, counts};
use crate::findings::fix::origin::KeptParts;
use crate::findings::fix::wrap::line_breaks;
use crate::findings::registry::{Fix, Rule, Severity, WRONG_MOVE_NUMBER};
use crate::findings::unreadable_game;
use crate::findings::{Checks, Codes, Edit, Finding, LONG_LINE, check, check_line, line_end};
use crate::pgn::{Annotation, Game, Span, annotations};
use crate::replay::{Reader, of_text};
use crate::split::{GameText, InputKind, split_games};
use crate::text::count_characters;

/// Repairs that are tried in one game, one after another.
const MOST_ROUNDS: usize = 64;

/// Repairs games.
pub struct GameFixer {
    /// Reader in the letters of `--piece-letters`, and one that finds the letters.
    readers: [Reader; 2],
    initial: Position,
    pub(crate) suggestions: bool,
    keep_original: bool,
}

/// A text with its findings.
#[derive(Default)]
pub(crate) struct Draft<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    /// The comment that is not closed.
    unclosed: Option<usize>,
    /// Index of the reader of the text.
    reader: usize,
    pub(crate) findings: Vec<Finding>,
    is_unreadable: bool,
    /// Whether moves or other movetext has changed.
    moves: bool,
    /// Parts of the first text that are left, and the edits that have been applied.
    pub(crate) kept: KeptParts,
    pub(crate) done: Vec<Done>,
}

/// An edit that has been applied, or one of several that are the same.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The part of the first text that it has replaced.
    pub(crate) span: Span,
    pub(crate) rule: &'static Rule,
    /// Place in the first text for which it was made.
    pub(crate) at: u32,
}

/// Repairs the position of a line, which has no suggestions.
pub(crate) fn fix_line<'a>(
    kind: InputKind,
    text: &'a [u8],
    checks: &Checks,
) -> (Draft<'a>, FixCounts) {
    let (mut draft, mut counts) = (Draft::default(), FixCounts::default());
    draft.text = text.into();
    check_line(kind, text, checks, &mut draft.findings);
    let meant = |finding: &&Finding| finding.repair.is_some();
    let meant: Vec<_> = draft.findings.iter().filter(meant).collect();
    if let Some(new) = apply(text, &compatible(&meant).edits).filter(|_| !meant.is_empty()) {
        let mut after = Vec::new();
        check_line(kind, &new, checks, &mut after);
        counts.count_gone(&draft.findings, &after);
        (draft.text, draft.findings) = (new.into(), after);
    }
    (draft, counts)
}

impl Draft<'_> {
    /// An edit that is applied to the text for a finding.
    fn done(&self, edit: &Edit, finding: &Finding) -> Done {
        // One finding has the edits of all wrong numbers of a game.
        let place = match finding.rule == &WRONG_MOVE_NUMBER {
            true => edit.span,
            false => finding.span,
        };
        Done {
            span: self.kept.origin(edit.span),
            rule: finding.rule,
            at: self.kept.origin(place).start,
        }
    }
}

impl GameFixer {
    /// Repairs games that `reader` reads, by suggestions too. `keep_original` keeps the old
    /// movetext in comments.
    pub fn new(reader: Reader, suggestions: bool, keep_original: bool) -> GameFixer {
        GameFixer {
            readers: [reader, Reader::new()],
            initial: Position::initial(),
            suggestions,
            keep_original,
        }
    }

    /// The finding about a text that is not PGN.
    pub(crate) fn not_pgn(&mut self, text: &GameText<'_>) -> Finding {
        unreadable_game(text.read(&mut self.readers[0]), text.bytes)
    }

    /// Repairs a game between its `neighbours`. Each repair is checked: its finding must be gone,
    /// no other may appear, and all of the text must be as many games as before.
    pub(crate) fn fix<'a>(
        &mut self,
        game: &GameText<'a>,
        neighbours: [&[u8]; 2],
        checks: &Checks,
    ) -> (Draft<'a>, FixCounts) {
        let mut draft = Draft {
            text: game.bytes.into(),
            unclosed: game.unclosed_comment,
            kept: KeptParts::whole(game.bytes.len()),
            ..Draft::default()
        };
        self.check(&mut draft, checks);
        let mut counts = FixCounts::default();
        for _ in 0..MOST_ROUNDS {
            let rules = self.repairable(&draft.findings);
            let all = Codes::of(rules.iter().copied());
            // All at once, else those of one rule.
            let singly = rules.iter().map(|rule| Codes::of([*rule]));
            let tried = iter::once(all).chain(singly.filter(|_| rules.len() > 1));
            let next = tried
                .filter(|_| !rules.is_empty())
                .find_map(|rules| self.attempt(&draft, neighbours, rules, checks));
            let Some(next) = next else { break };
            counts.count_gone(&draft.findings, &next.findings);
            draft = next;
        }
        self.count_left(&draft.findings, &mut counts);
        if draft.moves && self.keep_original {
            let length = draft.text.len();
            draft.text = self.with_original(&draft, game).into();
            let added = draft.text.len() - length;
            draft.unclosed = draft.unclosed.map(|at| at + added);
        }
        (draft, counts)
    }

    /// Counts the findings that are left although their rules can be repaired.
    fn count_left(&self, findings: &[Finding], counts: &mut FixCounts) {
        let refused = Codes::of(self.repairable(findings));
        for finding in findings {
            let is_fixable = match finding.rule.fix {
                Fix::Certain => true,
                Fix::Suggested => self.suggestions,
                Fix::Never => false,
            };
            let counts = match refused.has(finding.rule) {
                true => &mut counts.refused,
                false if is_fixable => &mut counts.uncertain,
                false => continue,
            };
            *counts.entry(finding.rule.code).or_default() += 1;
        }
    }

    /// Status of a repaired game or position under other checks, with its findings.
    pub(crate) fn status(
        &mut self,
        kind: InputKind,
        draft: &mut Draft<'_>,
        checks: &Checks,
    ) -> GameStatus {
        if !draft.is_unreadable && draft.findings.is_empty() {
            GameStatus::Clean
        } else if kind == InputKind::Pgn {
            self.check(draft, checks)
        } else {
            GameStatus::WithFindings
        }
    }

    fn check(&mut self, draft: &mut Draft<'_>, checks: &Checks) -> GameStatus {
        draft.findings.clear();
        let game = self.readers[draft.reader].read(&draft.text, draft.unclosed);
        let (text, findings) = (&draft.text, &mut draft.findings);
        let status = check(game, text, &self.initial, checks, findings);
        draft.is_unreadable = status == GameStatus::Unreadable;
        status
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

    /// Applies the repairs of some rules, if they do what they should.
    fn attempt(
        &mut self,
        before: &Draft<'_>,
        neighbours: [&[u8]; 2],
        rules: Codes,
        checks: &Checks,
    ) -> Option<Draft<'static>> {
        let text = &*before.text;
        let is_meant = |finding: &&Finding| rules.has(finding.rule) && self.is_repairable(finding);
        let meant: Vec<_> = before.findings.iter().filter(is_meant).collect();
        let Combined {
            edits,
            repaired,
            sources,
        } = compatible(&meant);
        let new = apply(text, &edits)?;
        let game = self.readers[before.reader].read(text, before.unclosed);
        let mut said = annotations_of(game, text);
        let tokens = game.tokens.len();
        let mut places = edits.iter().map(|edit| edit.span.start as usize);
        let moves = before.moves || places.any(|start| start >= game.movetext);
        let unclosed = moved(before.unclosed, &edits);
        // The new letters are English.
        let letters = repaired.iter().any(|rule| rule.code == "N260");
        let reader = if letters { 1 } else { before.reader };
        let game = self.readers[reader].read(&new, unclosed);
        let breaks = line_breaks(text, &edits, game, &new)?;
        let breaks: Vec<_> = breaks.iter().collect();
        let mut draft = Draft {
            text: apply(&new, &breaks)?.into(),
            unclosed: moved(unclosed, &breaks),
            reader,
            moves,
            kept: before.kept.after(&edits).after(&breaks),
            done: before.done.clone(),
            ..Draft::default()
        };
        (draft.done).extend(
            sources
                .iter()
                .map(|(edit, finding)| before.done(edit, finding)),
        );
        self.check(&mut draft, checks);
        let is_move = |rule: &&Rule| rule.fix == Fix::Suggested && rule.severity == Severity::Error;
        let suggested = repaired.iter().any(is_move);
        let game = self.readers[reader].game();
        let mut says = annotations_of(game, &draft.text);
        if game.tokens.len() != tokens {
            said.iter_mut().chain(&mut says).for_each(|one| one.0 = 0);
        }
        let is_right = checks_out(&before.findings, &draft.findings, &repaired, suggested)
            && says == said
            && !draft.is_unreadable
            && games_between(neighbours, &draft.text) == games_between(neighbours, text);
        is_right.then_some(draft)
    }

    /// A text with the original movetext in comments before the new one.
    fn with_original(&mut self, draft: &Draft<'_>, original: &GameText<'_>) -> Vec<u8> {
        let text = &*draft.text;
        let read = original.read(&mut self.readers[0]);
        let from = read.movetext;
        let at = self.readers[draft.reader]
            .read(text, draft.unclosed)
            .movetext;
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

/// Repairs that are applied together.
struct Combined<'a> {
    /// The edits in order, each once.
    edits: Vec<&'a Edit>,
    /// The rule of each repair.
    repaired: Vec<&'static Rule>,
    /// The edits of each finding.
    sources: Vec<(&'a Edit, &'a Finding)>,
}

/// Combines repairs. One that overlaps with an earlier one is left out.
fn compatible<'a>(findings: &[&'a Finding]) -> Combined<'a> {
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
    let mut edits: Vec<_> = all.iter().map(|(edit, _)| *edit).collect();
    edits.dedup();
    let repaired = (0..findings.len()).filter(|nth| !left_out.contains(nth));
    Combined {
        edits,
        repaired: repaired.map(|nth| findings[nth].rule).collect(),
        sources: (all.into_iter().map(|(edit, nth)| (edit, findings[nth]))).collect(),
    }
}

/// Whether two edits change the same text in different ways.
fn overlap(one: &Edit, other: &Edit) -> bool {
    one != other && one.span.start < other.span.end && other.span.start < one.span.end
}

/// Glyphs and hashes of comments of a game, each after the number of tokens before it.
fn annotations_of(game: &Game, text: &[u8]) -> Vec<(usize, u64)> {
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
    all
}

/// Number of games of a text and its neighbours.
fn games_between([before, after]: [&[u8]; 2], text: &[u8]) -> usize {
    split_games(&[before, text, after].concat()).len()
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
