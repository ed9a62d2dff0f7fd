//! `TimeControl` (PGN standard 9.6.1): periods joined by colons, and the speed of a game.

mod words;

use std::fmt;

use strum::{IntoStaticStr, VariantArray};

use crate::pgn::values::time_control::words::{in_words, is_in_words};
use crate::pgn::values::{Conformance, is_positive_decimal, number};

/// Value of a `TimeControl` tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TimeControl {
    /// `?`, or empty.
    Unknown,
    /// `-`: no time limit.
    Untimed,
    /// Periods in order.
    Periods(Vec<Period>),
    /// Not a time control.
    Unreadable,
}

/// Period of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Period {
    /// Number of moves; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time for them.
    pub time: Thousandths,
    /// The increment per move.
    pub increment: Thousandths,
    /// Whether time used by one side is given to the other (sandclock).
    pub sandclock: bool,
}

/// Thousandths of a second: engines play games of less than one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Thousandths(pub u64);

/// Speed of a game, in the bands of lichess (`chess.Speed` in scalachess): the time for
/// [`TYPICAL_MOVES`] moves with increments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Speed {
    /// Below half a minute.
    UltraBullet,
    /// Below three minutes.
    Bullet,
    /// Below eight minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// Below six hours.
    Classical,
    /// Six hours or more, days per move, or no clock.
    Correspondence,
}

/// Number of moves that lichess assumes.
pub(crate) const TYPICAL_MOVES: u32 = 40;

impl TimeControl {
    /// Reads the value of a tag. Unlike in the standard, seconds may have decimals and periods of
    /// moves an increment, as engines and organisers write them, and words are read if they are
    /// plain.
    pub(crate) fn read(value: &[u8]) -> TimeControl {
        match value.trim_ascii() {
            b"" | b"?" => return TimeControl::Unknown,
            b"-" => return TimeControl::Untimed,
            _ => {}
        }
        let mut periods: Vec<Period> = Vec::new();
        for part in value.trim_ascii().split(|&byte| byte == b':') {
            let ends_before = periods.last().is_some_and(|last| last.moves.is_none());
            match PeriodParts::split(part).value() {
                Some(period) if !ends_before => periods.push(period),
                _ => {
                    return in_words(value).map_or(TimeControl::Unreadable, TimeControl::Periods);
                }
            }
        }
        TimeControl::Periods(periods)
    }

    /// The time of all periods in seconds, and the same with the increments of [`TYPICAL_MOVES`].
    pub(crate) fn total_seconds(&self) -> Option<[f64; 2]> {
        let TimeControl::Periods(periods) = self else {
            return None;
        };
        let time: u64 = periods.iter().map(|period| period.time.0).sum();
        let increment = periods.iter().map(|period| period.increment.0).max()?;
        let most = time + increment * u64::from(TYPICAL_MOVES);
        Some([time, most].map(|thousandths| thousandths as f64 / 1000.0))
    }

    /// Speed of the game; `None` if the time control is unknown or unreadable.
    pub(crate) fn speed(&self) -> Option<Speed> {
        match self {
            TimeControl::Unknown | TimeControl::Unreadable => None,
            TimeControl::Untimed => Some(Speed::Correspondence),
            TimeControl::Periods(periods) => Some(Speed::of(estimate(periods, TYPICAL_MOVES))),
        }
    }

    /// Seconds of one side for a number of moves; `None` if they are not known.
    pub(crate) fn seconds(&self, moves: u32) -> Option<u64> {
        match self {
            TimeControl::Periods(periods) => Some(estimate(periods, moves).0 / 1000),
            _ => None,
        }
    }
}

/// Time of one side for a number of moves: the periods that begin in them, and increments.
/// The last period of moves is repeated as needed (PGN standard 9.6.1, FIDE Laws 6.2).
fn estimate(periods: &[Period], moves: u32) -> Thousandths {
    let mut total: u64 = 0;
    let mut left = moves;
    let mut rest = periods;
    while let Some((period, others)) = rest.split_first()
        && left > 0
    {
        let moves = period.moves.map_or(left, |moves| moves.min(left));
        total = total
            .saturating_add(period.time.0)
            .saturating_add(period.increment.0.saturating_mul(moves.into()));
        left -= moves;
        if !others.is_empty() {
            rest = others;
        }
    }
    Thousandths(total)
}

/// Reason why a value is not a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeControlFault<'a> {
    /// This part is not a period.
    NotPeriod(&'a [u8]),
    /// This period for the rest of the game is not the last one.
    NotLast(&'a [u8]),
}

/// Whether a value is standard; fast for common values such as `300+3`, `180` and `-`.
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
            let is_plain = plain && signs <= 1 && rest.last() != Some(&b'+');
            is_plain || conformance(value) == Conformance::Standard
        }
        _ => conformance(value) == Conformance::Standard,
    }
}

