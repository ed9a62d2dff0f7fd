//! Lenient reading of a word.

use crate::chess::castling::CastlingSide;
use crate::chess::piece::Role;
use crate::chess::san::{PieceMove, San, SanPlus, Suffix};
use crate::chess::square::{File, Rank, Square};
use crate::notation::lenient::{LenientSan, NotationVariant, NotationVariants, is_word_end};
use crate::notation::letters::{LetterSet, without_variation_selector};
use crate::text::wide_blank;

/// Mark after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    EnPassant,
    Standard(Suffix),
    Odd(Suffix),
}

/// Stray characters that are accepted right after a move.
const SIGNS: &[u8] = b",'\"`|_:\\";

/// Mark at the beginning of a text, whether it is in parentheses, and the text after it.
fn mark_or_parentheses(text: &[u8]) -> Option<(Mark, bool, &[u8])> {
    if let Some((found, rest)) = mark(text) {
        return Some((found, false, rest));
    }
    let (found, rest) = mark(text.strip_prefix(b"(")?)?;
    Some((found, true, rest.strip_prefix(b")")?))
}

/// Whether a word ends before this text.
fn ends_word(rest: &[u8]) -> bool {
    rest.first().is_none_or(|&byte| is_word_end(byte)) || wide_blank(rest) > 0
}

/// Whether a mark after a blank is a word of its own, and not part of a sign such as `+ =`.
fn is_detached(mark: &[u8], rest: &[u8]) -> bool {
    ends_word(rest) && !(mark == b"+" && begins_sign(rest))
}

/// Whether the rest of a sign of annotation follows a `+`: `=`, `-` or `/`, perhaps after blanks.
pub(crate) fn begins_sign(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    rest.starts_with("\u{2212}".as_bytes()) || matches!(rest, [b'=' | b'-' | b'/', ..])
}

/// Mark at the beginning of a text, and the text after it.
fn mark(text: &[u8]) -> Option<(Mark, &[u8])> {
    const MARKS: [(&str, Mark); 20] = [
        ("e.p.", Mark::EnPassant),
        ("e. p.", Mark::EnPassant),
        ("e.p", Mark::EnPassant),
        ("ep.", Mark::EnPassant),
        ("ep", Mark::EnPassant),
        ("E.P.", Mark::EnPassant),
        ("++", Mark::Odd(Suffix::Checkmate)),
        ("+#", Mark::Odd(Suffix::Checkmate)),
        ("##", Mark::Odd(Suffix::Checkmate)),
        ("+", Mark::Standard(Suffix::Check)),
        ("#", Mark::Standard(Suffix::Checkmate)),
        ("\u{2020}", Mark::Odd(Suffix::Check)),
        ("\u{2021}", Mark::Odd(Suffix::Checkmate)),
        ("\u{2260}", Mark::Odd(Suffix::Checkmate)),
        ("\u{d7}", Mark::Odd(Suffix::Checkmate)),
        ("mate", Mark::Odd(Suffix::Checkmate)),
        ("mat", Mark::Odd(Suffix::Checkmate)),
        ("ch.", Mark::Odd(Suffix::Check)),
        ("ch", Mark::Odd(Suffix::Check)),
        ("dbl.ch.", Mark::Odd(Suffix::Check)),
    ];
    MARKS
        .iter()
        .find_map(|&(spelling, mark)| Some((mark, text.strip_prefix(spelling.as_bytes())?)))
}

impl LenientSan {
    /// Reads a word at the beginning of a text as a move in the letters of a language, with its
    /// marks. Returns the move and its length in bytes.
    ///
    /// A `b` is a file if that makes a move, and otherwise a bishop; see
    /// [`fallback_move`](crate::notation::fallback_move).
    pub fn read(text: &[u8], letters: &LetterSet) -> Option<(LenientSan, usize)> {
        let reader = || Reader {
            rest: text,
            letters,
            english: std::ptr::eq(letters, LetterSet::english()),
            variants: NotationVariants::NONE,
        };
        let found = reader()
            .castling()
            .or_else(|| reader().null_move())
            .or_else(|| reader().piece_or_pawn(false))
            .or_else(|| reader().piece_or_pawn(true))?;
        let (lenient, rest) = found;
        Some((lenient, text.len() - rest.len()))
    }

