//! How far a run has come, drawn on stderr.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{
    HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use crate::sync::lock;

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// When stderr is a terminal.
    #[default]
    Auto,
    /// Even when stderr is not a terminal: then as a line now and then, fit for a log.
    Always,
    /// Never.
    Never,
}

/// How often a line is written when stderr is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(2);

/// A bar on stderr: stored bytes read of all, games, games a second, time left. A clone shares it.
///
/// While it is shown, everything else that goes to the terminal must go through [`Bar::suspend`].
#[derive(Clone, Debug, Default)]
pub struct Bar(Drawing);

#[derive(Clone, Debug, Default)]
enum Drawing {
    #[default]
    Nothing,
    Bar {
        bar: ProgressBar,
        games: Arc<AtomicU64>,
    },
    Lines(Arc<Mutex<Lines>>),
}

#[derive(Debug)]
struct Lines {
    started: Instant,
    last: Instant,
    total: Option<u64>,
}

impl Bar {
    /// A bar that is not drawn before [`Bar::start`].
    pub fn new(progress: Progress) -> Bar {
        let terminal = io::stderr().is_terminal();
        Bar(match progress {
            Progress::Never => Drawing::Nothing,
            Progress::Auto if !terminal => Drawing::Nothing,
            Progress::Always if !terminal => {
                let now = Instant::now();
                Drawing::Lines(Arc::new(Mutex::new(Lines {
                    started: now,
                    last: now,
                    total: None,
                })))
            }
            Progress::Auto | Progress::Always => Drawing::Bar {
                bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
                games: Arc::default(),
            },
        })
    }

    /// Begins to draw; `total` is the number of bytes to be read, when it is known.
    pub fn start(&self, total: Option<u64>) {
        match &self.0 {
            Drawing::Nothing => {}
            Drawing::Bar { bar, games } => {
                games.store(0, Ordering::Relaxed);
                bar.reset();
                if let Some(total) = total {
                    bar.set_length(total);
                } else {
                    bar.unset_length();
                }
                bar.set_style(style(total.is_some(), Arc::clone(games)));
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            Drawing::Lines(lines) => {
                let now = Instant::now();
                *lock(lines) = Lines {
                    started: now,
                    last: now,
                    total,
                };
            }
        }
    }

    /// Moves to so many stored bytes read and so many games done. Cheap enough for every chunk.
    pub fn at(&self, bytes: u64, games: u64) {
        match &self.0 {
            Drawing::Nothing => {}
            Drawing::Bar { bar, games: shown } => {
                shown.store(games, Ordering::Relaxed);
                bar.set_position(bytes);
            }
            Drawing::Lines(lines) => {
                let mut lines = lock(lines);
                if lines.last.elapsed() >= LINE_EVERY {
                    lines.last = Instant::now();
                    // A closed stderr is no reason to stop.
                    let _ = writeln!(io::stderr(), "{}", lines.line(bytes, games));
                }
            }
        }
    }

    /// Takes the bar off the terminal while `print` writes there.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Drawing::Bar { bar, .. } => bar.suspend(print),
            Drawing::Nothing | Drawing::Lines(_) => print(),
        }
    }

    /// Takes the bar off the terminal for good, until the next [`Bar::start`].
    pub fn clear(&self) {
        if let Drawing::Bar { bar, .. } = &self.0 {
            bar.finish_and_clear();
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
    }
}

/// A bar on stderr that counts steps of one kind, such as first moves. A clone shares it.
#[derive(Clone, Debug)]
pub struct Steps(Option<ProgressBar>);

impl Steps {
    /// A bar of so many steps, each called `what`. Off a terminal nothing is drawn, unless `progress` says always.
    pub fn new(progress: Progress, steps: u64, what: &str) -> Steps {
        let drawn = match progress {
            Progress::Never => false,
            Progress::Auto => io::stderr().is_terminal(),
            Progress::Always => true,
        };
        Steps(drawn.then(|| {
            let template = format!("{{bar:24}} {{pos}} of {{len}} {what}, {{eta}} left");
            let style =
                ProgressStyle::with_template(&template).expect("the template is well formed");
            let bar = ProgressBar::new(steps).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        }))
    }

    /// One more step is done.
    pub fn step(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn style(bounded: bool, games: Arc<AtomicU64>) -> ProgressStyle {
    let template = if bounded {
        "{bar:24} {bytes} of {total_bytes}, {games}, {eta} left"
    } else {
        "{spinner} {bytes}, {games}"
    };
    ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key(
            "games",
            move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let games = games.load(Ordering::Relaxed);
                // A failure to draw is no reason to stop.
                let _ = out.write_str(&games_text(games, state.elapsed()));
            },
        )
}

fn games_text(games: u64, elapsed: Duration) -> String {
    let rate = games as f64 / elapsed.as_secs_f64().max(1e-3);
    format!(
        "{} games, {} games/s",
        HumanCount(games),
        HumanCount(rate as u64)
    )
}

impl Lines {
    fn line(&self, bytes: u64, games: u64) -> String {
        let mut line = format!("progress: {}", HumanBytes(bytes));
        if let Some(total) = self.total {
            let _ = write!(line, " of {}", HumanBytes(total));
        }
        let _ = write!(line, ", {}", games_text(games, self.started.elapsed()));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_a_log_names_bytes_games_and_rate() {
        let now = Instant::now();
        let started = now.checked_sub(Duration::from_secs(1000)).unwrap_or(now);
        let lines = Lines {
            started,
            last: now,
            total: Some(4 << 20),
        };
        let line = lines.line(1 << 20, 1_500_000);
        assert!(
            line.starts_with("progress: 1.00 MiB of 4.00 MiB, 1,500,000 games, "),
            "{line}"
        );
    }

    #[test]
    fn a_bar_that_is_never_shown_still_prints() {
        let bar = Bar::new(Progress::Never);
        bar.start(Some(3));
        bar.at(1, 1);
        assert_eq!(bar.suspend(|| 7), 7);
        bar.clear();
    }
}
