// node check-exports.mjs FOLDER CHECKER…
//
// Reads the samples in FOLDER (*.json: {name, article, …}, see
// tests/lib/Exports.pm) and prints what the checkers find wrong, as JSON:
// [{sample, checker, says}, …]. A checker is export-NAME.mjs beside this file;
// its `check(samples, report)` calls report(sample, sentence). Every sample has
// its `page` by then: the whole document that docs/export.md §2 makes of an export.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const checkers = {
	axe: './export-axe.mjs',
	graph: './export-graph.mjs',
	markup: './export-markup.mjs',
	nu: './export-nu.mjs',
};

function page(article) {
	const { head_html: head, html, seo: { language } } = article;
	const dir = / dir="(ltr|rtl)"/.exec(html)[1];
	return `<!doctype html>
<html lang="${language}" dir="${dir}"><head><meta charset="utf-8">
${head}
</head><body>
<main>
${html}
</main>
</body></html>
`;
}

async function samplesIn(folder) {
	const names = (await readdir(folder)).filter((n) => n.endsWith('.json'));
	const samples = [];
	for (const name of names.sort()) {
		const sample = JSON.parse(await readFile(join(folder, name)));
		samples.push({ ...sample, page: page(sample.article) });
	}
	return samples;
}

const [folder, ...wanted] = process.argv.slice(2);
const samples = await samplesIn(folder);
const found = [];
for (const checker of wanted) {
	const { check } = await import(checkers[checker]);
	await check(samples, (sample, says) => {
		found.push({ sample: sample.name, checker, says });
	}, folder);
}
// Sentences may quote half a character.
console.log(JSON.stringify(found).replace(/\\ud[89a-f]../g, '?'));
