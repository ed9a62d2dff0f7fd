//! Findings about positions: FEN tags, lines of FEN and EPD files.

use std::collections::HashSet;
use std::ops::Range;

use crate::chess::epd;
use crate::chess::epd::{EpdProblem, Operands, Operation};
use crate::chess::fen;
use crate::chess::fen::{FenError, FenField, FieldRanges};
use crate::chess::san::SanPlus;
use crate::chess::{FaultLevel, Move, Position, PositionFault, PositionFaults, Setup, Uci};
use crate::findings::edit::{Edit, Repair};
use crate::findings::finding::{Findings, MOST_OF_POSITION};
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::{AtMove, Checks, Finding, GameStatus, shown};
use crate::notation::{LenientSan, LetterSet, fallback_move};
use crate::pgn::{Span, Tag};
use crate::split::{InputKind, position_line};

/// Checks one line of a list of positions, and adds what is found in order of place. `text` is the
/// line with the empty lines and comments around it.
pub fn check_line(
    kind: InputKind,
    text: &[u8],
    checks: &Checks,
    findings: &mut Vec<Finding>,
) -> GameStatus {
    let findings = &mut Findings::new(findings, checks, MOST_OF_POSITION);
    let (start, line) = position_line(text);
    let fen = fen_range(kind, line);
    let mut found = PositionLine {
        line,
        start,
        findings,
    };
    let mut setup = found.setup(kind, fen.clone());
    let mut clocks = Vec::new();
    let mut operations = Vec::new();
    if kind == InputKind::Epd {
        let (mut read, errors) = epd::operations(line, fen.end);
        read.iter_mut()
            .for_each(|operation| join_marks(line, operation));
        for error in errors {
            let rule: &'static Rule = match error.problem {
                EpdProblem::NoSemicolon => &codes::MISSING_SEMICOLON,
                _ => &codes::MALFORMED_OPERATION,
            };
            found.add(rule, error.range, error.problem.to_string());
        }
        clocks = found.operands(&read, setup.as_mut());
        operations = read;
    }
    if let Some(setup) = setup {
        let mut faults = setup.faults();
        let text = &line[fen.clone()];
        let fields = FieldRanges::of_text(text);
        let rights = &text[fields.of(FenField::Castling)];
        // Letters of files, as in Shredder-FEN, say themselves that the game is Chess960.
        let is_usual = rights.iter().all(|letter| b"KQkq".contains(letter));
        if is_usual && !setup.chess960_rights().is_empty() {
            faults.insert(PositionFault::CastlingOfChess960);
        }
        for (range, fault) in places(text, &setup, faults) {
            let given = clocks.iter().find(|(field, _)| *field == fault.field());
            let range = given.map_or(range, |(_, range)| range.clone());
            let (rule, message) = of_fault(fault, "position");
            found.add(rule, range, message);
        }
        if let Ok(position) = Position::new(&setup) {
            let is_impossible = |fault: PositionFault| fault.field() == FenField::EnPassant;
            if !faults.iter().any(is_impossible) && position.en_passant().is_none() {
                found.useless_en_passant(&setup, fields.of(FenField::EnPassant));
            }
            for operation in &operations {
                found.moves(operation, &position);
            }
        }
    }
    if findings.finish("position", text).is_empty() {
        GameStatus::Clean
    } else {
        GameStatus::WithFindings
    }
}

/// Place of the position in the text of a line.
pub fn place_of_line(kind: InputKind, text: &[u8]) -> Span {
    let (start, line) = position_line(text);
    let fen = fen_range(kind, line);
    Span::new(start + fen.start, start + fen.end)
}

fn fen_range(kind: InputKind, line: &[u8]) -> Range<usize> {
    match kind {
        InputKind::Epd => epd::position_range(line),
        InputKind::Fen | InputKind::Pgn => 0..line.len(),
    }
}

/// Fields without which a FEN can be read.
const OPTIONAL_FIELDS: [FenField; 4] = [
    FenField::Castling,
    FenField::EnPassant,
    FenField::Halfmoves,
    FenField::Fullmoves,
];

/// The end of a readable FEN that lacks some of these fields, and what is to be said of it.
fn missing_fields(
    text: &[u8],
    fields: &FieldRanges,
    wanted: &[FenField],
) -> Option<(Range<usize>, String)> {
    let missing = wanted.iter().filter(|&&field| fields.of(field).is_empty());
    let names: Vec<_> = missing.map(ToString::to_string).collect();
    let end = text.trim_ascii_end().len();
    let message = format!("missing fields: {}", names.join(", "));
    (!names.is_empty()).then(|| (end.saturating_sub(1)..end, message))
}