    /// Length of marks of check, mate or en passant at the beginning of a text, such as `+`, `mate`
    /// or `e.p.`. They belong to the move before, even after a blank.
    pub(crate) fn detached_mark(text: &[u8]) -> Option<usize> {
        let mut rest = text;
        while let Some((_, after)) = mark(rest) {
            rest = after;
        }
        let length = text.len() - rest.len();
        (length > 0 && is_detached(&text[..length], rest)).then_some(length)
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    letters: &'a LetterSet,
    english: bool,
    variants: NotationVariants,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text.as_bytes());
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn dash(&mut self) -> bool {
        let length = match self.rest {
            // Dashes and the minus sign, in UTF-8, and dashes in Windows-1252.
            [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => 3,
            [0x96 | 0x97, ..] => 1,
            _ => return self.eat("-"),
        };
        self.rest = &self.rest[length..];
        self.variants.add(NotationVariant::OddDash);
        true
    }

    fn file(&mut self) -> Option<File> {
        let (&byte, rest) = self.rest.split_first()?;
        let file = File::from_ascii(byte.to_ascii_lowercase())?;
        self.variants
            .add_if(byte.is_ascii_uppercase(), NotationVariant::UpperCaseFile);
        self.rest = rest;
        Some(file)
    }

    fn rank(&mut self) -> Option<Rank> {
        let (&byte, rest) = self.rest.split_first()?;
        let rank = Rank::from_ascii(byte)?;
        self.rest = rest;
        Some(rank)
    }

    /// File followed by a rank; the `b` of `e8b` is none.
    fn square(&mut self) -> Option<Square> {
        self.rest.get(1).filter(|byte| byte.is_ascii_digit())?;
        Some(Square::at(self.file()?, self.rank()?))
    }

    fn capture(&mut self) -> bool {
        if self.eat("x") {
            return true;
        }
        let odd = [":", "X", "\u{d7}"].into_iter().any(|mark| self.eat(mark));
        self.variants.add_if(odd, NotationVariant::OddCaptureMark);
        odd
    }

    /// Letters, zeros and dashes: `O-O`, `0-0-0`, `o-O`, and letters alone: `OO`. The letter may be
    /// the identical Cyrillic one.
    fn castling(mut self) -> Option<(LenientSan, &'a [u8])> {
        let mut wings = 0;
        let (mut zeros, mut odd) = (0, 0);
        loop {
            if self.eat("0") {
                zeros += 1;
            } else if self.eat("o") || self.eat("\u{41e}") {
                odd += 1;
            } else if !self.eat("O") {
                return None;
            }
            wings += 1;
            if wings == 3 {
                break;
            }
            if !self.dash() {
                // `OO`; zeros without dashes are numbers.
                if zeros > 0 || !self.rest.starts_with(b"O") {
                    break;
                }
                odd += 1;
            }
        }
        let side = match wings {
            2 => CastlingSide::King,
            3 => CastlingSide::Queen,
            _ => return None,
        };
        if zeros == wings {
            self.variants.add(NotationVariant::CastlingWithZeros);
        } else {
            self.variants
                .add_if(zeros + odd > 0, NotationVariant::OddCastling);
        }
        self.end(San::Castle(side))
    }

    fn null_move(mut self) -> Option<(LenientSan, &'a [u8])> {
        const SPELLINGS: [&str; 9] = [
            "--", "Z0", "null", "NULL", "Null", "0000", "@@@@", "<>", "pass",
        ];
        SPELLINGS.into_iter().find(|spelling| self.eat(spelling))?;
        self.end(San::Null)
    }

    /// Letter of the piece, if any; `bishop` reads `b` as one.
    fn role(&mut self, bishop: bool) -> Role {
        if let Some((role, length)) = self.letters.piece(self.rest) {
            self.rest = without_variation_selector(&self.rest[length..]);
            self.variants
                .add_if(role == Role::Pawn, NotationVariant::PawnLetter);
            return role;
        }
        let small = match self.rest {
            [byte @ (b'k' | b'q' | b'r' | b'n' | b'p'), ..] if self.english => {
                Role::from_letter(*byte)
            }
            [b'b', ..] if self.english && bishop => Some(Role::Bishop),
            _ => None,
        };
        let Some(role) = small else {
            return Role::Pawn;
        };
        self.rest = &self.rest[1..];
        self.variants.add(if role == Role::Pawn {
            NotationVariant::PawnLetter
        } else {
            NotationVariant::LowerCasePiece
        });
        role
    }

    fn piece_or_pawn(mut self, bishop: bool) -> Option<(LenientSan, &'a [u8])> {
        let role = self.role(bishop);
        if bishop && role != Role::Bishop {
            return None;
        }
        let file = self.file();
        let rank = self.rank();
        // The capture mark may follow the square: `Be5:`, `ed5:`.
        let colon = self.rest.first() == Some(&b':');
        let mut capture = self.capture();
        let dash = !capture && self.dash();
        let (file, rank, to) = match self.square() {
            Some(to) => (file, rank, to),
            None if dash || capture && !colon => return None,
            None => (None, None, Square::at(file?, rank?)),
        };
        if dash {
            self.variants.add(NotationVariant::LongAlgebraic);
        }
        // `Cf3` is a knight move in some languages, not one of the c-pawn.
        let leaps = |file: File| file.index().abs_diff(to.file().index()) > 1;
        if role == Role::Pawn
            && rank.is_none()
            && file.is_some_and(leaps)
            && self.variants.has(NotationVariant::UpperCaseFile)
        {
            return None;
        }
        let promotion = self.promotion(role)?;
        if !capture && self.rest.first() == Some(&b':') {
            capture = self.capture();
        }
        let san = San::Piece(PieceMove {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        });
        self.end(san)
    }

    /// Role of a promotion, if given. The outer `None` is a text that cannot be read.
    fn promotion(&mut self, of: Role) -> Option<Option<Role>> {
        let start = self.rest;
        let before = self.eat("(");
        let equals = self.eat("=");
        if of != Role::Pawn && (before || !equals) {
            self.rest = start;
            return Some(None);
        }
        let parentheses = before || self.eat("(");
        if !equals && !parentheses {
            self.eat("/");
        }
        let role = match self.letters.piece(self.rest) {
            Some((role, length)) => {
                self.rest = &self.rest[length..];
                Some(role)
            }
            None => self.small_promotion(),
        };
        let Some(role) = role else {
            // Without a letter there is no promotion: `(` may begin a variation, and `(=)` is a
            // draw offer.
            self.rest = start;
            return (!equals || before).then_some(None);
        };
        if parentheses && !self.eat(")") {
            self.rest = start;
            return Some(None);
        }
        self.variants.add_if(
            !equals || parentheses,
            NotationVariant::PromotionWithoutEquals,
        );
        Some(Some(role))
    }

    fn small_promotion(&mut self) -> Option<Role> {
        let (&byte, rest) = self.rest.split_first()?;
        let role = if self.english {
            Role::from_letter(byte).filter(|_| byte.is_ascii_lowercase())
        } else {
            self.letters.lower_case_piece(byte)
        }?;
        // Neither `e.p.` and `ep` nor a longer word is a promotion.
        if rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        self.rest = rest;
        self.variants.add(NotationVariant::LowerCasePromotion);
        Some(role)
    }

    /// Marks after the move, and the end of the word.
    fn end(mut self, san: San) -> Option<(LenientSan, &'a [u8])> {
        let mut suffix = None;
        loop {
            let apart = |byte: &&u8| b" \t\r\n!?".contains(byte);
            let blanks = self.rest.iter().take_while(apart).count();
            let Some((mark, parentheses, rest)) = mark_or_parentheses(&self.rest[blanks..]) else {
                break;
            };
            let before = &self.rest[blanks..self.rest.len() - rest.len()];
            if blanks > 0 && !is_detached(before, rest) {
                break;
            }
            self.variants
                .add_if(parentheses, NotationVariant::MarkInParentheses);
            match mark {
                Mark::EnPassant => self.variants.add(NotationVariant::EnPassantMark),
                Mark::Standard(found) if blanks == 0 && suffix.is_none() => suffix = Some(found),
                Mark::Standard(found) | Mark::Odd(found) => {
                    // The strongest of several marks counts.
                    if suffix != Some(Suffix::Checkmate) {
                        suffix = Some(found);
                    }
                    self.variants.add(NotationVariant::OddCheckMark);
                }
            }
            self.rest = rest;
        }
        let signs = self.rest.iter().take_while(|byte| SIGNS.contains(byte));
        let signs = signs.count();
        self.rest = &self.rest[signs..];
        self.variants
            .add_if(signs > 0, NotationVariant::SignBehindMove);
        let plus = SanPlus { san, suffix };
        let variants = self.variants;
        ends_word(self.rest).then_some((LenientSan { plus, variants }, self.rest))
    }
}
