//! Sentences of the sites. Case, line breaks, hyphens in words, and a full stop or a remark in
//! parentheses at the end make no difference.

use memchr::memmem;

use crate::chess::Color;
use crate::pgn::TagName;
use crate::pgn::game::Game;
use crate::pgn::termination::Reason;
use crate::pgn::termination::wordings::{
    self, AUXILIARIES, DRAWN_BY, DRAWS, Fate, LINKS, NAMES, PREDICATES, RESULTS, RULINGS,
    SENTENCES, SIDES,
};
use crate::pgn::values::result;

/// The longest sentence that is read, in bytes; player names count.
const LONGEST: usize = 200;

/// A text in lower case, with single blanks, without full stop and remark. Empty if it is longer
/// than any known sentence.
pub(crate) fn plain(text: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    for word in text.split(u8::is_ascii_whitespace) {
        if !words.is_empty() && !word.is_empty() {
            words.push(b' ');
        }
        let is_letter = |at: usize| word.get(at).is_some_and(u8::is_ascii_alphanumeric);
        words.extend(word.iter().enumerate().map(|(at, byte)| match byte {
            b'-' if at > 0 && is_letter(at - 1) && is_letter(at + 1) => b' ',
            // `À` to `Þ` in UTF-8.
            0x80..=0x9e if at > 0 && word[at - 1] == 0xc3 => byte + 0x20,
            _ => byte.to_ascii_lowercase(),
        }));
        if words.len() > LONGEST {
            return Vec::new();
        }
    }
    if words.ends_with(b")")
        && let Some(open) = words.windows(2).rposition(|pair| pair == b" (")
    {
        words.truncate(open);
    }
    while let Some(b'.' | b'!' | b' ') = words.last() {
        words.pop();
    }
    words
}

/// The game whose players' names many sentences begin with.
pub(crate) struct Players<'a> {
    pub game: &'a Game,
    pub text: &'a [u8],
}

