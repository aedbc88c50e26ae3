// A new article is made by the editor's script at the first pause.
//
//	node tests/node/new-article.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, cookies}, the page of a new article.
import { browse } from './browser.mjs';

let text = '';
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = {};

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const type = async (page, name, words) => {
	await page.locator(`[name=${name}]`).focus();
	await page.keyboard.press('Control+End');
	await page.keyboard.type(words);
};

await browse(async (browser) => {
	const page = await browser.open(plan.address, { cookies: plan.cookies });
	const posts = [];
	page.on('request', (r) => r.method() === 'POST' && posts.push(r.url()));
	page.on('dialog', (dialog) => dialog.accept());

	// What is empty again is never made.
	await type(page, 'title', 'x');
	await page.keyboard.press('Backspace');
	await type(page, 'text', '  ');

	await type(page, 'title', 'Bees');
	await says(page, 'Saved at');
	found.address = page.url();
	found.posts = posts.length;
	await type(page, 'title', ' in a city');
	await type(page, 'text', 'They fly.');
	await says(page, 'Not saved yet');
	await says(page, 'Saved at');
	found.left = await page.evaluate(() => sessionStorage.length);
	await type(page, 'text', ' High.');
	await page.locator('[name=save]').first().click();
	await page.waitForURL(/notice=/);
	found.pressed = page.url();

	// The answer is lost, and more is typed meanwhile.
	await page.goto(plan.address);
	let lost = 0;
	await page.route('**/articles/new', async (route) => {
		if (route.request().method() !== 'POST' || lost++ > 0)
			return route.continue();
		await route.fetch();
		await type(page, 'text', ' And goes on.');
		return route.abort('connectionreset');
	});
	await type(page, 'text', '## A text without a title');
	await says(page, 'No connection');
	await says(page, 'Saved at');
	await page.waitForFunction(() => document.forms.article.elements.title.value !== '');
	found.title = await page.locator('[name=title]').inputValue();
	await page.waitForFunction(() => sessionStorage.length === 0, null, { timeout: 60000 })
		.catch(async () => { found.storage = await page.evaluate(() => JSON.stringify(sessionStorage)); });
	await page.unroute('**/articles/new');

	// Until the server has it, the browser keeps a copy. If the answer was lost with the page, the
	// draft is there already.
	await page.goto(plan.address);
	await page.route('**/articles/new', async (route) => {
		if (route.request().method() !== 'POST')
			return route.continue();
		await route.fetch();
		return route.abort('connectionreset');
	});
	await type(page, 'title', 'Kept');
	await type(page, 'text', 'In this tab.');
	await says(page, 'No connection');
	await page.goto(plan.address);
	found.empty = await page.locator('[name=text]').inputValue();
	await page.unroute('**/articles/new');
	await page.locator('#saving-take').click();
	found.kept = await page.locator('[name=text]').inputValue();
	await says(page, 'Saved at');
	found.keptAt = page.url();
	await page.goto(plan.address);
	found.offered = await page.locator('#saving-copy').isVisible();

	// Somebody types on and on.
	await type(page, 'title', 'Fluent');
	for (const end = Date.now() + 60000; page.url() === plan.address && Date.now() < end;) {
		await type(page, 'text', 'and ');
		await page.waitForTimeout(500);
	}
	found.fluent = page.url();
	await says(page, 'Saved at');
});
process.stdout.write(JSON.stringify(found));
