//! Extended Position Description (PGN standard section 16.2): a position and operations on it, such
//! as `4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castle";`.

use std::ops::Range;

use strum::Display;

/// Byte range of the position in a line: four fields, and the two clocks of a FEN if they follow,
/// as many programs write them.
pub fn position_range(line: &[u8]) -> Range<usize> {
    let mut end = 0;
    let mut words = WordRanges { line, at: 0 };
    for _ in 0..4 {
        match words.next() {
            // Some suites put a semicolon right after the position.
            Some(word) => match line[word.clone()].iter().position(|&byte| byte == b';') {
                None => end = word.end,
                Some(0) => return 0..end,
                Some(length) => return 0..word.start + length,
            },
            None => return 0..end,
        }
    }
    let is_number = |word: &Range<usize>| line[word.clone()].iter().all(u8::is_ascii_digit);
    let clocks = (words.next(), words.next());
    if let (Some(halfmoves), Some(fullmoves)) = clocks
        && is_number(&halfmoves)
    {
        let length = line[fullmoves.clone()]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let whole = fullmoves.start + length;
        if length > 0
            && matches!(
                line.get(whole),
                None | Some(b' ' | b'\t' | b'\r' | b'\n' | b';')
            )
        {
            end = whole;
        }
    }
    0..end
}

/// Opcode with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Byte range of the opcode in the line.
    pub opcode: Range<usize>,
    /// Operands, in order.
    pub operands: Vec<Operand>,
}

/// Operand of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Byte range in the line, without quotes.
    pub range: Range<usize>,
    /// Whether it is in quotes.
    pub quoted: bool,
}

/// Error of reading an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdError {
    /// Byte range in the line.
    pub range: Range<usize>,
    /// Problem of the operation.
    pub problem: EpdProblem,
}

/// Problem of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
pub enum EpdProblem {
    /// Missing semicolon at the end of the line.
    #[strum(to_string = "the operation does not end with a semicolon")]
    NoSemicolon,
    /// Missing closing quote.
    #[strum(to_string = "the string has no closing quote")]
    UnclosedString,
    /// Not an opcode: a letter, and up to fourteen letters, digits and underscores.
    #[strum(to_string = "not an opcode")]
    NotAnOpcode,
    /// More opcodes and operands than are read of a line.
    #[strum(to_string = "the line has more operations than are read")]
    TooMany,
}

/// Most opcodes, operands and semicolons that are read of a line, which bounds memory.
const MOST_WORDS: usize = 1 << 18;

/// Reads the operations of a line from a byte on, and their errors in text order.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::epd;
/// let line = b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"castle\";";
/// let position = epd::position_range(line);
/// let (operations, errors) = epd::operations(line, position.end);
/// assert_eq!(line[operations[1].operands[0].range.clone()], *b"castle");
/// assert!(errors.is_empty());
/// ```
pub fn operations(line: &[u8], from: usize) -> (Vec<Operation>, Vec<EpdError>) {
    let mut operations = Vec::new();
    let mut errors = Vec::new();
    let mut fail = |range, problem| errors.push(EpdError { range, problem });
    let end = line.trim_ascii_end().len();
    let mut words = WordRanges { line, at: from };
    let mut current: Option<Operation> = None;
    for nth in 0.. {
        words.skip_blank();
        let start = words.at;
        let Some(&first) = line.get(start) else {
            if current.is_some() {
                fail(end.saturating_sub(1)..end, EpdProblem::NoSemicolon);
            }
            break;
        };
        if nth == MOST_WORDS {
            fail(start..start + 1, EpdProblem::TooMany);
            break;
        }
        if first == b';' {
            words.at += 1;
            operations.extend(current.take());
            continue;
        }
        let quoted = first == b'"';
        let from = start + usize::from(quoted);
        let ends_word =
            |byte: &u8| *byte == b'"' || !quoted && (byte.is_ascii_whitespace() || *byte == b';');
        let length = line[from..].iter().position(ends_word);
        let is_unclosed = quoted && length.is_none();
        let range = match length {
            Some(length) => from..from + length,
            None if quoted => from..end.max(from),
            None => from..line.len(),
        };
        words.at = match is_unclosed {
            true => line.len(),
            false => range.end + usize::from(quoted),
        };
        if is_unclosed {
            fail(start..range.end, EpdProblem::UnclosedString);
        }
        match &mut current {
            Some(operation) => operation.operands.push(Operand { range, quoted }),
            None if quoted => fail(start..words.at.min(end), EpdProblem::NotAnOpcode),
            None => {
                if !is_opcode(&line[range.clone()]) {
                    fail(range.clone(), EpdProblem::NotAnOpcode);
                }
                current = Some(Operation {
                    opcode: range,
                    operands: Vec::new(),
                });
            }
        }
        // The rest of the line may have been meant to be outside the quotes.
        if is_unclosed {
            break;
        }
    }
    operations.extend(current);
    (operations, errors)
}

