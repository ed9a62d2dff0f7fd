//! Games in the export format of the PGN standard (3.2): tags in order, moves in the shortest
//! notation with move numbers and check marks, lines of less than 80 characters.

mod tags;
mod wrap;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

use clap::ValueEnum;
use memchr::memchr2;

use crate::chess::fen::decimal;
use crate::chess::san::SanPlus;
use crate::chess::{Color, Move, Position};
use crate::commands::names::Names;
use crate::commands::openings::Openings;
use crate::commands::polyglot::{polyglot_hash, polyglot_hash_after};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::formats::pgn::tags::TagSection;
use crate::commands::replay::formats::pgn::wrap::{Line, Wrap, comment};
use crate::commands::replay::rows::{LineSet, PlayEnd, PlyChoice, PlyRow, RowEvent};
use crate::commands::split::SplitBy;
use crate::error::Error;
use crate::pgn::{Annotation, Game, ResultMark, Span, TokenKind, annotations};
use crate::replay;
use crate::report::{Buffer, Format, Sink};
use crate::text::decode;

pub(crate) use tags::TagEdits;
pub(crate) use wrap::LINE_WIDTH;

/// Content kept beyond the moves of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KeepContent {
    /// Comments without their clocks and evaluations; those after a semicolon are put in braces.
    pub(crate) comments: bool,
    /// Commands of clocks in comments: `[%clk …]`, `[%emt …]` and the like.
    pub(crate) clocks: bool,
    /// Commands of evaluations in comments: `[%eval …]`.
    pub(crate) evals: bool,
    /// NAGs; `!`, `?!` and other suffixes become NAGs.
    pub(crate) nags: bool,
    /// Variations, to any depth.
    pub(crate) variations: bool,
}

impl KeepContent {
    /// True if nothing is kept.
    pub(crate) fn is_nothing(self) -> bool {
        self == KeepContent::default()
    }

    /// True if any part of comments is kept.
    fn has_comments(self) -> bool {
        self.comments || self.clocks || self.evals
    }

    /// The parts of a comment that are kept.
    fn of_comment(self, text: &str) -> Cow<'_, str> {
        if self.comments && self.clocks && self.evals {
            return text.into();
        }
        let mut kept = String::new();
        let mut rest = text;
        while let Some((before, command)) = rest.split_once("[%") {
            let length = command.find(']').map_or(command.len(), |end| end + 1);
            let name = command.split(|c: char| !c.is_ascii_alphabetic()).next();
            let is_kept = match name {
                Some("clk" | "egt" | "emt" | "mct") => self.clocks,
                Some("eval") => self.evals,
                _ => self.comments,
            };
            kept.push_str(if self.comments { before } else { " " });
            if is_kept {
                kept.push_str("[%");
                kept.push_str(&command[..length]);
            }
            rest = &command[length..];
        }
        kept.push_str(if self.comments { rest } else { "" });
        kept.into()
    }
}

/// Value of `--add`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Added {
    /// Last position in a comment
    Fen,
    /// Zobrist hash of the last position as Polyglot has it, in a comment
    Hash,
    /// Tags `ECO` and `Opening`, by --openings
    Eco,
    /// Tag `PlyCount`
    #[value(name = "plycount")]
    PlyCount,
}

impl Added {
    /// The tags that it sets; none for a comment.
    pub(crate) fn tags(self) -> &'static [&'static str] {
        match self {
            Added::Eco => &["ECO", "Opening"],
            Added::PlyCount => &["PlyCount"],
            Added::Fen | Added::Hash => &[],
        }
    }
}

pub(crate) struct Export {
    /// Plies that are written, if not all, and their maximum number.
    pub(crate) at: Option<PlyChoice>,
    pub(crate) max_plies: u32,
    pub(crate) keep: KeepContent,
    /// True if each variation is a game of its own.
    pub(crate) splits_lines: bool,
    pub(crate) edits: TagEdits,
    /// Maximum number of characters on a line.
    pub(crate) width: usize,
    pub(crate) split_by: Option<SplitBy>,
    pub(crate) openings: Option<Arc<Openings>>,
    pub(crate) names: Names,
    pub(crate) add: Vec<Added>,
}

