//! Words and sentences of the sites.
//!
//! The wordings are those of FICS, the Internet Chess Club, chess.com, Lichess, XBoard, cutechess,
//! fastchess, TCEC, Fritz and the PGN standard. Case, line breaks, and a full stop or a remark in
//! parentheses at the end make no difference.

use arrayvec::ArrayVec;

use crate::chess::Color;
use crate::pgn::TagName;
use crate::pgn::game::Game;
use crate::pgn::termination::Reason;

/// The longest sentence that is read, in bytes; player names count.
const LONGEST: usize = 200;

/// A sentence in lower case, with single blanks, without full stop and remark. Empty if it is
/// longer than any known one.
pub(crate) struct Sentence(ArrayVec<u8, LONGEST>);

impl Sentence {
    pub(crate) fn of(text: &[u8]) -> Sentence {
        let mut words: ArrayVec<u8, LONGEST> = ArrayVec::new();
        for word in text.split(u8::is_ascii_whitespace) {
            if word.is_empty() {
                continue;
            }
            let blank = usize::from(!words.is_empty());
            if words.remaining_capacity() < word.len() + blank {
                return Sentence(ArrayVec::new());
            }
            if blank == 1 {
                words.push(b' ');
            }
            words.extend(word.iter().map(u8::to_ascii_lowercase));
        }
        let mut length = words.len();
        if words.ends_with(b")")
            && let Some(open) = words.windows(2).rposition(|pair| pair == b" (")
        {
            length = open;
        }
        while length > 0 && matches!(words[length - 1], b'.' | b'!' | b' ') {
            length -= 1;
        }
        words.truncate(length);
        Sentence(words)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The game whose players' names many sentences begin with.
pub(crate) struct Players<'a> {
    pub game: &'a Game,
    pub text: &'a [u8],
}

impl Players<'_> {
    /// Whom the beginning of a sentence means.
    fn side(&self, subject: &[u8]) -> Option<Color> {
        match subject {
            b"white" => return Some(Color::White),
            b"black" => return Some(Color::Black),
            b"" => return None,
            _ => {}
        }
        // A full stop that belongs to the name is left out of both.
        let subject = subject.strip_suffix(b".").unwrap_or(subject);
        let is = |name| {
            let tag = self.game.known(name);
            tag.is_some_and(|tag| Sentence::of(&tag.unescape(self.text)).as_bytes() == subject)
        };
        match (is(TagName::White), is(TagName::Black)) {
            (true, false) => Some(Color::White),
            (false, true) => Some(Color::Black),
            _ => None,
        }
    }
}

/// Why, and against whom if that is said.
type Read = (Reason, Option<Color>);

/// Reads the value of a tag: a sentence, or one of the single words that mean something only there.
pub(crate) fn of_tag(words: &Sentence, players: &Players<'_>) -> Option<Read> {
    let words = words.as_bytes();
    if let Some(reason) = single_word(words).or_else(|| without_subject(words)) {
        return Some((reason, None));
    }
    // A name that is neither player's may be one of them all the same, in another spelling.
    let read = with_subject(words).map(|(reason, subject, role)| {
        let side = players.side(subject);
        (reason, role.against(side))
    });
    read.or_else(|| Some((ruling(words)?, None)))
}

/// Reads a comment, which may as well be anything else: its subject must be one of the players.
pub(crate) fn of_comment(words: &Sentence, players: &Players<'_>) -> Option<Read> {
    let words = words.as_bytes();
    if let Some(reason) = without_subject(words) {
        return Some((reason, None));
    }
    let (reason, subject, role) = with_subject(words)?;
    let side = players.side(subject)?;
    Some((reason, role.against(Some(side))))
}

/// Reads a comment that speaks of a ruling or penalty in so few words that they are no annotation.
pub(crate) fn of_ruling(words: &Sentence) -> Option<Reason> {
    let words = words.as_bytes();
    let blanks = memchr::memchr_iter(b' ', words).count();
    ruling(words).filter(|_| blanks < MOST_WORDS)
}

/// The most words of a comment on a ruling.
const MOST_WORDS: usize = 6;

