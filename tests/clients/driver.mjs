// Calls of clients/javascript/galley.mjs, for tests/lib/Clients.pm: each is a line on standard
// input, a JSON object, and so is its result on standard output. Waits are noted and not
// waited; `kill_at` is the step at which the process kills itself.
import { createInterface } from 'node:readline';
import * as module from '../../clients/javascript/galley.mjs';

async function run(galley, call, onStep) {
  const words = call.with ?? {};
  const { topic, idempotency_key: key, image, max_credits: maxCredits, order, ...times } = words;
  const { id, allow_removals: allowRemovals, ...named } = words;
  switch (call.call) {
    case 'sync':
      return galley.sync(new module.FolderStore(call.store, { onStep }), { ...named, allowRemovals });
    case 'get':
      return (await galley.get(words.path, words.query)).data;
    case 'articles': {
      const ids = [];
      for await (const { id } of galley.articles(words)) ids.push(id);
      return ids;
    }
    case 'twice':
      return [(await galley.article(words.id)).revision, (await galley.article(words.id)).revision];
    case 'page': {
      const article = await galley.article(words.id);
      return { script: module.jsonLdScript(article), metadata: module.metadata(article) };
    }
    case 'ping':
      return module.pingChecks(words.secret, words.body, words.signature, { now: words.now });
    case 'job':
      return galley.job(id, named);
    case 'article':
      return galley.article(id, named);
    case 'order':
    case 'generate':
      return galley[call.call](topic, key, { image, maxCredits, ...order }, times);
    default:
      return galley[call.call]();
  }
}

async function answerOf(call) {
  const steps = [];
  const waits = [];
  const onStep = (word) => {
    steps.push(word);
    if (steps.length === call.kill_at) process.kill(process.pid, 'SIGKILL');
  };
  const answer = {};
  try {
    const { workspace, tries } = call;
    const sleep = async (wait) => waits.push(wait);
    const clock = () => performance.now() / 1000 + waits.reduce((sum, wait) => sum + wait, 0);
    const galley = new module.Galley(call.url, call.key, { workspace, tries, onStep, sleep, clock });
    answer.result = await run(galley, call, onStep);
  } catch (error) {
    if (!(error instanceof module.GalleyError)) throw error;
    const { name, message, status, code, param, details, job } = error;
    Object.assign(answer, { error: name, sentence: message, status, code, param, details, job });
  }
  return { ...answer, waits, steps };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answerOf(JSON.parse(line)))}\n`);
}
