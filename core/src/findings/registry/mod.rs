//! The registry of finding codes.

mod deviations;
mod fixable;
mod rules;

use std::fmt;

use serde::{Serialize, Serializer};
use strum::{Display, IntoStaticStr};

use crate::text::nearest::nearest;

pub(crate) use deviations::{deviation, is_slip};
pub use fixable::FIXED_IN_FILES;
pub use fixable::Fix;
pub use rules::RULES;
pub use rules::*;

/// Severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Severity {
    /// Informative; nothing is wrong with the game.
    Note,
    /// A deviation from the standard without loss.
    Warning,
    /// Something is unreadable, illegal or contradictory.
    Error,
}

impl Severity {
    /// All, the least first.
    pub const ALL: [Severity; 3] = [Severity::Note, Severity::Warning, Severity::Error];

    /// One severity lower; a note stays one.
    #[must_use]
    pub(crate) fn lower(self) -> Severity {
        match self {
            Severity::Error => Severity::Warning,
            Severity::Warning | Severity::Note => Severity::Note,
        }
    }

    /// The letter of its codes: `N`, `W` or `E`.
    pub(crate) const fn letter(self) -> u8 {
        match self {
            Severity::Note => b'N',
            Severity::Warning => b'W',
            Severity::Error => b'E',
        }
    }

    /// `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A printed code: the letter of a finding's severity and the number of its rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code([u8; 4]);

impl Code {
    /// `W201`.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Effect of `--strict`, which checks for the export format of the PGN standard (section 3), on a
/// rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
pub enum Strictness {
    /// Reported with the same severity.
    #[strum(serialize = "same")]
    Always,
    /// A warning instead of a note.
    #[strum(serialize = "raised")]
    WarnIfStrict,
    /// A warning; not reported otherwise.
    #[strum(serialize = "only")]
    StrictOnly,
    /// Reported with the same severity, but only if asked for by an option or selected.
    #[strum(serialize = "off")]
    Optional,
}

/// Subject of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Family {
    /// The file itself (codes from 0).
    File,
    /// Tag pairs (codes from 100).
    Tags,
    /// Moves and movetext (codes from 200).
    Moves,
    /// Results (codes from 300).
    Results,
    /// FEN and EPD (codes from 400).
    Positions,
    /// Games against each other (codes from 500).
    Duplicates,
}

impl Family {
    /// `file`, `tags`, `moves`, `results`, `positions` or `duplicates`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A kind of finding.
#[derive(Debug)]
pub struct Rule {
    /// The letter of `severity` and the number, such as `E201`. The number alone identifies the
    /// rule.
    pub code: &'static str,
    /// The public name: that of the constant, in lower case with hyphens.
    pub name: &'static str,
    /// A former name, accepted wherever a name is read.
    pub former_name: Option<&'static str>,
    /// The subject.
    pub family: Family,
    /// The severity in the main line, without `--strict`.
    pub severity: Severity,
    /// Effect of `--strict`.
    pub strictness: Strictness,
    /// Whether findings concern a whole file and are reported once, at the first occurrence.
    pub is_once_per_file: bool,
    /// The option that repairs findings.
    pub fix: Fix,
    /// One line.
    pub summary: &'static str,
}

/// The code identifies a rule.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}

impl Rule {
    const fn new(code: &'static str, name: &'static str, summary: &'static str) -> Rule {
        let severity = match code.as_bytes()[0] {
            b'N' => Severity::Note,
            b'W' => Severity::Warning,
            b'E' => Severity::Error,
            _ => panic!("a code begins with the letter of its severity"),
        };
        let family = match code.as_bytes()[1] {
            b'0' => Family::File,
            b'1' => Family::Tags,
            b'2' => Family::Moves,
            b'3' => Family::Results,
            b'4' => Family::Positions,
            b'5' => Family::Duplicates,
            _ => panic!("the first digit of a code is that of a family"),
        };
        Rule {
            code,
            name,
            former_name: None,
            family,
            severity,
            strictness: Strictness::Always,
            is_once_per_file: false,
            fix: Fix::Never,
            summary,
        }
    }

    const fn warn_if_strict(mut self) -> Rule {
        self.strictness = Strictness::WarnIfStrict;
        self
    }

    const fn strict_only(mut self) -> Rule {
        self.strictness = Strictness::StrictOnly;
        self
    }

    const fn optional(mut self) -> Rule {
        self.strictness = Strictness::Optional;
        self
    }

    const fn once_per_file(mut self) -> Rule {
        self.is_once_per_file = true;
        self
    }

    const fn fixable(mut self) -> Rule {
        self.fix = Fix::Certain;
        self
    }

    const fn suggested(mut self) -> Rule {
        self.fix = Fix::Suggested;
        self
    }

