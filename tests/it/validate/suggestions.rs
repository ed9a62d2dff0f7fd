//! Suggestions ("did you mean"): typing errors in real games, and how many are corrected.

use arbiter::chess::Position;
use arbiter::chess::san::{San, SanPlus};
use arbiter::findings;
use arbiter::findings::Checks;
use arbiter::input::{Buffers, Source, SourceId};
use arbiter::pgn::{Span, TokenKind};
use arbiter::replay::{Reader, Replay, Start};

use crate::chess::random_games::Random;
use crate::corpus;

/// A way to miswrite a move, or `None` if it does not apply.
type Slip = fn(&mut Slips<'_>) -> Option<String>;

struct Slips<'a> {
    random: &'a mut Random,
    word: &'a str,
    san: San,
}

impl Slips<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    /// Random position of a character of the word that satisfies a predicate.
    fn place(&mut self, of: impl Fn(char) -> bool) -> Option<usize> {
        let places: Vec<_> = self.word.char_indices().filter(|&(_, c)| of(c)).collect();
        let nth = self.below(places.len().max(1));
        places.get(nth).map(|&(place, _)| place)
    }

    fn any(&mut self) -> usize {
        self.below(self.word.len())
    }

    fn at(&self, place: usize) -> char {
        char::from(self.word.as_bytes()[place])
    }

    fn with(&self, place: usize, letter: impl ToString) -> Option<String> {
        let mut word = self.word.to_owned();
        word.replace_range(place..=place, &letter.to_string());
        Some(word)
    }

    /// The next or previous character.
    fn beside(&mut self, letter: char) -> char {
        let step = if self.below(2) == 0 { 1 } else { -1_i32 };
        char::from_u32((letter as i32 + step) as u32).unwrap()
    }

    fn swapped(&self, first: usize) -> Option<String> {
        let mut bytes = self.word.as_bytes().to_vec();
        (first + 1 < bytes.len()).then(|| bytes.swap(first, first + 1))?;
        String::from_utf8(bytes).ok()
    }

    fn is_castling(&self) -> bool {
        matches!(self.san, San::Castle(_))
    }

    /// Position of the disambiguating file or rank.
    fn origin(&self) -> Option<usize> {
        match self.san {
            San::Piece(piece) if piece.role.letter() != 'P' => {
                (piece.file.is_some() || piece.rank.is_some()).then_some(1)
            }
            _ => None,
        }
    }
}

/// Adjacent keys on an English keyboard.
fn keys(letter: char) -> &'static str {
    const ROWS: [(char, &str); 30] = [
        ('1', "2q"),
        ('2', "13qw"),
        ('3', "24we"),
        ('4', "35er"),
        ('5', "46rt"),
        ('6', "57ty"),
        ('7', "68yu"),
        ('8', "79ui"),
        ('a', "qsz"),
        ('b', "vn"),
        ('c', "xv"),
        ('d', "sfe"),
        ('e', "wrd"),
        ('f', "dgr"),
        ('g', "fht"),
        ('h', "gjy"),
        ('N', "BM"),
        ('B', "VN"),
        ('R', "ET"),
        ('Q', "WA"),
        ('K', "JL"),
        ('x', "zc"),
        ('O', "IP"),
        ('-', "0="),
        ('+', "=-"),
        ('=', "-+"),
        ('#', "@$"),
        ('n', "bm"),
        ('q', "wa"),
        ('r', "et"),
    ];
    ROWS.iter()
        .find(|(key, _)| *key == letter)
        .map_or("", |(_, keys)| keys)
}

const SLIPS: [(&str, Slip); 15] = [
    ("file by one", |slips| {
        let place = slips.place(|c| c.is_ascii_lowercase() && c != 'x')?;
        let letter = slips.beside(slips.at(place));
        slips.with(place, letter)
    }),
    ("rank by one", |slips| {
        let place = slips.place(|c| c.is_ascii_digit())?;
        let letter = slips.beside(slips.at(place));
        slips.with(place, letter)
    }),
    ("another piece", |slips| {
        let place = slips.place(|c| "NBRQK".contains(c))?;
        let other = slips.below(5);
        slips.with(place, &"NBRQK"[other..=other])
    }),
    ("character left out", |slips| {
        let place = slips.any();
        slips.with(place, "")
    }),
    ("character doubled", |slips| {
        let place = slips.any();
        let twice = slips.at(place).to_string().repeat(2);
        slips.with(place, twice)
    }),
    ("neighbours exchanged", |slips| {
        let place = slips.any();
        slips.swapped(place)
    }),
    ("other case", |slips| {
        let place = slips.place(|c| c.is_ascii_alphabetic())?;
        let letter = slips.at(place);
        let other = match letter.is_ascii_lowercase() {
            true => letter.to_ascii_uppercase(),
            false => letter.to_ascii_lowercase(),
        };
        slips.with(place, other)
    }),
    ("capture mark elsewhere", |slips| {
        let place = slips.place(|c| c == 'x')?;
        slips.swapped(place)
    }),
    ("nothing tells pieces apart", |slips| {
        let place = slips.origin()?;
        slips.with(place, "")
    }),
    ("another piece told apart", |slips| {
        let place = slips.origin()?;
        let nth = slips.below(8) as u8;
        let first = if slips.at(place).is_ascii_digit() {
            b'1'
        } else {
            b'a'
        };
        slips.with(place, char::from(first + nth))
    }),
    ("castling", |slips| {
        let word = slips.is_castling().then(|| slips.word.to_owned())?;
        Some(match slips.below(5) {
            0 => word.replace('-', ""),
            1 => word.replace('-', "").replace('O', "0"),
            2 => word.replace("O-", "O"),
            3 => format!("{word}-"),
            _ => word.replace('-', "_"),
        })
    }),
    ("digit before letter", |slips| {
        let digit = slips.place(|c| c.is_ascii_digit())?;
        slips.swapped(digit.checked_sub(1)?)
    }),
    ("key beside", |slips| {
        let place = slips.any();
        let keys = keys(slips.at(place));
        let nth = slips.below(keys.len().max(1));
        slips.with(place, keys.get(nth..=nth)?)
    }),
    ("promotion", |slips| {
        let at = slips.word.find('=')?;
        let (square, piece) = (&slips.word[..at], slips.at(at + 1));
        Some(match slips.below(4) {
            0 => square.to_owned(),
            1 => format!("{square}{piece}="),
            2 => format!("{square}=K"),
            _ => format!("{piece}{square}"),
        })
    }),
    ("key beside as well", |slips| {
        let place = slips.any();
        let letter = slips.at(place);
        let keys = keys(letter);
        let nth = slips.below(keys.len().max(1));
        slips.with(place, format!("{letter}{}", keys.get(nth..=nth)?))
    }),
];

