// Keeps store.json in step with a workspace. Run it from cron.
//
// GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... node sync.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const { GALLEY_URL, GALLEY_KEY, ALLOW_REMOVALS = '0' } = process.env;
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const now = () => Math.floor(Date.now() / 1000);

// The answer's JSON, or null for the API's own 404.
async function get(path, query = {}) {
  const address = new URL(GALLEY_URL + path);
  for (const [name, value] of Object.entries(query))
    if (value) address.searchParams.set(name, value);
  for (let attempt = 0; attempt < 6; attempt++) {
    const answer = await fetch(address, {
      headers: { Authorization: `Bearer ${GALLEY_KEY}` },
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.ok) return answer.json();
    const text = await answer.text();
    if (answer.status === 404 && text.includes('"not_found"')) return null;
    if (answer.status !== 429 && answer.status < 500) throw new Error(`${answer.status}: ${text}`);
    await pause(Number(answer.headers.get('Retry-After') ?? 2 ** attempt));
  }
  throw new Error('the service does not answer');
}

// The last page, and id => revision of all pages.
async function scan(workspace, pair) {
  const listed = new Map();
  let page, cursor = null;
  do {
    page = await get('/sync', { ...pair, limit: 100, cursor });
    if (page.workspace_id !== (workspace ?? page.workspace_id))
      throw new Error('this is the key of another workspace');
    for (const { id, revision } of page.data) listed.set(id, revision);
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  return { page, listed };
}

async function sync({ workspace, pair, scanned = 0, articles }) {
  const held = Object.keys(articles);
  const age = now() - scanned;
  // All is listed where that takes ten requests at most; else once an hour.
  if (held.length <= 1000 || age < 0 || age >= 3300) pair = {};
  const { page, listed } = await scan(workspace, pair);
  const full = pair.settings_revision !== page.settings_revision;
  const changed = [...listed.keys()].filter((id) => articles[id]?.manifest !== listed.get(id));
  // The feed tells of no deletion: ask for what is held and was not listed.
  const unlisted = full ? held.filter((id) => !listed.has(id)) : [];
  const gone = [];
  for (const id of [...changed, ...unlisted]) {
    const found = await get(`/articles/${id}`);
    if (!found) gone.push(id);
    else if (listed.has(id)) articles[id] = { manifest: listed.get(id), article: found.data[0] };
  }
  // So much at once is more likely a mistake: a person looks first.
  const stopped = gone.length > Math.max(10, Number(ALLOW_REMOVALS)) && gone.length * 10 > held.length;
  if (!stopped) for (const id of gone) delete articles[id];
  const store = {
    workspace: page.workspace_id,
    // Only now, and both together.
    pair: { since: page.checkpoint, settings_revision: page.settings_revision },
    scanned: stopped ? 0 : full ? now() : scanned,
    articles,
  };
  return { store, tooMany: stopped ? gone.length : 0 };
}

const empty = { pair: {}, articles: {} };
const before = existsSync('store.json') ? JSON.parse(readFileSync('store.json', 'utf8')) : empty;
const { store, tooMany } = await sync(before);
writeFileSync('store.new', JSON.stringify(store));
renameSync('store.new', 'store.json');
console.log(Object.keys(store.articles).length, 'articles');
if (tooMany) {
  console.error(`${tooMany} would be removed; ALLOW_REMOVALS=${tooMany} allows it`);
  process.exitCode = 1;
}
