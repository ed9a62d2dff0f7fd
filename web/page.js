// The page: shows what its worker finds. Text from files becomes text nodes, never markup.

/** Findings that are listed at first, and added by each `Show more`. */
const LISTED_AT_ONCE = 200;
/** Games that are offered at once; a search finds the others. */
const OFFERED = 300;

const $ = (id) => document.getElementById(id);
const on = (id, type, listener) => $(id).addEventListener(type, listener);
const number = (count) => count.toLocaleString('en');
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;

/** A new element with properties or attributes, and children that are elements or texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** What became of a source, with its name if there are several. */
const outcome = ({ name, text, error }) => make('p', { className: error ? 'error' : 'account' },
  ...sources.length > 1 && name ? [make('strong', {}, name), '\n'] : [], error ?? text);
const excerptOf = (label, ...lines) => make('pre', { tabIndex: 0, ariaLabel: label }, ...lines);

/** A message with its quoted words as code. */
const quoted = (message) => message.split('`').map((part, index) => (
  index % 2 === 1 ? make('code', {}, part) : part));

/** Makes a link download a blob. */
function offer(link, blob, name) {
  if (link.href) URL.revokeObjectURL(link.href);
  Object.assign(link, { href: URL.createObjectURL(blob), download: name, hidden: false });
}

function say(text, isError = false) {
  $('status').textContent = text;
  $('status').classList.toggle('error', isError);
}

// The worker, which does one long piece of work at a time.

class Cancelled extends Error {}
let [worker, work, lastId] = [null, null, 0];
const pending = new Map();

function startWorker() {
  worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = ({ data: { id, part, value, error } }) => {
    const request = pending.get(id);
    if (request && part !== undefined) {
      request.onPart(part);
    } else if (request) {
      pending.delete(id);
      if (error === undefined) request.resolve(value);
      else request.reject(new Error(error));
    }
  };
  worker.onerror = () => rejectAll(new Error('This browser cannot run the page.'));
}

function rejectAll(error) {
  for (const { reject } of pending.values()) reject(error);
  pending.clear();
}

function ask(task, args = {}, onPart = () => {}) {
  return new Promise((resolve, reject) => {
    pending.set(lastId += 1, { resolve, reject, onPart });
    worker.postMessage({ id: lastId, task, args });
  });
}

/** Ends all work, also in the middle of a file: a worker can only be replaced. */
function cancel() {
  worker.terminate();
  rejectAll(new Cancelled());
  startWorker();
}

/** Asks for what takes time, with a progress bar, and ends what was asked before. */
async function askLong(label, task, args, onPart = () => {}) {
  if (work) cancel();
  const mine = work = {};
  let quarter = 0;
  $('work-label').textContent = label;
  $('progress').removeAttribute('value');
  $('work').hidden = false;
  say(`${label}.`);
  try {
    return await ask(task, args, (part) => {
      if (part.done === undefined) {
        onPart(part);
        return;
      }
      $('progress').value = part.done;
      const quarters = Math.floor(part.done * 4);
      if (quarters > quarter && quarters < 4) say(`${label}: ${quarters * 25} % done.`);
      quarter = quarters;
    });
  } finally {
    if (work === mine) {
      if (document.activeElement === $('cancel')) $('status').focus();
      $('work').hidden = true;
      work = null;
    }
  }
}

/** Does what was asked for, or says why it cannot be done. */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Cancelled)) say(error.message, true);
  }
}

// The games, and the part of the page that is shown.

let sources = [];
let shown = 'check';
let done = new Set();

async function use(files) {
  const { opened, said } = await askLong('Opening files', 'open', { files });
  [sources, done] = [opened, new Set()];
  $('loaded').textContent = said;
  for (const id of ['checked', 'counted', 'choose']) $(id).hidden = true;
  $('no-games').hidden = $('no-results').hidden = false;
  setQuestion(null);
  await refresh();
}

const useFiles = (files) => attempt(() => (
  use([...files].map((file) => ({ name: file.name, blob: file })))));

/** Does the work of the shown part, unless it has been done for these games. */
async function refresh() {
  const [part, parts] = [shown, done];
  if (parts.has(part) || sources.length === 0) return;
  parts.add(part);
  try {
    await { check, claim: listGames, results: count }[part]();
  } catch (error) {
    parts.delete(part);
    throw error;
  }
}

