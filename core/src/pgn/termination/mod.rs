//! Recorded reason for the end of a game: the `Termination` tag, tags of single sites, and the
//! closing comment, in one vocabulary. The original text is kept, and nothing is concluded from the
//! moves.

mod sentence;
mod wordings;

use arrayvec::ArrayVec;
use strum::{Display, IntoStaticStr, VariantArray};

use crate::chess::Color;
use crate::pgn::TagName;
use crate::pgn::game::Game;
use crate::pgn::gaps::{GapItem, gap_items};
use crate::pgn::termination::sentence::{Players, plain};
use crate::pgn::token::{Span, TokenKind};
use crate::pgn::values::is_unknown;
use crate::pgn::values::result::ResultMark;

/// Why a game ended, as somebody recorded it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// Mate on the board.
    Checkmate,
    /// A side gave up.
    Resignation,
    /// A side ran out of time and lost; with a draw as the result, the other side could not have
    /// won.
    TimeForfeit,
    /// A side left the game or did not go on with it.
    Abandoned,
    /// A side's connection broke or its program stopped.
    Disconnection,
    /// A side made an illegal move and lost by it.
    IllegalMove,
    /// A side broke a rule: forbidden help, an illegal move, a device that rang.
    RulesInfraction,
    /// A side did not come to the board.
    Default,
    /// No legal move and no check.
    Stalemate,
    /// The players agreed to a draw.
    Agreement,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// The same position for the fifth time.
    FivefoldRepetition,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// Seventy-five of them.
    #[strum(serialize = "seventyfive-moves")]
    SeventyFiveMoves,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// A side ran out of time, and the other one has not the pieces to mate.
    TimeAgainstInsufficientMaterial,
    /// Both sides ran out of time.
    BothOutOfTime,
    /// Somebody decided the result: an arbiter, a tablebase, a rule on the engines' assessments.
    Adjudication,
    /// A rule of another game than chess, such as a third check.
    VariantRule,
    /// A player died (PGN standard 9.8.1).
    Death,
    /// An unforeseen event (PGN standard 9.8.1).
    Emergency,
    /// To be continued.
    Adjourned,
    /// Broken off without a result.
    Aborted,
    /// Not ended yet when it was written down.
    Unterminated,
    /// In the usual way, which is not said: a mate, a resignation, a draw.
    Normal,
}

impl Reason {
    /// The word of the vocabulary.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a game that ends for this reason is drawn, whatever else is said.
    pub(crate) const fn is_draw(self) -> bool {
        matches!(
            self,
            Reason::Stalemate
                | Reason::Agreement
                | Reason::ThreefoldRepetition
                | Reason::FivefoldRepetition
                | Reason::FiftyMoves
                | Reason::SeventyFiveMoves
                | Reason::InsufficientMaterial
                | Reason::TimeAgainstInsufficientMaterial
                | Reason::BothOutOfTime
        )
    }
}

/// How a game was recorded to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Termination {
    /// Why; nothing where the words are none that are known.
    pub reason: Option<Reason>,
    /// The side that was mated, gave up, ran out of time or broke a rule, where the words say
    /// which.
    pub against: Option<Color>,
    /// The words themselves, in the game's text; of a tag its value, escapes not resolved.
    pub words: Span,
}

/// Tags that say how a game ended, the most telling first: TCEC's details, the Internet Chess
/// Club's and Raptor's sentences, and the tag of the PGN standard (9.8.1), in which chess.com
/// writes sentences and others one of few words.
const TAGS: [&str; 4] = [
    "TerminationDetails",
    "ICCResult",
    "ResultDescription",
    "Termination",
];

/// Whether a tag of a single site says how the game ended.
pub(crate) fn is_sentence_tag(name: &[u8]) -> bool {
    TAGS[..3]
        .iter()
        .any(|tag| name.eq_ignore_ascii_case(tag.as_bytes()))
}

impl Termination {
    /// Reads the end of a game from its tags and closing comment. A sentence that says more takes
    /// precedence over a word that says less. The organiser's word comes first: the details of an
    /// event, then an adjudication in any tag. The closing comment follows, as it was written for
    /// this game alone, then the other tags.
    pub fn of(game: &Game, text: &[u8]) -> Option<Termination> {
        let players = Players { game, text };
        let mut general = None;
        let tags = TAGS.map(|name| {
            let tag = game.tag(text, name)?;
            of_value(&tag.unescape(text), tag.value, &players)
        });
        let details = tags[0];
        let is_adjudication = |said: &Termination| said.reason == Some(Reason::Adjudication);
        let adjudication = tags.into_iter().flatten().find(is_adjudication);
        let comment = closing_comment(game, text, &players);
        // A comment on the adjudication may say who won by it.
        let decided = comment.filter(is_adjudication).or(adjudication);
        let in_order = [details, decided, comment].into_iter().chain(tags);
        for said in in_order.flatten() {
            match said.reason {
                Some(Reason::Normal | Reason::Unterminated) | None => {
                    // The first known one of two that say little.
                    if general.is_none_or(|other: Termination| {
                        other.reason.is_none() && said.reason.is_some()
                    }) {
                        general = Some(said);
                    }
                }
                Some(_) => return Some(said),
            }
        }
        bye(game, text).or(general)
    }