/// A game with one miswritten move.
struct Miswritten {
    text: Vec<u8>,
    /// Start of the wrong word.
    start: u32,
    /// The original move in SAN.
    meant: String,
}

/// Outcome of a typing error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// The word is a legal move, or not a separate word.
    Legal,
    Silent,
    Right,
    Wrong,
}

fn outcome(miswritten: &Miswritten) -> (Outcome, String) {
    let mut reader = Reader::new();
    let game = reader.read(&miswritten.text, None);
    let initial = Position::initial();
    let mut found = Vec::new();
    findings::check(
        game,
        &miswritten.text,
        &initial,
        &Checks::default(),
        &mut found,
    );
    let about = found.iter().find(|finding| {
        finding.span.start == miswritten.start
            && ["E201", "E202", "E203"].contains(&finding.rule.code)
    });
    let Some(about) = about else {
        return (Outcome::Legal, String::new());
    };
    let help = about.help.clone().unwrap_or_default();
    let meant = format!("`{}`", miswritten.meant);
    let outcome = match help.starts_with("did you mean") {
        false => Outcome::Silent,
        true if help.contains(&meant) => Outcome::Right,
        true => Outcome::Wrong,
    };
    (outcome, format!("{}: {help}", about.message))
}

/// Words of a main line with their SAN.
type Words = Vec<(Span, SanPlus)>;

/// Text of every game that is legal to its end, with the words of its main line.
fn games(pgn: &[u8]) -> Vec<(Vec<u8>, Words)> {
    let source = Source::stdin(SourceId(0));
    let mut reader = Reader::new();
    let initial = Position::initial();
    let mut all = Vec::new();
    for chunk in source.chunks(pgn, 1 << 20, Buffers::default()) {
        for text in chunk.unwrap().games() {
            let game = reader.read(text.bytes, text.unclosed_comment);
            let Ok((start, _)) = Start::of(game, text.bytes, &initial) else {
                continue;
            };
            let mut replay = Replay::new(game, start.position);
            let mut words = Vec::new();
            loop {
                let before = replay.position().clone();
                let Some(ply) = replay.play() else { break };
                words.push((
                    ply.token.span,
                    SanPlus::of(&before, ply.mv, replay.position()),
                ));
            }
            let variations = game
                .tokens
                .iter()
                .any(|token| token.kind == TokenKind::Open);
            if replay.stop().is_none() && words.len() >= 20 && !variations {
                all.push((text.bytes.to_vec(), words));
            }
        }
    }
    all
}

#[test]
fn slips_in_real_games_are_put_right() {
    const GAMES: usize = 500;
    let Some(path) = corpus::path("bulk/twic1427.pgn") else {
        return;
    };
    let games = games(&std::fs::read(path).unwrap());
    let mut all = [0; 4];
    for (name, slip) in SLIPS {
        let mut counts = [0; 4];
        for (nth, (text, words)) in games
            .iter()
            .step_by(games.len() / GAMES)
            .take(GAMES)
            .enumerate()
        {
            let mut random = Random(nth as u64 + 1);
            // Not every game allows every kind of error, and many errors result in another legal
            // move.
            for _ in 0..50 {
                let (span, plus) = words[random.below(words.len())];
                let meant = plus.to_string();
                let written = slip(&mut Slips {
                    random: &mut random,
                    word: &meant,
                    san: plus.san,
                });
                let Some(written) = written.filter(|word| !word.is_empty() && *word != meant)
                else {
                    continue;
                };
                let (start, end) = (span.start as usize, span.end as usize);
                let text = [&text[..start], written.as_bytes(), &text[end..]].concat();
                let miswritten = Miswritten {
                    text,
                    start: span.start,
                    meant,
                };
                let (outcome, said) = outcome(&miswritten);
                if outcome == Outcome::Legal {
                    continue;
                }
                if std::env::var_os("ARBITER_SLIPS").is_some() && outcome != Outcome::Right {
                    eprintln!(
                        "{name}: {outcome:?} {} written `{written}`: {said}",
                        miswritten.meant
                    );
                }
                counts[outcome as usize] += 1;
                break;
            }
        }
        println!(
            "{name}: {} silent, {} right, {} wrong",
            counts[1], counts[2], counts[3]
        );
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let [_, silent, right, wrong] = all;
    let (given, slips) = (right + wrong, silent + right + wrong);
    println!("{slips} slips, {given} suggestions, {right} right");
    assert!(given * 100 >= slips * 95, "{given} of {slips}");
    assert!(right * 100 >= given * 98, "{right} of {given}");
}
