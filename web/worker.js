// Worker of the page: reads and judges games, so that the page itself never waits.
import init, {
  Check, Repair, Results, board, claim, claims, explain, games, positions, rules,
} from './chess_arbiter.js';

/** Findings of one code that are listed; the file to download has all of them. */
const LISTED_PER_CODE = 1000;
/** Text that is searched for games to choose from, in bytes: it is held as a whole. */
const SEARCHED_BYTES = 32 << 20;
/** Games of a text that the module lists. */
const MOST_GAMES = 10_000;
/** Text that is read at once, in bytes: 40 MB take 0.1 s instead of 0.7 s by 256 KiB. */
const READ_BYTES = 4 << 20;
/** Diff of one file that is shown, in characters. */
const SHOWN_DIFF = 200_000;
/** Size from which collected text goes into a blob, in characters. */
const COLLECTED = 1 << 20;

/** A claim that was rejected although the pieces stood alike for the third time. */
const EXAMPLE = `[Event "Interpolis"]
[Site "Tilburg NED"]
[Date "1986.11.04"]
[Round "13"]
[White "Karpov, Anatoly"]
[Black "Miles, Anthony"]
[Result "1/2-1/2"]

1. d4 Nf6 2. c4 c5 3. d5 b5 4. cxb5 a6 5. e3 Bb7 6. Nc3 Qa5 7. Bd2 axb5 8. Bxb5 Qb6
9. Qb3 e6 10. e4 Nxe4 11. Nxe4 Bxd5 12. Qd3 Qb7 13. f3 c4 14. Bxc4 Bxc4 15. Qxc4 d5
16. Qc2 dxe4 17. Qxe4 Qxe4+ 18. fxe4 Nd7 19. Ne2 Nc5 20. Nc3 Nd3+ 21. Ke2 Nxb2
22. Nb5 Ra4 23. Nc3 Ra8 24. Nb5 Ra4 25. Nc3 Ra8 1/2-1/2
`;

const AUTO = { name: 'auto', title: 'By the date and the site of the game' };

const reader = new FileReaderSync();
const bytes = (blob) => new Uint8Array(reader.readAsArrayBuffer(blob));
/** Reads parts of a blob in order. Each reading asks another process, so it fetches many parts. */
function readerOf(blob) {
  let [held, from] = [new Uint8Array(), 0];
  return (at, length) => {
    const end = Math.min(at + length, blob.size);
    if (at < from || end > from + held.length) {
      held = bytes(blob.slice(at, Math.max(end, at + READ_BYTES)));
      from = at;
    }
    return held.subarray(at - from, end - from);
  };
}

const SEVERITIES = ['error', 'warning', 'note'];
const words = (name) => name.replaceAll('-', ' ');
/** A sentence with a capital; a file name stays as it is. */
const title = (text) => (/^[a-z]+(\s|$)/.test(text) ? text[0].toUpperCase() + text.slice(1) : text);
const number = (count) => count.toLocaleString('en');
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;
const sideToMove = (fen) => `${fen.split(' ')[1] === 'b' ? 'Black' : 'White'} to move`;

// Files.

async function decompressed(name, blob, format) {
  try {
    return await new Response(blob.stream().pipeThrough(new DecompressionStream(format))).blob();
  } catch (error) {
    throw new Error(`${name}: the compressed data is damaged`, { cause: error });
  }
}

/** The PGN files of a zip archive, by its central directory (APPNOTE 4.3.12 and 4.3.16). */
async function unzip(archive, blob) {
  const unreadable = () => new Error(`${archive}: this zip archive cannot be read here`);
  const tail = new DataView(bytes(blob.slice(Math.max(0, blob.size - 65_557))).buffer);
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw unreadable();
  const start = tail.getUint32(at + 16, true);
  const view = new DataView(bytes(blob.slice(start, start + tail.getUint32(at + 12, true))).buffer);
  const members = [];
  for (at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50;) {
    const [encrypted, method] = [view.getUint16(at + 8, true) & 1, view.getUint16(at + 10, true)];
    const [size, offset] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, length));
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (!/\.pgn$/i.test(name)) continue;
    if (encrypted || (method !== 0 && method !== 8)) throw unreadable();
    const header = new DataView(bytes(blob.slice(offset, offset + 30)).buffer);
    const from = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
    const stored = blob.slice(from, from + size);
    const text = method === 8 ? await decompressed(archive, stored, 'deflate-raw') : stored;
    members.push({ name: `${archive}/${name}`, blob: text });
  }
  if (members.length === 0) throw new Error(`${archive}: the archive contains no .pgn file`);
  return members;
}

/** Files as sources: a name and the text, decompressed. */
async function open({ files }) {
  const sources = [];
  for (const { name, blob } of files) {
    const start = String.fromCharCode(...bytes(blob.slice(0, 4)));
    if (start.startsWith('\x1f\x8b')) {
      sources.push({ name, blob: await decompressed(name, blob, 'gzip') });
    } else if (start === 'PK\x03\x04') {
      sources.push(...await unzip(name, blob));
    } else if (/^(?:\x28\xb5\x2f\xfd|\xfd7zX|BZh)/.test(start)) {
      throw new Error(`${name}: only .gz and .zip can be decompressed here`);
    } else {
      sources.push({ name, blob });
    }
  }
  const size = sources.reduce((sum, { blob }) => sum + blob.size, 0);
  const names = sources.length > 3 ? plural(sources.length, 'file')
    : sources.map(({ name }) => name).join(', ');
  return { opened: sources, said: `In use: ${names} (${number(Math.ceil(size / 1000))} kB)` };
}

