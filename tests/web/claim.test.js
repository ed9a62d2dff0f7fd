// The parts `Settle a claim` and `Count results`.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  corpus, download, fixtures, openExample, openPart, paste, program, ruled, said, status,
  textOfPdf, withPage,
} from './browser.js';

/** The ruling of the program on a claim, as a page. */
const programRules = (...args) => (
  program(['adjudicate', '--no-config', '--format', 'html', '--claim', ...args]));
const ruling = (page) => page.getAttribute('#page', 'srcdoc');

test('one click opens a ruling', () => withPage(async (page) => {
  await openExample(page);
  assert.equal(await ruling(page), programRules(
    'threefold', '--rules', 'auto', '--move', '26.Nb5', 'karpov_miles.pgn',
  ));
  assert.equal(await status(page), 'The claim is rejected.');
  const body = page.frameLocator('#page').locator('body');
  const font = await body.evaluate((element) => getComputedStyle(element).fontFamily);
  assert.match(font, /^Georgia/, 'the hash in the policy is not that of the style of a ruling');
}));

test('the address of the example opens its ruling', () => withPage(async (page) => {
  await ruled(page);
  assert.match(await ruling(page), /The claim is rejected\./);
}, { path: '/#example' }));

test('a ruling is printed and downloaded', () => withPage(async (page, context) => {
  await openExample(page);
  await page.evaluate(() => {
    document.getElementById('page').contentWindow.print = () => { window.printed = true; };
  });
  await page.click('#print');
  assert.equal(await page.evaluate(() => window.printed), true);

  const { name, content } = await download(page, '#save');
  assert.equal(name, 'ruling.html');
  assert.equal(content.toString(), await ruling(page));
  const paper = await context.newPage();
  await paper.setContent(content.toString());
  for (const printed of [paper, page]) {
    const pdf = await printed.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    const text = await textOfPdf(pdf);
    assert.match(text, /The claim is rejected\..*24\.Nb5 and 26\.Nb5.*Signature of the arbiter/);
    assert.doesNotMatch(text, /Choose files|Settle the claim/);
  }
}));

test('the moment is chosen by its move', () => withPage(async (page) => {
  await page.setInputFiles('#files', join(fixtures, 'claim.pgn'));
  await openPart(page, 'claim');
  await page.getByText('Kh7', { exact: true }).last().click();
  await page.getByAltText(/^After 33\.\.\. ?Kh7, White to move$/).waitFor();
  await page.selectOption('#what', 'threefold');
  await page.fill('#announced', '34. Qd3+');
  await page.selectOption('#by', 'white');
  await page.selectOption('#rules', 'fide');
  await page.click('text=Settle the claim');
  await ruled(page);
  assert.equal(await ruling(page), programRules(
    'threefold', '--at', '33b', '--by', 'white', '--move', '34. Qd3+', 'claim.pgn',
  ));
}));

test('a fallen flag is judged in a position', () => withPage(async (page) => {
  const fen = '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1';
  await openPart(page, 'claim');
  await page.click('text=Set up a position instead');
  await page.fill('#fen', fen);
  await page.press('#fen', 'Enter');
  await page.getByAltText('Position, White to move').waitFor();
  await page.selectOption('#what', 'flag');
  assert.equal(await page.isVisible('#by'), false);
  assert.equal(await page.isVisible('#announced'), false);
  await page.selectOption('#fallen', 'white');
  await page.click('text=Settle the claim');
  await ruled(page);
  assert.equal(await ruling(page), programRules(
    'flag', '--rules', 'auto', '--fallen', 'white', '--fen', fen,
  ));
}));

test('what cannot be settled is said', () => withPage(async (page) => {
  await openPart(page, 'claim');
  await page.click('text=Set up a position instead');
  await page.fill('#fen', 'no position');
  await page.click('#use-fen');
  await page.locator('#status.error').filter({ hasText: /FEN/ }).waitFor();
  assert.equal(await page.isVisible('#question'), false);
}));

test('a game that stops before any move has no claim', () => withPage(async (page) => {
  await page.setInputFiles('#files', join(fixtures, 'slips.pgn'));
  await openPart(page, 'claim');
  await page.getByAltText('Position, Black to move').waitFor();
  assert.equal(await page.isVisible('#moves'), false);
  await page.click('text=Settle the claim');
  await said(page, /^It stops in the given position \(`Nf6` is illegal: .*\)$/);
}));

test('a pasted score sheet is settled', () => withPage(async (page) => {
  await openPart(page, 'claim');
  await paste(page, '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8');
  await page.getByAltText(/^After 4\.\.\. ?Ng8, White to move$/).waitFor();
  await page.click('text=Settle the claim');
  await said(page, /^The claim is upheld\.$/);
}));

test('a game is found among many', { skip: !corpus && 'ARBITER_CORPUS is not set' }, () => (
  withPage(async (page) => {
    await openPart(page, 'claim');
    await page.setInputFiles('#files', join(corpus, 'bulk/twic1427.pgn'));
    await said(page, /^4,742 games to choose from\.$/);
    await page.fill('#find', '1/2 aronian');
    const options = await page.locator('#game option').allTextContents();
    assert.ok(options.length > 0 && options.length < 300);
    assert.ok(options.every((option) => option.includes('Aronian')), options.join('\n'));
    await page.locator('#game option').last().evaluate((option) => {
      option.selected = true;
      option.parentElement.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.locator('#board img').waitFor();
  })));

test('results are counted as on the page of BrainKing', () => withPage(async (page) => {
  await page.setInputFiles('#files', join(fixtures, 'match.pgn'));
  await openPart(page, 'results');
  await said(page, /^Counted 10 games\.$/);
  const rows = await page.locator('#counted table').first().locator('tr').allInnerTexts();
  const expected = program(['stats', '--no-config', 'match.pgn']).split('\n');
  const lines = rows.map((row) => row.replace(/\s+/g, ' '));
  assert.deepEqual(lines.slice(0, 3), expected.slice(1, 4).map((row) => row.replace(/\s+/g, ' ')));
  assert.equal(lines[3], 'without result 1');
}));

test('endings and contradictions are listed', () => withPage(async (page) => {
  await openPart(page, 'results');
  await page.setInputFiles('#files', join(fixtures, 'endings.pgn'));
  await said(page, /^Counted 6 games\.$/);
  const ends = await page.locator('#counted table').last().innerText();
  assert.match(ends, /Checkmate\s+1\b/);
  assert.match(ends, /Threefold repetition\s+1\b/);
  const records = await page.locator('#counted li').allInnerTexts();
  assert.equal(records.length, 3);
  assert.match(records[1], /Game 4, Clara - Boris\s+a dead position ended the game, and 1-0/);
}));
