//! Naive second implementation of the Laws of Chess: a mailbox board, no bitboards, no tables, no
//! state but the fields of a FEN. It is slow, and serves only for comparison.

use arbiter::chess::{Color, Move, MoveKind, Piece, Role, Square};

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const KNIGHT: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// File and rank, each 0 to 7.
pub type At = (i32, i32);

#[derive(Clone)]
pub struct Mailbox {
    pieces: [[Option<Piece>; 8]; 8],
    turn: Color,
    /// Squares of the rooks that may castle.
    castling: Vec<At>,
    /// En passant target of the last double step.
    passed: Option<At>,
    halfmoves: u32,
    fullmoves: u32,
}

pub fn square((file, rank): At) -> Square {
    assert!(on_board((file, rank)));
    Square::new((8 * rank + file) as usize)
}

fn at(square: Square) -> At {
    (square.file().index() as i32, square.rank().index() as i32)
}

fn on_board((file, rank): At) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

fn forward(color: Color) -> i32 {
    if color == Color::White { 1 } else { -1 }
}

fn back_rank(color: Color) -> i32 {
    if color == Color::White { 0 } else { 7 }
}

fn every_square() -> impl Iterator<Item = At> {
    (0..64).map(|index| (index % 8, index / 8))
}

impl Mailbox {
    /// Reads a FEN with all six fields and file letters as castling rights.
    pub fn read(shredder_fen: &str) -> Mailbox {
        let fields: Vec<&str> = shredder_fen.split(' ').collect();
        let mut pieces = [[None; 8]; 8];
        for (row, rank) in fields[0].split('/').zip((0..8).rev()) {
            let mut file = 0;
            for letter in row.bytes() {
                match letter {
                    b'1'..=b'8' => file += usize::from(letter - b'0'),
                    _ => {
                        pieces[file][rank] = Piece::from_letter(letter);
                        file += 1;
                    }
                }
            }
        }
        let castling = fields[2].chars().filter(|&letter| letter != '-');
        Mailbox {
            pieces,
            turn: if fields[1] == "w" {
                Color::White
            } else {
                Color::Black
            },
            castling: castling
                .map(|letter| {
                    let rank = if letter.is_ascii_uppercase() { 0 } else { 7 };
                    (letter.to_ascii_lowercase() as i32 - 'a' as i32, rank)
                })
                .collect(),
            passed: fields[3].parse().ok().map(at),
            halfmoves: fields[4].parse().unwrap(),
            fullmoves: fields[5].parse().unwrap(),
        }
    }

    /// The same position with another en passant target, set even if no capture is legal.
    pub fn with_passed(mut self, passed: Option<Square>) -> Mailbox {
        self.passed = passed.map(at);
        self
    }

    fn piece(&self, (file, rank): At) -> Option<Piece> {
        self.pieces[file as usize][rank as usize]
    }

    fn put(&mut self, (file, rank): At, piece: Option<Piece>) {
        self.pieces[file as usize][rank as usize] = piece;
    }

    fn holds(&self, at: At, color: Color, role: Role) -> bool {
        self.piece(at) == Some(Piece { color, role })
    }

    fn king(&self, color: Color) -> At {
        every_square()
            .find(|&at| self.holds(at, color, Role::King))
            .expect("each side has a king")
    }

    /// Squares along a direction, up to and including the first piece.
    fn walk(&self, from: At, (files, ranks): (i32, i32)) -> Vec<At> {
        let mut seen = Vec::new();
        let mut at = (from.0 + files, from.1 + ranks);
        while on_board(at) {
            seen.push(at);
            if self.piece(at).is_some() {
                break;
            }
            at = (at.0 + files, at.1 + ranks);
        }
        seen
    }

    fn step(&self, from: At, steps: &[(i32, i32)]) -> Vec<At> {
        let steps = steps.iter().map(|step| (from.0 + step.0, from.1 + step.1));
        steps.filter(|&at| on_board(at)).collect()
    }

