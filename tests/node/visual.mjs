/* The visual view in a browser, over texts of which the server has said what their blocks are
 * (one argument: a file of JSON, [{text, read}]), under the policy of the console. Writes what
 * was found as JSON. */
import { readFileSync } from 'node:fs';
import { browse } from './browser.mjs';

const [texts, bundle, policy] = process.argv.slice(2);
const all = JSON.parse(readFileSync(texts, 'utf8'));
const ORIGIN = 'http://127.0.0.1:9';
const page = `<!DOCTYPE html><html lang="en"><title>T</title><link rel="stylesheet" href="/sheet.css"><h2 id="name">Text</h2><div id="text"></div>
<script src="/visual.js"></script>`;

const FILES = new Map([
	['/', ['text/html', page]], ['/visual.js', ['text/javascript', readFileSync(bundle, 'utf8')]],
	['/sheet.css', ['text/css', '#text { white-space: pre-wrap }']],
	['/media/y', ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']]
]);

const found = { asked: [], said: [], texts: [] };
await browse(async (browser) => {
	const tab = await (await browser.context({})).newPage();
	tab.on('console', (message) => found.said.push(message.text()));
	tab.on('pageerror', (error) => found.said.push(String(error)));
	await tab.route('**/*', (route) => {
		const path = new URL(route.request().url()).pathname;
		found.asked.push(route.request().url());
		const file = FILES.get(path);
		return file === undefined ? route.abort() : route.fulfill({ status: 200, contentType: file[0],
			headers: { 'Content-Security-Policy': policy }, body: file[1] });
	});
	for (const { text, read } of all) {
		await tab.goto(ORIGIN + '/');
		const opened = await tab.evaluate(([text, read]) => {
			window.changes = 0;
			window.it = galleyVisual.open(document.getElementById('text'), {
				text, blocks: read.blocks, labelledby: 'name', lang: 'en', changed() { window.changes++; }
			});
			return window.it && window.it.text();
		}, [text, read]);
		const one = { opened };
		found.texts.push(one);
		/* The text ends with this heading, and a press behind its words sets the caret there. */
		const last = tab.getByRole('textbox', { name: 'Text' }).getByRole('heading', { name: 'Last' });
		await last.click();
		await tab.keyboard.press('End');
		await tab.waitForFunction(() => getSelection().anchorOffset === 4);
		await tab.evaluate(() => new Promise((done) => setTimeout(done)));
		await tab.keyboard.press('Enter');
		await tab.keyboard.type('## Typed');
		await tab.keyboard.press('Enter');
		await tab.keyboard.type('A **bold** word, *so* `much`, [a link](https://x.example/) and 1 * 2.');
		await tab.keyboard.press('Enter');
		await tab.keyboard.type('- one');
		await tab.keyboard.press('Enter');
		await tab.keyboard.type('two');
		await tab.keyboard.press('Enter');
		await tab.keyboard.press('Enter');
		await tab.keyboard.type('> said ');
		await tab.keyboard.press('Control+b');
		await tab.keyboard.type('loudly');
		one.typed = await tab.evaluate(() => window.it.text());
		one.changes = await tab.evaluate(() => window.changes > 0);
		for (let i = 0; i < 60; i++)
			await tab.evaluate(() => window.it.run('undo'));
		one.undone = await tab.evaluate(() => window.it.text());
		one.links = await tab.evaluate(() => [...document.querySelectorAll('#text a')]
			.map((a) => a.getAttribute('href')));
		one.loads = await tab.evaluate(() => [...document.querySelectorAll('#text [src]')]
			.map((node) => node.src));
	}
});
process.stdout.write(JSON.stringify(found));