/** Collects text in a blob, which the browser may keep on disk. */
class Collected {
  #blob = new Blob();
  #waiting = [];
  #length = 0;

  add(text) {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length > COLLECTED) this.blob();
  }

  blob() {
    this.#blob = new Blob([this.#blob, ...this.#waiting]);
    this.#waiting = [];
    this.#length = 0;
    return this.#blob;
  }
}

/** Lets waiting requests in, such as a board while a large file is checked. */
const { port1, port2 } = new MessageChannel();
const breathe = () => new Promise((resolve) => {
  port1.onmessage = resolve;
  port2.postMessage(0);
});

/** Visits all chunks of all sources; a source that cannot be read is reported, not fatal. */
async function visit(sources, progress, { begin, chunk, end }) {
  const total = sources.reduce((sum, { blob }) => sum + blob.size, 0);
  let before = 0;
  for (const source of sources) {
    let run;
    try {
      run = begin(source);
      for (let part; (part = run.next()) !== undefined;) {
        progress({ done: (before + chunk(part)) / (total || 1) });
        await breathe();
      }
      end(source, run);
    } catch (error) {
      end(source, undefined, title(String(error.message ?? error)));
    } finally {
      run?.free();
    }
    before += source.blob.size;
  }
}

// Check games.

/** A finding as the page lists it. */
function view(finding, human, named) {
  const { code, severity, message, help, fix, fen, file, game, move, line, column } = finding;
  const place = [named && file, game && `Game ${number(game)}`, move && `move ${move}`,
    line && `line ${number(line)}, column ${number(column)}`];
  const isSuggestion = fix || help?.startsWith('did you mean');
  return {
    code, severity, message, fen,
    place: place.filter(Boolean).join(', '),
    excerpt: human.split('\n').filter((text) => /^\s*\d*\s*\|\s*\S/.test(text)).join('\n'),
    help: help && `${isSuggestion ? 'Suggestion' : 'Note'}: ${help}`,
    repair: fix && (fix.safe ? 'Repair corrects this.' : 'Repair with suggestions corrects this.'),
    label: fen && `${move ? `Before ${move}` : 'Position'}, ${sideToMove(fen)}`,
  };
}

/** Text without the options of the command line. */
const plain = (text) => text.trim().replace(/ by --fix-suggestions/g, ' with suggestions')
  .replace(/ by --fix/g, '').replace(/, --fix-suggestions/g, ', can be repaired with suggestions')
  .replace(/, --fix/g, ', can be repaired');

async function check({ sources, strict }, progress) {
  const counts = {};
  const accounts = [];
  const all = new Collected();
  const sorted = () => Object.values(counts).sort((a, b) => a.code.localeCompare(b.code));
  const begin = ({ name, blob }) => new Check(name, readerOf(blob), strict);
  const chunk = (part) => {
    const { jsonl, readBytes } = part;
    if (jsonl !== '') {
      all.add(jsonl);
      const human = JSON.parse(part.human);
      const listed = [];
      for (const [index, line] of jsonl.trimEnd().split('\n').entries()) {
        const finding = JSON.parse(line);
        const { code, name, severity } = finding;
        const key = `${code}${severity}`;
        const entry = counts[key] ??= { code, name: words(name), severity, count: 0 };
        entry.count += 1;
        if (entry.count > LISTED_PER_CODE) continue;
        listed.push(view(finding, human[index], sources.length > 1));
      }
      progress({ listed, counts: sorted() });
    }
    part.free();
    return readBytes;
  };
  const end = ({ name }, run, error) => {
    accounts.push({ name, error, text: run && plain(run.summary()) });
  };
  await visit(sources, progress, { begin, chunk, end });
  const sum = (severity) => plural(Object.values(counts).reduce((found, entry) => (
    entry.severity === severity ? found + entry.count : found), 0), severity);
  const errors = accounts.map(({ error }) => error).filter(Boolean);
  const said = errors.join('. ') || `Checked: ${SEVERITIES.map(sum).join(', ')}.`;
  return { accounts, said, failed: errors.length > 0, jsonl: all.blob() };
}

async function repair({ sources, strict, suggestions }, progress) {
  const repaired = [];
  let text, diff, cut;
  const begin = ({ name, blob }) => {
    [text, diff, cut] = [new Collected(), '', false];
    return new Repair(name, readerOf(blob), strict, suggestions);
  };
  const chunk = (part) => {
    const { readBytes } = part;
    text.add(part.text);
    diff += part.diff;
    part.free();
    if (diff.length > SHOWN_DIFF) [diff, cut] = [diff.slice(0, SHOWN_DIFF), true];
    return readBytes;
  };
  const end = ({ name }, run, error) => {
    const file = `${name.split('/').pop().replace(/(\.pgn)?(\.gz)?$/i, '')}-repaired.pgn`;
    const lines = diff.split('\n').filter((line) => line && !/^(---|\+\+\+) /.test(line));
    const account = run && plain(run.summary());
    repaired.push({ name, error, lines, cut, file, text: account, blob: run && text.blob() });
  };
  await visit(sources, progress, { begin, chunk, end });
  return repaired;
}

