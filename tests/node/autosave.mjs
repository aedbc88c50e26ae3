// The editor's script at work: two tabs, a dead network, an ended session.
//
//	node tests/node/autosave.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, cookies}, an article with the blocks "One.", "Two." and "Three.".
// The findings are {NAME: VALUE…}, what the page said and held at each step, with said and
// refused of both tabs.
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = { said: [], refused: [] };

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const status = (page) => page.locator('#saving-now').textContent();
const value = (page) => page.locator('[name=text]').inputValue();

// Puts the cursor behind a word and types.
async function behind(page, word, typed) {
	await page.locator('[name=text]').evaluate((area, w) => {
		area.focus();
		area.setSelectionRange(area.value.indexOf(w) + w.length, area.value.indexOf(w) + w.length);
	}, word);
	await page.keyboard.type(typed);
}

await browse(async (browser) => {
	const one = await browser.open(plan.address, { cookies: plan.cookies });
	const context = one.context();
	const two = await context.newPage();
	two.on('console', (m) => found.said.push(m.text()));
	await two.goto(plan.address);

	await behind(one, 'One', ' first');
	await says(one, 'Saved at');
	await behind(two, 'Three', ' second');
	await says(two, 'with what somebody else');
	found.merged = await value(two);
	found.words = await two.locator('#words').textContent();

	// Of one place the script chooses nothing.
	await behind(one, 'Two', ' of her');
	await says(one, 'Saved at');
	await behind(two, 'Two', ' of him');
	await says(two, 'Somebody else changed the same place');
	found.clash = await value(two);
	await two.close({ runBeforeUnload: false });

	// A dead network, in whatever way.
	await context.setOffline(true);
	await behind(one, 'Three', ' offline');
	await says(one, 'No connection');
	await context.setOffline(false);
	await says(one, 'Saved at');
	found.online = await value(one);
	const broken = [(route) => route.abort('connectionreset'),
		(route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<p>no</p>' }),
		async (route) => { await route.fetch(); await route.abort('connectionreset'); }];
	for (const [i, way] of broken.entries()) {
		await one.route('**/articles/*', (route) =>
			route.request().method() === 'POST' ? way(route) : route.continue());
		await behind(one, 'One', ` lost${i}`);
		await says(one, 'No connection');
		await one.unroute('**/articles/*');
		await says(one, 'Saved at');
	}
	found.after = await value(one);

	// The tools, and the browser's own way back.
	await one.locator('[name=text]').evaluate((area) => {
		area.focus();
		area.setSelectionRange(area.value.indexOf('One'), area.value.indexOf('One') + 3);
	});
	await one.locator('[data-tool=bold]').click();
	found.bold = await value(one);
	await one.keyboard.press('Control+z');
	found.undone = await value(one);

	// A session that ended: what was typed comes back after the sign-in.
	await says(one, 'Saved at');
	await context.clearCookies();
	await behind(one, 'One', ' kept');
	await says(one, 'Your session has ended');
	found.link = await one.locator('#saving-now a').getAttribute('href');
	await context.addCookies(plan.cookies);
	one.on('dialog', (dialog) => dialog.accept());
	await one.reload();
	found.offered = await one.locator('#saving-copy').isVisible();
	found.before = await value(one);
	await one.locator('#saving-take').click();
	await says(one, 'Saved at');
	found.kept = await value(one);
	found.stored = await one.evaluate(() => sessionStorage.length);
	found.said.push(...one.said ?? []);
	found.refused.push(...one.refused ?? []);
});
process.stdout.write(JSON.stringify(found));
