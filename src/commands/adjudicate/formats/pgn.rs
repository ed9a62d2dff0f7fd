//! Games as they are, with tags added that say how they ended.

use crate::commands::adjudicate::formats::{AdjudicatedGame, board};
use crate::error::Error;
use crate::findings::line_end;
use crate::pgn::Tag;
use crate::report::{Buffer, Format, Sink};

/// Games with tags.
pub struct Pgn;

impl Format<&AdjudicatedGame<'_>> for Pgn {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_games();
        Ok(())
    }

    /// Appends a game's text, byte for byte, with these tags after its own: `Ending` (the end on
    /// the board), `RuledResult`, `RuledReason` and `RuleSet`, by the first rule set. A tag that
    /// the game has already stays as it is.
    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        with_tags(out, game);
    }
}

fn with_tags(out: &mut Buffer, game: &AdjudicatedGame<'_>) {
    let AdjudicatedGame {
        game,
        text,
        adjudication,
        ..
    } = *game;
    let ruled = adjudication
        .ok()
        .and_then(|it| Some((it, it.rulings.first()?)));
    let Some((adjudication, ruling)) = ruled else {
        out.extend_from_slice(text);
        return;
    };
    let tags = [
        ("Ending", board(adjudication)),
        ("RuledResult", ruling.result.as_str()),
        ("RuledReason", ruling.reason.as_str()),
        ("RuleSet", ruling.rules.name),
    ];
    let new = tags
        .into_iter()
        .filter(|(name, _)| game.tag(text, name).is_none());
    let lines = new.map(|(name, value)| format!("[{name} \"{value}\"]"));
    let line_end = line_end(text.trim_ascii_start()).as_bytes();
    // After the last complete pair; the text that follows it stays after the new tags.
    if let Some(at) = game.tags.iter().rev().find_map(|&tag| pair_end(text, tag)) {
        out.extend_from_slice(&text[..at]);
        for line in lines {
            out.extend_from_slice(line_end);
            out.extend_from_slice(line.as_bytes());
        }
        out.extend_from_slice(&text[at..]);
        return;
    }
    out.extend_from_slice(&text[..game.start]);
    for line in lines {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(line_end);
    }
    if text.get(game.start) != Some(&b'[') {
        // Moves follow the tags after an empty line.
        out.extend_from_slice(line_end);
    }
    out.extend_from_slice(&text[game.start..]);
}

/// One past the bracket that closes a tag pair, if it is closed on its line.
fn pair_end(text: &[u8], tag: Tag) -> Option<usize> {
    let quote = tag.value.range().end;
    let rest = text.get(quote..)?.strip_prefix(b"\"")?;
    let blank = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    (rest.get(blank) == Some(&b']')).then_some(quote + 1 + blank + 1)
}
