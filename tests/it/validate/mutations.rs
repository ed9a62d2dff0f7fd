//! Real games with one defect each. The defect is found, or the game reads the same, or the result
//! is as sound as before. The games around it read exactly as before.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use arbiter::chess::Position;
use arbiter::findings::{Checks, check};
use arbiter::input::{Buffers, Source, SourceId, Stream};
use arbiter::pgn::TokenKind;
use arbiter::replay::Reader;
use pgn_reader::shakmaty::fen::Fen;
use pgn_reader::shakmaty::san::SanPlus as PeerSan;
use pgn_reader::shakmaty::{CastlingMode, Chess, Position as _};
use rayon::prelude::*;

use crate::chess::random_games::Random;
use crate::corpus;

/// Games with clocks, variations and comments, from TWIC, of engines, and with CRLF.
const FILES: [(&str, usize); 6] = [
    ("bulk/lichess_clk_eval_10k_games.pgn.zst", 80),
    ("bulk/annotated_variations.pgn", 40),
    ("bulk/twic1427.pgn", 80),
    ("bulk/chesscom.pgn", 40),
    ("bulk/cutechess.pgn", 30),
    ("bulk/latin1_crlf.pgn", 30),
];
const GAMES: usize = 300;
/// Games that are read before and after the damaged one.
const NEIGHBOURS: usize = 15;

/// Kinds of damage to a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Damage {
    DeleteByte,
    DoubleByte,
    FlipBit,
    Cut,
    UncloseBrace,
    UncloseQuote,
    UncloseParenthesis,
    SwapMoves,
}

const DAMAGES: [Damage; 8] = [
    Damage::DeleteByte,
    Damage::DoubleByte,
    Damage::FlipBit,
    Damage::Cut,
    Damage::UncloseBrace,
    Damage::UncloseQuote,
    Damage::UncloseParenthesis,
    Damage::SwapMoves,
];

/// Result of reading one game.
#[derive(Clone, PartialEq, Eq)]
struct Reading {
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// Moves, variations and results; comments and numbers do not affect the game.
    tokens: Vec<String>,
    /// Codes and messages.
    findings: Vec<(&'static str, String)>,
}

impl Reading {
    fn says_the_same(&self, other: &Reading) -> bool {
        self.tags == other.tags && self.tokens == other.tokens
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<_> = self.findings.iter().map(|(code, _)| code).collect();
        write!(
            f,
            "{} tags, {} tokens, {codes:?}",
            self.tags.len(),
            self.tokens.len()
        )
    }
}

/// Calls `each` with every game of a text and its offset.
fn games(stream: impl std::io::Read, source: &Source, mut each: impl FnMut(&[u8], Option<usize>)) {
    for chunk in source.chunks(stream, 1 << 20, Buffers::default()) {
        // Binary data contains no games.
        let Ok(chunk) = chunk else { break };
        for game in chunk.games() {
            each(game.bytes, game.unclosed_comment);
        }
    }
}

fn read(text: &[u8]) -> Vec<Reading> {
    let mut reader = Reader::new();
    let initial = Position::initial();
    let checks = Checks::default();
    let mut readings = Vec::new();
    let source = Source::stdin(SourceId(0));
    games(text, &source, |text, unclosed_comment| {
        let game = reader.read(text, unclosed_comment);
        let mut found = Vec::new();
        check(game, text, &initial, &checks, &mut found);
        readings.push(Reading {
            tags: game
                .tags
                .iter()
                .map(|tag| (tag.name.of(text).to_vec(), tag.unescape(text).into_owned()))
                .collect(),
            tokens: game
                .tokens
                .iter()
                .map(|token| match token.kind {
                    TokenKind::Unreadable => {
                        String::from_utf8_lossy(token.span.of(text)).into_owned()
                    }
                    kind => format!("{kind:?}"),
                })
                .collect(),
            findings: found
                .into_iter()
                .map(|finding| (finding.rule.code, finding.message))
                .collect(),
        });
    });
    readings
}

/// Games to damage: every nth game of each file, each followed by one empty line.
fn real_games() -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for (file, wanted) in FILES {
        let path = corpus::path(file)?;
        let source = Source::file(SourceId(0), path);
        let stream: Stream = source.open(std::sync::Arc::default()).unwrap();
        let mut texts = Vec::new();
        games(stream, &source, |text, _| {
            let text = text.trim_ascii();
            if text.starts_with(b"[") && text.len() < 30_000 && texts.len() < 40 * wanted {
                texts.push(text.to_vec());
            }
        });
        let step = texts.len() / wanted;
        assert!(step > 0, "{file} has too few games");
        all.extend(texts.into_iter().step_by(step).take(wanted));
    }
    assert_eq!(all.len(), GAMES);
    Some(all)
}

