//! Findings about moves that are written otherwise than the standard asks. The moves are played all the same.

use std::fmt::Write;

use crate::chess::Position;
use crate::chess::san::SanPlus;
use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{AtMove, Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::notation::{LenientSan, LetterSet, NotationVariant, NotationVariants};
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::Ply;

/// The rule for each deviation.
fn rule(deviation: NotationVariant) -> &'static Rule {
    match deviation {
        NotationVariant::MissingCheckMark => &codes::MISSING_CHECK_MARK,
        NotationVariant::MissingMateMark => &codes::MISSING_MATE_MARK,
        NotationVariant::SpuriousCheckMark => &codes::SPURIOUS_CHECK_MARK,
        NotationVariant::SpuriousMateMark => &codes::SPURIOUS_MATE_MARK,
        NotationVariant::CheckMarkForMate => &codes::CHECK_MARK_FOR_MATE,
        NotationVariant::MateMarkForCheck => &codes::MATE_MARK_FOR_CHECK,
        NotationVariant::OddCheckMark => &codes::OTHER_CHECK_MARK,
        NotationVariant::MissingCaptureMark => &codes::MISSING_CAPTURE_MARK,
        NotationVariant::SpuriousCaptureMark => &codes::SPURIOUS_CAPTURE_MARK,
        NotationVariant::OddCaptureMark => &codes::OTHER_CAPTURE_MARK,
        NotationVariant::NeedlessFile => &codes::NEEDLESS_FILE,
        NotationVariant::NeedlessRank => &codes::NEEDLESS_RANK,
        NotationVariant::NeedlessSquare => &codes::NEEDLESS_SQUARE,
        NotationVariant::RankForFile => &codes::RANK_FOR_FILE,
        NotationVariant::LongAlgebraic => &codes::LONG_ALGEBRAIC,
        NotationVariant::Uci => &codes::UCI_NOTATION,
        NotationVariant::CastlingWithZeros => &codes::CASTLING_WITH_ZEROS,
        NotationVariant::OddCastling => &codes::OTHER_CASTLING,
        NotationVariant::PawnLetter => &codes::PAWN_LETTER,
        NotationVariant::PromotionWithoutEquals => &codes::PROMOTION_WITHOUT_EQUALS,
        NotationVariant::LowerCasePromotion => &codes::LOWER_CASE_PROMOTION,
        NotationVariant::LowerCasePiece => &codes::LOWER_CASE_PIECE,
        NotationVariant::UpperCaseFile => &codes::UPPER_CASE_FILE,
        NotationVariant::EnPassantMark => &codes::EN_PASSANT_MARK,
        NotationVariant::SpuriousEnPassantMark => &codes::SPURIOUS_EN_PASSANT_MARK,
        NotationVariant::OddDash => &codes::OTHER_DASH,
        NotationVariant::SignBehindMove => &codes::SIGN_BEHIND_MOVE,
        NotationVariant::MarkInParentheses => &codes::MARK_IN_PARENTHESES,
    }
}

