//! Line ends between the texts of several inputs that are written one after another.

use crate::input::InputKind;

/// The end of the texts written so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct JoinedTexts {
    is_begun: bool,
    /// Number of line ends among the blanks at their end.
    line_ends: usize,
    /// Whether they end with a line.
    ends_line: bool,
}

impl JoinedTexts {
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_begun
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, text: &[u8]) {
        let is_blank = |byte: &&u8| byte.is_ascii_whitespace();
        let blanks = text.iter().rev().take_while(is_blank);
        let line_ends = blanks.clone().filter(|&&byte| byte == b'\n').count();
        let is_all_blank = blanks.count() == text.len();
        if !text.is_empty() {
            *self = JoinedTexts {
                is_begun: true,
                line_ends: line_ends + if is_all_blank { self.line_ends } else { 0 },
                ends_line: text.ends_with(b"\n"),
            };
        }
    }

    /// Line ends that are missing before the first game or position of another text: games are
    /// separated by a blank line, positions by the end of the line.
    pub(crate) fn missing(&self, kind: InputKind) -> usize {
        let wanted = if kind == InputKind::Pgn { 2_usize } else { 1 };
        match self.is_begun {
            true => wanted
                .saturating_sub(self.line_ends)
                .max(usize::from(!self.ends_line)),
            false => 0,
        }
    }
}
