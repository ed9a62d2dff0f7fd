//! Draws by repetition (FIDE Laws 2023 art. 9.2) and by counting moves (art. 9.3): one flow over
//! what is counted.

use crate::chess::Move;
use crate::law::claim::{Announcement, ClaimFacts, ClaimReason, Decision, Ground};
use crate::law::rulesets::{Article, Condition, KeyArticles, Provision};
use crate::law::timeline::quiet_move;
use crate::law::{End, Facts, Held, RepetitionKey, RuleSet, Standing, Unseen};

/// The thing that a draw counts.
trait Count {
    /// Whether an announced move does not matter if the board is enough.
    const BOARD_FIRST: bool;
    /// Whether a claim on the board by the side that has just moved is one on its own move.
    const IS_OWN_MOVE: bool;

    /// Whether the draw would hold after a move.
    fn holds_after(&self, facts: &Facts, mv: Move) -> Held;

    /// A move after which it would hold.
    fn announceable(&self, facts: &Facts) -> Option<Move>;

    /// The plies that a decision lists: of the position after a ply, or after an announced move.
    fn occurrences(&self, facts: &Facts, ply: u32, announced: Option<Move>) -> Vec<u32>;

    /// The article on a claim that does not hold.
    fn wrong(&self, rules: &RuleSet, form: Option<Provision>) -> Option<Article>;
}

/// Occurrences of one position under a key.
struct Repetition {
    limit: u32,
    key: RepetitionKey,
}

/// Moves by each side without a capture or a pawn move, on the halfmove clock.
struct MoveCount {
    end: End,
    limit: u32,
}

impl Count for Repetition {
    const BOARD_FIRST: bool = false;
    const IS_OWN_MOVE: bool = true;

    fn holds_after(&self, facts: &Facts, mv: Move) -> Held {
        facts.history(self.key).map_or(Held::No, |history| {
            let known = history.count_after(facts.last(), mv);
            let most = history.most_after(facts.last(), mv);
            Held::new(known >= self.limit, most >= self.limit)
        })
    }

    fn announceable(&self, facts: &Facts) -> Option<Move> {
        let moves = facts.history(self.key)?.third_time_moves(facts.last());
        moves.first().copied()
    }

    fn occurrences(&self, facts: &Facts, ply: u32, announced: Option<Move>) -> Vec<u32> {
        match (announced, facts.history(self.key)) {
            (Some(mv), Some(history)) => history.occurrences_after(facts.last(), mv),
            _ => facts.record().occurrences(self.key, ply),
        }
    }

    fn wrong(&self, rules: &RuleSet, _: Option<Provision>) -> Option<Article> {
        rules.key_articles.same
    }
}

impl Count for MoveCount {
    const BOARD_FIRST: bool = true;
    const IS_OWN_MOVE: bool = false;

    fn holds_after(&self, facts: &Facts, mv: Move) -> Held {
        let last = facts.last();
        let is_last = last.halfmoves().saturating_add(1) >= self.limit;
        Held::new(
            !mv.is_zeroing() && is_last,
            !mv.is_zeroing() && !last.knows_halfmoves(),
        )
    }

    fn announceable(&self, facts: &Facts) -> Option<Move> {
        let is_last = facts.last().halfmoves() + 1 >= self.limit;
        is_last.then(|| quiet_move(facts.last())).flatten()
    }

    fn occurrences(&self, _: &Facts, _: u32, _: Option<Move>) -> Vec<u32> {
        Vec::new()
    }

    fn wrong(&self, rules: &RuleSet, form: Option<Provision>) -> Option<Article> {
        article_of(rules, self.end, form)
    }
}

/// The article on a form of claim; that on the rule if the rule set does not know the form.
fn article_of(rules: &RuleSet, end: End, form: Option<Provision>) -> Option<Article> {
    form.map_or(rules.rule(end).article, |form| form.article)
}