/// Nonstandard values have fractions of a second, increments in periods of moves, or no time, or
/// are in words or in the notation of other programs.
pub(crate) fn conformance(value: &[u8]) -> Conformance<TimeControlFault<'_>> {
    if value.is_empty() {
        return Conformance::Standard;
    }
    let mut whole = Conformance::Standard;
    let mut periods = value.split(|&byte| byte == b':').peekable();
    while let Some(text) = periods.next() {
        if matches!(text, b"?" | b"-") {
            continue;
        }
        let parts = PeriodParts::split(text);
        let Some(is_standard) = parts.is_standard() else {
            return match is_in_words(value) || in_words(value).is_some() {
                true => Conformance::Nonstandard,
                false => Conformance::Invalid(TimeControlFault::NotPeriod(text)),
            };
        };
        if parts.moves.is_none() && periods.peek().is_some() {
            whole = whole.and(Conformance::Invalid(TimeControlFault::NotLast(text)));
        }
        whole = whole.and(Conformance::standard_if(is_standard));
    }
    whole
}

/// Parts of a period as written: `moves/seconds+increment`, or `*seconds`.
struct PeriodParts<'a> {
    sandclock: bool,
    moves: Option<&'a [u8]>,
    seconds: &'a [u8],
    increment: Option<&'a [u8]>,
}

impl<'a> PeriodParts<'a> {
    fn split(text: &'a [u8]) -> PeriodParts<'a> {
        let split_at = |text: &'a [u8], sign: u8| {
            let at = text.iter().position(|&byte| byte == sign)?;
            Some((&text[..at], &text[at + 1..]))
        };
        if let Some(seconds) = text.strip_prefix(b"*") {
            return PeriodParts {
                sandclock: true,
                moves: None,
                seconds,
                increment: None,
            };
        }
        let (moves, time) = match split_at(text, b'/') {
            Some((moves, time)) => (Some(moves), time),
            None => (None, text),
        };
        let (seconds, increment) = match split_at(time, b'+') {
            Some((seconds, increment)) => (seconds, Some(increment)),
            None => (time, None),
        };
        PeriodParts {
            sandclock: false,
            moves,
            seconds,
            increment,
        }
    }

    fn value(&self) -> Option<Period> {
        let moves = match self.moves {
            Some(moves) => Some(moves_of(moves)?),
            None => None,
        };
        let increment = self
            .increment
            .map_or(Some(Thousandths(0)), Thousandths::read)?;
        let time = Thousandths::read(self.seconds)?;
        (time.0 > 0 || increment.0 > 0 && moves.is_none()).then_some(Period {
            moves,
            time,
            increment,
            sandclock: self.sandclock,
        })
    }

    /// Whether a period is in the standard's form; `None` if it is not a period.
    fn is_standard(&self) -> Option<bool> {
        let has_time = is_positive_decimal(self.seconds)?;
        let has_increment = match self.increment {
            Some(increment) => is_positive_decimal(increment)?,
            None => false,
        };
        let is_whole = number(self.seconds).is_some()
            && self.increment.is_none_or(|part| number(part).is_some());
        if self.sandclock {
            return has_time.then_some(is_whole);
        }
        if self.seconds.len() > 9 {
            return None;
        }
        if let Some(moves) = self.moves {
            let has_moves = number(moves)? > 0;
            return (has_moves && has_time).then_some(is_whole && self.increment.is_none());
        }
        Some(is_whole && (has_time || has_increment))
    }
}

/// Number of moves of a period.
fn moves_of(text: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(text).ok()?;
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&moves| is_number && moves > 0)
}

impl Thousandths {
    /// Reads seconds such as `180` or `0.1`, rounded down.
    fn read(text: &[u8]) -> Option<Thousandths> {
        let text = std::str::from_utf8(text).ok()?;
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() && part.is_empty() || whole.len() > 9 || !digits(whole) || !digits(part)
        {
            return None;
        }
        let whole: u64 = if whole.is_empty() {
            0
        } else {
            whole.parse().ok()?
        };
        let part = part
            .bytes()
            .chain(std::iter::repeat(b'0'))
            .take(3)
            .fold(0, |part, digit| part * 10 + u64::from(digit - b'0'));
        Some(Thousandths(whole * 1000 + part))
    }
}

impl Speed {
    /// All speeds, fastest first.
    pub(crate) const ALL: &[Speed] = Speed::VARIANTS;

    /// Speed of a game with this estimated time of one side.
    pub(crate) fn of(time: Thousandths) -> Speed {
        match time.0 / 1000 {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1_500 => Speed::Rapid,
            1_500..21_600 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }

    /// Name in CSV and JSON.
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / 1000)?;
        match self.0 % 1000 {
            0 => Ok(()),
            part => f.write_str(format!(".{part:03}").trim_end_matches('0')),
        }
    }
}

