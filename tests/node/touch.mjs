// A person with a phone writes an article by taps, and by the letters and Enter of its keyboard.
//
//	node tests/node/touch.mjs <PLAN >FINDINGS
//
// The plan is JSON: {articles: the address of the list, cookies, picture: a file, pictures: a folder
// for what is seen, or null}. The findings are {cards: what a screen reader has of the text, small:
// targets that a finger misses, axe, overflow, said, refused}.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);

const found = await browse(async (browser) => {
	const context = await browser.context({ cookies: plan.cookies, visual: true, width: 360, height: 740, touch: true });
	const page = await browser.page(context, plan.articles);
	const look = (name) => plan.pictures && page.screenshot({ path: `${plan.pictures}/touch-${name}.png` });
	const box = page.locator('[role=textbox][data-ready]'), dialog = page.getByRole('dialog');
	const tap = (role, name) => page.getByRole(role, { name, exact: true }).tap();
	const type = async (...lines) => {
		for (const [i, line] of lines.entries()) {
			if (i > 0)
				await page.keyboard.press('Enter');
			if (line !== '')
				await page.keyboard.insertText(line);
		}
	};
	const insert = async (name, ...lines) => {
		await tap('button', 'Insert');
		await page.getByRole('listbox', { name: 'Insert' }).locator('#insert-' + name).tap();
		await type(...lines);
	};
	const fill = async (field, words) => {
		await field.tap();
		await type(words, '');
	};

	await tap('link', 'New');
	await box.waitFor();
	await page.getByRole('textbox', { name: 'Title' }).tap();
	await type('How compost warms a garden');
	await box.tap();
	await type('Compost is warm.', '');
	await insert('heading', 'Set up the bin', 'Choose a bin.');
	await insert('source');
	await fill(dialog.getByLabel('Title'), 'Compost basics');
	await dialog.waitFor({ state: 'detached' });
	await look('source');
	await type('', '');
	await insert('note', 'Mind it.', '', '');
	await fill(page.getByRole('group', { name: 'Note' }).getByLabel('Title'), 'Take care');
	await look('note');
	await insert('table', 'A');
	await page.locator('.grid th').nth(1).tap();
	await type('B', '1');
	await fill(page.getByRole('group', { name: 'Table' }).getByLabel('Caption'), 'What goes in');
	await page.locator('.grid td').nth(0).tap();
	// A table is left by the button alone: no key of a phone leads out of it.
	await insert('steps', 'Drill', 'Ten holes.', '', '');
	await insert('quote', 'Said.', '', '');
	await insert('list', 'one', 'two', '', '');
	await insert('numbers', 'first', '', '');
	await insert('code', 'x < 1');
	await insert('subheading', 'More', 'Of it.', '');
	await look('blocks');
	const chooser = page.waitForEvent('filechooser');
	await insert('picture');
	await (await chooser).setFiles(plan.picture);
	await look('picture');
	await fill(page.getByLabel('What does this picture show?'), 'A warm heap');
	await box.getByRole('group', { name: 'Picture' }).waitFor();
	await insert('question', 'Does it smell?', 'No.', '');
	await insert('takeaways', 'Keep it dry');
	await look('end');
	const done = { cards: await box.ariaSnapshot(), small: await browser.small(page), axe: await browser.axe(page),
		overflow: await browser.overflow(page) };
	await tap('button', 'Publish');
	await page.waitForURL(/publish/);
	await look('publish');
	await tap('button', 'Publish');
	await page.getByText('It has no address yet where readers open it').waitFor();
	return Object.assign(done, { said: page.said, refused: page.refused });
});
process.stdout.write(JSON.stringify(found) + '\n');
