//! The move that is announced with a claim, as people write it, and its place in the game.

use crate::adjudication::ruling::list;
use crate::chess::san::SanError;
use crate::chess::{Color, Move, Position};
use crate::claim::Claim;
use crate::claim::game::{ClaimGame, name, named, ply_before};
use crate::law::claim::Announcement;
use crate::notation::{
    LETTER_SETS, LenientSan, LetterSet, Letters, NotationVariant, fallback_move,
};

/// A move as it was announced: perhaps with its number, perhaps in another language's letters.
///
/// ```
/// use chess_arbiter_core::Announced;
///
/// let announced = Announced::new("35. Qc4+");
/// assert_eq!(announced.number, Some(35));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announced {
    /// The text as written.
    pub written: String,
    /// The number before the move.
    pub number: Option<u32>,
    /// The side of the number: White after `34.`, Black after `34...`.
    pub color: Option<Color>,
    /// The move without number and signs of annotation.
    word: String,
}

/// Meaning of an announced move in a position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reading {
    /// A legal move, and the letters it is written in, where they are not the English ones.
    Legal {
        mv: Move,
        letters: Option<&'static LetterSet>,
    },
    /// Different legal moves in different languages, or moves that are not legal in the letters of
    /// the game or English ones, which are named then.
    Several(Vec<(Move, &'static LetterSet)>, Option<&'static LetterSet>),
    /// A move in notation that is not legal, ambiguous or incomplete.
    Illegal(SanError),
    /// No notation of a move at all.
    NoMove,
}

impl Announced {
    /// Takes a text apart into number and move.
    pub fn new(written: &str) -> Announced {
        let text = written.trim();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = &text[digits..];
        let is_gap = |c: char| matches!(c, '.' | '…') || c.is_whitespace();
        let rest = after.trim_start_matches(is_gap);
        let between = after[..after.len() - rest.len()].replace('…', "...");
        let dots = between.matches('.').count();
        // `0-0` begins with a digit, too.
        let numbered = !between.is_empty() && (digits > 0 || dots > 0);
        let rest = if numbered { rest } else { text };
        let word: String = rest.split_whitespace().collect();
        Announced {
            written: text.to_owned(),
            number: text[..digits].parse().ok().filter(|_| numbered),
            color: match dots {
                1 if digits > 0 => Some(Color::White),
                2.. => Some(Color::Black),
                _ => None,
            },
            word: word.trim_end_matches(['.', ',', ';', '!', '?']).to_owned(),
        }
    }

    /// Whether there is more than a number.
    pub(crate) fn has_move(&self) -> bool {
        !self.word.is_empty()
    }

    /// Whether two words next to each other name a square, as in `Ng8 e4`.
    fn names_two_squares(&self) -> bool {
        let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
        let has_square = |word: &str| word.as_bytes().windows(2).any(is_square);
        let words: Vec<bool> = self.written.split_whitespace().map(has_square).collect();
        words.windows(2).any(|both| both == [true; 2])
    }

