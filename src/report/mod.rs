//! Output: sink, log, progress, formats, rows, escaping and JSON.

pub mod buffer;
pub mod escape;
pub mod file_id;
pub mod format;
pub mod json;
pub mod log;
pub mod output_file;
pub mod progress;
pub mod rows;
pub mod sink;
pub mod stdout;

pub use buffer::{Buffer, BufferPool};
pub use file_id::FileId;
pub use format::Format;
pub use log::Log;
pub use output_file::OutputFile;
pub use progress::{Bar, Measure, Progress};
pub use sink::Sink;
