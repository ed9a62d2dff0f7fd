//! `arbiter adjudicate --claim`: one claim, over one game or one position.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::adjudication::RuleChoice;
use crate::chess::{Color, Position};
use crate::commands::adjudicate::Flags;
use crate::commands::adjudicate::claim::{
    Announced, COMPARED, Claim, ClaimGame, ClaimKind, ClaimRuling, ClaimVerdict, GameFault, decide,
    is_played,
};
use crate::commands::adjudicate::formats::{claim as format, event, known};
use crate::commands::args::OtherFiles;
use crate::commands::config::Config;
use crate::commands::ply_choice::PlyPoint;
use crate::commands::run::CommandRun;
use crate::commands::{Outcome, Output, args};
use crate::error::Error;
use crate::findings;
use crate::law::End;
use crate::pgn::Game;
use crate::replay::Start;

#[derive(Args, Debug)]
#[command(next_help_heading = "One claim")]
pub(crate) struct ClaimFlags {
    /// Decide a claim
    ///
    /// At the end of a game, at the moment of --at, or in a position.
    #[arg(long, value_parser = kinds(), value_name = "WHAT", conflicts_with = "part")]
    pub(crate) claim: Option<ClaimKind>,

    /// Side that claims: white or black [default: side to move]
    #[arg(
        long,
        value_enum,
        value_name = "SIDE",
        requires = "claim",
        hide_possible_values = true
    )]
    by: Option<Side>,

    /// Side whose flag fell: white or black [default: side to move]
    #[arg(
        long,
        hide_short_help = true,
        value_enum,
        value_name = "SIDE",
        requires = "claim",
        hide_possible_values = true
    )]
    fallen: Option<Side>,

    /// Move announced and not yet played: `35. Qc4+`
    ///
    /// Also in the piece letters of other languages.
    #[arg(long = "move", value_name = "SAN", requires = "claim")]
    announced: Option<String>,

    /// Moment of the claim: 22w, 22b, 22.Qe2, 22...Kg7, end
    ///
    /// After this move of White or Black, by the numbers of the game; by default at the end. A
    /// move that is named must be the one played; `22...` is `22b`.
    #[arg(
        long,
        value_name = "MOMENT",
        requires = "claim",
        conflicts_with = "fen"
    )]
    at: Option<Moment>,

    /// Decide it in a position instead of a game
    #[arg(
        long,
        value_name = "FEN",
        requires = "claim",
        conflicts_with_all = ["inputs", "numbers", "conditions"]
    )]
    fen: Option<String>,

    /// Rule sets to compare the decision with
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAMES",
        requires = "claim",
        value_delimiter = ',',
        value_parser = compared,
        default_values = COMPARED
    )]
    compare: Vec<RuleChoice>,
}

