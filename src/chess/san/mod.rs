//! Standard Algebraic Notation (PGN standard section 8.2.3; FIDE Laws appendix C).

mod error;
mod explain;
mod resolve;
mod syntax;

pub use error::{CastlingObstacle, Man, SanError};
pub use syntax::{San, SanPlus, SanSyntaxError, Suffix};
