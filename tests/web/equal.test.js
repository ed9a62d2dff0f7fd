// The page says what the program says, byte for byte.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { corpus, download, file, fixtures, program, temporary, withPage } from './browser.js';

const pgn = (folder) => readdirSync(folder).filter((name) => name.endsWith('.pgn')).sort();

/** Findings of files as the page and as the program writes them, in both modes. */
async function compareFindings(folder, names) {
  await withPage(async (page) => {
    for (const mode of [[], ['--strict']]) {
      await page.setChecked('#strict', mode.length > 0);
      await page.setInputFiles('#files', names.map((name) => join(folder, name)));
      await page.locator('#status').filter({ hasText: /^Checked: / }).waitFor();
      const { content } = await download(page, '#jsonl');
      const args = ['validate', '--no-config', '--format', 'jsonl', ...mode, ...names];
      assert.equal(content.toString(), program(args, folder));
    }
  });
}

/** Rulings on games of a file as the page and as the program writes them. */
async function compareRulings(folder, name, claims) {
  await withPage(async (page) => {
    const rulings = await page.evaluate(async ([text, asked]) => {
      const worker = new Worker('worker.js', { type: 'module' });
      const ask = (task, args) => new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data.error ?? data.value);
        worker.postMessage({ id: 1, task, args });
      });
      const blob = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
      const { choices } = await ask('list', { sources: [{ name: 'games', blob }] });
      const found = [];
      for (const { start, end } of choices) {
        const game = blob.slice(start, end);
        for (const options of asked) {
          const ruling = await ask('claim', { blob: game, options: { rules: 'auto', ...options } });
          found.push(ruling.html ?? ruling);
        }
      }
      worker.terminate();
      return found;
    }, [readFileSync(join(folder, name)).toString('base64'), claims]);
    assert.ok(rulings.length > 0);
    for (const [index, said] of rulings.entries()) {
      const game = Math.floor(index / claims.length) + 1;
      const options = Object.entries(claims[index % claims.length]);
      const args = ['adjudicate', '--no-config', '--rules', 'auto', '--format', 'html', '--games',
        String(game), ...options.flatMap(([option, value]) => [`--${option}`, value]), name];
      if (said.startsWith('<!DOCTYPE html>')) {
        assert.equal(said, program(args, folder), `${name}, game ${game}`);
      } else {
        assert.throws(() => program(args, folder), ({ message }) => {
          const [, sentence] = /error: game \d+: (.*?)(; name an earlier .*)?\n$/.exec(message);
          return said.toLowerCase() === sentence.toLowerCase();
        });
      }
    }
  });
}

test('findings of the fixtures', () => compareFindings(fixtures, pgn(fixtures)));

test('findings of the examples of all codes', () => {
  const folder = join(fixtures, 'findings');
  return compareFindings(folder, pgn(folder));
});

test('rulings on the fixtures', async () => {
  const claims = [{ claim: 'threefold' }, { claim: 'fifty', by: 'black' },
    { claim: 'flag', fallen: 'both' }, { claim: 'resignation' }];
  for (const name of pgn(fixtures)) await compareRulings(fixtures, name, claims);
});

const skip = !corpus && 'ARBITER_CORPUS is not set';

test('findings and rulings of 200 real games', { skip }, async () => {
  const text = readFileSync(join(corpus, 'bulk/twic1427.pgn'), 'latin1');
  const games = text.split(/(?=\[Event )/).filter((game) => game.startsWith('[Event '));
  file('real.pgn', Buffer.from(games.slice(0, 200).join(''), 'latin1'));
  await compareFindings(temporary, ['real.pgn']);
  await compareRulings(temporary, 'real.pgn', [{ claim: 'threefold' }]);
});