impl Players<'_> {
    /// Whom the beginning of a sentence means.
    fn side(&self, subject: &[u8]) -> Option<Color> {
        let side = wordings::find(SIDES, subject);
        if side.is_some() || subject.is_empty() {
            return side;
        }
        // A full stop that belongs to the name is left out of both.
        let subject = subject.strip_suffix(b".").unwrap_or(subject);
        let is = |name| {
            let tag = self.game.known(name);
            tag.is_some_and(|tag| plain(&tag.unescape(self.text)) == subject)
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
pub(crate) fn of_tag(words: &[u8], players: &Players<'_>) -> Option<Read> {
    // A name that is neither player's may be one of them all the same, in another spelling.
    let any_side = |subject: &[u8]| Some(players.side(subject));
    let name = wordings::find(NAMES, words).map(|reason| (reason, None));
    let read = name.or_else(|| sentence(words, any_side));
    read.or_else(|| ruling(words))
}

/// Reads a comment, which may as well be anything else: its subject must be one of the players.
pub(crate) fn of_comment(words: &[u8], players: &Players<'_>) -> Option<Read> {
    sentence(words, |subject| players.side(subject).map(Some))
}

/// Reads a comment that speaks of a ruling or penalty in so few words that they are no annotation.
pub(crate) fn of_ruling(words: &[u8]) -> Option<Read> {
    const MOST_WORDS: usize = 6;
    let blanks = memchr::memchr_iter(b' ', words).count();
    ruling(words).filter(|_| blanks < MOST_WORDS)
}

fn ruling(words: &[u8]) -> Option<Read> {
    let begins = |at: usize| at == 0 || !words[at - 1].is_ascii_alphanumeric();
    let stands = |wording: &&str| memmem::find_iter(words, wording).any(begins);
    let row = RULINGS.iter().find(|row| row.1.iter().any(stands));
    row.map(|row| (row.0, None))
}

/// Reads a sentence of whose subject `side` says whom it means, or that it is no player.
fn sentence(words: &[u8], side: impl Fn(&[u8]) -> Option<Option<Color>>) -> Option<Read> {
    if let Some(reason) = without_subject(words) {
        return Some((reason, None));
    }
    let (reason, subject, role) = with_subject(words)?;
    Some((reason, role.against(side(subject)?)))
}

/// Reads a sentence that names no player first.
fn without_subject(words: &[u8]) -> Option<Reason> {
    let after_game = words.strip_prefix(b"game ").unwrap_or(words);
    let after_draw = |word: &&str| after_game.strip_prefix(word.as_bytes());
    let drawn = result::DRAWS.iter().filter_map(after_draw);
    let drawn = drawn.flat_map(after_link).next();
    let reason = wordings::find(DRAWS, drawn.unwrap_or(words));
    reason.or_else(|| match drawn {
        Some(by) if starts_clause(by, b"adjudication") => Some(Reason::Adjudication),
        Some(by) => wordings::find(DRAWN_BY, by),
        None => whole_sentence(words),
    })
}

fn whole_sentence(words: &[u8]) -> Option<Reason> {
    let starts = |start: &[u8]| words.starts_with(start);
    wordings::find(SENTENCES, words).or_else(|| {
        if starts(b"gui tb mate in ") || starts_clause(words, b"adjudication") {
            Some(Reason::Adjudication)
        } else if starts(b"game adjourned") || words.ends_with(b"; game adjourned") {
            Some(Reason::Adjourned)
        } else if starts(b"game aborted")
            || starts(b"game courtesyaborted")
            || words.ends_with(b"; game aborted")
        {
            Some(Reason::Aborted)
        } else {
            None
        }
    })
}

/// The rest of a text after a link at its beginning, for each link that may be meant.
fn after_link(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let links = LINKS.iter();
    links.filter_map(move |link| text.strip_prefix(link.as_bytes()))
}

/// Whether a text is these words, or continues after them with a colon.
fn starts_clause(text: &[u8], words: &[u8]) -> bool {
    matches!(text.strip_prefix(words), Some([] | [b':', ..]))
}

/// Reads a sentence that begins with a player: why, the player, and what became of him.
fn with_subject(words: &[u8]) -> Option<(Reason, &[u8], Fate)> {
    const OUT_OF_TIME: &[u8] = b" ran out of time and ";
    if let Some(at) = memmem::find(words, OUT_OF_TIME) {
        let rest = &words[at + OUT_OF_TIME.len()..];
        return (rest.ends_with(b" has no material to mate")
            || rest.ends_with(b" has no material to win")
            || rest.ends_with(b" has insufficient material"))
        .then_some((
            Reason::TimeAgainstInsufficientMaterial,
            &words[..at],
            Fate::Loses,
        ));
    }
    // Details may follow a colon: the illegal move, or who adjudicated.
    let before_colon = memmem::find(words, b": ").map(|colon| &words[..colon]);
    let mut clauses = [Some(words), before_colon].into_iter().flatten();
    clauses.find_map(|clause| result_by_reason(clause).or_else(|| predicate(clause)))
}

/// The longest predicate that ends a sentence, as `is mated` ends with `mated`.
fn predicate(clause: &[u8]) -> Option<(Reason, &[u8], Fate)> {
    let before = |text: &'static str| {
        let subject = clause.strip_suffix(text.as_bytes())?;
        let mut auxiliaries = AUXILIARIES.iter().filter(|_| text.ends_with("ed"));
        let without = auxiliaries.find_map(|it| subject.strip_suffix(it.as_bytes()));
        Some(without.unwrap_or(subject))
    };
    let rows = PREDICATES
        .iter()
        .flat_map(|&(role, rows)| rows.iter().map(move |row| (role, row)));
    let found = rows.flat_map(|(role, &(reason, ends))| {
        let subjects = ends.iter().filter_map(|end| before(end));
        subjects.map(move |subject| (reason, subject, role))
    });
    found
        .filter(|(_, subject, _)| !subject.is_empty())
        .min_by_key(|(_, subject, _)| subject.len())
}

/// A sentence such as `White wins by resignation`.
fn result_by_reason(clause: &[u8]) -> Option<(Reason, &[u8], Fate)> {
    let may_begin_verb = |at: &usize| {
        let first = clause.get(at + 1);
        first.is_some_and(|first| b"dfglpvw".contains(first))
    };
    let by = |by| wordings::find(NAMES, by).or_else(|| wordings::find(SENTENCES, by));
    memchr::memrchr_iter(b' ', clause)
        .filter(may_begin_verb)
        .find_map(|at| {
            let (subject, rest) = clause.split_at(at);
            let reason = |verb: &&str| after_link(rest.strip_prefix(verb.as_bytes())?).find_map(by);
            let mut results = RESULTS.iter();
            let (role, reason) =
                results.find_map(|&(role, verbs)| Some((role, verbs.iter().find_map(reason)?)))?;
            (at > 0).then_some((reason, subject, role))
        })
}