    /// Squares attacked by the piece on a square (FIDE Laws 3.1 to 3.8), occupied or not.
    fn attacks(&self, from: At) -> Vec<At> {
        let Some(piece) = self.piece(from) else {
            return Vec::new();
        };
        let walks = |directions: &[(i32, i32)]| {
            let walks = directions
                .iter()
                .map(|&direction| self.walk(from, direction));
            walks.flatten().collect()
        };
        match piece.role {
            Role::Pawn => {
                let forward = forward(piece.color);
                self.step(from, &[(-1, forward), (1, forward)])
            }
            Role::Knight => self.step(from, &KNIGHT),
            Role::Bishop => walks(&DIAGONAL),
            Role::Rook => walks(&STRAIGHT),
            Role::Queen => walks(&[STRAIGHT, DIAGONAL].concat()),
            Role::King => self.step(from, &[STRAIGHT, DIAGONAL].concat()),
        }
    }

    /// Pieces of a colour that attack a square, from a1 to h8.
    fn attackers(&self, target: At, by: Color) -> Vec<At> {
        every_square()
            .filter(|&from| self.piece(from).is_some_and(|piece| piece.color == by))
            .filter(|&from| self.attacks(from).contains(&target))
            .collect()
    }

    /// Pieces that give check to a side, whether or not it is to move.
    pub fn checkers(&self, color: Color) -> Vec<At> {
        self.attackers(self.king(color), !color)
    }

    /// Whether the kings stand side by side.
    pub fn are_kings_adjacent(&self) -> bool {
        self.attacks(self.king(Color::White))
            .contains(&self.king(Color::Black))
    }

    /// Whether a piece of the side to move is pinned to its king.
    pub fn is_pinned(&self, at: At) -> bool {
        let before = self.checkers(self.turn);
        let mut without = self.clone();
        without.put(at, None);
        let after = without.checkers(self.turn);
        after.iter().any(|checker| !before.contains(checker))
    }

    /// Pseudo-legal moves, including those that leave the king in check. Castling only if legal.
    pub fn moves_of_pieces(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in every_square() {
            match self.piece(from) {
                Some(piece) if piece.color == self.turn => {
                    if piece.role == Role::Pawn {
                        self.pawn_moves(from, &mut moves);
                    } else {
                        for to in self.attacks(from) {
                            self.add(piece.role, from, to, &mut moves);
                        }
                    }
                }
                _ => {}
            }
        }
        for &rook in &self.castling {
            if rook.1 == back_rank(self.turn) && self.can_castle(rook) {
                moves.push(Move {
                    role: Role::King,
                    from: square(self.king(self.turn)),
                    to: square(rook),
                    captured: None,
                    kind: MoveKind::Castle,
                });
            }
        }
        moves
    }

    /// Adds the moves to a square unless an own piece holds it; four moves for a promotion.
    fn add(&self, role: Role, from: At, to: At, moves: &mut Vec<Move>) {
        let there = self.piece(to);
        if there.is_some_and(|piece| piece.color == self.turn) {
            return;
        }
        let kinds: &[MoveKind] = if role == Role::Pawn && to.1 == back_rank(!self.turn) {
            &Role::PROMOTIONS.map(MoveKind::Promotion)
        } else {
            &[MoveKind::Normal]
        };
        moves.extend(kinds.iter().map(|&kind| Move {
            role,
            from: square(from),
            to: square(to),
            captured: there.map(|piece| piece.role),
            kind,
        }));
    }

    fn pawn_moves(&self, from: At, moves: &mut Vec<Move>) {
        let forward = forward(self.turn);
        let one = (from.0, from.1 + forward);
        if self.piece(one).is_none() {
            self.add(Role::Pawn, from, one, moves);
            let two = (from.0, from.1 + 2 * forward);
            if from.1 == back_rank(self.turn) + forward && self.piece(two).is_none() {
                self.add(Role::Pawn, from, two, moves);
            }
        }
        for to in self.attacks(from) {
            if self.piece(to).is_some() {
                self.add(Role::Pawn, from, to, moves);
            } else if self.passed == Some(to) && self.holds((to.0, from.1), !self.turn, Role::Pawn)
            {
                moves.push(Move {
                    role: Role::Pawn,
                    from: square(from),
                    to: square(to),
                    captured: Some(Role::Pawn),
                    kind: MoveKind::EnPassant,
                });
            }
        }
    }

