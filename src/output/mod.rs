//! Products → bytes.

pub mod progress;
