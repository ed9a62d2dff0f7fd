//! Boards as text and as pictures in SVG, and the order of their squares.

use crate::chess::{Color, File, Move, Piece, Position, Rank, Role, Square};
use crate::text::append;
use crate::text::escape::{Xml, in_xml};

/// Side of a square and margin around the board, in units of the picture.
const SQUARE: usize = 100;
const MARGIN: usize = 50;
const SIDE: usize = 8 * SQUARE + 2 * MARGIN;

const LIGHT: &str = "#f2ead6";
const DARK: &str = "#b39b7a";
/// Overlay of the two squares of the last move.
const MOVED: &str = "#7fa650";

/// Files from left to right.
pub fn files(bottom: Color) -> [File; 8] {
    let mut files = File::ALL;
    if bottom == Color::Black {
        files.reverse();
    }
    files
}

/// Ranks from top to bottom.
pub fn ranks(bottom: Color) -> [Rank; 8] {
    std::array::from_fn(|nth| match bottom {
        Color::White => Rank::new(7 - nth),
        Color::Black => Rank::new(nth),
    })
}

/// True if a square is dark, as a1 is.
pub fn is_dark(square: Square) -> bool {
    (square.file().index() + square.rank().index()).is_multiple_of(2)
}

/// A position, a line for each rank: capitals for White.
///
/// ```
/// use chess_arbiter_core::{Position, diagram};
///
/// assert!(diagram(&Position::initial()).starts_with("    r n b q k b n r\n"));
/// ```
pub fn diagram(position: &Position) -> String {
    let mut out = String::new();
    for rank in (0..8).rev().map(Rank::new) {
        out.push_str("   ");
        for file in File::ALL {
            let piece = position.board().piece_on(Square::at(file, rank));
            append!(out, " {}", piece.map_or('.', Piece::letter));
        }
        out.push('\n');
    }
    out
}

/// Picture of a position. The squares of the `last` move and a king in check are highlighted, and a
/// disc beside the board shows whose move it is.
///
/// ```
/// use chess_arbiter_core::{Color, Position, picture};
///
/// let picture = picture(&Position::initial(), Color::White, None, "Before the first move");
/// assert!(picture.starts_with("<svg "));
/// ```
pub fn picture(position: &Position, bottom: Color, last: Option<Move>, title: &str) -> String {
    let mut out = String::with_capacity(12 << 10);
    append!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 {SIDE} {SIDE}\" width=\"480\" height=\"480\">\n"
    );
    let title = in_xml(title);
    append!(
        out,
        "<title>{}</title>\n<desc>{position}</desc>\n",
        Xml(&title)
    );
    definitions(&mut out, position);
    append!(
        out,
        "<rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#fff\"/>\n"
    );
    let board = 8 * SQUARE;
    append!(
        out,
        "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{board}\" height=\"{board}\" \
        fill=\"{LIGHT}\"/>\n"
    );
    dark_squares(&mut out, bottom);
    marks(&mut out, position, bottom, last);
    let (from, length) = (MARGIN - 2, board + 4);
    append!(
        out,
        "<rect x=\"{from}\" y=\"{from}\" width=\"{length}\" height=\"{length}\" fill=\"none\" \
        stroke=\"#444\" stroke-width=\"4\"/>\n"
    );
    labels(&mut out, bottom);
    turn(&mut out, position.turn(), bottom);
    for square in position.board().occupied() {
        if let Some(piece) = position.board().piece_on(square) {
            let (x, y) = corner(square, bottom);
            let letter = piece.letter();
            append!(out, "<use xlink:href=\"#{letter}\" x=\"{x}\" y=\"{y}\"/>\n");
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Upper left corner of a square.
fn corner(square: Square, bottom: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    let (column, row) = match bottom {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    };
    (MARGIN + SQUARE * column, MARGIN + SQUARE * row)
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
                define_piece(out, Piece { color, role });
            }
        }
    }
    out.push_str("</defs>\n");
}

/// Appends all dark squares as one path.
fn dark_squares(out: &mut String, bottom: Color) {
    append!(out, "<path fill=\"{DARK}\" d=\"");
    for square in (0..64).map(Square::new).filter(|&square| is_dark(square)) {
        let (x, y) = corner(square, bottom);
        append!(out, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    out.push_str("\"/>\n");
}

/// Appends the highlights of the last move and of a king in check.
fn marks(out: &mut String, position: &Position, bottom: Color, last: Option<Move>) {
    if let Some(mv) = last {
        // In Chess960 the king may castle without leaving its square; mark the rook's then.
        let side = mv.castling_side();
        let to = side.map(|side| side.king_to(!position.turn()));
        let to = to.filter(|&to| to != mv.from).unwrap_or(mv.to);
        for square in [mv.from, to] {
            let (x, y) = corner(square, bottom);
            append!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                fill=\"{MOVED}\" fill-opacity=\"0.65\"/>\n"
            );
        }
    }
    if position.is_check() {
        let (x, y) = corner(position.king(position.turn()), bottom);
        let (x, y, half) = (x + SQUARE / 2, y + SQUARE / 2, SQUARE / 2);
        append!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{half}\" fill=\"url(#check)\"/>\n"
        );
    }
}

