// What Markdown has no form for, in the visual view: it is written in the cards, saved, kept and shown again.
//
//	node tests/node/visual-facts.mjs <PLAN >FINDINGS
//
// The plan is JSON: {cards, parts, kept, new, cookies, pictures}: addresses of three articles with one text, and of
// the page of a new one; a session. With a folder `pictures` it leaves some there.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8');
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { said: [] };

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const value = (page) => page.locator('[name=text]').inputValue();
const facts = (page) => page.locator('[name=facts]').inputValue();
const has = (page, words) => page.waitForFunction((w) =>
	document.querySelector('[name=facts]').value.includes(w), words);
const textbox = (page) => page.locator('[role=textbox][data-ready]');
const saved = async (page) => {
	await page.keyboard.press('Control+s');
	await says(page, 'Saved at');
	await page.waitForFunction(() => document.querySelector('[name=facts]').value === '');
};
const settled = (page) => page.evaluate(() =>
	new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

await browse(async (browser) => {
	const context = await browser.context({ cookies: plan.cookies, visual: true });
	const page = await browser.page(context, plan.cards), key = page.keyboard;
	page.on('dialog', (dialog) => dialog.accept());
	await textbox(page).waitFor();

	// In the cards: of what nothing is changed nothing is sent.
	found.opened = [await facts(page), await value(page)];
	// What a save took with it meanwhile was sent, too.
	const sent = [];
	page.on('request', (one) => {
		const part = /name="facts"\r\n\r\n(\[.*\])\r\n/.exec((one.method() === 'POST' && one.postDataBuffer() || '').toString());
		if (part)
			sent.push(...JSON.parse(part[1]));
	});
	const table = page.getByRole('group', { name: 'Table' });
	const field = (group, name) => group.getByLabel(name, { exact: true });
	await field(table, 'Caption').fill('What goes in');
	await table.getByText('Row or column').click();
	await table.getByLabel('The first column heads the rows').check();
	await field(page.getByRole('group', { name: 'Note' }), 'Title').fill('Take care');
	await page.getByLabel('Who said it').fill('Édith Piaf');
	await has(page, 'Piaf');
	sent.push(...JSON.parse(await facts(page) || '[]'));
	found.sent = [JSON.stringify([...new Map(sent.map((one) => [one.line, one])).values()].sort((a, b) => a.line - b.line)), await value(page)];
	await page.getByLabel('Who said it').press('Enter');
	found.left = await page.evaluate(() => document.activeElement.getAttribute('role'));
	await saved(page);
	// A list becomes steps: the text stays, and the name of a step leads to its text.
	await textbox(page).getByText('Dry it.', { exact: true }).click();
	await key.press('End');
	await settled(page);
	await page.getByRole('button', { name: 'Insert' }).click();
	await key.type('steps');
	await key.press('Enter');
	const steps = page.getByRole('group', { name: /^Steps/ });
	await has(page, 'steps');
	await page.waitForFunction(() => !document.querySelector('[name=text]').value.includes('/steps'));
	found.steps = [await steps.getAttribute('aria-label'), await value(page)];
	await textbox(page).getByText('Dry it.', { exact: true }).click();
	await key.press('End');
	await settled(page);
	for (const [typed, ...presses] of [['', 'Enter'], ['In the sun.', 'Enter'], ['Eat it.', 'Enter', 'Enter'], ['Rest.']]) {
		await key.type(typed);
		for (const press of presses)
			await key.press(press);
	}
	await steps.getByRole('button', { name: 'Add a step' }).click();
	await key.type('Sleep.');
	found.steps.push(await steps.getAttribute('aria-label'));
	// A source: where it is cited.
	await page.getByRole('group', { name: /^Source/ }).getByRole('button', { name: 'Edit', exact: true }).click();
	const before = (await value(page)).split('\n').pop();
	await page.getByLabel('Read on').fill('2026-09-01');
	await page.getByLabel('Read on').press('Enter');
	await has(page, '2026-09-01');
	found.source = (await value(page)).split('\n').pop() === before;
	await saved(page);
	await page.reload();
	await textbox(page).waitFor();
	found.again = [await field(table, 'Caption').inputValue(), await steps.getAttribute('aria-label'),
		await page.getByLabel('Who said it').inputValue(), await facts(page)];
	if (plan.pictures)
		await browser.picture(page, plan.pictures + '/visual-facts.png');

	// A table before the other one does not take its caption, and undo brings what was there.
	await page.goto(plan.parts);
	await textbox(page).waitFor();
	await textbox(page).getByText('with two lines.').click();
	await key.press('End');
	await settled(page);
	await key.press('Enter');
	await key.type('/tabl');
	await key.press('Enter');
	await key.type('New');
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('New'));
	await saved(page);
	const captions = () => page.locator('.card').getByLabel('Caption', { exact: true }).evaluateAll((all) => all.map((one) => one.value));
	found.captions = await captions();
	// Markdown that is pasted is another text.
	await textbox(page).getByText('with two lines.').click();
	await key.press('End');
	await settled(page);
	await key.press('Enter');
	const rows = '| P | Q |\n| --- | --- |\n| 1 | 2 |\n\n';
	// A save that ends while the server reads it takes nothing from it.
	let read = null;
	const ended = new Promise((done) => { read = done; });
	await page.route('**/blocks', async (route) => {
		await ended;
		await route.continue();
	}, { times: 1 });
	await textbox(page).evaluate((box, text) => {
		const data = new DataTransfer();
		data.setData('text/plain', text);
		box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
	}, `${rows}${rows}## Set up\n\n${rows}${rows}`);
	const answered = page.waitForResponse((one) => one.request().method() === 'POST' && !one.url().endsWith('/blocks'));
	await key.press('Control+s');
	await answered;
	await page.waitForTimeout(1000);
	read();
	await page.waitForFunction(() => document.querySelectorAll('.card table').length === 6)
		.catch(async (e) => { throw new Error(`${e.message}\n${await value(page)}`); });
	found.pasted = await captions();
	await saved(page);
	await page.getByLabel('Who said it').fill('Nobody');
	await has(page, 'Nobody');
	await page.getByLabel('Who said it').press('Escape');
	await key.press('Control+z');
	await page.waitForFunction(() => document.querySelector('[name=facts]').value === '');
	found.undone = await page.getByLabel('Who said it').inputValue();

	// Without a connection: it is in the tab, and goes with the text when that is changed as Markdown.
	await page.goto(plan.kept);
	await textbox(page).waitFor();
	await context.setOffline(true);
	await field(table, 'Caption').fill('Offline');
	await has(page, 'Offline');
	await page.waitForFunction(() => Object.keys(sessionStorage).some((k) => sessionStorage[k].includes('Offline')));
	await context.setOffline(false);
	await page.route('**/*', (route) => route.request().method() === 'POST' && !/blocks$/.test(route.request().url())
		? route.abort() : route.continue());
	await page.reload();
	await textbox(page).waitFor();
	await page.locator('#saving-take').click();
	await has(page, 'Offline');
	found.taken = await field(table, 'Caption').inputValue();
	await page.getByRole('button', { name: 'Markdown', exact: true }).click();
	await page.locator('[name=text]').press('Control+Home');
	await key.type('First line.\n\n');
	found.markdown = await facts(page);
	await page.unroute('**/*');
	await saved(page);

	// Somebody else changes the text around: what was typed in a card stays.
	await page.evaluate(() => localStorage.setItem('galley visual', 'visual'));
	await page.goto(plan.met);
	await textbox(page).waitFor();
	const other = await browser.page(await browser.context({ cookies: plan.cookies }), plan.met);
	const elsewhere = async (words, others) => {
		const area = other.locator('[name=text]');
		await area.fill((await area.inputValue()).replace(words, others));
		await other.keyboard.press('Control+s');
		await says(other, 'Saved at');
	};
	await elsewhere('with two', 'with some');
	await elsewhere('A source.', 'One source.');
	await field(table, 'Caption').fill('Mine');
	await has(page, 'Mine');
	await field(table, 'Caption').press('Enter');
	await key.press('Control+s');
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('One source.'));
	await page.waitForFunction(() => document.querySelector('[name=facts]').value === '');
	found.met = await field(table, 'Caption').inputValue();
	await textbox(page).getByText('with some', { exact: false }).click();
	await key.type('!');
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('!'));
	await saved(page);
	await other.reload();
	await elsewhere('Freeze   it', 'Freeze it all');
	const title = field(page.getByRole('group', { name: 'Note' }), 'Title');
	await title.pressSequentially('Half a ti');
	await says(page, 'somebody else');
	await title.pressSequentially('tle');
	found.still = await title.inputValue();
	await title.press('Enter');
	await has(page, 'Half a title');
	await saved(page);
	await page.reload();
	await textbox(page).waitFor();
	// A save is on its way while its words are taken back.
	let go;
	const held = new Promise((done) => { go = done; });
	await page.route('**/*', async (route) => {
		if (route.request().method() === 'POST' && !/blocks$/.test(route.request().url()))
			await held;
		await route.continue().catch(() => {}); /* it was let go meanwhile */
	});
	await page.getByLabel('Who said it').fill('Wrong');
	await has(page, 'Wrong');
	await key.press('Control+s');
	await says(page, 'Saving');
	await page.getByLabel('Who said it').fill('');
	await page.waitForFunction(() => !document.querySelector('[name=facts]').value.includes('Wrong'));
	go();
	await page.unroute('**/*');
	await page.getByLabel('Who said it').press('Enter');
	await page.waitForFunction(() => document.querySelector('[name=facts]').value === '');
	await saved(page);
	await page.reload();
	await textbox(page).waitFor();
	found.emptied = await page.getByLabel('Who said it').inputValue();
	await other.context().close();

	// A new article: steps by keyboard alone.
	await page.evaluate(() => localStorage.setItem('galley visual', 'visual'));
	await page.goto(plan.new);
	await textbox(page).waitFor();
	await page.locator('[name=title]').fill('Steps');
	await textbox(page).focus();
	for (const [typed, ...presses] of [['/steps', 'Enter'], ['Cut', 'Enter'], ['With a knife.', 'Enter'], ['Dry'],
		['', 'Enter', 'Enter'], ['Eat']]) {
		await key.type(typed);
		for (const press of presses)
			await key.press(press);
	}
	await has(page, 'steps');
	await saved(page);
	found.address = page.url();
	found.typed = await value(page);
	await page.getByRole('group', { name: /^Steps/ }).getByRole('button', { name: 'Numbered list' }).click();
	await has(page, '"steps":false');
	found.list = await page.getByRole('group', { name: /^Steps/ }).count();
	await key.press('Control+z');
	await page.waitForFunction(() => document.querySelector('[name=facts]').value === '');
	await context.close();
});
process.stdout.write(JSON.stringify(found));
