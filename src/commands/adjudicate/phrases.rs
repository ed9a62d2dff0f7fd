//! Phrases that rulings on claims and on games share.

use crate::law::RuleSet;
use crate::law::rulesets::Article;

/// A text with a capital, as it begins a sentence.
pub(crate) fn sentence_start(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// A sentence as it stands after a colon: names of sides keep their capital.
pub(crate) fn lower_start(sentence: &str) -> String {
    if sentence.starts_with("White") || sentence.starts_with("Black") {
        return sentence.to_owned();
    }
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// An article in brackets after a blank, if there is one.
pub(crate) fn cited(rules: &RuleSet, article: Option<Article>) -> String {
    let citation = rules.cite(article);
    if citation.is_numbered() {
        format!(" ({citation})")
    } else {
        String::new()
    }
}