/// Appends files below the board and ranks on its left.
fn labels(out: &mut String, bottom: Color) {
    out.push_str(
        "<g font-family=\"sans-serif\" font-size=\"28\" fill=\"#333\" text-anchor=\"middle\">\n",
    );
    let left = MARGIN + SQUARE / 2;
    for (nth, file) in files(bottom).into_iter().enumerate() {
        let x = left + SQUARE * nth;
        let y = SIDE - MARGIN / 2 + 10;
        append!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n", file.letter());
    }
    for (nth, rank) in ranks(bottom).into_iter().enumerate() {
        let y = left + SQUARE * nth + 10;
        let x = MARGIN / 2;
        append!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n", rank.digit());
    }
    out.push_str("</g>\n");
}

/// Appends a disc of the colour to move, at its end of the right margin.
fn turn(out: &mut String, turn: Color, bottom: Color) {
    let row = if turn == bottom { 7 } else { 0 };
    let (x, y) = (SIDE - MARGIN / 2, MARGIN + SQUARE * row + SQUARE / 2);
    let fill = match turn {
        Color::White => "#fff",
        Color::Black => "#2b2b2b",
    };
    append!(
        out,
        "<circle id=\"turn\" cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{fill}\" \
        stroke=\"#1a1a1a\" stroke-width=\"3\"><title>{turn} to move</title></circle>\n"
    );
}

const FOOT: &str = "M22 89 Q22 79 32 79 H68 Q78 79 78 89 Z";

/// By role, the body of a piece and the lines on it.
const SHAPES: [(&str, &str); 6] = [
    (
        "M50 22 A13 13 0 0 1 59 44.5 L66 51 H58 Q60 68 70 79 H30 Q40 68 42 51 H34 L41 \
                44.5 A13 13 0 0 1 50 22 Z",
        "M42 51 H58",
    ),
    (
        "M33 79 Q33 66 43 57 Q47 53 47 47 Q40 52 33 53 L27 60 Q22 62 19 57 Q17 52 21 \
                47 L31 30 Q33 24 37 21 L36 11 \
                   L45 18 Q76 22 74 79 Z",
        "M57 27 Q66 42 65 70 M21.5 54 L25 52",
    ),
    (
        "M50 10 A5.5 5.5 0 0 1 54 19.5 Q71 32 69 48 Q67 57 60 61 L63 69 H60 L66 79 \
                H34 L40 69 H37 L40 61 Q33 57 31 48 \
                   Q29 32 46 19.5 A5.5 5.5 0 0 1 50 10 Z",
        "M40 61 H60 M40 69 H60 M50 31 V49 M42 38 H58",
    ),
    (
        "M27 17 H38 V24 H45 V17 H55 V24 H62 V17 H73 V34 L65 41 V66 L71 79 H29 L35 66 \
                V41 L27 34 Z",
        "M27 34 H73 M35 41 H65 M35 66 H65",
    ),
    (
        "M27 66 L15 35 A5 5 0 1 1 20 32 L33 48 L31 25 A5 5 0 1 1 37 24 L47 45 L47 21 \
                A5 5 0 1 1 53 21 L53 45 L63 24 \
                   A5 5 0 1 1 69 25 L67 48 L80 32 A5 5 0 1 1 85 35 L73 66 L69 79 H31 Z",
        "M27 66 Q50 60 73 66 M30 73 Q50 68 70 73",
    ),
    (
        "M47 7 H53 V13 H59 V19 H53 V27 Q60 30 57 41 Q70 31 80 40 Q88 51 71 64 L69 79 \
                H31 L29 64 Q12 51 20 40 Q30 31 43 41 \
                   Q40 30 47 27 V19 H41 V13 H47 Z",
        "M29 64 Q50 58 71 64 M30 72 Q50 67 70 72 M50 60 V46 Q50 42 43 41 M50 46 Q50 42 \
                57 41",
    ),
];

/// Adds the definition of a piece, whose letter is its name.
fn define_piece(out: &mut String, piece: Piece) {
    let (fill, edge, line) = match piece.color {
        Color::White => ("#fff", "#1a1a1a", "#1a1a1a"),
        Color::Black => ("#2b2b2b", "#0d0d0d", "#e8e8e8"),
    };
    let (body, lines) = SHAPES[piece.role.index()];
    let letter = piece.letter();
    append!(
        out,
        "<g id=\"{letter}\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path fill=\"{fill}\" stroke=\"{edge}\" d=\"{body} {FOOT}\"/>\
         <path fill=\"none\" stroke=\"{line}\" d=\"{lines}\"/>"
    );
    if piece.role == Role::Knight {
        append!(out, "<circle cx=\"40\" cy=\"32\" r=\"3\" fill=\"{line}\"/>");
    }
    out.push_str("</g>\n");
}
