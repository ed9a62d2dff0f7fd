//! Openings by position: `--openings`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::chess::Position;
use crate::chess::zobrist::KeyMap;
use crate::commands::held_file::read_output;
use crate::error::Error;
use crate::findings::{self, Finding};
use crate::input::{BYTE_ORDER_MARK, split_games};
use crate::pgn::values::eco;
use crate::pgn::{Game, TagName};
use crate::replay::{Reader, Replay, Start};
use crate::report::rows::Row;
use crate::text::decode;

/// Option of the commands that name openings.
#[derive(Args, Debug)]
pub(crate) struct OpeningArgs {
    /// Openings by position, from a table of codes, names and moves; may be repeated
    ///
    /// A folder stands for its tables *.tsv. A TSV file with the columns eco, name and pgn, as
    /// lichess.org publishes them, or a PGN file with the tags ECO, Opening, Variation and
    /// `SubVariation`. The last position of a game that is in the table counts, whatever moves led
    /// to it and whatever the tags of the game say.
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true, help_heading = "Input")]
    openings: Vec<PathBuf>,
}

impl OpeningArgs {
    pub(crate) fn is_given(&self) -> bool {
        !self.openings.is_empty()
    }

    /// The files, with their name in messages.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let files = self.openings.iter();
        files.map(|path| (&**path, "the table of openings"))
    }

    /// Reads the tables into one, unless there are tables among the `inputs` too.
    pub(crate) fn read(&self, inputs: &[PathBuf]) -> Result<Option<Arc<Openings>>, Error> {
        if !self.is_given() {
            return Ok(None);
        }
        let is_table = |path: &Path| path.extension().is_some_and(|it| it == "tsv");
        if let Some(table) = inputs.iter().find(|path| is_table(path)) {
            let table = table.display();
            return Err(Error::usage(format!(
                "`{table}` is no input of games: write `--openings` before each table"
            )));
        }
        let mut openings = Openings {
            by_key: KeyMap::default(),
            fewest_men: usize::MAX,
            initial: Position::initial(),
        };
        for path in &self.openings {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            let mut tables: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            tables.retain(|path| is_table(path));
            tables.sort();
            if tables.is_empty() && path.is_dir() {
                let reason = format!("there are no files *.tsv in `{}`", path.display());
                return Err(Error::usage(reason));
            }
            if tables.is_empty() {
                tables.push(path.clone());
            }
            tables.iter().try_for_each(|table| openings.read(table))?;
        }
        Ok(Some(Arc::new(openings)))
    }
}

/// An opening of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// Code of three characters.
    pub(crate) eco: String,
    /// Name; empty if the table has only a code.
    pub(crate) name: String,
}

impl Opening {
    /// Adds the columns of an opening to a row; null if it is unknown.
    #[inline(always)]
    pub(crate) fn write(opening: Option<&Opening>, row: &mut Row<'_>) {
        let name = opening.map(|it| &*it.name);
        row.text("eco", opening.map(|it| &*it.eco));
        row.text("opening", name.filter(|name| !name.is_empty()));
    }
}

/// Openings by their positions, as repetitions compare them.
#[derive(Debug)]
pub(crate) struct Openings {
    by_key: KeyMap<Opening>,
    /// Fewest men of a position: no game with fewer men can reach one.
    fewest_men: usize,
    initial: Position,
}

impl Openings {
    /// The opening of the last known position of a game.
    pub(crate) fn find(&self, game: &Game, text: &[u8]) -> Option<&Opening> {
        let (start, _) = Start::of(game, text, &self.initial).ok()?;
        let mut replay = Replay::new(game, start.position);
        let mut found = None;
        while self.see(replay.position(), &mut found) && replay.play().is_some() {}
        found
    }

