//! Which rules are checked, and how much they matter.

use crate::findings::registry::{
    FAULTS_LEFT_OUT, Family, RULES, Rule, Severity, Strictness, deviation, digits_of,
};
use crate::notation::{NotationVariant, NotationVariants};

/// A set of rules.
///
/// ```
/// use chess_arbiter_core::Codes;
///
/// assert!(Codes::from_text("E2", false).is_some());
/// assert!(Codes::from_text("X2", false).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Codes([u64; Codes::WORDS]);

impl Codes {
    /// One bit for each number.
    const WORDS: usize = RULES[RULES.len() - 1].number() / 64 + 1;

    /// Codes of some rules.
    pub fn of(rules: impl IntoIterator<Item = &'static Rule>) -> Codes {
        let mut set = Codes::default();
        for rule in rules {
            set.insert(rule);
        }
        set
    }

    /// Whether the code of a rule is among them.
    #[inline]
    pub fn has(&self, rule: &Rule) -> bool {
        self.0[rule.number() / 64] >> (rule.number() % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, rule: &Rule) {
        self.0[rule.number() / 64] |= 1 << (rule.number() % 64);
    }

    pub(crate) fn or(self, other: Codes) -> Codes {
        Codes(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn without(self, other: Codes) -> Codes {
        Codes(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Reads one code, one name, or the beginning of codes, such as `E2`, in any case. `2` and `20`
    /// mean all severities: a family, or a part of it. The letter of `N2` is that of the severity
    /// in the main line, with or without `--strict`.
    pub fn from_text(text: &str, strict: bool) -> Option<Codes> {
        let wanted = text.trim().to_ascii_uppercase();
        // The letter of a whole code may be that of any severity.
        let number = digits_of(&wanted);
        let digits = wanted.starts_with(|first: char| first.is_ascii_digit());
        let is_meant = |rule: &Rule| {
            let code = rule.code_at(rule.severity_if(strict));
            let code = &code.as_str()[usize::from(digits)..];
            number.map_or(code.starts_with(&wanted), |number| {
                &rule.code[1..] == number
            }) || rule.is_named(&wanted)
        };
        let set = Codes::of(RULES.iter().copied().filter(|rule| is_meant(rule)));
        (!wanted.is_empty() && set != Codes::default()).then_some(set)
    }

    /// The rules that a selection enables: optional ones only if no other family is meant too, as
    /// by `W`.
    fn enabled(self) -> Codes {
        let is_optional = |rule: &&Rule| rule.strictness == Strictness::Optional;
        let others = self.without(Codes::of(RULES.iter().copied().filter(is_optional)));
        match others == Codes::default() {
            true => self,
            false => others,
        }
    }

    fn union(codes: impl IntoIterator<Item = Codes>) -> Codes {
        codes.into_iter().fold(Codes::default(), Codes::or)
    }
}

/// The selection of checks.
///
/// ```
/// use chess_arbiter_core::Checks;
/// use chess_arbiter_core::findings::registry::ILLEGAL_MOVE;
///
/// assert!(Checks::default().has(&ILLEGAL_MOVE));
/// ```
#[derive(Clone, Debug)]
pub struct Checks {
    on: Codes,
    strict: bool,
    /// Whether variations are left unread.
    pub mainline_only: bool,
    /// Whether null moves of the main line are played; the replay stops there otherwise.
    pub null_moves: bool,
    /// Whether every place that can be repaired is named: every place that one finding stands for
    /// has its own.
    pub repairs: bool,
    /// The ways to write a move otherwise that are looked for.
    pub(crate) deviations: NotationVariants,
    /// Whether a selected check needs every game to be walked.
    pub(crate) looks_at_all: bool,
    /// Whether the values of all comments are read, not only those of the first games.
    pub(crate) all_values: bool,
}

impl Default for Checks {
    /// All that is not left to `--strict`.
    fn default() -> Checks {
        Checks::new(false, &[], &[])
    }
}

impl Checks {
    /// The same for repairs.
    #[must_use]
    pub fn repairing(&self) -> Checks {
        Checks {
            repairs: true,
            ..self.clone()
        }
    }

    /// Selects the `selected` rules, or all that are not strict only if there are none, except the
    /// `ignored` ones. With `strict`, deviations from the export format of the PGN standard are
    /// warnings. A selected rule is enabled even if it is strict only.
    pub fn new(strict: bool, selected: &[Codes], ignored: &[Codes]) -> Checks {
        let by_itself =
            |rule: &&Rule| rule.is_on() || strict && rule.strictness == Strictness::StrictOnly;
        let on = if selected.is_empty() {
            Codes::of(RULES.iter().copied().filter(by_itself))
        } else {
            // The count of findings that are not listed belongs to every selection.
            let enabled = selected.iter().map(|codes| codes.enabled());
            Codes::union(enabled).or(Codes::of([&FAULTS_LEFT_OUT]))
        };
        let checks = Checks {
            on,
            strict,
            mainline_only: false,
            null_moves: false,
            repairs: false,
            deviations: NotationVariants::NONE,
            looks_at_all: false,
            all_values: !selected.is_empty(),
        };
        checks.without(ignored)
    }

    /// The same checks, and these.
    #[must_use]
    pub fn and(self, more: &[Codes]) -> Checks {
        Checks {
            on: self.on.or(Codes::union(more.iter().copied())),
            ..self
        }
    }

    /// The same checks, except the `ignored` rules.
    #[must_use]
    pub fn without(self, ignored: &[Codes]) -> Checks {
        let mut checks = Checks {
            on: self.on.without(Codes::union(ignored.iter().copied())),
            ..self
        };
        let deviates = |&variant: &NotationVariant| checks.has(deviation(variant).0);
        let variants = NotationVariant::ALL.iter().copied();
        checks.deviations = variants.filter(deviates).collect();
        // The reader sets no hint for these.
        let unhinted =
            |rule: &Rule| rule.family == Family::Moves && rule.strictness == Strictness::StrictOnly;
        checks.looks_at_all = RULES.iter().any(|rule| unhinted(rule) && checks.has(rule));
        checks
    }

    /// Whether every place is to be named, not only the first of many alike.
    pub(crate) fn names_every_place(&self, rule: &Rule) -> bool {
        self.strict || self.repairs || rule.strictness == Strictness::StrictOnly
    }

    /// Whether a rule is looked for.
    #[inline]
    pub fn has(&self, rule: &Rule) -> bool {
        self.on.has(rule)
    }

    /// Whether any rule about duplicates is looked for.
    pub fn look_for_duplicates(&self) -> bool {
        let mut rules = RULES.iter();
        rules.any(|rule| rule.family == Family::Duplicates && self.has(rule))
    }

    /// How bad a finding of a rule in the main line is.
    pub fn severity(&self, rule: &Rule) -> Severity {
        rule.severity_if(self.strict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::registry as codes;

    fn choice(text: &str) -> Codes {
        Codes::from_text(text, false).unwrap()
    }

    #[test]
    fn a_family_is_chosen_by_how_its_codes_begin() {
        let checks = Checks::new(false, &[choice("E2")], &[choice("e205")]);
        assert!(checks.has(&codes::ILLEGAL_MOVE));
        assert!(!checks.has(&codes::UNCLOSED_COMMENT));
        assert!(!checks.has(&codes::STRAY_BRACE));
        assert!(Checks::new(false, &[choice("2")], &[]).has(&codes::STRAY_BRACE));
        let by_name = Checks::new(false, &[choice("stray-brace")], &[]);
        assert!(by_name.has(&codes::STRAY_BRACE));
        assert!(!by_name.has(&codes::ILLEGAL_MOVE));
        for code in ["E201", "w201", "N201", "201"] {
            assert_eq!(choice(code), choice("illegal-move"), "{code}");
        }
    }

    #[test]
    fn optional_codes_are_not_selected_by_severity() {
        for (text, selected) in [("W", false), ("W5", true), ("5", true), ("501", true)] {
            let checks = Checks::new(false, &[choice(text)], &[]);
            assert_eq!(checks.has(&codes::REPEATED_GAME), selected, "{text}");
        }
    }

    #[test]
    fn a_letter_means_the_severity_that_is_printed() {
        let (raised, only) = (&codes::SPURIOUS_CHECK_MARK, &codes::MISSING_CHECK_MARK);
        for (text, strict, meant) in [
            ("N", false, true),
            ("W", false, false),
            ("N", true, false),
            ("W", true, true),
            ("N23", false, true),
            ("W23", true, true),
            ("N230,N231", true, true),
        ] {
            let choice: Vec<_> = text
                .split(',')
                .map(|code| Codes::from_text(code, strict).unwrap())
                .collect();
            let checks = Checks::new(strict, &choice, &[]);
            for rule in [raised, only] {
                assert_eq!(checks.has(rule), meant, "{text}, {strict}, {}", rule.code);
            }
        }
        assert_eq!(Codes::from_text("N24", true), None);
        assert_eq!(Codes::from_text("W24", false), None);
    }

    #[test]
    fn what_is_no_code_is_no_choice() {
        for text in ["", " ", "E9", "W999", "nonsense", "E20x"] {
            assert_eq!(Codes::from_text(text, false), None, "{text}");
        }
    }

    #[test]
    fn without_a_choice_everything_is_on_but_what_options_enable() {
        for rule in RULES {
            let optional = rule.strictness == Strictness::Optional;
            assert_eq!(Checks::default().has(rule), rule.is_on());
            assert_eq!(Checks::new(true, &[], &[]).has(rule), !optional);
            assert!(Checks::default().and(&[choice(rule.code)]).has(rule));
        }
    }
}
