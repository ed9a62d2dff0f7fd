//! Games as they are, with tags added that say how they ended.

use crate::commands::adjudicate::formats::{AdjudicatedGame, board};
use crate::error::Error;
use crate::findings::line_end;
use crate::pgn::Tag;
use crate::report::{Buffer, Format, Sink, append};

/// Games with tags.
pub struct TaggedGames;

impl Format<&AdjudicatedGame<'_>> for TaggedGames {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_games();
        Ok(())
    }

    /// Appends a game's text, byte for byte, with these tags after its own: `Ending` (the end on
    /// the board), `RuledResult`, `RuledReason` and `RuleSet`, by the first rule set. A tag that
    /// the game has already stays as it is.
    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        let ruled = game.adjudication.ok();
        let ruled = ruled.and_then(|it| Some((it, it.rulings.first()?)));
        let AdjudicatedGame { game, text, .. } = *game;
        let Some((adjudication, ruling)) = ruled else {
            return out.extend_from_slice(text);
        };
        let tags = [
            ("Ending", board(adjudication)),
            ("RuledResult", ruling.result.as_str()),
            ("RuledReason", ruling.reason.as_str()),
            ("RuleSet", ruling.rules.name),
        ];
        let line_end = line_end(text.trim_ascii_start());
        // After the last complete pair; the text that follows it stays after the new tags.
        let last = game.tags.iter().rev().find_map(|&tag| pair_end(text, tag));
        let at = last.unwrap_or(game.start);
        let [before, after] = match last {
            Some(_) => [line_end, ""],
            None => ["", line_end],
        };
        out.extend_from_slice(&text[..at]);
        for (name, value) in tags {
            if game.tag(text, name).is_none() {
                append!(out, "{before}[{name} \"{value}\"]{after}");
            }
        }
        if last.is_none() && text.get(at) != Some(&b'[') {
            // Moves follow the tags after an empty line.
            out.push_str(line_end);
        }
        out.extend_from_slice(&text[at..]);
    }
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