fn joined(games: &[Vec<u8>]) -> Vec<u8> {
    games.iter().fold(Vec::new(), |mut text, game| {
        text.extend_from_slice(game);
        text.extend_from_slice(b"\n\n");
        text
    })
}

/// Spans of the words that resemble moves.
fn moves(game: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    let (mut depth, mut in_comment) = (0, false);
    while at < game.len() {
        let byte = game[at];
        match byte {
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            b'[' if !in_comment => at = line_end(game, at),
            b'(' if !in_comment => depth += 1,
            b')' if !in_comment => depth -= 1,
            b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' if !in_comment && depth == 0 => {
                let length = game[at..]
                    .iter()
                    .position(|byte| b" \r\n(){}$!?;".contains(byte))
                    .unwrap_or(game.len() - at);
                words.push(at..at + length);
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    words
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len() - 1, |length| at + length)
}

/// The damaged game, or `None` if the damage does not apply to it.
fn damaged(game: &[u8], damage: Damage, random: &mut Random) -> Option<Vec<u8>> {
    let mut text = game.to_vec();
    let mut any_of = |bytes: &[u8], before: Option<&[u8]>| {
        let places: Vec<_> = (1..game.len())
            .filter(|&at| bytes.contains(&game[at]))
            .filter(|&at| before.is_none_or(|next| game[at + 1..].starts_with(next)))
            .collect();
        (!places.is_empty()).then(|| places[random.below(places.len())])
    };
    match damage {
        Damage::UncloseBrace => {
            text.remove(any_of(b"}", None)?);
        }
        Damage::UncloseQuote => {
            text.remove(any_of(b"\"", Some(b"]"))?);
        }
        Damage::UncloseParenthesis => {
            text.remove(any_of(b"()", None)?);
        }
        Damage::DeleteByte => {
            text.remove(random.below(game.len()));
        }
        Damage::DoubleByte => {
            let at = random.below(game.len());
            text.insert(at, game[at]);
        }
        Damage::FlipBit => text[random.below(game.len())] ^= 1 << random.below(7),
        Damage::Cut => text.truncate(1 + random.below(game.len() - 1)),
        Damage::SwapMoves => {
            let words = moves(game);
            if words.len() < 3 {
                return None;
            }
            let nth = random.below(words.len() - 2);
            let (one, other) = (words[nth].clone(), words[nth + 2].clone());
            if game[one.clone()] == game[other.clone()] {
                return None;
            }
            text = [
                &game[..one.start],
                &game[other.clone()],
                &game[one.end..other.start],
                &game[one.clone()],
                &game[other.end..],
            ]
            .concat();
        }
    }
    // White space at the ends belongs to no game.
    let trimmed = text.trim_ascii().to_vec();
    (!trimmed.is_empty()).then_some(trimmed)
}

/// Independent check that a text is one sound game: tag pairs by line, then moves that another
/// library can play, then a result.
fn is_sound(game: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(game).replace('\r', "");
    let mut lines = text.lines().peekable();
    let mut fen = None;
    let mut names = HashSet::new();
    while let Some(line) = lines.peek().map(|line| line.trim()) {
        let Some(pair) = line.strip_prefix('[') else {
            if line.is_empty() {
                lines.next();
                continue;
            }
            break;
        };
        let pair = pair.strip_suffix("\"]").ok_or(line)?;
        let (name, value) = pair.split_once(" \"").ok_or(line)?;
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("tag name {name}"));
        }
        if value.replace("\\\\", "").replace("\\\"", "").contains('"') {
            return Err(format!("tag value {value}"));
        }
        if !names.insert(name.to_ascii_lowercase()) {
            return Err(format!("tag twice {name}"));
        }
        if name.eq_ignore_ascii_case("FEN") {
            fen = Some(value.to_owned());
        }
        lines.next();
    }
    let start: Chess = match fen {
        None => Chess::default(),
        Some(fen) => fen
            .parse::<Fen>()
            .map_err(|error| error.to_string())?
            .into_position(CastlingMode::Chess960)
            .map_err(|error| error.to_string())?,
    };
    let movetext = lines.collect::<Vec<_>>().join("\n");
    if movetext.trim().contains("\n\n") {
        return Err("an empty line".to_owned());
    }
    plays(&movetext, start)
}