/// Deviations of a readable FEN from the standard's form.
fn form_faults(text: &[u8], fields: &FieldRanges) -> Vec<(Range<usize>, String)> {
    let mut faults = Vec::new();
    let castling = fields.of(FenField::Castling);
    let letters = &text[castling.clone()];
    let is_repeated = |(nth, letter): &(usize, &u8)| letters[..*nth].contains(letter);
    if let Some((nth, &letter)) = letters.iter().enumerate().find(is_repeated) {
        let at = castling.start + nth;
        let message = format!("repeated castling right `{}`", char::from(letter));
        faults.push((at..at + 1, message));
    }
    // Letters of files, as in Shredder-FEN, have no order.
    let place = |letter: &u8| b"KQkq".iter().position(|known| known == letter);
    let places: Option<Vec<_>> = letters.iter().map(place).collect();
    if places.is_some_and(|places| !places.is_sorted()) {
        let message = format!(
            "the castling rights `{}` are not in the order KQkq",
            shown(letters)
        );
        faults.push((castling, message));
    }
    for field in [FenField::Halfmoves, FenField::Fullmoves] {
        let range = fields.of(field);
        match &text[range.clone()] {
            [b'0', _, ..] => faults.push((range, format!("leading zeros in the {field}"))),
            [b'0'] if field == FenField::Fullmoves => {
                faults.push((range, "the number of the first move is 1, not 0".to_owned()));
            }
            _ => {}
        }
    }
    faults
}

/// The findings of one line.
struct PositionLine<'a, 'f> {
    line: &'a [u8],
    /// Start of the line in the text.
    start: usize,
    findings: &'a mut Findings<'f>,
}

impl PositionLine<'_, '_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.start + range.start, self.start + range.end)
    }

    fn add(&mut self, rule: &'static Rule, range: Range<usize>, message: String) {
        let span = self.span(range);
        self.findings.push(Finding::new(rule, span, message));
    }

    /// The position, if it can be read.
    fn setup(&mut self, kind: InputKind, range: Range<usize>) -> Option<Setup> {
        let text = &self.line[range];
        let start = self.start;
        let span = |range: Range<usize>| Span::new(start + range.start, start + range.end);
        let setup = read(text, self.findings, |error, range| {
            let message = format!("unreadable position: {}", error.fault());
            Finding::new(&codes::UNREADABLE_FEN, span(range), message)
        })?;
        let fields = FieldRanges::of_text(text);
        for (range, message) in form_faults(text, &fields) {
            self.add(&codes::FEN_FORM, range, message);
        }
        let wanted: &[FenField] = match kind {
            InputKind::Epd => &[FenField::Castling, FenField::EnPassant],
            InputKind::Fen | InputKind::Pgn => &OPTIONAL_FIELDS,
        };
        if let Some((range, message)) = missing_fields(text, &fields, wanted) {
            self.add(&codes::SHORT_FEN, range, message);
        }
        Some(setup)
    }

    /// Reports an en passant square where no capture is legal.
    fn useless_en_passant(&mut self, setup: &Setup, range: Range<usize>) {
        let Some(square) = setup.en_passant else {
            return;
        };
        let span = self.span(range);
        let message = format!("no pawn can capture on the en passant square {square}");
        self.findings.push(Finding {
            repair: Repair::new(vec![Edit::new(span, "-")], true),
            ..Finding::new(&codes::USELESS_EN_PASSANT, span, message).help("write `-`")
        });
    }

    /// Checks opcodes and operands. Counters given as operations replace those of the position;
    /// returns their ranges.
    fn operands(
        &mut self,
        operations: &[Operation],
        mut setup: Option<&mut Setup>,
    ) -> Vec<(FenField, Range<usize>)> {
        let line = self.line;
        let mut clocks = Vec::new();
        let mut opcodes = HashSet::new();
        for operation in operations {
            let opcode = &line[operation.opcode.clone()];
            if !opcodes.insert(opcode) {
                let message = format!("repeated opcode `{}`", shown(opcode));
                self.add(&codes::REPEATED_OPCODE, operation.opcode.clone(), message);
            }
            let Some(takes) = Operands::of(opcode) else {
                let message = format!("unknown opcode `{}`", shown(opcode));
                self.add(&codes::UNKNOWN_OPCODE, operation.opcode.clone(), message);
                continue;
            };
            if !fits(line, operation, takes) {
                let message = format!("`{}` takes {takes}", shown(opcode));
                let last = operation.operands.last();
                let end = last.map_or(operation.opcode.end, |operand| operand.range.end);
                self.add(&codes::WRONG_OPERANDS, operation.opcode.start..end, message);
                continue;
            }
            let clock = setup.as_mut().and_then(|setup| match opcode {
                b"hmvc" => Some((&mut setup.halfmoves, FenField::Halfmoves)),
                b"fmvn" => Some((&mut setup.fullmoves, FenField::Fullmoves)),
                _ => None,
            });
            if let (Some((clock, field)), Some(operand)) = (clock, operation.operands.first()) {
                *clock = number(&line[operand.range.clone()]).unwrap_or(*clock);
                if let (FenField::Fullmoves, Some(setup)) = (field, setup.as_mut()) {
                    setup.knows_fullmoves = true;
                }
                clocks.push((field, operand.range.clone()));
            }
        }
        clocks
    }

    /// Checks the moves of an operation.
    fn moves(&mut self, operation: &Operation, position: &Position) {
        let Some(takes) = moves_of(self.line, operation) else {
            return;
        };
        let is_line = takes == Operands::Line;
        let mut position = position.clone();
        for (nth, operand) in operation.operands.iter().enumerate() {
            let word = &self.line[operand.range.clone()];
            let ply = if is_line { nth as u32 + 1 } else { 1 };
            let at = |position: &Position| AtMove::new(ply, word, position);
            let span = self.span(operand.range.clone());
            match read_move(word, &position) {
                Ok((mv, other)) => {
                    if let Some((rule, notation)) = other {
                        let san = SanPlus::of(&position, mv, &position.after(mv));
                        let message = format!("`{}` is not in {notation} notation", shown(word));
                        let finding = Finding::new(rule, span, message);
                        self.findings
                            .push(finding.help(format!("write `{san}`")).at(at(&position)));
                    }
                    if is_line {
                        position.play_unchecked(mv);
                    }
                }
                Err(message) => {
                    let finding =
                        Finding::new(&codes::IMPOSSIBLE_EPD_MOVE, span, message).at(at(&position));
                    if is_line {
                        self.findings
                            .push(finding.help("nothing after it is played"));
                        return;
                    }
                    self.findings.push(finding);
                }
            }
        }
    }
}

