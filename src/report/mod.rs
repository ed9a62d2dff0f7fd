//! Output: sink, log, progress, formats, rows, escaping and JSON.

pub(crate) mod buffer;
pub mod escape;
pub(crate) mod json;
pub(crate) mod output_file;
pub(crate) mod progress;
pub mod rows;
pub mod sink;
pub mod stdout;
#[cfg(feature = "parquet")]
mod table;
pub(crate) mod text_table;
mod wrap;

pub use buffer::Buffer;
pub(crate) use buffer::{BufferPool, append};
pub(crate) use output_file::{FileId, FileState, OutputFile};
pub(crate) use progress::{Bar, DecimalBytes, HumanCount, Measure, SourceProgress};
pub use sink::Format;
pub(crate) use sink::{Log, Sink, is_stdout};
pub(crate) use wrap::{wrap, wrap_if};