    /// Finds the move in a position of a game. Letters that were asked for are the only ones; then
    /// none are `likely`. Otherwise come those of the game, English ones, and the likely ones by
    /// the place and the players; then those of the languages that most games are written in, and
    /// all others. Languages of one rank that read different moves leave it open, as does a move
    /// that is not legal in the letters of the game or English ones, and may be a slip.
    pub(crate) fn read(
        &self,
        position: &Position,
        letters: Option<Letters>,
        likely: Option<&[&'static LetterSet]>,
    ) -> Reading {
        let read = |set| read_in(set, &self.word, position);
        let mut known: Vec<_> = letters.into_iter().flat_map(Letters::sets).collect();
        let in_lower_case = || {
            let asked = letters.filter(|_| likely.is_none());
            let set = asked.map_or(LetterSet::english(), Letters::first);
            let word = self.word.to_ascii_lowercase();
            read_in(set, &word, position).unwrap_or(Reading::NoMove)
        };
        let Some(likely) = likely else {
            let mut asked = known.into_iter().filter_map(read);
            return asked.next().unwrap_or_else(in_lower_case);
        };
        known.push(LetterSet::english());
        let first = known.iter().find_map(|&set| Some((set, read(set)?)));
        let is_known = first.is_some();
        let refusing = match first {
            Some((_, reading @ Reading::Illegal(SanError::Ambiguous { .. }))) => return reading,
            Some((set, Reading::Illegal(_))) => Some(set),
            _ => None,
        };
        known.extend(likely);
        let (common, others) = LETTER_SETS[1..].split_at(COMMON);
        let [common, others] = [common, others].map(|sets| sets.iter().collect());
        let ranks = [known, common, others];
        let mut refused = None;
        for rank in &ranks[..if is_known { 1 } else { 3 }] {
            let mut found: Vec<(Move, &'static LetterSet)> = Vec::new();
            let mut legal = None;
            for &set in rank {
                match read(set) {
                    Some(reading @ Reading::Legal { mv, .. }) => {
                        if found.iter().all(|&(other, _)| other != mv) {
                            found.push((mv, set));
                        }
                        legal = legal.or(Some(reading));
                    }
                    // A word that is ambiguous in one language stays so, although it is a move in
                    // another.
                    Some(ambiguous @ Reading::Illegal(SanError::Ambiguous { .. })) if !is_known => {
                        return ambiguous;
                    }
                    reading => refused = refused.or(reading),
                }
            }
            match legal {
                Some(legal) if found.len() == 1 && refusing.is_none() => return legal,
                Some(_) => return Reading::Several(found, refusing),
                None => {}
            }
        }
        refused.unwrap_or_else(in_lower_case)
    }

    /// The bishop's move that `bb3` or `bc3` may be as well.
    pub(crate) fn as_bishop(&self, position: &Position) -> Option<Announced> {
        let (san, _) = LenientSan::read(self.word.as_bytes(), LetterSet::english())?;
        let mv = san.bishop_instead(position)?;
        Some(Announced::new(&named(position, mv)))
    }
}

/// Number of sets after the English one for the languages that most games are written in: German,
/// French, Spanish, Dutch and others with the same letters.
const COMMON: usize = 4;

/// Reads a word in a set of letters, as in a game; nothing if it is no move in them. A capital
/// that may be a file is a piece in some set.
fn read_in(set: &'static LetterSet, word: &str, position: &Position) -> Option<Reading> {
    let (LenientSan { plus, variants }, length) = LenientSan::read(word.as_bytes(), set)?;
    if length < word.len() || variants.has(NotationVariant::UpperCaseFile) {
        return None;
    }
    Some(match plus.san.to_move(position) {
        Ok(mv) => Reading::Legal {
            mv,
            letters: (set != LetterSet::english()).then_some(set),
        },
        Err(error) => match fallback_move(plus.san, position) {
            Some(mv) => Reading::Legal { mv, letters: None },
            None => Reading::Illegal(error),
        },
    })
}

/// The move announced with a claim, and its place in the game.
#[derive(Default)]
pub(crate) struct AnnouncedMove {
    /// The announcement as the law sees it.
    pub meant: Announcement,
    /// The move with its number, such as `35.Qc4+`, if it is known.
    pub name: Option<String>,
    /// The letters it was written in, if they are not the English ones.
    pub letters: Option<&'static LetterSet>,
    /// It was announced with another number.
    pub misnumbered: bool,
    /// Why it cannot be played or understood.
    pub why_not: String,
}

impl AnnouncedMove {
    /// The move with its number, if it is legal and not yet played.
    pub(crate) fn legal(&self) -> Option<(Move, &str)> {
        match self.meant {
            Announcement::Legal(mv) => Some((mv, self.name.as_deref()?)),
            _ => None,
        }
    }

    /// The claimant; unless named, the side whose move is announced, or the side to move.
    pub(crate) fn claimant(&self, game: &ClaimGame, claim: &Claim) -> Color {
        let record = game.record();
        claim.by.unwrap_or(match self.meant {
            Announcement::Played(ply) => record.at(ply - 1).turn,
            _ => claim.kind.claimant(record.at(record.plies()).turn),
        })
    }
}

/// Finds the announced move in the game.
pub(crate) fn find(game: &ClaimGame, claim: &Claim) -> AnnouncedMove {
    let Some(announced) = &claim.announced else {
        return AnnouncedMove::default();
    };
    let record = game.record();
    let position = game.last();
    let (turn, coming) = (position.turn(), position.fullmoves());
    let number = announced.number.filter(|_| record.is_numbered());
    let misnumbered = number.is_some_and(|number| number != coming);
    // A right number may be followed by one point only.
    let is_sloppy = announced.color == Some(Color::White) && announced.number == Some(coming);
    let is_other_side = announced.color.is_some_and(|color| color != turn) && !is_sloppy;
    let played = || {
        let numbered = Color::ALL.map(|color| ply_before(record, number?, color));
        let last = record.plies().checked_sub(1);
        let mut plies = numbered.into_iter().chain([last]).flatten();
        let ply = plies.find(|&ply| {
            let color = record.at(ply).turn;
            announced.color.is_none_or(|side| side == color) && is_played(game, ply, announced)
        })?;
        Some(AnnouncedMove {
            meant: Announcement::Played(ply + 1),
            name: Some(name(record, ply + 1)),
            ..AnnouncedMove::default()
        })
    };
    // `35.` with one dot is White's move.
    let is_meant = match claim.by {
        Some(by) => by != turn,
        None => announced.number.is_some() && turn == Color::Black,
    };
    if is_meant
        && !misnumbered
        && let Some(played) = played()
    {
        return played;
    }
    let reading = announced.read(&position, game.letters, game.likely.as_deref());
    if let Reading::Legal { mv, letters } = reading
        && !is_other_side
    {
        return AnnouncedMove {
            meant: Announcement::Legal(mv),
            name: Some(named(&position, mv)),
            letters,
            misnumbered,
            why_not: String::new(),
        };
    }
    played().unwrap_or_else(|| {
        let (meant, why_not) = why_not(announced, reading, is_other_side, &position);
        AnnouncedMove {
            meant,
            why_not,
            ..AnnouncedMove::default()
        }
    })
}

/// Why an announced move that has not been played cannot be played or understood.
fn why_not(
    announced: &Announced,
    reading: Reading,
    is_other_side: bool,
    position: &Position,
) -> (Announcement, String) {
    let (written, turn) = (&announced.written, position.turn());
    let why = match reading {
        Reading::Legal { .. } => format!("has a number of {}, and it is {turn}'s turn", !turn),
        Reading::Illegal(SanError::Ambiguous { role, to, from }) => {
            let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
            let all = if squares.len() == 2 { "both" } else { "all" };
            let squares = list(&squares);
            format!("is ambiguous: the {role}s on {squares} can {all} go to {to}")
        }
        Reading::Illegal(error @ (SanError::PromotionMissing | SanError::CaptureWithoutFile)) => {
            format!("is incomplete: {error}")
        }
        Reading::Illegal(_) if is_other_side => {
            let coming = position.fullmoves();
            let why = format!("is not the coming move: it is {turn}'s turn, and move {coming}");
            return (Announcement::Illegal, format!("`{written}` {why}."));
        }
        Reading::Illegal(_) if announced.names_two_squares() => {
            "is not legal as one move, and may be two".to_owned()
        }
        Reading::Illegal(error) => {
            let why = format!("The announced move `{written}` is not legal: {error}.");
            return (Announcement::Illegal, why);
        }
        Reading::Several(moves, refusing) => {
            let what = match refusing {
                Some(set) => format!("is not legal {}, and a move in others", set.how()),
                None => "is a different move in different languages".to_owned(),
            };
            let in_language = |(mv, letters): (Move, &LetterSet)| {
                format!("{} in {}", named(position, mv), letters.name())
            };
            let readings: Vec<_> = moves.into_iter().map(in_language).collect();
            format!("{what}: {}", readings.join(", "))
        }
        Reading::NoMove => "is not a move".to_owned(),
    };
    let why = format!("The announced move `{written}` {why}.");
    (Announcement::Unclear, why)
}

/// Whether the announced move is the one that has been played after a ply.
pub fn is_played(game: &ClaimGame, ply: u32, announced: &Announced) -> bool {
    let record = game.record();
    match announced.read(&record.after(ply), game.letters, game.likely.as_deref()) {
        Reading::Legal { mv, .. } => record.played(ply + 1) == Some(mv),
        Reading::Several(moves, _) => {
            let mut moves = moves.into_iter();
            moves.any(|(mv, _)| record.played(ply + 1) == Some(mv))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::san::SanPlus;
    use crate::chess::{Role, Setup};

    fn position(fen: &str) -> Position {
        let setup: Setup = fen.parse().unwrap();
        Position::new(&setup).unwrap()
    }

    fn read(fen: &str, written: &str) -> (String, Option<&'static str>) {
        let position = position(fen);
        match Announced::new(written).read(&position, None, Some(&[])) {
            Reading::Legal { mv, letters } => {
                let after = position.after(mv);
                let san = SanPlus::of(&position, mv, &after).to_string();
                (san, letters.map(LetterSet::name))
            }
            other => panic!("{written}: {other:?}"),
        }
    }

    const QUEEN: &str = "6k1/5pp1/8/8/8/3Q4/5PPP/6K1 w - - 4 35";

    #[test]
    fn the_ways_people_write_one_move() {
        for written in [
            "Qc4",
            "Qc4+",
            "35.Qc4",
            "35. Qc4+",
            "35 Qc4",
            "Qd3-c4",
            "Qd3c4+!?",
            "d3c4",
            "d3-c4",
            "qc4",
            "QC4+",
            "Qc4.",
            "Qc4,",
            "\u{2655}c4",
        ] {
            assert_eq!(read(QUEEN, written).0, "Qc4", "{written}");
        }
        for written in ["Dc4", "35. Dc4+", "Dd3-c4"] {
            assert_eq!(read(QUEEN, written).0, "Qc4", "{written}");
        }
        assert_eq!(read(QUEEN, "Hc4").1, Some("Polish"));
        assert_eq!(read(QUEEN, "35. Dc4+").1, Some("German"));
        assert_eq!(read(QUEEN, "35. Qc4+").1, None);
    }

    #[test]
    fn numbers_and_whose_they_are() {
        let parts = |written: &str| {
            let announced = Announced::new(written);
            (announced.number, announced.color)
        };
        assert_eq!(parts("34... Kg8"), (Some(34), Some(Color::Black)));
        assert_eq!(parts("34…Kg8"), (Some(34), Some(Color::Black)));
        assert_eq!(parts("34. ... Kg8"), (Some(34), Some(Color::Black)));
        assert_eq!(parts("35. Qc4"), (Some(35), Some(Color::White)));
        assert_eq!(parts("35 Qc4"), (Some(35), None));
        assert_eq!(parts("...Kg8"), (None, Some(Color::Black)));
        assert_eq!(parts("0-0"), (None, None));
        assert_eq!(parts("Kg8"), (None, None));
    }

    #[test]
    fn castling_promotions_and_captures_en_passant() {
        let fen = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20";
        for (written, san) in [
            ("0-0", "O-O"),
            ("o-o-o", "O-O-O"),
            ("20. O-O", "O-O"),
            ("exd6 e.p.", "exd6"),
            ("e5:d6", "exd6"),
            ("b8D+", "b8=Q+"),
            ("b8(D)", "b8=Q+"),
            ("bxa8/Q+", "bxa8=Q+"),
            ("b7-b8=T", "b8=R+"),
        ] {
            assert_eq!(read(fen, written).0, san, "{written}");
        }
    }

    #[test]
    fn a_word_that_is_legal_in_english_and_another_likely_language_is_open() {
        // A rook in English, a knight in Finnish.
        let fen = "4k3/8/8/8/8/8/4N3/R3K3 w - - 0 1";
        assert_eq!(read(fen, "Rc1"), ("Rc1".to_owned(), None));
        let likely = [LetterSet::named("fi").unwrap()];
        let reading = Announced::new("Rc1").read(&position(fen), None, Some(&likely));
        let Reading::Several(moves, None) = reading else {
            panic!("taken for granted");
        };
        let names: Vec<_> = moves.iter().map(|(_, letters)| letters.name()).collect();
        assert_eq!(names, ["English", "Finnish"]);
        // The rook cannot get there; the Finnish and Icelandic knight can.
        let likely = [LetterSet::named("fi").unwrap()];
        let announced = Announced::new("Rg3");
        let Reading::Several(moves, _) = announced.read(&position(fen), None, Some(&likely)) else {
            panic!("taken for granted");
        };
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0].0.role, crate::chess::Role::Knight);
    }

    #[test]
    fn a_bishop_in_lower_case_where_no_pawn_can_go() {
        let bishop = "4k3/8/8/8/1b6/8/1P6/R5K1 b - - 0 1";
        assert_eq!(read(bishop, "bf8").0, "Bf8");
        assert_eq!(read(bishop, "bc3").0, "Bc3");
        let position = position("4k3/8/8/8/8/2n5/1P6/4K1B1 w - - 0 1");
        let read = |written: &str| Announced::new(written).read(&position, None, Some(&[]));
        assert!(matches!(read("bxc3"), Reading::Legal { mv, .. } if mv.role == Role::Pawn));
        assert!(matches!(read("Bxc3"), Reading::Illegal(_)));
    }

    #[test]
    fn the_letters_of_the_game_come_first() {
        let german = LETTER_SETS.iter().position(|set| set.name() == "German");
        let letters = german.map(Letters::of);
        // L is a bishop in German, a queen in Estonian.
        let position = position("4k3/8/8/8/8/8/8/R2QK1N1 w - - 0 1");
        let read = |written: &str| Announced::new(written).read(&position, letters, Some(&[]));
        assert!(matches!(read("Ld4"), Reading::Illegal(_)));
        for written in ["Dd4", "Qd4", "d1d4"] {
            let Reading::Legal { mv, .. } = read(written) else {
                panic!("{written}");
            };
            assert_eq!(mv.role, Role::Queen);
        }
    }

    #[test]
    fn a_letter_that_means_two_things() {
        // A knight in German, a bishop in Czech.
        let position = position("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq - 0 20");
        let announced = Announced::new("b8(S)");
        let set = |name| LetterSet::named(name).unwrap();
        for (likely, name) in [(&[][..], "German"), (&[set("cs")], "Czech")] {
            match announced.read(&position, None, Some(likely)) {
                Reading::Legal { letters, .. } => assert_eq!(letters.unwrap().name(), name),
                other => panic!("{other:?}"),
            }
        }
        let both = [set("de"), set("cs")];
        let Reading::Several(moves, _) = announced.read(&position, None, Some(&both)) else {
            panic!("one reading only");
        };
        let names: Vec<_> = moves.iter().map(|(_, letters)| letters.name()).collect();
        assert_eq!(names, ["German", "Czech"]);
    }

    #[test]
    fn what_is_no_legal_move() {
        let position = position(QUEEN);
        let read = |written: &str| Announced::new(written).read(&position, None, Some(&[]));
        assert!(matches!(read("Qh8"), Reading::Illegal(_)));
        assert!(matches!(read("Dh8"), Reading::Illegal(_)));
        assert!(matches!(read("draw"), Reading::NoMove));
        assert!(matches!(read(""), Reading::NoMove));
        assert!(matches!(read("35."), Reading::NoMove));
    }
}
