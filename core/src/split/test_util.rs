//! Sample texts and random numbers for tests.

/// Texts that a careless splitter cuts in the wrong place.
pub(crate) const TRICKY: &[&str] = &[
    // No game.
    "",
    "\n",
    " \t\r\n\r\n",
    "\u{feff}",
    "\u{feff}\r\n\n",
    "% only an escaped line",
    "% one\n  % two\n\n",
    // One game.
    "1. e4",
    "*",
    "\u{feff}*",
    "\u{feff}\n[A \"b\"]\n\n1. e4 *\n",
    "[A \"b\"]",
    "[A \"b\"]\n",
    "[A \"b\"]1. e4 *",
    "1. e4 1-0\n\n\n\n\n  \n",
    "\n\n\n[A \"b\"]\n\n\n\n1. e4\n\n\n\n",
    "[A \"b\"]\n\n[C \"d\"]\n\n1. e4 *\n",
    "[A \"b\"]\n% escaped [X \"y\"]\n[C \"d\"]\n  % also\n\n1. e4 *\n",
    "[A \"b\"] [C \"d\"][E \"f\"]1. e4 *\n",
    "[A \"b\"]]]\n]\n1. e4",
    "[A \"b \\\" ] c\"]\n1. e4 *\n",
    "[A \"b\\\\\"]\n\n1. e4 *\n",
    "[A \"b\\\n[C \"d\"]\n\n1. e4 *\n",
    "[A \"never closed\n[C \"d\"]\n\n1. e4 *\n",
    "[A never opened\n[C \"d\"]\n\n1. e4 *\n",
    "[A]\n[C \"d\"]\n\n1. e4 *\n",
    "[A\n% not an escape, but a move {\n[C \"d\"]}\n\n1. e4 *\n",
    "[A \"b\"\n% an escape {\n[C \"d\"]\n\n1. e4 *\n",
    // Boundaries between games.
    "1. e4 *\n\n1. d4 *\n",
    "1. e4 *\r\n\r\n1. d4 *\r\n\r\n",
    "[A \"b\"]\n1. e4 *\n[A \"c\"]\n1. d4 *\n[A \"d\"]\n",
    "[A \"b\"]\r\n1. e4 *\r\n[A \"c\"]\r\n1. d4 *\r\n",
    "[A \"b\"] junk\n[C \"d\"]\n\n1. e4 *\n",
    "[A \"b\"junk\n[C \"d\"]\n\n1. e4 *\n",
    "1. e4 e5\n2. Nf3 Nc6 *\n\n\n\n[A \"b\"]\n\n*\n",
    "1. e4 *\n \n1. d4 *\n",
    "1. e4 *\n\t\n[A \"b\"]\n*",
    "1. e4 *\n [A \"b\"]\n*",
    "1. e4 *\n\r[A \"b\"]\n*",
    "1. e4 *\n\r\r\n[A \"b\"]\n*",
    "1. e4 *\n\r\n\r\n[A \"b\"]\n*",
    "1. e4 *\n\n\u{feff}[A \"b\"]\n[C \"d\"]\n\n1. d4 *\n",
    "1. e4 *\n\n% escaped\n\n1. d4 *\n\n% escaped at the end",
    "1. e4 *\r\r\r1. d4 *\r",
    ";\n%\n\nX",
    // Several games on a line, and games in several parts.
    "1. e4 1-0[Event \"x\"]\n\n1. d4 *\n",
    "1. e4 1-0 {a} [A \"b\"]\n\n1. d4 * \t[C \"d\"] *\n",
    "1. e4 1-0\r[A \"b\"]\r\n\r\n1. d4 [Event \"x\"] *\n   [Event \"y\"]\n",
    "1. e4 { 1-0 [Event \"x\"] } ; * [Event \"x\"]\n *[%A \"b\"]\n",
    "1. e4 1-0\n1. d4 {*} *\n 1. c4 *\n1... c5 1-0 {x}\n1. f4",
    "[A \"b\"]\n\n{a}\n\n1. e4\n\ne5 2. Nf3\n\n2... Nc6\n\n*\n\n{b}\n\n1. d4\n\n1. c4 *\n",
    "[A \"b\"]\n[C \"d\"]\n\n[A \"c\"]\n[C \"d\n[Event \"e\"]\n[Event f\n [Event \"g\"]\n\n [Event \"h\"]\n",
    "{a}\n\n;b\n\n[A \"b\"]\n\nno moves\n\nat all\n\n1. e4 *\n",
    "1. e4 (1. d4\n\nd5) e5 *\n\nso much for\n\nthat\n\n[A \"b\"]\n",
    // Comments.
    "1. e4 {} e5 {a}{b} *\n\n1. d4 {c} *\n",
    "1. e4 {\n\n[not a tag]\n\n} e5 *\n\n1. d4 *\n",
    "1. e4 {\n[A \"b\"]\n} e5 *\n\n1. d4 *\n",
    "1. e4 { ; } e5 ; { \n 2. Nf3 *\n\n1. d4 *\n",
    "1. e4 ; comment\n\n1. d4 ; comment\n[A \"b\"]\n*\n",
    "1. e4\n%{\n%;\n%\n2. d4 *\n\n1. d4 *\n",
    "1. e4 % not an escape { \n\n } e5 *\n\n1. d4 *\n",
    "1. e4 {%\n%\n} e5 *\n\n1. d4 *\n",
    "1. e4 (1. d4 {\n\n} d5 (1... Nf6\n2. c4)) *\n\n1. d4 *\n",
    "1. e4 (1. d4\n\n1. c4 *\n",
    "1. e4 } e5 } {a} *\n\n1. d4 *\n",
    "1. e4 {a}\n\n1. d4 *\n",
    "1. e4 $1{a} e5!{b}?? 0-1{c}\n\n1. d4 *\n",
    "{a} 1. e4 *\n\n{b} 1. d4 *\n",
    "[A \"b\"]\n{a}\n1. e4 *\n[A \"b\"]\n;c\n1. d4 *\n",
    // Unclosed comments.
    "1. e4 {",
    "1. e4 { open\n",
    "1. e4 *\n\n1. d4 { open\n\n",
    "1. e4 { open\n\n[A \"b\"]\n\n1. d4 *\n",
    "1. e4 { open\r\n\r\n[A \"b\"]\r\n\r\n1. d4 *\r\n",
    "1. e4 { open\n \t\r\n\n\n[A_1\t \"b\"]\n\n1. d4 { again\n\n[C \"d\"]\n\n*\n",
    "1. e4 { open\n\n[A \"b } \\\" c\"]\n\n1. d4 {x} *\n",
    "1. e4 { open\n\n[A \"b",
    "1. e4 { open\n\n[A ",
    "1. e4 { open\n\n[A",
    "1. e4 { open\n\n[",
    "1. e4 { closed\n\n[A\"b\"]\n\n[ \"b\"]\n\n[A b\"]\n\n [A \"b\"]\n\n[A-B \"c\"]\n} e5 *\n\n*",
    "1. e4 {\n\n[A}\n\n[A }\n\n[}\n\n",
    "1. e4 {\n\n[A \"b\"]\n\n1. d4 *\n",
    "{\n\n\n[A \"b\"]\n\n{\n\n\n[A \"b\"]\n",
];

