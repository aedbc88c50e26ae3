import { Galley } from './galley.mjs';

const galley = new Galley('https://api.example.com/api/v1', process.env.GALLEY_KEY);
// The name of the intended job: the same again is the same job.
const job = await galley.generate('Composting in winter', 'compost-in-winter', { maxCredits: 40 });
console.log(job.article_id, 'for', job.cost, 'credits');
