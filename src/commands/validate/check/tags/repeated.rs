//! Names that stand twice among a game's tags (PGN standard 8.1.1).

use std::collections::HashSet;

use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Game, Span};

/// Tag names that come up again: another game's tag pairs without movetext between, if a blank line
/// is between, and else plain repetitions.
pub(crate) fn repeated(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    if game.repeats_known_tag() || repeats_other(game, text) {
        repetitions(game, text, findings);
    }
}

/// Whether a name stands twice that is not one of the known ones.
fn repeats_other(game: &Game, text: &[u8]) -> bool {
    if game.other_tags() < 2 {
        return false;
    }
    // Most games have few such tags and no repetition. Length and first eight bytes tell that
    // faster than any table.
    const FEW: usize = 32;
    let mut keys = [0_u64; FEW];
    let others = game.tags.iter().filter(|tag| tag.known.is_none());
    game.other_tags() > FEW
        || others.enumerate().any(|(nth, tag)| {
            let name = tag.name.of(text);
            let mut first = [0; 8];
            let length = name.len().min(8);
            first[..length].copy_from_slice(&name[..length]);
            // The bit that makes a capital small, in every byte.
            let key = (u64::from_le_bytes(first) | 0x2020_2020_2020_2020)
                .wrapping_add((name.len() as u64) << 56);
            let repeats = keys[..nth].contains(&key);
            keys[nth] = key;
            repeats
        })
}

#[cold]
fn repetitions(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    let mut names = HashSet::new();
    let mut section = None;
    let mut more_sections = 0_u64;
    let mut more_tags = 0_u64;
    let mut first_section = None;
    let mut first_tag = None;
    for tag in &game.tags {
        if tag.after_blank {
            section = Some(tag);
        }
        if names.insert(tag.name.of(text).to_ascii_lowercase()) {
            continue;
        }
        // A section counts once, whatever it repeats; then its names begin anew.
        if let Some(section) = section.take() {
            match first_section {
                None => first_section = Some(section),
                Some(_) => more_sections += 1,
            }
            names.clear();
            names.insert(tag.name.of(text).to_ascii_lowercase());
        } else if first_tag.is_none() {
            first_tag = Some(tag);
        } else {
            more_tags += 1;
        }
    }
    let more = |count| match count {
        0 => String::new(),
        count => format!(", and {count} more in this game"),
    };
    if let Some(tag) = first_section {
        findings.push(
            Finding::new(
                &codes::REPEATED_TAG_SECTION,
                Span::new(tag.name.start as usize, tag.value.end as usize),
                format!(
                    "another tag section without movetext before it{}",
                    more(more_sections)
                ),
            )
            .help("end every game with a result mark, `*` if unknown"),
        );
    }
    if let Some(tag) = first_tag {
        findings.push(
            Finding::new(
                &codes::REPEATED_TAG,
                tag.name,
                format!(
                    "repeated tag `{}`{}",
                    shown(tag.name.of(text)),
                    more(more_tags)
                ),
            )
            .help("the first value is used"),
        );
    }
}
