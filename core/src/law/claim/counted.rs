//! Draws by repetition (FIDE Laws 2023 art. 9.2) and by counting moves (art. 9.3).

use crate::chess::Move;
use crate::law::claim::{Announcement, ClaimFacts, ClaimReason, Decision, Ground};
use crate::law::rulesets::{Article, Condition, EndRule};
use crate::law::timeline::quiet_move;
use crate::law::{End, Held, RepetitionKey, RuleSet, Standing, Unseen};

/// A claim of a draw that counts occurrences of a position or moves.
struct CountedDraw<'a> {
    claim: &'a ClaimFacts<'a>,
    rules: &'static RuleSet,
    rule: &'static EndRule,
    end: End,
    /// The key under which positions are the same.
    key: RepetitionKey,
}

impl ClaimFacts<'_> {
    /// Decides a claim of a draw by repetition or by counting moves.
    pub(crate) fn counted(
        &self,
        rules: &'static RuleSet,
        end: End,
        key: RepetitionKey,
        ended: Option<(u32, End)>,
    ) -> Decision {
        let draw = CountedDraw {
            claim: self,
            rules,
            rule: rules.rule(end),
            end,
            key,
        };
        let decision = draw.decide(ended);
        match end.occurrences() {
            Some(limit) if decision.ground == Ground::DoesNotHold => {
                self.with_exact_article(decision, limit)
            }
            _ => decision,
        }
    }

    /// Cites the articles by which positions with the same pieces on the same squares are not the
    /// same, if with them the position would have occurred often enough.
    fn with_exact_article(&self, decision: Decision, limit: u32) -> Decision {
        let (record, rules) = (&self.facts.record, decision.rules);
        let (now, plies) = match (&decision.reason, self.announced) {
            (ClaimReason::AnnouncedMove, Announcement::Legal(mv)) => {
                (self.facts.last().after(mv), record.plies() + 1)
            }
            _ => (self.facts.last().clone(), record.plies()),
        };
        // With the same side to move, and with either.
        let mut similar = [decision.occurrences.len(); 2];
        let (mut en_passant, mut castling) = (false, false);
        record.each(|ply, then| {
            if ply != plies && !decision.occurrences.contains(&ply) && then.board() == now.board() {
                let is_same = then.turn() == now.turn();
                similar = [similar[0] + usize::from(is_same), similar[1] + 1];
                en_passant |= is_same && then.en_passant() != now.en_passant();
                castling |= is_same && then.castling() != now.castling();
            }
        });
        let articles = rules.key_articles;
        let by_pawn = en_passant.then_some(articles.en_passant);
        let by_king = castling.then_some(articles.castling);
        let cited = match similar.map(|count| count >= limit as usize) {
            [true, _] if by_pawn.or(by_king).is_some() => {
                [by_pawn, by_king.filter(|_| by_king != by_pawn)]
            }
            [false, true] => [Some(articles.same), None],
            _ => return decision,
        };
        Decision {
            article: rules.cite_both(cited),
            ..decision
        }
    }

    /// Whether the claim is not the claimant's to make.
    pub(crate) fn is_wrong_side(&self, rules: &RuleSet) -> bool {
        self.by != self.facts.last().turn() && !rules.claims.either_side
    }
}

