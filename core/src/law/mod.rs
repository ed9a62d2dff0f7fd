//! The law: rule sets as data, and one engine for automatic ends, available claims and flag falls.
//!
//! - [`rulesets`]: one constant for each rule set, and the table of ends ([`End`]).
//! - [`Repetitions`]: how often a position has occurred, by key. The prefilter of `History`, which
//!   compares exactly under any `RepetitionKey`.
//! - [`Facts`]: a played game, read once: repetitions, clocks, ends, claims that were available.
//! - [`Prospects`]: who can still win its last position, and `judge_loss`.
//! - [`claim`]: one claim at the end of a game.
//!
//! Adjudications and decided claims are two readers of the same facts. This folder imports only
//! `chess` and `winnability`: it is given positions and moves.

pub mod claim;
pub mod history;
pub(crate) mod repetition;
pub mod rulesets;

mod facts;
mod prospects;
mod record;
mod timeline;

pub use facts::{Facts, Held, Opportunity};
pub use history::History;
pub use history::Unseen;
pub use prospects::{CanWin, Prospects};
pub use prospects::{Evidence, LossDecision, Win, judge_loss};
pub use record::{GameRecord, PlyRef};
pub use repetition::Repetitions;
pub use rulesets::{End, Loss, RuleSet};
pub use rulesets::{Ends, RepetitionKey, Standing};
