// The page for everybody: without a mouse, with a screen reader, on a telephone, in the dark.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import axe from 'axe-core';

import {
  check, fixture, fixtures, openExample, openPart, picture, ruled, said, status, withPage,
} from './browser.js';

/** Checks that a document breaks no rule of axe-core; a sheet of paper needs no landmarks. */
async function accessible(page, place, { landmarks = true } = {}) {
  await page.evaluate(axe.source);
  const rules = { 'landmark-one-main': { enabled: landmarks }, region: { enabled: landmarks } };
  const found = await page.evaluate(async (options) => (
    (await globalThis.axe.run(document, options)).violations), { iframes: false, rules });
  const lines = found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join('\n'));
  assert.deepEqual(lines, [], place);
}

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    const name = `${width}-${colorScheme}`;
    const options = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } };

    test(`every part is accessible and fits: ${name}`, () => withPage(async (page, context) => {
      const examine = async (place) => {
        await accessible(page, place);
        const excess = await page.evaluate(() => (
          document.documentElement.scrollWidth - window.innerWidth));
        assert.ok(excess <= 0, `${place} is ${excess} pixels too wide`);
        await picture(page, `${name}-${place}`);
      };
      await examine('start');
      await page.click('summary >> text=Paste');
      await check(page, ['slips.pgn', 'tags.pgn', 'match.pgn'].map((file) => join(fixtures, file)));
      await page.locator('#findings summary').nth(2).click();
      await page.check('#suggestions');
      await page.click('#repair');
      await said(page, /^Repaired/);
      await examine('check');
      await page.getByRole('button', { name: 'What is E201?' }).first().click();
      await page.getByRole('dialog').waitFor();
      await examine('explanation');
      await page.keyboard.press('Escape');
      await openPart(page, 'results');
      await page.setInputFiles('#files', join(fixtures, 'endings.pgn'));
      await said(page, /^Counted/);
      await examine('results');
      await openExample(page);
      await page.click('text=Set up a position instead');
      await examine('claim');

      const paper = await context.newPage();
      await paper.setContent(await page.getAttribute('#page', 'srcdoc'));
      await accessible(paper, 'ruling', { landmarks: false });
    }, options));
  }
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate((wanted) => (
      document.activeElement.matches(wanted)), selector);
    if (isThere) {
      const outline = await page.evaluate(() => {
        const style = (element) => getComputedStyle(element).outlineStyle;
        const { activeElement: active } = document;
        return [style(active), active.nextElementSibling && style(active.nextElementSibling)];
      });
      assert.ok(outline.includes('solid'), `the focus on ${selector} is not visible`);
      return;
    }
  }
  assert.fail(`Tab does not reach ${selector}`);
}

test('a pasted game is checked by the keyboard alone', () => withPage(async (page) => {
  await tabTo(page, '#files');
  await tabTo(page, '#paste-box summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '#paste');
  await page.keyboard.type('1. e4 e5 2. Ke3 Qh4 0-1');
  await tabTo(page, '#use-paste');
  await page.keyboard.press('Enter');
  await said(page, /^Checked: 1 error,/);
  await tabTo(page, '#findings summary');
  await tabTo(page, '#findings button');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^What is /);
}));

test('the example is opened and printed by the keyboard alone', () => withPage(async (page) => {
  await tabTo(page, 'header a');
  await page.keyboard.press('Enter');
  await said(page, /^The claim is rejected\.$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'ruling-title');
  await page.evaluate(() => {
    document.getElementById('page').contentWindow.print = () => { window.printed = true; };
  });
  await tabTo(page, '#print');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => window.printed), true);
}));

test('a claim is settled by the keyboard alone', () => withPage(async (page) => {
  await tabTo(page, '#parts [href="#claim"]');
  await page.keyboard.press('Enter');
  await page.setInputFiles('#files', join(fixtures, 'claim.pgn'));
  await page.getByAltText(/^After 34\.\.\. ?Kg8, White to move$/).waitFor();
  await tabTo(page, '#moves input');
  await page.keyboard.press('ArrowLeft');
  await page.getByAltText(/^After 34\. ?Qd3\+, Black to move$/).waitFor();
  await tabTo(page, '#what');
  await tabTo(page, '#claim [type=submit]');
  await page.keyboard.press('Enter');
  await ruled(page);
  assert.match(await status(page), /^The claim is /);
}));

test('progress and outcome are announced in one live region', () => withPage(async (page) => {
  const live = page.locator('[aria-live], [role=status], [role=alert]');
  assert.equal(await live.count(), 1);
  await page.evaluate(() => {
    window.said = [];
    const region = document.getElementById('status');
    new MutationObserver(() => window.said.push(region.textContent))
      .observe(region, { childList: true });
  });
  const buffer = Buffer.alloc(4 << 20, fixture('match.pgn'));
  await page.setInputFiles('#files', { name: 'many.pgn', mimeType: 'text/plain', buffer });
  await said(page, /^Checked/);
  const texts = await page.evaluate(() => window.said);
  assert.deepEqual(texts.slice(0, 3), ['Opening files.', 'Checking.', 'Checking: 25 % done.']);
}));