/// The operands of an operation, if they are moves.
fn moves_of(line: &[u8], operation: &Operation) -> Option<Operands> {
    let takes = Operands::of(&line[operation.opcode.clone()])?;
    let are_moves = matches!(takes, Operands::Move | Operands::Moves | Operands::Line);
    are_moves.then_some(takes)
}

/// Joins detached marks of check, mate or en passant to the moves before them: `bm Qd1 +`.
fn join_marks(line: &[u8], operation: &mut Operation) {
    if moves_of(line, operation).is_none() {
        return;
    }
    operation.operands.dedup_by(|mark, mv| {
        let word = &line[mark.range.clone()];
        let joins =
            !mark.quoted && !mv.quoted && LenientSan::detached_mark(word) == Some(word.len());
        if joins {
            mv.range.end = mark.range.end;
        }
        joins
    });
}

/// A rule of notation, and the notation that it asks for.
type OtherNotation = (&'static Rule, &'static str);

/// The legal move that a word names, and the rule that its notation breaks; or what is wrong with
/// it.
fn read_move(word: &[u8], position: &Position) -> Result<(Move, Option<OtherNotation>), String> {
    let standard = SanPlus::from_ascii(word).map(|plus| plus.san.to_move(position));
    if let Ok(Ok(mv)) = standard {
        return Ok((mv, None));
    }
    if let Ok(uci) = Uci::from_ascii(word)
        && let Ok(mv) = uci.to_move(position)
    {
        return Ok((mv, Some((&codes::COORDINATE_EPD_MOVE, "algebraic"))));
    }
    let lenient =
        LenientSan::read(word, LetterSet::english()).filter(|&(_, length)| length == word.len());
    let Some((lenient, _)) = lenient else {
        return Err(format!("`{}` is not a move", shown(word)));
    };
    let san = lenient.plus.san;
    let read = san.to_move(position).or_else(|error| {
        let named = matches!(word.first(), Some(b'P' | b'p'));
        let second = fallback_move(san, position).filter(|_| !named);
        second.ok_or(error)
    });
    match read {
        Ok(mv) => Ok((mv, Some((&codes::LOOSE_EPD_MOVE, "standard")))),
        Err(error) => Err(format!("`{}` is illegal: {error}", shown(word))),
    }
}

