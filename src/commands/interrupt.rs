//! Ctrl-C, SIGTERM and SIGHUP: the one place where signals are handled.
//!
//! A signal sets a flag, and the command ends in good order. A command that waits to open or write
//! a pipe, or is in the middle of a long search, does not see the flag: when it writes nothing for
//! a while, the process is ended for it.

use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::input::{INTERRUPTED, lock};
use crate::report::{Talk, output_file, progress, sink};

/// Time in which a command that ends in good order writes something.
const GRACE: Duration = Duration::from_secs(1);

/// Time to say what was done, should nobody read stderr.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The exit code, that of everything that is not done.
const NOT_DONE: i32 = 2;

static SAID: AtomicBool = AtomicBool::new(false);
static DONE: AtomicU64 = AtomicU64::new(0);
static REPORT: Mutex<Option<(Talk, &'static str)>> = Mutex::new(None);

/// Handles signals for the rest of the process.
pub(crate) fn listen() {
    // Without a handler a signal ends the process at once, which is no reason not to begin.
    let _ = on_signal(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            end();
        }
        thread::spawn(|| {
            loop {
                let written = sink::written();
                thread::sleep(GRACE);
                if written == sink::written() {
                    end();
                }
            }
        });
    });
}

/// Whether the end was asked for.
pub(crate) fn asked() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The flag itself, for loops that know nothing of signals.
pub(crate) fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Says where to report an interruption, and what [`done`] counts: `game`, `position`.
pub(crate) fn report_to(talk: &Talk, unit: &'static str) {
    *lock(&REPORT) = Some((talk.clone(), unit));
}

/// Counts what is done.
pub(crate) fn done(more: u64) {
    DONE.fetch_add(more, Ordering::Relaxed);
}

/// Says what was done, unless that has been said.
pub(crate) fn say(talk: &Talk, what: &str) {
    if !SAID.swap(true, Ordering::Relaxed) {
        talk.error(&format_args!("interrupted{what}"));
    }
}

/// Says how much was done.
pub(crate) fn say_done() {
    progress::clear();
    let report = lock(&REPORT).clone();
    match report {
        Some((talk, unit)) => {
            let done = DONE.load(Ordering::Relaxed);
            let plural = if done == 1 { "" } else { "s" };
            say(&talk, &format!(" after {done} {unit}{plural}"));
        }
        None => say(&Talk::default(), ""),
    }
}

/// Ends the process for a command that does not.
fn end() -> ! {
    output_file::abandon_all();
    // Either may wait for a reader.
    thread::spawn(|| {
        say_done();
        sink::flush_stdout();
        process::exit(NOT_DONE);
    });
    thread::sleep(LAST_WORDS);
    process::exit(NOT_DONE)
}

#[cfg(unix)]
fn on_signal(mut each: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    if !ignores_hangup() {
        signals.add_signal(SIGHUP)?;
    }
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| each()))?;
    Ok(())
}

/// Whether the process was begun by `nohup`, which is to outlive its terminal.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (signal_hook::consts::SIGHUP - 1) != 0)
}

#[cfg(not(unix))]
fn on_signal(each: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(each)
}
