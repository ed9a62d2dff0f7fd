//! The facts of a played game that any rule set asks for, computed once.

use crate::chess::san::SanPlus;
use crate::chess::{Board, Color, Move, MoveNumber, Position, Square};
use crate::law::history::{Unseen, quiet_change};
use crate::law::rulesets::{Citation, MaterialSet};
use crate::law::timeline::{EndsAtPly, Timeline, is_near_the_limit};
use crate::law::{
    End, GameRecord, History, PlyRef, Prospects, RepetitionKey, Repetitions, RuleSet, Standing,
};

/// A played game: its moves, its last position, and what its history shows under each repetition
/// key.
///
/// Most games repeat nothing and stay far from fifty moves: for them a prefilter of hashes is
/// enough, and no history is built.
#[derive(Debug)]
pub struct Facts {
    pub(crate) record: GameRecord,
    last: Position,
    /// Checkmate or stalemate in the last position.
    pub(crate) final_end: Option<End>,
    timelines: Vec<Timeline>,
    /// Prefilter: far from a third occurrence and from fifty moves, no draw rule has anything to
    /// say.
    repetitions: Repetitions,
    /// Boards that have stood twice since the last capture or pawn move.
    twice: Vec<Board>,
    /// The timelines have followed the game; otherwise there was nothing to find.
    is_tracked: bool,
}

/// A draw that a player could have claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opportunity {
    /// The draw.
    pub end: End,
    /// The claimant.
    pub by: Color,
    /// The moment.
    pub at: PlyRef,
    /// The move to be announced with the claim, unless the position on the board was enough.
    pub announced: Option<SanPlus>,
    /// The article on claims of this form.
    pub article: Citation,
    /// The plies on which it depends whether the draw could be claimed.
    pub unseen: Option<Unseen>,
}

/// Whether an end holds by the history, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Held {
    /// It does not.
    No,
    /// It depends on the plies before the first position.
    Unknown,
    /// It does.
    Yes,
}

impl Held {
    /// By what is known, and by the most that is possible.
    pub(crate) fn new(is_known: bool, is_possible: bool) -> Held {
        match (is_known, is_possible) {
            (true, _) => Held::Yes,
            (false, true) => Held::Unknown,
            (false, false) => Held::No,
        }
    }
}

impl Opportunity {
    /// The announced move with its number, such as `42.Kd2`.
    pub fn announced_label(&self) -> Option<String> {
        let number = MoveNumber {
            number: self.at.fullmoves,
            color: self.by,
        };
        self.announced.map(|san| format!("{number}{san}"))
    }
}

impl Facts {
    /// Facts under FIDE's repetition key and others. Nothing has been played.
    pub(crate) fn new(keys: impl IntoIterator<Item = RepetitionKey>) -> Facts {
        let mut timelines = vec![Timeline::new(RepetitionKey::FIDE)];
        for key in keys {
            if timelines.iter().all(|known| known.history.key != key) {
                timelines.push(Timeline::new(key));
            }
        }
        Facts {
            record: GameRecord::new(Position::initial(), None),
            last: Position::initial(),
            final_end: None,
            timelines,
            repetitions: Repetitions::default(),
            twice: Vec::new(),
            is_tracked: false,
        }
    }

    /// The facts of a game, with its history under each key.
    pub fn of(record: GameRecord, keys: impl IntoIterator<Item = RepetitionKey>) -> Facts {
        let mut facts = Facts::new(keys);
        let (last, named) = (record.after(record.plies()), record.en_passant);
        facts.record = record;
        facts.is_tracked = true;
        facts.finish(&last, || named);
        facts
    }

    /// Begins a game; the memory of the last one is kept.
    pub(crate) fn restart(&mut self, start: &Position) {
        self.record.restart(start);
        self.repetitions.restart(start);
        self.twice.clear();
        // The prefilter is right for keys that tell apart what FIDE does.
        let is_coarse = |known: &Timeline| !known.history.key.is_as_fine_as_fide();
        self.is_tracked = Unseen::before(start).is_some() || self.timelines.iter().any(is_coarse);
    }

