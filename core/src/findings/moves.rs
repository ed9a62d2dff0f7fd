//! Findings about moves: those that cannot be played, and the notation of those that can.

use std::fmt::Write;

use crate::chess::Position;
use crate::chess::SanError;
use crate::chess::piece::Role;
use crate::chess::san::{San, SanPlus};
use crate::findings::edit::{Edit, Repair};
use crate::findings::finding::Findings;
use crate::findings::registry as codes;
use crate::findings::registry::{Fix, deviation, is_slip};
use crate::findings::{AtMove, Checks, Finding, shown};
use crate::notation::{LenientSan, LetterSet, Letters, NotationVariant, NotationVariants};
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::{Ply, Stop, StopReason};

/// The finding of a replay that stopped at a move; nothing where the reader reports the token
/// itself.
pub(crate) fn stop(stop: &Stop, at: AtMove, text: &[u8]) -> Option<Finding> {
    let StopReason::Illegal(_, error) = stop.reason else {
        return None;
    };
    let word = shown(stop.token.span.of(text));
    let (rule, message) = match error {
        SanError::NullMove => (&codes::NULL_MOVE, format!("`{word}` is a null move")),
        SanError::Ambiguous { .. } => {
            let message = format!("`{word}` is ambiguous: {error}");
            (&codes::AMBIGUOUS_MOVE, message)
        }
        _ => {
            let message = format!("`{word}` is illegal: {error}");
            (&codes::ILLEGAL_MOVE, message)
        }
    };
    let finding = Finding::new(rule, stop.token.span, message);
    Some(Finding {
        reason: Some(error.word()),
        ..finding.help("nothing after it is replayed").at(at)
    })
}

/// Checks the notation of the moves of one game. For a variant of the whole text the first move is
/// reported, with the number of the others, unless every move is to be reported.
pub(crate) struct NotationCheck<'a> {
    game: &'a Game,
    text: &'a [u8],
    checks: &'a Checks,
    wanted: NotationVariants,
    /// Moves in the piece letters of another language, in English ones.
    letters: Vec<Edit>,
    /// For each variant the first finding, and the number of further moves.
    first: [Option<(Finding, u32)>; NotationVariant::ALL.len()],
}

impl<'a> NotationCheck<'a> {
    pub(crate) fn new(game: &'a Game, text: &'a [u8], checks: &'a Checks) -> NotationCheck<'a> {
        let wanted = match game.letters {
            None => checks.deviations,
            // A bishop with another letter is not meant by `b`.
            Some(_) => checks.deviations.without(NotationVariant::PawnOrBishop),
        };
        NotationCheck {
            game,
            text,
            checks,
            wanted,
            letters: Vec::new(),
            first: [const { None }; _],
        }
    }

    /// Checks a move that has been played.
    pub(crate) fn ply(
        &mut self,
        ply: &Ply,
        before: &Position,
        after: &Position,
        in_variation: bool,
        findings: &mut Findings<'_>,
    ) {
        let TokenKind::San(plus) = ply.token.kind else {
            return;
        };
        let collects = self.game.letters.is_some() && self.checks.has(&codes::OTHER_PIECE_LETTERS);
        if self.wanted == NotationVariants::NONE && !collects {
            return;
        }
        let lenient = self.read(&ply.token, plus);
        let variants = lenient.variants(before, ply.mv, after, self.wanted);
        let is_certain = |variant| deviation(variant).0.fix == Fix::Certain;
        let other = match self.game.letters {
            None => lenient.bishop_instead(before).filter(|&mv| mv != ply.mv),
            Some(_) => None,
        };
        let is_certain = variants.iter().all(is_certain) && other.is_none();
        if collects {
            let english = if is_certain && variants != NotationVariants::NONE {
                SanPlus::of(before, ply.mv, after)
            } else {
                plus
            };
            let edit = Edit::of_move(ply.token.span, self.text, &english.to_string());
            if edit.text.as_bytes() != ply.token.span.of(self.text) {
                self.letters.push(edit);
            }
        }
        for variant in variants.iter() {
            let (rule, fault) = deviation(variant);
            if let Some((_, more)) = &mut self.first[variant as usize] {
                *more += 1;
                continue;
            }
            let is_counted = !is_slip(variant) && !self.checks.names_every_place(rule);
            if !findings.admit(rule, in_variation) {
                continue;
            }
            let (span, word) = (ply.token.span, ply.token.span.of(self.text));
            let standard = SanPlus::of(before, ply.mv, after).to_string();
            let mut help = format!("write `{standard}`");
            let mut repair = None;
            match other {
                Some(bishop) => {
                    let bishop = San::of(before, bishop);
                    help += &format!(", or `{bishop}` if the bishop is meant");
                }
                None => {
                    let edit = Edit::of_move(span, self.text, &standard);
                    repair = Repair::new(vec![edit], is_certain);
                }
            }
            let message = format!("`{}` {fault}", shown(word));
            let finding = Finding {
                help: Some(help),
                at: Some(AtMove::new(ply.number, word, before)),
                repair,
                ..Finding::new(rule, span, message).in_variation(in_variation)
            };
            if is_counted {
                self.first[variant as usize] = Some((finding, 0));
            } else {
                findings.push_admitted(finding);
            }
        }
    }

    /// The word with its notation variants.
    fn read(&self, token: &Token, plus: SanPlus) -> LenientSan {
        let word = token.span.of(self.text);
        let plain = LenientSan {
            plus,
            variants: NotationVariants::NONE,
        };
        let letters = self.game.letters.map(Letters::first);
        let set = letters.unwrap_or(LetterSet::english());
        let read = LenientSan::read(word, set);
        read.map_or(plain, |(lenient, _)| LenientSan { plus, ..lenient })
    }

    /// Reports the counted variants. Returns the moves in English piece letters.
    pub(crate) fn finish(self, findings: &mut Findings<'_>) -> Vec<Edit> {
        for (mut finding, more) in self.first.into_iter().flatten() {
            let moves = if more == 1 { "move" } else { "moves" };
            if more > 0 {
                let _ = write!(finding.message, " (and {more} more {moves} of this game)");
            }
            findings.push_admitted(finding);
        }
        self.letters
    }
}

/// Reports a game in the piece letters of another language.
pub(crate) fn other_letters(game: &Game, text: &[u8]) -> Option<Finding> {
    let letters = game.letters?;
    let set = letters.first();
    let has_letter = |san: San| match san {
        San::Piece(piece) => {
            let differs = |role: Role| set.letter(role) != LetterSet::english().letter(role);
            let is_piece = piece.role != Role::Pawn;
            is_piece && differs(piece.role) || piece.promotion.is_some_and(differs)
        }
        _ => false,
    };
    let (token, plus) = game.tokens.iter().find_map(|token| match token.kind {
        TokenKind::San(plus) if has_letter(plus.san) => Some((token, plus)),
        _ => None,
    })?;
    let sets: Vec<_> = letters.sets().map(ToString::to_string).collect();
    let word = shown(token.span.of(text));
    let sets = sets.join(" or ");
    let message = format!("the piece letters are {sets}, not English: `{word}` is `{plus}`");
    let finding = Finding::new(&codes::OTHER_PIECE_LETTERS, token.span, message);
    Some(finding.help("PGN has the letters K Q R B N"))
}
