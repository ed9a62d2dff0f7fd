// The npm package in target/npm against the program that `ARBITER` names.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync }
  from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const folder = join(target, 'npm');
const arbiter = process.env.ARBITER ?? join(target, 'release/arbiter');
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1];

/** What the program prints; `status` is its exit code. */
function program(args) {
  const { error, status, stdout, stderr } = spawnSync(arbiter, args, {
    cwd: root, env: { PATH: process.env.PATH }, maxBuffer: 1 << 28,
  });
  if (error) throw error;
  // The module does not say how many bytes it has read, nor for how long.
  const [words] = stderr.toString().split(/; [\d.]+ k?B in [\d.]+ m?s \(/);
  return { status, stdout, text: stdout.toString(), stderr: words.trimEnd() };
}

const objects = (jsonl) => jsonl.split('\n').filter(Boolean).map((line) => JSON.parse(line));

const files = ['fixtures', 'fixtures/findings'].flatMap((from) => (
  readdirSync(join(root, from)).filter((name) => /\.(pgn|epd|fen)$/.test(name))
    .map((name) => `${from}/${name}`).sort()));
const pgn = files.filter((name) => name.endsWith('.pgn'));
const bytesOf = (name) => readFileSync(join(root, name));
const readerOf = (bytes) => (at, length) => bytes.subarray(at, at + length);

let arbiterOf, wasm;
before(async () => {
  arbiterOf = await import(join(folder, 'index.js'));
  await arbiterOf.check('*');
  wasm = await import(join(folder, 'chess_arbiter.js'));
});

/** All parts of a run, and its closing lines or its error. */
function parts(run) {
  const found = [];
  try {
    for (let part; (part = run().next()) !== undefined;) found.push(part);
    return { found, stderr: run().summary() };
  } catch (error) {
    return { found: [], stderr: `error: ${error.message}` };
  }
}

/** A run that begins when it is first asked for, so that its errors are caught. */
function once(begin) {
  let run;
  return () => run ??= begin();
}

test('findings are those of the program', async () => {
  for (const name of files) {
    const bytes = bytesOf(name);
    for (const strict of [false, true]) {
      const options = ['--no-config', ...strict ? ['--strict'] : [], name];
      const expected = program(['validate', '--format', 'jsonl', ...options]);
      const run = once(() => new wasm.Check(name, readerOf(bytes), strict));
      const { found, stderr } = parts(run);
      assert.equal(found.map(({ jsonl }) => jsonl).join(''), expected.text, name);
      assert.equal(stderr, expected.stderr, name);
      const human = found.flatMap((part) => JSON.parse(part.human)).join('');
      assert.equal(human, program(['validate', ...options]).text, name);
      if (found.length > 0) {
        assert.deepEqual(await arbiterOf.check(bytes, { name, strict }), objects(expected.text));
      }
    }
  }
});

test('repaired games and their diff are those of the program', () => {
  for (const name of files) {
    const bytes = bytesOf(name);
    for (const [strict, suggestions] of [[false, false], [false, true], [true, false]]) {
      const options = ['--no-config', suggestions ? '--fix-suggestions' : '--fix',
        ...strict ? ['--strict'] : [], name];
      const expected = program(['validate', ...options]);
      const run = once(() => new wasm.Repair(name, readerOf(bytes), strict, suggestions));
      const { found, stderr } = parts(run);
      const text = Buffer.concat(found.map((part) => part.text));
      assert.deepEqual(text, expected.stdout, name);
      const [said] = expected.stderr.split('\nfixed: nothing\nleft: 1 error');
      assert.equal(stderr, stderr.startsWith('error') ? said : expected.stderr, name);
      const diff = program(['validate', '--diff', ...options]).text;
      assert.equal(found.map((part) => part.diff).join(''), diff, name);
    }
  }
});

test('results are those of the program', () => {
  const sum = (name) => {
    const { status, text } = program(['stats', '--no-config', '--by', 'ending', '--format', 'json',
      name]);
    const { games, white, black, draws, unfinished, other, by } = JSON.parse(text);
    const endings = by.map(({ value, games: ended }) => [value ?? 'unknown', ended]);
    return { status, counts: { games, white, black, draws, unknown: unfinished + other },
      endings: endings.filter(([, ended]) => ended > 0).sort() };
  };
  for (const name of pgn) {
    const run = new wasm.Results(name, readerOf(bytesOf(name)));
    while (run.next() !== undefined);
    const { contradictions, endings, ...counts } = JSON.parse(run.result());
    const expected = sum(name);
    assert.deepEqual(counts, expected.counts, name);
    assert.deepEqual(endings.map(Object.values).sort(), expected.endings, name);
    const rows = objects(program(['adjudicate', '--no-config', '--contradictions', '--format',
      'jsonl', name]).text);
    const because = rows.map((row) => [row.game, row.because]);
    assert.deepEqual(contradictions.map((row) => [row.game, row.because]), because, name);
  }
});

/** The claims in manuals and tests that are about one file or a FEN, and decided without more. */
function claimsInManuals() {
  const manuals = ['src/commands/adjudicate/README.md', 'README.md',
    ...readdirSync(join(root, 'tests/cmd')).map((name) => `tests/cmd/${name}`)];
  const lines = manuals.flatMap((name) => readFileSync(join(root, name), 'utf8').split('\n'));
  const asked = lines.map((line) => /^\$ arbiter adjudicate (.*--claim .*)$/.exec(line)?.[1]);
  const words = (line) => line.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ''));
  const names = { '--claim': 'claim', '--by': 'by', '--fallen': 'fallen', '--move': 'move',
    '--at': 'at', '--rules': 'rules', '--fen': 'fen', '--games': 'game' };
  const claims = [];
  for (const line of new Set(asked.filter(Boolean))) {
    const args = words(line);
    const options = { rules: 'fide' };
    let file, isKnown = true;
    for (let at = 0; at < args.length; at += 1) {
      if (args[at] in names) {
        options[names[args[at]]] = args[at + 1];
        at += 1;
      } else if (args[at] === '--format') {
        at += 1;
      } else if (/^[\w/]+\.pgn$/.test(args[at]) && file === undefined) {
        file = args[at];
      } else {
        isKnown = false;
      }
    }
    if (options.game !== undefined) options.game = Number(options.game);
    if (isKnown && (file === undefined) !== (options.fen === undefined)) {
      claims.push({ options, file });
    }
  }
  return claims;
}

