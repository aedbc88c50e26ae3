import { FolderStore, Galley } from './galley.mjs';

const galley = new Galley('https://api.example.com/api/v1', process.env.GALLEY_KEY);
const store = new FolderStore('articles');
const done = await galley.sync(store); // from cron, every ten minutes
for (const id of await store.ids()) {
  const { article } = await store.get(id);
  console.log(`${article.slug}\t${article.title}`);
}
