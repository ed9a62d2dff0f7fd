//! Positions → what we say: one product for each command.

pub mod baseline;
pub mod claim;
pub mod findings;
pub mod labels;
pub mod perft;
pub mod report;
pub mod rows;
pub mod rule_choice;
pub mod selection;
pub mod sieve;
pub mod tally;
pub mod time_control;