/** Arguments of the program for a claim. */
const argsOf = ({ game, ...options }, file) => ['adjudicate', '--no-config',
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ...game === undefined ? [] : ['--games', String(game)], ...file === undefined ? [] : [file]];

test('rulings are those of the program', async () => {
  const kinds = JSON.parse(wasm.claims()).map(({ name }) => name);
  const rules = JSON.parse(wasm.rules()).map(({ name }) => name);
  const everything = [
    ...kinds.map((claim) => ({ options: { claim, rules: 'auto' }, file: 'fixtures/claim.pgn' })),
    ...rules.map((name) => (
      { options: { claim: 'threefold', rules: name }, file: 'fixtures/karpov_miles.pgn' })),
    ...[1, 2, 3, 4, 5, 6].map((game) => (
      { options: { claim: 'dead', rules: 'auto', game }, file: 'fixtures/endings.pgn' })),
    { options: { claim: 'flag', fallen: 'both', fen: '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1' } },
    { options: { claim: 'threefold', at: '23b', move: '24.Nb5' },
      file: 'fixtures/karpov_miles.pgn' },
    ...claimsInManuals(),
  ];
  let decided = 0;
  for (const { options: asked, file } of everything) {
    const options = { rules: 'fide', ...asked };
    const args = argsOf(options, file);
    const said = (format) => program([...args, '--format', format]);
    const expected = said('jsonl');
    const bytes = file === undefined ? undefined : bytesOf(file);
    if (expected.text === '') {
      await assert.rejects(arbiterOf.claim(bytes, options), Error, JSON.stringify(options));
      continue;
    }
    decided += 1;
    const found = JSON.parse(wasm.claim(bytes, JSON.stringify(options)));
    assert.equal(`${found.ruling}\n`, expected.text, args.join(' '));
    assert.equal(found.html, said('html').text, args.join(' '));
    assert.equal(found.text, said('human').text, args.join(' '));
    const { html, text, ...ruling } = await arbiterOf.claim(bytes, options);
    assert.deepEqual([html, text, ruling], [found.html, found.text, JSON.parse(expected.text)]);
  }
  assert.ok(claimsInManuals().length >= 10 && decided >= 40, `${decided} claims`);
});