impl Format<GameItem<'_>, Result<PlayEnd, Error>> for Export {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_games();
        Ok(())
    }

    /// Appends a game, unless its start position is invalid.
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<PlayEnd, Error> {
        let (game, text, keep) = (item.game, item.text.bytes, self.keep);
        let before = out.len();
        let openings = self.openings.as_ref();
        let opening = openings.and_then(|it| it.find(game, text));
        let mut tags = TagSection::new((game, text), opening, &self.edits, &self.names);
        if self.add.contains(&Added::PlyCount) {
            tags.set("PlyCount", replay::plies(game).to_string().into());
        }
        let part = |at| item.replayer.part((game, text), at, self.max_plies);
        let part = self.at.as_ref().map(part);
        let lacks_plies = part.as_ref().is_some_and(Option::is_none);
        let part = part.flatten();
        if let Some((plies, before)) = &part {
            tags.begin_at(plies, before);
        }
        let by = self.split_by.as_ref();
        let keys = by.map(|by| by.keys(|name| tags.get(name).map(Cow::Borrowed)));
        let plies = part.map_or(1..=u32::MAX, |(plies, _)| plies);
        if !self.splits_lines {
            tags.write(out, &self.edits);
        }
        let wrap = Wrap::new(out, self.width, self.splits_lines);
        let mut export = GameExport::begin(wrap, (game, text), keep, plies);
        let needs_last = self.add.iter().any(|added| added.tags().is_empty());
        if needs_last && let Ok(start) = item.replayer.start(game, text) {
            export.last = Some((None, start.position));
            export.is_part = true;
        }
        let lines = match keep.is_nothing() {
            true => LineSet::Main,
            false => LineSet::All {
                reports: keep.variations,
            },
        };
        let mut played = item
            .replayer
            .replay::<false>(game, text, None, lines, |step| export.step(step));
        let lines = export.end(&self.add);
        played.lacks_plies = lacks_plies && played.begun;
        if !played.begun || lacks_plies {
            out.truncate(before);
        } else if self.splits_lines {
            for line in lines {
                let (mut tags, mut mark) = (tags.clone(), mark(game, text));
                if line.number > 0 {
                    mark = ResultMark::Unknown;
                    tags.set("Result", mark.as_str().into());
                }
                tags.count_plies(line.plies);
                tags.write(out, &self.edits);
                let mut wrap = Wrap::new(out, self.width, false);
                line.words.iter().for_each(|word| wrap.word(word));
                wrap.finish(mark);
                item.pieces
                    .extend(keys.clone().map(|keys| (out.len(), keys)));
            }
        } else if let Some(keys) = keys {
            item.pieces.push((out.len(), keys));
        }
        Ok(played)
    }
}

/// Writer of one game. Its movetext follows PGN standard 8.2.
struct GameExport<'a> {
    out: Wrap<'a>,
    game: &'a Game,
    text: &'a [u8],
    keep: KeepContent,
    /// True if comments or NAGs are kept.
    is_annotated: bool,
    /// Plies of the main line that are written.
    plies: RangeInclusive<u32>,
    /// True if plies are left out, or the last position is asked for.
    is_part: bool,
    /// True from the first of them to the next ply after the last.
    is_inside: bool,
    /// True if Black's next move needs its number: after a comment, a variation or nothing.
    needs_number: bool,
    /// Open variations.
    open: Vec<Variation>,
    /// Number of tokens passed, and the end of the last.
    passed: usize,
    at: u32,
    /// Depth of parentheses in a skipped variation.
    skipped: u32,
    /// True if the current line could not be played further.
    stopped: bool,
    /// Memory for the annotations between two tokens.
    found: Vec<Annotation>,
    /// Last position of what is written, and the move to it, if it is asked for.
    last: Option<(Option<Move>, Position)>,
}

