//! Repairs of findings that are known from the game alone.

use std::collections::HashMap;
use std::ops::Range;

use crate::findings::Finding;
use crate::findings::edit::{Edit, Repair};
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::registry::{Fix, Rule};
use crate::findings::results::by_board;
use crate::findings::tags::meant;
use crate::pgn::values::result;
use crate::pgn::{Fault, FaultKind, Game, ResultMark, Span, Tag, TagName};
use crate::text::odd_blank;

/// Adds the repairs of these findings.
pub(crate) fn add(
    game: &Game,
    text: &[u8],
    played: Option<&PlayedGame<'_>>,
    findings: &mut [Finding],
) {
    let mut repeated = None;
    let repairable = |finding: &&mut Finding| finding.rule.fix != Fix::Never;
    for finding in findings.iter_mut().filter(repairable) {
        let span = finding.span;
        let is = |rule: &'static Rule| finding.rule == rule;
        let mut is_certain = true;
        let one = if is(&codes::REPEATED_TAG) {
            let edits = repeated.get_or_insert_with(|| repeated_tags(game, text));
            edits.remove(&span.start)
        } else if is(&codes::MISSING_PLAYER_OR_RESULT) {
            missing_result(game, text)
        } else if is(&codes::EMPTY_ROSTER_TAG)
            || is(&codes::UNKNOWN_RESULT)
            || is(&codes::RESULT_MISMATCH)
        {
            unknown_result(game, text, finding)
        } else if is(&codes::UNFINISHED_GAME) {
            let by_board = played.and_then(ended);
            is_certain = by_board.is_some();
            let mark = by_board.or_else(|| mark_of(&game.known(TagName::Result)?, text));
            mark.map(|mark| end_mark(text, mark))
        } else if is(&codes::MISSPELLED_TAG_NAME) {
            is_certain = false;
            let tag = game.tags.iter().find(|tag| tag.name == span);
            let name = tag.and_then(|tag| meant(tag, text));
            name.map(|name| Edit::new(span, name.as_str()))
        } else if is(&codes::RESULT_SPELLING) {
            let mark = result::read(span.of(text)).value;
            mark.map(|mark| Edit::new(span, mark.as_str()))
        } else if is(&codes::BLANK_OUTSIDE_ASCII) {
            Some(Edit::new(span, " "))
        } else if is(&codes::GLUED_RESULT) {
            Some(Edit::insert(span.start as usize, " "))
        } else {
            None
        };
        let several = if is(&codes::UNESCAPED_QUOTE) {
            unescaped_quotes(game, text, span)
        } else if is(&codes::RESULT_NOT_RECORDED) {
            result_of_board(game, text, played)
        } else if is(&codes::TEXT_BESIDE_TAG) {
            stray_text(game, text)
        } else {
            Vec::new()
        };
        let edits = one.into_iter().chain(several).collect();
        if let Some(repair) = Repair::new(edits, is_certain) {
            finding.repair = Some(repair);
        }
    }
}

/// Adds the edits of a whole game to the first finding of a rule.
pub(crate) fn add_to(findings: &mut [Finding], rule: &Rule, edits: Vec<Edit>) {
    if let Some(first) = findings.iter_mut().find(|finding| finding.rule == rule) {
        first.repair = Repair::new(edits, true);
    }
}

/// Deletions of the tags that repeat the value of the first of their name, by the places of their
/// names.
fn repeated_tags(game: &Game, text: &[u8]) -> HashMap<u32, Edit> {
    let mut values = HashMap::new();
    let mut edits = HashMap::new();
    for (nth, tag) in game.tags.iter().enumerate() {
        // Another section is not a repetition of single tags.
        if nth > 0 && tag.after_blank {
            return HashMap::new();
        }
        let (name, value) = (tag.name.of(text).to_ascii_lowercase(), tag.value.of(text));
        let first = *values.entry(name).or_insert((nth, value));
        if first.0 < nth
            && first.1 == value
            && let Some(pair) = pair(tag, text)
        {
            edits.insert(tag.name.start, Edit::delete(&line_of(&pair, text)));
        }
    }
    edits
}

/// Range of a tag pair with its brackets.
fn pair(tag: &Tag, text: &[u8]) -> Option<Range<usize>> {
    let open = memchr::memrchr(b'[', &text[..tag.name.start as usize])?;
    let quote = tag.value.end as usize;
    let rest = text.get(quote..)?.strip_prefix(b"\"")?;
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let close = quote + 1 + blanks.count();
    (text.get(close) == Some(&b']')).then_some(open..close + 1)
}

/// A range extended to its line, if nothing else stands on that.
fn line_of(range: &Range<usize>, text: &[u8]) -> Range<usize> {
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace() && **byte != b'\n';
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let start = range.start - before.iter().rev().take_while(is_blank).count();
    let end = range.end + after.iter().take_while(is_blank).count();
    let begins_line = start == 0 || text[start - 1] == b'\n';
    match begins_line && text.get(end) == Some(&b'\n') {
        true => start..end + 1,
        false => range.clone(),
    }
}