test('claims that do not fit are refused with a reason', async () => {
  const moves = '1. Nf3 Nf6 2. Ng1 Ng8';
  for (const [text, options, why] of [
    [moves, { claim: 'draw' }, 'a draw is claimed on a ground: `threefold`, `fifty`, `dead`, …'],
    [moves, { claim: 'fivefold', move: '3.Nf3' },
      'a move is announced with `threefold` and `fifty` only'],
    [moves, { claim: 'threefold', move: ' ' }, '`move` is empty'],
    [moves, { claim: 'threefold', fallen: 'white' }, '`fallen` needs `claim flag`'],
    [moves, { claim: 'flag', by: 'white' },
      '`by` is the side that claims; `fallen` names the side whose flag fell'],
    [moves, { claim: 'threefold', at: '9w' }, 'game 1: it ends after 2...Ng8'],
    [moves, { claim: 'threefold', game: 2 }, 'there is no game 2'],
    [`${moves} *\n\n${moves} *\n`, { claim: 'threefold' },
      'there are 2 games, and a claim is about one: choose it with `game`'],
    ['1. e4 e5 2. Ke3', { claim: 'threefold' },
      /^game 1: it stops after 1\.\.\.e5 \(`Ke3` is .*\); name an earlier moment with `at`$/],
    [null, { claim: 'threefold' }, 'a claim needs a game or `fen`'],
    [null, { claim: 'dead', fen: '8/8 w' }, /^cannot use the FEN `8\/8 w`: /],
    ['', { claim: 'dead' }, 'no game found in `the text`: it is empty'],
    [moves, { claim: 'dead', side: 'white' }, /unknown field `side`/],
  ]) {
    await assert.rejects(arbiterOf.claim(text, options), (error) => {
      assert.ok(error instanceof Error);
      if (typeof why === 'string') assert.equal(error.message, why);
      else assert.match(error.message, why);
      return true;
    });
  }
});

test('games and positions are those of the program', async () => {
  let compared = 0;
  for (const name of pgn) {
    const bytes = bytesOf(name);
    const rows = objects(program(['adjudicate', '--no-config', '--format', 'jsonl', name]).text);
    const plies = objects(program(['replay', '--no-config', '--format', 'jsonl', name]).text);
    const listed = await arbiterOf.games(bytes);
    assert.ok(listed.length <= rows.length, name);
    for (const { number, result } of listed) {
      const row = rows.find(({ game }) => game === number);
      assert.ok(row, `${name}, game ${number}`);
      assert.equal(result, row.recorded_result, `${name}, game ${number}`);
      const played = plies.filter(({ game }) => game === number);
      if (played.length === 0) continue;
      const found = await arbiterOf.positions(bytes, { game: number });
      assert.equal(found[0].ply, 0);
      const moves = found.slice(1).map(({ ply, san, fen, number: at, side }) => (
        { ply, san, fen, at, side }));
      const expected = played.map(({ ply, san, fen, move_number: at, color: side }) => (
        { ply, san, fen, at, side }));
      assert.deepEqual(moves, expected, `${name}, game ${number}`);
      compared += 1;
    }
  }
  assert.ok(compared > 80, `${compared} games`);
});

test('games name their tags and bytes, and null stands for what is unknown', async () => {
  const text = '[White "M\u00fcller"]\n[Black "?"]\n\n1. e4 *\n\n[Event "x"]\n\n1. d4 d5 1-0\n';
  const unknown = { event: null, site: null, date: null, round: null };
  const first = { number: 1, ...unknown, white: 'M\u00fcller', black: null, result: '*', plies: 1,
    byte_start: 0, byte_end: 39 };
  const second = { number: 2, ...unknown, white: null, black: null, event: 'x', result: '1-0',
    plies: 2, byte_start: 39, byte_end: 66 };
  assert.deepEqual(await arbiterOf.games(text), [first, second]);
  const { buffer } = new Uint16Array([...text].map((letter) => letter.charCodeAt(0)));
  assert.deepEqual(await arbiterOf.games(new Uint8Array(buffer)), [first, second]);
  const [begin, move] = await arbiterOf.positions(text, { game: 2 });
  assert.match(begin.fen, /^rnbqkbnr\/.* w KQkq - 0 1$/);
  assert.equal(move.move, '1. d4');
  await assert.rejects(arbiterOf.positions(text, { game: 3 }), /^Error: there is no game 3$/);
  await assert.rejects(arbiterOf.games(7), TypeError);
});

