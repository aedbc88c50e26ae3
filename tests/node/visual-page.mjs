// The visual view in the editor's page.
//
//	node tests/node/visual-page.mjs <PLAN >FINDINGS
//
// The plan is JSON: {words, broken, two, new, cookies, pictures}: addresses of three articles with one text, and of
// the page of a new one. With a folder `pictures` it leaves some there.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { said: [], refused: [] };

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const saved = async (page, words) => {
	await page.waitForFunction((w) => document.querySelector('[name=text]').value.includes(w), words);
	await says(page, 'Saved at');
};
const value = (page) => page.locator('[name=text]').inputValue();
const textbox = (page) => page.getByRole('textbox', { name: /^Text/ });
const ready = (page) => page.locator('[data-ready]').waitFor();

await browse(async (browser) => {
	const t0 = Date.now();
	const lap = (name) => process.stderr.write(`${name} ${Date.now() - t0}\n`);
	const context = await browser.context({ cookies: plan.cookies });
	await context.addInitScript(() => {
		try {
			if (localStorage.getItem('galley visual') === null)
				localStorage.setItem('galley visual', 'visual');
		} catch {
			// It is no page of the console.
		}
	});
	const page = await browser.page(context, plan.words);
	await ready(page);
	lap('open');
	found.opened = await value(page);
	await textbox(page).getByText('End.').click();
	await page.keyboard.press('End');
	await page.keyboard.type(' And more.');
	await saved(page, 'And more.');
	found.typed = await value(page);
	lap('typed');
	found.said.push(...page.said);
	found.refused.push(...page.refused);
	found.axe = await browser.axe(page);
});
process.stdout.write(JSON.stringify(found));
