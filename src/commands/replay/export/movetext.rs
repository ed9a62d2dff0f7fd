//! Movetext in export format (PGN standard 8.2).

use crate::chess::Color;
use crate::chess::fen::decimal;
use crate::chess::san::SanPlus;
use crate::commands::replay::export::wrap::{Wrap, comment};
use crate::commands::replay::export::{Keep, tags};
use crate::commands::replay::rows::{PlyRow, Step};
use crate::pgn::{Annotation, Game, Span, TokenKind, annotations};
use crate::report::Buffer;
use crate::text::decode;

/// Writer of one game.
pub(crate) struct GameExport<'a> {
    out: Wrap<'a>,
    game: &'a Game,
    text: &'a [u8],
    keep: Keep,
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
    /// Begins a game with its tags.
    pub(crate) fn begin(
        out: &'a mut Buffer,
        game: &'a Game,
        text: &'a [u8],
        keep: Keep,
    ) -> GameExport<'a> {
        tags::tags(out, game, text);
        GameExport {
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
        }
    }

    /// Adds a move.
    #[inline]
    pub(crate) fn ply(&mut self, row: &PlyRow<'_>) {
        if row.color == Color::White || self.needs_number {
            let mut number = [0; 16];
            let mut length = decimal(row.move_number, &mut number);
            for _ in 0..if row.color == Color::White { 1 } else { 3 } {
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
    pub(crate) fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Ply { row, span, .. } => {
                self.come_to(*span);
                if self.is_kept() {
                    self.begin_variation();
                    self.ply(row);
                }
            }
            Step::Begin { span, .. } => {
                self.come_to(*span);
                self.open.push(Variation {
                    open: *span,
                    written: false,
                    held: Vec::new(),
                });
            }
            Step::End(span) => {
                self.come_to(*span);
                self.stopped = false;
                self.end_variation(*span);
            }
            Step::Stop(span) => {
                self.come_to(*span);
                self.stopped = true;
            }
            Step::Unread(span) => {
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
            let end = end.map_or(self.text.len() as u32, |token| token.span.start);
            self.between(Span {
                start: self.at,
                end,
            });
        }
        // A variation that is never closed.
        while !self.open.is_empty() {
            self.end_variation(Span::default());
        }
        let mark = tags::mark(self.game, self.text);
        self.out.word(mark.as_str().as_bytes());
        self.out.finish();
    }

    /// True if the current line is kept.
    fn is_kept(&self) -> bool {
        self.open.is_empty() || self.keep.variations
    }

    /// Advances to a token and adds the annotations before it.
    fn come_to(&mut self, token: Span) {
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
            self.at = next.span.end;
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
