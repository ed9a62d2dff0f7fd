//! Limits of the findings that are shown.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::findings::registry::{Rule, Severity};

/// Value of `--max-per-code`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PerCode(pub(crate) Option<u64>);

impl PerCode {
    /// Findings of each code that a terminal shows.
    pub(crate) const ON_TERMINAL: u64 = 20;
}

impl FromStr for PerCode {
    type Err = String;

    /// Parses a number, or `all`.
    fn from_str(text: &str) -> Result<PerCode, String> {
        match text {
            "all" => Ok(PerCode(None)),
            number => number
                .parse()
                .map(|most| PerCode(Some(most)))
                .map_err(|_| "neither a number nor `all`".to_owned()),
        }
    }
}

/// The limits, and which of them are reached. A limit that is reached stays so, and the output does
/// not depend on when workers see it.
pub(crate) struct Limits {
    /// Maximum number of findings shown of the run.
    pub(crate) most: Option<u64>,
    /// Maximum number of findings shown of each code.
    pub(crate) per_code: Option<u64>,
    full: AtomicBool,
    /// One bit for each number and severity.
    full_codes: [AtomicU64; Limits::WORDS],
}

impl Limits {
    /// Words of bits for numbers of three digits.
    const WORDS: usize = (1000 * Severity::ALL.len()).div_ceil(64);

    pub(crate) fn new(most: Option<u64>, per_code: Option<u64>) -> Limits {
        Limits {
            most,
            per_code,
            full: AtomicBool::new(false),
            full_codes: [const { AtomicU64::new(0) }; Limits::WORDS],
        }
    }

    /// Whether no finding is shown any more.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    pub(crate) fn set_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Whether no finding of a code is shown any more.
    pub(crate) fn is_code_full(&self, rule: &Rule, severity: Severity) -> bool {
        let (word, bit) = Limits::place(rule, severity);
        self.full_codes[word].load(Ordering::Relaxed) & bit != 0
    }

    pub(crate) fn set_code_full(&self, rule: &Rule, severity: Severity) {
        let (word, bit) = Limits::place(rule, severity);
        self.full_codes[word].fetch_or(bit, Ordering::Relaxed);
    }

    fn place(rule: &Rule, severity: Severity) -> (usize, u64) {
        let place = rule.number() * Severity::ALL.len() + severity as usize;
        (place / 64, 1 << (place % 64))
    }
}