/// What is wrong with a word, in words that follow it.
fn fault(deviation: NotationVariant) -> &'static str {
    match deviation {
        NotationVariant::MissingCheckMark => "gives check and is not marked with `+`",
        NotationVariant::MissingMateMark => "mates and is not marked with `#`",
        NotationVariant::SpuriousCheckMark => "has a `+` and gives no check",
        NotationVariant::SpuriousMateMark => "has a `#` and gives no check",
        NotationVariant::CheckMarkForMate => "mates and is marked with `+`",
        NotationVariant::MateMarkForCheck => "is marked with `#`, and the check can be answered",
        NotationVariant::OddCheckMark => "marks check otherwise than by `+` or `#` at the move",
        NotationVariant::MissingCaptureMark => "captures and has no `x`",
        NotationVariant::SpuriousCaptureMark => "has an `x` and captures nothing",
        NotationVariant::OddCaptureMark => "marks the capture otherwise than by `x`",
        NotationVariant::NeedlessFile => "names the file it comes from without need",
        NotationVariant::NeedlessRank => "names the rank it comes from without need",
        NotationVariant::NeedlessSquare => "names the square it comes from without need",
        NotationVariant::RankForFile => "names the rank it comes from where the file would do",
        NotationVariant::LongAlgebraic => "is long algebraic notation",
        NotationVariant::Uci => "is the notation of engines",
        NotationVariant::CastlingWithZeros => "is castling with zeros",
        NotationVariant::OddCastling => "is castling with other signs than `O`",
        NotationVariant::PawnLetter => "names the pawn",
        NotationVariant::PromotionWithoutEquals => "promotes without `=`",
        NotationVariant::LowerCasePromotion => "promotes to a small letter",
        NotationVariant::LowerCasePiece => "has a small letter for the piece",
        NotationVariant::UpperCaseFile => "has a capital letter for a file",
        NotationVariant::EnPassantMark => "says that the capture is en passant",
        NotationVariant::SpuriousEnPassantMark => {
            "says that it is a capture en passant, and is none"
        }
        NotationVariant::OddDash => "has another dash than the hyphen",
        NotationVariant::SignBehindMove => "ends with a sign that is no part of a move",
        NotationVariant::MarkInParentheses => "has a mark in parentheses",
    }
}

/// Whether it is how a whole text is written, rather than a slip at one move.
fn is_habit(deviation: NotationVariant) -> bool {
    !matches!(
        deviation,
        NotationVariant::SpuriousCheckMark
            | NotationVariant::SpuriousMateMark
            | NotationVariant::MateMarkForCheck
            | NotationVariant::SpuriousCaptureMark
            | NotationVariant::SpuriousEnPassantMark
    )
}

/// Those that are looked for.
pub(crate) fn wanted(checks: &Checks) -> NotationVariants {
    NotationVariant::ALL
        .into_iter()
        .filter(|&deviation| checks.has(rule(deviation)))
        .collect()
}

/// Those that a word of standard notation can have by itself.
fn in_standard_words() -> NotationVariants {
    NotationVariants::from_iter([
        NotationVariant::CastlingWithZeros,
        NotationVariant::PawnLetter,
        NotationVariant::LowerCasePromotion,
    ])
}

/// Whether a word of standard notation may have one of those.
fn may_deviate(word: &[u8]) -> bool {
    matches!(word, [b'0' | b'P', ..]) || word.contains(&b'=')
}

/// Looks at the moves of one game. Of what is a habit of the text the first place is reported, with the number of the
/// others, unless every place is to be named.
pub(crate) struct NotationCheck<'a> {
    game: &'a Game,
    text: &'a [u8],
    checks: &'a Checks,
    wanted: NotationVariants,
    in_standard_words: bool,
    /// By the deviation: the first finding, and how many more moves there are.
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

    /// Looks at a move that has been played.
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
        for deviation in lenient.variants(before, ply.mv, after, self.wanted).iter() {
            let rule = rule(deviation);
            if let Some((_, more)) = &mut self.first[deviation as usize] {
                *more += 1;
                continue;
            }
            let is_counted = is_habit(deviation) && !self.checks.names_every_place(rule);
            if !findings.admit(rule, in_variation) {
                continue;
            }
            let word = shown(ply.token.span.of(self.text));
            let standard = SanPlus::of(before, ply.mv, after);
            let finding = Finding::new(
                rule,
                ply.token.span,
                format!("`{word}` {}", fault(deviation)),
            )
            .help(format!("in standard notation it is `{standard}`"))
            .at(AtMove::new(ply.number, ply.token, self.text, before))
            .in_variation(in_variation);
            if is_counted {
                self.first[deviation as usize] = Some((finding, 0));
            } else {
                findings.push_admitted(finding);
            }
        }
    }

    /// The word with what is unusual about it.
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

    /// Reports what has been counted.
    pub(crate) fn finish(self, findings: &mut Findings<'_>) {
        for (mut finding, more) in self.first.into_iter().flatten() {
            let moves = if more == 1 { "move" } else { "moves" };
            if more > 0 {
                let _ = write!(
                    finding.message,
                    " (likewise in {more} more {moves} of this game)"
                );
            }
            findings.push_admitted(finding);
        }
    }
}
