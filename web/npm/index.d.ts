/** Text in PGN; as bytes also in Latin-1, Windows-1252 or UTF-16. */
export type Text = string | Uint8Array;

export type Severity = 'error' | 'warning' | 'note';
export type Side = 'white' | 'black';

/** One fault of a game, as `arbiter validate --format jsonl` writes it. */
export interface Finding {
  /** Such as `E201`. */
  code: string;
  /** Name of the code, such as `illegal-move`. */
  name: string;
  severity: Severity;
  message: string;
  help: string | null;
  /** Name of the text. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** From 0, into the text in UTF-8. */
  byte_start: number;
  byte_end: number;
  /** Number of the game, from 1. */
  game: number;
  /** Number of the ply, from 1. */
  ply: number | null;
  /** Such as `12...Nf6`. */
  move: string | null;
  /** Position before the move. */
  fen: string | null;
  /** The text concerned, at most 4 KiB. */
  text: string;
  /** Why a move is illegal or ambiguous, in a word such as `king-into-check`. */
  reason: string | null;
  /** Repair, if there is one. */
  fix: Fix | null;
}

export interface Fix {
  /** Whether nothing is lost; otherwise it is a suggestion. */
  safe: boolean;
  edits: Edit[];
}

export interface Edit {
  byte_start: number;
  byte_end: number;
  text: string;
}

export interface CheckOptions {
  /** Name of the text in findings and errors; by `.fen` or `.epd` it is a list of positions. */
  name?: string;
  /** Whether deviations from the export format of the PGN standard are warnings. */
  strict?: boolean;
}

export type ClaimKind =
  | 'threefold' | 'fivefold' | 'fifty' | 'seventyfive' | 'insufficient' | 'dead' | 'stalemate'
  | 'flag' | 'illegal' | 'resignation' | 'quickplay';

export interface ClaimOptions {
  claim: ClaimKind;
  /** Side that claims or resigns; by default the side to move, for `illegal` the other. */
  by?: Side;
  /** Side whose flag fell. */
  fallen?: Side | 'both';
  /** Move that is announced and not yet played, such as `35. Qc4+`. */
  move?: string;
  /** Moment of the claim: `22w`, `22b`, `22.Qe2`, `22...Kg7` or `end`, the default. */
  at?: string;
  /** Rule set, such as `fide`, `uscf` or `lichess`; by default the one that the tags show. */
  rules?: string;
  /** Number of the game, from 1; not needed if there is only one. */
  game?: number;
  /** Position, instead of a game. */
  fen?: string;
}

/** Ruling on a claim, as `arbiter adjudicate --claim --format jsonl` writes it. */
export interface Ruling {
  claim: ClaimKind;
  /** Claimant, or side that resigns; null with a flag. */
  by: Side | null;
  /** Rule set that was asked for. */
  rules: string;
  /** Null if nothing was proven. */
  upheld: boolean | null;
  /** Ground of the decision in a word, such as `holds` or `wrong-side`. */
  ground: string;
  reason: string;
  /** Article that decides. */
  article: string;
  /** Announced move in standard notation. */
  move: string | null;
  /** Plies after which the position stood or would stand on the board. */
  occurrences: number[];
  /** Mate that is still possible, in UCI notation. */
  line: string[] | null;
  /** Result after the ruling; `*` if the game goes on. */
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  details: string[];
  /** Consequences. */
  follows: string[];
  /** Rule sets that would decide otherwise. */
  otherwise: string[];
  /** Rule set that was applied, such as `fide-2018`. */
  rules_applied: string;
  /** Why this one. */
  note: string | null;
  /** Side whose time was up. */
  fallen: Side | 'both' | null;
  /** Plies played at the moment of the claim. */
  ply: number;
  /** Such as `after 11...Bb7`. */
  moment: string;
  white: string | null;
  black: string | null;
  event: string | null;
  round: string | null;
  date: string | null;
  /** Position at that moment. */
  fen: string;
  /** The ruling as a page to print and sign. */
  html: string;
  /** The ruling as text that can be read out. */
  text: string;
}

/** A game of a text; null for a tag that is missing or unknown. */
export interface GameInfo {
  /** From 1. Texts between games that cannot be read are counted, but not listed. */
  number: number;
  white: string | null;
  black: string | null;
  event: string | null;
  site: string | null;
  date: string | null;
  round: string | null;
  /** Recorded result. */
  result: string | null;
  /** Moves of the main line, legal or not. */
  plies: number;
  /** From 0, into the text in UTF-8. */
  byte_start: number;
  byte_end: number;
}

/** Position of a game. The start position has no move. */
export interface Position {
  /** 0 is the start position. */
  ply: number;
  /** Move with its number, such as `12... Nf6`. */
  move?: string;
  san?: string;
  /** Number of the move. */
  number?: number;
  side?: Side;
  /** Position after the move. */
  fen: string;
}

export interface PositionsOptions {
  /** Number of the game, from 1, which is the default. */
  game?: number;
}

/** Finds the faults of all games. Rejects a text without games. */
export function check(text: Text, options?: CheckOptions): Promise<Finding[]>;

/** Decides a claim in a game, or without a text in the position `fen`. */
export function claim(text: Text | null | undefined, options: ClaimOptions): Promise<Ruling>;

/** Lists the readable games, at most the first 10,000. */
export function games(text: Text): Promise<GameInfo[]>;

/** Lists the positions of the main line of a game, as far as it can be played. */
export function positions(text: Text, options?: PositionsOptions): Promise<Position[]>;
