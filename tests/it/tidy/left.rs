//! How much still breaks each rule, by folder. These lists only get shorter.

/// Imports of a folder that is not below.
pub const IMPORTS: &[(&str, usize)] = &[];

/// Files in a cycle of imports.
pub const CYCLES: &[(&str, usize)] = &[];

/// Crates named elsewhere.
pub const CRATES_NAMED: &[(&str, usize)] = &[];

/// Files that print.
pub const PRINTS: &[(&str, usize)] = &[];

/// Files of more than 500 lines.
pub const LONG_FILES: &[(&str, usize)] = &[];

/// Lines of more than 100 columns.
pub const LONG_LINES: &[(&str, usize)] = &[];

/// Banned words in comments and guides.
pub const BANNED_WORDS: &[(&str, usize)] = &[];

/// Banned words in messages.
pub const MESSAGES: &[(&str, usize)] = &[];
