//! Rule sets, and the draws they know.

pub mod draws;
pub mod repetition;
pub mod rulesets;

pub use draws::History;
pub use repetition::Repetitions;
pub use rulesets::{End, Ends, RepetitionKey, RuleSet, Standing};
