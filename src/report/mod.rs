//! Output: sink, log, progress, formats, rows, escaping and JSON.

pub mod buffer;
pub mod escape;
pub mod json;
pub mod output_file;
pub mod progress;
pub mod rows;
pub mod sink;

pub(crate) use buffer::append;
pub use buffer::{Buffer, BufferPool};
pub use output_file::{FileId, OutputFile};
pub use progress::{Bar, Measure};
pub use sink::{Format, Log, Sink};
