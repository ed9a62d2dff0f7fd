//! How far a run has come, drawn on stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};
use terminal_size::{Width, terminal_size_of};

use crate::input::lock;
use crate::report::append;
use crate::report::escape::width;

/// Unit of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Stored bytes.
    Bytes,
    /// Steps of this name, such as first moves.
    Steps(&'static str),
}

/// Interval of lines in a log, and of drawing the bar.
const LINE_EVERY: Duration = Duration::from_secs(2);
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Length of the bar and its minimum, in columns.
const CELLS: usize = 24;
const FEWEST_CELLS: usize = 6;

/// Width of a terminal that does not report one.
const USUAL_WIDTH: usize = 80;

/// Progress bar on stderr: share done, games or nodes, rate, time left. Clones share it.
///
/// While it is shown, other terminal output must go through [`Bar::suspend`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Bar(Option<Arc<BarState>>);

#[derive(Debug)]
struct BarState {
    is_terminal: bool,
    done: AtomicU64,
    counted: AtomicU64,
    drawing: Mutex<Drawing>,
    cleared: Condvar,
}

#[derive(Debug, Default)]
struct Drawing {
    /// Current task, from [`Bar::start`] to [`Bar::clear`].
    task: Option<Task>,
    /// Number of the task; the thread of an earlier one ends.
    nth: u64,
    is_drawn: bool,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    started: Instant,
    measure: Measure,
    total: Option<u64>,
    unit: &'static str,
}

/// Last bar started, for [`clear`].
static SHOWN: Mutex<Weak<BarState>> = Mutex::new(Weak::new());

/// Removes the bar from the terminal before the process ends.
pub(crate) fn clear() {
    Bar(lock(&SHOWN).upgrade()).clear();
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
                done: AtomicU64::new(0),
                counted: AtomicU64::new(0),
                drawing: Mutex::default(),
                cleared: Condvar::new(),
            })
        }))
    }

    /// Begins to draw. `total` is the size of the task, if known; `unit` is the unit of the second
    /// count.
    pub(crate) fn start(&self, measure: Measure, total: Option<u64>, unit: &'static str) {
        let Some(shared) = &self.0 else {
            return;
        };
        shared.done.store(0, Ordering::Relaxed);
        shared.counted.store(0, Ordering::Relaxed);
        let mut drawing = lock(&shared.drawing);
        drawing.task = Some(Task {
            started: Instant::now(),
            measure,
            total,
            unit,
        });
        drawing.nth += 1;
        let nth = drawing.nth;
        drop(drawing);
        *lock(&SHOWN) = Arc::downgrade(shared);
        let shared = Arc::clone(shared);
        // Without a thread nothing is drawn, which is no reason not to go on.
        let _ = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(move || shared.draw_until_cleared(nth));
    }

    /// Records bytes and games done; cheap enough to call for every chunk.
    pub(crate) fn at(&self, done: u64, counted: u64) {
        if let Some(shared) = &self.0 {
            shared.done.fetch_max(done, Ordering::Relaxed);
            shared.counted.store(counted, Ordering::Relaxed);
        }
    }

    /// Records one step.
    pub(crate) fn step(&self) {
        if let Some(shared) = &self.0 {
            shared.done.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counter of the second count, if the bar is shown.
    pub(crate) fn counter(&self) -> Option<&AtomicU64> {
        self.0.as_ref().map(|shared| &shared.counted)
    }

    /// Removes the bar while `print` writes to the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let Some(shared) = &self.0 else {
            return print();
        };
        let mut drawing = lock(&shared.drawing);
        shared.erase(&mut drawing);
        print()
    }

    /// Removes the bar until the next [`Bar::start`].
    pub(crate) fn clear(&self) {
        if let Some(shared) = &self.0 {
            let mut drawing = lock(&shared.drawing);
            shared.erase(&mut drawing);
            drawing.task = None;
            shared.cleared.notify_all();
        }
    }
}

impl BarState {
    fn draw_until_cleared(&self, nth: u64) {
        let every = match self.is_terminal {
            true => DRAW_EVERY,
            false => LINE_EVERY,
        };
        let mut drawing = lock(&self.drawing);
        loop {
            drawing = self.sleep(drawing, every, nth);
            let Some(task) = drawing.task.filter(|_| drawing.nth == nth) else {
                return;
            };
            let counted = self.counted.load(Ordering::Relaxed);
            let done = self.done.load(Ordering::Relaxed);
            let shown = task.at(done, counted, task.started.elapsed());
            // A closed stderr is no reason to stop.
            let _ = match self.is_terminal {
                true => {
                    // The cursor stays at the beginning: a narrower terminal folds the line, and
                    // all of it is erased. Echoed keys such as `^C` move it, and the line would
                    // fold.
                    let line = shown.line(terminal_width());
                    write!(io::stderr(), "\r{line}\u{1b}[J\r")
                }
                false => writeln!(io::stderr(), "progress: {}", shown.text),
            };
            drawing.is_drawn = true;
        }
    }