    /// Looks up the next position of a game. Returns whether a later one may be in the table.
    #[inline]
    pub(crate) fn see<'o>(&'o self, position: &Position, found: &mut Option<&'o Opening>) -> bool {
        let may_be_known = position.board().occupied().count() >= self.fewest_men;
        if may_be_known {
            *found = self.by_key.get(&position.key()).or(*found);
        }
        may_be_known
    }

    /// Adds the lines of a file. The last line to a position counts.
    fn read(&mut self, path: &Path) -> Result<(), Error> {
        let (path, text) = read_output(path)?;
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let header = text.split(|&byte| byte == b'\n').next();
        let columns = header.and_then(columns);
        let pieces = match columns {
            Some(_) => text.split_inclusive(|&byte| byte == b'\n').collect(),
            None => split_games(text),
        };
        let mut reader = Reader::new();
        let mut before = 0;
        for piece in pieces {
            let added = match columns {
                Some(columns) => self.add_row(&mut reader, piece, columns),
                None => self.add_game(reader.read(piece, None), piece),
            };
            added.map_err(|(at, reason)| {
                let lines = text[..before + at].iter().filter(|&&byte| byte == b'\n');
                let line = lines.count() as u64 + 1;
                Error::invalid("table of openings", &path, line, reason)
            })?;
            before += piece.len();
        }
        let reason = "it has no openings";
        match self.by_key.is_empty() {
            true => Err(Error::invalid("table of openings", path, None, reason)),
            false => Ok(()),
        }
    }

    /// Adds the opening of a line of a TSV file. The header is no opening, nor is an empty line.
    fn add_row(
        &mut self,
        reader: &mut Reader,
        line: &[u8],
        columns: [usize; 3],
    ) -> Result<(), Fault> {
        let line = line.trim_ascii_end();
        if line.is_empty() || self::columns(line) == Some(columns) {
            return Ok(());
        }
        let cells: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
        let [eco, name, moves] =
            columns.map(|column| cells.get(column).copied().unwrap_or_default());
        let opening = opening(eco, decode(name.trim_ascii()).into_owned(), 0)?;
        self.add(reader.read(moves, None), moves, opening)
    }

    /// Adds the opening of a game of a PGN file.
    fn add_game(&mut self, game: &Game, text: &[u8]) -> Result<(), Fault> {
        let value = |name| game.text(text, name).unwrap_or_default();
        let parts = [
            ("", TagName::Opening),
            (": ", TagName::Variation),
            (", ", TagName::SubVariation),
        ];
        let mut name = String::new();
        for (between, tag) in parts {
            let part = value(tag);
            if !name.is_empty() && !part.is_empty() {
                name.push_str(between);
            }
            name.push_str(&part);
        }
        let opening = opening(value(TagName::Eco).as_bytes(), name, game.start)?;
        self.add(game, text, opening)
    }

    /// Adds the opening of the position after the moves of a game.
    fn add(&mut self, game: &Game, text: &[u8], opening: Opening) -> Result<(), Fault> {
        if game.is_empty() {
            return Err((0, "no moves".to_owned()));
        }
        let fault = |finding: Finding| (finding.span.start as usize, finding.message);
        let (start, _) = Start::of(game, text, &self.initial)
            .map_err(|reason| fault(findings::not_begun(game, text, reason)))?;
        let mut replay = Replay::new(game, start.position);
        replay.play_to_end();
        if let Some(finding) = findings::of_replay(game, text, &replay) {
            return Err(fault(finding));
        }
        let position = replay.position();
        self.fewest_men = self.fewest_men.min(position.board().occupied().count());
        self.by_key.insert(position.key(), opening);
        Ok(())
    }
}

/// Offset of a fault in a line or game of a table, and the fault.
type Fault = (usize, String);

/// The columns of code, name and moves, if a line is the header of a TSV file.
fn columns(line: &[u8]) -> Option<[usize; 3]> {
    let column = |name: &str| {
        let mut cells = line.split(|&byte| byte == b'\t');
        cells.position(|cell| cell.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
    };
    Some([column("eco")?, column("name")?, column("pgn")?])
}

/// An opening with a valid code.
fn opening(code: &[u8], name: String, at: usize) -> Result<Opening, Fault> {
    let Some(code) = eco::read(code).value else {
        let reason = "no ECO code: a table has the columns eco, name and pgn, separated by tabs, \
                      or games with the tags ECO and Opening";
        return Err((at, reason.to_owned()));
    };
    let eco = code.map(char::from).into_iter().collect();
    Ok(Opening { eco, name })
}
