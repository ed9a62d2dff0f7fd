//! Every finding code, once; one file for each family.

pub mod file;
pub mod moves;
pub mod movetext;
pub mod positions;
pub mod results;
pub mod tags;

use std::fmt;

use serde::{Serialize, Serializer};

pub use file::*;
pub use moves::*;
pub use movetext::*;
pub use positions::*;
pub use results::*;
pub use tags::*;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; nothing is wrong with the game.
    Note,
    /// Against the standard, but nothing is lost by it.
    Warning,
    /// Something cannot be read, is illegal, or contradicts something else.
    Error,
}

impl Severity {
    /// All, the least first.
    pub const ALL: [Severity; 3] = [Severity::Note, Severity::Warning, Severity::Error];

    /// One severity lower; a note stays one.
    #[must_use]
    pub fn lower(self) -> Severity {
        match self {
            Severity::Error => Severity::Warning,
            Severity::Warning | Severity::Note => Severity::Note,
        }
    }

    /// The letter of its codes: `N`, `W` or `E`.
    pub const fn letter(self) -> u8 {
        match self {
            Severity::Note => b'N',
            Severity::Warning => b'W',
            Severity::Error => b'E',
        }
    }

    /// `note`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A code as it is printed: the letter of a finding's severity and the number of its rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// What `--strict`, which asks for the export format of the PGN standard (section 3), makes of a kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strictness {
    /// Nothing: it is reported as it is.
    Always,
    /// A warning, where it is a note otherwise.
    WarnIfStrict,
    /// A warning, where it is not reported otherwise.
    StrictOnly,
}

impl Strictness {
    /// `same`, `raised` or `only`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Strictness::Always => "same",
            Strictness::WarnIfStrict => "raised",
            Strictness::StrictOnly => "only",
        }
    }
}

/// A kind of finding: what it is called and what it means.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// `E201`: the letter of `severity` and the number, which alone identifies the rule; the first
    /// digit is the family (0 file, 1 tags, 2 movetext and moves, 3 results, 4 FEN).
    pub code: &'static str,
    /// The fault's name, in words joined by hyphens.
    pub name: &'static str,
    /// How bad it is in the main line, without `--strict`.
    pub severity: Severity,
    /// What `--strict` makes of it.
    pub strictness: Strictness,
    /// One line.
    pub summary: &'static str,
    /// What it means, what it does to the game, a bad and a good example, and the source.
    pub explanation: &'static str,
}

impl Rule {
    /// The number of the code, from 1 to 499.
    pub const fn number(&self) -> usize {
        let [_, family, tens, ones] = self.code.as_bytes() else {
            panic!("a code has a letter and three digits");
        };
        (*family - b'0') as usize * 100 + (*tens - b'0') as usize * 10 + (*ones - b'0') as usize
    }

    /// The code of a finding of this severity.
    pub const fn code_at(&self, severity: Severity) -> Code {
        let [_, family, tens, ones] = self.code.as_bytes() else {
            panic!("a code has a letter and three digits");
        };
        Code([severity.letter(), *family, *tens, *ones])
    }

    /// How bad it is in the main line, with or without `--strict`.
    pub const fn severity_if(&self, strict: bool) -> Severity {
        match self.strictness {
            Strictness::WarnIfStrict | Strictness::StrictOnly if strict => Severity::Warning,
            _ => self.severity,
        }
    }

    /// Whether a finding can be about a variation, where it is one severity lower.
    pub const fn is_lowered_in_variations(&self) -> bool {
        self.number() / 100 == 2
    }

    /// The severities that findings can have, the least first.
    pub fn severities(&self) -> impl Iterator<Item = Severity> {
        Severity::ALL.into_iter().filter(|&severity| {
            [false, true].into_iter().any(|strict| {
                let main = self.severity_if(strict);
                main == severity || self.is_lowered_in_variations() && main.lower() == severity
            })
        })
    }

    /// Whether findings of the rule are about a whole file, which is told at the first place.
    pub const fn is_told_once_a_file(&self) -> bool {
        matches!(self.number(), 4 | 5 | 9 | 10 | 11 | 15)
    }

    /// What the rule is about: `file`, `tags`, `moves`, `results` or `positions`.
    pub const fn family(&self) -> &'static str {
        match self.number() / 100 {
            0 => "file",
            1 => "tags",
            2 => "moves",
            3 => "results",
            _ => "positions",
        }
    }
}

