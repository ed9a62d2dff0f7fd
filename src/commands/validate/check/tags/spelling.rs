//! Unknown tag names that are nearly those of the Seven Tag Roster.

use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Tag, TagName};

/// The name of the roster that a tag with an unknown name was probably meant to have.
#[inline]
pub(crate) fn meant(tag: &Tag, text: &[u8]) -> Option<TagName> {
    let name = tag.name.of(text);
    // The names of the roster have four to six letters.
    (tag.known.is_none() && (3..=7).contains(&name.len()))
        .then(|| nearest(name))
        .flatten()
}

/// The name of the roster that one edit turns a name into, whatever the case: a letter replaced,
/// left out, added or exchanged with its neighbour.
#[cold]
fn nearest(name: &[u8]) -> Option<TagName> {
    let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
    TagName::ALL[..TagName::ROSTER]
        .iter()
        .copied()
        .find(|meant| strsim::osa_distance(&meant.as_str().to_ascii_lowercase(), &name) == 1)
}

#[inline]
pub(crate) fn misspelled(tag: &Tag, text: &[u8]) -> Option<Finding> {
    let name = meant(tag, text)?;
    let written = shown(tag.name.of(text));
    let message = format!("unknown tag name `{written}`");
    Some(
        Finding::new(&codes::MISSPELLED_TAG_NAME, tag.name, message)
            .help(format!("did you mean `{name}`?")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_a_slip_and_two_are_another_name() {
        for (written, name) in [
            ("Whte", TagName::White),
            ("Whtie", TagName::White),
            ("WWhite", TagName::White),
            ("whit", TagName::White),
            ("Blcak", TagName::Black),
            ("Resutl", TagName::Result),
            ("Reslt", TagName::Result),
            ("Evnt", TagName::Event),
            ("Sitte", TagName::Site),
            ("Dtae", TagName::Date),
            ("Rund", TagName::Round),
        ] {
            assert_eq!(nearest(written.as_bytes()), Some(name), "{written}");
        }
        for other in [
            "Source",
            "Team",
            "Title",
            "Rated",
            "Board",
            "Whi",
            "W\u{ef}te",
        ] {
            assert_eq!(nearest(other.as_bytes()), None, "{other}");
        }
    }
}
