// Prints pages on A4 and says what is on the paper.
//
//	node tests/node/paper.mjs <PLAN >FOUND
//
// The plan is JSON: {assets: {PATH: {status, headers, body}}, pages: [{name, address, answer, dark}...]}:
// no server is asked. What is found is a JSON object of {NAME: {text, ink, overflow, sheets, torn}}: the
// text that is printed, the colours of it and of what is behind it, how many pixels reach beyond the
// paper, how many sheets there are, and which rows and pictures may be torn between two.
import { browse } from './browser.mjs';

const WIDTH = 718; // of A4 within its margins

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = {};

await browse(async (browser) => {
	for (const { name, address, answer, dark } of plan.pages) {
		const context = await browser.context({ width: WIDTH, dark });
		const page = await browser.page(context, address, answer, plan.assets);
		await page.emulateMedia({ media: 'print' });
		const sheets = (await page.pdf({ format: 'A4' })).toString('latin1');
		found[name] = {
			...await page.evaluate(() => {
				const { color, backgroundColor } = getComputedStyle(document.body);
				return { text: document.body.innerText, ink: `${color} on ${backgroundColor}`,
					torn: [...document.querySelectorAll('tr, img')].filter((at) =>
						getComputedStyle(at).breakInside !== 'avoid').length };
			}),
			overflow: await browser.overflow(page),
			sheets: (sheets.match(/\/Type\s*\/Page\b/g) ?? []).length,
		};
		await context.close();
	}
});
process.stdout.write(`${JSON.stringify(found)}\n`);