function show(part) {
  shown = part;
  for (const link of $('parts').children) {
    const isShown = link.hash === `#${part}`;
    $(link.hash.slice(1)).hidden = !isShown;
    link.ariaCurrent = isShown ? 'page' : null;
  }
}

async function followHash() {
  const part = location.hash.slice(1);
  if (part === 'example') {
    history.replaceState(null, '', '#claim');
    await showExample();
  } else if (['check', 'claim', 'results'].includes(part)) {
    show(part);
    await refresh();
  }
}

// Check games.

let findings = [];
let counts = [];
let [listed, scanned, limit] = [0, 0, LISTED_AT_ONCE];

const SEVERITIES = ['error', 'warning', 'note'];
const isWanted = ({ severity, code }) => $(`show-${severity}`).checked
  && ['', code].includes($('code').value);
const total = (entries) => entries.reduce((sum, { count: found }) => sum + found, 0);

function boardOf(fen, label, ...caption) {
  const image = make('img', { alt: label, width: 320, height: 320 });
  attempt(async () => {
    image.src = `data:image/svg+xml,${encodeURIComponent(await ask('board', { fen, label }))}`;
  });
  return make('figure', {}, image, make('figcaption', {}, label, ...caption));
}

function detailsOf({ code, excerpt, help, repair: repairable, fen, label }) {
  const text = make('div');
  if (excerpt) text.append(excerptOf('Excerpt', excerpt));
  if (help) text.append(make('p', {}, ...quoted(help)));
  if (repairable) text.append(make('p', {}, repairable));
  const explain = make('button', { type: 'button' }, `What is ${code}?`);
  explain.addEventListener('click', () => attempt(() => showExplanation(code)));
  text.append(make('p', {}, explain));
  if (!fen) return text;
  const board = boardOf(fen, label, make('br'), make('code', {}, fen));
  return make('div', { className: 'beside' }, text, board);
}

function itemOf(finding) {
  const { severity, message, place } = finding;
  const item = make('details', {}, make('summary', {},
    make('span', { className: `badge ${severity}` }, severity), ' ', ...quoted(message), ' ',
    make('span', { className: 'place' }, place)));
  item.addEventListener('toggle', () => {
    if (item.children.length === 1) item.append(detailsOf(finding));
  });
  item.open = listed === 0;
  return make('li', {}, item);
}

/** Lists findings that are wanted and not yet listed, up to the limit. */
function listMore() {
  for (; scanned < findings.length && listed < limit; scanned += 1) {
    if (isWanted(findings[scanned])) {
      $('findings').append(itemOf(findings[scanned]));
      listed += 1;
    }
  }
  const wanted = total(counts.filter(isWanted));
  $('more').hidden = !findings.slice(scanned).some(isWanted);
  const rest = wanted > listed && $('more').hidden ? ': the download has the others' : '';
  $('more-text').textContent = wanted === 0 ? 'No findings.'
    : `${number(listed)} of ${plural(wanted, 'finding')} listed${rest}.`;
}

function listAgain() {
  [listed, scanned, limit] = [0, 0, LISTED_AT_ONCE];
  $('findings').replaceChildren();
  listMore();
}

function setCounts(entries) {
  counts = entries;
  for (const severity of SEVERITIES) {
    const found = total(counts.filter((entry) => entry.severity === severity));
    $(`count-${severity}`).textContent = number(found);
  }
  const chosen = $('code').value;
  $('code').replaceChildren(new Option('All kinds', ''), ...counts.map((entry) => (
    new Option(`${entry.code} ${entry.name} (${number(entry.count)})`, entry.code))));
  $('code').value = counts.some(({ code }) => code === chosen) ? chosen : '';
}

async function check() {
  findings = [];
  setCounts([]);
  listAgain();
  for (const id of ['accounts', 'repaired', 'more-text']) $(id).replaceChildren();
  $('jsonl').hidden = true;
  $('checked').hidden = false;
  const args = { sources, strict: $('strict').checked };
  const add = (part) => {
    findings.push(...part.listed);
    setCounts(part.counts);
    listMore();
  };
  const { accounts, said, failed, jsonl } = await askLong('Checking', 'check', args, add);
  listMore();
  $('accounts').append(...accounts.map(outcome));
  offer($('jsonl'), jsonl, 'findings.jsonl');
  say(said, failed);
}

