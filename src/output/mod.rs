//! Products → bytes, one file for each format. Only this module and the binary print.

pub mod baseline;
pub mod claim;
pub mod escape;
pub mod file_id;
pub mod findings;
pub mod json;
pub mod labels;
pub mod output_file;
pub mod perft;
pub mod progress;
pub mod replay;
pub mod rulesets;
pub mod sink;
pub mod stats;
pub mod stdout;
pub mod talk;

pub use file_id::FileId;
pub use output_file::OutputFile;
pub use progress::{Bar, Measure, Progress};
pub use sink::Sink;
pub use talk::Talk;
