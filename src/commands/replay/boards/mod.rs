//! Boards: text, and pictures in SVG.

mod folder;
mod svg;

use crate::chess::{Color, File, Piece, Position, Rank, Role, Square};
use crate::commands::replay::rows::PlyRow;

pub(crate) use folder::SvgFolder;
pub(crate) use svg::picture;

/// How boards are shown.
pub(crate) enum Boards {
    Text(TextBoard),
    Svg(SvgFolder),
}

/// Characters of a board in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextBoard {
    /// Letters, capitals for White, in a frame; colons shade the dark squares.
    Ascii,
    /// Chess symbols; points shade the dark squares.
    Unicode,
}

/// Appends the board of a position from White's side, several lines, each after `indent`.
pub(crate) fn board(out: &mut String, position: &Position, style: TextBoard, indent: &str) {
    match style {
        TextBoard::Ascii => ascii(out, position, indent),
        TextBoard::Unicode => unicode(out, position, indent),
    }
}

/// True if a square is dark, as a1 is.
pub(crate) fn is_dark(square: Square) -> bool {
    (square.file().index() + square.rank().index()).is_multiple_of(2)
}

/// Caption of a board: `after 12...Nf6` or `at the beginning`.
pub(crate) fn caption(last: Option<&PlyRow<'_>>) -> String {
    match last {
        None => "at the beginning".to_owned(),
        Some(row) => format!("after {}{}", row.numbered(), row.san),
    }
}

fn ascii(out: &mut String, position: &Position, indent: &str) {
    let frame = format!("{indent}  +{}\n", "---+".repeat(8));
    out.push_str(&frame);
    for rank in (0..8).rev().map(Rank::new) {
        out.push_str(indent);
        out.push(rank.digit());
        out.push_str(" |");
        for file in File::ALL {
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
    out.push_str("    a   b   c   d   e   f   g   h\n");
}

fn unicode(out: &mut String, position: &Position, indent: &str) {
    for rank in (0..8).rev().map(Rank::new) {
        out.push_str(indent);
        out.push(rank.digit());
        for file in File::ALL {
            let square = Square::at(file, rank);
            out.push(' ');
            out.push(match position.board().piece_on(square) {
                Some(piece) => symbol(piece),
                None if is_dark(square) => '·',
                None => ' ',
            });
        }
        let length = out.trim_end_matches(' ').len();
        out.truncate(length);
        out.push('\n');
    }
    out.push_str(indent);
    out.push_str("  a b c d e f g h\n");
}

/// The symbol of a piece in Unicode.
fn symbol(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(style: TextBoard) -> String {
        let mut out = String::new();
        board(&mut out, &Position::initial(), style, "");
        out
    }

    #[test]
    fn letters_in_a_frame_with_dark_squares_shaded() {
        assert_eq!(
            drawn(TextBoard::Ascii),
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
            drawn(TextBoard::Unicode),
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
}
