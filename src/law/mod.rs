//! The law: rule sets as data, and one engine for automatic ends, available claims and flag falls.
//!
//! - [`rulesets`]: one constant for each rule set, and the table of ends ([`End`]).
//! - [`History`], [`Repetitions`]: how often a position has occurred, exactly and by key.
//! - [`Facts`]: a played game, read once: repetitions, clocks, ends, claims that were available.
//! - [`Prospects`]: who can still win its last position, and [`flag_fall`].
//! - [`claim`]: one claim at the end of a game.
//!
//! Adjudications and decided claims are two readers of the same facts. This folder imports only
//! `chess` and `winnability`: it is given positions and moves.

pub mod claim;
pub mod history;
pub mod repetition;
pub mod rulesets;

mod facts;
mod prospects;
mod record;

pub use facts::{Facts, Opportunity};
pub use history::History;
pub use prospects::{CanWin, Evidence, FlagDecision, FlagOutcome, Prospects, flag_fall};
pub use record::{GameRecord, PlyRef};
pub use repetition::Repetitions;
pub use rulesets::{End, Ends, RepetitionKey, RuleSet, Standing};
