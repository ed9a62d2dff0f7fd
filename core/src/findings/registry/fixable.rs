//! Rules whose findings can be repaired.

use crate::findings::registry::{CARRIAGE_RETURNS, GAME_ON_SAME_LINE, Rule, UTF_16};

/// Option that repairs the findings of a rule, where it can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fix {
    /// None.
    Never,
    /// `--fix`: the repair is certain, and nothing is lost.
    Certain,
    /// `--fix-suggestions`: the repair is the only one that is likely.
    Suggested,
}

impl Fix {
    /// `fix` or `suggestion`.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Fix::Never => None,
            Fix::Certain => Some("fix"),
            Fix::Suggested => Some("suggestion"),
        }
    }

    /// The option.
    pub const fn option(self) -> Option<&'static str> {
        match self {
            Fix::Never => None,
            Fix::Certain => Some("--fix"),
            Fix::Suggested => Some("--fix-suggestions"),
        }
    }
}

/// Rules that are repaired where a text is written, without edits of a game.
pub const FIXED_IN_FILES: [&Rule; 3] = [&UTF_16, &CARRIAGE_RETURNS, &GAME_ON_SAME_LINE];
