//! `TimeControl` (PGN standard 9.6.1): periods joined by colons, and the speed of a game.

mod words;

use std::fmt;

use memchr::memchr;
use strum::{IntoStaticStr, VariantArray};

use crate::pgn::values::time_control::words::in_words;
use crate::pgn::values::{Form, Parsed, ValueFault, number};

/// Value of a `TimeControl` tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// `?`, or empty.
    Unknown,
    /// `-`: no time limit.
    Untimed,
    /// Periods in order.
    Periods(Vec<Period>),
}

/// Period of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
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
pub struct Thousandths(pub u64);

/// Speed of a game, in the bands of lichess (`chess.Speed` in scalachess): the time for
/// `TYPICAL_MOVES` moves with increments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Speed {
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

/// The form of a value; fast for common ones such as `300+3`, `180` and `-`.
#[inline]
pub(crate) fn form(value: &[u8]) -> Form {
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let mut parts = value.splitn(2, |&byte| byte == b'+');
    let may_be_plain = matches!(value, [b'1'..=b'9', ..]) && value.len() < 10;
    if may_be_plain && parts.all(is_number) {
        return Form::Standard;
    }
    read(value).form
}

/// Reads a value. Unlike in the standard, seconds may have decimals and periods of moves an
/// increment, as engines and organisers write them, and words are read if they are plain.
pub fn read(value: &[u8]) -> Parsed<TimeControl> {
    let mut read = read_trimmed(value);
    let trimmed = value.trim_ascii();
    if trimmed.len() < value.len() {
        read.value = read_trimmed(trimmed).value;
    }
    read
}

fn read_trimmed(value: &[u8]) -> Parsed<TimeControl> {
    match value {
        b"" | b"?" => return Parsed::standard(Some(TimeControl::Unknown)),
        b"-" => return Parsed::standard(Some(TimeControl::Untimed)),
        _ => {}
    }
    let mut form = Form::Standard;
    let mut periods: Vec<Period> = Vec::new();
    let mut is_known = true;
    let mut parts = value.split(|&byte| byte == b':').enumerate().peekable();
    while let Some((nth, part)) = parts.next() {
        if matches!(part, b"?" | b"-") {
            is_known = false;
            continue;
        }
        let Some((period, is_standard)) = Period::read(part) else {
            let in_words = in_words(value);
            let form = Form::in_use_if(in_words.is_some(), ValueFault::NotPeriod(nth));
            return Parsed::new(in_words.map(TimeControl::Periods), form);
        };
        if period.moves.is_none() && parts.peek().is_some() {
            return Parsed::new(None, Form::Invalid(ValueFault::NotLastPeriod(nth)));
        } else if !is_standard {
            form = Form::InUse;
        }
        periods.push(period);
    }
    let control = match is_known {
        true => TimeControl::Periods(periods),
        false => TimeControl::Unknown,
    };
    Parsed::new(Some(control), form)
}

impl TimeControl {
    /// The time of all periods in seconds, and the same with the increments of `TYPICAL_MOVES`.
    pub(crate) fn total_seconds(&self) -> Option<[f64; 2]> {
        let TimeControl::Periods(periods) = self else {
            return None;
        };
        let time: u64 = periods.iter().map(|period| period.time.0).sum();
        let increment = periods.iter().map(|period| period.increment.0).max()?;
        let most = time + increment * u64::from(TYPICAL_MOVES);
        Some([time, most].map(|thousandths| thousandths as f64 / 1000.0))
    }

    /// Most seconds by which a clock that shows `left` may grow with a move of this number:
    /// increment, and a later period. Some clocks add it only when the time has run out.
    pub(crate) fn most_growth(&self, number: u32, left: f64) -> Option<f64> {
        const FEW: f64 = 60.0;
        let TimeControl::Periods(periods) = self else {
            return None;
        };
        if periods.iter().any(|period| period.sandclock) {
            return None;
        }
        let repeated = periods.last().filter(|last| last.moves.is_some());
        let later = periods.iter().skip(1).chain(repeated);
        let is_later = left < FEW || periods[0].moves.is_some_and(|moves| number >= moves);
        let period = later.filter(|_| is_later).map(|period| period.time.0).max();
        let increment = periods.iter().map(|period| period.increment.0).max()?;
        Some((period.unwrap_or(0) + increment) as f64 / 1000.0)
    }

