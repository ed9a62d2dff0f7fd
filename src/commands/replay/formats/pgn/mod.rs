//! Games in the export format of the PGN standard (3.2): tags in order, moves in the shortest
//! notation with move numbers and check marks, lines of less than 80 characters.

mod wrap;

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr2;

use crate::chess::Color;
use crate::chess::fen::decimal;
use crate::chess::san::SanPlus;
use crate::commands::names::Names;
use crate::commands::openings::{Opening, Openings};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::formats::pgn::wrap::{Wrap, comment};
use crate::commands::replay::rows::{LineSet, PlayEnd, PlyRow, RowEvent};
use crate::error::Error;
use crate::pgn::values::result;
use crate::pgn::{Annotation, Game, ResultMark, Span, Tag, TagName, TokenKind, annotations};
use crate::replay::Start;
use crate::report::{Buffer, Format, Sink};
use crate::text::decode;

/// Content kept beyond the moves of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KeepContent {
    /// Comments; those after a semicolon are put in braces.
    pub(crate) comments: bool,
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
}

pub(crate) struct Export {
    pub(crate) keep: KeepContent,
    pub(crate) openings: Option<Arc<Openings>>,
    pub(crate) names: Names,
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
        tags(out, game, text, opening, &self.names);
        let mut export = GameExport::begin(out, game, text, keep);
        let lines = match keep.is_nothing() {
            true => LineSet::Main,
            false => LineSet::All {
                reports: keep.variations,
            },
        };
        let played = item
            .replayer
            .replay(game, text, None, lines, |step| export.step(step));
        export.end();
        if !played.begun {
            out.truncate(before);
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
        out: &'a mut Buffer,
        game: &'a Game,
        text: &'a [u8],
        keep: KeepContent,
    ) -> GameExport<'a> {
        let mut export = GameExport {
            out: Wrap::new(out),
            game,
            text,
            keep,
            needs_number: true,
            open: Vec::new(),
            passed: 0,
            at: game.movetext as u32,
            skipped: 0,
            stopped: false,
            found: Vec::new(),
        };
        export.comments_of_tags();
        export
    }

    /// Adds the comments before and between the tags.
    fn comments_of_tags(&mut self) {
        let mut at = 0;
        for tag in &self.game.tags {
            let gap = Span::new(at, tag.name.start as usize);
            at = tag.value.end as usize;
            if self.keep.comments && memchr2(b'{', b';', gap.of(self.text)).is_some() {
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

    /// Ends the game with its result mark, and an empty line.
    pub(crate) fn end(mut self) {
        let annotated = self.keep.comments || self.keep.nags;
        if annotated && !self.stopped && self.open.is_empty() {
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
        let mark = mark(self.game, self.text);
        self.out.word(mark.as_str().as_bytes());
        self.out.finish();
    }

    /// True if the current line is kept.
    fn is_kept(&self) -> bool {
        self.open.is_empty() || self.keep.variations
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
        if !self.is_kept() || !(self.keep.comments || self.keep.nags) || range.start >= range.end {
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
            Annotation::Comment(span) if self.keep.comments => {
                let said = comment(&mut self.out, &decode(span.of(self.text)));
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
        self.out.prefix(b"(");
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

/// Adds the tag section and the empty line after it: the Seven Tag Roster, then the others in ASCII
/// order (PGN standard 8.1).
fn tags(out: &mut Buffer, game: &Game, text: &[u8], opening: Option<&Opening>, names: &Names) {
    for &name in &TagName::ALL[..TagName::ROSTER] {
        let value = match name {
            TagName::Result => Some(result(game, text)),
            _ => game
                .known(name)
                .map(|tag| tag.text(text))
                .filter(|value| !value.trim().is_empty()),
        };
        let is_player = matches!(name, TagName::White | TagName::Black);
        let value = value.map(|value| if is_player { names.name(value) } else { value });
        let unknown = match name {
            TagName::Date => "????.??.??",
            _ => "?",
        };
        pair(out, name.as_str(), value.as_deref().unwrap_or(unknown));
    }
    for (name, value) in others(game, text, opening) {
        pair(out, &name, &value);
    }
    out.push(b'\n');
}

/// `Result` tag in the standard's spelling; its meaning is never changed.
fn result<'a>(game: &Game, text: &'a [u8]) -> Cow<'a, str> {
    match game.result_tag(text) {
        Some(tag) => match result::read(&tag.unescape(text)).value {
            Some(mark) => mark.as_str().into(),
            None => tag.text(text),
        },
        None => match game.other_result {
            Some(other) if game.result.is_none() => decode(other.of(text)).into_owned().into(),
            _ => mark(game, text).as_str().into(),
        },
    }
}

/// Pairs beyond the roster, sorted. The first of several with the same name is kept; a name that
/// becomes that of another gets a number. The tags of an opening are replaced if it is known.
fn others<'a>(
    game: &Game,
    text: &'a [u8],
    opening: Option<&'a Opening>,
) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let mut pairs: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::with_capacity(game.tags.len());
    if let Some(Opening { eco, name }) = opening {
        pairs.push(("ECO".into(), eco.into()));
        pairs.extend((!name.is_empty()).then(|| ("Opening".into(), name.into())));
    }
    let mut renamed: Vec<(Cow<'a, str>, Tag)> = Vec::new();
    for &tag in &game.tags {
        let name =
            match tag.known {
                Some(name) if name.is_in_roster() => continue,
                Some(
                    TagName::Eco | TagName::Opening | TagName::Variation | TagName::SubVariation,
                ) if opening.is_some() => continue,
                Some(name) => name.as_str().into(),
                None => symbol(tag.name.of(text)),
            };
        let is_known = |(_, other): &(_, Tag)| other.name.of(text) == tag.name.of(text);
        match name {
            Cow::Owned(_) if renamed.iter().any(is_known) => {}
            Cow::Owned(_) => renamed.push((name, tag)),
            Cow::Borrowed("") => {}
            Cow::Borrowed(_) => pairs.push((name, tag.text(text))),
        }
    }
    for (name, tag) in renamed {
        let is_free = |name: &str| !pairs.iter().any(|pair| pair.0 == name);
        let numbered = (2..).map(|number| format!("{name}_{number}").into());
        let mut names = std::iter::once(name.clone()).chain(numbered);
        if let Some(name) = names.find(|name| is_free(name)) {
            pairs.push((name, tag.text(text)));
        }
    }
    // A FEN needs this tag (PGN standard 9.7.1).
    if Start::fen(game, text).is_some() {
        match pairs.iter_mut().find(|pair| pair.0 == "SetUp") {
            Some(pair) => pair.1 = "1".into(),
            None => pairs.push(("SetUp".into(), "1".into())),
        }
    }
    // The sort is stable.
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.dedup_by(|later, first| later.0 == first.0);
    pairs
}

/// Name of letters, digits and underscores (PGN standard 8.1), in Latin letters. Hyphens and dots
/// are common and kept.
fn symbol(name: &[u8]) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    match str::from_utf8(name) {
        Ok(name) if name.chars().all(fits) => name.into(),
        _ => {
            let latin = deunicode::deunicode(&decode(name));
            let fitted = latin.trim().chars();
            let fitted: String = fitted.map(|c| if fits(c) { c } else { '_' }).collect();
            Cow::Owned(if fitted.is_empty() {
                "_".into()
            } else {
                fitted
            })
        }
    }
}

/// `[Name "value"]` on a line.
fn pair(out: &mut Buffer, name: &str, value: &str) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    if value.contains(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
        for character in value.chars() {
            let shown = if character.is_control() {
                ' '
            } else {
                character
            };
            if matches!(shown, '"' | '\\') {
                out.push(b'\\');
            }
            out.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
        }
    } else {
        out.extend_from_slice(value.as_bytes());
    }
    out.extend_from_slice(b"\"]\n");
}