/// Whether an operation has operands as its opcode takes them.
fn fits(line: &[u8], operation: &Operation, takes: Operands) -> bool {
    let operands = &operation.operands;
    let one = match &operands[..] {
        [operand] => Some((&line[operand.range.clone()], operand.quoted)),
        _ => None,
    };
    match takes {
        Operands::None => operands.is_empty(),
        Operands::Any | Operands::Line => true,
        Operands::Unsigned => one.is_some_and(|(text, quoted)| !quoted && number(text).is_some()),
        Operands::Signed => one.is_some_and(|(text, quoted)| {
            let digits = text
                .strip_prefix(b"-")
                .or(text.strip_prefix(b"+"))
                .unwrap_or(text);
            !quoted && number(digits).is_some()
        }),
        Operands::Text => one.is_some_and(|(_, quoted)| quoted),
        Operands::Pair => operands.len() == 2,
        Operands::Move => one.is_some(),
        Operands::Moves => !operands.is_empty(),
    }
}

fn number(text: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(text).ok()?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Reads a FEN; adds the `unreadable` finding about each error and the part of the FEN that it is
/// in.
fn read(
    text: &[u8],
    findings: &mut Findings<'_>,
    unreadable: impl Fn(FenError, Range<usize>) -> Finding,
) -> Option<Setup> {
    let errors = match fen::parse_all(text) {
        Ok(setup) => return Some(setup),
        Err(errors) => errors,
    };
    findings.leave_out(&codes::UNREADABLE_FEN, errors.more);
    for error in errors.listed {
        findings.push(unreadable(error, error_range(text, error)));
    }
    None
}

/// The unreadable part of a field.
fn error_range(text: &[u8], error: FenError) -> Range<usize> {
    let at = error.at.min(text.len());
    let field = FieldRanges::of_text(text).of(error.field);
    match error.field {
        // One character is wrong; in the other fields it is the word.
        FenField::Placement | FenField::Castling if field.contains(&at) => {
            at..at + fen::first_character(&text[at..]).1
        }
        _ if field.contains(&at) => at..field.end,
        _ => at..at,
    }
}

/// Ranges of the FEN to which the faults of a position refer, in order.
fn places(
    text: &[u8],
    setup: &Setup,
    faults: PositionFaults,
) -> Vec<(Range<usize>, PositionFault)> {
    let mut places: Vec<_> = faults
        .iter()
        .map(|fault| {
            let pieces = setup.culprits(fault).into_iter();
            let places = pieces.filter_map(|square| fen::piece_place(text, square));
            match places.min() {
                Some(at) => (at..at + 1, fault),
                None => (FieldRanges::of_text(text).of(fault.field()), fault),
            }
        })
        .collect();
    places.sort_by_key(|(range, fault)| (range.start, *fault));
    places
}

/// The rule and the message of a fault of the position named `position`.
fn of_fault(fault: PositionFault, position: &str) -> (&'static Rule, String) {
    match fault.level() {
        FaultLevel::Unplayable => (
            &codes::UNPLAYABLE_POSITION,
            format!("the {position} is unplayable: {fault}"),
        ),
        FaultLevel::Implausible if fault == PositionFault::ClockBeyondMoveNumber => {
            (&codes::CLOCK_BEYOND_MOVE_NUMBER, format!("{fault}"))
        }
        FaultLevel::Implausible if fault == PositionFault::CastlingOfChess960 => {
            (&codes::CASTLING_OF_CHESS960, format!("{fault}"))
        }
        FaultLevel::Implausible => (
            &codes::IMPLAUSIBLE_POSITION,
            format!("impossible {position}: {fault}"),
        ),
    }
}

/// Reports these faults of a FEN tag, each with its range, and the fields that it lacks.
pub(crate) fn of_tag(tag: Tag, text: &[u8], faults: PositionFaults, findings: &mut Findings<'_>) {
    let value = tag.unescape(text);
    let start = tag.value.start as usize;
    // A value with escapes is not a FEN, and its offsets are not those of the text.
    let span = |range: Range<usize>| {
        if value.len() == tag.value.of(text).len() {
            Span::new(start + range.start, start + range.end)
        } else {
            tag.value
        }
    };
    let setup = read(&value, findings, |error, range| {
        let message = format!("unreadable FEN tag: {error}");
        Finding::new(&codes::UNREADABLE_FEN, span(range), message).help("the game is not replayed")
    });
    let Some(setup) = setup else { return };
    let fields = FieldRanges::of_text(&value);
    if let Some((range, message)) = missing_fields(&value, &fields, &OPTIONAL_FIELDS) {
        findings.push(Finding::new(&codes::SHORT_FEN, span(range), message));
    }
    for (range, fault) in places(&value, &setup, faults) {
        let (rule, message) = of_fault(fault, "position of the FEN tag");
        let finding = Finding::new(rule, span(range), message);
        findings.push(match fault.level() {
            FaultLevel::Unplayable => finding.help("the game is not replayed"),
            FaultLevel::Implausible => finding,
        });
    }
}
