// The visual view in the editor's page.
//
//	node tests/node/visual-page.mjs <PLAN >FINDINGS
//
// The plan is JSON: {words, broken, new, cookies, arabic, pictures}: addresses of two articles with one text, and of
// the page of a new one; a session in English, one in Arabic. With a folder `pictures` it leaves some there.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { said: [], refused: [] };
const start = Date.now();
const lap = (name) => process.env.LAPS && process.stderr.write(`${name} ${Date.now() - start}\n`);

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const has = (page, words) => page.waitForFunction((w) =>
	document.querySelector('[name=text]').value.includes(w), words);
const saved = async (page, words) => {
	await has(page, words);
	await page.keyboard.press('Control+s');
	await says(page, 'Saved at');
};
const value = (page) => page.locator('[name=text]').inputValue();
const textbox = (page) => page.locator('[role=textbox][data-ready]');
const area = (page) => page.locator('[name=text]');
const told = (page) => page.locator('#visual-said').textContent();
const way = (page, name) => page.getByRole('button', { name, exact: true }).click();

// What of a form is seen around the text: its label, what is said of Markdown, and a frame.
const formlike = (page) => page.locator('#article-text').evaluate((text) => {
	const field = text.closest('.field');
	return [field.querySelector('label').offsetHeight > 1, field.querySelector(':scope > .hint').checkVisibility(),
		text.checkVisibility() && getComputedStyle(text).borderTopColor !== 'rgba(0, 0, 0, 0)'];
});

