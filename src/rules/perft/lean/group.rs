//! What is known within a unit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::visit::Simple;
use super::{Men, Node};
use crate::rules::bitboard::Bitboard;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Config {
    men: Men,
    castling: Bitboard,
}

#[derive(Default)]
struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, _: &[u8]) {
        unreachable!()
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb_u128;
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * (0x94d0_49bb_1331_11eb + (product >> 127));
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

const CODES: usize = 256;
const CONFIGS: usize = 1 << 16;
const ROWS: usize = 64;

impl Config {
    fn new(men: &Men, castling: Bitboard) -> Config {
        Config { men: *men, castling: castling & men.straight }
    }
}

/// Numbers for moves, from 1.
struct Codes<const MOST: usize> {
    of: Box<[u8; Simple::INDICES]>,
    used: usize,
    codes: Vec<u16>,
}

impl<const MOST: usize> Codes<MOST> {
    fn new() -> Self {
        Codes { of: Box::new([0; _]), used: 0, codes: vec![] }
    }
    fn clear(&mut self) {
        for code in self.codes.drain(..) {
            self.of[code as usize] = 0;
        }
        self.used = 0;
    }
    #[inline]
    fn number(&mut self, simple: Simple) -> u8 {
        let number = self.of[simple.index()];
        if number == 0 && simple != Simple::NOT && self.used < MOST - 1 {
            self.used += 1;
            self.codes.push(simple.index() as u16);
            self.of[simple.index()] = self.used as u8;
            return self.used as u8;
        }
        number
    }
}

pub(super) struct Unit {
    ids: HashMap<Config, u16, BuildHasherDefault<Folding>>,
    /// For each configuration, where its edges are
    spot_of: Vec<u16>,
    edges: Vec<[u16; CODES]>,
    codes: Codes<CODES>,
    rows: Codes<ROWS>,
    lines: Vec<[u8; ROWS]>,
    epoch: u8,
    base: Option<Config>,
    three: u16,
}

impl Unit {
    pub(super) fn new() -> Unit {
        Unit { ids: HashMap::default(), spot_of: vec![0], edges: vec![[0; CODES]], codes: Codes::new(), rows: Codes::new(), lines: vec![[0; ROWS]], epoch: 0, base: None, three: 0 }
    }

    pub(super) fn begin(&mut self) {
        if std::env::var("STAT").is_ok() { eprintln!("movers {} edges {} codes {}", self.spot_of.len(), self.edges.len(), self.codes.used); }
        self.ids.clear();
        self.spot_of.truncate(1);
        self.edges.truncate(1);
        self.lines.truncate(1);
        self.codes.clear();
        self.base = None;
    }

    fn intern(&mut self, config: Config) -> u16 {
        if let Some(&id) = self.ids.get(&config) {
            return id;
        }
        if self.spot_of.len() == CONFIGS {
            return 0;
        }
        let id = self.spot_of.len() as u16;
        self.ids.insert(config, id);
        self.spot_of.push(0);
        self.lines.push([0; ROWS]);
        id
    }

    fn spot(&mut self, config: Config) -> u16 {
        let id = self.intern(config);
        if id == 0 { return 0; }
        let spot = &mut self.spot_of[id as usize];
        if *spot == 0 {
            *spot = self.edges.len() as u16;
            self.edges.push([0; CODES]);
        }
        *spot
    }

    /// depth 4
    pub(super) fn four(&mut self, node: &Node) {
        let base = Config::new(&node.them, node.castling);
        if self.base != Some(base) {
            if self.spot_of.len() == CONFIGS { self.begin(); }
            self.base = Some(base);
            self.rows.clear();
            self.epoch = self.epoch.wrapping_add(1);
            if self.epoch == 0 {
                self.lines.fill([0; ROWS]);
                self.epoch = 1;
            }
        }
    }

    /// depth 3
    pub(super) fn three(&mut self, node: &Node) {
        self.three = 0;
        if self.base == Some(Config::new(&node.us, node.castling)) {
            self.three = self.spot(Config::new(&node.them, node.castling));
        }
    }

    /// depth 2
    pub(super) fn leaves(&mut self, node: &Node, simple: Simple) -> Option<Leaves<'_>> {
        if self.three == 0 || simple == Simple::NOT { return None; }
        let row = self.rows.number(simple);
        let mut spot = self.three;
        if simple.is_capture() {
            spot = self.spot(Config::new(&node.us, node.castling));
        }
        if row == 0 || spot == 0 { return None; }
        Some(Leaves { unit: self, spot, row })
    }
}

pub(super) struct Leaves<'u> {
    unit: &'u mut Unit,
    spot: u16,
    row: u8,
}

impl Leaves<'_> {
    #[inline(always)]
    pub(super) fn known(&self, simple: Simple) -> (u16, u8) {
        let edge = self.unit.edges[self.spot as usize][self.unit.codes.of[simple.index()] as usize];
        let line = &self.unit.lines[edge as usize];
        (edge, if line[0] == self.unit.epoch { line[self.row as usize % ROWS] } else { 0 })
    }

    #[inline(always)]
    pub(super) fn learn(&mut self, edge: u16, simple: Simple, child: &Node, nodes: u64) {
        let mut edge = edge;
        if edge == 0 {
            if simple == Simple::NOT || simple.is_capture() { return; }
            edge = self.learn_edge(simple, child);
            if edge == 0 { return; }
        }
        let line = &mut self.unit.lines[edge as usize];
        if line[0] != self.unit.epoch {
            line.fill(0);
            line[0] = self.unit.epoch;
        }
        line[self.row as usize % ROWS] = nodes as u8 + 1;
    }

    #[cold]
    fn learn_edge(&mut self, simple: Simple, child: &Node) -> u16 {
        if self.unit.spot_of.len() == CONFIGS { return 0; }
        let code = self.unit.codes.number(simple);
        if code == 0 { return 0; }
        let id = self.unit.intern(Config::new(&child.them, child.castling));
        self.unit.edges[self.spot as usize][code as usize] = id;
        id
    }
}