/// Rulings and penalties, by words or beginnings of words that are enough anywhere in a text.
fn ruling(words: &[u8]) -> Option<Reason> {
    const WORDS: [(&[u8], Reason); 22] = [
        (b"adjudicat", Reason::Adjudication),
        (b"arbiter", Reason::Adjudication),
        (b"administrative", Reason::Adjudication),
        (b"decided by", Reason::Adjudication),
        (b"fair play", Reason::RulesInfraction),
        (b"fair-play", Reason::RulesInfraction),
        (b"fairplay", Reason::RulesInfraction),
        (b"infraction", Reason::RulesInfraction),
        (b"violation", Reason::RulesInfraction),
        (b"cheat", Reason::RulesInfraction),
        (b"disqualif", Reason::RulesInfraction),
        (b"penalty", Reason::RulesInfraction),
        (b"withdrawal", Reason::Default),
        (b"withdrawn", Reason::Default),
        (b"withdrew", Reason::Default),
        (b"withdraws", Reason::Default),
        (b"no show", Reason::Default),
        (b"no-show", Reason::Default),
        (b"not show up", Reason::Default),
        (b"not appear", Reason::Default),
        (b"absent", Reason::Default),
        (b"default", Reason::Default),
    ];
    let begins = |at: usize| at == 0 || !words[at - 1].is_ascii_alphanumeric();
    let stands = |word: &[u8]| memchr::memmem::find_iter(words, word).any(begins);
    let mut known = WORDS.into_iter();
    known.find_map(|(word, reason)| stands(word).then_some(reason))
}

/// The fate of the player that begins a sentence.
#[derive(Clone, Copy)]
enum Role {
    Wins,
    Loses,
    /// Nothing decides between the players.
    Neither,
}

impl Role {
    fn against(self, subject: Option<Color>) -> Option<Color> {
        match self {
            Role::Wins => subject.map(|color| !color),
            Role::Loses => subject,
            Role::Neither => None,
        }
    }
}

/// Values of tags. The first eight are the PGN standard's own (9.8.1).
fn single_word(words: &[u8]) -> Option<Reason> {
    Some(match words {
        b"abandoned" | b"abandonment" | b"game abandoned" => Reason::Abandoned,
        b"adjudication" | b"adjudicated" => Reason::Adjudication,
        b"death" => Reason::Death,
        b"emergency" => Reason::Emergency,
        b"normal" => Reason::Normal,
        b"rules infraction" => Reason::RulesInfraction,
        b"time forfeit" => Reason::TimeForfeit,
        b"unterminated" => Reason::Unterminated,
        b"in progress" | b"unfinished" | b"interrupted" => Reason::Unterminated,
        b"time" | b"timeout" | b"time out" | b"out of time" | b"time forfeits" | b"flag" => {
            Reason::TimeForfeit
        }
        b"resign" | b"resigns" | b"resigned" | b"resignation" => Reason::Resignation,
        b"mate" | b"mated" => Reason::Checkmate,
        b"draw agreement" | b"agreement" | b"mutual agreement" | b"agreed" => Reason::Agreement,
        b"stalled connection"
        | b"connection stalls"
        | b"connection lost"
        | b"lost connection"
        | b"disconnection"
        | b"disconnected"
        | b"disconnect"
        | b"disconnects"
        | b"crash"
        | b"crashed"
        | b"engine crash"
        | b"engine crashed" => Reason::Disconnection,
        b"forfeit" | b"default" | b"walkover" | b"bye" => Reason::Default,
        b"illegal move" => Reason::IllegalMove,
        b"cheat" => Reason::RulesInfraction,
        b"adjourned" => Reason::Adjourned,
        b"aborted" => Reason::Aborted,
        _ => return None,
    })
}

/// Words before the reason of a draw.
const DRAWN: [&[u8]; 15] = [
    b"game drawn - ",
    b"drawn - ",
    b"draw - ",
    b"game drawn by the ",
    b"game drawn by ",
    b"game drawn because ",
    b"game drawn due to ",
    b"draw by the ",
    b"draw by ",
    b"draw due to ",
    b"drawn by ",
    b"draw claim: ",
    b"draw claimed by ",
    b"draw: ",
    b"game drawn: ",
];

