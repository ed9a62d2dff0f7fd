//! The shapes of the pieces, in a square of 100 by 100.

use std::fmt::Write;

use crate::chess::{Color, Piece, Role};

/// The body of a piece, and the lines on it.
struct Shape {
    body: &'static str,
    lines: &'static str,
}

const FOOT: &str = "M22 89 Q22 79 32 79 H68 Q78 79 78 89 Z";

const fn shape(role: Role) -> Shape {
    match role {
        Role::Pawn => Shape {
            body: "M50 22 A13 13 0 0 1 59 44.5 L66 51 H58 Q60 68 70 79 H30 Q40 68 42 51 H34 L41 \
                44.5 A13 13 0 0 1 50 22 Z",
            lines: "M42 51 H58",
        },
        Role::Knight => Shape {
            body: "M33 79 Q33 66 43 57 Q47 53 47 47 Q40 52 33 53 L27 60 Q22 62 19 57 Q17 52 21 47 L31 30 Q33 24 37 21 L36 11 \
                   L45 18 Q76 22 74 79 Z",
            lines: "M57 27 Q66 42 65 70 M21.5 54 L25 52",
        },
        Role::Bishop => Shape {
            body: "M50 10 A5.5 5.5 0 0 1 54 19.5 Q71 32 69 48 Q67 57 60 61 L63 69 H60 L66 79 H34 L40 69 H37 L40 61 Q33 57 31 48 \
                   Q29 32 46 19.5 A5.5 5.5 0 0 1 50 10 Z",
            lines: "M40 61 H60 M40 69 H60 M50 31 V49 M42 38 H58",
        },
        Role::Rook => Shape {
            body: "M27 17 H38 V24 H45 V17 H55 V24 H62 V17 H73 V34 L65 41 V66 L71 79 H29 L35 66 \
                V41 L27 34 Z",
            lines: "M27 34 H73 M35 41 H65 M35 66 H65",
        },
        Role::Queen => Shape {
            body: "M27 66 L15 35 A5 5 0 1 1 20 32 L33 48 L31 25 A5 5 0 1 1 37 24 L47 45 L47 21 A5 5 0 1 1 53 21 L53 45 L63 24 \
                   A5 5 0 1 1 69 25 L67 48 L80 32 A5 5 0 1 1 85 35 L73 66 L69 79 H31 Z",
            lines: "M27 66 Q50 60 73 66 M30 73 Q50 68 70 73",
        },
        Role::King => Shape {
            body: "M47 7 H53 V13 H59 V19 H53 V27 Q60 30 57 41 Q70 31 80 40 Q88 51 71 64 L69 79 H31 L29 64 Q12 51 20 40 Q30 31 43 41 \
                   Q40 30 47 27 V19 H41 V13 H47 Z",
            lines: "M29 64 Q50 58 71 64 M30 72 Q50 67 70 72 M50 60 V46 Q50 42 43 41 M50 46 Q50 42 \
                57 41",
        },
    }
}

/// Adds the definition of a piece, whose letter is its name.
pub(crate) fn define(out: &mut String, piece: Piece) {
    let (fill, edge, line) = match piece.color {
        Color::White => ("#fff", "#1a1a1a", "#1a1a1a"),
        Color::Black => ("#2b2b2b", "#0d0d0d", "#e8e8e8"),
    };
    let Shape { body, lines } = shape(piece.role);
    let letter = piece.letter();
    // Writing to memory does not fail.
    let _ = write!(
        out,
        "<g id=\"{letter}\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path fill=\"{fill}\" stroke=\"{edge}\" d=\"{body} {FOOT}\"/>\
         <path fill=\"none\" stroke=\"{line}\" d=\"{lines}\"/>"
    );
    if piece.role == Role::Knight {
        let _ = write!(out, "<circle cx=\"40\" cy=\"32\" r=\"3\" fill=\"{line}\"/>");
    }
    out.push_str("</g>\n");
}
