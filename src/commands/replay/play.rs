//! The games of a chunk, played and written down.

use std::sync::Mutex;

use crate::chess::Position;
use crate::commands::accounts::Accounts;
use crate::commands::replay::formats::svg::{Pictures, picture};
use crate::commands::replay::formats::{
    CsvRows, Drawn, Human, JsonRows, PgnGame, Sheet, epd, fen, uci,
};
use crate::commands::replay::rows::{At, LineId, Played, Player, Plies, PlyRow, Step, lines};
use crate::commands::replay::{Boards, Format, Plan};
use crate::commands::validate::formats::concise;
use crate::commands::validate::report::Lines;
use crate::error::Error;
use crate::input::lock;
use crate::input::{Chunk, GameText, Source};
use crate::pgn::{Game, Reader};
use crate::report::escape::Escaped;

/// What one thread keeps from chunk to chunk.
pub(crate) struct Scratch {
    reader: Reader,
    table: Table,
}

/// Where games are played.
#[derive(Default)]
struct Table {
    player: Player,
    /// For each line of play the one that it leaves.
    parents: Vec<Option<LineId>>,
}

impl Scratch {
    pub(crate) fn new(reader: Reader) -> Scratch {
        Scratch {
            reader,
            table: Table::default(),
        }
    }
}

/// What became of one chunk.
#[derive(Default)]
pub(crate) struct Done {
    /// Rows of plies.
    pub(crate) rows: Sheet,
    /// What is shown in other formats.
    pub(crate) data: Vec<u8>,
    /// Why games stopped, written out.
    pub(crate) stops: String,
    pub(crate) accounts: Accounts,
    /// Games that have none of the plies asked for.
    pub(crate) beside: u64,
    /// The first of them.
    pub(crate) first_beside: Option<String>,
    /// Why a picture could not be written.
    pub(crate) error: Option<Error>,
}

/// Memory for rows that have been written out, to be used again: rows are some fifteen times as long as the games, and
/// memory that is new each time would cost as much as a third of the work.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Sheet>>);

impl Spare {
    /// Larger ones are not kept, so that one gigantic game costs its memory once.
    const KEEP_BYTES: usize = 32 << 20;

    fn take(&self) -> Sheet {
        let mut spare = lock(&self.0);
        spare.pop().unwrap_or_default()
    }

    pub(crate) fn give(&self, mut sheet: Sheet) {
        if sheet.memory() <= Spare::KEEP_BYTES {
            sheet.clear();
            let mut spare = lock(&self.0);
            spare.push(sheet);
        }
    }
}

pub(crate) fn play(
    chunk: &Chunk,
    source: &Source,
    scratch: &mut Scratch,
    plan: &Plan,
    spare: &Spare,
) -> Done {
    let mut done = Done {
        rows: spare.take(),
        ..Done::default()
    };
    let mut writer = Writer {
        source,
        plan,
        csv: CsvRows::new(source.name(), plan.cells),
        json: JsonRows::new(source.name()),
        human: String::new(),
    };
    let mut places = Lines::new(chunk);
    for text in chunk.games() {
        let Scratch { reader, table } = scratch;
        let game = reader.read(text.bytes, text.unclosed_comment);
        let played = match writer.game(game, &text, table, &mut done) {
            Ok(played) => played,
            Err(error) => {
                done.error = Some(error);
                break;
            }
        };
        done.accounts.add(played.verdict(game));
        if played.beside {
            done.beside += 1;
            done.first_beside.get_or_insert_with(|| {
                let (number, plies) = (text.origin.game, game.plies());
                let unit = if plies == 1 { "ply" } else { "plies" };
                format!(
                    "{}, game {number}, has {plies} {unit}",
                    Escaped(source.name())
                )
            });
        }
        for finding in played.faults {
            concise(
                &mut done.stops,
                source.name(),
                &places.report(&text, finding),
            );
        }
    }
    done
}

/// Writes the games of a source down.
struct Writer<'a> {
    source: &'a Source,
    plan: &'a Plan,
    csv: CsvRows,
    json: JsonRows,
    human: String,
}

