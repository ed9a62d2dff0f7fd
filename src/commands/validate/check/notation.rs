//! Findings about the notation of moves, which are played anyway.

use std::fmt::Write;

use crate::chess::Position;
use crate::chess::piece::Role;
use crate::chess::san::{San, SanPlus};
use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{AtMove, Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::notation::{LenientSan, LetterSet, NotationVariant, NotationVariants};
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::Ply;

/// Whether a variant is a slip at one move, or how a whole text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Move,
    Text,
}

/// The rule of a variant, its extent, and the fault in words that follow the move.
fn report(variant: NotationVariant) -> (&'static Rule, Extent, &'static str) {
    match variant {
        NotationVariant::MissingCheckMark => (
            &codes::MISSING_CHECK_MARK,
            Extent::Text,
            "gives check, but lacks `+`",
        ),
        NotationVariant::MissingMateMark => (
            &codes::MISSING_MATE_MARK,
            Extent::Text,
            "mates, but lacks `#`",
        ),
        NotationVariant::SpuriousCheckMark => (
            &codes::SPURIOUS_CHECK_MARK,
            Extent::Move,
            "has `+`, but gives no check",
        ),
        NotationVariant::SpuriousMateMark => (
            &codes::SPURIOUS_MATE_MARK,
            Extent::Move,
            "has `#`, but gives no check",
        ),
        NotationVariant::CheckMarkForMate => (
            &codes::CHECK_MARK_FOR_MATE,
            Extent::Text,
            "mates, but is marked with `+`",
        ),
        NotationVariant::MateMarkForCheck => (
            &codes::MATE_MARK_FOR_CHECK,
            Extent::Move,
            "is marked with `#`, but the check can be answered",
        ),
        NotationVariant::OddCheckMark => (
            &codes::OTHER_CHECK_MARK,
            Extent::Text,
            "marks check other than with `+` or `#` at the move",
        ),
        NotationVariant::MissingCaptureMark => (
            &codes::MISSING_CAPTURE_MARK,
            Extent::Text,
            "captures, but lacks `x`",
        ),
        NotationVariant::SpuriousCaptureMark => (
            &codes::SPURIOUS_CAPTURE_MARK,
            Extent::Move,
            "has `x`, but captures nothing",
        ),
        NotationVariant::OddCaptureMark => (
            &codes::OTHER_CAPTURE_MARK,
            Extent::Text,
            "marks the capture other than with `x`",
        ),
        NotationVariant::NeedlessFile => (
            &codes::NEEDLESS_FILE,
            Extent::Text,
            "has a needless file of origin",
        ),
        NotationVariant::NeedlessRank => (
            &codes::NEEDLESS_RANK,
            Extent::Text,
            "has a needless rank of origin",
        ),
        NotationVariant::NeedlessSquare => (
            &codes::NEEDLESS_SQUARE,
            Extent::Text,
            "has a needless square of origin",
        ),
        NotationVariant::RankForFile => (
            &codes::RANK_FOR_FILE,
            Extent::Text,
            "has a rank of origin where the file suffices",
        ),
        NotationVariant::LongAlgebraic => (
            &codes::LONG_ALGEBRAIC,
            Extent::Text,
            "is long algebraic notation",
        ),
        NotationVariant::Uci => (&codes::UCI_NOTATION, Extent::Text, "is UCI notation"),
        NotationVariant::CastlingWithZeros => (
            &codes::CASTLING_WITH_ZEROS,
            Extent::Text,
            "is castling with zeros",
        ),
        NotationVariant::OddCastling => (
            &codes::OTHER_CASTLING,
            Extent::Text,
            "is castling with characters other than `O`",
        ),
        NotationVariant::PawnLetter => (
            &codes::PAWN_LETTER,
            Extent::Text,
            "has a letter for the pawn",
        ),
        NotationVariant::PromotionWithoutEquals => (
            &codes::PROMOTION_WITHOUT_EQUALS,
            Extent::Text,
            "is a promotion without `=`",
        ),
        NotationVariant::LowerCasePromotion => (
            &codes::LOWER_CASE_PROMOTION,
            Extent::Text,
            "has a lower-case promotion letter",
        ),
        NotationVariant::LowerCasePiece => (
            &codes::LOWER_CASE_PIECE,
            Extent::Text,
            "has a lower-case piece letter",
        ),
        NotationVariant::UpperCaseFile => (
            &codes::UPPER_CASE_FILE,
            Extent::Text,
            "has an upper-case file letter",
        ),
        NotationVariant::EnPassantMark => (
            &codes::EN_PASSANT_MARK,
            Extent::Text,
            "marks a capture en passant",
        ),
        NotationVariant::SpuriousEnPassantMark => (
            &codes::SPURIOUS_EN_PASSANT_MARK,
            Extent::Move,
            "marks a capture en passant, but is not one",
        ),
        NotationVariant::OddDash => (
            &codes::OTHER_DASH,
            Extent::Text,
            "has a dash other than the hyphen",
        ),
        NotationVariant::SignBehindMove => (
            &codes::SIGN_BEHIND_MOVE,
            Extent::Text,
            "ends with a character that is not part of a move",
        ),
        NotationVariant::MarkInParentheses => (
            &codes::MARK_IN_PARENTHESES,
            Extent::Text,
            "has a mark in parentheses",
        ),
    }
}