/// `NAME = "CODE" "name" Severity [Strictness]: "summary", "explanation";` for each rule of a family.
macro_rules! rules {
    ($($ident:ident = $code:literal $name:literal $severity:ident $($strictness:ident)?: $summary:literal, $explanation:literal;)*) => {
        $(
            #[doc = $summary]
            #[allow(clippy::doc_markdown, reason = "the text is printed as well")]
            pub static $ident: crate::commands::validate::registry::Rule = crate::commands::validate::registry::Rule {
                code: $code,
                name: $name,
                severity: crate::commands::validate::registry::Severity::$severity,
                strictness: crate::commands::validate::registry::strictness!($($strictness)?),
                summary: $summary,
                explanation: $explanation,
            };
        )*

        pub(crate) const FAMILY: &[&crate::commands::validate::registry::Rule] = &[$(&$ident),*];
    };
}

macro_rules! strictness {
    () => {
        crate::commands::validate::registry::Strictness::Always
    };
    ($strictness:ident) => {
        crate::commands::validate::registry::Strictness::$strictness
    };
}

use {rules, strictness};

const FAMILIES: [&[&Rule]; 6] = [
    file::FAMILY,
    tags::FAMILY,
    movetext::FAMILY,
    moves::FAMILY,
    results::FAMILY,
    positions::FAMILY,
];

const COUNT: usize = {
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// All rules, in the order of their numbers.
pub static RULES: &[&Rule] = &{
    let mut rules = [FAMILIES[0][0]; COUNT];
    let mut length = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut nth = 0;
        while nth < FAMILIES[family].len() {
            let rule = FAMILIES[family][nth];
            let mut place = length;
            while place > 0 && rules[place - 1].number() > rule.number() {
                rules[place] = rules[place - 1];
                place -= 1;
            }
            rules[place] = rule;
            length += 1;
            nth += 1;
        }
        family += 1;
    }
    rules
};

/// The rule of a code or a name, in any case. The letter of a code is that of any severity.
pub fn rule(code: &str) -> Option<&'static Rule> {
    let digits = digits_of(code);
    RULES.iter().copied().find(|rule| {
        digits.is_some_and(|digits| &rule.code[1..] == digits)
            || rule.name.eq_ignore_ascii_case(code)
    })
}

/// The three digits of a code with the letter of a severity, in any case.
pub(crate) fn digits_of(code: &str) -> Option<&str> {
    let digits = code.strip_prefix(['E', 'W', 'N', 'e', 'w', 'n'])?;
    let is_number = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The rule that was probably meant by what is neither a code nor a name: one with the same number, where letters were
/// mixed up, or a name that differs by a letter or two.
pub fn nearest(text: &str) -> Option<&'static Rule> {
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
    let name = text.to_ascii_lowercase().replace([' ', '_'], "-");
    let distance = |rule: &&&Rule| strsim::damerau_levenshtein(rule.name, &name);
    same_number
        .or_else(|| {
            let nearest = RULES.iter().min_by_key(distance)?;
            (distance(&nearest) <= 1 + name.len() / 5).then_some(nearest)
        })
        .copied()
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
            assert_eq!(nearest(typed).map(|rule| rule.code), Some(meant), "{typed}");
        }
        for typed in ["", "E999", "nonsense", "x"] {
            assert_eq!(nearest(typed).map(|rule| rule.code), None, "{typed}");
        }
    }

    #[test]
    fn codes_are_unique_sorted_and_begin_with_their_severity() {
        let number = |rule: &Rule| rule.code[1..].parse::<u16>().unwrap();
        for pair in RULES.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{}", pair[1].code);
        }
        for rule in RULES {
            assert_eq!(rule.code_at(rule.severity).as_str(), rule.code);
            assert!(
                rule.name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
        }
    }

    #[test]
    fn summaries_are_phrases_and_explanations_have_a_source() {
        for rule in RULES {
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
            assert!(rule.explanation.contains("\nSource: "), "{}", rule.code);
            // A defect of the program has no example.
            let examples = ["\nbad:  ", "\ngood: "];
            let has_both = examples.iter().all(|word| rule.explanation.contains(word));
            assert!(has_both || rule.code == "E299", "{}", rule.code);
        }
    }
}