fn is_opcode(word: &[u8]) -> bool {
    word.len() <= 15
        && word.first().is_some_and(u8::is_ascii_alphabetic)
        && word
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Operands of an opcode of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
pub enum Operands {
    /// None.
    #[strum(to_string = "no operand")]
    None,
    /// Any operands.
    #[strum(to_string = "any operands")]
    Any,
    /// One whole number, from 0.
    #[strum(to_string = "a whole number from 0")]
    Unsigned,
    /// One whole number.
    #[strum(to_string = "a whole number")]
    Signed,
    /// One string.
    #[strum(to_string = "one string in quotes")]
    Text,
    /// One word or string, then another.
    #[strum(to_string = "two operands")]
    Pair,
    /// One move.
    #[strum(to_string = "one move")]
    Move,
    /// Alternative moves of the position.
    #[strum(to_string = "one move or more")]
    Moves,
    /// Sequence of moves.
    #[strum(to_string = "moves")]
    Line,
}

impl Operands {
    /// Operands of an opcode of the standard (section 16.2.5); `None` for other opcodes.
    pub fn of(opcode: &[u8]) -> Option<Operands> {
        Some(match opcode {
            b"draw_accept" | b"draw_claim" | b"draw_offer" | b"draw_reject" | b"resign" => {
                Operands::None
            }
            b"noop" => Operands::Any,
            b"acd" | b"acn" | b"acs" | b"dm" | b"fmvn" | b"hmvc" | b"rc" => Operands::Unsigned,
            b"ce" => Operands::Signed,
            b"eco" | b"id" | b"nic" | b"tcgs" => Operands::Text,
            b"tcri" | b"tcsi" => Operands::Pair,
            b"pm" | b"sm" => Operands::Move,
            b"am" | b"bm" => Operands::Moves,
            b"pv" => Operands::Line,
            [b'c' | b'v', b'0'..=b'9'] => Operands::Text,
            _ => return None,
        })
    }
}

/// Byte ranges of the words between white space.
struct WordRanges<'a> {
    line: &'a [u8],
    at: usize,
}

impl WordRanges<'_> {
    fn skip_blank(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .unwrap_or(rest.len());
    }
}

impl Iterator for WordRanges<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        self.skip_blank();
        let rest = &self.line[self.at..];
        let start = self.at;
        self.at += rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        (start < self.at).then_some(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: &str) -> &str {
        &line[position_range(line.as_bytes())]
    }

    #[test]
    fn the_position_ends_where_the_operations_begin() {
        assert_eq!(
            position("8/8/8/8/8/8/8/8 w - - bm e4;"),
            "8/8/8/8/8/8/8/8 w - -"
        );
        assert_eq!(
            position("8/8/8/8/8/8/8/8 w - - 0 1 bm e4;"),
            "8/8/8/8/8/8/8/8 w - - 0 1"
        );
        assert_eq!(
            position("8/8/8/8/8/8/8/8 w - - 0 1; bm e4;"),
            "8/8/8/8/8/8/8/8 w - - 0 1"
        );
        assert_eq!(
            position("8/8/8/8/8/8/8/8 w - -;D1 20"),
            "8/8/8/8/8/8/8/8 w - -"
        );
        assert_eq!(
            position("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 20 ;D2 400"),
            "8/8/8/8/8/8/8/8 w - - 0 1"
        );
        assert_eq!(position("8/8/8/8/8/8/8/8 w"), "8/8/8/8/8/8/8/8 w");
        assert_eq!(position(""), "");
    }

    fn read(line: &str) -> (Vec<String>, Vec<String>) {
        let (operations, errors) = operations(line.as_bytes(), 0);
        let operations = operations.iter().map(|operation| {
            let mut text = line[operation.opcode.clone()].to_owned();
            for operand in &operation.operands {
                let value = &line[operand.range.clone()];
                text += &if operand.quoted {
                    format!(" '{value}'")
                } else {
                    format!(" {value}")
                };
            }
            text
        });
        let errors = errors
            .iter()
            .map(|error| format!("{}: {}", &line[error.range.clone()], error.problem));
        (operations.collect(), errors.collect())
    }

    #[test]
    fn operations_are_split_at_semicolons_outside_quotes() {
        let (operations, errors) = read("bm Nf3  e4; id \"a; b\";resign;  ");
        assert_eq!(operations, ["bm Nf3 e4", "id 'a; b'", "resign"]);
        assert_eq!(errors, [""; 0]);
    }

    #[test]
    fn faults_of_operations_have_a_place() {
        let check = |line: &str, expected: &str| assert_eq!(read(line).1, [expected], "{line}");
        check("bm Nf3", "3: the operation does not end with a semicolon");
        check("id \"x;", "\"x;: the string has no closing quote");
        check("7m e4;", "7m: not an opcode");
        check("\"x\" bm e4;", "\"x\": not an opcode");
        check("an_opcode_too_long 1;", "an_opcode_too_long: not an opcode");
    }
}
