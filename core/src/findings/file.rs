//! Findings about the bytes of a file.

use memchr::{memchr, memchr_iter, memmem};

use crate::findings::finding::keep;
use crate::findings::registry as codes;
use crate::findings::{Checks, Finding, GameStatus, shown};
use crate::pgn::Span;
use crate::pgn::values::result;
use crate::split::{
    AnomalyKind, BYTE_ORDER_MARK, ByteNotes, END_OF_FILE_MARK, GameText, TextAnomaly,
    undo_double_utf8,
};
use crate::text::{decode, is_windows_1252};

/// Adds the findings about the bytes of a game to its other `findings`, in order of position, given
/// the `notes` of its chunk. A finding that is reported once per file is listed with the game in
/// which it first occurs, and does not affect the status of that game.
pub fn check(
    notes: &ByteNotes,
    game: &GameText<'_>,
    checks: &Checks,
    status: GameStatus,
    findings: &mut Vec<Finding>,
) -> GameStatus {
    if !notes.has_marks && !notes.has_controls && notes.anomalies.is_empty() {
        return status;
    }
    let before = findings.len();
    if notes.has_controls {
        findings.extend(nuls(game.bytes));
        findings.extend(end_of_file_mark(game.bytes));
        findings.extend(control_character(game.bytes));
    }
    if notes.has_marks {
        findings.extend(inner_byte_order_mark(game));
    }
    keep(checks, findings, before);
    let about_game = findings.len() > before;
    let from = game.origin.byte.0;
    for anomaly in &notes.anomalies {
        if let Some(at) = anomaly.at.0.checked_sub(from)
            && at < game.bytes.len() as u64
            && !is_repeated(anomaly, game.bytes[at as usize])
        {
            findings.push(once_per_file(anomaly, game.bytes, at as usize));
        }
    }
    keep(checks, findings, before);
    if findings.len() > before {
        findings.sort_by_key(|finding| finding.span);
    }
    match status {
        GameStatus::Clean if about_game => GameStatus::WithFindings,
        status => status,
    }
}

/// Whether another anomaly says more about the same byte.
fn is_repeated(anomaly: &TextAnomaly, byte: u8) -> bool {
    anomaly.kind == AnomalyKind::NotUtf8 && !is_windows_1252(byte)
}

fn once_per_file(anomaly: &TextAnomaly, text: &[u8], at: usize) -> Finding {
    let span = Span::new(at, at + anomaly.length);
    match anomaly.kind {
        AnomalyKind::Utf16 { big_endian } => {
            let order = if big_endian { "big" } else { "little" };
            let message = format!("the file is in UTF-16, {order}-endian");
            Finding::new(&codes::UTF_16, after_mark(text), message)
                .help("it is converted to UTF-8; all positions refer to the converted text")
        }
        AnomalyKind::CarriageReturns => {
            let message = "the lines of the file end with a carriage return only";
            Finding::new(&codes::CARRIAGE_RETURNS, after_mark(text), message)
                .help("each is read as a line feed")
        }
        AnomalyKind::NotUtf8 | AnomalyKind::NotWindows1252 => {
            let bytes = span.of(text);
            let message = format!("the byte `{:#04x}` is not UTF-8", bytes[0]);
            let finding = Finding::new(&codes::NOT_UTF_8, span, message);
            if anomaly.kind == AnomalyKind::NotWindows1252 {
                return finding.help(
                    "it is no character of Windows-1252 either: the file may be in CP437 or \
                     CP850, code pages of DOS (`iconv -f CP850 -t UTF-8`)",
                );
            }
            finding.help(format!(
                "such bytes in this file are read as Latin-1 or Windows-1252; this one is `{}`",
                decode(bytes)
            ))
        }
        AnomalyKind::DoubleUtf8 => {
            let word = decode(word_around(text, span));
            let meant = undo_double_utf8(&word);
            let [word, meant] = [word.as_bytes(), meant.as_bytes()].map(shown);
            let message = format!("`{word}` is `{meant}` encoded in UTF-8 twice");
            Finding::new(&codes::DOUBLE_UTF_8, span, message)
                .help("such characters in this file are read as written")
        }
        AnomalyKind::GameOnSameLine => {
            let word = span.of(text);
            let message = match result::read(word).is_valid() {
                true => "the next game begins on the line of the result",
                false => "the next game begins on the last line of this one",
            };
            Finding::new(&codes::GAME_ON_SAME_LINE, span, message).help(
                "separate games with a blank line, and begin each tag pair on a line of its own",
            )
        }
        AnomalyKind::LostCharacter => {
            let message = "U+FFFD replaces a character lost in a conversion";
            let finding = Finding::new(&codes::LOST_CHARACTER, span, message);
            finding.help("there may be more in this file")
        }
    }
}

/// The bytes around a place up to blanks, quotes and brackets.
fn word_around(text: &[u8], span: Span) -> &[u8] {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"{}()[],;".contains(byte);
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text[..start].iter().rev().take_while(|byte| !ends(byte));
    let after = text[end..].iter().take_while(|byte| !ends(byte));
    &text[start - before.count()..end + after.count()]
}

/// The beginning of a text, after a byte order mark.
fn after_mark(text: &[u8]) -> Span {
    let after = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let at = text.len() - after.len();
    Span::new(at, at)
}

fn nuls(text: &[u8]) -> Option<Finding> {
    let first = memchr(0, text)?;
    let run = text[first..].iter().take_while(|&&byte| byte == 0).count();
    let message = match memchr_iter(0, text).count() {
        1 => "NUL byte".to_owned(),
        all if all == run => format!("{all} NUL bytes"),
        all => format!("NUL byte, the first of {all} in this game"),
    };
    let finding = Finding::new(&codes::NUL_BYTE, Span::new(first, first + run), message);
    Some(finding.help("the file may be damaged; text may be missing here"))
}

fn end_of_file_mark(text: &[u8]) -> Option<Finding> {
    let at = memchr(END_OF_FILE_MARK, text)?;
    let (span, message) = (Span::new(at, at + 1), "end-of-file mark (Ctrl-Z)");
    Some(Finding::new(&codes::END_OF_FILE_MARK, span, message))
}

/// The first control character without a rule of its own.
fn control_character(text: &[u8]) -> Option<Finding> {
    let is_known = |byte: u8| matches!(byte, 0 | END_OF_FILE_MARK | b'\t' | b'\n' | b'\r');
    let bytes = text.iter().enumerate();
    let mut places = bytes.filter(|&(_, &byte)| byte < b' ' && !is_known(byte));
    let (at, byte) = places.next()?;
    let first = match places.count() {
        0 => String::new(),
        more => format!(", the first of {} in this game", more + 1),
    };
    let message = format!("control character U+{byte:04X}{first}");
    let finding = Finding::new(&codes::CONTROL_CHARACTER, Span::new(at, at + 1), message);
    Some(finding.help("delete it: terminals and other programs may obey it"))
}

/// A byte order mark that is not at the beginning of the file.
fn inner_byte_order_mark(game: &GameText<'_>) -> Option<Finding> {
    let from = if game.origin.byte.0 == 0 { 1 } else { 0 };
    let at = from + memmem::find(game.bytes.get(from..)?, BYTE_ORDER_MARK)?;
    let span = Span::new(at, at + BYTE_ORDER_MARK.len());
    let message = "byte order mark inside the file";
    let finding = Finding::new(&codes::BYTE_ORDER_MARK, span, message);
    Some(finding.help("concatenated files leave one; it belongs at the beginning only"))
}