/// Line end of a text.
pub fn line_end(text: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', text) {
        Some(feed) if text[..feed].ends_with(b"\r") => "\r\n",
        _ => "\n",
    }
}

/// Backslashes for the quotes inside the value that holds `quote`.
fn unescaped_quotes(game: &Game, text: &[u8], quote: Span) -> Vec<Edit> {
    let holds = |tag: &&Tag| tag.value.range().contains(&(quote.start as usize));
    let Some(tag) = game.tags.iter().find(holds) else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    let mut bytes = tag.value.of(text).iter().enumerate().peekable();
    while let Some((nth, &byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next_if(|(_, next)| matches!(next, b'\\' | b'"'));
            }
            b'"' => edits.push(Edit::insert(tag.value.start as usize + nth, "\\")),
            _ => {}
        }
    }
    edits
}

/// Deletions of the brackets and blanks beside tag pairs and of the marks of quoted lines. Other
/// text becomes a comment, but for quotes, which may be of the value: then nothing is repaired.
fn stray_text(game: &Game, text: &[u8]) -> Vec<Edit> {
    let faults = game.faults.iter();
    let stray = faults.filter(|fault| fault.kind == FaultKind::StrayText);
    let has_quote = |fault: &Fault| fault.span.of(text).contains(&b'"');
    if stray.clone().any(has_quote) {
        return Vec::new();
    }
    let edits = |span: Span| {
        let (word, mut range) = (span.of(text), span.range());
        let is_removed = |byte| b"[](){}>; \t".contains(byte);
        if !word.iter().all(is_removed) && odd_blank(word) < word.len() {
            return vec![Edit::insert(range.start, "{"), Edit::insert(range.end, "}")];
        }
        if word == b">" && text[range.end..].starts_with(b" ") {
            range.end += 1;
        }
        vec![Edit::delete(&range)]
    };
    stray.flat_map(|fault| edits(fault.span)).collect()
}

fn mark_of(tag: &Tag, text: &[u8]) -> Option<ResultMark> {
    result::read(&tag.unescape(text)).value
}

/// A Result tag after that of Black, with the result mark of the movetext.
fn missing_result(game: &Game, text: &[u8]) -> Option<Edit> {
    if !game.has(TagName::White) || game.has(TagName::Result) {
        return None;
    }
    let (black, (mark, _)) = (game.known(TagName::Black)?, only_result(game)?);
    let tag = format!("{}[Result \"{mark}\"]", line_end(text));
    Some(Edit::insert(pair(&black, text)?.end, tag))
}

/// The result mark of the movetext, if nothing follows it that may be another.
fn only_result(game: &Game) -> Option<(ResultMark, Span)> {
    game.result
        .filter(|_| !game.has_fault(FaultKind::AfterResult))
}

/// The result mark of the movetext for a Result tag that is empty, `?` or `*`.
fn unknown_result(game: &Game, text: &[u8], finding: &Finding) -> Option<Edit> {
    let tag = game.known(TagName::Result)?;
    let (mark, span) = only_result(game)?;
    let concerned = [tag.name, tag.value, span].contains(&finding.span);
    let is_unknown = matches!(tag.value.of(text).trim_ascii(), b"" | b"?" | b"*");
    (concerned && is_unknown).then(|| Edit::new(tag.value, mark.as_str()))
}

/// Result of a game that a mate or stalemate has ended.
fn ended(played: &PlayedGame<'_>) -> Option<ResultMark> {
    let end = played.ending.filter(|_| played.stop.is_none())?;
    Some(by_board(end, played.end.turn()))
}

/// The result of the board for a result mark or a Result tag that is `*`.
fn result_of_board(game: &Game, text: &[u8], played: Option<&PlayedGame<'_>>) -> Vec<Edit> {
    let Some(mark) = played.and_then(ended) else {
        return Vec::new();
    };
    let tag = game.known(TagName::Result);
    let of_tag = tag.map(|tag| (mark_of(&tag, text), tag.value));
    let of_moves = game.result.map(|(mark, span)| (Some(mark), span));
    let unknown = [of_tag, of_moves].into_iter().flatten();
    unknown
        .filter(|(recorded, _)| *recorded == Some(ResultMark::Unknown))
        .map(|(_, span)| Edit::new(span, mark.as_str()))
        .collect()
}

/// A result mark at the end of the movetext, on a new line after a comment to the end of a line.
fn end_mark(text: &[u8], mark: ResultMark) -> Edit {
    let end = text.trim_ascii_end().len();
    let start = memchr::memrchr(b'\n', &text[..end]).map_or(0, |feed| feed + 1);
    let last = &text[start..end];
    let before = match last.contains(&b';') || last.starts_with(b"%") {
        true => line_end(text),
        false => " ",
    };
    Edit::insert(end, format!("{before}{mark}"))
}