async function repair() {
  const args = { sources, strict: $('strict').checked, suggestions: $('suggestions').checked };
  const repaired = await askLong('Repairing', 'repair', args);
  $('repaired').replaceChildren();
  for (const { lines, cut, file, blob, ...source } of repaired) {
    $('repaired').append(outcome(source));
    if (lines.length === 0) continue;
    const link = make('a', { className: 'button' }, 'Download the repaired file');
    offer(link, blob, file);
    const tags = { '+': 'ins', '-': 'del' };
    const diff = lines.map((line) => make(tags[line[0]] ?? 'span', {}, `${line}\n`));
    $('repaired').append(make('p', {}, link), excerptOf('Changes', ...diff));
    if (cut) $('repaired').append(make('p', {}, 'The file has more changes than these.'));
  }
  const isChanged = repaired.some(({ lines }) => lines.length > 0);
  say(isChanged ? 'Repaired: the changes are shown.' : 'Nothing can be repaired.');
}

async function showExplanation(code) {
  const { heading, blocks } = await ask('explain', { code });
  $('explanation-title').textContent = heading;
  $('explanation-text').replaceChildren(...blocks.map(({ isGame, text }) => (
    make(isGame ? 'pre' : 'p', {}, ...quoted(text)))));
  $('explanation').showModal();
}

// Settle a claim.

let [choices, claims, example, question] = [[], [], null, null];

function setQuestion(asked) {
  question = asked;
  $('ruling').hidden = true;
  $('moment').hidden = $('question').hidden = asked === null;
  if (asked === null) return;
  const { moments } = asked;
  $('moves').replaceChildren(...moments.slice(1).map(({ ply, move, san, number: at, side }) => {
    const radio = make('input', { type: 'radio', name: 'move', value: ply, ariaLabel: move });
    const count = side === 'white' ? `${at}. ` : ply === 1 ? `${at}... ` : '';
    return make('label', {}, count, radio, make('span', {}, san));
  }));
  $('moves').parentElement.hidden = moments.length === 1;
  chooseMoment(moments.length - 1);
  $('moves').scrollTop = $('moves').scrollHeight;
}

function chooseMoment(ply) {
  question.ply = ply;
  const { fen, label } = question.moments[ply];
  $('board').replaceChildren(boardOf(fen, label));
  if (ply > 0) $('moves').querySelectorAll('input')[ply - 1].checked = true;
}

async function listGames() {
  const found = await askLong('Looking for games', 'list', { sources });
  choices = found.choices;
  $('choose').hidden = choices.length === 0;
  $('no-games').hidden = choices.length > 0;
  $('find').value = '';
  offerGames();
  if (found.isCut) $('game-hint').append(' Only the beginning of a large file is searched.');
  say(`${plural(choices.length, 'game')} to choose from.`);
  if (choices.length > 0) await chooseGame(0);
}

function offerGames() {
  const words = $('find').value.toLowerCase().split(/\s+/);
  const options = choices.map(({ label }, index) => ({ label, index })).filter(({ label }) => (
    words.every((word) => label.toLowerCase().includes(word))));
  $('game').replaceChildren(...options.slice(0, OFFERED).map(({ label, index }) => (
    new Option(label, index))));
  $('game-hint').textContent = options.length > OFFERED
    ? `${OFFERED} of ${number(options.length)} games are listed: search for the others.`
    : `${plural(options.length, 'game')}.`;
}

async function chooseGame(index) {
  $('game').value = index;
  const { source, start, end } = choices[index];
  const blob = sources[source].blob.slice(start, end);
  const moments = await ask('moments', { blob });
  if ($('game').value === String(index)) setQuestion({ blob, moments });
}

async function choosePosition() {
  const fen = $('fen').value.trim();
  const moments = await ask('moments', { fen });
  $('game').selectedIndex = -1;
  setQuestion({ fen, moments });
  $('what').focus();
}

function showQuestion() {
  const { name, takes_move: takesMove } = claims.find((claim) => claim.name === $('what').value);
  $('by').parentElement.hidden = name === 'flag';
  $('fallen').parentElement.hidden = name !== 'flag';
  $('announced').parentElement.hidden = !takesMove;
}

