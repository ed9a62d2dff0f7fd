//! Repairs of single findings: the edits of `--fix`, each with the finding that it is for.

use std::collections::HashMap;

use crate::findings::fix::game::{Done, Draft, GameFixer};
use crate::findings::registry::{Fix, GAME_ON_SAME_LINE};
use crate::findings::{Checks, Edit, Finding, Repair, line_end};
use crate::pgn::Span;
use crate::split::{Chunk, GameText, InputKind};
use crate::text::trailing_blanks;

impl GameFixer {
    /// Repairs of the findings of a game of a chunk, which stands between its neighbours.
    pub fn repairs_in(
        &mut self,
        chunk: &Chunk,
        neighbours: [&[u8]; 2],
        text: &GameText<'_>,
        checks: &Checks,
        findings: &[Finding],
    ) -> Vec<Option<Box<Repair>>> {
        let mut repairs = match chunk.kind {
            InputKind::Pgn => self.repairs(text, neighbours, checks, findings),
            _ => (findings.iter().map(|finding| finding.repair.clone())).collect(),
        };
        let same_line = |finding: &Finding| finding.rule == &GAME_ON_SAME_LINE;
        if let Some(nth) = findings.iter().position(same_line) {
            let end = text.bytes.len();
            let start = end - trailing_blanks(text.bytes);
            let lines = match text.bytes.contains(&b'\n') {
                true => text.bytes,
                false => chunk.bytes(),
            };
            let edit = Edit::new(Span::new(start, end), line_end(lines).repeat(2));
            repairs[nth] = Repair::new(vec![edit], true);
        }
        repairs
    }

    /// Repairs of the findings of a game by `--fix`, each of all places that it stands for, else by
    /// `--fix-suggestions`. Edits do not overlap, but several may be the same.
    fn repairs(
        &mut self,
        game: &GameText<'_>,
        neighbours: [&[u8]; 2],
        checks: &Checks,
        findings: &[Finding],
    ) -> Vec<Option<Box<Repair>>> {
        let mut repairs = vec![None; findings.len()];
        let is_fixable = |finding: &Finding| finding.rule.fix == Fix::Certain;
        let is_suggested = |finding: &Finding| finding.fix() == Fix::Suggested;
        let mut suggests = findings.iter().any(is_suggested);
        let mut certain = Vec::new();
        for is_certain in [true, false] {
            let is_due = match is_certain {
                true => findings.iter().any(is_fixable),
                false => suggests,
            };
            if !is_due {
                continue;
            }
            self.suggestions = !is_certain;
            let (draft, _) = self.fix(game, neighbours, checks);
            suggests |= draft.findings.iter().any(is_suggested);
            let edits = draft.kept.edits(game.bytes, &draft.text);
            for (repair, own) in repairs.iter_mut().zip(by_finding(&draft, &edits, findings)) {
                if repair.is_none() && !own.iter().any(|edit| collides(edit, &certain)) {
                    *repair = Repair::new(own, is_certain);
                }
            }
            if is_certain {
                certain = edits;
            }
        }
        repairs
    }
}

/// Whether an edit changes the same place as one of the `others`, which are in order.
fn collides(edit: &Edit, others: &[Edit]) -> bool {
    let from = others.partition_point(|other| other.span.end < edit.span.start);
    let near = others[from..].iter();
    let mut near = near.take_while(|other| other.span.start <= edit.span.end);
    near.any(|other| other != edit)
}

/// The edits for each of the findings. An edit for a place that has no finding goes to that of its
/// rule that stands for it, and a line break to the findings of the nearest edit.
fn by_finding(draft: &Draft<'_>, edits: &[Edit], findings: &[Finding]) -> Vec<Vec<Edit>> {
    let mut of_rule: HashMap<&str, Vec<usize>> = HashMap::new();
    for (nth, finding) in findings.iter().enumerate() {
        of_rule.entry(finding.rule.code).or_default().push(nth);
    }
    let mut done: Vec<&Done> = draft.done.iter().collect();
    done.sort_by_key(|done| done.span);
    let mut is_repaired = vec![false; findings.len()];
    let mut owners = vec![Vec::new(); edits.len()];
    for Done { span, rule, at } in done {
        let Some(alike) = of_rule.get(rule.code) else {
            continue;
        };
        let before = alike.partition_point(|&nth| findings[nth].span.start <= *at);
        let mut before = alike[..before].iter().rev();
        let stands_for = |&&nth: &&usize| is_repaired[nth] || findings[nth].span.start == *at;
        let owner = *before.find(stands_for).unwrap_or(&alike[0]);
        is_repaired[owner] = true;
        let from = edits.partition_point(|edit| edit.span.end < span.start);
        for (edit, owners) in edits.iter().zip(&mut owners).skip(from) {
            if edit.span.start > span.end {
                break;
            }
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
    }
    // The nearest owner after each edit, else the last one.
    let mut nearest = owners
        .iter()
        .rev()
        .find_map(|owners| owners.first().copied());
    let mut after = vec![None; edits.len()];
    for (owners, after) in owners.iter().zip(&mut after).rev() {
        nearest = owners.first().copied().or(nearest);
        *after = nearest;
    }
    let mut repairs = vec![Vec::new(); findings.len()];
    for ((edit, own), nearest) in edits.iter().zip(&owners).zip(after) {
        for &owner in own.iter().chain(nearest.iter().filter(|_| own.is_empty())) {
            repairs[owner].push(edit.clone());
        }
    }
    repairs
}
