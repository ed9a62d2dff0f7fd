//! What a `TimeControl` tag says (PGN standard 9.6.1), and how fast a game by it is.

use std::fmt;

/// The value of a `TimeControl` tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// `?`, or nothing at all.
    Unknown,
    /// `-`: the players had all the time they wanted.
    Untimed,
    /// One period after the other.
    Periods(Vec<Period>),
    /// No time control of the standard's form.
    Unreadable,
}

/// A part of a game with its own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// For how many moves; nothing where it is the rest of the game.
    pub moves: Option<u32>,
    /// The time for them.
    pub time: Thousandths,
    /// What each move adds.
    pub increment: Thousandths,
    /// Whether a player's clock runs backwards while the other one thinks: a sandclock.
    pub sandclock: bool,
}

/// Thousandths of a second: engines play games of less than one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Thousandths(pub u64);

/// How fast a game is, by the bands of lichess: an increment counts as if the game had [`TYPICAL_MOVES`] moves.
///
/// The bands are those of `chess.Speed` in scalachess, the library of lichess.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    /// Six hours and more, days for a move, or no clock.
    Correspondence,
}

/// How many moves lichess reckons with.
pub const TYPICAL_MOVES: u32 = 40;

impl TimeControl {
    /// Reads the value of a tag. Seconds may have a decimal part, and periods of moves an increment, which the standard
    /// does not know but engines and organisers use.
    pub fn read(value: &[u8]) -> TimeControl {
        match value.trim_ascii() {
            b"" | b"?" => return TimeControl::Unknown,
            b"-" => return TimeControl::Untimed,
            _ => {}
        }
        let mut periods: Vec<Period> = Vec::new();
        for part in value.trim_ascii().split(|&byte| byte == b':') {
            let ends_before = periods.last().is_some_and(|last| last.moves.is_none());
            match Period::read(part) {
                Some(period) if !ends_before => periods.push(period),
                _ => return TimeControl::Unreadable,
            }
        }
        TimeControl::Periods(periods)
    }

    /// How fast a game is. Nothing where the time control is not known or cannot be read.
    pub fn speed(&self) -> Option<Speed> {
        match self {
            TimeControl::Unknown | TimeControl::Unreadable => None,
            TimeControl::Untimed => Some(Speed::Correspondence),
            TimeControl::Periods(periods) => Some(Speed::of(estimate(periods))),
        }
    }
}

/// How long one side's clock runs in a game of [`TYPICAL_MOVES`] moves: the time of every period that begins in them, and
/// the increments. The last period of moves is repeated as long as needed (PGN standard 9.6.1, FIDE Laws 6.2).
fn estimate(periods: &[Period]) -> Thousandths {
    let mut total: u64 = 0;
    let mut left = TYPICAL_MOVES;
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
    fn read(text: &[u8]) -> Option<Period> {
        if let Some(seconds) = text.strip_prefix(b"*") {
            return Some(Period {
                moves: None,
                time: Thousandths::read(seconds).filter(|time| time.0 > 0)?,
                increment: Thousandths(0),
                sandclock: true,
            });
        }
        let (moves, time) = match text.iter().position(|&byte| byte == b'/') {
            Some(solidus) => {
                let moves = std::str::from_utf8(&text[..solidus]).ok()?;
                let digits = moves.bytes().all(|byte| byte.is_ascii_digit());
                let moves = moves.parse().ok().filter(|&moves| digits && moves > 0)?;
                (Some(moves), &text[solidus + 1..])
            }
            None => (None, text),
        };
        let (time, increment) = match time.iter().position(|&byte| byte == b'+') {
            Some(plus) => (&time[..plus], Thousandths::read(&time[plus + 1..])?),
            None => (time, Thousandths(0)),
        };
        let time = Thousandths::read(time)?;
        (time.0 > 0 || increment.0 > 0 && moves.is_none()).then_some(Period {
            moves,
            time,
            increment,
            sandclock: false,
        })
    }
}

impl Thousandths {
    /// Reads seconds such as `180` or `0.1`; what is below a thousandth is dropped.
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
    /// Every speed, the fastest first.
    pub const ALL: [Speed; 6] = [
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// The speed of a game of which one side's clock runs so long.
    pub fn of(time: Thousandths) -> Speed {
        match time.0 / 1000 {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1_500 => Speed::Rapid,
            1_500..21_600 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }

    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultrabullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
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

/// In the standard's form, in which the same time control is always the same text: `300+0` and `300` are `300`.
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
            "5 min",
            "15|10",
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
}
