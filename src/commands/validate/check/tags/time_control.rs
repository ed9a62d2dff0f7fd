//! `TimeControl` (PGN standard 9.6.1): periods joined by colons.

use crate::commands::validate::check::tags::value::{Form, decimal, number};

/// Whether the value is plainly right: `300+3`, `180`, `-`.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        b"-" | b"?" | b"" => true,
        [b'1'..=b'9', rest @ ..] if rest.len() < 9 => {
            let mut signs = 0;
            let plain = rest.iter().all(|&byte| {
                signs += u32::from(byte == b'+');
                byte.is_ascii_digit() || byte == b'+'
            });
            plain && signs <= 1 && rest.last() != Some(&b'+') || form(value) == Form::Standard
        }
        _ => form(value) == Form::Standard,
    }
}

pub(crate) fn form(value: &[u8]) -> Form {
    if value.is_empty() {
        return Form::Standard;
    }
    let mut worst = Form::Standard;
    let mut periods = value.split(|&byte| byte == b':').peekable();
    while let Some(period) = periods.next() {
        let Some((kind, form)) = of_period(period) else {
            return if is_phrase(value) {
                Form::Customary
            } else {
                Form::wrong(
                    format!(
                        "`{}` is no period of play",
                        crate::commands::validate::check::shown(period)
                    ),
                    "the periods are moves and seconds (`40/9000`), seconds (`300`), seconds and increment \
                     (`4500+60`), a sandclock (`*180`), `-` and `?`, joined by colons",
                )
            };
        };
        if kind == Kind::RestOfGame && periods.peek().is_some() {
            worst = worst.and(Form::wrong(
                format!(
                    "`{}` is time for the rest of the game, but another period follows",
                    crate::commands::validate::check::shown(period)
                ),
                "a period that is not the last has a number of moves: `40/9000`",
            ));
        }
        worst = worst.and(form);
    }
    worst
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Moves,
    RestOfGame,
    Unknown,
}

/// What a period is; nothing if it is none.
fn of_period(period: &[u8]) -> Option<(Kind, Form)> {
    if matches!(period, b"?" | b"-") {
        return Some((Kind::Unknown, Form::Standard));
    }
    if let Some(seconds) = period.strip_prefix(b"*") {
        let form = match number(seconds) {
            Some(0) => return None,
            Some(_) => Form::Standard,
            None if decimal(seconds)? => Form::Customary,
            None => return None,
        };
        return Some((Kind::RestOfGame, form));
    }
    let (kind, time) = match period.iter().position(|&byte| byte == b'/') {
        Some(solidus) => {
            if number(&period[..solidus])? == 0 {
                return None;
            }
            (Kind::Moves, &period[solidus + 1..])
        }
        None => (Kind::RestOfGame, period),
    };
    let mut parts = time.splitn(2, |&byte| byte == b'+');
    let (seconds, increment) = (parts.next()?, parts.next());
    if seconds.len() > 9 {
        return None;
    }
    let some_time = decimal(seconds)?;
    let some_increment = increment.is_some_and(|increment| decimal(increment) == Some(true));
    if increment.is_some_and(|increment| decimal(increment).is_none())
        || kind == Kind::Moves && !some_time
    {
        return None;
    }
    // The standard has no increment for periods of moves and no parts of seconds; no time at all means no time control.
    let whole = number(seconds).is_some() && increment.is_none_or(|part| number(part).is_some());
    let has_kind = kind == Kind::RestOfGame || increment.is_none();
    Some((
        kind,
        Form::standard_if(whole && has_kind && (some_time || some_increment)),
    ))
}

/// Words in which time controls are told, in small letters.
const WORDS: [&[u8]; 63] = [
    b"a",
    b"add",
    b"additional",
    b"after",
    b"all",
    b"and",
    b"blitz",
    b"bonus",
    b"bullet",
    b"by",
    b"classical",
    b"correspondence",
    b"d",
    b"daily",
    b"day",
    b"days",
    b"delay",
    b"each",
    b"every",
    b"first",
    b"followed",
    b"for",
    b"from",
    b"g",
    b"game",
    b"h",
    b"hour",
    b"hours",
    b"hr",
    b"hrs",
    b"in",
    b"inc",
    b"increment",
    b"m",
    b"min",
    b"mins",
    b"minute",
    b"minutes",
    b"move",
    b"moves",
    b"next",
    b"none",
    b"of",
    b"per",
    b"plus",
    b"rapid",
    b"remaining",
    b"rest",
    b"s",
    b"sd",
    b"sec",
    b"second",
    b"seconds",
    b"secs",
    b"starting",
    b"st",
    b"nd",
    b"rd",
    b"th",
    b"the",
    b"then",
    b"unlimited",
    b"with",
];

/// Whether the value tells a time control in words or signs, such as `90 min. + 30 s. per move` or `G/60;d5`.
fn is_phrase(value: &[u8]) -> bool {
    let value = value.to_ascii_lowercase();
    let mut words = value
        .split(|byte| !byte.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .peekable();
    let signs = b" .,;:+-/|'\"()&=*\\".as_slice();
    words.peek().is_some()
        && words.all(|word| WORDS.contains(&word))
        && value
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || signs.contains(byte))
        || is_table(&value)
}

/// `15|10`, `90' + 30"` and `120/40+60/20+30(61)`: minutes, moves and seconds in the order of other programs.
fn is_table(value: &[u8]) -> bool {
    let has = |sign: u8| value.contains(&sign);
    let signs = b" |'\"+./()".as_slice();
    (has(b'|') || has(b'\'') || has(b'('))
        && value[0].is_ascii_digit()
        && value
            .iter()
            .all(|byte| byte.is_ascii_digit() || signs.contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_kinds_of_the_standard() {
        for value in [
            "?",
            "-",
            "40/9000",
            "300",
            "4500+60",
            "*180",
            "40/7200:20/3600:900",
            "40/7200:3600+30",
            "300+0",
            "0+1",
            "1/86400",
            "60+5",
            "",
            "7200+30",
            "15/600:?",
        ] {
            assert_eq!(form(value.as_bytes()), Form::Standard, "{value}");
            assert!(is_standard(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_in_use_besides() {
        for value in [
            "60+0.1",
            "0.5+0.1",
            "40/20+0.1",
            "40/7200+30:900+30",
            "0",
            "0+0",
            "*0.5",
            "15|10",
            "90 minutes + 30 seconds increment per move, starting from move 1",
            "90 min. + 30 s. per move",
            "G/60;d5",
            "G/90;inc30",
            "40/2h,SD/1h",
            "90'+30\"",
            "3 min",
            "blitz",
            "Unlimited",
            "correspondence",
            "1 day",
            "90min/40moves + 30min + 30sec/move",
            "120/40+60/20+30(61)",
        ] {
            assert_eq!(form(value.as_bytes()), Form::Customary, "{value}");
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_no_time_control() {
        for value in [
            "0/300",
            "40/0",
            "*0",
            "*",
            "+5",
            "5+",
            "40/",
            "/300",
            "300:180",
            "600+5:300",
            "x",
            "3 5",
            "--",
            "??",
            "300s+x",
            "40//9000",
            "1+2+3",
            "12345678901",
            "40-9000",
            "fast",
            ":",
            "300:",
            "+",
        ] {
            assert!(
                matches!(form(value.as_bytes()), Form::Wrong { .. }),
                "{value}: {:?}",
                form(value.as_bytes())
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }
}
