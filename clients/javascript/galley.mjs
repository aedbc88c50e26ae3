/**
 * Galley's publishing API, for the server of a website: Node 18, Deno, Bun and edge
 * runtimes. No packages.
 *
 *     import { Galley, FolderStore } from './galley.mjs';
 *
 *     const galley = new Galley('https://api.example.com/api/v1', key);
 *     const store = new FolderStore('articles');
 *     await galley.sync(store);           // from cron, every ten minutes
 *     for (const id of await store.ids()) {
 *       const { article } = await store.get(id);
 *     }
 *
 * Only FolderStore needs a file system; in an edge runtime, write your own store with
 * the same methods. Every error is a GalleyError. A request that fails with a passing
 * error (429, 5xx, no answer) is tried again a few times, after the wait that the
 * service asks for. The key stays on the server: never put it into a page.
 */

const SHORT = 1000; // Articles that ten requests list: everything is listed each time.
const HOUR = 55 * 60; // After it a full scan of more is due: a little less than cron's hour.
const KEPT_ANSWERS = 64; // Answers that are kept for their ETags.
const FIRST_POLLS = [1, 2, 3, 5]; // Seconds: most jobs are done soon, or take minutes.
const RESTARTS = 5; // Scans and listings in a row whose cursors are rejected.
const PARAMETERS = {
  '/connection': [],
  '/articles': ['limit', 'offset', 'cursor', 'drafts'],
  '/articles/{id}': ['drafts'],
  '/sync': ['limit', 'since', 'settings_revision', 'cursor'],
  '/pricing': [],
  '/jobs/{id}': [],
};
const ORDER = ['kind', 'image', 'autoPublish', 'researchId', 'maxCredits'];

// ---- errors

/** The base of all errors that this module throws. */
export class GalleyError extends Error {
  constructor(sentence, options) {
    super(sentence, options);
    this.name = new.target.name;
  }
}

/** An argument is not an address, a key or an id, or has a name that is not known. Nothing was sent. */
export class InvalidArgument extends GalleyError {}

/** The service refused. `status`, `code` and `requestId` describe the refusal; `details` is the whole body. */
export class ApiError extends GalleyError {
  constructor(status, details, retryAfter = null) {
    super(details.error ?? `The service answered ${status}.`);
    this.status = status;
    this.details = details;
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.requestId = details.request_id ?? null;
    this.retryAfter = retryAfter;
  }
}

/** 400: `param` names what was wrong. */
export class InvalidRequest extends ApiError {}

/** 401: the key is unknown or revoked. */
export class Unauthorized extends ApiError {}

/** 402: see `details.required_credits` and `details.available_credits`. */
export class InsufficientCredits extends ApiError {}

/** 403: the key lacks a scope, or the account is restricted. */
export class Forbidden extends ApiError {}

/** 404 from the API itself. Only this answer means that the article must be taken down. */
export class NotFound extends ApiError {}

/** 409: the reservation exceeds maxCredits. */
export class Conflict extends ApiError {}

/** 429, after the last try, or if the wait would be too long. */
export class RateLimited extends ApiError {}

/** 5xx: this says nothing about any article. */
export class ServiceUnavailable extends ApiError {}

/** There was no answer, or another program answered. */
export class Unreachable extends GalleyError {}

/** The key belongs to another workspace than the expected one. Nothing was written. */
export class WrongWorkspace extends GalleyError {}

/** So many articles would be removed that a person should look. All other changes were applied. */
export class TooManyRemovals extends GalleyError {
  constructor(count, held) {
    const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
    super(`${grouped(count)} of ${grouped(held)} would be removed; allow it with { allowRemovals: ${count} }`);
    this.count = count;
    this.held = held;
  }
}

/** Another sync of the same store is running. */
export class StoreBusy extends GalleyError {}

/** The store's folder cannot be read or written. */
export class StoreBroken extends GalleyError {}

/** The job failed and its credits came back; `job` says why. */
export class JobFailed extends GalleyError {
  constructor(job) {
    super(job.error ?? 'The job failed.');
    this.job = job;
  }
}

/** The job continues. Order again with the same key to wait again. `job` is its last known state. */
export class DeadlinePassed extends GalleyError {
  constructor(job) {
    super('The job was not finished before the deadline; order again with the same idempotencyKey.');
    this.job = job;
  }
}

