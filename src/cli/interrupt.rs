//! Ctrl-C as a wish to end in good order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that a second Ctrl-C ends at once, as shells report it.
const KILLED: i32 = 130;

/// Whether the user has asked for an end.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes over Ctrl-C for the rest of the process: the first time it is a wish, the second time an order.
    pub(super) fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let asked = interrupt.clone();
        // Without a handler Ctrl-C ends the program at once, which is no reason not to begin.
        let _ = ctrlc::set_handler(move || {
            if asked.0.swap(true, Ordering::Relaxed) {
                std::process::exit(KILLED);
            }
        });
        interrupt
    }

    /// Whether the end was asked for.
    pub(super) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
