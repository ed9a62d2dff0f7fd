//! Counter of games.

use crate::adjudication::{Adjudication, Adjudicator, RuleChoice, Ruling, Verdict};
use crate::commands::openings::Openings;
use crate::commands::stats::count::counts::{CountedGame, CountedResult, DrawKind};
use crate::commands::stats::count::group::Group;
use crate::commands::stats::count::key::{GameFacts, Needs};
use crate::commands::stats::count::{Plan, ResultSource};
use crate::input::{Chunk, GameText};
use crate::pgn::{Game, ResultMark, Span};
use crate::replay::Reader;
use crate::text::TagFilter;
use crate::winnability::SearchLimits;

/// Counter of one thread.
pub struct Counter<'p> {
    plan: &'p Plan,
    needs: Needs,
    /// The names of the tags that are asked for.
    tags: TagFilter,
    reader: Reader,
    adjudicator: Option<Adjudicator>,
    /// Names of openings by position, if those of the tags do not count.
    pub(crate) openings: Option<&'p Openings>,
    whole: Group,
    /// Memory for a value of a key.
    value: String,
}

impl<'p> Counter<'p> {
    /// Counter for `plan`. `reader` reads the moves, if they are read.
    pub fn new(plan: &'p Plan, reader: Reader) -> Counter<'p> {
        let needs = plan.needs();
        let rules: Vec<RuleChoice> = plan.rules.into_iter().collect();
        let adjudicator =
            (needs == Needs::Adjudication).then(|| Adjudicator::new(&rules, SearchLimits::DEFAULT));
        Counter {
            plan,
            needs,
            tags: plan.tags(),
            reader,
            adjudicator,
            openings: None,
            whole: Group::default(),
            value: String::new(),
        }
    }

    /// Games of all counters of a plan.
    pub fn sum(counters: Vec<Counter<'_>>) -> Group {
        let mut whole = Group::default();
        for counter in counters {
            whole += counter.whole;
        }
        whole
    }

    /// Counts the games of a chunk.
    pub fn count(&mut self, file: &str, chunk: &Chunk) {
        for text in chunk.games() {
            self.add(file, &text);
        }
    }

    /// Counts a game by its `Result` tag, or by the result mark after the movetext if that is
    /// missing, empty or `?`.
    pub(crate) fn add(&mut self, file: &str, game_text: &GameText<'_>) {
        let text = game_text.bytes;
        let reader = &mut self.reader;
        let mut game = match self.needs {
            Needs::Tags => game_text.read_tags(reader, Some(&self.tags)),
            Needs::Movetext | Needs::Adjudication => game_text.read(reader),
        };
        let mut result = game.recorded_result(text);
        if self.needs == Needs::Tags && result == Ok(None) {
            game = game_text.read(reader);
            result = game.recorded_result(text);
        }
        let recorded = recorded(game, text, result);
        let adjudicator = self.adjudicator.as_mut();
        let adjudication =
            adjudicator.and_then(|adjudicator| adjudicator.adjudicate(game, text).ok());
        let entry = entry(self.plan, recorded, adjudication.as_ref());
        let facts = GameFacts {
            game,
            text,
            file,
            adjudication: adjudication.as_ref(),
            opening: self.openings.map(|openings| openings.find(game, text)),
            names: &self.plan.names,
        };
        let (keys, value) = (&self.plan.keys, &mut self.value);
        self.whole.add(&entry, &facts, keys, None, value);
    }
}

/// How a game counts by what is on record, its result being that.
pub(crate) fn recorded(
    game: &Game,
    text: &[u8],
    result: Result<Option<ResultMark>, Span>,
) -> CountedResult {
    if game.part().is_some() {
        // The rest of a split game, which counts by the tags of its first part.
        return CountedResult::Unreadable;
    }
    match result {
        Ok(_) if game.is_unreadable(text) => CountedResult::Unreadable,
        Ok(None) => CountedResult::Unfinished,
        Ok(Some(mark)) => of_mark(mark),
        Err(_) => CountedResult::Other,
    }
}

fn of_mark(mark: ResultMark) -> CountedResult {
    match mark {
        ResultMark::White => CountedResult::White,
        ResultMark::Black => CountedResult::Black,
        ResultMark::Draw => CountedResult::Draw,
        ResultMark::Unknown => CountedResult::Unfinished,
    }
}

fn entry(plan: &Plan, recorded: CountedResult, adjudication: Option<&Adjudication>) -> CountedGame {
    let mut outcome = recorded;
    let mut undecided = false;
    if plan.source == ResultSource::Rules && recorded != CountedResult::Unreadable {
        let ruling = adjudication.and_then(|adjudication| adjudication.rulings.first());
        let decides = |ruling: &&Ruling| {
            ruling.verdict != Verdict::Undecided && ruling.result != ResultMark::Unknown
        };
        match ruling.filter(decides) {
            Some(ruling) => outcome = of_mark(ruling.result),
            None => undecided = true,
        }
    }
    CountedGame {
        outcome,
        kind: (plan.draws && outcome == CountedResult::Draw).then(|| DrawKind::of(adjudication)),
        changed: outcome != recorded,
        undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::count::*;
    use crate::error::Error;
    use crate::input::test_util::{Random, spoiled};
    use crate::input::{Buffers, Source, SourceId};
    use crate::pipeline::{Item, Run};
    use crate::replay::Reader;

    #[test]
    fn tag_before_mark_and_mark_where_the_tag_says_nothing() {
        let source = Source::stdin(SourceId(0));
        let check = |text: &str, expected: Tally| {
            let plan = Plan::default();
            let mut counter = Counter::new(&plan, Reader::new());
            for chunk in source.chunks(text.as_bytes(), 1 << 10, Buffers::default()) {
                counter.count("", &chunk.unwrap());
            }
            let group = Counter::sum(vec![counter]);
            assert_eq!(group.counts.tally(), expected, "{text}");
        };
        let tally = Tally::default();
        check(
            "[Result \"1-0\"]\n\n1. e4 0-1\n",
            Tally { white: 1, ..tally },
        );
        check("[Result \"?\"]\n\n1. e4 0-1\n", Tally { black: 1, ..tally });
        check("1. e4 1/2-1/2\n", Tally { draws: 1, ..tally });
        check("[Result \"0-0\"]\n\n1. e4\n", Tally { other: 1, ..tally });
        check(
            "[White \"x\"]\n\n1. e4\n",
            Tally {
                unfinished: 1,
                ..tally
            },
        );
        check(
            "[Result \"*\"]\n\n1. e4 *\n",
            Tally {
                unfinished: 1,
                ..tally
            },
        );
        check(
            "hello there\n",
            Tally {
                unreadable: 1,
                ..tally
            },
        );
    }

    /// Counts do not depend on chunk size, nor on who splits the games.
    #[test]
    fn games_are_counted_however_they_are_found() {
        let mut random = Random(0xc0);
        let mut text = Vec::new();
        for _ in 0..3_000 {
            text.extend(spoiled(&mut random));
            text.extend(b"\n1. e4\ne4 *\n\n[Event \"x\"]\n[Result \"1-0\"]\n\n*\n");
        }
        // Large enough to be read in stretches.
        let text = text.repeat((3 << 20) / text.len() + 1);
        let path = std::env::temp_dir().join(format!("arbiter-tally-{}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let plan = Plan {
            keys: vec![Key::Event, Key::Tag("A".to_owned())],
            ..Plan::default()
        };
        let counted = |is_unplaced: bool, jobs, chunk_bytes| {
            let run = Run {
                tags_only: is_unplaced,
                jobs,
                chunk_bytes,
            };
            let sources = [Source::file(SourceId(0), path.clone())];
            let mut found = 0;
            let counters = run
                .in_order(
                    &sources,
                    || Counter::new(&plan, Reader::new()),
                    |counter, source, chunk, _| counter.count(source.name(), chunk),
                    |()| 0,
                    |item| {
                        if let Item::End(end) = item {
                            found += end.games;
                        }
                        Ok::<(), Error>(())
                    },
                )
                .unwrap();
            let whole = Counter::sum(counters);
            assert_eq!(found, whole.counts.tally().seen());
            whole
        };
        let expected = counted(false, 1, 1 << 20);
        assert!(
            expected.counts.tally().seen() > 10_000,
            "{:?}",
            expected.counts
        );
        for chunk_bytes in [40, 700, 20_000, 1 << 20] {
            for jobs in [1, 3] {
                assert_eq!(
                    counted(true, jobs, chunk_bytes),
                    expected,
                    "{jobs} {chunk_bytes}"
                );
            }
        }
        let _ = std::fs::remove_file(&path);
    }
}