/// Sentences that name no player first.
fn without_subject(words: &[u8]) -> Option<Reason> {
    let drawn = DRAWN.iter().find_map(|start| words.strip_prefix(*start));
    if let Some(reason) = drawn_by(drawn.unwrap_or(words)) {
        return Some(reason);
    }
    if let Some(by) = drawn {
        return match by {
            b"agreement" | b"mutual agreement" | b"mutual consent" => Some(Reason::Agreement),
            b"timeout" | b"time" => Some(Reason::TimeAgainstInsufficientMaterial),
            b"disconnection" | b"disconnect" | b"lost connection" | b"connection lost" => {
                Some(Reason::Disconnection)
            }
            b"abandonment" | b"game abandoned" => Some(Reason::Abandoned),
            _ => starts_clause(by, b"adjudication").then_some(Reason::Adjudication),
        };
    }
    Some(match words {
        b"checkmate" | b"game ended by checkmate" => Reason::Checkmate,
        b"draw agreed" | b"draw by agreement" | b"players agreed to a draw" => Reason::Agreement,
        b"tcec win rule"
        | b"tcec draw rule"
        | b"tcec adjudication"
        | b"tcec adjudication rule"
        | b"syzygytb"
        | b"tb position"
        | b"manual adjudication"
        | b"gui adjudication"
        | b"gui tb adjudication"
        | b"user adjudication"
        | b"arena adjudication"
        | b"trivial draw"
        | b"long game" => Reason::Adjudication,
        b"game interrupted" | b"no result" => Reason::Unterminated,
        b"game was aborted" => Reason::Aborted,
        b"cheat detected" => Reason::RulesInfraction,
        b"bare king" | b"3rd check" | b"game ends by variant rule" => Reason::VariantRule,
        _ => {
            let starts = |start: &[u8]| words.starts_with(start);
            if starts(b"gui tb mate in ") || starts_clause(words, b"adjudication") {
                Reason::Adjudication
            } else if starts(b"game adjourned") || words.ends_with(b"; game adjourned") {
                Reason::Adjourned
            } else if starts(b"game aborted")
                || starts(b"game courtesyaborted")
                || words.ends_with(b"; game aborted")
            {
                Reason::Aborted
            } else {
                return None;
            }
        }
    })
}

/// Whether a text is these words, or continues after them with a colon.
fn starts_clause(text: &[u8], words: &[u8]) -> bool {
    matches!(text.strip_prefix(words), Some([] | [b':', ..]))
}

/// Reasons that make any game a draw.
fn drawn_by(words: &[u8]) -> Option<Reason> {
    Some(match words {
        b"stalemate" | b"stalemated" => Reason::Stalemate,
        b"repetition"
        | b"threefold repetition"
        | b"three-fold repetition"
        | b"three fold repetition"
        | b"3-fold repetition"
        | b"3 fold repetition"
        | b"3-fold rep"
        | b"3x repetition"
        | b"position repetition"
        | b"triple repetition"
        | b"repetition of position"
        | b"repetition draw" => Reason::ThreefoldRepetition,
        b"fivefold repetition" | b"five-fold repetition" | b"5-fold repetition" => {
            Reason::FivefoldRepetition
        }
        b"50 move rule" | b"50-move rule" | b"50 moves rule" | b"50-moves rule"
        | b"fifty move rule" | b"fifty-move rule" | b"fifty moves rule" | b"fifty-moves rule"
        | b"50 moves" | b"fifty moves" => Reason::FiftyMoves,
        b"75 move rule"
        | b"75-move rule"
        | b"75 moves rule"
        | b"seventy-five-move rule"
        | b"seventyfive moves rule"
        | b"seventy-five moves rule" => Reason::SeventyFiveMoves,
        b"insufficient material"
        | b"insufficient mating material"
        | b"insufficient winning material"
        | b"neither player has mating material"
        | b"dead position" => Reason::InsufficientMaterial,
        b"timeout vs insufficient material"
        | b"time and insufficient material"
        | b"time out vs insufficient material" => Reason::TimeAgainstInsufficientMaterial,
        b"both players ran out of time" | b"both flags fell" => Reason::BothOutOfTime,
        _ => return None,
    })
}