/// An open variation.
struct Variation {
    open: Span,
    /// True if its `(` is written, which is deferred to the first move.
    written: bool,
    /// Annotations before the first move.
    held: Vec<Annotation>,
}

impl<'a> GameExport<'a> {
    /// Begins a game after its tags.
    pub(crate) fn begin(
        out: Wrap<'a>,
        (game, text): (&'a Game, &'a [u8]),
        keep: KeepContent,
        plies: RangeInclusive<u32>,
    ) -> GameExport<'a> {
        let mut export = GameExport {
            out,
            game,
            text,
            keep,
            is_annotated: keep.has_comments() || keep.nags,
            is_inside: *plies.start() == 1,
            is_part: plies != (1..=u32::MAX),
            plies,
            needs_number: true,
            open: Vec::new(),
            passed: 0,
            at: game.movetext as u32,
            skipped: 0,
            stopped: false,
            found: Vec::new(),
            last: None,
        };
        if export.is_inside {
            export.comments_of_tags();
        }
        export
    }

    /// Adds the comments before and between the tags.
    fn comments_of_tags(&mut self) {
        let mut at = 0;
        for tag in &self.game.tags {
            let gap = Span::new(at, tag.name.start as usize);
            at = tag.value.end as usize;
            if self.keep.has_comments() && memchr2(b'{', b';', gap.of(self.text)).is_some() {
                annotations(self.text, gap, &mut self.found);
            }
        }
        for annotation in std::mem::take(&mut self.found) {
            if let Annotation::Comment(_) = annotation {
                self.annotation(annotation);
            }
        }
    }

    /// Adds a move.
    #[inline]
    pub(crate) fn ply(&mut self, row: &PlyRow<'_>) {
        self.needs_number = self.out.begin_move().unwrap_or(self.needs_number);
        if row.color() == Color::White || self.needs_number {
            let mut number = [0; 16];
            let mut length = decimal(row.move_number(), &mut number);
            for _ in 0..if row.color() == Color::White { 1 } else { 3 } {
                number[length] = b'.';
                length += 1;
            }
            self.out.word(&number[..length]);
        }
        let mut san = [0; SanPlus::LONGEST];
        let length = row.san.write(&mut san);
        self.out.word(&san[..length]);
        self.needs_number = false;
    }

    /// Adds an event of a game with variations.
    pub(crate) fn step(&mut self, step: &RowEvent<'_>) {
        match step {
            RowEvent::Ply(row) => {
                self.come_to(row.span);
                if self.is_part && row.line.id == 0 {
                    self.is_inside = self.plies.contains(&row.ply);
                    if let Some(last) = &mut self.last
                        && row.ply <= *self.plies.end()
                    {
                        *last = (row.mv, row.after.clone());
                    }
                }
                if self.is_kept() {
                    self.begin_variation();
                    self.ply(row);
                }
            }
            RowEvent::Begin { span, .. } => {
                self.come_to(*span);
                self.open.push(Variation {
                    open: *span,
                    written: false,
                    held: Vec::new(),
                });
            }
            RowEvent::End(span) => {
                self.come_to(*span);
                self.stopped = false;
                self.end_variation(*span);
            }
            RowEvent::Stop(span) => {
                self.come_to(*span);
                self.stopped = true;
            }
            RowEvent::Unread(span) => {
                self.come_to(*span);
                self.skipped = 1;
            }
        }
    }

    /// Ends the game with the facts that are added, its result mark, and an empty line. Returns the
    /// lines that are games.
    pub(crate) fn end(mut self, add: &[Added]) -> Vec<Line> {
        if self.is_annotated && !self.stopped && self.open.is_empty() {
            // The last comment may stand on either side of the result.
            let is_result =
                |kind| matches!(kind, TokenKind::Result(_) | TokenKind::NonstandardResult(_));
            let next = self.game.tokens.get(self.passed);
            if let Some(result) = next.filter(|token| is_result(token.kind)) {
                self.come_to(result.span);
            }
            let end = self.game.tokens.get(self.passed);
            let read = (self.text.len() as u32).min(self.game.end);
            let end = end.map_or(read, |token| token.span.start);
            self.between(Span {
                start: self.at,
                end,
            });
        }
        // A variation that is never closed.
        while !self.open.is_empty() {
            self.end_variation(Span::default());
        }
        for (what, (mv, position)) in add.iter().zip(self.last.iter().cycle()) {
            let fact = match (what, mv) {
                (Added::Fen, _) => position.to_string(),
                (Added::Hash, None) => format!("{:016x}", polyglot_hash(position)),
                (Added::Hash, Some(mv)) => format!("{:016x}", polyglot_hash_after(*mv, position)),
                (Added::Eco | Added::PlyCount, _) => continue,
            };
            comment(&mut self.out, &fact);
        }
        self.out.finish(mark(self.game, self.text))
    }

    /// True if the current line is kept.
    fn is_kept(&self) -> bool {
        self.is_inside && (self.open.is_empty() || self.keep.variations)
    }

    /// Advances to a token and adds the annotations before it.
    fn come_to(&mut self, token: Span) {
        if self.keep.is_nothing() {
            return;
        }
        while let Some(&next) = self.game.tokens.get(self.passed)
            && next.span.start <= token.start
        {
            if !self.stopped && self.skipped == 0 {
                self.between(Span {
                    start: self.at,
                    end: next.span.start,
                });
            }
            if self.skipped > 0 {
                match next.kind {
                    TokenKind::Open => self.skipped += 1,
                    TokenKind::Close => self.skipped -= 1,
                    _ => {}
                }
            }
            self.at = self.game.annotations_from(self.text, next.span) as u32;
            self.passed += 1;
        }
    }

    fn between(&mut self, range: Span) {
        if !self.is_annotated || range.start >= range.end || !self.is_kept() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        annotations(self.text, range, &mut found);
        for annotation in found.drain(..) {
            match self.open.last_mut() {
                Some(variation) if !variation.written => variation.held.push(annotation),
                _ => self.annotation(annotation),
            }
        }
        self.found = found;
    }

    fn annotation(&mut self, annotation: Annotation) {
        match annotation {
            Annotation::Glyph(number) if self.keep.nags => {
                self.out.word(format!("${number}").as_bytes());
            }
            Annotation::Comment(span) if self.keep.has_comments() => {
                let text = decode(span.of(self.text));
                let said = comment(&mut self.out, &self.keep.of_comment(&text));
                self.needs_number |= said;
            }
            Annotation::Glyph(_) | Annotation::Comment(_) => {}
        }
    }

    /// Writes the `(` of the current variation before its first move.
    fn begin_variation(&mut self) {
        let Some(variation) = self.open.last_mut() else {
            return;
        };
        if std::mem::replace(&mut variation.written, true) {
            return;
        }
        let held = std::mem::take(&mut variation.held);
        self.out.open();
        self.needs_number = true;
        for annotation in held {
            self.annotation(annotation);
        }
    }

    /// Closes a variation. Annotations of a variation without moves go to the move before it.
    fn end_variation(&mut self, close: Span) {
        let Some(variation) = self.open.pop() else {
            return;
        };
        if variation.written {
            self.out.close();
            self.needs_number = true;
            return;
        }
        if !self.is_kept() {
            return;
        }
        let whole = variation.open.start as usize..close.end.max(variation.open.start) as usize;
        if self.text.get(whole) == Some(b"(=)") {
            // A draw offer on scoresheets (FIDE Laws, appendix C.12), for which PGN has no sign.
            self.needs_number |= self.keep.comments && comment(&mut self.out, "(=)");
            return;
        }
        for annotation in variation.held {
            self.annotation(annotation);
        }
    }
}

/// Mark that ends the movetext: the recorded one, or that of the `Result` tag; `*` for any other
/// result.
fn mark(game: &Game, text: &[u8]) -> ResultMark {
    let marked = game.result.map(|(mark, _)| mark);
    marked
        .or_else(|| game.recorded_result(text).ok().flatten())
        .unwrap_or(ResultMark::Unknown)
}