// The browser has told the view where the caret is.
const settled = (page) => page.evaluate(() =>
	new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

// Puts the caret behind a word that is alone in its block.
async function behind(page, word) {
	await textbox(page).getByText(word, { exact: true }).click();
	await page.keyboard.press('End');
	await page.waitForFunction(() => getSelection().isCollapsed &&
		getSelection().anchorOffset === getSelection().anchorNode.length);
	await settled(page);
}

// Pastes: types are {TYPE: TEXT}.
const paste = (page, types) => textbox(page).evaluate((box, texts) => {
	const data = new DataTransfer();
	for (const [type, text] of Object.entries(texts))
		data.setData(type, text);
	box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}, types);

await browse(async (browser) => {
	const context = await browser.context({ cookies: plan.cookies, visual: true });

	// Written by keyboard alone, in a new article.
	const page = await browser.page(context, plan.new);
	page.on('dialog', (dialog) => dialog.accept());
	await textbox(page).waitFor();
	await page.locator('[name=title]').fill('By keyboard');
	await textbox(page).focus();
	const key = page.keyboard;
	for (const [typed, ...presses] of [['A **bold** and *slanted* `word`', 'Shift+Enter'], ['below', 'Enter'],
		['## Set up', 'Enter'], ['- one', 'Enter'], ['two', 'Enter', 'Tab'], ['inner', 'Enter', 'Enter', 'Enter'],
		['1. first', 'Enter', 'Enter'], ['> said', 'Enter', 'Enter'], ['[!warning] Mind it.', 'Enter', 'Enter'],
		['```'], ['x < 1', 'Enter'], ['  y', 'Shift+Enter'], ['1 * 2 and <b> are [no] signs', 'Alt+2', 'Alt+0',
			'Enter'], ['/']]) {
		await key.type(typed);
		for (const press of presses)
			await key.press(press);
	}
	// The menu: what it offers, and what is chosen in it.
	const menu = page.getByRole('listbox', { name: 'Insert' });
	await menu.waitFor();
	found.menu = [await menu.getByRole('option').count()];
	await key.type('tab');
	found.menu.push(await menu.getByRole('option').allTextContents(), await page.locator('#saving-heard').textContent(),
		await textbox(page).getAttribute('aria-activedescendant'), await browser.axe(page));
	await key.press('Enter');
	for (const cell of ['A', 'B', '1', '2']) {
		await key.type(cell);
		if (cell !== '2')
			await key.press('Tab');
	}
	await key.press('ArrowDown');
	await settled(page);
	await key.type('Go');
	await settled(page);
	await key.press('Shift+Home');
	await settled(page);
	await key.press('Control+k');
	await page.getByRole('dialog', { name: 'Link' }).waitFor();
	await key.type('example.org/x');
	await key.press('Enter');
	await key.press('End');
	await settled(page);
	await key.type(' there. ');
	// An article of the workspace, by its title: the keys alone.
	const dialog = page.getByRole('dialog', { name: 'Link' }), titles = dialog.getByRole('option');
	const ask = async (words) => {
		await key.press('Control+k');
		await key.press('Control+a');
		await key.type(words);
	};
	const heard = (words) => dialog.getByRole('status').getByText(words).waitFor();
	await ask('compost');
	await heard('Results: 1');
	await key.press('ArrowDown');
	found.titles = [[await titles.locator('b').textContent(), await titles.locator('small').textContent(), await titles.getAttribute('aria-selected'),
		await dialog.getByRole('status').textContent(), await browser.axe(page)]];
	await key.press('Enter');
	await key.press('Enter');
	await has(page, '/blog/basics');
	await ask('broken');
	await heard('Results: 1');
	found.titles.push(await titles.evaluate((it) => [...it.children].map((at) => at.textContent).join(' ')));
	await key.press('ArrowDown');
	await key.press('Enter');
	await heard('no address yet');
	found.titles.push(await dialog.getByRole('status').textContent());
	await context.setOffline(true);
	await key.type('x');
	await heard('no connection');
	found.titles.push(await dialog.getByRole('status').textContent(), await titles.count());
	await context.setOffline(false);
	await key.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	await key.press('Alt+Shift+ArrowUp');
	await saved(page, 'basics)\n\n| A |');
	await page.waitForURL((url) => !url.pathname.endsWith('/new'));
	found.typed = await value(page);
	found.address = page.url();
	lap('typed');

	// Parts of an article, and sources where they are cited.
	await page.goto(plan.two);
	await behind(page, 'End.');
	const source = page.getByRole('dialog', { name: 'Source' });
	await key.type(' /sour');
	await key.press('Enter');
	await source.waitFor();
	await key.press('Tab'); // after the sources that are there
	for (const words of ['Compost', 'example.org/c', 'House, London', '2024']) {
		await key.type(words);
		await key.press(words === '2024' ? 'Enter' : 'Tab');
	}
	await has(page, 'House, London, 2024');
	await key.type('Then /quest');
	await key.press('Enter');
	await key.type('Does it smell?');
	found.question = [await textbox(page).locator('.question').getAttribute('data-kind')];
	await key.press('Enter');
	await key.type('No.');
	await key.press('Enter');
	await key.type('/takea');
	await key.press('Enter');
	await key.type('Keep it dry');
	await has(page, 'Keep it dry');
	await textbox(page).locator('.cite').first().click();
	found.question.push(await source.locator('.footnote').textContent());
	await source.getByRole('button', { name: 'Edit as Markdown' }).click();
	found.question.push(await page.evaluate(() => document.activeElement.value));
	await key.press('Escape');
	await textbox(page).locator('p', { hasText: 'Then' }).click();
	await key.press('Home');
	await settled(page);
	for (let i = 0; i < 4; i++)
		await key.press('ArrowRight');
	await settled(page);
	await key.press('ArrowRight');
	found.question.push(await page.locator('#saving-heard').textContent());
	await key.press('Enter');
	await source.getByLabel('Published').fill('2025-03');
	await key.press('Enter');
	await has(page, '2025-03');
	await saved(page, '2025-03');
	found.question.push(await value(page), await told(page));

	// Somebody else changes a source while its dialog is open here: Enter without a change leaves that.
	await key.press('Enter');
	await source.waitFor();
	const elsewhere = async (words, others) => {
		const colleague = await browser.page(await browser.context({ cookies: plan.cookies }), plan.two);
		await area(colleague).fill((await value(colleague)).replace(words, others));
		await colleague.keyboard.press('Control+s');
		await says(colleague, 'Saved at');
		await colleague.context().close();
		await page.locator('[name=title]').evaluate((title) => {
			title.value += ' now';
			title.dispatchEvent(new Event('input', { bubbles: true }));
		});
	};
	await elsewhere('[Compost]', '[Composting]');
	await has(page, '[Composting]');
	await source.getByLabel('Publisher').press('Enter');
	await source.waitFor({ state: 'detached' });
	await settled(page);
	found.source = [await value(page)];
	await key.press('Enter');
	await source.getByLabel('Publisher').fill('Garden');
	await key.press('Enter');
	await has(page, 'Garden');
	await saved(page, 'Garden');
	found.source.push(await value(page));
	await key.press('Enter');
	await elsewhere(/\[\^r2\]: .*\n/, '');
	await page.waitForFunction(() => !document.querySelector('[name=text]').value.includes('Garden'));
	await source.getByLabel('Publisher').fill('Park');
	await key.press('Enter');
	found.source.push(await source.getByRole('alert').textContent(), await source.getByLabel('Publisher').inputValue());
	await key.press('Escape');
	lap('parts');

	// A block is touched, another is not; undo after the save gives all bytes back.
	await page.goto(plan.words);
	await textbox(page).waitFor();
	found.opened = await value(page);
	await behind(page, 'End.');
	await key.type(' And more.');
	await saved(page, 'And more.');
	found.word = await value(page);
	await behind(page, 'End. And more.');
	await key.press('Control+z');
	await page.waitForFunction(() => !document.querySelector('[name=text]').value.includes('And more.'));
	found.undone = await value(page);
	await key.press('Control+y');
	await saved(page, 'And more.');
	lap('word');

	// A table: its cells, a row, a column that comes and goes; and its Markdown, of which the server says what it is.
	const table = page.getByRole('group', { name: 'Table' });
	await behind(page, '2');
	await key.type('b');
	await key.press('Tab');
	await key.type('3');
	await key.press('Tab');
	await key.type('**4**');
	await has(page, '| 1 | 2b |\n| 3 | **4** |');
	await table.getByText('Row or column').click();
	await table.getByRole('button', { name: 'Add a column' }).click();
	await has(page, '| 3 | **4** |  |');
	await table.getByRole('button', { name: 'Remove the column' }).click();
	await has(page, '|:--|---|');
	found.table = await value(page);
	await table.getByRole('button', { name: 'Edit as Markdown' }).click();
	await key.press('Control+End');
	await key.type('\n| 5 | *6* |');
	await has(page, '| 5 | *6* |');
	await key.press('Escape');
	await textbox(page).locator('td em').waitFor();
	const picture = page.getByRole('group', { name: 'Picture: y' });
	await picture.getByLabel('Caption').fill('Seen "here"');
	await picture.getByLabel('Alternative text').press('End');
	await key.type('ard');
	await has(page, '![yard](https://elsewhere.example/y.png "Seen');
	found.card = await value(page);
	lap('card');

	// The tools, and what they say is on.
	await behind(page, 'Set up');
	found.on = [await page.locator('[data-tool=heading]').getAttribute('aria-pressed')];
	await page.locator('[data-tool=heading]').click();
	await has(page, '\nSet up\n\n');
	found.on.push(await page.locator('[data-tool=heading]').getAttribute('aria-pressed'),
		await textbox(page).evaluate((box) => document.activeElement === box));
	await key.press('Control+z');
	await has(page, 'Set up\n------');

	// What is pasted: HTML by the server's reader, Markdown as what it means, at once plain.
	await behind(page, 'End. And more.');
	await paste(page, { 'text/plain': ' with a link', 'text/html':
		'<span> with <b onclick="x()">a</b> <a href="https://example.org/">link</a><script>y()</script></span>' });
	await has(page, ' with **a** [link](https://example.org/)');
	await key.press('Enter');
	await paste(page, { 'text/plain': '### Plain\n\n- a\n- b' });
	await has(page, '### Plain\n\n- a\n- b');
	await paste(page, { 'text/plain': 'c', 'text/html': '<p data-galley="x" data-pm-slice="0 0 []">c</p><img src="x:y">' });
	await has(page, '- bc');
	found.pasted = await value(page);
	lap('pasted');

	// Between the views, at the same place.
	await behind(page, 'Set up');
	await way(page, 'Markdown');
	found.caret = await area(page).evaluate((text) => [document.activeElement === text,
		text.value.slice(text.selectionStart).split('\n')[0], localStorage.getItem('galley visual')]);
	await area(page).evaluate((text) => text.setSelectionRange(text.value.indexOf('Freeze'), text.value.indexOf('Freeze')));
	await way(page, 'Visual');
	await textbox(page).waitFor();
	found.back = await page.evaluate(() => getSelection().anchorNode.textContent);
	for (let i = 1; i < 10; i++) {
		await way(page, 'Markdown');
		await way(page, 'Visual');
		await textbox(page).waitFor();
	}
	found.ways = await value(page) === found.pasted;
	lap('ways');

	// Two people.
	await key.press('Control+s');
	await says(page, 'Saved at');
	const other = await browser.page(await browser.context({ cookies: plan.cookies }), plan.words);
	await area(other).fill((await value(other)).replace('with _old_', 'with very _old_'));
	await other.keyboard.press('Control+s');
	await says(other, 'Saved at');
	await behind(page, 'Set up');
	await key.type(' here');
	await key.press('Control+s');
	await has(page, 'with very _old_');
	found.merged = [await value(page), await textbox(page).getByText('with very').count()];
	await key.type(' too');
	await saved(page, 'here too');
	await key.press('Control+z');
	await page.waitForFunction(() => !document.querySelector('[name=text]').value.includes('too'));
	await key.press('Control+z');
	await page.waitForFunction(() => !document.querySelector('[name=text]').value.includes('Set up here'));
	found.own = (await value(page)).includes('with very _old_');
	await other.context().close();
	lap('merged');

	// A session that ended: what was typed is offered after the sign-in, and shown.
	await saved(page, 'Set up\n------');
	await context.clearCookies();
	await key.type(' kept');
	await has(page, 'Set up kept');
	await key.press('Control+s');
	await says(page, 'Your session has ended');
	await context.addCookies(plan.cookies);
	await page.reload();
	await textbox(page).waitFor();
	await page.locator('#saving-take').click();
	await textbox(page).getByText('Set up kept').waitFor();
	await saved(page, 'Set up kept');
	lap('session');

	// It cannot be shown: the text area stays, and "Try again" asks again.
	found.cannot = [];
	await page.route('**/blocks', (route) => route.fulfill({ status: 500, body: 'no' }));
	await page.reload();
	await page.getByRole('button', { name: 'Try again' }).waitFor();
	found.cannot.push(await told(page), await area(page).isVisible());
	await page.unroute('**/blocks');
	await page.getByRole('button', { name: 'Try again' }).click();
	await textbox(page).waitFor();
	found.cannot.push(await told(page));
	await page.route('**/assets/visual-*', (route) => route.abort());
	await page.reload();
	await page.getByRole('button', { name: 'Try again' }).waitFor();
	found.cannot.push(await told(page), await area(page).isVisible());
	await page.unroute('**/assets/visual-*');
	await way(page, 'Markdown');
	await context.setOffline(true);
	await page.getByRole('button', { name: 'Visual', exact: true }).click();
	await page.getByRole('button', { name: 'Try again' }).waitFor();
	found.cannot.push(await area(page).isVisible());
	await context.setOffline(false);
	await page.getByRole('button', { name: 'Try again' }).click();
	await textbox(page).waitFor();
	// What is typed while it opens stays.
	await page.route('**/blocks', async (route) => {
		found.formlike = [await formlike(page)];
		await area(page).evaluate((text) => { text.setRangeText('Typed early. ', 0, 0, 'end'); });
		await page.unroute('**/blocks');
		await route.continue();
	});
	await page.reload();
	await textbox(page).getByText('Typed early.').waitFor();
	found.formlike.push(await formlike(page));
	lap('cannot');

	// A word that is composed is written once it is there.
	await behind(page, 'End. And more. with a link');
	const ime = await context.newCDPSession(page);
	for (const text of ['に', 'にほ', '日本'])
		await ime.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
	await ime.send('Input.insertText', { text: '日本' });
	await key.type('.');
	await has(page, '日本.');
	found.composed = (await value(page)).match(/[^ )]*日本\.|に.*/)?.[0];

	// What is too long stays Markdown, and is not asked for.
	await way(page, 'Markdown');
	found.formlike.push(await formlike(page));
	const fit = await value(page);
	await area(page).evaluate((text) => { text.value = 'ä'.repeat(525000); });
	await way(page, 'Visual');
	await page.waitForFunction(() => document.getElementById('visual-said').textContent !== '');
	found.big = [await told(page), await area(page).isVisible()];
	await area(page).evaluate((text, was) => { text.value = was; }, fit);
	await way(page, 'Visual');
	await textbox(page).waitFor();

	// What the reader refuses is marked where it is.
	await table.getByRole('button', { name: 'Edit as Markdown' }).click();
	await key.press('Control+End');
	await key.insertText(`\n\n${'> '.repeat(400)}deep`);
	await has(page, 'deep');
	await key.press('Control+s');
	await says(page, 'Not saved:');
	found.refused422 = await textbox(page).locator('.refused').getAttribute('aria-describedby');
	await textbox(page).locator('.card textarea').fill('| A |\n|---|\n| 1 |');
	await key.press('Escape');
	await saved(page, '| A |');

	// An exception in the view: the text is there.
	await behind(page, 'Last');
	await key.type(' words');
	await page.evaluate(() => { Document.prototype.createRange = () => { throw new Error('on purpose'); };
		Document.prototype.getSelection = Document.prototype.createRange; });
	await key.type('.');
	await area(page).waitFor();
	found.broken = [await told(page), (await value(page)).includes('Last words')];
	lap('broken');
	found.said.push(...page.said.filter((line) => !/ERR_|Failed to load|500|on purpose/.test(line)));
	found.refused.push(...page.refused);

	// On a phone, and from right to left.
	for (const [name, option] of [['360', { width: 360, dark: true }], ['320', { width: 320, height: 256 }],
		['1280', { width: 1280, cookies: plan.arabic }]]) {
		const look = await browser.open(plan.broken, { cookies: plan.cookies, visual: true, ...option });
		await textbox(look).waitFor();
		found[name] = [await browser.overflow(look), await browser.axe(look), look.said, await browser.small(look)];
		// A wide table scrolls, and its caption stays.
		found.scrolled ??= await look.locator('.grid').last().evaluate((grid) => {
			grid.scrollLeft = 200;
			return [grid.scrollLeft > 0, grid.querySelector('input').getBoundingClientRect().left > 0];
		});
		if (plan.pictures)
			await browser.picture(look, `${plan.pictures}/visual-${name}.png`);
	}
	lap('looked');
});
process.stdout.write(JSON.stringify(found));
