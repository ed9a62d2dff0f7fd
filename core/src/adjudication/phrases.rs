//! Phrases that rulings on claims and on games share.

use crate::law::RuleSet;
use crate::law::claim::Ground;
use crate::law::rulesets::Article;

/// A clause as a sentence, with a capital and a full stop.
pub fn sentence(clause: &str) -> String {
    sentence_start(clause) + "."
}

/// A text with a capital, as it begins a sentence.
pub(crate) fn sentence_start(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// A sentence as it stands after a colon: names of sides keep their capital.
pub fn lower_start(sentence: &str) -> String {
    if sentence.starts_with("White") || sentence.starts_with("Black") {
        return sentence.to_owned();
    }
    let mut letters = sentence.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
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

/// The verdict of a ground in a word.
pub(crate) fn word(ground: Ground) -> &'static str {
    match ground.upheld() {
        Some(true) => "upheld",
        Some(false) => "rejected",
        None => "left open",
    }
}
