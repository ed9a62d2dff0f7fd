//! Counter of games.

use crate::adjudication::{Adjudication, Adjudicator, RuleChoice, Verdict};
use crate::commands::stats::count::draws::DrawKind;
use crate::commands::stats::count::group::{CountedGame, GameOutcome};
use crate::commands::stats::count::key::Needs;
use crate::commands::stats::count::rows::GroupRows;
use crate::commands::stats::count::value::GameFacts;
use crate::commands::stats::count::{Plan, ResultSource};
use crate::input::{Chunk, Offset};
use crate::pgn::{Game, ResultMark, Span};
use crate::replay::Reader;
use crate::text::{TagFilter, TagPair};
use crate::winnability::Solver;

/// Counter of one thread.
pub struct Counter<'p> {
    plan: &'p Plan,
    needs: Needs,
    /// The names of the tags that are asked for.
    tags: TagFilter,
    reader: Reader,
    adjudicator: Option<Adjudicator>,
    /// Counts so far.
    leaves: GroupRows,
}

impl<'p> Counter<'p> {
    /// Counter for `plan`. `reader` reads the moves, if they are read.
    pub fn new(plan: &'p Plan, reader: Reader) -> Counter<'p> {
        let needs = plan.needs();
        let rules: Vec<RuleChoice> = plan.rules.into_iter().collect();
        let adjudicator =
            (needs == Needs::Adjudication).then(|| Adjudicator::new(&rules, Solver::DEFAULT_NODES));
        Counter {
            plan,
            needs,
            tags: plan.tags(),
            reader,
            adjudicator,
            leaves: GroupRows::new(plan),
        }
    }

    /// Rows of all counters of a plan.
    pub fn sum(plan: &Plan, counters: Vec<Counter<'_>>) -> GroupRows {
        let mut whole = GroupRows::new(plan);
        for counter in counters {
            whole += counter.leaves;
        }
        whole
    }

    /// Counts the games of a chunk.
    pub fn count(&mut self, file: &str, chunk: &Chunk) {
        for text in chunk.games() {
            let noted = text.pairs.map(|pairs| (pairs, text.origin.byte));
            self.add(file, text.bytes, text.unclosed_comment, noted);
        }
        self.leaves.settle();
    }

    /// Counts a game by its `Result` tag, or by the result mark after the movetext if that is
    /// missing, empty or `?`. `noted` are its tag pairs and its offset, if indexed.
    pub(crate) fn add(
        &mut self,
        file: &str,
        text: &[u8],
        unclosed_comment: Option<usize>,
        noted: Option<(&[TagPair], Offset)>,
    ) {
        let Counter {
            plan,
            needs,
            tags,
            reader,
            adjudicator,
            leaves,
            ..
        } = self;
        let mut game = match (*needs, noted) {
            (Needs::Tags, Some((pairs, start))) => reader.read_pairs(text, pairs, start, tags),
            (Needs::Tags, None) => reader.read_tags(text),
            (Needs::Movetext | Needs::Adjudication, _) => reader.read(text, unclosed_comment),
        };
        let mut result = game.recorded_result(text);
        if *needs == Needs::Tags && result == Ok(None) {
            game = reader.read(text, unclosed_comment);
            result = game.recorded_result(text);
        }
        let recorded = recorded(game, text, result);
        let adjudication = adjudicator
            .as_mut()
            .and_then(|adjudicator| adjudicator.adjudicate(game, text).ok());
        let entry = entry(plan, recorded, adjudication.as_ref());
        let facts = GameFacts {
            game,
            text,
            file,
            adjudication: adjudication.as_ref(),
        };
        leaves.add(&entry, &facts);
    }
}

/// How a game counts by what is on record, its result being that.
fn recorded(game: &Game, text: &[u8], result: Result<Option<ResultMark>, Span>) -> GameOutcome {
    if game.part().is_some() {
        // The rest of a split game, which counts by the tags of its first part.
        return GameOutcome::Unreadable;
    }
    match result {
        Ok(_) if game.is_unreadable(text) => GameOutcome::Unreadable,
        Ok(None) => GameOutcome::Unfinished,
        Ok(Some(mark)) => of_mark(mark),
        Err(_) => GameOutcome::Other,
    }
}

fn of_mark(mark: ResultMark) -> GameOutcome {
    match mark {
        ResultMark::White => GameOutcome::White,
        ResultMark::Black => GameOutcome::Black,
        ResultMark::Draw => GameOutcome::Draw,
        ResultMark::Unknown => GameOutcome::Unfinished,
    }
}

fn entry(plan: &Plan, recorded: GameOutcome, adjudication: Option<&Adjudication>) -> CountedGame {
    let mut outcome = recorded;
    let mut undecided = false;
    if plan.source == ResultSource::Rules && recorded != GameOutcome::Unreadable {
        let ruling = adjudication.and_then(|adjudication| adjudication.rulings.first());
        match ruling.filter(|ruling| ruling.verdict != Verdict::Undecided) {
            Some(ruling) => outcome = of_mark(ruling.result),
            None => undecided = true,
        }
    }
    CountedGame {
        outcome,
        kind: (plan.draws && outcome == GameOutcome::Draw).then(|| DrawKind::of(adjudication)),
        changed: outcome != recorded,
        undecided,
    }
}