/// Valid games, the base for [`spoiled`].
pub(crate) const PLAIN: &str = "[Event \"One\"]\n[Site \"?\"]\n\n1. e4 { [%clk 1:00] } e5 2. Nf3 (2. f4 exf4 {King's\nGambit}) \
     Nc6 ; Spanish?\n3. Bb5 a6 1/2-1/2\n\n[Event \"Two \\\"2\\\"\"]\n\n1. d4 d5\n% escaped\n2. c4 *\n\n\n[Event \"Three\"]\r\n\r\n1. c4 \
     {long\r\n\r\ncomment} 0-1\r\n\r\n[Event \"Four\"]\n1. g3 1-0\n[Event \"Five\"]\n\n*\n";

/// Deterministic pseudorandom number generator (xorshift).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Pieces of text that affect where a game ends.
const DECISIVE: &[&str] = &[
    "{",
    "}",
    ";",
    "%",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\u{feff}",
    "e4",
    "1-0",
    "*",
    "(",
    ")",
    "[A \"b\"]",
    "[Event \"",
    "\n\n[A \"",
    "\n1.",
    "\n%",
];

/// Random sequence of [`DECISIVE`] pieces.
pub(crate) fn noise(random: &mut Random) -> Vec<u8> {
    let length = random.below(24);
    (0..length)
        .flat_map(|_| random.pick(DECISIVE).bytes())
        .collect()
}

/// [`PLAIN`] with a few random deletions and insertions.
pub(crate) fn spoiled(random: &mut Random) -> Vec<u8> {
    let mut text = PLAIN.as_bytes().to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(text.len());
        if random.below(2) == 0 {
            let until = (at + 1 + random.below(3)).min(text.len());
            text.drain(at..until);
        } else {
            text.splice(at..at, random.pick(DECISIVE).bytes());
        }
    }
    text
}
