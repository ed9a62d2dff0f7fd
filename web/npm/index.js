// Functions over the WebAssembly module, which is loaded with the first call.
import init, * as wasm from './chess_arbiter.js';

const NAME = 'games.pgn';

let loaded;

async function load() {
  const url = new URL('chess_arbiter_bg.wasm', import.meta.url);
  if (url.protocol !== 'file:') return init({ module_or_path: url });
  const files = 'node:fs/promises'; // Not a literal below: bundlers for browsers would look for it.
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
  return init({ module_or_path: await readFile(url) });
}

/** Waits for the module; a failed download is tried again with the next call. */
async function ready() {
  loaded ??= load().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

function bytesOf(text) {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  if (text instanceof Uint8Array) return text;
  throw new TypeError('the text is neither a string nor a Uint8Array');
}

export async function check(text, { name = NAME, strict = false } = {}) {
  await ready();
  const bytes = bytesOf(text);
  const found = [];
  const run = new wasm.Check(name, (at, length) => bytes.subarray(at, at + length), strict);
  try {
    for (let part; (part = run.next()) !== undefined;) {
      for (const line of part.jsonl.split('\n')) {
        if (line !== '') found.push(JSON.parse(line));
      }
      part.free();
    }
  } finally {
    run.free();
  }
  return found;
}

export async function claim(text, options) {
  await ready();
  const bytes = text === undefined || text === null ? undefined : bytesOf(text);
  const { html, text: said, ruling } = JSON.parse(wasm.claim(bytes, JSON.stringify(options)));
  return { ...JSON.parse(ruling), html, text: said };
}

export async function games(text) {
  await ready();
  return JSON.parse(wasm.games(bytesOf(text)));
}

export async function positions(text, { game = 1 } = {}) {
  await ready();
  return JSON.parse(wasm.positions(bytesOf(text), game));
}
