//! Progress of a run, drawn on stderr.

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use indicatif::{DecimalBytes, HumanCount};
use indicatif::{
    FormattedDuration, HumanBytes, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
    WeakProgressBar,
};

use crate::input::{Source, lock};
use crate::pipeline::Item;
use crate::report::append;

/// Unit of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Stored bytes.
    Bytes,
    /// Stored bytes that have been read before.
    BytesAgain,
    /// Steps of this name, such as first moves.
    Steps(&'static str),
}

/// Interval of lines in a log, and of drawing the bar.
const LINE_EVERY: Duration = Duration::from_secs(2);
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Time after which a bar is first drawn, so that it does not flash during a short task.
const DRAW_AFTER: Duration = Duration::from_millis(500);

/// Progress bar on stderr: share done, games or nodes, rate, time left. Clones share it.
///
/// While it is shown, other terminal output must go through [`Bar::suspend`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Bar(Option<Arc<BarState>>);

#[derive(Debug)]
struct BarState {
    is_terminal: bool,
    /// Time after which it is first drawn on a terminal.
    delay: Duration,
    counted: Arc<AtomicU64>,
    /// Current task, from [`Bar::start`] to [`Bar::clear`].
    task: Mutex<Option<Task>>,
}

#[derive(Debug)]
struct Task {
    /// Hidden if stderr is a log.
    bar: ProgressBar,
    text: Text,
    /// Time of the last line in a log.
    last_line: Instant,
}

/// Bar that was started last, for [`clear`].
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Removes the bar from the terminal before the process ends.
pub(crate) fn clear() {
    let shown = lock(&SHOWN);
    if let Some(bar) = shown.as_ref().and_then(WeakProgressBar::upgrade) {
        bar.finish_and_clear();
    }
}

impl Bar {
    /// Bar that is drawn from [`Bar::start`], on a terminal or as lines for a log. `to_stdout` is
    /// true if data goes to stdout.
    ///
    /// Unless `shown` is set, it is shown if stderr is a terminal and data does not go into a pipe,
    /// which may end in a pager.
    pub(crate) fn new(shown: Option<bool>, to_stdout: bool) -> Bar {
        let is_terminal = io::stderr().is_terminal();
        let automatic = || is_terminal && !(to_stdout && stdout_is_pipe());
        let is_shown = shown.unwrap_or_else(automatic);
        Bar(is_shown.then(|| {
            Arc::new(BarState {
                is_terminal,
                delay: shown.map_or(DRAW_AFTER, |_| Duration::ZERO),
                counted: Arc::default(),
                task: Mutex::default(),
            })
        }))
    }

    /// Begins to draw. `total` is the size of the task, if known; `unit` is the unit of the second
    /// count.
    pub(crate) fn start(&self, measure: Measure, total: Option<u64>, unit: &'static str) {
        let Some(state) = &self.0 else {
            return;
        };
        state.counted.store(0, Ordering::Relaxed);
        let text = Text { measure, unit };
        let bar = ProgressBar::hidden();
        if let Some(total) = total {
            bar.set_length(total);
        }
        let counted = Arc::clone(&state.counted);
        let show = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let (done, counted) = (state.pos(), counted.load(Ordering::Relaxed));
            let _ = out.write_str(&text.show(done, state.len(), counted, state.elapsed()));
        };
        let template = if total.is_some() {
            "{wide_bar} {text}"
        } else {
            "{text}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("text", show));
        }
        if state.is_terminal {
            bar.enable_steady_tick(DRAW_EVERY);
            *lock(&SHOWN) = Some(bar.downgrade());
            let (later, delay) = (bar.downgrade(), state.delay);
            if delay.is_zero() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            } else {
                thread::spawn(move || {
                    thread::sleep(delay);
                    let bar = later.upgrade()?;
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    Some(())
                });
            }
        }
        *lock(&state.task) = Some(Task {
            bar,
            text,
            last_line: Instant::now(),
        });
    }

    /// Records bytes and games done; cheap enough to call for every chunk.
    pub(crate) fn at(&self, done: u64, counted: u64) {
        if let Some(state) = &self.0 {
            state.counted.store(counted, Ordering::Relaxed);
            state.advance(|bar| bar.set_position(done.max(bar.position())));
        }
    }

    /// Records one step.
    pub(crate) fn step(&self) {
        if let Some(state) = &self.0 {
            state.advance(|bar| bar.inc(1));
        }
    }

    /// Counter of the second count, if the bar is shown.
    pub(crate) fn counter(&self) -> Option<&AtomicU64> {
        self.0.as_ref().map(|state| &*state.counted)
    }

    /// Removes the bar while `print` writes to the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let task = self.0.as_ref().map(|state| lock(&state.task));
        match task.as_ref().and_then(|task| task.as_ref()) {
            Some(task) => task.bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar until the next [`Bar::start`].
    pub(crate) fn clear(&self) {
        let task = self.0.as_ref().and_then(|state| lock(&state.task).take());
        if let Some(task) = task {
            task.bar.finish_and_clear();
        }
    }
}

/// Progress of a pass over sources, shown until it is dropped.
pub(crate) struct SourceProgress<'a> {
    bar: &'a Bar,
    /// Stored bytes of the sources before, and games so far.
    before: u64,
    games: u64,
}

