//! Output: sink, log, progress, formats, rows, escaping and JSON.

pub mod escape;
pub mod format;
pub mod json;
pub mod output_file;
pub mod progress;
pub mod rows;
pub mod sink;

pub(crate) use format::append;
pub use format::{Buffer, BufferPool, Format};
pub use output_file::{FileId, OutputFile};
pub use progress::{Bar, Measure};
pub use sink::{Log, Sink};
