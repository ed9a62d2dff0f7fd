//! Output: sink, log, progress, formats, rows, escaping and JSON.

mod buffer_pool;
pub(crate) mod json;
pub(crate) mod output_file;
pub(crate) mod progress;
pub mod rows;
pub mod sink;
pub mod stdout;
#[cfg(feature = "parquet")]
mod table;
pub(crate) mod text_table;

pub(crate) use buffer_pool::BufferPool;
pub use chess_arbiter_core::text::{Buffer, append, escape, wrap, wrap_if};
pub(crate) use output_file::{FileId, FileState, OutputFile};
pub(crate) use progress::{Bar, DecimalBytes, HumanCount, Measure, SourceProgress};
pub use sink::Format;
pub(crate) use sink::{Log, Sink, is_stdout};