impl<'a> SourceProgress<'a> {
    pub(crate) fn start(bar: &'a Bar, measure: Measure, sources: &[Source]) -> SourceProgress<'a> {
        let stored = sources.iter().map(|source| source.size).sum();
        bar.start(measure, stored, "games");
        SourceProgress {
            bar,
            before: 0,
            games: 0,
        }
    }

    /// Records what has come through the pipeline.
    pub(crate) fn enter<T>(&mut self, item: &Item<T>) {
        match item {
            Item::Part(part) => {
                self.games += part.games;
                self.bar.at(self.before + part.stored, self.games);
            }
            Item::End(end) => self.before += end.source.size.unwrap_or(0),
        }
    }
}

impl Drop for SourceProgress<'_> {
    fn drop(&mut self) {
        self.bar.clear();
    }
}

impl BarState {
    /// Updates the bar, or writes a line to a log if it is time.
    fn advance(&self, update: impl FnOnce(&ProgressBar)) {
        if let Some(task) = &mut *lock(&self.task) {
            update(&task.bar);
            if !self.is_terminal && task.last_line.elapsed() >= LINE_EVERY {
                task.last_line = Instant::now();
                let counted = self.counted.load(Ordering::Relaxed);
                let (done, total) = (task.bar.position(), task.bar.length());
                let text = task.text.show(done, total, counted, task.bar.elapsed());
                // A closed stderr is no reason to stop.
                let _ = writeln!(io::stderr(), "progress: {text}");
            }
        }
    }
}

/// Text beside the bar.
#[derive(Clone, Copy, Debug)]
struct Text {
    measure: Measure,
    unit: &'static str,
}

impl Text {
    fn show(self, done: u64, total: Option<u64>, counted: u64, elapsed: Duration) -> String {
        // A file may have grown since its size was read.
        let done = total.map_or(done, |total| done.min(total));
        let mut text = match (self.measure, total) {
            (Measure::Steps(what), None) => format!("{done} {what}"),
            (Measure::Steps(what), Some(total)) => format!("{done} of {total} {what}"),
            (_, None) => HumanBytes(done).to_string(),
            (_, Some(total)) => format!("{} of {}", HumanBytes(done), HumanBytes(total)),
        };
        if self.measure == Measure::BytesAgain {
            text.push_str(" again");
        }
        let unit = self.unit;
        let rate = counted as f64 / elapsed.as_secs_f64().max(1e-3);
        let (games, rate) = (HumanCount(counted), HumanCount(rate as u64));
        append!(text, ", {games} {unit}, {rate} {unit}/s");
        if let Some(total) = total.filter(|_| done > 0) {
            let left = elapsed.as_secs_f64() * (total as f64 / done as f64 - 1.0);
            let left = Duration::from_secs(left.ceil() as u64);
            append!(text, ", {} left", FormattedDuration(left));
        }
        text
    }
}

/// True if stdout is a pipe, which may end in a pager on the same terminal.
#[cfg(unix)]
fn stdout_is_pipe() -> bool {
    use std::fs::File;
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let stdout = io::stdout().as_fd().try_clone_to_owned();
    let found = stdout.and_then(|stdout| File::from(stdout).metadata());
    found.is_ok_and(|found| found.file_type().is_fifo() || found.file_type().is_socket())
}

#[cfg(not(unix))]
fn stdout_is_pipe() -> bool {
    !io::stdout().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        (measure, total, unit): (Measure, Option<u64>, &'static str),
        [done, counted, seconds]: [u64; 3],
        expected: &str,
    ) {
        let text = Text { measure, unit };
        let shown = text.show(done, total, counted, Duration::from_secs(seconds));
        assert_eq!(shown, expected);
    }

    #[test]
    fn bytes_done_of_all_and_the_time_left() {
        let bytes = (Measure::Bytes, Some(4 << 20), "games");
        check(
            bytes,
            [1 << 20, 1_500_000, 1000],
            "1.00 MiB of 4.00 MiB, 1,500,000 games, 1,500 games/s, 00:50:00 left",
        );
        // Never more than there is.
        check(
            bytes,
            [5 << 20, 10, 10],
            "4.00 MiB of 4.00 MiB, 10 games, 1 games/s, 00:00:00 left",
        );
    }

    #[test]
    fn an_unknown_time_left_is_left_out() {
        let bytes = (Measure::Bytes, Some(4 << 20), "games");
        check(bytes, [0, 0, 5], "0 B of 4.00 MiB, 0 games, 0 games/s");
        let again = (Measure::BytesAgain, Some(4 << 20), "games");
        check(
            again,
            [0, 0, 5],
            "0 B of 4.00 MiB again, 0 games, 0 games/s",
        );
        let pipe = (Measure::Bytes, None, "games");
        check(pipe, [1023, 8, 4], "1023 B, 8 games, 2 games/s");
    }

    #[test]
    fn perft_counts_nodes() {
        check(
            (Measure::Steps("first moves"), Some(20), "nodes"),
            [5, 119_060_324, 1],
            "5 of 20 first moves, 119,060,324 nodes, 119,060,324 nodes/s, 00:00:03 left",
        );
    }

    #[test]
    fn a_bar_that_is_never_shown_still_prints() {
        let bar = Bar::new(Some(false), true);
        bar.start(Measure::Bytes, Some(3), "games");
        bar.at(1, 1);
        assert_eq!(bar.suspend(|| 7), 7);
        bar.clear();
    }
}
