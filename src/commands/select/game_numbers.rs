//! Numbers and ranges of games: the value of `--games`.

use crate::commands::ranges::ranges;
use crate::input::GameNo;

/// Game numbers, as in `3,10-20,500-`, or all others, as in `!3-5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameNumbers {
    /// First and last number of each.
    ranges: Vec<(u64, u64)>,
    all_but: bool,
}

impl GameNumbers {
    /// True if a number is included.
    pub(crate) fn has(&self, game: GameNo) -> bool {
        let includes = |&(from, to): &(u64, u64)| (from..=to).contains(&game.0);
        self.ranges.iter().any(includes) != self.all_but
    }
}

impl std::str::FromStr for GameNumbers {
    type Err = String;

    /// Parses numbers from 1 and ranges separated by commas; a range may be open (`500-`, `-20`). A
    /// `!` before the first selects all others.
    fn from_str(text: &str) -> Result<GameNumbers, String> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|&number: &u64| digits && number > 0)
                .ok_or_else(|| match text {
                    "" => "a number is missing".to_owned(),
                    _ if text.starts_with('!') => {
                        "`!` stands once, before all numbers: `!3,5-7`".to_owned()
                    }
                    _ if digits && text.bytes().any(|digit| digit != b'0') => {
                        format!("`{text}` is too large for the number of a game")
                    }
                    _ => format!("`{text}` is not the number of a game, which begin at 1"),
                })
        };
        let check = |from: u64, to: u64, part: &str| match from > to {
            true => Err(format!("the range `{part}` is empty")),
            false => Ok(()),
        };
        let listed = text.trim_start().strip_prefix('!');
        Ok(GameNumbers {
            ranges: ranges(listed.unwrap_or(text), number, [1, u64::MAX], check)?,
            all_but: listed.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_from_one_on() {
        let numbers: GameNumbers = "3,10-20, 500-".parse().unwrap();
        let chosen = |game| numbers.has(GameNo(game));
        assert!(chosen(3) && chosen(10) && chosen(20) && chosen(500) && chosen(1_000_000));
        assert!(!chosen(1) && !chosen(21) && !chosen(499));
        assert!("-2".parse::<GameNumbers>().unwrap().has(GameNo(1)));
        let others: GameNumbers = "!3-5, 8".parse().unwrap();
        let chosen = |game| others.has(GameNo(game));
        assert!(chosen(1) && chosen(2) && chosen(6) && chosen(7) && chosen(9));
        assert!(!chosen(3) && !chosen(4) && !chosen(5) && !chosen(8));
        for text in [
            "", "0", "x", "3,", "5-3", "-", "1.5", "+4", "!", "3,!5", "!!3", "!3,!5",
        ] {
            assert!(text.parse::<GameNumbers>().is_err(), "{text}");
        }
    }
}