const REFUSALS = {
  400: InvalidRequest,
  401: Unauthorized,
  402: InsufficientCredits,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: RateLimited,
};

function isPassing(error) {
  return [RateLimited, ServiceUnavailable, Unreachable].some((kind) => error instanceof kind);
}

// ---- requests

/** The API of one workspace. */
export class Galley {
  #url;
  #key;
  #timeout;
  #tries;
  #waitMax;
  #sleep;
  #clock;
  #fetch;
  #kept = new Map();

  /**
   * @param {string} url
   * @param {string} key
   * @param {object} [options]
   * workspace: the id of the workspace that the key must belong to; by default the first
   * one that a store sees. timeout: seconds for one answer (30). tries: of one request,
   * including the first one (5). waitMax: seconds; if the service asks for a longer wait,
   * the error is thrown at once (120). onStep: is called with a word before each request
   * and each write of sync(). fetch, sleep, clock: replace those of the runtime.
   */
  constructor(url, key, options = {}) {
    known(options, ['workspace', 'timeout', 'tries', 'waitMax', 'onStep', 'fetch', 'sleep', 'clock']);
    if (typeof url !== 'string' || !/^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(url)) {
      throw new InvalidArgument(`not the address of an API, like https://api.example.com/api/v1: ${url}`);
    }
    if (typeof key !== 'string' || !/^[!-~]*$/.test(key)) {
      throw new InvalidArgument('a key has no space, line break or other letter: is one left at its end?');
    }
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
    this.workspace = options.workspace ?? null;
    this.step = options.onStep ?? (() => {});
    this.#timeout = options.timeout ?? 30;
    this.#tries = options.tries ?? 5;
    this.#waitMax = options.waitMax ?? 120;
    this.#fetch = options.fetch ?? ((...words) => fetch(...words));
    this.#sleep = options.sleep ?? ((wait) => new Promise((done) => setTimeout(done, wait * 1000)));
    this.#clock = options.clock ?? (() => performance.now() / 1000);
  }