// Settle a claim.

function list({ sources }) {
  const choices = [];
  let isCut = false;
  for (const [source, { blob }] of sources.entries()) {
    const found = JSON.parse(games(bytes(blob.slice(0, SEARCHED_BYTES))));
    // The end of the last game is not known.
    if (blob.size > SEARCHED_BYTES) found.pop();
    isCut ||= blob.size > SEARCHED_BYTES || found.length === MOST_GAMES;
    for (const game of found) {
      const { white, black, result, event, date, byte_start: start, byte_end: end } = game;
      const known = [result, event, date].filter((value) => value && !/^[?.]*$/.test(value));
      const players = `${game.number}. ${white ?? '?'} – ${black ?? '?'}`;
      choices.push({ source, start, end, label: [players, ...known].join(', ') });
    }
  }
  return { choices, isCut };
}

/** The positions of a game, or the one of a FEN, each with words for the moment. */
function moments({ blob, fen }) {
  if (fen) board(fen, '');
  const all = fen ? [{ ply: 0, fen }] : JSON.parse(positions(bytes(blob), 1));
  return all.map((moment) => {
    const place = moment.move ? `After ${moment.move}` : 'Position';
    return { ...moment, label: `${place}, ${sideToMove(moment.fen)}` };
  });
}

/** The ruling on a claim; the text is one game, and moments are chosen by their moves. */
function rule({ blob, options }) {
  try {
    return JSON.parse(claim(blob && bytes(blob), JSON.stringify(options)));
  } catch (error) {
    const sentence = error.message.replace(/^game 1: /, '').replace(/; name an earlier .*$/, '');
    throw new Error(sentence, { cause: error });
  }
}

// Count results.

/** A share with two decimals that are cut, not rounded, as on the page of BrainKing. */
function share(part, whole) {
  const hundredths = Math.floor((part * 10_000) / (whole || 1));
  const decimals = String(hundredths % 100).padStart(2, '0');
  return `${part} (${Math.floor(hundredths / 100)}.${decimals} %)`;
}

async function results({ sources }, progress) {
  const sum = { games: 0, white: 0, black: 0, draws: 0, unknown: 0 };
  const endings = {};
  const records = [];
  const errors = [];
  const begin = ({ name, blob }) => new Results(name, readerOf(blob));
  const end = ({ name }, run, error) => {
    if (error !== undefined) {
      errors.push(error);
      return;
    }
    const one = JSON.parse(run.result());
    for (const key of Object.keys(sum)) sum[key] += one[key];
    for (const { ending, games: ended } of one.endings) {
      endings[ending] = (endings[ending] ?? 0) + ended;
    }
    for (const { game, players, because } of one.contradictions) {
      const head = [sources.length > 1 && name, `Game ${number(game)}`, players];
      records.push({ head: head.filter(Boolean).join(', '), because });
    }
  };
  await visit(sources, progress, { begin, chunk: (read) => read, end });
  const { white, black, draws, unknown } = sum;
  const decided = white + black + draws;
  const table = [['white', white], ['black', black], ['Draws', draws]].map(([name, part]) => (
    [name, share(part, decided)]));
  if (unknown > 0) table.push(['without result', String(unknown)]);
  const ends = Object.entries(endings).map(([name, ended]) => [
    name === 'open' ? 'Not on the board: agreed, resigned, on time, or unfinished'
      : title(words(name)), number(ended)]);
  return { table, ends, records, errors, said: `Counted ${plural(sum.games, 'game')}.` };
}

// Requests of the page.

const TASKS = {
  open, check, repair, list, moments, results,
  board: ({ fen, label }) => board(fen, label),
  claim: rule,
  explain: ({ code }) => {
    const [heading, ...rest] = plain(explain(code)).split('\n');
    const blocks = rest.join('\n').trim().split(/\n{2,}/);
    return { heading, blocks: blocks.map((text) => ({ text, isGame: /^bad: /.test(text) })) };
  },
  start: () => ({
    claims: JSON.parse(claims()),
    rules: [AUTO, ...JSON.parse(rules()).filter(({ name }) => name !== AUTO.name)],
    example: {
      game: { name: 'karpov-miles.pgn', blob: new Blob([EXAMPLE]) },
      claim: { what: 'threefold', by: '', announced: '26.Nb5', rules: 'auto' },
    },
  }),
};

const ready = init();

self.onmessage = async ({ data: { id, task, args } }) => {
  try {
    await ready;
    const value = await TASKS[task](args, (part) => postMessage({ id, part }));
    postMessage({ id, value });
  } catch (error) {
    postMessage({ id, error: title(String(error.message ?? error)) });
  }
};
