// The part `Check games`.
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

import {
  check, corpus, download, file, fixture, fixtures, openPart, paste, program, said, status,
  withPage,
} from './browser.js';

const slips = join(fixtures, 'slips.pgn');
const summaries = (page) => page.locator('#findings summary').allTextContents();

test('a chosen file is checked', () => withPage(async (page) => {
  await check(page, slips);
  assert.equal(await status(page), 'Checked: 9 errors, 1 warning, 0 notes.');
  const [first] = await summaries(page);
  assert.match(first, /`?Nf6`? is illegal: the knight on d7 is pinned to the king on e8/);
  assert.match(first, /Game 1, move 1\.\.\.Nf6, line 11, column 6/);
  const details = page.locator('#findings details').first();
  assert.match(await details.locator('pre').textContent(), /11 \| 1\.\.\. Nf6 \*\n +\| +\^\^\^/);
  assert.match(await details.textContent(), /Note: nothing after it is replayed/);
  const board = details.getByAltText('Before 1...Nf6, Black to move');
  await board.evaluate((image) => image.decode());
  assert.match(await page.textContent('#accounts'), /9 seen = 0 clean \+ 9 with findings/);
}));

test('suggestions are listed, and codes explained', () => withPage(async (page) => {
  await check(page, slips);
  const king = page.locator('#findings details').filter({ hasText: 'Ke2' });
  await king.locator('summary').click();
  await king.filter({ hasText: /Suggestion: did you mean Ke1, Kf2 or Kg2\?/ }).waitFor();
  await king.getByRole('button', { name: 'What is E201?' }).click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.textContent(), /E201 illegal-move.*FIDE Laws of Chess/s);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}));

test('findings are filtered by severity and by code', () => withPage(async (page) => {
  await check(page, slips);
  await page.uncheck('#show-error');
  assert.equal((await summaries(page)).length, 1);
  assert.match((await summaries(page))[0], /4\. precedes move 3 of Black/);
  await page.check('#show-error');
  assert.match(await page.textContent('#code'), /E202 ambiguous move \(1\)/);
  await page.selectOption('#code', 'E202');
  assert.equal((await summaries(page)).length, 1);
  assert.match((await summaries(page))[0], /Nd7 is ambiguous/);
}));

test('a dropped file is checked', () => withPage(async (page) => {
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.pgn'));
    return data;
  }, fixture('slips.pgn').toString());
  await page.dispatchEvent('#drop', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
  await said(page, /^Checked: 9 errors/);
  assert.match(await page.textContent('#loaded'), /dropped\.pgn/);
}));

test('pasted games are checked', () => withPage(async (page) => {
  await paste(page, '1. e4 e5 2. Ke3 Qh4 0-1');
  await said(page, /^Checked: 1 error,/);
  assert.match((await summaries(page))[1], /Ke3 is illegal/);
}));

test('strict checking is a switch', () => withPage(async (page) => {
  const text = '[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 e5 *\n';
  await paste(page, text);
  await said(page, /^Checked: 0 errors, 0 warnings/);
  await page.check('#strict');
  await said(page, /^Checked: 0 errors, [1-9]\d* warning/);
}));

test('no game is an error, and the next text is checked', () => withPage(async (page) => {
  await page.click('#paste-box summary');
  await page.click('#use-paste');
  await said(page, /^Paste a game first\.$/);
  await paste(page, 'Dear Sir or Madam');
  await said(page, /^Checked: 1 error,/);
  assert.match((await summaries(page))[0], /the text is not PGN/);
  await paste(page, '1. e4 e5 *');
  await said(page, /^Checked: 0 errors/);
}));

/** A zip archive with one member, as APPNOTE describes it. */
function zip(name, content, method) {
  const stored = method === 8 ? deflateRawSync(content) : content;
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(method, 4);
  common.writeUInt32LE(crc32?.(content) ?? 0, 10);
  common.writeUInt32LE(stored.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), stored]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

test('compressed files are checked', () => withPage(async (page) => {
  const text = fixture('slips.pgn');
  const files = [
    file('slips.pgn.gz', gzipSync(text)),
    file('deflated.zip', zip('a/slips.pgn', text, 8)),
    file('stored.zip', zip('slips.pgn', text, 0)),
  ];
  await check(page, files);
  assert.equal(await status(page), 'Checked: 27 errors, 3 warnings, 0 notes.');
  assert.match((await summaries(page)).join('\n'), /deflated\.zip\/a\/slips\.pgn/);
}));