    /// Adds a legal move and the position it leads to.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, after: &Position) {
        self.record.push(mv);
        if !self.is_tracked {
            self.repetitions.push(after);
            let has_repeated = self.repetitions.repeated().next().is_some();
            self.is_tracked =
                has_repeated && self.is_third_near(after) || is_near_the_limit(after.halfmoves());
        }
    }

    /// Whether a position stands on the board for the third time, or may after the next move.
    #[cold]
    fn is_third_near(&mut self, position: &Position) -> bool {
        if position.halfmoves() == 0 {
            self.twice.clear();
        }
        let board = position.board();
        match self.repetitions.count() {
            1 => {}
            2 => self.twice.push(*board),
            _ => return true,
        }
        let is_near = |twice: &Board| quiet_change(board, twice, position.turn()).is_some();
        self.twice.iter().any(is_near)
    }

    /// Ends the game. `en_passant` is the square that its FEN names, asked for if it matters.
    pub(crate) fn finish(&mut self, last: &Position, en_passant: impl FnOnce() -> Option<Square>) {
        self.last.clone_from(last);
        self.final_end = End::on_board(last);
        self.is_tracked |= self.repetitions.count() > 1;
        if self.is_tracked {
            self.record.en_passant = en_passant();
            self.track();
        }
    }

    /// Plays the game again, from the last capture or pawn move before anything was found.
    fn track(&mut self) {
        let zeroing = self.repetitions.run_start() as u32;
        let mut position = self.record.after(zeroing);
        for timeline in &mut self.timelines {
            timeline.events.clear();
            match self.record.played(zeroing) {
                Some(mv) => timeline.history.resume(zeroing, mv, &position),
                None => timeline.history.restart(&position, self.record.en_passant),
            }
            timeline.observe(&position);
        }
        for &mv in &self.record.moves[zeroing as usize..] {
            position.play_unchecked(mv);
            for timeline in &mut self.timelines {
                timeline.history.push(mv, &position);
                timeline.observe(&position);
            }
        }
    }

    /// Number of plies.
    pub(crate) fn plies(&self) -> u32 {
        self.record.plies()
    }

    /// The last position.
    pub fn last(&self) -> &Position {
        &self.last
    }

    /// The moment after the last ply.
    pub(crate) fn end(&self) -> PlyRef {
        self.record.at(self.plies())
    }

    /// The first end, in FIDE's order of tests, that the history shows of the last position under
    /// FIDE's repetition key.
    pub(crate) fn counted_end(&self) -> Option<End> {
        self.history(RepetitionKey::FIDE)?.ends().iter().next()
    }

    /// The history of the last position under a key; nothing if no position was repeated and no
    /// count of moves was near.
    pub fn history(&self, key: RepetitionKey) -> Option<&History> {
        self.timeline(key).map(|timeline| &timeline.history)
    }

    fn timeline(&self, key: RepetitionKey) -> Option<&Timeline> {
        let mut timelines = self.timelines.iter();
        timelines.find(|timeline| self.is_tracked && timeline.history.key == key)
    }

    fn events(&self, key: RepetitionKey) -> &[EndsAtPly] {
        self.timeline(key)
            .map_or(&[], |timeline| timeline.events.as_slice())
    }

    fn events_on_board(&self, key: RepetitionKey) -> impl DoubleEndedIterator<Item = &EndsAtPly> {
        let events = self.events(key).iter();
        events.filter(|event| event.announced.is_none())
    }

    /// Whether an end held by the history at a ply.
    pub(crate) fn held(&self, key: RepetitionKey, end: End, ply: u32) -> Held {
        let event = self.events_on_board(key).find(|event| event.ply == ply);
        event.map_or(Held::No, |event| {
            Held::new(event.ends.has(end), event.possible[0].has(end))
        })
    }

    /// The last ply before the last one at which an end held by the history, with this side to move
    /// or with either.
    pub(crate) fn last_held(
        &self,
        key: RepetitionKey,
        end: End,
        turn: Option<Color>,
    ) -> Option<u32> {
        self.events_on_board(key)
            .rfind(|event| {
                event.ply < self.plies()
                    && event.ends.has(end)
                    && turn.is_none_or(|turn| self.record.at(event.ply).turn == turn)
            })
            .map(|event| event.ply)
    }

    /// Whether the fifth occurrence of a position that ended the game at a ply came on alternate
    /// moves in a row.
    pub fn is_in_a_row(&self, key: RepetitionKey, ply: u32) -> bool {
        self.events_on_board(key)
            .filter(|event| event.ply == ply)
            .all(|event| event.in_a_row)
    }

    /// The first ply with material of a set, if the last position has it.
    pub(crate) fn material_since(&self, set: MaterialSet) -> Option<u32> {
        let is_too_little = |position: &Position| set.holds(position.board());
        is_too_little(&self.last).then(|| self.record.first(is_too_little))
    }

    /// The first ply with a dead position, if the last one is dead.
    pub(crate) fn dead_since(&self, prospects: &Prospects<'_>) -> u32 {
        self.record.first(|position| prospects.is_dead_at(position))
    }

    /// The first end that comes automatically under a rule set. `dead_since` is the first dead
    /// position, if one was proven.
    pub fn automatic_end(&self, rules: &RuleSet, dead_since: Option<u32>) -> Option<(u32, End)> {
        let automatic = rules.ends_that_stand(Standing::Automatic);
        let mut found: Vec<(u32, End)> = Vec::new();
        found.extend(self.final_end.map(|end| (self.plies(), end)));
        if automatic.has(End::InsufficientMaterial) {
            let since = self.material_since(rules.material_set);
            found.extend(since.map(|ply| (ply, End::InsufficientMaterial)));
        }
        found.extend(dead_since.map(|ply| (ply, End::DeadPosition)));
        for event in self.events_on_board(rules.key) {
            let ends = event.ends_under(rules).iter();
            found.extend(ends.map(|end| (event.ply, end)));
        }
        found.retain(|&(_, end)| automatic.has(end));
        let ply = found.iter().map(|&(ply, _)| ply).min()?;
        let at_once = found.iter().filter(|&&(at, _)| at == ply);
        let end = rules.first(at_once.map(|&(_, end)| end).collect())?;
        Some((ply, end))
    }

    /// The ends that the director may declare, each with its first ply, before the game was over
    /// after `over` plies.
    pub(crate) fn declarable(&self, rules: &RuleSet, over: u32) -> Vec<(u32, End)> {
        let by_director = rules.ends_that_stand(Standing::ByDirector);
        let mut found: Vec<(u32, End)> = Vec::new();
        let events = self.events_on_board(rules.key);
        for event in events.take_while(|event| event.ply < over) {
            for end in event.ends_under(rules).both(by_director).iter() {
                if !found.iter().any(|&(_, other)| other == end) {
                    found.push((event.ply, end));
                }
            }
        }
        found
    }

    /// The draws by repetition or by counting moves that could be claimed at each ply up to `last`,
    /// then those by material, once for each side: by the player to move, or by either if the rule
    /// set leaves it to both. Claims that depend on unseen plies have no announced move.
    pub(crate) fn opportunities(&self, rules: &RuleSet, last: u32) -> Vec<Opportunity> {
        let mut found: Vec<Opportunity> = Vec::new();
        let on_claim = rules.ends_that_stand(Standing::OnClaim);
        let events = self.events(rules.key).iter();
        for event in events.take_while(|event| event.ply <= last) {
            let possible = event.possible[0].either(event.possible[1]);
            let unseen = Unseen::before(&self.record.start);
            for (ends, unseen) in [(event.ends, None), (possible.minus(event.ends), unseen)] {
                for end in ends.both(on_claim).iter() {
                    self.add_opportunities(&mut found, rules, event, end, unseen, last);
                }
            }
        }
        // Too little material stays once it is there.
        if on_claim.has(End::InsufficientMaterial)
            && let Some(since) = self.material_since(rules.material_set)
        {
            let turn = self.record.at(since).turn;
            let next = since + u32::from(!rules.claims.either_side);
            let first = [(turn, since), (!turn, next)].into_iter();
            let first = first.filter(|&(_, ply)| ply <= last);
            found.extend(first.map(|(by, ply)| Opportunity {
                end: End::InsufficientMaterial,
                by,
                at: self.record.at(ply),
                announced: None,
                article: rules.cite_end(End::InsufficientMaterial),
                unseen: None,
            }));
        }
        found
    }

    /// The move played after a ply, unless it is a capture or a pawn move.
    fn played_quietly(&self, ply: u32) -> Option<SanPlus> {
        let mv = self.record.played(ply + 1).filter(|mv| !mv.is_zeroing())?;
        let before = self.record.after(ply);
        Some(SanPlus::of(&before, mv, &before.after(mv)))
    }

    /// Adds the claims of an end that an event allows, on the board or with an announced move.
    fn add_opportunities(
        &self,
        found: &mut Vec<Opportunity>,
        rules: &RuleSet,
        event: &EndsAtPly,
        end: End,
        unseen: Option<Unseen>,
        last: u32,
    ) {
        let rule = rules.rule(end);
        let [may_stand, may_be_announced] = match unseen {
            None => [event.announced.is_none(), event.announced.is_some()],
            Some(_) => event.possible.map(|ends| ends.has(end)),
        };
        let on_board = rule.on_board.filter(|_| may_stand);
        let form = on_board.or(rule.announced.filter(|_| may_be_announced));
        // A claim of a draw on the board needs no announced move.
        let stands = |other: &Opportunity| {
            (other.end, other.at.ply, other.announced, other.unseen) == (end, event.ply, None, None)
        };
        if form.is_none() || event.announced.is_some() && found.iter().rev().any(stands) {
            return;
        }
        let reaches_on = rules.claims.reaches_back
            && end == End::Threefold
            && on_board.is_some()
            && event.ply < last
            && self.held(rules.key, end, event.ply + 1) < Held::new(unseen.is_none(), true);
        let announced = event.announced.map(|any| {
            let played = end.halfmoves().and_then(|_| self.played_quietly(event.ply));
            played.unwrap_or(any)
        });
        for ply in event.ply..=event.ply + u32::from(reaches_on) {
            let at = self.record.at(ply);
            // A move is announced by the player to move.
            let other = rules.claims.either_side && on_board.is_some();
            let sides = [Some(at.turn), other.then_some(!at.turn)];
            found.extend(sides.into_iter().flatten().map(|by| Opportunity {
                end,
                by,
                at,
                announced,
                article: rules.cite(form),
                unseen,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::zobrist::mix;
    use crate::law::rulesets::RULE_SETS;

    /// A game of random moves, of which many are taken back.
    fn wandering(start: &Position, mut random: u64) -> Vec<Move> {
        let mut position = start.clone();
        let mut moves: Vec<Move> = Vec::new();
        while moves.len() < 60 {
            random = mix(random + 1);
            let legal = position.legal_moves();
            let last = moves.len().checked_sub(2).map(|at| moves[at]);
            let is_back = |mv: &&Move| last.is_some_and(|it| (it.from, it.to) == (mv.to, mv.from));
            let back = legal.iter().find(is_back).filter(|_| random % 8 < 5);
            let any = || legal.get((random >> 8) as usize % legal.len().max(1));
            let Some(&mv) = back.or_else(any) else { break };
            position.play_unchecked(mv);
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn the_prefilter_leaves_no_draw_out() {
        let mut left_out = 0;
        for (fen, seed) in [
            ("4k2n/8/8/8/8/8/4P3/N3K2R w K - 0 1", 0),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                1,
            ),
            ("r3k3/8/8/3p4/2P5/8/8/4K2R b Kq - 0 30", 2),
        ] {
            let start: Position = fen.parse().unwrap();
            for nth in 0..150 {
                let moves = wandering(&start, 1000 * seed + nth);
                for rules in RULE_SETS {
                    let mut facts = Facts::new([rules.key]);
                    facts.restart(&start);
                    let mut position = start.clone();
                    for &mv in &moves {
                        position.play_unchecked(mv);
                        facts.push(mv, &position);
                    }
                    facts.finish(&position, || None);
                    let whole = Facts::of(facts.record.clone(), [rules.key]);
                    let shown = |facts: &Facts| {
                        let plies = facts.plies();
                        (
                            facts.automatic_end(rules, None),
                            facts.declarable(rules, plies + 1),
                            facts.opportunities(rules, plies),
                            facts.history(rules.key).map_or(1, History::count),
                            facts.counted_end(),
                        )
                    };
                    assert_eq!(shown(&facts), shown(&whole), "{}: {moves:?}", rules.name);
                    let has_repeated = facts.repetitions.repeated().next().is_some();
                    left_out += u32::from(has_repeated && !facts.is_tracked);
                }
            }
        }
        assert!(left_out > 100, "{left_out}");
    }
}
