//! `arbiter adjudicate --claim`: one claim, over one game or one position.

use crate::claim::{
    COMPARED, Claim, ClaimGame, ClaimKind, ClaimRuling, Heading, Moment, Side, decide,
};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::adjudication::RuleChoice;
use crate::chess::Color;
use crate::commands::adjudicate::Flags;
use crate::commands::adjudicate::formats::claim as format;
use crate::commands::args;
use crate::commands::args::OtherFiles;
use crate::commands::config::Config;
use crate::commands::offered::offered;
use crate::commands::output::{Outcome, Output};
use crate::commands::run::CommandRun;
use crate::commands::select::Selection;
use crate::error::Error;
use crate::findings;
use crate::input::Chunk;
use crate::law::RuleSet;
use crate::notation::{LetterSet, Letters};
use crate::replay::Reader;

#[derive(Args, Debug)]
#[command(next_help_heading = "One claim")]
pub(crate) struct ClaimFlags {
    /// Decide a claim
    ///
    /// At the end of a game, at the moment of --at, or in a position.
    #[arg(long, value_parser = kinds(), value_name = "WHAT", help_heading = "Modes")]
    pub(crate) claim: Option<ClaimKind>,

    /// Side that claims or resigns: white or black [default: side to move]
    ///
    /// With `illegal` it is the opponent of the side to move, who has made the illegal move.
    #[arg(long = "by", value_name = "SIDE", hide_possible_values = true)]
    #[arg(value_parser = sides(&["white", "black"]))]
    claimant: Option<Side>,

    /// Side whose flag fell: white, black or both [default: side to move]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "SIDE",
        hide_possible_values = true
    )]
    #[arg(value_parser = sides(&["white", "black", "both"]))]
    fallen: Option<Side>,

    /// Move announced and not yet played: `35. Qc4+`
    ///
    /// Also in the piece letters of other languages (`--move-letters`).
    #[arg(long = "move", value_name = "SAN")]
    announced: Option<String>,

    /// Piece letters of the announced move, also if those of the game are others
    ///
    /// By default those of the game, English ones, and those of the languages that are likely by
    /// the site, the federations of the players and the locale.
    #[arg(long, value_name = "SET", value_parser = args::letters)]
    #[arg(requires = "announced", hide_short_help = true)]
    move_letters: Option<&'static LetterSet>,

    /// Moment of the claim: 22w, 22b, 22.Qe2, 22...Kg7, end
    ///
    /// After this move of White or Black, by the numbers of the game; by default at the end. A
    /// move that is named must be the one played; `22...` is `22b`.
    #[arg(long = "at", value_name = "MOMENT")]
    moment: Option<Moment>,

    /// Decide it in a position instead of a game
    #[arg(long = "fen", value_name = "FEN", help_heading = "Modes")]
    claim_fen: Option<String>,

    /// Rule sets to compare the decision with, or `none`
    #[arg(long = "compare", value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = offered(offered_rules, compared), default_values = COMPARED)]
    #[arg(help_heading = "Compare", hide_default_value = true)]
    compared: Vec<Compared>,
}

/// The kinds of claim as values of `--claim`.
fn kinds() -> impl TypedValueParser<Value = ClaimKind> {
    let values = ClaimKind::all().map(|kind| {
        let words = kind.words();
        PossibleValue::new(words.name).help(words.help)
    });
    let draw = PossibleValue::new("draw").hide(true);
    PossibleValuesParser::new(values.chain([draw])).try_map(|name| name.parse())
}

/// The sides as values.
fn sides(names: &'static [&'static str]) -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(names).map(|name| {
        let mut sides = Color::ALL.into_iter();
        sides.find(|side| side.name().eq_ignore_ascii_case(&name))
    })
}

/// A rule set to compare with, or none.
type Compared = Option<RuleChoice>;

fn offered_rules() -> Vec<PossibleValue> {
    let names = RuleChoice::names().chain(["none"]);
    names.map(PossibleValue::new).collect()
}

/// A rule set to compare with: one that needs no game to be chosen.
fn compared(name: &str) -> Result<Compared, String> {
    if name.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    match name.parse()? {
        RuleChoice::Auto => Err("`auto` is not one rule set".to_owned()),
        choice => Ok(Some(choice)),
    }
}

impl ClaimFlags {
    fn claim(&self, kind: ClaimKind) -> Result<Claim, Error> {
        if self.compared.len() > 1 && self.compared.iter().any(Option::is_none) {
            return Err(Error::usage("`--compare none` takes no other rule sets"));
        }
        Claim::new(kind, self.claimant, self.fallen, self.announced.as_deref())
            .map_err(Error::usage)
    }
}

/// The games that the claim may be about, and why there are none.
#[derive(Default)]
struct Candidates {
    count: usize,
    first: Option<Candidate>,
    /// The first text that is no game.
    unreadable: Option<String>,
}

struct Candidate {
    number: u64,
    bytes: Vec<u8>,
    unclosed_comment: Option<usize>,
}

