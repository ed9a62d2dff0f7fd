//! Boards as pictures in SVG.

use std::fmt::Write;

use crate::chess::{Color, File, Piece, Position, Rank, Role, Square};
use crate::commands::replay::boards::{caption, is_dark, pieces};
use crate::commands::replay::rows::PlyRow;
use crate::report::escape::in_xml;

/// Side of a square and margin around the board, in units of the picture.
const SQUARE: usize = 100;
const MARGIN: usize = 50;
const SIDE: usize = 8 * SQUARE + 2 * MARGIN;

const LIGHT: &str = "#f2ead6";
const DARK: &str = "#b39b7a";
/// Overlay of the two squares of the last move.
const MOVED: &str = "#7fa650";

// Writing to memory does not fail.
macro_rules! add {
    ($out:expr, $($what:tt)*) => {{
        let _ = write!($out, $($what)*);
    }};
}

/// Picture of a position from White's side. The squares of the `last` move and a king in check are
/// highlighted. `game` names the game in the title.
pub(crate) fn picture(position: &Position, last: Option<&PlyRow<'_>>, game: &str) -> String {
    let mut out = String::with_capacity(12 << 10);
    add!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 {SIDE} {SIDE}\" width=\"480\" height=\"480\">\n"
    );
    let title = in_xml(&format!("{game}, {}", caption(last)))
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    add!(out, "<title>{title}</title>\n<desc>{position}</desc>\n");
    definitions(&mut out, position);
    add!(
        out,
        "<rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#fff\"/>\n"
    );
    let board = 8 * SQUARE;
    add!(
        out,
        "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{board}\" height=\"{board}\" \
        fill=\"{LIGHT}\"/>\n"
    );
    dark_squares(&mut out);
    marks(&mut out, position, last);
    let (from, length) = (MARGIN - 2, board + 4);
    add!(
        out,
        "<rect x=\"{from}\" y=\"{from}\" width=\"{length}\" height=\"{length}\" fill=\"none\" \
        stroke=\"#444\" stroke-width=\"4\"/>\n"
    );
    labels(&mut out);
    for square in position.board().occupied() {
        if let Some(piece) = position.board().piece_on(square) {
            let (x, y) = corner(square);
            let letter = piece.letter();
            add!(out, "<use xlink:href=\"#{letter}\" x=\"{x}\" y=\"{y}\"/>\n");
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Upper left corner of a square.
fn corner(square: Square) -> (usize, usize) {
    (
        MARGIN + SQUARE * square.file().index(),
        MARGIN + SQUARE * (7 - square.rank().index()),
    )
}

/// Appends the shapes of the pieces on the board, each once.
fn definitions(out: &mut String, position: &Position) {
    out.push_str("<defs>\n");
    if position.is_check() {
        out.push_str(
            "<radialGradient id=\"check\"><stop offset=\"0.2\" stop-color=\"#e00000\"/>\
             <stop offset=\"0.7\" stop-color=\"#e00000\" stop-opacity=\"0.75\"/>\
             <stop offset=\"1\" stop-color=\"#e00000\" stop-opacity=\"0\"/></radialGradient>\n",
        );
    }
    for color in Color::ALL {
        for role in Role::ALL {
            if position.board().of(color, role).any() {
                pieces::define(out, Piece { color, role });
            }
        }
    }
    out.push_str("</defs>\n");
}

/// Appends all dark squares as one path.
fn dark_squares(out: &mut String) {
    add!(out, "<path fill=\"{DARK}\" d=\"");
    for square in (0..64).map(Square::new).filter(|&square| is_dark(square)) {
        let (x, y) = corner(square);
        add!(out, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    out.push_str("\"/>\n");
}

/// Appends the highlights of the last move and of a king in check.
fn marks(out: &mut String, position: &Position, last: Option<&PlyRow<'_>>) {
    if let Some((mv, color)) = last.and_then(|row| Some((row.mv?, row.color))) {
        // In Chess960 the king may castle without leaving its square; mark the rook's then.
        let to = mv.castling_side().map(|side| side.king_to(color));
        let to = to.filter(|&to| to != mv.from).unwrap_or(mv.to);
        for square in [mv.from, to] {
            let (x, y) = corner(square);
            add!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                fill=\"{MOVED}\" fill-opacity=\"0.65\"/>\n"
            );
        }
    }
    if position.is_check() {
        let (x, y) = corner(position.king(position.turn()));
        let (x, y, half) = (x + SQUARE / 2, y + SQUARE / 2, SQUARE / 2);
        add!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{half}\" fill=\"url(#check)\"/>\n"
        );
    }
}

/// Appends files below the board and ranks on its left.
fn labels(out: &mut String) {
    out.push_str(
        "<g font-family=\"sans-serif\" font-size=\"28\" fill=\"#333\" text-anchor=\"middle\">\n",
    );
    for file in File::ALL {
        let x = corner(Square::at(file, Rank::First)).0 + SQUARE / 2;
        let y = SIDE - MARGIN / 2 + 10;
        add!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n", file.letter());
    }
    for rank in (0..8).map(Rank::new) {
        let y = corner(Square::at(File::A, rank)).1 + SQUARE / 2 + 10;
        let x = MARGIN / 2;
        add!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n", rank.digit());
    }
    out.push_str("</g>\n");
}