    const fn formerly(mut self, name: &'static str) -> Rule {
        self.former_name = Some(name);
        self
    }

    /// The number of the code, from 1 to 599.
    pub const fn number(&self) -> usize {
        let Code([_, family, tens, ones]) = self.code_at(self.severity);
        (family - b'0') as usize * 100 + (tens - b'0') as usize * 10 + (ones - b'0') as usize
    }

    /// The code of a finding of this severity.
    pub const fn code_at(&self, severity: Severity) -> Code {
        let [_, family, tens, ones] = self.code.as_bytes() else {
            panic!("a code has a letter and three digits");
        };
        Code([severity.letter(), *family, *tens, *ones])
    }

    /// The severity in the main line, with or without `--strict`.
    pub const fn severity_if(&self, strict: bool) -> Severity {
        match self.strictness {
            Strictness::WarnIfStrict | Strictness::StrictOnly if strict => Severity::Warning,
            _ => self.severity,
        }
    }

    /// Whether it is reported without any option.
    pub const fn is_on(&self) -> bool {
        !matches!(
            self.strictness,
            Strictness::StrictOnly | Strictness::Optional
        )
    }

    /// The severities that findings can have, the least first. Findings about moves can be in a
    /// variation, where their severity is one lower.
    pub fn severities(&self) -> impl Iterator<Item = Severity> {
        Severity::ALL.into_iter().filter(|&severity| {
            [false, true].into_iter().any(|strict| {
                let main = self.severity_if(strict);
                main == severity || self.family == Family::Moves && main.lower() == severity
            })
        })
    }

    /// Whether a text is the name or the former name of the rule, in any case.
    pub(crate) fn is_named(&self, text: &str) -> bool {
        let mut names = [Some(self.name), self.former_name].into_iter().flatten();
        names.any(|name| name.eq_ignore_ascii_case(text))
    }
}

/// The rule of a code or a name, in any case. The letter of the code may be that of any severity.
pub fn rule(code: &str) -> Option<&'static Rule> {
    let digits = digits_of(code);
    RULES
        .iter()
        .copied()
        .find(|rule| digits.is_some_and(|digits| &rule.code[1..] == digits) || rule.is_named(code))
}

/// The three digits of a code, with or without the letter of a severity, in any case.
pub(crate) fn digits_of(code: &str) -> Option<&str> {
    let letters = ['E', 'W', 'N', 'e', 'w', 'n'];
    let digits = code.strip_prefix(letters).unwrap_or(code);
    let is_number = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The rule probably meant by a text that is neither a code nor a name: one with the same number,
/// up to confused characters, or with a similar name.
pub fn nearest_rule(text: &str) -> Option<&'static Rule> {
    let text = text.trim();
    let number: String = text
        .chars()
        .skip(1)
        .map(|digit| match digit {
            'o' | 'O' => '0',
            'i' | 'I' | 'l' => '1',
            digit => digit,
        })
        .collect();
    let same_number = RULES.iter().find(|rule| rule.code[1..] == number);
    let name = text.replace([' ', '_'], "-");
    let meant = || rule(nearest(&name, RULES.iter().map(|rule| rule.name))?);
    same_number.copied().or_else(meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_near_a_rule() {
        for (typed, meant) in [
            ("W201", "E201"),
            ("e2O1", "E201"),
            ("ilegal-move", "E201"),
            ("Illegal Move", "E201"),
            ("unclosed_coment", "E205"),
        ] {
            assert_eq!(
                nearest_rule(typed).map(|rule| rule.code),
                Some(meant),
                "{typed}"
            );
        }
        for typed in ["", "E999", "nonsense", "x"] {
            assert_eq!(nearest_rule(typed).map(|rule| rule.code), None, "{typed}");
        }
    }

    #[test]
    fn a_former_name_is_accepted() {
        assert_eq!(rule("Glyph-Out-Of-Range"), rule("nag-out-of-range"));
        assert_eq!(rule("W214"), rule("nag-out-of-range"));
    }

    #[test]
    fn codes_are_unique_and_sorted_and_names_those_of_the_constants() {
        for (rule, constant) in RULES.iter().zip(rules::CONSTANTS) {
            let name = constant.to_ascii_lowercase().replace('_', "-");
            assert_eq!(rule.name, name);
        }
        let number = |rule: &Rule| rule.code[1..].parse::<u16>().unwrap();
        for pair in RULES.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{}", pair[1].code);
        }
        for rule in RULES {
            assert_eq!(rule.code_at(rule.severity).as_str(), rule.code);
        }
    }

    #[test]
    fn summaries_are_phrases() {
        for rule in RULES {
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
            assert!(!rule.summary.starts_with("a "), "{}", rule.code);
        }
    }
}