async function settle() {
  const { blob, fen, moments, ply } = question;
  const options = { claim: $('what').value, rules: $('rules').value };
  if (fen) options.fen = fen;
  for (const [name, id] of [['by', 'by'], ['fallen', 'fallen'], ['move', 'announced']]) {
    const value = $(id).value.trim();
    if (value && !$(id).parentElement.hidden) options[name] = value;
  }
  const { number: move, side } = moments[ply];
  if (ply > 0) options.at = `${move}${side === 'white' ? 'w' : 'b'}`;
  const { html } = await askLong('Settling the claim', 'claim', { blob, options });
  $('ruling').hidden = false;
  offer($('save'), new Blob([html], { type: 'text/html' }), 'ruling.html');
  await new Promise((resolve) => {
    $('page').onload = resolve;
    $('page').srcdoc = html;
  });
  fitRuling();
  $('ruling-title').focus();
  say($('page').contentDocument.querySelector('strong')?.textContent ?? 'The ruling is shown.');
}

function fitRuling() {
  $('page').style.height = `${$('page').contentDocument.body.scrollHeight + 40}px`;
}

async function showExample() {
  show('claim');
  await use([example.game]);
  for (const [id, value] of Object.entries(example.claim)) $(id).value = value;
  showQuestion();
  await settle();
}

// Count results.

function tableOf(caption, rows) {
  return make('table', {}, make('caption', {}, caption), make('tbody', {}, ...rows.map((row) => (
    make('tr', {}, make('th', { scope: 'row' }, row[0]), make('td', {}, row[1]))))));
}

async function count() {
  const { table, ends, records, errors, said } = await askLong('Counting', 'results', { sources });
  const items = records.map(({ head, because }) => (
    make('li', {}, make('strong', {}, head), make('br'), ...quoted(because))));
  $('counted').replaceChildren(...errors.map((error) => outcome({ error })),
    tableOf('Statistics of won games', table), tableOf('How the games ended', ends),
    make('h3', {}, 'Results that the rules contradict'),
    items.length > 0 ? make('ol', {}, ...items) : make('p', {}, 'None.'));
  $('no-results').hidden = true;
  $('counted').hidden = false;
  say(said);
}

// Start.

function listen() {
  on('files', 'change', ({ target }) => {
    useFiles(target.files);
    target.value = '';
  });
  on('use-paste', 'click', () => attempt(async () => {
    const text = $('paste').value;
    if (text.trim() === '') throw new Error('Paste a game first.');
    await use([{ name: 'pasted.pgn', blob: new Blob([text]) }]);
  }));
  for (const type of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      $('drop').classList.toggle('over', type === 'dragover');
      const { files } = event.dataTransfer;
      if (type === 'drop' && files.length > 0) useFiles(files);
    });
  }
  on('cancel', 'click', () => {
    cancel();
    say('Cancelled.');
  });
  on('strict', 'change', () => {
    done.delete('check');
    attempt(refresh);
  });
  on('filters', 'change', listAgain);
  on('more', 'click', () => {
    const first = listed;
    limit += LISTED_AT_ONCE;
    listMore();
    $('findings').children[first].querySelector('summary').focus();
  });
  on('repair', 'click', () => attempt(repair));
  on('find', 'input', offerGames);
  on('game', 'change', ({ target }) => attempt(() => chooseGame(target.value)));
  on('use-fen', 'click', () => attempt(choosePosition));
  on('moves', 'change', ({ target }) => chooseMoment(Number(target.value)));
  on('what', 'change', showQuestion);
  on('claim-form', 'submit', (event) => {
    event.preventDefault();
    const { id } = document.activeElement;
    if (id === 'fen') attempt(choosePosition);
    else if (id !== 'find' && question) attempt(settle);
  });
  on('print', 'click', () => $('page').contentWindow.print());
  window.addEventListener('resize', () => $('ruling').hidden || fitRuling());
  window.addEventListener('hashchange', () => attempt(followHash));
}

async function start() {
  startWorker();
  for (const severity of SEVERITIES) {
    const box = make('input', { type: 'checkbox', id: `show-${severity}`, checked: true });
    const found = make('span', { id: `count-${severity}`, className: 'count' }, '0');
    $('severities').append(make('label', { className: 'choice' }, box, ` ${severity}s `, found));
  }
  show('check');
  setQuestion(null);
  $('choose').hidden = true;
  listen();
  navigator.serviceWorker?.register('sw.js');
  const lists = await ask('start');
  ({ claims, example } = lists);
  $('what').append(...claims.map(({ name, help }) => new Option(help, name)));
  $('rules').append(...lists.rules.map(({ name, title }) => new Option(title, name)));
  showQuestion();
  document.documentElement.dataset.ready = 'true';
  await followHash();
}

attempt(start);