impl CountedDraw<'_> {
    /// Decides it; `ended` is an end of the game by the same rule.
    fn decide(&self, ended: Option<(u32, End)>) -> Decision {
        if let Some((ply, end)) = ended {
            return Decision {
                occurrences: self.occurrences(ply, None),
                article: self.rules.cite_end(end),
                ..self.decision(Ground::Automatic, ClaimReason::Over { ply, end }, None)
            };
        }
        if let Some(decision) = self.claim.without_rule(self.rules, self.end) {
            return decision;
        }
        match self.claim.announced {
            Announcement::Nothing => self.on_board(),
            Announcement::Legal(mv) => self.announced(mv),
            Announcement::Played(ply) => self.played(ply),
            Announcement::Illegal => self.not_playable(Ground::IllegalMove),
            Announcement::Unclear => self.not_playable(Ground::UnclearMove),
        }
    }

    /// The announced move cannot be played or understood.
    fn not_playable(&self, ground: Ground) -> Decision {
        let reason = ClaimReason::Announcement;
        if self.claim.is_wrong_side(self.rules) {
            self.decision(Ground::WrongSide, reason, self.rule.article)
        } else if self.held_on_board() > Held::No {
            self.board_instead()
        } else {
            self.decision(ground, reason, self.rule.announced)
        }
    }

    /// The announced move has been played as a ply.
    fn played(&self, ply: u32) -> Decision {
        let held = self.claim.facts.held(self.key, self.end, ply);
        let lost = self.rules.claims.lost_by_moving;
        let article = lost.or(self.rule.announced).or(self.rule.article);
        Decision {
            occurrences: self.occurrences(ply, None),
            unseen: self.unseen(held),
            ..self.decision(
                Ground::TooLate,
                ClaimReason::AlreadyPlayed { ply, held },
                article,
            )
        }
    }

    /// A legal move is announced.
    fn announced(&self, mv: Move) -> Decision {
        let (would_hold, on_board) = (self.held_after(mv), self.held_on_board());
        if on_board == Held::Yes && !self.is_repetition() {
            return self.on_board();
        }
        let is_automatic = self.rule.standing == Standing::Automatic;
        let may_be_announced = self.rule.announced.is_some() && !is_automatic;
        let depends_on_board = on_board == Held::Unknown && !may_be_announced;
        if (on_board > would_hold || depends_on_board) && !self.claim.is_wrong_side(self.rules) {
            return self.board_instead();
        }
        // A move is announced by the player to move, even where either side may claim.
        let ground = if self.claim.by != self.claim.facts.last().turn() {
            Ground::WrongSide
        } else if would_hold == Held::No {
            Ground::DoesNotHold
        } else if is_automatic {
            Ground::NotYet
        } else if self.rule.announced.is_none() {
            Ground::NoForm
        } else if would_hold == Held::Unknown {
            Ground::Unknown
        } else {
            Ground::Holds
        };
        let rule = self.rule;
        let counted = rule.announced.filter(|_| !mv.is_zeroing());
        let article = match ground {
            Ground::DoesNotHold => self.article_if_wrong(counted),
            _ => rule.announced.or(rule.on_board).or(rule.article),
        };
        Decision {
            occurrences: self.occurrences(self.claim.facts.plies(), Some(mv)),
            unseen: self.unseen(would_hold),
            ..self.decision(ground, ClaimReason::AnnouncedMove, article)
        }
    }

    fn board_instead(&self) -> Decision {
        Decision {
            board_instead: true,
            ..self.on_board()
        }
    }

    /// Decides a claim on the position as it stands.
    fn on_board(&self) -> Decision {
        let (facts, rules, rule) = (self.claim.facts, self.rules, self.rule);
        let (on_claim, form) = (rule.standing == Standing::OnClaim, rule.on_board);
        let held_at = |ply| facts.held(self.key, self.end, ply);
        let held = held_at(facts.plies());
        let holds = held == Held::Yes;
        let turn = (!rules.claims.either_side).then_some(self.claim.by);
        let may_be_missed = form.filter(|_| on_claim);
        let missed = may_be_missed.and_then(|_| facts.last_held(self.key, self.end, turn));
        let reaches_back = rules.claims.reaches_back && self.end == End::Threefold;
        let before = facts.plies().checked_sub(1).filter(|_| reaches_back);
        let held_before = before.map_or(Held::No, held_at);
        let board = |could_announce| ClaimReason::Board { could_announce };
        let mut shown = facts.plies();
        let (ground, reason, article) = if on_claim && self.claim.is_wrong_side(rules) {
            if holds && self.is_repetition() && facts.plies() > 0 {
                // The claimant's own move produced the position, so the right is lost.
                let article = rules.claims.lost_by_moving.or(rule.announced);
                (Ground::TooLate, ClaimReason::OwnMove, article)
            } else {
                let form = form.filter(|_| !self.is_repetition());
                let article = form.or(rule.article);
                (Ground::WrongSide, ClaimReason::WrongSide { holds }, article)
            }
        } else if self.claim.declarable(rules).has(self.end) {
            (Ground::Undefined, ClaimReason::ByDirector, rule.article)
        } else if holds && !on_claim {
            (Ground::DoesNotHold, ClaimReason::Apart, rule.article)
        } else if (holds || held == Held::Unknown && on_claim) && form.is_none() {
            let ground = if rule.is_open {
                Ground::Undefined
            } else {
                Ground::NoForm
            };
            (ground, board(None), None)
        } else if holds {
            (Ground::Holds, board(None), form)
        } else if let Some(ply) = missed.filter(|&ply| before == Some(ply)) {
            shown = ply;
            (Ground::Holds, ClaimReason::Before { ply }, form)
        } else if held.max(held_before) == Held::Unknown {
            (
                Ground::Unknown,
                board(self.announceable()),
                form.or(rule.article),
            )
        } else if let Some(ply) = missed {
            let could_announce = self.announceable();
            let reason = ClaimReason::Missed {
                ply,
                could_announce,
            };
            // Fifty moves are no longer there if the count has begun anew.
            let by_moving = rules.claims.lost_by_moving.or(form);
            let article = by_moving.filter(|_| self.is_repetition());
            (Ground::TooLate, reason, article.or(rule.article))
        } else {
            let article = self.article_if_wrong(form);
            (Ground::DoesNotHold, board(self.announceable()), article)
        };
        Decision {
            occurrences: self.occurrences(shown, None),
            unseen: self.unseen(held.max(held_before)),
            ..self.decision(ground, reason, article)
        }
    }

    fn decision(&self, ground: Ground, reason: ClaimReason, article: Option<Article>) -> Decision {
        let article = self.rules.cite(article);
        self.claim.decision(self.rules, ground, reason, article)
    }

    fn is_repetition(&self) -> bool {
        self.end.occurrences().is_some()
    }

    /// Whether the draw stands on the board, if that matters.
    fn held_on_board(&self) -> Held {
        if self.rule.on_board.is_none() && self.rule.standing != Standing::Automatic {
            return Held::No;
        }
        let facts = self.claim.facts;
        facts.held(self.key, self.end, facts.plies())
    }

    /// Whether the draw would hold after a move.
    fn held_after(&self, mv: Move) -> Held {
        let last = self.claim.facts.last();
        match (self.end.condition(), self.claim.facts.history(self.key)) {
            (Condition::Halfmoves(limit), _) => {
                let counts = !mv.is_zeroing();
                let is_last = last.halfmoves().saturating_add(1) >= limit;
                Held::new(counts && is_last, counts && !last.knows_halfmoves())
            }
            (Condition::Occurrences(limit), Some(history)) => Held::new(
                history.count_after(last, mv) >= limit,
                history.most_after(last, mv) >= limit,
            ),
            _ => Held::No,
        }
    }

    /// A move after which it would hold, if that can be claimed.
    fn announceable(&self) -> Option<Move> {
        self.rule.announced?;
        if self.rule.standing != Standing::OnClaim {
            return None;
        }
        let last = self.claim.facts.last();
        match self.end.condition() {
            Condition::Halfmoves(limit) => {
                let is_last = last.halfmoves() + 1 >= limit;
                is_last.then(|| quiet_move(last)).flatten()
            }
            _ => {
                let moves = self.claim.facts.history(self.key)?.third_time_moves(last);
                moves.first().copied()
            }
        }
    }

    /// The plies that a decision lists: of the position after a ply, or after an announced move.
    fn occurrences(&self, ply: u32, announced: Option<Move>) -> Vec<u32> {
        match (announced, self.claim.facts.history(self.key)) {
            _ if !self.is_repetition() => Vec::new(),
            (Some(mv), Some(history)) => history.occurrences_after(self.claim.facts.last(), mv),
            _ => self.claim.facts.record.occurrences(self.key, ply),
        }
    }

    /// The article on a claim in a form that does not hold: on the number of occurrences, or on
    /// the moves.
    fn article_if_wrong(&self, form: Option<Article>) -> Option<Article> {
        form.filter(|_| !self.is_repetition()).or(self.rule.article)
    }

    /// The unseen plies, if the draw depends on them.
    fn unseen(&self, held: Held) -> Option<Unseen> {
        let start = &self.claim.facts.record.start;
        Unseen::before(start).filter(|_| held == Held::Unknown)
    }
}
