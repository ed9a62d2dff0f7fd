//! Draws that somebody could have claimed.

use crate::chess::Color;
use crate::chess::san::SanPlus;
use crate::commands::adjudicate::labels::walk::{Moment, When};
use crate::law::rulesets::ClaimForms;
use crate::law::{End, RuleSet, Standing};

/// A draw that a player could have claimed at a moment of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chance {
    /// Which draw.
    pub end: End,
    /// Who could have claimed it.
    pub by: Color,
    /// When.
    pub when: When,
    /// The move that had to be announced with the claim; nothing where the position on the board was enough.
    pub announced: Option<SanPlus>,
    /// The article on claims of this form, with its edition.
    pub article: String,
}

impl Chance {
    /// The announced move with its number, such as `42.Kd2`.
    pub fn announced_label(&self) -> Option<String> {
        let dots = match self.by {
            Color::White => ".",
            Color::Black => "...",
        };
        self.announced
            .map(|san| format!("{}{dots}{san}", self.when.fullmoves))
    }
}

/// What could be claimed at each of the moments of a game, up to a ply: by the player to move, or by either where a rule
/// set leaves it to both.
pub(crate) fn chances(moments: &[Moment], rules: &RuleSet, last: u32) -> Vec<Chance> {
    let mut chances: Vec<Chance> = Vec::new();
    for moment in moments.iter().take_while(|moment| moment.when.ply <= last) {
        for end in moment.ends.iter() {
            let Some(article) = article(moment, rules, end) else {
                continue;
            };
            // Who can claim what stands on the board need announce nothing.
            let stands = |chance: &&Chance| {
                (chance.end, chance.when.ply, chance.announced) == (end, moment.when.ply, None)
            };
            if moment.announced.is_some() && chances.iter().rev().any(|chance| stands(&chance)) {
                continue;
            }
            let turn = moment.when.turn;
            let sides = if rules.claims.either_side {
                [Some(turn), Some(!turn)]
            } else {
                [Some(turn), None]
            };
            chances.extend(sides.into_iter().flatten().map(|by| Chance {
                end,
                by,
                when: moment.when,
                announced: moment.announced,
                article: rules.article(article).to_string(),
            }));
        }
    }
    chances
}

/// The article on claiming an end in the form that a moment allows, if the rule set knows such a claim.
fn article(moment: &Moment, rules: &RuleSet, end: End) -> Option<&'static str> {
    if rules.rule(end).standing != Standing::OnClaim {
        return None;
    }
    let ClaimForms {
        announced,
        on_board,
        ..
    } = *rules.forms(end)?;
    match moment.announced {
        Some(_) => announced,
        None => on_board,
    }
}

/// The first chance of each side for each draw.
pub(crate) fn first_of_each<'a>(chances: impl IntoIterator<Item = &'a Chance>) -> Vec<Chance> {
    let mut firsts: Vec<Chance> = Vec::new();
    for chance in chances {
        let same = |first: &Chance| (first.end, first.by) == (chance.end, chance.by);
        if !firsts.iter().any(same) {
            firsts.push(chance.clone());
        }
    }
    firsts
}
