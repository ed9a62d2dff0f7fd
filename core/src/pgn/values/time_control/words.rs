//! Time controls in words.

use crate::pgn::values::time_control::{Period, Thousandths};

/// Part of a time control in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Number(Thousandths),
    /// A number with its unit in seconds.
    Time(Thousandths, u64),
    Move,
    Game,
    Increment,
    /// `per`, `in`, `/` and the like.
    Per,
    /// `and`, `+` and the like.
    And,
}

const DAY: u64 = 86_400;

impl Word {
    /// Adds a word, or the unit of the number before it; `None` if it is not known.
    fn push(words: &mut Vec<Word>, text: &str) -> Option<()> {
        let unit = match text {
            "s" | "sec" | "secs" | "second" | "seconds" | "\"" | "\u{2033}" | "\u{201d}" => 1,
            "min" | "mins" | "minute" | "minutes" | "'" | "\u{2032}" | "\u{2019}" => 60,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600,
            "day" | "days" => DAY,
            _ => 0,
        };
        if unit > 0 {
            let Some(Word::Number(number)) = words.pop() else {
                return None;
            };
            words.push(Word::Time(Thousandths(number.0 * unit), unit));
            return Some(());
        }
        words.push(match text {
            "move" | "moves" => Word::Move,
            "g" | "game" | "player" | "side" => Word::Game,
            "inc" | "increment" => Word::Increment,
            "/" | "per" | "in" | "for" | "each" | "every" | "a" => Word::Per,
            "+" | "&" | "," | ";" | "and" | "plus" | "with" => Word::And,
            number => Word::Number(Thousandths::read(number.as_bytes()).filter(|it| it.0 > 0)?),
        });
        Some(())
    }

    /// Reads a text in lower case; `None` if a word is not known.
    fn all(mut text: &str) -> Option<Vec<Word>> {
        let mut words = Vec::new();
        while let Some(first) = text.chars().next() {
            let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
            let length = match first {
                '0'..='9' => text.find(|letter| !is_number(letter)),
                'a'..='z' => text.find(|letter: char| !letter.is_ascii_lowercase()),
                _ => Some(first.len_utf8()),
            };
            let (word, rest) = text.split_at(length.unwrap_or(text.len()));
            // A point ends an abbreviation.
            if !matches!(word, " " | ".") {
                Word::push(&mut words, word)?;
            }
            text = rest;
        }
        Some(words)
    }
}

/// Reads a time control in words that leave no doubt, such as `60 mins`, `G/90;inc30`, `1 in 5
/// days`, `90 min. + 30 s. per move` or `40 moves in 2 hours, 60 min`.
#[cold]
pub(crate) fn in_words(value: &[u8]) -> Option<Vec<Period>> {
    use Word::{Game, Increment, Move, Number, Per, Time};
    const LONGEST: usize = 128;
    let text = std::str::from_utf8(value)
        .ok()
        .filter(|text| text.len() <= LONGEST)?;
    let text = text
        .to_lowercase()
        .replace("''", "\"")
        .replace("starting from", "from");
    // An increment counts for several periods only if the value says so.
    let start = text.strip_suffix("from move 1");
    let words = Word::all(start.unwrap_or(&text).trim_end_matches([' ', ',']))?;
    let period = |moves, time| Period {
        moves,
        time,
        increment: Thousandths(0),
        sandclock: false,
    };
    let mut periods: Vec<Period> = Vec::new();
    let mut increment = None;
    for part in words.split(|&word| word == Word::And) {
        let is_over = periods.last().is_some_and(|last| last.moves.is_none());
        let (moves, time) = match *part {
            _ if increment.is_some() => return None,
            [Time(time, 1)] if is_over && periods.len() == 1 => {
                increment = Some(time);
                continue;
            }
            [Time(time, _), Per, Move]
            | [Time(time, _), Increment]
            | [Time(time, _), Increment, Per, Move]
            | [Increment, Time(time, _) | Number(time)] => {
                increment = Some(time);
                continue;
            }
            // A day may be meant for each move.
            [Time(time, unit)] if unit != DAY => (None, time),
            [Time(time, _), Per, Game] | [Game, Per, Time(time, _)] => (None, time),
            [Game, Per, Number(minutes)] => (None, Thousandths(minutes.0 * 60)),
            [Number(moves), Per, Time(time, _)]
            | [Number(moves), Move, Per, Time(time, _)]
            | [Time(time, _), Per, Number(moves), Move]
                if moves.0.is_multiple_of(1000) =>
            {
                (Some(u32::try_from(moves.0 / 1000).ok()?), time)
            }
            _ => return None,
        };
        if is_over {
            return None;
        }
        periods.push(period(moves, time));
    }
    match (increment, periods.len()) {
        (Some(time), 0) => periods.push(period(Some(1), time)),
        (Some(_), 2..) if start.is_none() => return None,
        (None, _) if start.is_some() => return None,
        (increment, _) => {
            for period in &mut periods {
                period.increment = increment.unwrap_or(Thousandths(0));
            }
        }
    }
    Some(periods)
}

#[cfg(test)]
mod tests {
    use crate::pgn::values::Form;
    use crate::pgn::values::time_control::read;

    #[test]
    fn plain_words_are_read() {
        for (value, canonical) in [
            ("5 min", "300"),
            ("60 mins", "3600"),
            ("1.5 hours per player", "5400"),
            ("15'/game & 10\"/move", "900+10"),
            ("90' + 30''", "5400+30"),
            ("15 min. + 10 s. per move", "900+10"),
            (
                "15 minutes + 10 seconds increment per move, starting from move 1",
                "900+10",
            ),
            ("G/60", "3600"),
            ("G/90;inc30", "5400+30"),
            ("1 in 5 days", "1/432000"),
            ("3 days per move", "1/259200"),
            ("10 moves in 30 days", "10/2592000"),
            ("40 moves in 2 hours", "40/7200"),
            ("40/2h, 60 min", "40/7200:3600"),
            ("90 min/40 moves", "40/5400"),
            (
                "90 min/40 moves + 30 min + 30 sec/move from move 1",
                "40/5400+30:1800+30",
            ),
        ] {
            let read = read(value.as_bytes());
            assert_eq!(read.value.unwrap().to_string(), canonical, "{value}");
            assert_eq!(read.form, Form::InUse, "{value}");
        }
    }
}
