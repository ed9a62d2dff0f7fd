//! Findings about where a game begins: the `Variant` and `FEN` tags.

use std::collections::HashSet;

use super::registry as codes;
use super::{Finding, shown};
use crate::pgn::{Game, Span};
use crate::replay::{StartFault, Variant};

/// Why the game is not replayed at all.
pub fn no_start(text: &[u8], fault: StartFault) -> Finding {
    match fault {
        StartFault::OtherVariant(tag) => {
            let variant = shown(tag.value.of(text));
            let message = format!("the game is `{variant}`, whose rules are not known here");
            Finding::new(&codes::OTHER_VARIANT, tag.value, message)
                .help("its moves are not replayed")
        }
        StartFault::UnreadableFen(tag, error) => {
            let at = (tag.value.start as usize + error.at).min(tag.value.end as usize);
            Finding::new(
                &codes::UNREADABLE_FEN,
                Span::new(at, (tag.value.end as usize).max(at)),
                format!("the FEN tag cannot be read: {error}"),
            )
            .help("without a position to begin from the game is not replayed")
        }
        StartFault::UnplayableFen(tag, faults) => Finding::new(
            &codes::UNPLAYABLE_POSITION,
            tag.value,
            format!("the position of the FEN tag cannot be played: {faults}"),
        )
        .help("the game is not replayed"),
    }
}

/// Tag names that come up again: another game's tag pairs without movetext between, if a blank line is between, and else
/// plain repetitions.
pub(super) fn repeated(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    // Most games have few tags and no repetition. Length and first eight bytes tell that faster than any table.
    const FEW: usize = 32;
    let mut keys = [0_u64; FEW];
    let repeats = game.tags.len() > FEW
        || game.tags.iter().enumerate().any(|(nth, tag)| {
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
        });
    if repeats {
        repetitions(game, text, findings);
    }
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
                    "another tag section begins here without movetext before it{}",
                    more(more_sections)
                ),
            )
            .help("end every game with a result mark, `*` if there is nothing else to say"),
        );
    }
    if let Some(tag) = first_tag {
        findings.push(
            Finding::new(
                &codes::REPEATED_TAG,
                tag.name,
                format!(
                    "the tag `{}` is there already{}",
                    shown(tag.name.of(text)),
                    more(more_tags)
                ),
            )
            .help("the first value counts"),
        );
    }
}

/// The game says that it begins at another position, and does not give it.
pub(super) fn setup_without_fen(game: &Game, text: &[u8]) -> Option<Finding> {
    if game.tag(text, "FEN").is_some() {
        return None;
    }
    let setup = game
        .tag(text, "SetUp")
        .filter(|tag| tag.value.of(text) == b"1");
    let variant = game
        .tag(text, "Variant")
        .filter(|tag| Variant::needs_fen(&tag.unescape(text)));
    let tag = setup.or(variant)?;
    Some(
        Finding::new(
            &codes::SETUP_WITHOUT_FEN,
            tag.value,
            format!(
                "the {} tag says `{}`, but no FEN tag gives a position",
                shown(tag.name.of(text)),
                shown(tag.value.of(text))
            ),
        )
        .help("the game is replayed from the initial position"),
    )
}
