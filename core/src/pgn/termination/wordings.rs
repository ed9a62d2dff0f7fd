//! The wordings of FICS, the Internet Chess Club, chess.com, Lichess, XBoard, cutechess, fastchess,
//! TCEC, Fritz and the PGN standard, and the usual words of arbiters in six languages, in lower
//! case and without hyphens in words.

use crate::chess::Color;
use crate::pgn::termination::Reason;
use crate::pgn::termination::Reason::{
    Abandoned, Aborted, Adjourned, Adjudication, Agreement, BothOutOfTime, Checkmate, Death,
    Default, Disconnection, Emergency, FiftyMoves, FivefoldRepetition, IllegalMove,
    InsufficientMaterial, Normal, Resignation, RulesInfraction, SeventyFiveMoves, Stalemate,
    ThreefoldRepetition, TimeAgainstInsufficientMaterial as TimeAgainstMaterial, TimeForfeit,
    Unterminated, VariantRule,
};

/// Wordings by what they mean.
type Wordings = &'static [(Reason, &'static [&'static str])];

/// The meaning of a wording that is the whole of a text.
pub(crate) fn find<T: Copy>(wordings: &[(T, &[&str])], text: &[u8]) -> Option<T> {
    let is_text = |wording: &&str| wording.as_bytes() == text;
    let row = wordings.iter().find(|row| row.1.iter().any(is_text));
    row.map(|row| row.0)
}

/// The fate of the player that begins a sentence.
#[derive(Clone, Copy)]
pub(crate) enum Fate {
    Wins,
    Loses,
    /// Nothing decides between the players.
    Neither,
}

impl Fate {
    pub(crate) fn against(self, subject: Option<Color>) -> Option<Color> {
        match self {
            Fate::Wins => subject.map(|color| !color),
            Fate::Loses => subject,
            Fate::Neither => None,
        }
    }
}

/// White and Black as the players that begin a sentence.
pub(crate) const SIDES: &[(Color, &[&str])] = &[
    (Color::White, &["white", "weiß", "weiss", "wit"]),
    (Color::White, &["blancs", "blancas", "bianco"]),
    (Color::White, &["les blancs", "las blancas", "il bianco"]),
    (Color::Black, &["black", "schwarz", "zwart"]),
    (Color::Black, &["noirs", "negras", "nero"]),
    (Color::Black, &["les noirs", "las negras", "il nero"]),
];

/// Values of tags, and what a player wins or loses by. The first eight are the PGN standard's own
/// (9.8.1).
pub(crate) const NAMES: Wordings = &[
    (Abandoned, &["abandoned"]),
    (Adjudication, &["adjudication"]),
    (Death, &["death"]),
    (Emergency, &["emergency"]),
    (Normal, &["normal"]),
    (RulesInfraction, &["rules infraction"]),
    (TimeForfeit, &["time forfeit"]),
    (Unterminated, &["unterminated"]),
    (Abandoned, &["abandonment", "game abandoned"]),
    (Adjudication, &["adjudicated"]),
    (Unterminated, &["in progress", "unfinished", "interrupted"]),
    (TimeForfeit, &["time", "timeout", "time out", "out of time"]),
    (TimeForfeit, &["time forfeits", "flag", "zeit", "temps"]),
    (TimeForfeit, &["tiempo", "tempo", "tijd"]),
    (Resignation, &["resign", "resigns", "resigned"]),
    (Resignation, &["resignation", "aufgabe", "aufgegeben"]),
    (Resignation, &["abandon", "abandono", "abbandono", "opgave"]),
    (Checkmate, &["mate", "mated", "checkmate", "matt", "mat"]),
    (Agreement, &["draw agreement", "agreement", "agreed"]),
    (Agreement, &["mutual agreement"]),
    (Disconnection, &["stalled connection", "connection stalls"]),
    (Disconnection, &["connection lost", "lost connection"]),
    (Disconnection, &["disconnection", "disconnected"]),
    (Disconnection, &["disconnect", "disconnects", "crash"]),
    (Disconnection, &["engine crash", "crashed"]),
    (Disconnection, &["engine crashed"]),
    (Default, &["forfeit", "default", "walkover", "bye"]),
    (Default, &["forfait", "kampflos"]),
    (IllegalMove, &["illegal move"]),
    (RulesInfraction, &["cheat"]),
    (Adjourned, &["adjourned"]),
    (Aborted, &["aborted"]),
];

/// Words between `game drawn`, `draw` or a verb of [`RESULTS`] and the reason.
pub(crate) const LINKS: [&str; 20] = [
    " - ",
    ": ",
    " by the ",
    " by ",
    " on ",
    " because ",
    " due to ",
    " claim: ",
    " claimed by ",
    " durch ",
    " auf ",
    " par ",
    " au ",
    " por ",
    " de ",
    " d'",
    " per il ",
    " per ",
    " door ",
    " op ",
];

/// Reasons that make any game a draw, with or without `game drawn by` before them.
pub(crate) const DRAWS: Wordings = &[
    (Stalemate, &["stalemate", "stalemated"]),
    (ThreefoldRepetition, &["repetition", "threefold repetition"]),
    (ThreefoldRepetition, &["three fold repetition"]),
    (ThreefoldRepetition, &["3 fold repetition", "3 fold rep"]),
    (ThreefoldRepetition, &["3x repetition", "triple repetition"]),
    (ThreefoldRepetition, &["position repetition"]),
    (ThreefoldRepetition, &["repetition of position"]),
    (ThreefoldRepetition, &["repetition draw"]),
    (ThreefoldRepetition, &["stellungswiederholung"]),
    (ThreefoldRepetition, &["répétition", "repetición"]),
    (ThreefoldRepetition, &["ripetizione"]),
    (ThreefoldRepetition, &["herhaling van zetten"]),
    (FivefoldRepetition, &["fivefold repetition"]),
    (FivefoldRepetition, &["five fold repetition"]),
    (FivefoldRepetition, &["5 fold repetition"]),
    (FiftyMoves, &["50 move rule", "50 moves rule", "50 moves"]),
    (FiftyMoves, &["fifty move rule", "fifty moves rule"]),
    (FiftyMoves, &["fifty moves"]),
    (SeventyFiveMoves, &["75 move rule", "75 moves rule"]),
    (SeventyFiveMoves, &["seventy five move rule"]),
    (SeventyFiveMoves, &["seventy five moves rule"]),
    (SeventyFiveMoves, &["seventyfive moves rule"]),
    (InsufficientMaterial, &["insufficient material"]),
    (InsufficientMaterial, &["insufficient mating material"]),
    (InsufficientMaterial, &["insufficient winning material"]),
    (
        InsufficientMaterial,
        &["neither player has mating material"],
    ),
    (InsufficientMaterial, &["dead position"]),
    (TimeAgainstMaterial, &["timeout vs insufficient material"]),
    (TimeAgainstMaterial, &["time out vs insufficient material"]),
    (TimeAgainstMaterial, &["time and insufficient material"]),
    (BothOutOfTime, &["both players ran out of time"]),
    (BothOutOfTime, &["both flags fell"]),
];

/// Other reasons after `game drawn by`.
pub(crate) const DRAWN_BY: Wordings = &[
    (Agreement, &["agreement", "mutual agreement"]),
    (Agreement, &["mutual consent", "vereinbarung"]),
    (Agreement, &["accord mutuel", "acuerdo", "mutuo acuerdo"]),
    (Agreement, &["accordo"]),
    (TimeAgainstMaterial, &["timeout", "time"]),
    (Disconnection, &["disconnection", "disconnect"]),
    (Disconnection, &["lost connection", "connection lost"]),
    (Abandoned, &["abandonment", "game abandoned"]),
];

/// Whole sentences.
pub(crate) const SENTENCES: Wordings = &[
    (Checkmate, &["checkmate", "game ended by checkmate"]),
    (Agreement, &["draw agreed", "players agreed to a draw"]),
    (Adjudication, &["tcec win rule", "tcec draw rule"]),
    (Adjudication, &["tcec adjudication"]),
    (Adjudication, &["tcec adjudication rule", "syzygytb"]),
    (Adjudication, &["tb position", "long game"]),
    (Adjudication, &["manual adjudication", "user adjudication"]),
    (Adjudication, &["gui adjudication", "gui tb adjudication"]),
    (Adjudication, &["arena adjudication", "trivial draw"]),
    (TimeForfeit, &["lost on time", "loss on time", "timed out"]),
    (TimeForfeit, &["flag fall", "flag fell", "flag fallen"]),
    (TimeForfeit, &["overstepped", "overstepped the time limit"]),
    (TimeForfeit, &["time over", "time is up", "time expired"]),
    (TimeForfeit, &["zeitüberschreitung", "dépassement de temps"]),
    (TimeForfeit, &["tiempo agotado", "tijdsoverschrijding"]),
    (TimeForfeit, &["tijdoverschrijding", "verloren op tijd"]),
    (TimeForfeit, &["zeit überschritten", "auf zeit verloren"]),
    (TimeForfeit, &["blättchen gefallen", "drapeau tombé"]),
    (TimeForfeit, &["perte au temps", "temps dépassé"]),
    (TimeForfeit, &["perdió por tiempo", "pierde por tiempo"]),
    (TimeForfeit, &["bandera caída", "cayó la bandera"]),
    (TimeForfeit, &["perso per il tempo", "bandierina caduta"]),
    (TimeForfeit, &["vlag gevallen", "flagged"]),
    (TimeForfeit, &["ran out of time", "exceeded the time limit"]),
    (TimeForfeit, &["forfeits on time"]),
    (Resignation, &["gab auf", "se rinde", "opgegeven"]),
    (IllegalMove, &["made an illegal move", "illegal moves"]),
    (IllegalMove, &["regelwidriger zug", "coup illégal"]),
    (IllegalMove, &["jugada ilegal", "mossa illegale"]),
    (IllegalMove, &["onreglementaire zet", "onregelmatige zet"]),
    (IllegalMove, &["unmöglicher zug", "mossa irregolare"]),
    (IllegalMove, &["second illegal move", "2 illegal moves"]),
    (Unterminated, &["game interrupted", "no result"]),
    (Aborted, &["game was aborted"]),
    (RulesInfraction, &["cheat detected"]),
    (VariantRule, &["bare king", "3rd check"]),
    (VariantRule, &["game ends by variant rule"]),
];

/// Rulings and penalties, by words or beginnings of words that are enough anywhere in a text.
pub(crate) const RULINGS: Wordings = &[
    (Adjudication, &["adjudicat", "arbiter", "administrative"]),
    (Adjudication, &["decided by"]),
    (RulesInfraction, &["fair play", "fairplay", "infraction"]),
    (RulesInfraction, &["violation", "cheat", "disqualif"]),
    (RulesInfraction, &["penalty"]),
    (Default, &["withdrawal", "withdrawn", "withdrew"]),
    (Default, &["withdraws", "no show", "not show up"]),
    (Default, &["not appear", "absent", "default"]),
];

/// Verbs after a player, before a link and one of the [`NAMES`].
pub(crate) const RESULTS: &[(Fate, &[&str])] = &[
    (Fate::Wins, &[" wins", " won", " declared the winner"]),
    (Fate::Wins, &[" gewinnt", " gagnent", " ganan", " vince"]),
    (Fate::Wins, &[" wint"]),
    (Fate::Loses, &[" loses", " lost", " forfeits", " verliert"]),
    (
        Fate::Loses,
        &[" perdent", " pierden", " perde", " verliest"],
    ),
];

/// Words before a participle in `-ed`.
pub(crate) const AUXILIARIES: [&str; 4] = [" is", " was", " has", " got"];

/// The rest of a sentence after a player and perhaps one of the [`AUXILIARIES`].
pub(crate) const PREDICATES: [(Fate, Wordings); 3] = [
    (Fate::Loses, LOSES),
    (Fate::Wins, &[(Checkmate, &[" mates", " checkmates"])]),
    (Fate::Neither, &[(Stalemate, &[" stalemated"])]),
];

const LOSES: Wordings = &[
    (Resignation, &[" resigns", " resigned", " gives up"]),
    (Resignation, &[" gave up", " gibt auf", " abandonnent"]),
    (Resignation, &[" abandonan", " abbandona", " abandonne"]),
    (Resignation, &[" geeft op"]),
    (Checkmate, &[" mated", " checkmated"]),
    (TimeForfeit, &[" ran out of time", " time out"]),
    (TimeForfeit, &[" runs out of time", " exceeds time limit"]),
    (TimeForfeit, &[" exceeded the time limit", " timed out"]),
    (TimeForfeit, &[" times out", " overstepped", " flagged"]),
    (TimeForfeit, &[" überschreitet die zeit"]),
    (TimeForfeit, &[" hat die zeit überschritten"]),
    (TimeForfeit, &[" overstepped the time limit"]),
    (TimeForfeit, &["'s flag fell", "'s time is up"]),
    (Disconnection, &[" disconnected and forfeits"]),
    (Disconnection, &[" got disconnected and forfeits"]),
    (Disconnection, &[" disconnects", " disconnected"]),
    (Disconnection, &[" lost connection", " loses connection"]),
    (Disconnection, &[" lost connection and forfeits"]),
    (Disconnection, &["'s connection stalls"]),
    (Disconnection, &["'s connection stalled", " crashes"]),
    (Disconnection, &[" crashed", " terminated unexpectedly"]),
    (Disconnection, &[" exited unexpectedly"]),
    (Abandoned, &[" leaves the game", " left the game"]),
    (Abandoned, &[" has left the game"]),
    (Abandoned, &[" abandons the game", " abandoned the game"]),
    (Default, &[" forfeits", " withdrew", " did not show up"]),
    (RulesInfraction, &[" disqualified"]),
    (IllegalMove, &[" makes an illegal move"]),
    (IllegalMove, &[" made an illegal move"]),
];