/// Canonical form: `300+0` and `300` are both `300`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Unknown => f.write_str("?"),
            TimeControl::Untimed => f.write_str("-"),
            TimeControl::Unreadable => f.write_str("unreadable"),
            TimeControl::Periods(periods) => {
                for (nth, period) in periods.iter().enumerate() {
                    if nth > 0 {
                        f.write_str(":")?;
                    }
                    period.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sandclock {
            f.write_str("*")?;
        }
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time)?;
        match self.increment.0 {
            0 => Ok(()),
            _ => write!(f, "+{}", self.increment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, canonical: &str, speed: Option<Speed>) {
        let read = TimeControl::read(value.as_bytes());
        assert_eq!(read.to_string(), canonical, "{value}");
        assert_eq!(read.speed(), speed, "{value}");
    }

    #[test]
    fn an_increment_counts_forty_times() {
        check("15", "15", Some(Speed::UltraBullet));
        check("0+1", "0+1", Some(Speed::Bullet));
        check("29", "29", Some(Speed::UltraBullet));
        check("30+0", "30", Some(Speed::Bullet));
        check("60+0", "60", Some(Speed::Bullet));
        check("120+1", "120+1", Some(Speed::Bullet));
        check("179", "179", Some(Speed::Bullet));
        check("180+0", "180", Some(Speed::Blitz));
        check("180+2", "180+2", Some(Speed::Blitz));
        check("300+5", "300+5", Some(Speed::Rapid));
        check("300+3", "300+3", Some(Speed::Blitz));
        check("479", "479", Some(Speed::Blitz));
        check("480", "480", Some(Speed::Rapid));
        check("600", "600", Some(Speed::Rapid));
        check("900+15", "900+15", Some(Speed::Classical));
        check("1499", "1499", Some(Speed::Rapid));
        check("1500", "1500", Some(Speed::Classical));
        check("21599", "21599", Some(Speed::Classical));
        check("21600", "21600", Some(Speed::Correspondence));
    }

    #[test]
    fn no_clock_is_correspondence_and_a_question_mark_is_nothing() {
        check("-", "-", Some(Speed::Correspondence));
        check("?", "?", None);
        check("", "?", None);
    }

    #[test]
    fn periods_count_as_far_as_forty_moves_reach() {
        check("40/9000", "40/9000", Some(Speed::Classical));
        check("40/300", "40/300", Some(Speed::Blitz));
        // The period is repeated: 20 moves in a minute are 40 in two.
        check("20/60", "20/60", Some(Speed::Bullet));
        check("40/100:20/60:900", "40/100:20/60:900", Some(Speed::Bullet));
        check("20/100:20/100:900", "20/100:20/100:900", Some(Speed::Blitz));
        check("15/60:300+5", "15/60:300+5", Some(Speed::Rapid));
        check(
            "40/5400+30:1800+30",
            "40/5400+30:1800+30",
            Some(Speed::Classical),
        );
        // A day for each move.
        check("1/86400", "1/86400", Some(Speed::Correspondence));
        check("1/10", "1/10", Some(Speed::Blitz));
    }

    #[test]
    fn parts_of_a_second_and_sandclocks() {
        check("10+0.1", "10+0.1", Some(Speed::UltraBullet));
        check("20+0.25", "20+0.25", Some(Speed::Bullet));
        check("0.5+0.010", "0.5+0.01", Some(Speed::UltraBullet));
        check("*180", "*180", Some(Speed::Blitz));
        check("40/20.0+0.1", "40/20+0.1", Some(Speed::UltraBullet));
    }

    #[test]
    fn what_is_no_time_control_is_called_so() {
        for value in [
            "blitz",
            "15|10",
            "5 min + 3 min",
            "G/60;d5",
            "1 day",
            "60 mins or so",
            "30 s/move + 60 min",
            "40/2h + 1h + 30 s per move",
            "90 min from move 1",
            "1.5/2h",
            "0 min",
            "min",
            "0",
            "0+0",
            "40/",
            "/300",
            "0/300",
            "300:180",
            "*",
            "1+2+3",
            "-5",
            "+5",
            "300+",
            ".",
            "12345678901",
            "40/0",
            "300:",
            ":300",
            "?:300",
            "5+-1",
        ] {
            check(value, "unreadable", None);
        }
    }

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
            assert_eq!(
                conformance(value.as_bytes()),
                Conformance::Standard,
                "{value}"
            );
            assert!(is_standard(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn other_forms_in_use() {
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
            assert_eq!(
                conformance(value.as_bytes()),
                Conformance::Nonstandard,
                "{value}"
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn values_that_are_not_time_controls() {
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
                matches!(conformance(value.as_bytes()), Conformance::Invalid(_)),
                "{value}: {:?}",
                conformance(value.as_bytes())
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }
}