test('a board has its label as title, and escapes it', () => {
  const svg = wasm.board('8/8/8/8/8/5k2/5p2/5K2 w - - 0 1', '<b>"x"</b>');
  assert.match(svg, /^<svg [^>]*>\n<title>&lt;b&gt;/);
  assert.throws(() => wasm.board('8/8', ''), /^Error: cannot use the FEN `8\/8`: /);
});

test('codes are explained as by the program', () => {
  for (const code of ['E201', 'illegal-move', 'N001', 'W105']) {
    assert.equal(wasm.explain(code), program(['validate', '--explain', code]).text);
  }
  assert.throws(() => wasm.explain('E999'), /^Error: no such code/);
});

test('the module reads a text in parts, and reports what its reader throws', () => {
  const run = (read) => once(() => new wasm.Check('x.pgn', read, false));
  const bytes = bytesOf('fixtures/famous.pgn');
  const whole = parts(run(readerOf(bytes)));
  const slow = parts(run((at, length) => bytes.subarray(at, at + Math.min(length, 7))));
  assert.equal(slow.stderr, whole.stderr);
  const failing = (at, length) => {
    if (at > 100) throw new Error('the file is gone');
    return bytes.subarray(at, at + Math.min(length, 60));
  };
  const { stderr } = parts(run(failing));
  assert.match(stderr, /^error: cannot read `x\.pgn` beyond byte \d+: the file is gone$/);
  const wrong = parts(run(() => bytes));
  assert.match(wrong.stderr, /`read` returns other bytes$/);
});

test('a browser fetches the module beside the script', async () => {
  const fetched = [];
  const server = createServer((request, response) => {
    fetched.push(request.url);
    response.setHeader('Content-Type', 'application/wasm');
    response.end(readFileSync(join(folder, request.url)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scratch = mkdtempSync(join(tmpdir(), 'chess-arbiter-'));
  try {
    // Node imports no script by HTTP: the script is told that it was.
    const origin = `http://127.0.0.1:${server.address().port}/`;
    for (const name of ['index.js', 'chess_arbiter.js', 'package.json']) {
      const script = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(scratch, name), script.replaceAll('import.meta.url', `'${origin}'`));
    }
    const { check } = await import(join(scratch, 'index.js'));
    assert.deepEqual(await check('1. e4 *'), await arbiterOf.check('1. e4 *'));
    assert.deepEqual(fetched, ['/chess_arbiter_bg.wasm']);
  } finally {
    rmSync(scratch, { recursive: true });
    server.close();
    server.closeAllConnections();
  }
});

const scratch = mkdtempSync(join(tmpdir(), 'chess-arbiter-'));
after(() => rmSync(scratch, { recursive: true }));

test('the examples of the README print what it says', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```\n/gs)];
  assert.equal(blocks.length, 3);
  assert.equal(readme.split('```js').length, 4);
  mkdirSync(join(scratch, 'node_modules'));
  symlinkSync(folder, join(scratch, 'node_modules/chess-arbiter'), 'junction');
  for (const [, code, expected] of blocks) {
    writeFileSync(join(scratch, 'example.mjs'), code);
    const printed = execFileSync(process.execPath, ['example.mjs'], { cwd: scratch });
    assert.equal(printed.toString(), expected);
  }
});

test('the package holds what belongs to it, in the version of the program', () => {
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
    cwd: folder, shell: process.platform === 'win32',
  }));
  const names = packed.files.map(({ path }) => path).filter((path) => path !== 'NOTICES.md').sort();
  assert.deepEqual(names, ['LICENSE', 'README.md', 'chess_arbiter.js', 'chess_arbiter_bg.wasm',
    'index.d.ts', 'index.js', 'package.json']);
  assert.equal(packed.version, version);
});