  /**
   * Returns {data, etag, unchanged}. With the `etag` of your own copy it may be `unchanged`
   * (304, no data). Without one, answers are kept here for the next request of the same
   * address. A parameter that the path does not have is an InvalidArgument: the API would
   * ignore it.
   */
  async get(path, query = {}, options = {}) {
    const { etag = null, until = null } = known(options, ['etag', 'until']);
    checkParameters(path, query);
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) words.set(name, String(value));
    }
    const target = String(words) === '' ? path : `${path}?${words}`;
    const kept = etag === null ? this.#kept.get(target) : undefined;
    const tag = etag ?? kept?.etag;
    const got = await this.#patiently('GET', target, tag ? { 'If-None-Match': tag } : {}, undefined, until);
    if (got.status === 304) {
      return kept
        ? { data: JSON.parse(kept.text), etag: kept.etag, unchanged: false }
        : { data: null, etag, unchanged: true };
    }
    if (got.etag && etag === null) {
      this.#kept.delete(target);
      this.#kept.set(target, { etag: got.etag, text: got.text });
      if (this.#kept.size > KEPT_ANSWERS) this.#kept.delete(this.#kept.keys().next().value);
    }
    return { data: got.data, etag: got.etag, unchanged: false };
  }

  async connection() {
    return (await this.get('/connection')).data;
  }

  async pricing() {
    return (await this.get('/pricing')).data;
  }

  /** Returns one article, or throws NotFound. With `drafts`, for keys with drafts:read, it may be a draft. */
  async article(id, options = {}) {
    const { drafts = false } = known(options, ['drafts']);
    return (await this.get(`/articles/${uuid(id)}`, { drafts: drafts || null })).data.data[0];
  }

  /**
   * Yields all articles, newest first, and reads each page when it is needed. With
   * `drafts`, for keys with drafts:read, it yields drafts, too.
   */
  async *articles(options = {}) {
    const { drafts = false, limit = 100 } = known(options, ['drafts', 'limit']);
    const seen = new Set();
    for (let left = RESTARTS; ; left--) {
      let cursor = null;
      try {
        do {
          const page = (await this.get('/articles', { limit, drafts: drafts || null, cursor })).data;
          for (const article of page.data) {
            if (seen.has(article.id)) continue;
            seen.add(article.id);
            yield article;
          }
          cursor = page.pagination.next_cursor;
        } while (cursor !== null);
        return;
      } catch (error) {
        const isRejected = error instanceof InvalidRequest && [null, 'cursor'].includes(error.param);
        if (!isRejected || cursor === null || left <= 1) throw error;
      }
    }
  }

  async #patiently(method, target, headers, body, until) {
    for (let attempt = 1; ; attempt++) {
      this.step(`${method} ${target}`);
      let wait;
      try {
        return await this.#once(method, target, headers, body, until);
      } catch (error) {
        if (!isPassing(error)) throw error;
        wait = error.retryAfter ?? Math.min(30, 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
        const isLate = until !== null && this.#clock() + wait >= until;
        if (attempt >= this.#tries || wait > this.#waitMax || isLate) throw error;
      }
      await this.#sleep(wait);
    }
  }

  async #once(method, target, headers, body, until) {
    const timeout = until === null ? this.#timeout : Math.max(1, Math.min(this.#timeout, until - this.#clock()));
    let answer, text;
    try {
      answer = await this.#fetch(this.#url + target, {
        method,
        headers: { ...headers, Authorization: `Bearer ${this.#key}`, Accept: 'application/json' },
        body,
        redirect: 'manual', // A redirect would carry the key to another address.
        signal: AbortSignal.timeout(timeout * 1000),
      });
      text = await answer.text();
    } catch (error) {
      throw new Unreachable(`No answer from ${this.#url}: ${error.cause?.message ?? error.message}`, { cause: error });
    }
    if (answer.status === 304) return { status: 304 };
    const data = parsed(text);
    if (answer.status !== 200) throw refusal(answer, data);
    if (data === null) throw new Unreachable(`What answered at ${this.#url} is not the API.`);
    return { status: 200, text, data, etag: answer.headers.get('ETag') };
  }

  // ---- jobs

  async job(id, options = {}) {
    const { until = null } = known(options, ['until']);
    return (await this.get(`/jobs/${uuid(id)}`, {}, { until })).data;
  }

  /**
   * Orders a job, or finds the one that was ordered with the same `idempotencyKey`: store
   * that value before you call, and use it again when a call has failed. Returns the
   * present state of the job. `options`: image, autoPublish, kind, researchId, maxCredits.
   */
  async order(topic, idempotencyKey, options = {}, times = {}) {
    const { until = null } = known(times, ['until']);
    known(options, ORDER);
    if (typeof idempotencyKey !== 'string' || !/^[ -~]*$/.test(idempotencyKey)) {
      throw new InvalidArgument(`not an idempotencyKey, which is printable ASCII: ${idempotencyKey}`);
    }
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    return (await this.#patiently('POST', '/generate', headers, JSON.stringify({ topic, ...options }), until)).data;
  }

  /**
   * Orders a job and waits for it, `deadline` seconds in all. Returns the completed job,
   * or throws JobFailed or DeadlinePassed. It asks for the job after 1, 2, 3 and 5
   * seconds, then every `poll` seconds, which grow to 30.
   */
  async generate(topic, idempotencyKey, options = {}, times = {}) {
    const { deadline = 900, poll = 10 } = known(times, ['deadline', 'poll']);
    const until = this.#clock() + deadline;
    const waits = polls(poll);
    let job = await this.order(topic, idempotencyKey, options, { until });
    while (job.status === 'queued' || job.status === 'running') {
      const left = until - this.#clock();
      if (left <= 0) throw new DeadlinePassed(job);
      await this.#sleep(Math.min(waits.next().value, left));
      try {
        job = await this.job(job.id, { until });
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (this.#clock() >= until) throw new DeadlinePassed(job);
      }
    }
    if (job.status === 'failed') throw new JobFailed(job);
    return job;
  }

  // ---- sync

  /**
   * Makes a store equal to what is published. Returns {added, updated, removed: ids, full}.
   *
   * Everything is listed while the store holds 1,000 articles or fewer; with more, once
   * an hour, and with `full`. An article that the store holds, but that was not listed, is
   * asked for by id: only a 404 removes it. If more than 10 and more than a tenth of the
   * store would be removed, nothing is removed, all other changes are applied, and
   * TooManyRemovals is thrown; its count as `allowRemovals` allows the removal. The program
   * may be killed at any time: the next sync continues from the last completed one.
   */
  async sync(store, options = {}) {
    const { full = false, allowRemovals = 0 } = known(options, ['full', 'allowRemovals']);
    const unlock = await store.lock?.();
    try {
      return await new Sync(this, store).run(full, allowRemovals);
    } finally {
      await unlock?.();
    }
  }
}

/** Returns the options. Refuses a name that is none of theirs: a misspelt one would change nothing. */
function known(options, names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new InvalidArgument(`there is no option ${name}; there are ${names.join(', ')}`);
    }
  }
  return options;
}