fn plays(movetext: &str, start: Chess) -> Result<(), String> {
    let mut rest = movetext.trim_start();
    let mut position = start.clone();
    let mut before = start;
    let mut stack = Vec::new();
    let mut ended = false;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '{' => rest.find('}').ok_or("unclosed comment")? + 1,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                stack.push((position.clone(), before.clone()));
                position = before.clone();
                1
            }
            ')' => {
                (position, before) = stack.pop().ok_or("stray parenthesis")?;
                1
            }
            _ => {
                let word_length = rest
                    .find(|c: char| c.is_whitespace() || "(){};".contains(c))
                    .unwrap_or(rest.len())
                    .max(1);
                let word = &rest[..word_length];
                if ended {
                    return Err(format!("{word} after the result"));
                }
                if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
                    ended = stack.is_empty();
                } else {
                    let san = word
                        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
                        .trim_end_matches(['!', '?']);
                    let is_glyph = san.strip_prefix('$').is_some_and(|digits| {
                        digits.parse::<u8>().is_ok() && word.starts_with('$')
                    });
                    let is_number = san.is_empty()
                        && word.ends_with(|c: char| {
                            c.is_ascii_digit() || c == '.' || c == '!' || c == '?'
                        });
                    if !is_glyph && !is_number {
                        let san: PeerSan = san.parse().map_err(|_| format!("word {word}"))?;
                        let mv = san
                            .san
                            .to_move(&position)
                            .map_err(|error| format!("{word}: {error}"))?;
                        before = position.clone();
                        position.play_unchecked(mv);
                    }
                }
                word_length
            }
        };
        rest = rest[length..].trim_start();
    }
    if !stack.is_empty() {
        return Err("unclosed parenthesis".to_owned());
    }
    ended.then_some(()).ok_or("no result".to_owned())
}

/// Outcome of one damage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fate {
    /// A new finding.
    Found,
    /// The same tags and moves.
    SaysTheSame,
    /// Different tags or moves, but a sound game.
    Sound,
}

/// Outcome of the damage that turned a game into `text`, or the broken expectation.
fn fate(games: &[Vec<u8>], before: &[Reading], nth: usize, text: &[u8]) -> Result<Fate, String> {
    let with_damage = [
        &joined(&games[..nth]),
        text,
        b"\n\n",
        &joined(&games[nth + 1..]),
    ]
    .concat();
    let after = read(&with_damage);
    let behind = games.len() - nth - 1;
    if after.len() < nth + behind {
        return Err(format!("{} games are lost", nth + behind - after.len()));
    }
    if after[..nth] != before[..nth] {
        return Err("an earlier game reads otherwise".to_owned());
    }
    let first_behind = after.len() - behind;
    if after[first_behind..] != before[nth + 1..] {
        return Err("a later game reads otherwise".to_owned());
    }
    let damaged = &after[nth..first_behind];
    let known = &before[nth].findings;
    let found = damaged
        .iter()
        .flat_map(|reading| &reading.findings)
        .any(|finding| !known.contains(finding));
    match damaged {
        _ if found => Ok(Fate::Found),
        [reading] if reading.says_the_same(&before[nth]) => Ok(Fate::SaysTheSame),
        [_] => match is_sound(text) {
            Ok(()) => Ok(Fate::Sound),
            Err(why) => Err(format!("not found ({why})")),
        },
        _ => Err(format!("{} games and no finding", damaged.len())),
    }
}

#[test]
fn damage_is_found_and_costs_no_other_game() {
    let Some(games) = real_games() else { return };
    let before = read(&joined(&games));
    assert_eq!(before.len(), GAMES, "each text is one game");

    let jobs: Vec<_> = (0..GAMES)
        .flat_map(|nth| DAMAGES.map(|damage| (nth, damage)))
        .collect();
    let fates: Vec<(Damage, Result<Fate, String>)> = jobs
        .par_iter()
        .filter_map(|&(nth, damage)| {
            let mut random = Random((nth * DAMAGES.len() + damage as usize) as u64);
            let text = damaged(&games[nth], damage, &mut random)?;
            let first = nth.saturating_sub(NEIGHBOURS);
            let read = first..GAMES.min(nth + 1 + NEIGHBOURS);
            let fate = fate(&games[read.clone()], &before[read], nth - first, &text);
            let fate = fate.map_err(|fault| {
                format!(
                    "{fault}, {damage:?} of game {nth}:\n{}\n",
                    String::from_utf8_lossy(&text)
                )
            });
            Some((damage, fate))
        })
        .collect();
    let failures: Vec<_> = fates
        .iter()
        .filter_map(|(_, fate)| fate.as_ref().err())
        .collect();
    assert!(
        failures.is_empty(),
        "{} failures, the first:\n{}",
        failures.len(),
        failures
            .iter()
            .take(5)
            .map(|text| text.as_str())
            .collect::<String>()
    );

    for damage in DAMAGES {
        let count = |fate| {
            fates
                .iter()
                .filter(|found| **found == (damage, Ok(fate)))
                .count()
        };
        let (found, same, sound) = (
            count(Fate::Found),
            count(Fate::SaysTheSame),
            count(Fate::Sound),
        );
        println!("{damage:?}: {found} found, {same} say the same, {sound} sound otherwise");
        assert!(found + same + sound >= 40, "{damage:?} was hardly tried");
        assert!(found > 0, "{damage:?} is never found");
    }
}
