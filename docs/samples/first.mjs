import { Galley } from './galley.mjs';

const galley = new Galley('https://api.example.com/api/v1', process.env.GALLEY_KEY);
console.log((await galley.connection()).workspace.id);
for await (const article of galley.articles()) {
  console.log(article.title);
}
