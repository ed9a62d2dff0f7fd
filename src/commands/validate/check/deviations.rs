//! Findings about moves that are written otherwise than the standard asks. The moves are played all the same.

use std::fmt::Write;

use crate::chess::Position;
use crate::chess::san::SanPlus;
use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{AtMove, Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::notation::{Deviation, Deviations, LetterSet, Loose};
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::Ply;

/// The rule for each deviation.
fn rule(deviation: Deviation) -> &'static Rule {
    match deviation {
        Deviation::MissingCheckMark => &codes::MISSING_CHECK_MARK,
        Deviation::MissingMateMark => &codes::MISSING_MATE_MARK,
        Deviation::SpuriousCheckMark => &codes::SPURIOUS_CHECK_MARK,
        Deviation::SpuriousMateMark => &codes::SPURIOUS_MATE_MARK,
        Deviation::CheckMarkForMate => &codes::CHECK_MARK_FOR_MATE,
        Deviation::MateMarkForCheck => &codes::MATE_MARK_FOR_CHECK,
        Deviation::OddCheckMark => &codes::ODD_CHECK_MARK,
        Deviation::MissingCaptureMark => &codes::MISSING_CAPTURE_MARK,
        Deviation::SpuriousCaptureMark => &codes::SPURIOUS_CAPTURE_MARK,
        Deviation::OddCaptureMark => &codes::ODD_CAPTURE_MARK,
        Deviation::NeedlessFile => &codes::NEEDLESS_FILE,
        Deviation::NeedlessRank => &codes::NEEDLESS_RANK,
        Deviation::NeedlessSquare => &codes::NEEDLESS_SQUARE,
        Deviation::RankForFile => &codes::RANK_FOR_FILE,
        Deviation::LongAlgebraic => &codes::LONG_ALGEBRAIC,
        Deviation::Uci => &codes::UCI_NOTATION,
        Deviation::CastlingWithZeros => &codes::CASTLING_WITH_ZEROS,
        Deviation::OddCastling => &codes::ODD_CASTLING,
        Deviation::PawnLetter => &codes::PAWN_LETTER,
        Deviation::PromotionWithoutEquals => &codes::PROMOTION_WITHOUT_EQUALS,
        Deviation::LowerCasePromotion => &codes::LOWER_CASE_PROMOTION,
        Deviation::LowerCasePiece => &codes::LOWER_CASE_PIECE,
        Deviation::UpperCaseFile => &codes::UPPER_CASE_FILE,
        Deviation::EnPassantMark => &codes::EN_PASSANT_MARK,
        Deviation::SpuriousEnPassantMark => &codes::SPURIOUS_EN_PASSANT_MARK,
        Deviation::OddDash => &codes::ODD_DASH,
        Deviation::SignBehindMove => &codes::SIGN_BEHIND_MOVE,
        Deviation::MarkInParentheses => &codes::MARK_IN_PARENTHESES,
    }
}

/// What is wrong with a word, in words that follow it.
fn fault(deviation: Deviation) -> &'static str {
    match deviation {
        Deviation::MissingCheckMark => "gives check and is not marked with `+`",
        Deviation::MissingMateMark => "mates and is not marked with `#`",
        Deviation::SpuriousCheckMark => "has a `+` and gives no check",
        Deviation::SpuriousMateMark => "has a `#` and gives no check",
        Deviation::CheckMarkForMate => "mates and is marked with `+`",
        Deviation::MateMarkForCheck => "is marked with `#`, and the check can be answered",
        Deviation::OddCheckMark => "marks check otherwise than by `+` or `#` at the move",
        Deviation::MissingCaptureMark => "captures and has no `x`",
        Deviation::SpuriousCaptureMark => "has an `x` and captures nothing",
        Deviation::OddCaptureMark => "marks the capture otherwise than by `x`",
        Deviation::NeedlessFile => "names the file it comes from without need",
        Deviation::NeedlessRank => "names the rank it comes from without need",
        Deviation::NeedlessSquare => "names the square it comes from without need",
        Deviation::RankForFile => "names the rank it comes from where the file would do",
        Deviation::LongAlgebraic => "is long algebraic notation",
        Deviation::Uci => "is the notation of engines",
        Deviation::CastlingWithZeros => "is castling with zeros",
        Deviation::OddCastling => "is castling with other signs than `O`",
        Deviation::PawnLetter => "names the pawn",
        Deviation::PromotionWithoutEquals => "promotes without `=`",
        Deviation::LowerCasePromotion => "promotes to a small letter",
        Deviation::LowerCasePiece => "has a small letter for the piece",
        Deviation::UpperCaseFile => "has a capital letter for a file",
        Deviation::EnPassantMark => "says that the capture is en passant",
        Deviation::SpuriousEnPassantMark => "says that it is a capture en passant, and is none",
        Deviation::OddDash => "has another dash than the hyphen",
        Deviation::SignBehindMove => "ends with a sign that is no part of a move",
        Deviation::MarkInParentheses => "has a mark in parentheses",
    }
}

/// Whether it is how a whole text is written, rather than a slip at one move.
fn is_habit(deviation: Deviation) -> bool {
    !matches!(
        deviation,
        Deviation::SpuriousCheckMark
            | Deviation::SpuriousMateMark
            | Deviation::MateMarkForCheck
            | Deviation::SpuriousCaptureMark
            | Deviation::SpuriousEnPassantMark
    )
}

/// Those that are looked for.
pub(crate) fn wanted(checks: &Checks) -> Deviations {
    Deviation::ALL
        .into_iter()
        .filter(|&deviation| checks.has(rule(deviation)))
        .collect()
}

/// Those that a word of standard notation can have by itself.
fn in_standard_words() -> Deviations {
    Deviations::from_iter([
        Deviation::CastlingWithZeros,
        Deviation::PawnLetter,
        Deviation::LowerCasePromotion,
    ])
}

/// Whether a word of standard notation may have one of those.
fn may_deviate(word: &[u8]) -> bool {
    matches!(word, [b'0' | b'P', ..]) || word.contains(&b'=')
}

/// Looks at the moves of one game. Of what is a habit of the text the first place is reported, with the number of the
/// others, unless every place is to be named.
pub(crate) struct Words<'a> {
    game: &'a Game,
    text: &'a [u8],
    checks: &'a Checks,
    wanted: Deviations,
    in_standard_words: bool,
    /// By the deviation: the first finding, and how many more moves there are.
    first: [Option<(Finding, u32)>; Deviation::ALL.len()],
}

impl<'a> Words<'a> {
    pub(crate) fn new(game: &'a Game, text: &'a [u8], checks: &'a Checks) -> Words<'a> {
        let wanted = checks.deviations();
        Words {
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
        if self.wanted == Deviations::NONE {
            return;
        }
        let loose = self.read(&ply.token, plus);
        for deviation in loose.deviations(before, ply.mv, after, self.wanted).iter() {
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
    fn read(&self, token: &Token, plus: SanPlus) -> Loose {
        let word = token.span.of(self.text);
        let plain = Loose {
            plus,
            deviations: Deviations::NONE,
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
        let read = Loose::read(word, set);
        read.map_or(plain, |(loose, _)| Loose { plus, ..loose })
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