/// The rest of a sentence after a player.
const PREDICATES: [(&[u8], Reason, Role); 81] = {
    use Reason::{
        Abandoned, Adjudication, Checkmate, Default, Disconnection, IllegalMove, Resignation,
        RulesInfraction, Stalemate, TimeForfeit,
    };
    use Role::{Loses, Neither, Wins};
    [
        (b" resigns", Resignation, Loses),
        (b" resigned", Resignation, Loses),
        (b" has resigned", Resignation, Loses),
        (b" gives up", Resignation, Loses),
        (b" gave up", Resignation, Loses),
        (b" wins by resignation", Resignation, Wins),
        (b" won by resignation", Resignation, Wins),
        (b" mates", Checkmate, Wins),
        (b" checkmates", Checkmate, Wins),
        (b" checkmated", Checkmate, Loses),
        (b" is checkmated", Checkmate, Loses),
        (b" was checkmated", Checkmate, Loses),
        (b" is mated", Checkmate, Loses),
        (b" mated", Checkmate, Loses),
        (b" wins by checkmate", Checkmate, Wins),
        (b" won by checkmate", Checkmate, Wins),
        (b" forfeits on time", TimeForfeit, Loses),
        (b" loses on time", TimeForfeit, Loses),
        (b" lost on time", TimeForfeit, Loses),
        (b" loses by timeout", TimeForfeit, Loses),
        (b" ran out of time", TimeForfeit, Loses),
        (b" runs out of time", TimeForfeit, Loses),
        (b" time out", TimeForfeit, Loses),
        (b" exceeds time limit", TimeForfeit, Loses),
        (b" wins on time", TimeForfeit, Wins),
        (b" won on time", TimeForfeit, Wins),
        (b" wins by timeout", TimeForfeit, Wins),
        (b" won by timeout", TimeForfeit, Wins),
        (b" forfeits by disconnection", Disconnection, Loses),
        (b" disconnected and forfeits", Disconnection, Loses),
        (b" got disconnected and forfeits", Disconnection, Loses),
        (b" disconnects", Disconnection, Loses),
        (b" disconnected", Disconnection, Loses),
        (b" has disconnected", Disconnection, Loses),
        (b" got disconnected", Disconnection, Loses),
        (b" is disconnected", Disconnection, Loses),
        (b" was disconnected", Disconnection, Loses),
        (b" forfeits by lost connection", Disconnection, Loses),
        (b" forfeits on disconnection", Disconnection, Loses),
        (b" loses by disconnection", Disconnection, Loses),
        (b" lost by disconnection", Disconnection, Loses),
        (b" wins by disconnection", Disconnection, Wins),
        (b" won by disconnection", Disconnection, Wins),
        (b" lost connection", Disconnection, Loses),
        (b" lost connection and forfeits", Disconnection, Loses),
        (b" loses connection", Disconnection, Loses),
        (b"'s connection stalls", Disconnection, Loses),
        (b"'s connection stalled", Disconnection, Loses),
        (b" crashed", Disconnection, Loses),
        (b" crashes", Disconnection, Loses),
        (b" has crashed", Disconnection, Loses),
        (b" terminated unexpectedly", Disconnection, Loses),
        (b" exited unexpectedly", Disconnection, Loses),
        (b" left the game", Abandoned, Loses),
        (b" has left the game", Abandoned, Loses),
        (b" leaves the game", Abandoned, Loses),
        (b" abandons the game", Abandoned, Loses),
        (b" abandoned the game", Abandoned, Loses),
        (b" forfeits by abandonment", Abandoned, Loses),
        (b" loses by abandonment", Abandoned, Loses),
        (b" lost by abandonment", Abandoned, Loses),
        (b" won - game abandoned", Abandoned, Wins),
        (b" wins - game abandoned", Abandoned, Wins),
        (b" wins by abandonment", Abandoned, Wins),
        (b" won by abandonment", Abandoned, Wins),
        (b" wins by forfeit", Default, Wins),
        (b" won by forfeit", Default, Wins),
        (b" forfeits", Default, Loses),
        (b" wins by default", Default, Wins),
        (b" won by default", Default, Wins),
        (b" withdrew", Default, Loses),
        (b" did not show up", Default, Loses),
        (b" disqualified", RulesInfraction, Loses),
        (b" was disqualified", RulesInfraction, Loses),
        (b" wins by adjudication", Adjudication, Wins),
        (b" won by adjudication", Adjudication, Wins),
        (b" declared the winner by adjudication", Adjudication, Wins),
        (b" makes an illegal move", IllegalMove, Loses),
        (b" loses by rules infraction", RulesInfraction, Loses),
        (b" stalemated", Stalemate, Neither),
        (b" is stalemated", Stalemate, Neither),
    ]
};

/// Reads a sentence that begins with a player: why, the player, and what became of him.
fn with_subject(words: &[u8]) -> Option<(Reason, &[u8], Role)> {
    const OUT_OF_TIME: &[u8] = b" ran out of time and ";
    if let Some(at) = find(words, OUT_OF_TIME) {
        let rest = &words[at + OUT_OF_TIME.len()..];
        return (rest.ends_with(b" has no material to mate")
            || rest.ends_with(b" has no material to win")
            || rest.ends_with(b" has insufficient material"))
        .then_some((
            Reason::TimeAgainstInsufficientMaterial,
            &words[..at],
            Role::Loses,
        ));
    }
    // Details may follow a colon: the illegal move, or who adjudicated.
    let before_colon = find(words, b": ").map(|colon| &words[..colon]);
    [Some(words), before_colon]
        .into_iter()
        .flatten()
        .find_map(|clause| {
            // The longest predicate, as `is mated` ends with `mated`.
            PREDICATES
                .iter()
                .filter_map(|&(end, reason, role)| Some((reason, clause.strip_suffix(end)?, role)))
                .filter(|(_, subject, _)| !subject.is_empty())
                .min_by_key(|(_, subject, _)| subject.len())
        })
}

fn find(text: &[u8], words: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, words)
}