impl ClaimFacts<'_> {
    /// Decides a claim of a draw by repetition or by counting moves.
    pub(crate) fn counted(
        &self,
        rules: &'static RuleSet,
        end: End,
        key: RepetitionKey,
    ) -> Decision {
        match end.condition() {
            Condition::Occurrences(limit) => {
                let decision = self.flow(rules, end, key, &Repetition { limit, key });
                match decision.ground {
                    Ground::DoesNotHold => self.with_exact_article(decision, limit),
                    _ => decision,
                }
            }
            Condition::Halfmoves(limit) => self.flow(rules, end, key, &MoveCount { end, limit }),
            // Nothing else is claimed by a count.
            _ => self.decision(rules, Ground::NoRule, ClaimReason::Rules, rules.cite(None)),
        }
    }

    /// Cites the articles by which positions with the same pieces on the same squares are not the
    /// same, if with them the position would have occurred often enough.
    fn with_exact_article(&self, decision: Decision, limit: u32) -> Decision {
        let (record, rules) = (self.facts.record(), decision.rules);
        let (now, plies) = match (&decision.reason, self.announced) {
            (ClaimReason::AnnouncedMove, Announcement::Legal(mv)) => {
                (self.facts.last().after(mv), record.plies() + 1)
            }
            _ => (self.facts.last().clone(), record.plies()),
        };
        let mut similar = decision.occurrences.len();
        let (mut en_passant, mut castling) = (false, false);
        record.each(|ply, then| {
            if ply != plies
                && !decision.occurrences.contains(&ply)
                && (then.board(), then.turn()) == (now.board(), now.turn())
            {
                similar += 1;
                en_passant |= then.en_passant() != now.en_passant();
                castling |= then.castling() != now.castling();
            }
        });
        let KeyArticles {
            en_passant: by_pawn,
            castling: by_king,
            ..
        } = rules.key_articles;
        let articles = [
            by_pawn.filter(|_| en_passant),
            by_king.filter(|_| castling && (by_king != by_pawn || !en_passant)),
        ];
        match similar >= limit as usize && articles != [None; 2] {
            true => Decision {
                article: rules.cite_both(articles),
                ..decision
            },
            false => decision,
        }
    }

    fn flow<C: Count>(
        &self,
        rules: &'static RuleSet,
        end: End,
        key: RepetitionKey,
        count: &C,
    ) -> Decision {
        if let Some(decision) = self.without_rule(rules, end) {
            return decision;
        }
        let facts = self.facts;
        match self.automatic_end(rules) {
            Some((ply, ended)) if Facts::is_of_kind(ended, end) => {
                let reason = ClaimReason::Ended { ply, end: ended };
                let article = rules.cite_end(ended);
                let mut decision = self.decision(rules, Ground::Automatic, reason, article);
                decision.occurrences = count.occurrences(facts, ply, None);
                return decision;
            }
            Some((ply, ended)) => return self.over(rules, ply, ended),
            None => {}
        }
        let rule = rules.rule(end);
        let decide =
            |ground, reason, article| self.decision(rules, ground, reason, rules.cite(article));
        let is_wrong_side = self.is_wrong_side(rules);
        let is_automatic = rule.standing == Standing::Automatic;
        let on_board = match rule.forms.on_board.is_some() || is_automatic {
            true => facts.held(key, end, facts.plies()),
            false => Held::No,
        };
        let board_instead = || Decision {
            board_instead: true,
            ..self.on_board(rules, end, key, count)
        };
        match self.announced {
            Announcement::Illegal | Announcement::Unclear
                if on_board > Held::No && !is_wrong_side =>
            {
                board_instead()
            }
            Announcement::Illegal | Announcement::Unclear if is_wrong_side => {
                decide(Ground::WrongSide, ClaimReason::Announcement, rule.article)
            }
            Announcement::Illegal | Announcement::Unclear => {
                let ground = match self.announced {
                    Announcement::Illegal => Ground::IllegalMove,
                    _ => Ground::UnclearMove,
                };
                let form = rule.forms.announced.and_then(|form| form.article);
                decide(ground, ClaimReason::Announcement, form)
            }
            Announcement::Played(ply) => {
                let held = facts.held(key, end, ply);
                let form = rules.claims.lost_by_moving.or(rule.forms.announced);
                let article = article_of(rules, end, form);
                let mut decision = decide(
                    Ground::TooLate,
                    ClaimReason::AlreadyPlayed { ply, held },
                    article,
                );
                decision.occurrences = count.occurrences(facts, ply, None);
                decision.depends_on_unseen(facts, held);
                decision
            }
            Announcement::Legal(mv) => {
                let would_hold = count.holds_after(facts, mv);
                if on_board == Held::Yes && C::BOARD_FIRST {
                    return self.on_board(rules, end, key, count);
                }
                let may_be_announced = rule.forms.announced.is_some() && !is_automatic;
                let depends_on_board = on_board == Held::Unknown && !may_be_announced;
                if (on_board > would_hold || depends_on_board) && !is_wrong_side {
                    return board_instead();
                }
                // A move is announced by the player to move, even where either side may claim.
                let ground = if self.by != facts.last().turn() {
                    Ground::WrongSide
                } else if would_hold == Held::No {
                    Ground::DoesNotHold
                } else if is_automatic {
                    Ground::NotYet
                } else if rule.forms.announced.is_none() {
                    Ground::NoForm
                } else if would_hold == Held::Unknown {
                    Ground::Unknown
                } else {
                    Ground::Holds
                };
                let article = match ground {
                    Ground::DoesNotHold => count.wrong(rules, rule.forms.announced),
                    _ => article_of(rules, end, rule.forms.announced),
                };
                let mut decision = decide(ground, ClaimReason::AnnouncedMove, article);
                decision.occurrences = count.occurrences(facts, facts.plies(), Some(mv));
                decision.depends_on_unseen(facts, would_hold);
                decision
            }
            Announcement::Nothing => self.on_board(rules, end, key, count),
        }
    }

    /// Whether the claim is not the claimant's to make.
    pub(crate) fn is_wrong_side(&self, rules: &RuleSet) -> bool {
        self.by != self.facts.last().turn() && !rules.claims.either_side
    }

    /// Decides a claim on the position as it stands.
    fn on_board<C: Count>(
        &self,
        rules: &'static RuleSet,
        end: End,
        key: RepetitionKey,
        count: &C,
    ) -> Decision {
        let facts = self.facts;
        let rule = rules.rule(end);
        let on_claim = rule.standing == Standing::OnClaim;
        let form = rule.forms.on_board;
        let held = facts.held(key, end, facts.plies());
        let holds = held == Held::Yes;
        let could_announce = || match on_claim && rule.forms.announced.is_some() {
            true => count.announceable(facts),
            false => None,
        };
        let missed = || {
            let is_possible = on_claim && form.is_some();
            let turn = (!rules.claims.either_side).then_some(self.by);
            let ply = is_possible.then(|| facts.last_held(key, end, turn));
            ply.flatten()
        };
        let reaches_back = rules.claims.reaches_back && end == End::Threefold;
        let reaches = |ply| reaches_back && ply + 1 == facts.plies();
        let before = facts.plies().checked_sub(1).filter(|_| reaches_back);
        let held_before = before.map_or(Held::No, |ply| facts.held(key, end, ply));
        let mut shown = facts.plies();
        let board = |could_announce| ClaimReason::Board { could_announce };
        let (ground, reason, article) = if on_claim && self.is_wrong_side(rules) {
            if holds && C::IS_OWN_MOVE && facts.plies() > 0 {
                let form = rules.claims.lost_by_moving.or(rule.forms.announced);
                let article = form.and_then(|form| form.article);
                (Ground::TooLate, ClaimReason::OwnMove, article)
            } else {
                let article = match C::IS_OWN_MOVE {
                    true => rule.article,
                    false => article_of(rules, end, form),
                };
                (Ground::WrongSide, ClaimReason::WrongSide { holds }, article)
            }
        } else if (holds || held == Held::Unknown && on_claim) && form.is_none() {
            let ground = match rule.forms.is_open {
                true => Ground::Undefined,
                false => Ground::NoForm,
            };
            (ground, board(None), None)
        } else if holds {
            let article = form.and_then(|form| form.article);
            (Ground::Holds, board(None), article)
        } else if let Some(ply) = missed().filter(|&ply| reaches(ply)) {
            shown = ply;
            let article = form.and_then(|form| form.article);
            (Ground::Holds, ClaimReason::Before { ply }, article)
        } else if held.max(held_before) == Held::Unknown {
            let article = form.and_then(|form| form.article);
            (Ground::Unknown, board(could_announce()), article)
        } else if let Some(ply) = missed() {
            let form = rules.claims.lost_by_moving.or(form);
            let article = form.and_then(|form| form.article);
            let could_announce = could_announce();
            let reason = ClaimReason::Missed {
                ply,
                could_announce,
            };
            (Ground::TooLate, reason, article)
        } else {
            let article = count.wrong(rules, form);
            (Ground::DoesNotHold, board(could_announce()), article)
        };
        let mut decision = self.decision(rules, ground, reason, rules.cite(article));
        decision.occurrences = count.occurrences(facts, shown, None);
        decision.depends_on_unseen(facts, held.max(held_before));
        decision
    }
}

impl Decision {
    /// Names the unseen plies if a draw depends on them.
    fn depends_on_unseen(&mut self, facts: &Facts, held: Held) {
        self.unseen = match held {
            Held::Unknown => Unseen::before(facts.record().start()),
            Held::No | Held::Yes => None,
        };
    }
}