    /// Reads a result in words, such as `WhiteIsMated`.
    pub(crate) fn of_result(words: Span, game: &Game, text: &[u8]) -> Option<Termination> {
        let read = of_value(words.of(text), words, &Players { game, text })?;
        read.reason.is_some().then_some(read)
    }

    /// The result that the reason alone gives, if it gives one.
    pub fn implied_result(self) -> Option<ResultMark> {
        if self.reason?.is_draw() {
            return Some(ResultMark::Draw);
        }
        Some(match self.against? {
            Color::White => ResultMark::Black,
            Color::Black => ResultMark::White,
        })
    }
}

/// A game without an opponent: the player's name is `bye`.
fn bye(game: &Game, text: &[u8]) -> Option<Termination> {
    let players = [TagName::White, TagName::Black];
    let mut tags = players.into_iter().filter_map(|name| game.known(name));
    tags.find_map(|tag| {
        let is_bye = tag.value.of(text).eq_ignore_ascii_case(b"bye");
        is_bye.then_some(Termination {
            reason: Some(Reason::Default),
            against: None,
            words: tag.value,
        })
    })
}

fn of_value(value: &[u8], span: Span, players: &Players<'_>) -> Option<Termination> {
    let words = plain(value);
    if is_unknown(&words) || words == b"unknown" {
        return None;
    }
    // A remark may say that the words before it are a ruling.
    let remark = memchr::memrchr(b'(', value).map(|open| plain(&value[open..]));
    let read = remark
        .and_then(|remark| sentence::of_ruling(&remark))
        .or_else(|| sentence::of_tag(&words, players))
        .or_else(|| sentence::of_tag(&plain(&apart(value)), players));
    Some(Termination {
        reason: read.map(|(reason, _)| reason),
        against: read.and_then(|(_, against)| against),
        words: span,
    })
}

/// The words of a name that joins them, as in `WhiteIsMated`.
fn apart(value: &[u8]) -> Vec<u8> {
    let mut words = Vec::with_capacity(value.len());
    for (at, &byte) in value.iter().enumerate() {
        if byte.is_ascii_uppercase() && at > 0 && value[at - 1].is_ascii_lowercase() {
            words.push(b' ');
        }
        words.push(byte);
    }
    words
}

/// The last comment after the last move that is known to state how the game ended.
fn closing_comment(game: &Game, text: &[u8], players: &Players<'_>) -> Option<Termination> {
    let last = game
        .tokens
        .iter()
        .rfind(|token| !matches!(token.kind, TokenKind::Result(_)));
    let from = last.map_or(game.movetext, |token| token.span.end as usize);
    let after = gap_items(text, Span::new(from, text.len()));
    let sentences = after.filter_map(|item| match item {
        GapItem::Comment(Some(span)) => of_comment(text, span, players),
        _ => None,
    });
    sentences.last()
}

/// Reads a comment: all of it, or the part after an engine's evaluation, as in `+M1/20 0.1s, White
/// mates`.
fn of_comment(text: &[u8], span: Span, players: &Players<'_>) -> Option<Termination> {
    // Engines write their lines of play into comments; a sentence on the end is at their end, and
    // short.
    const LONGEST_END: usize = 160;
    const MOST_PARTS: usize = 4;
    let comment = span.of(text);
    let from = comment.len().saturating_sub(LONGEST_END);
    if comment.trim_ascii_end().ends_with(b"]") {
        // An embedded command, which no sentence follows.
        return None;
    }
    let places = (from..comment.len()).rev();
    let parts = places.filter(|&place| is_boundary(&comment[..place]));
    let mut parts: ArrayVec<usize, MOST_PARTS> = parts.take(MOST_PARTS).collect();
    if from == 0 {
        parts.truncate(MOST_PARTS - 1);
        parts.push(0);
    }
    let sentence = |part: usize| {
        let sentence = comment[part..].trim_ascii();
        let first = sentence.first()?;
        let is_sentence = first.is_ascii_alphanumeric() || !first.is_ascii();
        is_sentence.then(|| plain(sentence))
    };
    let known = |&part| Some((part, sentence::of_comment(&sentence(part)?, players)?));
    let ruling = |&part| Some((part, sentence::of_ruling(&sentence(part)?)?));
    // The longest first: a comma may belong to the sentence.
    let found = parts.iter().rev().find_map(known);
    let (part, (reason, against)) = found.or_else(|| parts.iter().find_map(ruling))?;
    let words = comment[part..].trim_ascii_start();
    let start = span.end as usize - words.len();
    Some(Termination {
        reason: Some(reason),
        against,
        words: Span::new(start, start + words.trim_ascii_end().len()),
    })
}

/// Whether a sentence may begin after this text: after a comma, an embedded command or XBoard's
/// label.
fn is_boundary(before: &[u8]) -> bool {
    match before {
        [.., b']'] | [.., b',', b' ' | b'\n'] | [.., b',', b'\r', b'\n'] => true,
        [.., b':', b' '] => before.ends_with(b"board adjudication: "),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
