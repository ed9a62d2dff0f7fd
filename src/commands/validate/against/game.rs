//! A game as differences are printed, and how it differs from its other version.

use crate::chess::{MoveNumber, Position, San};
use crate::commands::validate::against::entry::movetext_hash;
use crate::commands::validate::formats::title;
use crate::pgn::values::is_unfilled;
use crate::pgn::{Game, TagName, TokenKind};
use crate::replay::{Replay, Start, main_line};
use crate::text::decode;

/// A game of one database.
#[derive(Debug)]
pub(crate) struct DiffGame {
    /// Name of the file.
    pub(crate) file: String,
    /// Number in the file, from 1.
    pub(crate) number: u64,
    /// Players, date and round.
    pub(crate) title: String,
    /// White, Black, date and round.
    pub(crate) known: [String; 4],
    /// Mark of the result at the end, as written.
    mark: Option<String>,
    tags: Vec<(String, String)>,
    /// Moves of the main line, as written and, if they can be played, in UCI notation.
    moves: Vec<(String, Option<String>)>,
    /// Hash of the movetext.
    movetext: u64,
    /// Number of the first move.
    first: MoveNumber,
}

/// A difference between two versions of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Difference {
    /// `tag`, `result`, `moves` or `text`: comments, variations, NAGs or notation.
    pub(crate) subject: &'static str,
    /// The name of the tag; of a result, none for the mark at the end.
    pub(crate) tag: Option<String>,
    /// The ply from which moves differ, from 1.
    pub(crate) ply: Option<u32>,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
}

impl Difference {
    fn new(subject: &'static str, old: Option<String>, new: Option<String>) -> Difference {
        Difference {
            subject,
            tag: None,
            ply: None,
            old,
            new,
        }
    }
}

impl DiffGame {
    pub(crate) fn new(
        file: &str,
        number: u64,
        game: &Game,
        text: &[u8],
        initial: &Position,
        null_moves: bool,
    ) -> DiffGame {
        let known = [
            TagName::White,
            TagName::Black,
            TagName::Date,
            TagName::Round,
        ];
        let known = known.map(|name| game.known(name));
        let mark = game.result.map(|(_, span)| span.of(text));
        let tags = game.tags.iter().map(|tag| {
            let name = decode(tag.name.of(text)).into_owned();
            (name, tag.text(text).into_owned())
        });
        let mut first = MoveNumber::of(initial);
        let mut played = Vec::new();
        if let Ok((start, _)) = Start::of(game, text, initial) {
            first = MoveNumber::of(&start.position);
            let mut replay = Replay::new(game, start.position).with_null_moves(null_moves);
            while let Some(ply) = replay.play() {
                played.push((ply.token.span, ply.mv.uci(start.mode)));
            }
        }
        let mut played = played.into_iter().peekable();
        let moves = main_line(game).map(|token| {
            let word = decode(token.span.of(text)).into_owned();
            let uci = match (played.next_if(|(span, _)| *span == token.span), token.kind) {
                (Some((_, uci)), _) => Some(uci.to_string()),
                (None, TokenKind::San(plus)) if plus.san == San::Null => Some("0000".to_owned()),
                (None, _) => None,
            };
            (word, uci)
        });
        DiffGame {
            file: file.to_owned(),
            number,
            title: title(Some(game), text),
            known: known.map(|tag| tag.map_or(String::new(), |tag| tag.text(text).into_owned())),
            mark: mark.map(|mark| decode(mark).into_owned()),
            tags: tags.collect(),
            moves: moves.collect(),
            movetext: movetext_hash(game, text),
            first,
        }
    }

    /// `12...Nf6` for the move of a ply, from 1.
    fn label(&self, ply: u32) -> Option<String> {
        let (word, _) = self.moves.get(ply as usize - 1)?;
        Some(format!("{}{word}", self.first.later(ply - 1)))
    }

    /// Whether a move, from 0, is that of another version, or if only one of them can be played,
    /// is written alike.
    fn has_move_of(&self, other: &DiffGame, nth: usize) -> bool {
        match (self.moves.get(nth), other.moves.get(nth)) {
            (Some((_, Some(one))), Some((_, Some(other)))) => one == other,
            (one, other) => one.map(|(word, _)| word) == other.map(|(word, _)| word),
        }
    }

    /// The differences of this version from an older one.
    pub(crate) fn differences(&self, old: &DiffGame) -> Vec<Difference> {
        let mut differences = Vec::new();
        let tag = |name: &str, old: Option<&String>, new: Option<&String>| {
            let subject = if name == "Result" { "result" } else { "tag" };
            Difference {
                tag: Some(name.to_owned()),
                ..Difference::new(subject, old.cloned(), new.cloned())
            }
        };
        // Tags of one name are compared in their order.
        let mut of_old: Vec<_> = old.tags.iter().map(Some).collect();
        for (name, value) in &self.tags {
            let mut left = of_old.iter_mut();
            let known = left.find(|tag| tag.is_some_and(|(other, _)| other == name));
            let known = known.and_then(Option::take).map(|(_, value)| value);
            let said = |value: &&String| !is_unfilled(value.as_bytes());
            if known.filter(said) != Some(value).filter(said) {
                differences.push(tag(name, known, Some(value)));
            }
        }
        let gone = of_old.into_iter().flatten();
        let gone = gone.filter(|(_, value)| !is_unfilled(value.as_bytes()));
        differences.extend(gone.map(|(name, value)| tag(name, Some(value), None)));
        differences.sort_by_key(|difference| difference.subject == "result");
        // A mark that changes as its tag does is not named again.
        let is_new = |mark: &Difference| (&mark.old, &mark.new) != (&old.mark, &self.mark);
        if self.mark != old.mark && differences.last().is_none_or(is_new) {
            let (old, new) = (old.mark.clone(), self.mark.clone());
            differences.push(Difference::new("result", old, new));
        }
        let most = self.moves.len().max(old.moves.len());
        let differs = (0..most).find(|&nth| !self.has_move_of(old, nth));
        if let Some(nth) = differs {
            let ply = nth as u32 + 1;
            let (old, new) = (old.label(ply), self.label(ply));
            differences.push(Difference {
                ply: Some(ply),
                ..Difference::new("moves", old, new)
            });
        } else if self.movetext != old.movetext || differences.is_empty() {
            differences.push(Difference::new("text", None, None));
        }
        differences
    }
}
