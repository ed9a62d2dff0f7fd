//! Rules whose findings can be repaired.

use crate::commands::validate::registry::{RULES, Rule, RuleBits};

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
    pub(crate) const fn word(self) -> Option<&'static str> {
        match self {
            Fix::Never => None,
            Fix::Certain => Some("fix"),
            Fix::Suggested => Some("suggestion"),
        }
    }

    /// The option.
    pub(crate) const fn option(self) -> Option<&'static str> {
        match self {
            Fix::Never => None,
            Fix::Certain => Some("--fix"),
            Fix::Suggested => Some("--fix-suggestions"),
        }
    }
}

impl Rule {
    pub(crate) const fn fixable(self) -> Rule {
        Rule {
            fix: Fix::Certain,
            ..self
        }
    }

    pub(crate) const fn suggested(self) -> Rule {
        Rule {
            fix: Fix::Suggested,
            ..self
        }
    }
}

/// All rules that an option repairs.
pub(crate) fn fixable() -> RuleBits {
    RuleBits::of(RULES.iter().copied().filter(|rule| rule.fix != Fix::Never))
}
