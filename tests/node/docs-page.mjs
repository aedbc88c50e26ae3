// Uses the documentation page as its readers do, and says what it saw.
//
//	node tests/node/docs-page.mjs ADDRESS... >SEEN
//
// ADDRESS is the page at a server (http://127.0.0.1:PORT/docs/). Standard output is
// a JSON list, one object for each address; tests/docs/the-page-helps-its-reader.t explains each member.
import { browse } from './browser.mjs';

// What is shown of each group of tabs: its headings' texts and its panels' texts.
const shown = (page) => page.evaluate(() => [...document.querySelectorAll('.tabs')].map((box) => ({
	tabs: [...box.querySelectorAll('[role=tab]')].map((tab) => tab.textContent),
	chosen: [...box.querySelectorAll('[aria-selected=true]')].map((tab) => tab.textContent),
	panels: [...box.querySelectorAll('.tab')].filter((panel) => panel.checkVisibility())
		.map((panel) => panel.querySelector('h3').textContent),
	headings: [...box.querySelectorAll('h3')].filter((heading) => heading.checkVisibility()).length,
})));

const text = (page, what) => page.evaluate((selector) =>
	[...document.querySelectorAll(selector)].map((place) => place.textContent), what);

async function use(browser, address) {
	const said = [];
	const page = await browser.open(address);
	page.on('console', (message) => said.push(message.text()));
	page.on('pageerror', (error) => said.push(String(error)));
	await page.reload();
	const found = { here: [...new Set(await text(page, '.here'))], first: await shown(page) };
	found.unknown = await page.locator('.unknown').isVisible();

	await page.getByRole('tab', { name: 'Python' }).first().click();
	found.python = await shown(page);
	await page.keyboard.press('ArrowRight');
	found.next = await shown(page);
	await page.keyboard.press('ArrowRight');
	found.around = (await shown(page))[0].chosen;
	await page.keyboard.press('End');
	await page.reload();
	found.remembered = (await shown(page))[0].chosen;
	await page.evaluate(() => { location.hash = '#clients-python'; });
	await page.locator('#clients-python').waitFor({ state: 'visible' });
	found.linked = (await shown(page))[1].panels;

	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const box = page.locator('#php .code');
	// The browser's windows share it.
	await page.evaluate(() => navigator.clipboard.writeText(''));
	await page.evaluate(() => { location.hash = '#php'; });
	await box.getByRole('button').click();
	await box.getByText('Copied').waitFor();
	found.copied = await page.evaluate(() => navigator.clipboard.readText());

	await page.keyboard.press('/');
	await page.keyboard.type('Canonical');
	found.hits = await page.locator('#found a').evaluateAll((links) =>
		links.map((link) => [link.getAttribute('href'), link.textContent]));
	found.count = await page.locator('#count').textContent();
	found.axe = await browser.axe(page);
	await page.keyboard.press('Enter');
	found.led = await page.evaluate(() => location.hash);
	await page.locator('#words').fill('zzz');
	found.none = await page.locator('#count').textContent();
	found.navigation = await page.locator('nav').isVisible();
	await page.keyboard.press('Escape');
	found.after = await page.locator('nav').isVisible();
	found.refused = page.refused;
	found.said = said;

	const narrow = await browser.open(address, { width: 360, dark: true });
	await narrow.getByRole('tab', { name: 'PHP' }).first().click();
	await narrow.locator('#words').fill('error');
	found.narrow = { axe: await browser.axe(narrow), overflow: await browser.overflow(narrow) };

	const still = await browser.open(address, { script: false });
	found.still = {
		panels: await still.locator('.tab').count(),
		hidden: await still.locator('.tab:not(:visible)').count(),
		headings: await still.locator('.tab h3:visible').count(),
		buttons: await still.locator('button').count(),
		search: await still.locator('#search').isVisible(),
		unknown: await still.locator('.unknown').isVisible(),
		here: [...new Set(await still.locator('.here').allTextContents())],
	};
	return found;
}

const seen = await browse(async (browser) => {
	const all = [];
	for (const address of process.argv.slice(2))
		all.push(await use(browser, address));
	return all;
});
process.stdout.write(JSON.stringify(seen) + '\n');
