// Keeps store.json in step with a workspace. Run it from cron.
//
// GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... node sync.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const { GALLEY_URL, GALLEY_KEY } = process.env;
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// The answer's JSON, or null for a 404.
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
    if (answer.status === 404) return null;
    if (answer.status !== 429 && answer.status < 500)
      throw new Error(`${answer.status}: ${await answer.text()}`);
    await pause(Number(answer.headers.get('Retry-After') ?? 2 ** attempt));
  }
  throw new Error('the service does not answer');
}

async function sync({ workspace, pair, articles }) {
  let page, cursor = null;
  do {
    page = await get('/sync', { ...pair, cursor });
    workspace ??= page.workspace_id;
    if (workspace !== page.workspace_id)
      throw new Error('this is the key of another workspace');
    for (const { id, revision } of page.data) {
      if (articles[id]?.manifest === revision) continue;
      const found = await get(`/articles/${id}`);
      if (found) articles[id] = { manifest: revision, article: found.data[0] };
      else delete articles[id];
    }
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  // Only now, and both together.
  pair = { since: page.checkpoint, settings_revision: page.settings_revision };
  return { workspace, pair, articles };
}

const empty = { pair: {}, articles: {} };
const held = existsSync('store.json') ? JSON.parse(readFileSync('store.json', 'utf8')) : empty;
const store = await sync(held);
writeFileSync('store.new', JSON.stringify(store));
renameSync('store.new', 'store.json');
console.log(Object.keys(store.articles).length, 'articles');
