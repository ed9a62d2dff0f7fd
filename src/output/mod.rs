//! Products → bytes, one file for each format. Only this module and the binary print.

pub mod baseline;
pub mod claim;
pub mod escape;
pub mod findings;
pub mod json;
pub mod labels;
pub mod perft;
pub mod progress;
pub mod rows;
pub mod rulesets;
pub mod sink;
pub mod stats;
pub mod talk;

pub use progress::{Bar, Progress, Steps};
pub use sink::Sink;
pub use talk::Talk;