impl Candidates {
    fn new(reader: &mut Reader, chunk: &Chunk) -> Candidates {
        let mut found = Candidates::default();
        for text in chunk.games() {
            let game = text.read(reader);
            let number = text.origin.game.0;
            if game.is_unreadable(text.bytes) {
                let message = || findings::unreadable_game(game, text.bytes).message;
                let unreadable = &mut found.unreadable;
                unreadable.get_or_insert_with(|| format!("game {number}: {}", message()));
                continue;
            }
            found.count += 1;
            found.first.get_or_insert_with(|| Candidate {
                number,
                bytes: text.bytes.to_vec(),
                unclosed_comment: text.unclosed_comment,
            });
        }
        found
    }

    /// The only game, or why there is none or more than one.
    fn only(self, selection: &Selection) -> Result<Candidate, String> {
        match (self.count, self.first) {
            (1, Some(candidate)) => Ok(candidate),
            (0, _) => Err(self
                .unreadable
                .unwrap_or_else(|| selection.none_chosen("game"))),
            (count, _) => Err(format!(
                "there are {count} games, and a claim is about one: choose it with `--games` or \
                `--where`"
            )),
        }
    }
}

pub(crate) fn run(
    flags: &Flags,
    config: &Config,
    kind: ClaimKind,
    rules: &[RuleChoice],
) -> Result<Outcome, Error> {
    let claim = flags.claim.claim(kind)?;
    let write = format::in_format(flags.format)?;
    let &[choice] = rules else {
        return Err(Error::usage("a claim is decided under one rule set"));
    };
    let Some(fen) = &flags.claim.claim_fen else {
        return in_game(flags, config, &claim, choice, write);
    };
    let mut output = Output::without_games(&flags.games)?;
    let (setup, position) = args::position(fen, &output.log)?;
    let mut played = ClaimGame::of_position(&setup, position);
    played.letters = args::piece_letters(config)?.and_then(Letters::other_than_english);
    let rules = (choice.on(None), None);
    let ruling = flags.decide(config, played, &claim, choice.name(), rules);
    let columns = output.sink.columns();
    output.print(write(&ruling, columns).as_bytes())?;
    Ok(outcome(&ruling))
}

impl Flags {
    fn decide(
        &self,
        config: &Config,
        game: ClaimGame,
        claim: &Claim,
        asked: &'static str,
        (rules, note): (&'static RuleSet, Option<String>),
    ) -> ClaimRuling {
        let game = game.in_letters(self.claim.move_letters, letters_of_locale());
        let compared: Vec<RuleChoice> = self.claim.compared.iter().copied().flatten().collect();
        let notes = [config.rules_note(), note].into_iter().flatten();
        ClaimRuling {
            asked,
            note: notes.reduce(|one, next| one + "; " + &next),
            ..decide(&game, claim, rules, self.solver.limits(), &compared)
        }
    }
}

fn in_game(
    flags: &Flags,
    config: &Config,
    claim: &Claim,
    choice: RuleChoice,
    write: format::Writer,
) -> Result<Outcome, Error> {
    let mut run = CommandRun::begin(&flags.games, config, OtherFiles::default())?;
    let mut found = Candidates::default();
    let readers = flags.games.readers(config)?;
    run.work(
        &readers,
        |reader, _, chunk| Candidates::new(reader, chunk),
        |found| found.first.as_ref().map_or(0, |first| first.bytes.len()),
        |_, _, part| {
            found.count += part.value.count;
            found.first = found.first.take().or(part.value.first);
            found.unreadable = found.unreadable.take().or(part.value.unreadable);
            Ok(())
        },
    )?;
    if run.interrupted {
        return run.close_one(Outcome::NotDone);
    }
    if found.count == 0 && found.unreadable.is_none() && run.failed {
        return Ok(Outcome::NotDone);
    }
    let ruling = found.only(&run.selection).and_then(|candidate| {
        let (text, mut reader) = (&*candidate.bytes, readers());
        let game = reader.read(text, candidate.unclosed_comment);
        let played = ClaimGame::at(flags.claim.moment.as_ref(), claim, game, text)
            .map_err(|why| format!("game {}: {why}", candidate.number))?;
        let rules = choice.for_game(game, text);
        Ok(ClaimRuling {
            heading: Heading::new(game, text),
            ..flags.decide(config, played, claim, choice.name(), rules)
        })
    });
    match ruling {
        Ok(ruling) => {
            let sink = &mut run.output.sink;
            sink.write(write(&ruling, sink.columns()).as_bytes())?;
            run.close_one(outcome(&ruling))
        }
        Err(why) => {
            run.output.log.error(&why);
            Ok(Outcome::NotDone)
        }
    }
}

/// The letters of the locale: `de_DE.UTF-8`.
fn letters_of_locale() -> Option<&'static LetterSet> {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    LetterSet::named(locale?.get(..2)?)
}

fn outcome(ruling: &ClaimRuling) -> Outcome {
    match ruling.upheld {
        Some(true) => Outcome::Done,
        Some(false) => Outcome::Reported,
        None => Outcome::NotDone,
    }
}