/** Refuses a parameter that a path of the API does not have: the API would ignore it. */
function checkParameters(path, query) {
  const [address, rest = ''] = path.split('?', 2);
  const names = PARAMETERS[address.replace(/^\/(articles|jobs)\/.*/, '/$1/{id}')];
  for (const name of [...Object.keys(query), ...new URLSearchParams(rest).keys()]) {
    if (names && !names.includes(name)) {
      throw new InvalidArgument(`${address} has no parameter ${name}; it has ${names.join(', ') || 'none'}`);
    }
  }
}

/** Returns the JSON value if it is an object, else null. */
function parsed(text) {
  try {
    const data = JSON.parse(text);
    return typeof data === 'object' ? data : null;
  } catch {
    return null;
  }
}

function refusal(answer, details) {
  const { status } = answer;
  const isOurs = typeof details?.code === 'string';
  if (status === 404 && !(isOurs && details.code === 'not_found')) {
    return new Unreachable("The 404 is not the API's: is the address right?");
  }
  const Kind = REFUSALS[status] ?? (status >= 500 ? ServiceUnavailable : ApiError);
  return new Kind(status, isOurs ? details : {}, secondsOf(answer.headers.get('Retry-After')));
}

/** Returns seconds, from either form of Retry-After, or null. */
function secondsOf(text) {
  if (/^\d{1,9}$/.test(text ?? '')) return Number(text);
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(text ?? '') ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

function* polls(poll) {
  for (const wait of FIRST_POLLS) yield Math.min(wait, poll);
  for (;;) {
    yield poll;
    poll = Math.max(poll, Math.min(poll * 1.5, 30));
  }
}

/** Refuses what is not an id: ids become parts of addresses and names of files. */
function uuid(id) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new InvalidArgument(`not an id: ${id}`);
  return id;
}

function listedId({ id }) {
  try {
    return uuid(id);
  } catch (error) {
    throw new Unreachable(`What answered is not the API: ${error.message}`);
  }
}

/**
 * One run of the protocol. Bodies are fetched after the whole manifest was read, so that
 * they are never older than the revision with which they are stored.
 */
class Sync {
  constructor(galley, store) {
    this.galley = galley;
    this.store = store;
    this.added = [];
    this.updated = [];
    this.gone = [];
  }

  async run(full, allowRemovals) {
    let state = (await this.store.state()) ?? {};
    this.expected = this.galley.workspace ?? state.workspace_id ?? null;
    this.confirm(state.workspace_id ?? this.expected);
    this.confirm((await this.galley.connection()).workspace.id);
    if (!state.workspace_id) {
      state = { workspace_id: this.expected };
      await this.save(state);
    }
    this.before = new Set(await this.store.ids());
    const isFull = full || this.before.size <= SHORT || isFullDue(state);
    const pair = isFull ? null : { since: state.checkpoint, settings_revision: state.settings_revision };
    const { page, listed, complete } = await this.scan(pair);
    await this.fetch(listed);
    if (complete) await this.askFor([...this.before].filter((id) => !listed.has(id)));
    const count = this.gone.length;
    const held = this.before.size;
    const isBraked = count > Math.max(allowRemovals, 10) && count * 10 > held;
    if (!isBraked) await this.remove();
    const scannedAt = complete ? Math.floor(Date.now() / 1000) : (state.full_scan_at ?? null);
    await this.save({
      workspace_id: this.expected,
      checkpoint: page.checkpoint,
      settings_revision: page.settings_revision,
      full_scan_at: isBraked ? null : scannedAt,
    });
    if (isBraked) throw new TooManyRemovals(count, held);
    return { added: this.added, updated: this.updated, removed: this.gone, full: complete };
  }