/// The kinds of claim as values of `--claim`.
fn kinds() -> impl TypedValueParser<Value = ClaimKind> {
    let values = ClaimKind::all().map(|kind| {
        let help = match kind {
            ClaimKind::Draw(end) => end.claim().map_or("", |claim| claim.help),
            ClaimKind::Flag => "A side's time is up",
        };
        PossibleValue::new(kind.as_str()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|name| {
        ClaimKind::all()
            .find(|kind| kind.as_str() == name)
            .ok_or("no such claim")
    })
}

/// A rule set to compare with: one that needs no game to be chosen.
fn compared(name: &str) -> Result<RuleChoice, String> {
    match name.parse()? {
        RuleChoice::Auto => Err("`auto` is not one rule set".to_owned()),
        choice => Ok(choice),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

/// A moment of a game: after a move or at its end.
#[derive(Clone, Debug)]
struct Moment {
    point: PlyPoint,
    /// The move that must have been played there.
    played: Option<Announced>,
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        if let Ok(point @ (PlyPoint::Move(..) | PlyPoint::End)) = text.to_ascii_lowercase().parse()
        {
            let played = None;
            return Ok(Moment { point, played });
        }
        let named = Announced::new(text);
        let has_move = named.has_move();
        match (named.number, named.color) {
            (Some(number @ 1..), Some(color)) if has_move || color == Color::Black => Ok(Moment {
                point: PlyPoint::Move(number, color),
                played: Some(named).filter(|_| has_move),
            }),
            _ => Err(format!(
                "`{text}` does not say after whose move: write `22w`, `22b`, `22.Qe2`, \
                `22...Kg7`, `22...` or `end`"
            )),
        }
    }
}

impl ClaimFlags {
    fn claim(&self) -> Result<Claim, Error> {
        let kind = self.claim.unwrap_or(ClaimKind::Draw(End::Threefold));
        if self.announced.is_some() && !kind.takes_a_move() {
            return Err(Error::usage(
                "a move is announced with `threefold` and `fifty` only",
            ));
        }
        if self
            .announced
            .as_deref()
            .is_some_and(|announced| announced.trim().is_empty())
        {
            return Err(Error::usage("`--move` is empty"));
        }
        let by = match (kind, self.by, self.fallen) {
            (ClaimKind::Flag, Some(_), _) => {
                return Err(Error::usage(
                    "`--by` is the side that claims; `--fallen` names the side whose flag fell",
                ));
            }
            (ClaimKind::Flag, None, fallen) => fallen,
            (_, _, Some(_)) => return Err(Error::usage("`--fallen` needs `--claim flag`")),
            (_, by, None) => by,
        };
        Ok(Claim {
            kind,
            by: by.map(|by| match by {
                Side::White => Color::White,
                Side::Black => Color::Black,
            }),
            announced: self.announced.as_deref().map(Announced::new),
        })
    }
}

/// A game that the claim may be about.
struct Candidate {
    number: u64,
    bytes: Vec<u8>,
    unclosed_comment: Option<usize>,
}

pub(crate) fn run(flags: &Flags, config: &Config, rules: &[RuleChoice]) -> Result<Outcome, Error> {
    let claim = flags.claim.claim()?;
    let write = format::in_format(flags.format)?;
    let &[choice] = rules else {
        return Err(Error::usage("a claim is decided under one rule set"));
    };
    if let Some(fen) = &flags.claim.fen {
        let mut output = Output::without_games(&flags.games)?;
        let (setup, position) = args::position(fen, &output.log)?;
        let mut played = ClaimGame::of_position(&setup, position);
        if let Some(set) = args::piece_letters(config)? {
            played = played.in_letters(set);
        }
        let ruling = ClaimRuling {
            asked: choice.name(),
            ..decide(
                &played,
                &claim,
                choice.without_game(),
                flags.solver.limits(),
                &flags.claim.compare,
            )
        };
        let columns = output.sink.columns();
        output.print(write(&ruling, columns).as_bytes())?;
        return Ok(outcome(&ruling));
    }
    in_game(flags, config, &claim, choice, write)
}

fn in_game(
    flags: &Flags,
    config: &Config,
    claim: &Claim,
    choice: RuleChoice,
    write: format::Writer,
) -> Result<Outcome, Error> {
    let mut run = CommandRun::begin(&flags.games, OtherFiles::default())?;
    let mut chosen = 0;
    let mut found: Option<Candidate> = None;
    let mut unreadable = None;
    let readers = args::readers(config)?;
    run.work(
        &readers,
        |reader, _, chunk| {
            let mut unreadable = None;
            let mut games = chunk.games().filter(|text| {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let is_game = !game.is_unreadable(text.bytes);
                if !is_game && unreadable.is_none() {
                    let message = findings::unreadable_game(game, text.bytes).message;
                    unreadable = Some((text.origin.game.0, message));
                }
                is_game
            });
            let first = games.next().map(|text| Candidate {
                number: text.origin.game.0,
                bytes: text.bytes.to_vec(),
                unclosed_comment: text.unclosed_comment,
            });
            let more = games.count();
            (first, more, unreadable)
        },
        |(first, ..)| first.as_ref().map_or(0, |first| first.bytes.len()),
        |_, _, part| {
            let (first, more, not_pgn) = part.value;
            chosen += more + usize::from(first.is_some());
            unreadable = unreadable.take().or(not_pgn);
            found = found.take().or(first);
            Ok(())
        },
    )?;
    if run.is_interrupted() {
        return run.close_one(Outcome::NotDone);
    }
    let Some(candidate) = found.filter(|_| chosen == 1) else {
        let why = match unreadable {
            _ if chosen > 0 => format!(
                "there are {chosen} games, and a claim is about one: choose it with `--games` or \
                `--where`"
            ),
            Some((number, message)) => format!("game {number}: {message}"),
            None if run.has_failed() => return Ok(Outcome::NotDone),
            None => format!("no game is chosen by {}", run.selection.options()),
        };
        run.output.log.error(&why);
        return Ok(Outcome::NotDone);
    };
    let mut reader = readers();
    let game = reader.read(&candidate.bytes, candidate.unclosed_comment);
    let text = &*candidate.bytes;
    let played = match game_at(flags.claim.at.as_ref(), game, text) {
        Ok(played) => played,
        Err(why) => {
            let number = candidate.number;
            run.output.log.error(&format_args!("game {number}: {why}"));
            return Ok(Outcome::NotDone);
        }
    };
    let applied = choice.for_game(game, text);
    let ruling = ClaimRuling {
        asked: choice.name(),
        note: applied.note,
        white: known(game, text, "White"),
        black: known(game, text, "Black"),
        event: event(game, text),
        ..decide(
            &played,
            claim,
            applied.rules,
            flags.solver.limits(),
            &flags.claim.compare,
        )
    };
    let sink = &mut run.output.sink;
    sink.write(write(&ruling, sink.columns()).as_bytes())?;
    run.close_one(outcome(&ruling))
}

/// The game up to a moment, or why nothing can be decided there.
fn game_at(at: Option<&Moment>, game: &Game, text: &[u8]) -> Result<ClaimGame, String> {
    let named = at.and_then(|at| at.played.as_ref());
    let played = ply(at, game, text)
        .and_then(|at| ClaimGame::of_game(game, text, &Position::initial(), at))
        .map_err(|fault| refusal(fault, game, text))?;
    match named {
        Some(named) if !is_played(&played, played.record().plies() - 1, named) => Err(format!(
            "`{}` is not the move played: that is {}",
            named.written,
            played.last_move()
        )),
        _ => Ok(played),
    }
}

/// Number of a ply in a game; none for the last.
fn ply(at: Option<&Moment>, game: &Game, text: &[u8]) -> Result<Option<u32>, GameFault> {
    let Some(at) = at.filter(|at| at.point != PlyPoint::End) else {
        return Ok(None);
    };
    let (start, _) = Start::of(game, text, &Position::initial()).map_err(GameFault::Start)?;
    match u32::try_from(at.point.ply(&start.position, 0)) {
        Ok(0) if at.played.is_some() => Err(GameFault::TooLate),
        Ok(ply) => Ok(Some(ply)),
        Err(_) => Err(GameFault::TooLate),
    }
}

/// Why nothing can be decided about the game.
fn refusal(fault: GameFault, game: &Game, text: &[u8]) -> String {
    let moment = |plies| {
        let played = ClaimGame::of_game(game, text, &Position::initial(), Some(plies));
        played.map_or_else(|_| String::new(), |played| played.moment())
    };
    match fault {
        GameFault::Start(fault) => findings::not_begun(game, text, fault).message,
        GameFault::Stop { plies } => {
            let moment = moment(plies);
            match findings::of_game(game, text) {
                Some(finding) => format!(
                    "it stops {moment} ({}); name an earlier moment with `--at`",
                    finding.message
                ),
                None => format!("it stops {moment}"),
            }
        }
        GameFault::TooLate => "it begins after the move of `--at`".to_owned(),
        GameFault::TooShort { plies } => format!("it ends {}", moment(plies)),
    }
}

fn outcome(ruling: &ClaimRuling) -> Outcome {
    match ruling.verdict() {
        ClaimVerdict::Upheld => Outcome::Done,
        ClaimVerdict::Rejected => Outcome::Reported,
        ClaimVerdict::Undecided => Outcome::NotDone,
    }
}