test('a damaged archive is an error', () => withPage(async (page) => {
  await page.setInputFiles('#files', file('damaged.zip', 'PK\x03\x04 and no more'));
  await said(page, /damaged\.zip: this zip archive cannot be read here/);
  await page.setInputFiles('#files', file('damaged.gz', gzipSync('1. e4').subarray(0, 12)));
  await said(page, /damaged\.gz: the compressed data is damaged/);
}));

test('repairs are shown and downloaded', () => withPage(async (page) => {
  await check(page, join(fixtures, 'findings/N231.pgn'));
  await page.click('#repair');
  await said(page, /^Repaired/);
  assert.equal(await page.textContent('#repaired del'), '-1. e4 e5 2. Nf3+ *\n');
  assert.equal(await page.textContent('#repaired ins'), '+1. e4 e5 2. Nf3 *\n');
  const { name, content } = await download(page, '#repaired a');
  assert.equal(name, 'N231-repaired.pgn');
  const expected = program(['validate', '--no-config', '--fix', 'findings/N231.pgn']);
  assert.equal(content.toString(), expected);
}));

test('suggestions are applied if asked for', () => withPage(async (page) => {
  await check(page, slips);
  await page.click('#repair');
  await said(page, /^Nothing can be repaired/);
  await page.check('#suggestions');
  await page.click('#repair');
  await said(page, /^Repaired/);
  const { content } = await download(page, '#repaired a');
  const expected = program(['validate', '--no-config', '--fix-suggestions', 'slips.pgn']);
  assert.equal(content.toString(), expected);
}));

/** Copies of a text of some size. */
const copies = (text, size) => Buffer.alloc(size - (size % text.length), text);

test('of many thousand findings, 200 more are listed at a time', () => withPage(async (page) => {
  await check(page, file('many.pgn', copies(`${fixture('slips.pgn')}\n`, 1 << 20)));
  assert.equal((await summaries(page)).length, 200);
  assert.match(await page.textContent('#more-text'), /^200 of \d,\d\d\d findings listed\.$/);
  await page.click('#more');
  assert.equal((await summaries(page)).length, 400);
  const { content } = await download(page, '#jsonl');
  assert.ok(content.toString().split('\n').length > 6000);
}));

test('40 MB are checked with progress, and cancelled', async (t) => withPage(async (page) => {
  const text = corpus ? readFileSync(join(corpus, 'bulk/twic1427.pgn')) : fixture('famous.pgn');
  const large = file('large.pgn', copies(Buffer.concat([text, Buffer.from('\n')]), 40 << 20));
  await page.evaluate(() => {
    window.seen = [];
    window.cancelAt = 2;
    const bar = document.getElementById('progress');
    new MutationObserver(() => {
      window.seen.push(bar.value);
      if (bar.value > window.cancelAt) document.getElementById('cancel').click();
    }).observe(bar, { attributes: true, attributeFilter: ['value'] });
  });
  const start = performance.now();
  await check(page, large);
  t.diagnostic(`40 MB in ${((performance.now() - start) / 1000).toFixed(2)} s`);
  const seen = await page.evaluate(() => window.seen.filter((value) => value > 0));
  assert.ok(seen.length > 20);
  assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
  assert.equal(seen.at(-1), 1);

  await page.evaluate(() => { window.cancelAt = 0.2; });
  await page.setInputFiles('#files', large);
  await said(page, /^Cancelled\.$/);
  await page.locator('#work').waitFor({ state: 'hidden' });
  assert.equal(await page.textContent('#accounts'), '');
  await page.evaluate(() => { window.cancelAt = 2; });
  await check(page, slips);
  await openPart(page, 'results');
  await said(page, /^Counted 9 games\.$/);
}));

test('the first answer comes at once', async (t) => withPage(async (page) => {
  const time = await page.evaluate((text) => new Promise((resolve) => {
    const start = performance.now();
    const accounts = document.getElementById('accounts');
    new MutationObserver(() => {
      if (accounts.textContent) resolve(performance.now() - start);
    }).observe(accounts, { childList: true });
    document.getElementById('paste').value = text;
    document.getElementById('use-paste').click();
  }), fixture('famous.pgn').toString());
  t.diagnostic(`first answer in ${time.toFixed(0)} ms`);
  assert.ok(time < 1000, `${time} ms`);
}));