    /// Speed of the game, if the time control is known.
    pub fn speed(&self) -> Option<Speed> {
        match self {
            TimeControl::Unknown => None,
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

impl Period {
    /// Reads a period, `moves/seconds+increment` or `*seconds`, and whether it is in the standard's
    /// form.
    fn read(text: &[u8]) -> Option<(Period, bool)> {
        let (sandclock, text) = match text {
            [b'*', seconds @ ..] => (true, seconds),
            _ => (false, text),
        };
        let slash = memchr(b'/', text).filter(|_| !sandclock);
        let moves = match slash {
            Some(slash) => Some(number(&text[..slash]).filter(|&moves| moves > 0)?),
            None => None,
        };
        let text = &text[slash.map_or(0, |slash| slash + 1)..];
        let plus = memchr(b'+', text).filter(|_| !sandclock);
        let seconds = &text[..plus.unwrap_or(text.len())];
        let time = Thousandths::read(seconds)?;
        let (increment, is_whole) = match plus.map(|plus| &text[plus + 1..]) {
            Some(part) => (Thousandths::read(part)?, number(part).is_some()),
            None => (Thousandths(0), true),
        };
        let has_time = time.0 > 0 || increment.0 > 0 && moves.is_none();
        let is_standard = number(seconds).is_some() && is_whole;
        let period = Period {
            moves,
            time,
            increment,
            sandclock,
        };
        // `5400/40`: the time is before the slash.
        let is_exchanged =
            moves.is_some_and(|it| it > TYPICAL_MOVES && 1000 * u64::from(it) > time.0);
        (has_time && !is_exchanged)
            .then_some((period, is_standard && (moves.is_none() || plus.is_none())))
    }
}

impl Thousandths {
    /// Reads seconds such as `180` or `0.1`, rounded down.
    fn read(text: &[u8]) -> Option<Thousandths> {
        let point = memchr(b'.', text).unwrap_or(text.len());
        let (whole, part) = (&text[..point], text.get(point + 1..).unwrap_or_default());
        let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
        if whole.is_empty() && part.is_empty() || whole.len() > 9 || !digits(whole) || !digits(part)
        {
            return None;
        }
        let all = whole.iter().chain(part.iter().chain(b"000").take(3));
        let value = all.fold(0, |value, digit| 10 * value + u64::from(digit - b'0'));
        Some(Thousandths(value))
    }
}

impl Speed {
    /// All speeds, fastest first.
    pub const ALL: &[Speed] = Speed::VARIANTS;

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
    pub fn as_str(self) -> &'static str {
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
        let read = read(value.as_bytes()).value;
        let shown = read.as_ref().map(TimeControl::to_string);
        assert_eq!(
            shown.as_deref().unwrap_or("unreadable"),
            canonical,
            "{value}"
        );
        assert_eq!(read.and_then(|read| read.speed()), speed, "{value}");
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
        check("?:300", "?", None);
        check("15/600:?", "?", None);
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
            "5+-1",
            "5400/40",
        ] {
            check(value, "unreadable", None);
        }
    }

    #[test]
    fn a_clock_grows_by_increment_and_later_periods() {
        for (control, number, left, most) in [
            ("180+2", 10, 90.0, Some(2.0)),
            ("60", 10, 30.0, Some(0.0)),
            ("40/7200:3600+30", 39, 600.0, Some(30.0)),
            ("40/7200:3600+30", 39, 5.0, Some(3630.0)),
            ("40/7200:3600+30", 40, 600.0, Some(3630.0)),
            ("40/300", 80, 120.0, Some(300.0)),
            ("*180", 10, 90.0, None),
            ("-", 10, 90.0, None),
        ] {
            let control_read = read(control.as_bytes()).value.unwrap();
            assert_eq!(
                control_read.most_growth(number, left),
                most,
                "{control} {number}"
            );
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
            assert_eq!(form(value.as_bytes()), Form::Standard, "{value}");
        }
    }

    #[test]
    fn other_forms_in_use() {
        for value in [
            "60+0.1",
            "0.5+0.1",
            "40/20+0.1",
            "40/7200+30:900+30",
            "*0.5",
            "90 min. + 30 s. per move",
            "G/90;inc30",
            "90'+30\"",
            "3 min",
        ] {
            assert_eq!(form(value.as_bytes()), Form::InUse, "{value}");
        }
    }

    #[test]
    fn values_that_are_not_time_controls() {
        for value in [
            "0",
            "0+0",
            "15|10",
            "G/60;d5",
            "G/90;+30",
            "180+2d",
            "5400/40+30",
            "1800/40:900",
            "40/2h,SD/1h",
            "blitz",
            "Unlimited",
            "1 day",
            "120/40+60/20+30(61)",
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
                matches!(form(value.as_bytes()), Form::Invalid(_)),
                "{value}: {:?}",
                form(value.as_bytes())
            );
        }
    }
}
