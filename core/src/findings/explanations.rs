//! Explanations of codes: the sections of `CODES.md`.

use crate::findings::registry::Rule;

/// The page of all codes.
pub const PAGE: &str = include_str!("CODES.md");

/// The section of a code, with its heading.
pub fn section(rule: &Rule) -> String {
    let mut sections = PAGE.split("\n## ");
    let section = sections.find(|section| section.starts_with(rule.code));
    format!("## {}", section.unwrap_or_default())
}

/// The meaning of a code, its effect on the game, a bad and a good example, and the source.
pub fn explanation(rule: &Rule) -> String {
    // The heading and the line of the registry come first.
    let section = section(rule);
    let text = section.splitn(3, "\n\n").nth(2).unwrap_or_default();
    text.trim_end()
        .replace("```text\n", "")
        .replace("\n```", "")
}

/// The text of `--explain`: code, name, severity, summary and explanation.
pub fn explained(rule: &Rule) -> String {
    let option = rule.fix.option();
    let option = option.map_or(String::new(), |option| format!(", {option}"));
    let (code, name, severity) = (rule.code, rule.name, rule.severity);
    format!(
        "{code} {name} ({severity}{option})\n\n{}\n\n{}\n",
        rule.summary,
        explanation(rule)
    )
}

/// The address of the section, as reports name it.
pub fn help_uri(rule: &Rule) -> String {
    let repository = env!("CARGO_PKG_REPOSITORY");
    let anchor = rule.code.to_ascii_lowercase();
    format!("{repository}/blob/HEAD/src/commands/validate/CODES.md#{anchor}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::registry::RULES;

    #[test]
    fn each_code_has_its_section_with_the_words_of_the_registry_examples_and_a_source() {
        let headings: Vec<_> = PAGE
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        let codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
        assert_eq!(headings, codes);
        for rule in RULES {
            let fix = rule
                .fix
                .option()
                .map_or(String::new(), |fix| format!(", `{fix}`"));
            let first = format!("`{}` ({}{fix}): {}", rule.name, rule.severity, rule.summary);
            let section = section(rule);
            let paragraphs: Vec<_> = section.trim_end().split("\n\n").collect();
            let [_, line, text @ .., examples, source] = &paragraphs[..] else {
                panic!("{section}");
            };
            assert_eq!(*line, first);
            assert!(!text.is_empty(), "{section}");
            assert!(examples.starts_with("```text\nbad:  "), "{section}");
            assert!(
                examples.contains("\ngood: ") && examples.ends_with("\n```"),
                "{section}"
            );
            assert!(source.starts_with("Source: "), "{section}");
            assert!(!explanation(rule).contains("```"), "{section}");
        }
    }
}