  confirm(workspace) {
    this.expected ??= workspace;
    if (workspace !== this.expected) {
      throw new WrongWorkspace(
        `The key or store is of workspace ${workspace}; expected ${this.expected}. Nothing was written.`,
      );
    }
  }

  /**
   * Returns the last page, id => revision, and whether all published articles were listed.
   * A rejected cursor starts the scan again; a rejected pair starts it without the pair.
   */
  async scan(pair) {
    for (let left = RESTARTS; ; left--) {
      const listed = new Map();
      let cursor = null;
      try {
        let page;
        do {
          page = (await this.galley.get('/sync', { ...pair, limit: 100, cursor })).data;
          this.confirm(page.workspace_id);
          for (const item of page.data) listed.set(listedId(item), item.revision);
          cursor = page.pagination.next_cursor;
        } while (cursor !== null);
        const complete = pair === null || pair.settings_revision !== page.settings_revision;
        return { page, listed, complete };
      } catch (error) {
        if (!(error instanceof InvalidRequest) || left <= 1 || (cursor === null && pair === null)) throw error;
        if (cursor === null) pair = null;
      }
    }
  }

  async fetch(listed) {
    const missing = new Map();
    for (const [id, revision] of listed) {
      if ((await this.store.get(id))?.manifest !== revision) missing.set(id, revision);
    }
    if (missing.size > 100) {
      for await (const article of this.galley.articles({ limit: 100 })) {
        if (missing.has(article.id)) await this.put(article, missing.get(article.id), null);
        missing.delete(article.id);
        if (missing.size === 0) break;
      }
    }
    for (const [id, revision] of missing) {
      const record = await this.store.get(id);
      const answer = await this.ask(id, record);
      if (answer !== null) {
        await this.put(answer.unchanged ? record.article : answer.data.data[0], revision, answer.etag);
      } else if (this.before.has(id)) {
        this.gone.push(id);
      }
    }
  }

  /** Returns the answer about an article, or null for a 404. */
  async ask(id, record) {
    try {
      return await this.galley.get(`/articles/${id}`, {}, { etag: record?.etag ?? null });
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async put(article, manifest, etag) {
    const { id } = article;
    this.galley.step(`put ${id}`);
    await this.store.put(id, { manifest, etag, article });
    (this.before.has(id) ? this.updated : this.added).push(id);
  }

  async askFor(ids) {
    for (const id of ids) {
      if ((await this.ask(id, await this.store.get(id))) === null) this.gone.push(id);
    }
  }

  async remove() {
    for (const id of this.gone) {
      this.galley.step(`remove ${id}`);
      await this.store.remove(id);
    }
  }

  async save(state) {
    this.galley.step('save the pair');
    await this.store.saveState(state);
  }
}

function isFullDue(state) {
  if (!state.checkpoint || !state.settings_revision || !Number.isFinite(state.full_scan_at)) return true;
  const since = Date.now() / 1000 - state.full_scan_at;
  return since < 0 || since >= HOUR;
}

// ---- stores

/**
 * Articles as files, for Node, Deno and Bun: articles/ID.json with {manifest, etag,
 * article}, and state.json with the pair. Each file is replaced whole. Your own store
 * needs the same methods except lock(); saveState() must be one write.
 */
export class FolderStore {
  #folder;
  #step;
  #files;

  constructor(folder, options = {}) {
    const { onStep = () => {} } = known(options, ['onStep']);
    this.#folder = String(folder);
    this.#step = onStep;
  }

  async #ready() {
    if (!this.#files) {
      const files = await import('node:fs/promises');
      await this.#named('articles', () => files.mkdir(`${this.#folder}/articles`, { recursive: true }));
      this.#files = files;
    }
    return this.#files;
  }

  /**
   * Keeps others out until the function that it returns is called. The lock names its
   * process; if that process was killed, the next one takes the lock over.
   */
  async lock() {
    const files = await this.#ready();
    const path = `${this.#folder}/lock`;
    const { pid } = await import('node:process');
    for (let left = 2; left > 0; left--) {
      try {
        await files.writeFile(path, String(pid), { flag: 'wx' });
        return () => files.rm(path, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw new StoreBroken(`${path}: ${error.message}`, { cause: error });
        if (await this.#isAlive(path)) break;
        await files.rm(path, { force: true });
      }
    }
    throw new StoreBusy(`Another sync of ${this.#folder} is running, or ${path} is left of one.`);
  }

  async #isAlive(path) {
    const { kill } = await import('node:process');
    const pid = Number(await this.#read('lock'));
    const age = Date.now() - (await this.#files.stat(path)).mtimeMs;
    // The lock was made this moment, without its number yet; or a crash left it.
    if (!Number.isInteger(pid) || pid <= 0) return age < 60_000;
    // After a restart of the machine the number may belong to another program.
    if (age > 3_600_000 * 6) return false;
    try {
      kill(pid, 0);
      return true;
    } catch (error) {
      return error.code === 'EPERM';
    }
  }

  async state() {
    const text = await this.#read('state.json');
    if (text === null) return {};
    const state = parsed(text);
    if (state === null) {
      throw new StoreBroken(`${this.#folder}/state.json is damaged; without it the next sync lists everything.`);
    }
    return state;
  }

  async saveState(state) {
    await this.#write('state.json', state);
  }

  async ids() {
    const files = await this.#ready();
    const names = await this.#named('articles', () => files.readdir(`${this.#folder}/articles`));
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  }

  /** Returns {manifest, etag, article}, or null. A damaged file counts as missing: a full scan fetches it again. */
  async get(id) {
    const text = await this.#read(`articles/${uuid(id)}.json`);
    return text === null ? null : parsed(text);
  }

  async put(id, record) {
    await this.#write(`articles/${uuid(id)}.json`, record);
  }

  async remove(id) {
    const files = await this.#ready();
    const name = `articles/${uuid(id)}.json`;
    await this.#named(name, () => files.rm(`${this.#folder}/${name}`, { force: true }));
  }

  async #named(name, work) {
    try {
      return await work();
    } catch (error) {
      throw new StoreBroken(`${this.#folder}/${name}: ${error.message}`, { cause: error });
    }
  }

  async #read(name) {
    const files = await this.#ready();
    return this.#named(name, async () => {
      try {
        return await files.readFile(`${this.#folder}/${name}`, 'utf8');
      } catch (error) {
        if (error.code === 'ENOENT') return null;
        throw error;
      }
    });
  }

