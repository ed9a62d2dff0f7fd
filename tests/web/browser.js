// The page in a real browser, with what all tests of it need.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

import { chromium } from 'playwright-core';

import { serve } from './server.js';

export const root = resolve(import.meta.dirname, '../..');
export const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
export const site = join(target, 'web');
export const fixtures = join(root, 'fixtures');
export const corpus = process.env.ARBITER_CORPUS && resolve(root, process.env.ARBITER_CORPUS);
const arbiter = resolve(root, process.env.ARBITER ?? join(target, 'release/arbiter'));

export const temporary = mkdtempSync(join(tmpdir(), 'chess-arbiter-page-'));
export const fixture = (name) => readFileSync(join(fixtures, name));

/** Writes a file for the time of the tests. */
export function file(name, content) {
  const path = join(temporary, name);
  writeFileSync(path, content);
  return path;
}

/** What the program prints to stdout, whatever it decides. */
export function program(args, cwd = fixtures) {
  const { status, stdout, stderr, error } = spawnSync(arbiter, args, { cwd, maxBuffer: 1 << 30 });
  const isDone = status === 0 || status === 1 || stdout?.length > 0;
  assert.ok(!error && isDone, `${args.join(' ')}: ${error ?? stderr}`);
  return stdout.toString();
}

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  // Nothing but the test's own server can be reached.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args });
const server = await serve(site);

after(async () => {
  await browser.close();
  await server.close();
  rmSync(temporary, { recursive: true });
});

/** Opens the page in a window of its own; requests elsewhere and unexpected errors fail. */
export async function withPage(action, settings = {}) {
  const { path = '/', origin = server.origin, expected = /^$/, ...options } = settings;
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const faults = [];
  context.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${origin}/`) || /^(data|blob|about):/.test(url);
    if (!isOwn) faults.push(`request to ${url}`);
  });
  const page = await context.newPage();
  // A machine that compiles at the same time may take long.
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  try {
    await page.goto(`${origin}${path}`);
    await page.waitForSelector('html[data-ready]');
    await action(page, context);
    assert.deepEqual(faults.filter((fault) => !expected.test(fault)), []);
  } finally {
    await context.close();
  }
}

export const status = (page) => page.textContent('#status');

/** Waits until the page says something. */
export async function said(page, pattern) {
  await page.locator('#status').filter({ hasText: pattern }).waitFor();
}

/** Chooses files, and waits until they are checked. */
export async function check(page, files) {
  await page.setInputFiles('#files', files);
  await said(page, /^Checked: /);
}

export async function paste(page, text) {
  await page.locator('#paste-box').evaluate((box) => { box.open = true; });
  await page.fill('#paste', text);
  await page.click('#use-paste');
}

export const openPart = (page, part) => page.click(`#parts a[href="#${part}"]`);

/** Waits until a ruling is loaded and announced. */
export const ruled = (page) => page.locator('#ruling-title:focus').waitFor();

export async function openExample(page) {
  await page.click('header a');
  await ruled(page);
}

/** The content of what a link or button downloads. */
export async function download(page, selector) {
  const [event] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return { name: event.suggestedFilename(), content: readFileSync(await event.path()) };
}

/** Keeps a picture of the page if the environment asks for it. */
export async function picture(page, name) {
  if (!process.env.ARBITER_SCREENSHOTS) return;
  const folder = join(target, 'web-screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The text of a PDF. */
export async function textOfPdf(data) {
  // The library asks for what only drawing needs.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] ??= class {};
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pdf = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise;
  const texts = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    texts.push(...items.map(({ str }) => str));
  }
  return texts.join(' ').replace(/\s+/g, ' ');
}

