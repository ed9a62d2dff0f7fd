// What must never happen: markup from games, requests elsewhere, a page that needs the network.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { check, fixtures, openExample, openPart, ruled, said, site, withPage } from './browser.js';
import { serve } from './server.js';

const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';

/** Games with faults, a repair and a wrong result, and a text wherever they may have one. */
function games(text) {
  const value = text.replaceAll('"', '\\"');
  const names = ['Event', 'Site', 'Date', 'White', 'Black'];
  const tags = names.map((name) => `[${name} "${value}"]\n`).join('');
  return `${tags}[Result "1/2-1/2"]
[Termination "${value}"]

{${text}} 1. Nf3+ ; ${text}
Nf6 2. Ng1 {${text}} Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Ke3 1/2-1/2

${tags}[Result "1-0"]

1. f3 e5 2. g4 Qh4# 1-0

${tags}[Result "1-0"]
[FEN "${value}"]

1. e4 ${text} 1-0
`;
}

/** Elements of the page and of its ruling, by name, after all parts have shown some games. */
async function elements(page, text) {
  const files = [1, 2].map((copy) => (
    { name: `${text}${copy}.pgn`, mimeType: 'text/plain', buffer: Buffer.from(games(text)) }));
  await page.check('#strict');
  await check(page, files);
  await page.check('#suggestions');
  await page.click('#repair');
  await said(page, /^Repaired/);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('#findings details')) details.open = true;
  });
  await page.locator('#findings .beside img').first().waitFor();
  await openPart(page, 'results');
  await said(page, /^Counted/);
  await openPart(page, 'claim');
  await said(page, /games to choose from/);
  await page.locator('#board img').waitFor();
  await page.click('text=Settle the claim');
  await ruled(page);
  return page.evaluate(() => {
    const count = (root) => {
      const counts = {};
      for (const { localName } of root.querySelectorAll('*')) {
        counts[localName] = (counts[localName] ?? 0) + 1;
      }
      return counts;
    };
    const paper = document.getElementById('page').contentDocument;
    return { page: count(document), ruling: count(paper), scripts: window.pwned };
  });
}

test('hostile tags, comments, moves and file names add no element', () => withPage(async (page) => {
  const { page: names, ruling, scripts } = await elements(page, HOSTILE);
  assert.equal(scripts, undefined);
  assert.equal(names.script, 1, 'the script of the page itself');
  assert.equal(ruling.script, undefined);
  assert.equal(ruling.img, undefined);
  const strange = await page.evaluate(() => [document, document.getElementById('page')
    .contentDocument].flatMap((root) => [...root.querySelectorAll('*')])
    .filter((element) => element.getAttributeNames().some((name) => name.startsWith('on'))
      || (element.localName === 'img' && !element.src.startsWith('data:image/svg+xml,')))
    .map((element) => element.outerHTML));
  assert.deepEqual(strange, []);
  // The text is shown as it is, in every place that shows a text of the games.
  for (const id of ['loaded', 'findings', 'repaired', 'counted', 'game']) {
    assert.ok((await page.textContent(`#${id}`)).includes('<img src=x'), id);
  }
  assert.ok((await page.frameLocator('#page').locator('body').innerText()).includes('<img src=x'));
}));

test('the policy allows nothing but the files of the page', () => withPage(async (page) => {
  const blocked = await page.evaluate(async () => {
    const found = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      found.push(event.effectiveDirective);
    });
    await fetch('https://example.org/').catch(() => {});
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 1';
    const image = new Image();
    image.src = 'https://example.org/image.png';
    document.body.append(script, image);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    return { found: found.sort(), pwned: window.pwned };
  });
  assert.deepEqual(blocked.found, ['connect-src', 'img-src', 'script-src-elem']);
  assert.equal(blocked.pwned, undefined);
}, { expected: /Content Security Policy|example\.org/ }));

test('the page works without a network after the first visit', async () => {
  const server = await serve(site);
  await withPage(async (page) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await server.close();
    await assert.rejects(fetch(server.origin));
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await check(page, join(fixtures, 'slips.pgn'));
    await openExample(page);
  }, { origin: server.origin, expected: /ERR_CONNECTION_REFUSED|ERR_FAILED/ });
});

test('all files together are small', (t) => {
  const size = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => (
      sum + brotliCompressSync(readFileSync(join(parentPath, name))).length), 0);
  t.diagnostic(`${(size / 1000).toFixed(0)} kB compressed`);
  assert.ok(size <= 450_000, `${size} bytes`);
});
