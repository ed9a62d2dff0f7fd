//! Words that offer a draw among the moves.

use crate::pgn::scan::movetext::{Movetext, may_be_move, token_end};
use crate::pgn::scan::{skip_blank, skip_comments};
use crate::pgn::token::{FaultKind, TokenKind};
use crate::pgn::values::result::DRAWS;
use crate::text::decode;

impl Movetext<'_> {
    /// Passes over words for a draw, and for who offers or answers it, if they follow a move and a
    /// move or a question mark follows them; returns whether there are such words.
    pub(crate) fn draw_offer(&mut self, start: usize) -> bool {
        let follows_move = self.game.tokens.last().is_some_and(|last| match last.kind {
            TokenKind::San(_) | TokenKind::Close => true,
            TokenKind::Unreadable => may_be_move(last.span.of(self.text)),
            _ => false,
        });
        if self.over || !follows_move {
            return false;
        }
        let (mut end, mut next) = (start, start);
        let mut names_draw = false;
        loop {
            let word_end = self.word_end(next);
            let Some(is_draw) = word_of_offer(&self.text[next..word_end]) else {
                break;
            };
            names_draw |= is_draw;
            end = word_end;
            next = skip_blank(self.text, end, false);
        }
        let rest = &self.text[end..];
        let is_offer = names_draw && (rest.starts_with(b"?") || begins_with_move(rest));
        if is_offer {
            self.at = end;
            self.fault(FaultKind::DrawOffer, start, end);
        }
        is_offer
    }
}

/// Whether a move is the first word after marks, comments and a move number.
fn begins_with_move(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(start) = skip_comments(text, at).filter(|&start| start < text.len()) {
        at = token_end(text, start).max(start + 1);
        let word = &text[start..at];
        let is_between = |byte: &u8| b" \t\r\n.!?$(=)0123456789".contains(byte);
        if !word.iter().all(is_between) {
            return may_be_move(word);
        }
    }
    false
}

/// Stems of verbs for offering, agreeing and answering, and of words for the sides, in the
/// languages of [`DRAWS`].
const STEMS: [&str; 54] = [
    "offer", "propos", "agree", "claim", "declin", "refus", "reject", "accept", "white", "black",
    "game", "biet", "angeb", "abgeleh", "lehnt", "vereinb", "schlägt", "vorgesch", "weiß", "weiss",
    "schwarz", "offr", "partie", "accord", "d'accord", "blanc", "noir", "ofrec", "oferec", "ofert",
    "propon", "propues", "acord", "acuerd", "acept", "rechaz", "recus", "negr", "branc", "preta",
    "jugador", "accett", "rifiut", "concord", "bianc", "nero", "bied", "aanbod", "aangebo",
    "voorgest", "overeen", "geweig", "afgewez", "zwart",
];

/// Articles, prepositions and other short words of an offer.
const SHORT: [&str; 32] = [
    "a", "an", "the", "by", "to", "and", "is", "was", "ein", "ab", "vor", "von", "durch", "de",
    "la", "le", "les", "un", "une", "par", "por", "per", "las", "os", "o", "di", "il", "e", "aan",
    "door", "wit", "bot",
];

/// Whether a word of an offer is one for a draw; `None` if it belongs to no offer.
fn word_of_offer(word: &[u8]) -> Option<bool> {
    const LONGEST: usize = 20;
    if word.len() > LONGEST || may_be_move(word) {
        return None;
    }
    let word = decode(word).to_lowercase();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let begins = |stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
    if DRAWS.contains(&word) || word == "½" || begins(&["remis"]) {
        return Some(true);
    }
    (SHORT.contains(&word) || begins(&STEMS)).then_some(false)
}