impl Writer<'_> {
    fn game(
        &mut self,
        game: &Game,
        text: &GameText<'_>,
        table: &mut Table,
        done: &mut Done,
    ) -> Result<Played, Error> {
        let bytes = text.bytes;
        let at = self.plan.at.as_ref();
        self.csv.begin(text.origin.game.0);
        self.json.begin(text.origin.game.0);
        let Table { player, parents } = table;
        let out = &mut done.data;
        Ok(match self.plan.format {
            Format::Csv | Format::Jsonl if self.plan.variations => {
                parents.clear();
                parents.push(None);
                lines(player, game, bytes, at, true, |step| match step {
                    Step::Begin { line, parent, .. } => {
                        parents.truncate(line.0 as usize);
                        parents.push(Some(*parent));
                    }
                    Step::Ply(line, row, _) => {
                        let parent = parents.get(line.0 as usize).copied().flatten();
                        if self.plan.format == Format::Csv {
                            self.csv.push_line(&mut done.rows, row, *line, parent);
                        } else {
                            self.json.push_line(&mut done.rows, row, *line, parent);
                        }
                    }
                    Step::End(_) | Step::Stop(_) | Step::Unread(_) => {}
                })
            }
            Format::Csv => player.rows(game, bytes, at, |row| self.csv.push(&mut done.rows, row)),
            Format::Jsonl => {
                player.rows(game, bytes, at, |row| self.json.push(&mut done.rows, row))
            }
            Format::Uci => {
                let line = out.len();
                let played = player.rows(game, bytes, at, |row| uci(out, line, row));
                if played.begun {
                    out.push(b'\n');
                }
                played
            }
            Format::Fen | Format::Epd => {
                let end = At::end();
                let is_fen = self.plan.format == Format::Fen;
                let add = if is_fen { fen } else { epd };
                player.positions(game, bytes, at.unwrap_or(&end), |_, position| {
                    add(out, position);
                })
            }
            Format::Pgn => pgn(game, bytes, player, self.plan, out),
            Format::Human => {
                self.human.clear();
                let played = human(game, text, self.source, player, self.plan, &mut self.human)?;
                out.extend_from_slice(self.human.as_bytes());
                played
            }
        })
    }
}

/// A game in export format; one that cannot be begun is left out.
fn pgn(game: &Game, text: &[u8], player: &mut Player, plan: &Plan, out: &mut Vec<u8>) -> Played {
    let keep = plan.keep;
    let before = out.len();
    let mut pgn = PgnGame::begin(out, game, text, keep);
    let played = if keep.is_nothing() {
        player.rows(game, text, None, |row| pgn.ply(row))
    } else {
        lines(player, game, text, None, keep.variations, |step| {
            pgn.step(step);
        })
    };
    pgn.end();
    if !played.begun {
        out.truncate(before);
    }
    played
}

/// A game for people.
fn human(
    game: &Game,
    text: &GameText<'_>,
    source: &Source,
    player: &mut Player,
    plan: &Plan,
    out: &mut String,
) -> Result<Played, Error> {
    let bytes = text.bytes;
    let number = text.origin.game.0;
    let start = player.start(game, bytes);
    let end = At::end();
    let boards = match (&plan.boards, &start) {
        (Some(boards), Some(start)) => {
            let at = plan.at.as_ref().unwrap_or(&end);
            Some((boards, player.plies(game, at, start)))
        }
        _ => None,
    };
    let beside = boards.as_ref().is_some_and(|(_, plies)| plies.is_empty());
    let mut human = Human::begin(out, source.name(), number, game, bytes);
    let mut artist = Artist {
        boards,
        source,
        number,
        error: None,
    };
    if let Some(start) = &start {
        artist.draw(&mut human, 0, &start.position, None);
    }
    let mut played = if plan.variations {
        lines(player, game, bytes, None, true, |step| {
            human.step(step);
            if let Step::Ply(LineId::MAIN, row, _) = step {
                artist.draw(&mut human, row.ply, row.after, Some(row));
            }
        })
    } else {
        player.rows(game, bytes, None, |row| {
            human.ply(row);
            artist.draw(&mut human, row.ply, row.after, Some(row));
        })
    };
    played.beside = beside;
    if let Some(error) = artist.error {
        return Err(error);
    }
    if played.begun {
        human.end(game, bytes, played.stopped);
    } else {
        out.clear();
    }
    Ok(played)
}

/// Draws the boards of a game where they are asked for.
struct Artist<'a> {
    boards: Option<(&'a Boards, Plies)>,
    source: &'a Source,
    number: u64,
    error: Option<Error>,
}

impl Artist<'_> {
    fn draw(
        &mut self,
        human: &mut Human<'_>,
        ply: u32,
        position: &Position,
        last: Option<&PlyRow<'_>>,
    ) {
        match &self.boards {
            Some((boards, plies)) if plies.has(ply) => match boards {
                Boards::Characters(style) => {
                    human.board(position, last, Drawn::Characters(*style));
                }
                Boards::Pictures(pictures) => match self.file(pictures, ply, position, last) {
                    Ok(path) => human.board(position, last, Drawn::File(&path)),
                    Err(error) => self.error = Some(error),
                },
            },
            _ => {}
        }
    }

    fn file(
        &self,
        pictures: &Pictures,
        ply: u32,
        position: &Position,
        last: Option<&PlyRow<'_>>,
    ) -> Result<String, Error> {
        let game = format!("{}, game {}", self.source.name(), self.number);
        let name = pictures.name(self.source, self.number, ply);
        pictures.write(&name, &picture(position, last, &game))
    }
}
