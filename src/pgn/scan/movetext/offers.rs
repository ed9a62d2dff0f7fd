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

/// Whether a word of an offer is one for a draw; `None` if it belongs to no offer.
fn word_of_offer(word: &[u8]) -> Option<bool> {
    const LONGEST: usize = 20;
    if word.len() > LONGEST || may_be_move(word) {
        return None;
    }
    let word = decode(word).to_lowercase();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    match word {
        "½" | "remisangebot" | "remisofferte" | "remiseaanbod" | "remisevoorstel" => Some(true),
        // English
        "a" | "an" | "the" | "game" | "offer" | "offers" | "offered" | "offering" | "propose"
        | "proposes" | "proposed" | "agree" | "agrees" | "agreed" | "agreement" | "by" | "to"
        | "and" | "is" | "was" | "white" | "black" | "accepted" | "declined" | "declines"
        | "refused" | "refuses" | "rejected" | "rejects" | "claim" | "claims" | "claimed" => {
            Some(false)
        }
        // German
        "bietet" | "ein" | "bieten" | "bot" | "angebot" | "angeboten" | "abgelehnt" | "lehnt"
        | "ab" | "vereinbart" | "schlägt" | "vor" | "vorgeschlagen" | "von" | "durch" | "weiß"
        | "weiss" | "schwarz" => Some(false),
        // French
        "offre" | "offerte" | "offrent" | "proposent" | "proposée" | "proposition" | "partie"
        | "acceptée" | "refuse" | "refusée" | "de" | "la" | "le" | "les" | "par" | "accord"
        | "d'accord" | "une" | "blancs" | "noirs" => Some(false),
        // Spanish and Portuguese
        "ofrece" | "ofrecen" | "ofrecidas" | "oferta" | "propone" | "propuestas" | "acordadas"
        | "aceptadas" | "rechazadas" | "rechaza" | "por" | "acuerdo" | "las" | "blancas"
        | "negras" | "oferece" | "oferecido" | "proposto" | "recusado" | "acordo" | "o"
        | "brancas" | "pretas" => Some(false),
        // Italian
        "offerta" | "proposta" | "accettata" | "rifiutata" | "rifiuta" | "concordata" | "per"
        | "accordo" | "d'accordo" | "il" | "di" | "bianco" | "nero" => Some(false),
        // Dutch
        "biedt" | "bieden" | "aan" | "aanbod" | "aangeboden" | "voorgesteld" | "overeengekomen"
        | "geweigerd" | "afgewezen" | "door" | "wit" | "zwart" => Some(false),
        _ => DRAWS.contains(&word).then_some(true),
    }
}
