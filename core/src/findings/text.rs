//! Findings about the text itself: what the reader could not make sense of.

use memchr::memchr_iter;

use crate::findings::finding::{Findings, end_of};
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::tags::has_move;
use crate::findings::{AtMove, Finding, shown};
use crate::pgn::{Fault, FaultKind, Game, Span, TokenKind};
use crate::split::{END_OF_FILE_MARK, POSITIONS, content_of};
use crate::text::{count_characters, first_wide_blank, wide_blank};

/// The finding about a text without any part of a game.
pub fn unreadable_game(game: &Game, text: &[u8]) -> Finding {
    let span = Span::new(game.start, (game.start + 1).min(text.len()));
    let content = content_of(text.get(game.start..).unwrap_or_default());
    let message = if game.words() == 0 {
        "the text has no tag pair, move or result".to_owned()
    } else if let Some(content) = content {
        format!("the text is not PGN: it looks like {content}")
    } else {
        "the text is not PGN: it has no tag pair and does not read as movetext".to_owned()
    };
    let finding = Finding::new(&codes::UNREADABLE_GAME, span, message);
    match content {
        Some(POSITIONS) => {
            finding.help("`validate --input-format epd` reads a position on each line")
        }
        _ => finding,
    }
}

/// Adds the findings about the reader's faults of the kinds that are judged, in the movetext or
/// before it. `ends` are the words that ended a variation, with their moves, in order.
pub(crate) fn faults(
    game: &Game,
    text: &[u8],
    played: Option<&PlayedGame<'_>>,
    mut ends: Vec<(Span, AtMove)>,
    is_judged: impl Fn(FaultKind, bool) -> bool,
    findings: &mut Findings<'_>,
) {
    if game.faults.is_empty() {
        return;
    }
    let stop = played.and_then(PlayedGame::stop);
    ends.extend(stop.map(|(stop, at)| (stop.token.span, at)));
    let mut tokens = game.tokens.iter().peekable();
    let mut depth = 0_usize;
    let mut strays = false;
    for one in &game.faults {
        let in_movetext = one.span.start as usize >= game.movetext;
        // NULs and end-of-file marks are reported by the checks of bytes.
        let word = one.span.of(text);
        let control = word.iter().all(|byte| [0, END_OF_FILE_MARK].contains(byte));
        // Stray text is reported once per game.
        let is_repeated = one.kind == FaultKind::StrayText && std::mem::replace(&mut strays, true);
        if control && !word.is_empty() || is_repeated || !is_judged(one.kind, in_movetext) {
            continue;
        }
        while let Some(token) = tokens.next_if(|token| token.span.start < one.span.start) {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // Faults that break the game's text keep their severity in variations.
        let in_variation = depth > 0
            && matches!(
                one.kind,
                FaultKind::UnreadableToken
                    | FaultKind::UnknownSymbol
                    | FaultKind::NagOutOfRange
                    | FaultKind::NestedComment
                    | FaultKind::BraceInComment
            );
        if in_variation && findings.checks.mainline_only {
            continue;
        }
        let end = ends.binary_search_by_key(&one.span, |end| end.0);
        let at = end.ok().map(|nth| ends[nth].1.clone());
        findings.push(fault(game, one, text, at).in_variation(in_variation));
    }
    for &kind in FaultKind::ALL {
        if is_judged(kind, true) {
            findings.leave_out(described(kind).0, game.more_faults(kind));
        }
    }
}

/// The rule of a fault of the reader, the message, in which `{}` is the word, and the help.
fn described(kind: FaultKind) -> (&'static Rule, &'static str, Option<&'static str>) {
    match kind {
        FaultKind::UnreadableToken => (&codes::UNREADABLE_TOKEN, "`{}` is not a move", None),
        FaultKind::MalformedTag => (
            &codes::MALFORMED_TAG,
            "`{}` is not a well-formed tag pair",
            Some("a tag pair has a name and a value in quotes: `[White \"Morphy, Paul\"]`"),
        ),
        FaultKind::UnclosedTag => (
            &codes::UNCLOSED_TAG,
            "the tag value has no closing quote",
            Some("the value is read to the end of the line"),
        ),
        FaultKind::UnescapedQuote => (
            &codes::UNESCAPED_QUOTE,
            "a quote inside a tag value has no backslash before it",
            Some("write `\\\"`; the value is read to the last quote of the line"),
        ),
        FaultKind::UnknownSymbol => (
            &codes::UNKNOWN_SYMBOL,
            "`{}` is not a symbol of the PGN standard",
            None,
        ),
        FaultKind::DrawOffer => (
            &codes::DRAW_OFFER,
            "`{}` among the moves is read as an offer of a draw",
            Some("write it as a comment, in braces"),
        ),
        FaultKind::WideBlank => (
            &codes::BLANK_OUTSIDE_ASCII,
            "blank outside ASCII, {}, in the movetext",
            Some("it is read as a space; other programs may lose the moves beside it"),
        ),
        // The message depends on the text.
        FaultKind::StrayText => (&codes::TEXT_BESIDE_TAG, "", None),
        FaultKind::UnclosedComment => (
            &codes::UNCLOSED_COMMENT,
            "the comment is not closed",
            Some(
                "the rest of the game is not read; the next game begins at the next tag pair \
                after a blank line",
            ),
        ),
        FaultKind::UnclosedVariation => (
            &codes::UNCLOSED_VARIATION,
            "the variation is not closed",
            Some("everything after the parenthesis belongs to the variation"),
        ),
        FaultKind::TagInComment => (
            &codes::TAG_IN_COMMENT,
            "this line of a comment looks like a tag pair of another game",
            Some("does the comment lack its `}`?"),
        ),
        FaultKind::StrayParenthesis => (&codes::STRAY_PARENTHESIS, "`)` without `(`", None),
        FaultKind::StrayBrace => (
            &codes::STRAY_BRACE,
            "`}` without `{`",
            Some("words between it and the previous comment are read as part of that comment"),
        ),
        FaultKind::NestedComment => (
            &codes::NESTED_COMMENT,
            "`}` left over from a nested comment",
            Some("comments do not nest: the first `}` ends the comment"),
        ),
        FaultKind::BraceInComment => (
            &codes::BRACE_IN_COMMENT,
            "`{` inside a comment",
            Some("does the previous comment lack its `}`? moves between the two are not read"),
        ),
        FaultKind::NagOutOfRange => (
            &codes::NAG_OUT_OF_RANGE,
            "`{}` is not a NAG",
            Some("NAGs are `$0` to `$255`"),
        ),
        FaultKind::GluedResult => (
            &codes::GLUED_RESULT,
            "no space between the last move and the result `{}`",
            Some("they are read as a move and a result"),
        ),
        FaultKind::AfterResult => (
            &codes::TEXT_AFTER_RESULT,
            "`{}` follows the result mark",
            Some("the first result mark ends the game; moves after it are not replayed"),
        ),
        FaultKind::BlankLine => (
            &codes::BLANK_LINE,
            "blank line in the middle of the game",
            Some("remove it: many programs end the game there"),
        ),
        FaultKind::CommentAlone => (
            &codes::COMMENT_OUTSIDE_GAME,
            "the comment is outside the game",
            Some("move it between the tags and the result"),
        ),
        FaultKind::TooLong => (
            &codes::GAME_TOO_LONG,
            "the game has more moves, variations, words or tags than are read",
            Some("the rest of it is left out"),
        ),
    }
}

/// The finding of a fault of the reader.
pub(crate) fn fault(game: &Game, fault: &Fault, text: &[u8], at: Option<AtMove>) -> Finding {
    if fault.kind == FaultKind::UnreadableToken {
        return unreadable_token(game, fault.span, text, at);
    }
    let (rule, message, help) = described(fault.kind);
    let word = fault.span.of(text);
    let blank = || first_wide_blank(word);
    let help = help.map(str::to_owned);
    let (word, help) = match fault.kind {
        FaultKind::WideBlank => (blank().unwrap_or_default(), help),
        FaultKind::StrayText => return stray_text(fault.span, text),
        FaultKind::MalformedTag => {
            let why =
                |blank| format!("it has a blank outside ASCII, {blank}: write a space instead");
            (shown(word), blank().map(why).or(help))
        }
        _ => (shown(word), help),
    };
    let message = message.replace("{}", &word);
    Finding {
        help,
        at,
        ..Finding::new(rule, fault.span, message)
    }
}

/// Text beside a tag pair, or the mark of a quoted line.
fn stray_text(span: Span, text: &[u8]) -> Finding {
    let word = span.of(text);
    let (message, help) = match first_wide_blank(word).filter(|_| wide_blank(word) == word.len()) {
        Some(blank) => (
            format!("blank outside ASCII, {blank}, beside a tag pair"),
            "it is read as a space; other programs may not find the tag pair",
        ),
        None if word == b">" => (
            "the lines are quoted with `>`, as in mail".to_owned(),
            "the marks are ignored",
        ),
        None => (
            format!("`{}` stands beside a tag pair", shown(word)),
            "it is ignored; a comment is written `{…}` or `; …`",
        ),
    };
    Finding::new(&codes::TEXT_BESIDE_TAG, span, message).help(help)
}

/// A word that is no move.
pub(crate) fn unreadable_token(
    game: &Game,
    span: Span,
    text: &[u8],
    at: Option<AtMove>,
) -> Finding {
    let help = at.as_ref().map(|at| match game.nearly {
        // The first plies are legal in other letters.
        Some((set, plies)) if at.ply <= plies => format!(
            "the first {plies} plies are legal in other piece letters, {set}: try \
             `--piece-letters {}`",
            set.languages[0].code
        ),
        _ if is_file_capture(span.of(text)) => {
            "a pawn capture names its target square, as in `dxe5`; nothing after it is replayed"
                .to_owned()
        }
        _ => "it may be a move, so nothing after it is replayed".to_owned(),
    });
    let message = format!("`{}` is not a move", shown(span.of(text)));
    Finding {
        help,
        at,
        ..Finding::new(&codes::UNREADABLE_TOKEN, span, message)
    }
}

/// `dxe` or `de`, short for a capture.
fn is_file_capture(word: &[u8]) -> bool {
    matches!(
        word,
        [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x' | b':', b'a'..=b'h']
    )
}

/// The movetext ends without a result mark, and is read to its end.
pub(crate) fn unfinished(game: &Game, text: &[u8]) -> Option<Finding> {
    let swallowed = [FaultKind::UnclosedComment, FaultKind::TooLong];
    let without_moves = || !game.tags.is_empty() && !has_move(game);
    if game.is_over() || swallowed.iter().any(|&it| game.has_fault(it)) || without_moves() {
        return None;
    }
    let message = "the game has no result mark";
    let finding = Finding::new(&codes::UNFINISHED_GAME, end_of(text), message);
    Some(finding.help("end the movetext with `1-0`, `0-1`, `1/2-1/2` or `*`"))
}

/// Lines of movetext in the export format have less characters than this (PGN standard 8.2.1).
pub const TOO_LONG: usize = 80;

/// Checks every line of a game's text, which matters to the export format only.
pub(crate) fn lines(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    let looked_for = [
        &codes::ESCAPE_LINE,
        &codes::TAB,
        &codes::LONG_LINE,
        &codes::SPACE_AT_LINE_END,
    ];
    if !looked_for.into_iter().any(|rule| findings.checks.has(rule)) {
        return;
    }
    let tabs = memchr::memchr(b'\t', text).is_some();
    let mut start = 0;
    let ends = memchr_iter(b'\n', text).chain([text.len()]);
    for end in ends {
        let line = &text[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if start >= game.start {
            check_line(line, start, tabs, start >= game.movetext, findings);
        }
        start = end + 1;
    }
}

fn check_line(line: &[u8], start: usize, tabs: bool, movetext: bool, findings: &mut Findings<'_>) {
    let end = start + line.len();
    let mut report = |rule: &'static Rule, from: usize, to: usize, message: String| {
        findings.push(Finding::new(rule, Span::new(from, to), message));
    };
    if line.first() == Some(&b'%') {
        let message = "the line begins with `%` and is ignored".to_owned();
        report(&codes::ESCAPE_LINE, start, end, message);
        return;
    }
    if tabs && let Some(tab) = memchr::memchr(b'\t', line) {
        let message = "the line has a tab".to_owned();
        report(&codes::TAB, start + tab, start + tab + 1, message);
    }
    if !movetext {
        return;
    }
    if line.len() >= TOO_LONG {
        let characters = count_characters(line);
        if characters >= TOO_LONG {
            let message = format!("the line has {characters} characters");
            report(&codes::LONG_LINE, start, end, message);
        }
    }
    let blank = |byte: Option<&u8>| byte == Some(&b' ');
    if blank(line.last()) || blank(line.first()) {
        let (which, at) = if blank(line.last()) {
            ("ends", end - 1)
        } else {
            ("begins", start)
        };
        let message = format!("the line {which} with a space");
        report(&codes::SPACE_AT_LINE_END, at, at + 1, message);
    }
}