/// The variants that are checked.
pub(crate) fn wanted(checks: &Checks) -> NotationVariants {
    NotationVariant::ALL
        .into_iter()
        .filter(|&variant| checks.has(report(variant).0))
        .collect()
}

/// The variants that a word of standard notation can have.
fn in_standard_words() -> NotationVariants {
    NotationVariants::from_iter([
        NotationVariant::CastlingWithZeros,
        NotationVariant::PawnLetter,
        NotationVariant::LowerCasePromotion,
    ])
}

/// Whether a word of standard notation may have one of these variants.
fn may_deviate(word: &[u8]) -> bool {
    matches!(word, [b'0' | b'P', ..]) || word.contains(&b'=')
}

/// Checks the notation of the moves of one game. For a variant of the whole text the first move is
/// reported, with the number of the others, unless every move is to be reported.
pub(crate) struct NotationCheck<'a> {
    game: &'a Game,
    text: &'a [u8],
    checks: &'a Checks,
    wanted: NotationVariants,
    in_standard_words: bool,
    /// For each variant the first finding, and the number of further moves.
    first: [Option<(Finding, u32)>; NotationVariant::ALL.len()],
}

impl<'a> NotationCheck<'a> {
    pub(crate) fn new(game: &'a Game, text: &'a [u8], checks: &'a Checks) -> NotationCheck<'a> {
        let wanted = checks.deviations();
        NotationCheck {
            game,
            text,
            checks,
            wanted,
            in_standard_words: wanted.meets(in_standard_words()),
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
        if self.wanted == NotationVariants::NONE {
            return;
        }
        let lenient = self.read(&ply.token, plus);
        for variant in lenient.variants(before, ply.mv, after, self.wanted).iter() {
            let (rule, extent, fault) = report(variant);
            if let Some((_, more)) = &mut self.first[variant as usize] {
                *more += 1;
                continue;
            }
            let is_counted = extent == Extent::Text && !self.checks.names_every_place(rule);
            if !findings.admit(rule, in_variation) {
                continue;
            }
            let word = shown(ply.token.span.of(self.text));
            let standard = SanPlus::of(before, ply.mv, after);
            let finding = Finding::new(rule, ply.token.span, format!("`{word}` {fault}"))
                .help(format!("write `{standard}`"))
                .at(AtMove::new(
                    ply.number,
                    ply.token.span.of(self.text),
                    before,
                ))
                .in_variation(in_variation);
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
        let set = match self.game.letters {
            Some(letters) => letters.first(),
            None if !(self.in_standard_words && may_deviate(word))
                && SanPlus::from_ascii(word).is_ok() =>
            {
                return plain;
            }
            None => LetterSet::english(),
        };
        let read = LenientSan::read(word, set);
        read.map_or(plain, |(lenient, _)| LenientSan { plus, ..lenient })
    }

    /// Reports the counted variants.
    pub(crate) fn finish(self, findings: &mut Findings<'_>) {
        for (mut finding, more) in self.first.into_iter().flatten() {
            let moves = if more == 1 { "move" } else { "moves" };
            if more > 0 {
                let _ = write!(finding.message, " (and {more} more {moves} of this game)");
            }
            findings.push_admitted(finding);
        }
    }
}

/// Reports a game in the piece letters of another language.
pub(crate) fn other_letters(game: &Game, text: &[u8]) -> Option<Finding> {
    let letters = game.letters?;
    let set = letters.first();
    let has_letter = |san: San| match san {
        San::Piece {
            role, promotion, ..
        } => {
            let differs = |role: Role| set.letter(role) != LetterSet::english().letter(role);
            role != Role::Pawn && differs(role) || promotion.is_some_and(differs)
        }
        _ => false,
    };
    let (token, plus) = game.tokens.iter().find_map(|token| match token.kind {
        TokenKind::San(plus) if has_letter(plus.san) => Some((token, plus)),
        _ => None,
    })?;
    let sets: Vec<_> = letters.sets().map(ToString::to_string).collect();
    let word = shown(token.span.of(text));
    let message = format!(
        "the piece letters are {}, not English: `{word}` is `{plus}`",
        sets.join(" or "),
    );
    Some(
        Finding::new(&codes::OTHER_PIECE_LETTERS, token.span, message)
            .help("PGN has the letters K Q R B N"),
    )
}

/// The help for a game of which the first plies are legal in other letters.
pub(crate) fn nearly_legal_in(set: &LetterSet, plies: u32) -> String {
    format!(
        "the first {plies} plies are legal in other piece letters, {set}: try `--piece-letters {}`",
        set.languages[0].code
    )
}

// Arrays are indexed by variant.
const _: () =
    assert!(NotationVariant::MarkInParentheses as usize + 1 == NotationVariant::ALL.len());
