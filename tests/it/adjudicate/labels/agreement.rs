//! `validate` and `adjudicate --rules auto` agree on every game.

use arbiter::adjudication::RuleChoice;
use arbiter::findings;
use arbiter::findings::Checks;

use super::*;

/// Findings that an adjudication implies for `validate`, with the ply of the first move after the
/// end.
fn expected(adjudication: &Adjudication) -> Vec<(&'static str, Option<u32>)> {
    let ruling = &adjudication.rulings[0];
    let is_contradiction = ruling.verdict == Verdict::Contradiction;
    let recorded = adjudication.recorded.result;
    let has_win = matches!(recorded, Some(ResultMark::White | ResultMark::Black));
    let Some(when) = ruling.ended else {
        return match is_contradiction {
            true if has_win && ruling.result == ResultMark::Draw && ruling.line.is_none() => {
                vec![("N308", None)]
            }
            true => vec![("N322", None)],
            false => vec![],
        };
    };
    let RuledReason::End(end) = ruling.reason else {
        panic!("{:?}", ruling.reason)
    };
    let mut codes = Vec::new();
    let code = match end {
        End::Fivefold => "W309",
        End::SeventyFiveMoves => "W310",
        End::Threefold => "W320",
        End::FiftyMoves => "W321",
        End::DeadPosition => "N323",
        End::InsufficientMaterial => "W306",
        // Moves after mate and stalemate are illegal; `E302` covers the result.
        _ => return codes,
    };
    if ruling.played_on {
        codes.push((code, Some(when.ply + 1)));
    }
    if is_contradiction && has_win && (matches!(code, "W306" | "N323") || !ruling.played_on) {
        codes.push(("W307", None));
    }
    codes
}

#[test]
fn validate_says_what_adjudicate_says_by_auto() {
    let mut adjudicator = Adjudicator::new(&[RuleChoice::Auto], NODES);
    let initial = Position::initial();
    let checks = Checks::default();
    for name in ["bulk", "outcomes", "tricky"] {
        let games = each_game(name, |path, game, text| {
            let Ok(adjudication) = adjudicator.adjudicate(game, text) else {
                return;
            };
            let mut found = Vec::new();
            findings::check(game, text, &initial, &checks, &mut found);
            let ours = [
                "W306", "W307", "N308", "W309", "W310", "W320", "W321", "N322", "N323",
            ];
            let mut said: Vec<_> = found
                .iter()
                .filter(|finding| ours.contains(&finding.rule.code))
                .map(|finding| {
                    let ply = finding.at.as_ref().map(|at| at.ply);
                    (finding.rule.code, ply)
                })
                .collect();
            said.sort_unstable();
            let expected = expected(&adjudication);
            assert_eq!(
                said,
                expected,
                "{}: {:?}\n{}",
                path.display(),
                adjudication.rulings[0],
                String::from_utf8_lossy(text)
            );
        });
        if games.is_none() {
            return;
        }
    }
}