    /// Whether castling with this rook is possible now (FIDE Laws 3.8.2.2, guideline II.3 for
    /// Chess960).
    fn can_castle(&self, rook: At) -> bool {
        let us = self.turn;
        let king = self.king(us);
        let (king_to, rook_to) = castled(king, rook);
        let files = |a: At, b: At| a.0.min(b.0)..=a.0.max(b.0);
        let free = files(king, king_to)
            .chain(files(rook, rook_to))
            .map(|file| (file, king.1))
            .all(|at| at == king || at == rook || self.piece(at).is_none());
        let walks_unattacked = files(king, king_to)
            .filter(|&file| file != king_to.0)
            .map(|file| (file, king.1))
            .all(|at| {
                let mut walking = self.clone();
                walking.put(king, None);
                walking.attackers(at, !us).is_empty()
            });
        let arrives_unattacked = || {
            let mut arrived = self.clone();
            arrived.castle(king, rook);
            arrived.checkers(us).is_empty()
        };
        free && self.checkers(us).is_empty() && walks_unattacked && arrives_unattacked()
    }

    fn castle(&mut self, king: At, rook: At) {
        let (king_to, rook_to) = castled(king, rook);
        let color = self.turn;
        self.put(king, None);
        self.put(rook, None);
        self.put(
            king_to,
            Some(Piece {
                color,
                role: Role::King,
            }),
        );
        self.put(
            rook_to,
            Some(Piece {
                color,
                role: Role::Rook,
            }),
        );
    }

    /// Position after a pseudo-legal move.
    pub fn after(&self, mv: Move) -> Mailbox {
        let mut next = self.clone();
        let us = self.turn;
        let (from, to) = (at(mv.from), at(mv.to));
        match mv.kind {
            MoveKind::Castle => next.castle(from, to),
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_) => {
                let role = mv.promotion().unwrap_or(mv.role);
                next.put(from, None);
                next.put(to, Some(Piece { color: us, role }));
                if mv.kind == MoveKind::EnPassant {
                    next.put((to.0, from.1), None);
                }
            }
        }
        next.castling.retain(|&rook| {
            let king_moved = mv.role == Role::King && rook.1 == back_rank(us);
            !king_moved && rook != from && rook != to
        });
        let double_step = mv.role == Role::Pawn && (to.1 - from.1).abs() == 2;
        next.passed = double_step.then_some((from.0, i32::midpoint(from.1, to.1)));
        next.halfmoves = if mv.role == Role::Pawn || mv.captured.is_some() {
            0
        } else {
            self.halfmoves + 1
        };
        next.fullmoves += u32::from(us == Color::Black);
        next.turn = !us;
        next
    }

    /// Whether a pseudo-legal move leaves the king safe (FIDE Laws 3.9).
    pub fn is_legal(&self, mv: Move) -> bool {
        self.after(mv).checkers(self.turn).is_empty()
    }

    /// Position identity by FIDE Laws (2023) art. 9.2.3: the first four FEN fields, with file
    /// letters as castling rights.
    pub fn identity(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..=8 {
                let piece = (file < 8).then(|| self.piece((file, rank))).flatten();
                if (piece.is_some() || file == 8) && empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                match piece {
                    Some(piece) => text.push(piece.letter()),
                    None => empty += 1,
                }
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(self.turn.letter());
        text.push(' ');
        let mut castling = self.castling.clone();
        castling.sort_by_key(|&(file, rank)| (rank, -file));
        for &(file, rank) in &castling {
            let letter = char::from(b'a' + file as u8);
            text.push(if rank == 0 {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
        }
        text.push_str(if castling.is_empty() { "- " } else { " " });
        let capture = self
            .moves_of_pieces()
            .into_iter()
            .find(|&mv| mv.kind == MoveKind::EnPassant && self.is_legal(mv));
        text + &capture.map_or("-".to_owned(), |mv| mv.to.to_string())
    }

    /// The complete FEN.
    pub fn fen(&self) -> String {
        format!("{} {} {}", self.identity(), self.halfmoves, self.fullmoves)
    }
}

/// Destinations of king and rook.
fn castled(king: At, rook: At) -> (At, At) {
    if rook.0 > king.0 {
        ((6, king.1), (5, king.1))
    } else {
        ((2, king.1), (3, king.1))
    }
}