    /// Sleeps for a time, or until the task is over.
    fn sleep<'a>(
        &self,
        drawing: MutexGuard<'a, Drawing>,
        every: Duration,
        nth: u64,
    ) -> MutexGuard<'a, Drawing> {
        let is_over = |drawing: &mut Drawing| drawing.task.is_some() && drawing.nth == nth;
        let slept = self
            .cleared
            .wait_timeout_while(drawing, every, is_over)
            .unwrap_or_else(PoisonError::into_inner);
        slept.0
    }

    fn erase(&self, drawing: &mut Drawing) {
        if self.is_terminal && drawing.is_drawn {
            let _ = write!(io::stderr(), "\r\u{1b}[J");
        }
        drawing.is_drawn = false;
    }
}

/// State of the bar.
struct Shown {
    text: String,
    /// Share done, from 0 to 1, if known.
    fraction: Option<f64>,
}

impl Task {
    fn at(&self, done: u64, counted: u64, elapsed: Duration) -> Shown {
        // A file may have grown since its size was read.
        let done = self.total.map_or(done, |total| done.min(total));
        let fraction = self
            .total
            .map(|total| done as f64 / (total as f64).max(1.0));
        let mut text = match (self.measure, self.total) {
            (Measure::Bytes, None) => HumanBytes(done).to_string(),
            (Measure::Bytes, Some(total)) => {
                format!("{} of {}", HumanBytes(done), HumanBytes(total))
            }
            (Measure::Steps(what), None) => format!("{done} {what}"),
            (Measure::Steps(what), Some(total)) => format!("{done} of {total} {what}"),
        };
        let unit = self.unit;
        let rate = counted as f64 / elapsed.as_secs_f64().max(1e-3);
        append!(
            text,
            ", {} {unit}, {} {unit}/s, {} left",
            HumanCount(counted),
            HumanCount(rate as u64),
            Left::of(fraction, elapsed)
        );
        Shown { text, fraction }
    }
}

impl Shown {
    /// Bar and text, cut to the width of the terminal less the cursor.
    fn line(&self, columns: usize) -> String {
        let room = columns.saturating_sub(1);
        let cells = room.saturating_sub(width(&self.text) + 1).min(CELLS);
        match self.fraction {
            Some(fraction) if cells >= FEWEST_CELLS => {
                let full = (fraction * cells as f64) as usize;
                let (full, empty) = ("█".repeat(full), "░".repeat(cells - full));
                format!("{full}{empty} {}", self.text)
            }
            _ => self.text.chars().take(room).collect(),
        }
    }
}

/// Time left, if known.
struct Left(Option<u64>);

impl Left {
    fn of(fraction: Option<f64>, elapsed: Duration) -> Left {
        let known = fraction.filter(|&fraction| fraction > 0.0);
        Left(known.map(|fraction| (elapsed.as_secs_f64() * (1.0 / fraction - 1.0)).ceil() as u64))
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("–"),
            Some(seconds @ 0..60) => write!(f, "{seconds}s"),
            Some(seconds @ 60..3600) => write!(f, "{}m{:02}s", seconds / 60, seconds % 60),
            Some(seconds) => write!(f, "{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        }
    }
}

fn terminal_width() -> usize {
    terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(Width(columns), _)| usize::from(columns))
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

    fn task(measure: Measure, total: Option<u64>, unit: &'static str) -> Task {
        Task {
            started: Instant::now(),
            measure,
            total,
            unit,
        }
    }

    #[track_caller]
    fn check(task: &Task, done: u64, counted: u64, seconds: u64, expected: &str) {
        let shown = task.at(done, counted, Duration::from_secs(seconds));
        assert_eq!(shown.text, expected);
    }

    #[test]
    fn bytes_done_of_all_and_the_time_left() {
        let bytes = task(Measure::Bytes, Some(4 << 20), "games");
        check(
            &bytes,
            1 << 20,
            1_500_000,
            1000,
            "1.00 MiB of 4.00 MiB, 1,500,000 games, 1,500 games/s, 50m00s left",
        );
        // Never more than there is.
        check(
            &bytes,
            5 << 20,
            10,
            10,
            "4.00 MiB of 4.00 MiB, 10 games, 1 games/s, 0s left",
        );
    }

    #[test]
    fn an_unknown_time_left_is_a_dash() {
        let bytes = task(Measure::Bytes, Some(4 << 20), "games");
        check(
            &bytes,
            0,
            0,
            5,
            "0 B of 4.00 MiB, 0 games, 0 games/s, – left",
        );
        let pipe = task(Measure::Bytes, None, "games");
        check(&pipe, 1023, 8, 4, "1023 B, 8 games, 2 games/s, – left");
    }

    #[test]
    fn perft_counts_nodes() {
        let moves = task(Measure::Steps("first moves"), Some(20), "nodes");
        check(
            &moves,
            5,
            119_060_324,
            1,
            "5 of 20 first moves, 119,060,324 nodes, 119,060,324 nodes/s, 3s left",
        );
    }

    #[test]
    fn a_line_is_never_wider_than_the_terminal() {
        let bytes = task(Measure::Bytes, Some(4 << 20), "games");
        let shown = bytes.at(2 << 20, 5, Duration::from_secs(1));
        for columns in 0..200 {
            let line = shown.line(columns);
            assert!(width(&line) < columns.max(1), "{columns} columns: `{line}`");
        }
        let text = shown.text.as_str();
        assert_eq!(shown.line(10), text[..9]);
        assert_eq!(shown.line(width(text) + 1), text);
        assert!(
            shown
                .line(200)
                .starts_with("████████████░░░░░░░░░░░░ 2.00 MiB")
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