  #write(name, value) {
    return this.#named(name, () => this.#replace(name, value));
  }

  async #replace(name, value) {
    const files = await this.#ready();
    const path = `${this.#folder}/${name}`;
    const file = await files.open(`${path}.new`, 'w');
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    this.#step(`rename ${name}`);
    await files.rename(`${path}.new`, path);
  }
}

// ---- pages

/** Returns `rtl` or `ltr`, the direction of an article's language, for the page around it. */
export function direction(article) {
  return /^<article [^>]*dir="rtl"/.test(article.html) ? 'rtl' : 'ltr';
}

/** Returns the structured data for a script element. No text in it can end that element. */
export function jsonLdText(article) {
  return JSON.stringify(article.json_ld).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the whole script element, for HTML that is written as text. */
export function jsonLdScript(article) {
  return `<script type="application/ld+json">${jsonLdText(article)}</script>`;
}

/**
 * Returns `seo` as the object that generateMetadata() of Next.js returns. Use it with
 * jsonLdText(), or use head_html alone.
 */
export function metadata({ seo }) {
  return {
    title: { absolute: seo.title },
    ...(seo.description ? { description: seo.description } : {}),
    robots: seo.robots,
    ...(seo.canonical ? { alternates: { canonical: seo.canonical } } : {}),
    openGraph: seo.openGraph,
    twitter: seo.twitter,
  };
}

// ---- pings

/**
 * Returns whether a POST is a ping of Galley. `body` is its text as it came (await request.text()),
 * `signature` the header Galley-Signature, `tolerance` the seconds for which a ping is good.
 */
export async function pingChecks(secret, body, signature, options = {}) {
  const { tolerance = 300, now } = known(options, ['tolerance', 'now']);
  const found = /^t=([0-9]{1,15}),v1=([0-9a-f]{64})$/.exec(signature ?? '');
  if (!found || Math.abs((now ?? Date.now() / 1000) - Number(found[1])) > tolerance) return false;
  const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto;
  const bytes = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', bytes.encode(secret), hmac, false, ['verify']);
  const mac = Uint8Array.from(found[2].match(/../g), (pair) => parseInt(pair, 16));
  return subtle.verify(hmac, key, mac, bytes.encode(`${found[1]}.${body}`)); // in constant time
}
