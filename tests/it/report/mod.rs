//! Output files, pipes and terminals.

pub mod output_files; // files are replaced completely or not at all
mod parquet; // Parquet files hold the rows of JSON lines
mod pipes; // closed, full and empty pipes; signals
#[cfg(unix)]
mod terminal; // tables and sentences in the width of a terminal
