// Articles in the visual view, as a person opens, saves and changes them.
//
//	node tests/node/visual-corpus.mjs <PLAN >FINDINGS
//
// The plan is JSON: {articles, typed, page, words, cookies}: addresses of articles; texts that are put into the
// Markdown of a `page` for a new one; how many blocks of each article get a word.
// An article must be the same to the byte when it is opened and saved, and once a word was taken back. A
// word may change lines of one block alone, as the server names the blocks.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { articles: 0, same: 0, saved: 0, words: 0, alone: 0, undone: 0, typed: 0, opened: 0, faults: [], said: [] };
const fault = (what, ...texts) => found.faults.length < 12 && found.faults.push([what, ...texts.map((t) => String(t).slice(0, 300))]);

const start = Date.now();
const box = (page) => page.locator('[role=textbox][data-ready]');
const value = (page) => page.evaluate(() => {
	galley.flush();
	return document.querySelector('[name=text]').value;
});

// Takes back what was typed: on a busy machine its letters come in more than one group.
async function undone(page, before) {
	for (let i = 0; i < 'word '.length; i++) {
		await page.keyboard.press('Control+z');
		if (await value(page) === before)
			return true;
	}
	return false;
}

// What the server has.
const stored = (page) => page.evaluate(async () => {
	const answer = await fetch(location.href), text = await answer.text();
	return new DOMParser().parseFromString(text, 'text/html').querySelector('[name=text]').value;
});

// The view is open, or it said that it cannot be.
async function opens(page) {
	await box(page).or(page.getByRole('button', { name: 'Try again' })).first().waitFor();
	return box(page).isVisible();
}

// Saves, and waits until the server has answered. A save by itself may be on its way.
async function save(page) {
	const answer = page.waitForResponse((one) => one.request().method() === 'POST' && one.url() === page.url());
	await page.keyboard.press('Control+s');
	const status = (await answer).status();
	await page.waitForFunction(() => document.getElementById('saving-now').classList.contains('good'));
	return status;
}

// Sets the caret before the first letter of a block, after the view was told. Returns false where it has none to type at.
const into = (page, block) => box(page).evaluate((view, at) => {
	const shown = view.children[at];
	const walk = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT, (text) =>
		text.parentElement.isContentEditable ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
	const letter = walk.nextNode();
	if (letter === null)
		return false;
	view.focus({ preventScroll: true });
	getSelection().collapse(letter, 0);
	return new Promise((done) => setTimeout(() => done(true)));
}, block);

// Whether the lines in which two texts differ are those of one block of the first.
function isOne(before, after, blocks) {
	const was = before.split('\n'), is = after.split('\n');
	let first = 0, last = 0;
	while (first < was.length && was[first] === is[first])
		first++;
	while (last < was.length - first && last < is.length - first && was.at(-1 - last) === is.at(-1 - last))
		last++;
	return after.includes('word ') && blocks.some((one) => one.first <= first + 1 && was.length - last <= one.last);
}

async function look(page, address) {
	const asked = page.waitForResponse(/\/blocks$/);
	await page.goto(address);
	found.articles++;
	if (!await opens(page))
		return fault('it cannot be shown', address);
	const { blocks } = await (await asked).json();
	const before = await stored(page);
	if (await save(page) === 200 && await value(page) === before)
		found.same++;
	else
		fault('opened and saved', address, before, await value(page));
	if (await stored(page) !== before)
		fault('what is stored then', address);
	const count = await box(page).evaluate((view) => view.children.length), from = found.articles % count;
	const places = Array.from({ length: count }, (_, i) => (from + i) % count);
	let left = plan.words;
	for (const at of places) {
		if (!await into(page, at))
			continue;
		await page.keyboard.type('word ');
		const now = await value(page);
		found.words++;
		if (isOne(before, now, blocks))
			found.alone++;
		else
			fault('a word', address, before.split('\n').find((row, i) => row !== now.split('\n')[i]), now.split('\n').find((row, i) => row !== before.split('\n')[i]));
		if (--left === 0)
			break;
		if (!await undone(page, before))
			fault('undo', address, at);
	}
	if (left > 0) {
		while (!await into(page, places[0]))
			places.shift();
		await page.keyboard.type('word ');
	}
	const now = await value(page);
	await save(page);
	if (await stored(page) === now && isOne(before, now, blocks))
		found.saved++;
	else
		fault('a word that was saved', address, now, await stored(page));
	/* A word goes, so all bytes are there again, after a save, too. */
	if (await undone(page, before))
		found.undone++;
	else
		fault('undo after a save', address);
	await save(page);
	if (await stored(page) !== before)
		fault('what is stored at the end', address);
}

await browse(async (browser) => {
	const context = await browser.context({ cookies: plan.cookies, visual: true });
	const page = await browser.page(context, plan.page);
	page.on('pageerror', (error) => found.said.push(String(error)));
	page.on('dialog', (dialog) => dialog.accept());
	await opens(page);
	/* What authors' files hold, HTML and all. Nothing is saved of it. */
	for (const text of plan.typed) {
		await page.getByRole('button', { name: 'Markdown', exact: true }).click();
		await page.evaluate((now) => { document.querySelector('[name=text]').value = now; }, text);
		await page.getByRole('button', { name: 'Visual', exact: true }).click();
		found.typed++;
		if (await opens(page) && await value(page) === text.replace(/\r\n?/g, '\n'))
			found.opened++;
		else
			fault('a text that was typed', text);
	}
	await page.evaluate(() => sessionStorage.clear());
	for (const address of plan.articles) {
		await look(page, address).catch((error) => fault(error, address));
		if (process.env.LAPS)
			process.stderr.write(`${found.articles} ${found.words} ${Date.now() - start}\n`);
	}
	found.said.push(...page.said);
});
process.stdout.write(JSON.stringify(found));
