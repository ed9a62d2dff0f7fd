//! Handling of Ctrl-C, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU for all commands.
//!
//! A signal sets a flag; the command sees it (`asked`), ends its output and says what was done
//! (`say_done`). Then the process dies of the signal, so that a shell sees it. A command that
//! blocks on a pipe, or is in a long search, does not see the flag: the process ends once it has
//! made no progress in `GRACE` ticks.

use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::input::{INTERRUPTED, lock};
use crate::report::{Log, output_file, progress, sink};

/// Ticks without progress after which the process ends. Ticks, not seconds: while the machine is
/// suspended, neither the ticks nor the command go on.
const GRACE: u32 = 10;

const TICK: Duration = Duration::from_millis(100);

/// Time limit for the last message, as stderr may be blocked.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Exit code of an interrupted command where no signal ends it.
const CODE: i32 = 130;

static SAID: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static IS_END: AtomicBool = AtomicBool::new(false);
static DONE: AtomicU64 = AtomicU64::new(0);
static CHILD: AtomicU32 = AtomicU32::new(0);
static REPORT: Mutex<Option<(Log, &'static str)>> = Mutex::new(None);

/// Installs the signal handler for the rest of the process.
pub(crate) fn listen() {
    // Without a handler, signals end the process at once.
    let _ = on_signal(|signal| {
        SIGNAL.store(signal, Ordering::Relaxed);
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            end();
        }
        if IS_END.load(Ordering::Relaxed) {
            return;
        }
        thread::spawn(|| {
            let mut last = None;
            let mut idle = 0;
            while idle < GRACE {
                thread::sleep(TICK);
                let progress = Some((sink::written(), DONE.load(Ordering::Relaxed)));
                idle = if progress == last { idle + 1 } else { 0 };
                last = progress;
            }
            end()
        });
    });
}

/// True if a signal has arrived.
pub(crate) fn asked() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Makes the first signal the usual end of the command, which takes the time that it needs.
pub(crate) fn is_usual_end() {
    IS_END.store(true, Ordering::Relaxed);
}

/// Sets the log for the last message and the unit of [`done`]: `game`, `position`.
pub(crate) fn report_to(log: &Log, unit: &'static str) {
    *lock(&REPORT) = Some((log.clone(), unit));
}

/// Sets the process group that [`end`] kills; 0 for none.
pub(crate) fn set_child(group: u32) {
    CHILD.store(group, Ordering::Relaxed);
}

/// Kills the processes of a group.
pub(crate) fn kill_group(group: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(group.cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = group;
}

/// Counts processed units.
pub(crate) fn done(more: u64) {
    DONE.fetch_add(more, Ordering::Relaxed);
}

/// Reports the interruption, once.
pub(crate) fn say(log: &Log, what: &str) {
    if !SAID.swap(true, Ordering::Relaxed) {
        log.error(&format_args!("interrupted{what}"));
    }
}

/// Reports the interruption and the number of processed units, once.
pub(crate) fn say_done() {
    progress::clear();
    let report = lock(&REPORT).clone();
    match report {
        Some((log, unit)) => {
            let done = DONE.load(Ordering::Relaxed);
            let plural = if done == 1 { "" } else { "s" };
            say(&log, &format!(" after {done} {unit}{plural}"));
        }
        None => say(&Log::default(), ""),
    }
}

/// Ends the process for a command that does not see the flag.
fn end() -> ! {
    output_file::abandon_all();
    kill_group(CHILD.load(Ordering::Relaxed));
    // Both may block.
    thread::spawn(|| {
        say_done();
        let _ = sink::flush_stdout();
        die();
    });
    thread::sleep(LAST_WORDS);
    die()
}

/// Ends the process by the signal if the interruption has been reported.
pub(crate) fn end_if_said() {
    if SAID.load(Ordering::Relaxed) {
        die();
    }
}

fn die() -> ! {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(SIGNAL.load(Ordering::Relaxed));
    process::exit(CODE)
}

#[cfg(unix)]
fn on_signal(mut each: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

    // With a handler, a write beyond the limit of `ulimit -f` is an error like that of a full disk.
    signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default())?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGQUIT, SIGXCPU, SIGTERM])?;
    if !ignores_hangup() {
        signals.add_signal(SIGHUP)?;
    }
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(&mut each))?;
    Ok(())
}

/// True if the process was started by `nohup`.
#[cfg(unix)]
#[allow(unsafe_code)]
fn ignores_hangup() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: with a null pointer for the new action, `sigaction` only writes the current one,
    // for which zeros are a valid value too.
    let action = unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
fn on_signal(mut each: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || each(0))
}
