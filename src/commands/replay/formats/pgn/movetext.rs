//! Movetext in export format (PGN standard 8.2).

use crate::chess::Color;
use crate::chess::fen::decimal;
use crate::chess::san::SanPlus;
use crate::commands::replay::formats::pgn::comment::comment;
use crate::commands::replay::formats::pgn::wrap::Wrap;
use crate::commands::replay::formats::pgn::{Keep, tags};
use crate::commands::replay::rows::{PlyRow, Step};
use crate::pgn::{Annotation, Game, Span, TokenKind, annotations};
use crate::text::decode;

/// Writes one game.
pub struct PgnGame<'a> {
    out: Wrap<'a>,
    game: &'a Game,
    text: &'a [u8],
    keep: Keep,
    /// Whether Black's next move needs its number: it follows a comment or a variation, or nothing.
    needs_number: bool,
    /// The variations that are open.
    open: Vec<Variation>,
    /// The tokens passed so far, and where the last of them ends.
    passed: usize,
    at: u32,
    /// How many parentheses are open in a variation that is passed over.
    skipped: u32,
    /// Whether the present line could not be played further.
    stopped: bool,
    /// Memory for what stands between two tokens.
    found: Vec<Annotation>,
}

/// A variation on its way.
struct Variation {
    open: Span,
    /// Whether its parenthesis has been written, which waits for the first move.
    written: bool,
    /// Remarks before the first move.
    held: Vec<Annotation>,
}

impl<'a> PgnGame<'a> {
    /// Begins a game with its tags.
    pub fn begin(out: &'a mut Vec<u8>, game: &'a Game, text: &'a [u8], keep: Keep) -> PgnGame<'a> {
        tags::tags(out, game, text);
        PgnGame {
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
    pub fn ply(&mut self, row: &PlyRow<'_>) {
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

    /// Adds what a game with variations comes to.
    pub fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Ply(_, row, span) => {
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
    pub fn end(mut self) {
        let annotated = self.keep.comments || self.keep.glyphs;
        if annotated && !self.stopped && self.open.is_empty() {
            // What is said at the end may stand on either side of the result.
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
        // One that is never closed.
        while !self.open.is_empty() {
            self.end_variation(Span::default());
        }
        let mark = tags::mark(self.game, self.text);
        self.out.word(mark.as_str().as_bytes());
        self.out.finish();
    }

    /// Whether the present line is kept.
    fn is_kept(&self) -> bool {
        self.open.is_empty() || self.keep.variations
    }

    /// Passes on to a token, and adds what is said before it.
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
        if !self.is_kept() || !(self.keep.comments || self.keep.glyphs) || range.start >= range.end
        {
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
            Annotation::Glyph(number) if self.keep.glyphs => {
                self.out.word(format!("${number}").as_bytes());
            }
            Annotation::Comment(span) if self.keep.comments => {
                let said = comment(&mut self.out, &decode(span.of(self.text)));
                self.needs_number |= said;
            }
            Annotation::Glyph(_) | Annotation::Comment(_) => {}
        }
    }

    /// Writes the parenthesis of the present variation before its first move.
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

    /// Closes a variation. One without moves is none; what is said in it is said of the move before it.
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
            // The sign of an offered draw on scoresheets (FIDE Laws, appendix C.12), which PGN has no sign for.
            self.needs_number |= self.keep.comments && comment(&mut self.out, "(=)");
            return;
        }
        for annotation in variation.held {
            self.annotation(annotation);
        }
    }
}
