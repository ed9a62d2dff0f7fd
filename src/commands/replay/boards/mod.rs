//! Boards as text, and the folder of those in SVG.

mod folder;

use crate::boards::{files, is_dark, ranks};
use crate::chess::{Color, Piece, Position, Square};
use crate::commands::replay::rows::PlyRow;
use crate::report::append;

pub(crate) use folder::SvgFolder;

/// How boards are shown.
pub(crate) struct Boards {
    pub(crate) output: BoardOutput,
    /// Side at the bottom.
    pub(crate) bottom: Color,
}

/// Boards among the moves, or a folder of pictures.
pub(crate) enum BoardOutput {
    Text(TextBoard),
    Svg(SvgFolder),
}

/// Appends the board of a position, several lines, each after an indent.
pub(crate) type TextBoard = fn(&mut String, &Position, Color, &str);

/// Caption of a board: `after 12...Nf6, White to move` or `at the beginning, White to move`.
pub(crate) fn caption(position: &Position, last: Option<&PlyRow<'_>>) -> String {
    let turn = position.turn();
    match last {
        None => format!("at the beginning, {turn} to move"),
        Some(row) => format!("after {}{}, {turn} to move", row.numbered(), row.san),
    }
}

/// Letters, capitals for White, in a frame; colons shade the dark squares.
pub(crate) fn ascii(out: &mut String, position: &Position, bottom: Color, indent: &str) {
    let frame = format!("{indent}  +{}\n", "---+".repeat(8));
    out.push_str(&frame);
    for rank in ranks(bottom) {
        out.push_str(indent);
        out.push(rank.digit());
        out.push_str(" |");
        for file in files(bottom) {
            let square = Square::at(file, rank);
            let shade = if is_dark(square) { ':' } else { ' ' };
            let piece = position.board().piece_on(square);
            out.push(shade);
            out.push(piece.map_or(shade, Piece::letter));
            out.push(shade);
            out.push('|');
        }
        out.push('\n');
        out.push_str(&frame);
    }
    out.push_str(indent);
    out.push(' ');
    for file in files(bottom) {
        append!(out, "   {}", file.letter());
    }
    out.push('\n');
}

/// Chess symbols; points shade the dark squares.
pub(crate) fn unicode(out: &mut String, position: &Position, bottom: Color, indent: &str) {
    for rank in ranks(bottom) {
        out.push_str(indent);
        out.push(rank.digit());
        for file in files(bottom) {
            let square = Square::at(file, rank);
            out.push(' ');
            out.push(match position.board().piece_on(square) {
                Some(piece) => SYMBOLS[piece.color.index()][piece.role.index()],
                None if is_dark(square) => '·',
                None => ' ',
            });
        }
        let length = out.trim_end_matches(' ').len();
        out.truncate(length);
        out.push('\n');
    }
    out.push_str(indent);
    out.push(' ');
    for file in files(bottom) {
        append!(out, " {}", file.letter());
    }
    out.push('\n');
}

/// Symbols of the pieces in Unicode, by colour and role.
const SYMBOLS: [[char; 6]; 2] = [
    ['♙', '♘', '♗', '♖', '♕', '♔'],
    ['♟', '♞', '♝', '♜', '♛', '♚'],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(board: TextBoard, bottom: Color) -> String {
        let mut out = String::new();
        board(&mut out, &Position::initial(), bottom, "");
        out
    }

    #[test]
    fn letters_in_a_frame_with_dark_squares_shaded() {
        assert_eq!(
            drawn(ascii, Color::White),
            "  +---+---+---+---+---+---+---+---+
8 | r |:n:| b |:q:| k |:b:| n |:r:|
  +---+---+---+---+---+---+---+---+
7 |:p:| p |:p:| p |:p:| p |:p:| p |
  +---+---+---+---+---+---+---+---+
6 |   |:::|   |:::|   |:::|   |:::|
  +---+---+---+---+---+---+---+---+
5 |:::|   |:::|   |:::|   |:::|   |
  +---+---+---+---+---+---+---+---+
4 |   |:::|   |:::|   |:::|   |:::|
  +---+---+---+---+---+---+---+---+
3 |:::|   |:::|   |:::|   |:::|   |
  +---+---+---+---+---+---+---+---+
2 | P |:P:| P |:P:| P |:P:| P |:P:|
  +---+---+---+---+---+---+---+---+
1 |:R:| N |:B:| Q |:K:| B |:N:| R |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h
"
        );
    }

    #[test]
    fn symbols_with_points_on_dark_squares() {
        assert_eq!(
            drawn(unicode, Color::White),
            "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
6   ·   ·   ·   ·
5 ·   ·   ·   ·
4   ·   ·   ·   ·
3 ·   ·   ·   ·
2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
  a b c d e f g h
"
        );
    }

    /// A turn by 180 degrees, squares with their shades.
    #[test]
    fn black_at_the_bottom() {
        assert_eq!(
            drawn(unicode, Color::Black),
            "1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖
2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
3   ·   ·   ·   ·
4 ·   ·   ·   ·
5   ·   ·   ·   ·
6 ·   ·   ·   ·
7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
8 ♜ ♞ ♝ ♚ ♛ ♝ ♞ ♜
  h g f e d c b a
"
        );
        let turned = drawn(ascii, Color::Black);
        let squares = |text: &str| -> Vec<char> {
            let rows = text.lines().filter(|line| line.contains('|'));
            rows.flat_map(|line| line[3..].chars().collect::<Vec<_>>())
                .collect()
        };
        let mut white = squares(&drawn(ascii, Color::White));
        let mut black = squares(&turned);
        white.retain(|&c| c != '|');
        black.retain(|&c| c != '|');
        black.reverse();
        assert_eq!(white, black);
        assert!(
            turned.ends_with("\n    h   g   f   e   d   c   b   a\n"),
            "{turned}"
        );
    }
}
