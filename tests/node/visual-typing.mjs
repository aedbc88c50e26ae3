/* The editor's scripts against a server that is slow, refuses or brings others' text: what is typed
 * meanwhile stays, and the same text is not sent again and again. Arguments: the program that says
 * what the blocks of a text are (tests/unit/import/blocks.c), and the folder of the scripts. Writes
 * what was found as JSON. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { browse } from './browser.mjs';

const [program, folder] = process.argv.slice(2);
const ORIGIN = 'http://127.0.0.1:9';
const OLD = 'One.\n\nTwo.\n\nLast.\n';
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');
const scripts = ['console.js', 'console-text.js', 'console-paste.js', 'console-visual.js'].map(read).join('\n');
const bundle = read('visual.js');
/* Each word of the scripts may be the name of a sentence. */
const names = new Set((scripts + readFileSync(`${folder}/../../editor/page.js`, 'utf8') +
	['cards', 'insert', 'link', 'parts', 'reference', 'table', 'view'].map((name) => readFileSync(`${folder}/../../editor/${name}.js`, 'utf8')).join())
	.match(/(?<=['"])[a-z][a-z-]*(?=['"])/g));
const html = (shown) => `<!DOCTYPE html><html lang="en"><title>T</title><meta charset="utf-8">
<div id="saving" data-person="p" data-paste="/w/articles/paste" data-visual="/assets/visual-0123456789abcdef.js">
<div id="saving-copy" hidden><button id="saving-take">t</button><button id="saving-drop">d</button></div>
<p id="saving-heard"></p>${[...names].map((name) => `<span data-say="${name}" hidden>${name}</span>`).join('')}</div>
<form id="article" action="/w/articles/1" method="post"><p id="saving-now"></p>
<input type="hidden" name="token" value="t"><input type="hidden" name="number" value="0000000000000001aa">
<input type="hidden" name="base" value="0"><input type="hidden" name="shown" value="1"><input type="hidden" name="facts" value="">
<label>Title <input name="title" value="T"></label><label>Description <input name="description" value="D"></label>
<div id="tools"><button type="button" data-tool="bold">B</button></div>
<button type="button" name="check">c</button><label for="text">Text</label><textarea id="text" name="text">${shown.replaceAll('<', '&lt;')}</textarea></form>
<button id="take-back" hidden>u</button><details id="keys"><ul><li><kbd>Ctrl</kbd></li></ul></details>
${["words", "found-title", "found-description", "description-count"].map((id) => `<p id="${id}"></p>`).join("")}
<div id="losses"><ul></ul></div><p id="way-back" hidden><button>b</button></p><div id="picture" hidden><p id="picture-label"></p><p id="picture-name"></p><p id="picture-error"></p>
<button id="picture-add">a</button><button id="picture-cancel">c</button></div><p id="paste-error"></p>
<script src="/console.js"></script>`;

const blocksOf = (text) => JSON.parse(spawnSync(program, ['-'], { input: text + '\0', encoding: 'utf8' }).stdout).read;

/* The value of a field of a form that was sent. */
const sent = (request, name) => new RegExp(`name="${name}"\\r\\n\\r\\n([^]*?)\\r\\n--`)
	.exec(request.postData())[1].replace(/\r\n/g, '\n');

await browse(async (browser) => {
	const found = { said: [] };
	const context = await browser.context({ visual: true });
	let tab, saves, answer, blocks;

	/* Opens the page. answer(text) says what a save brings: {text, fields}; blocks(text), before a
	 * text is read, may wait or return a status. */
	async function start(text, clock, stored) {
		tab = await context.newPage();
		saves = [];
		answer = () => ({});
		blocks = () => 200;
		tab.on('pageerror', (error) => { found.said = [...found.said, String(error.stack)]; if (process.env.LAPS) console.error(error.stack); });
		tab.on('dialog', (dialog) => dialog.accept());
		await tab.route('**/*', async (route) => {
			const request = route.request(), path = new URL(request.url()).pathname;
			const give = (contentType, body, status = 200) => route.fulfill({ status, contentType, body });
			if (path.endsWith('/blocks')) {
				const asks = sent(request, 'text'), status = await blocks(asks);
				return give('application/json', JSON.stringify(status === 200 ? blocksOf(asks) : {}), status);
			}
			if (request.method() === 'POST') {
				const now = Object.fromEntries(['title', 'description', 'text', 'base'].map((name) => [name, sent(request, name)]));
				saves.push(now);
				return give('application/json', JSON.stringify({ number: '0000000000000002bb', shown: '2', base: String(saves.length),
					saved_at: '9:05', length: '3 words', merged: false, losses: [], text: null, fields: {}, ...answer(now) }), answer(now).errors ? 422 : 200);
			}
			return path === '/console.js' ? give('text/javascript', scripts)
				: path.startsWith('/assets/') ? give('text/javascript', bundle) : give('text/html', html(text));
		});
		tab.setDefaultTimeout(5000);
		if (stored)
			await tab.addInitScript((it) => sessionStorage.setItem('galley p /w/articles/1', it), stored);
		if (clock)
			await tab.clock.install();
		await tab.goto(ORIGIN + '/w/articles/1/edit');
		await tab.locator('[role=textbox][data-ready]').waitFor();
	}
	const value = (name) => tab.locator(`[name=${name}]`).inputValue();
	const box = () => tab.locator('[role=textbox][data-ready]');
	const has = (words) => tab.waitForFunction((w) => document.querySelector('[name=text]').value.includes(w), words);
	const save = () => tab.keyboard.press('Control+s');
	const until = async (is) => {
		for (let i = 0; i < 400 && !is(); i++)
			await tab.evaluate(() => new Promise((done) => setTimeout(done, 25)));
	};
	/* The scripts ran through what came. */
	const rest = () => tab.evaluate(() => new Promise((done) => setTimeout(done, 50)));
	async function type(behind, words) {
		await box().getByText(behind, { exact: true }).click();
		await tab.keyboard.press('End');
		await rest();
		await tab.keyboard.type(words);
	}
	const hers = (text) => text.replace('Last.', 'Last of hers.');

	/* What is typed into another field while others' text is read. */
	await start(OLD);
	let go, asked = false;
	blocks = (text) => text.includes('hers') ? new Promise((done) => { asked = true; go = () => done(200); }) : 200;
	answer = ({ text, title }) => ({ text: hers(text), fields: { description: 'Hers' } });
	await type('One.', ' more');
	await save();
	await until(() => asked);
	await tab.locator('[name=description]').fill('Mine');
	await tab.locator('[name=title]').fill('New title');
	answer = () => ({});
	go();
	blocks = () => 200;
	await rest();
	found.meanwhile = [await value('description'), await value('title')];
	await until(() => saves.length > 1);
	found.meanwhile.push(saves[1]?.title, saves[1]?.base);
	await tab.close({ runBeforeUnload: false });

	/* Who writes in a card keeps it, and sees others' text when it is closed. */
	await start('One.\n\n<p>x</p>\n\nLast.\n');
	await box().getByRole('button', { name: 'as-markdown' }).click();
	await tab.keyboard.press('Control+End');
	await tab.keyboard.type('\n\nword');
	await has('word');
	answer = ({ text }) => ({ text: hers(text) });
	await save();
	await until(() => saves.length > 0);
	await rest();
	found.card = [await tab.evaluate(() => document.activeElement.localName), await value('text')];
	await tab.keyboard.type('s');
	await has('words');
	answer = () => ({});
	await save();
	await until(() => saves.length > 1);
	await rest();
	found.card.push(await tab.evaluate(() => document.activeElement.localName), saves[1]?.base);
	answer = ({ text }) => ({ text: hers(text) });
	await tab.keyboard.type('!');
	await has('words!');
	await save();
	await until(() => saves.length > 2);
	await rest();
	await tab.keyboard.press('Escape');
	await has('hers');
	found.card.push(await value('text'));
	/* A card that is closed at once: the page knows, and keeps it. */
	await box().getByRole('button', { name: 'as-markdown' }).click();
	await tab.keyboard.type('y');
	await tab.keyboard.press('Escape');
	await rest();
	found.card.push(await tab.evaluate(() => Object.values(sessionStorage).join().includes('</p>y')));
	await tab.close({ runBeforeUnload: false });

	/* Others' text cannot be shown: it is there as Markdown, and nothing is sent again. */
	await start(OLD, true);
	await type('One.', ' more');
	await has('more');
	blocks = () => 413;
	answer = ({ text }) => ({ text: hers(text) });
	await save();
	await tab.locator('textarea[name=text]').waitFor();
	await has('hers');
	found.cannot = [await tab.locator('#visual-said').textContent(), await value('text')];
	await tab.clock.runFor(20000);
	await rest();
	found.cannot.push(saves.length);
	await tab.close({ runBeforeUnload: false });

	/* What is refused is sent again after the next key only. */
	await start(OLD, true);
	answer = () => ({ errors: [{ field: 'title', line: 0, text: 'No.' }] });
	await type('One.', ' more');
	await has('more');
	await save();
	await until(() => saves.length > 0);
	await tab.clock.runFor(20000);
	await rest();
	found.refused = [saves.length];
	await type('Two.', '!');
	await has('Two.!');
	await tab.clock.runFor(5000);
	await until(() => saves.length > 1);
	found.refused.push(saves[1]?.text);
	await tab.close({ runBeforeUnload: false });

	/* Something goes wrong when an answer is shown. */
	await start(OLD);
	await type('One.', ' more');
	await has('more');
	answer = ({ text }) => ({ text: hers(text) });
	blocks = (text) => { answer = () => ({}); return text.includes('hers') ? tab.evaluate(() => {
		Node.prototype.insertBefore = () => { throw new Error('on purpose'); }; }).then(() => 200) : 200; };
	await save();
	await tab.locator('textarea[name=text]').waitFor();
	found.broken = [await tab.locator('#visual-said').textContent(), await value('text')];
	found.said = found.said.filter((line) => !line.includes('on purpose'));
	await tab.close({ runBeforeUnload: false });

	/* A picture that comes when the view is closed, or while other words are chosen. */
	await start(OLD);
	await type('One.', '');
	asked = false;
	blocks = () => new Promise((done) => { asked = true; go = () => done(200); });
	await tab.evaluate(() => galley.typeBlocks('![p](media:p)'));
	await until(() => asked);
	await tab.getByRole('button', { name: 'markdown', exact: true }).click();
	go();
	await has('media:p').catch(() => 0);
	found.picture = [await value('text')];
	await tab.evaluate(() => localStorage.clear());
	await tab.close({ runBeforeUnload: false });
	await start(OLD);
	await type('One.', '');
	await tab.keyboard.press('Shift+Home');
	await rest();
	asked = false;
	blocks = () => new Promise((done) => { asked = true; go = () => done(200); });
	await tab.evaluate(() => galley.typeBlocks('![p](media:p)'));
	await until(() => asked);
	await tab.keyboard.press('End');
	await rest();
	await tab.keyboard.type('!');
	go();
	await has('media:p').catch(() => 0);
	found.picture.push(await value('text'));
	await tab.close({ runBeforeUnload: false });

	/* The link of words with a space at an end, of a note's number, and while others' text comes. */
	await start('One **bold**  word [^1] x\n\nTwo.\n\nLast.\n\n[^1]: Note.\n');
	const choose = (from, to) => tab.evaluate(([from, to]) => {
		const p = document.querySelector('[role=textbox] p'), walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), all = [];
		while (walk.nextNode()) for (let i = 0; i < walk.currentNode.data.length; i++) all.push([walk.currentNode, i]);
		document.querySelector('[role=textbox]').focus();
		getSelection().setBaseAndExtent(...all[from], ...all[to]);
	}, [from, to]).then(rest);
	async function link(address) {
		await tab.keyboard.press('Control+k');
		await tab.getByRole('dialog', { name: 'link' }).waitFor();
		await tab.keyboard.type(address);
	}
	await choose(0, 9);
	await link('example.org/a');
	await tab.keyboard.press('Enter');
	await has('example.org/a');
	await choose(11, 16);
	await link('example.org/b');
	await tab.keyboard.press('Enter');
	await has('example.org/b');
	found.link = [await value('text')];
	await type('Two.', '');
	await tab.keyboard.press('Shift+Home');
	await rest();
	asked = false;
	answer = ({ text }) => ({ text: 'Zero.\n\n' + text });
	blocks = (text) => text.startsWith('Zero') ? new Promise((done) => { asked = true; go = () => done(200); }) : 200;
	await save();
	await until(() => asked);
	await link('example.org/c');
	answer = () => ({});
	blocks = () => 200;
	go();
	await has('Zero.');
	await tab.keyboard.press('Enter');
	await has('example.org/c');
	found.link.push((await value('text')).split('\n\n').slice(0, 3));
	await tab.close({ runBeforeUnload: false });

	/* An older copy of the clipboard's history; and what is no copy of a text lies in the tab. */
	await start(OLD, false, '5');
	const copy = (word, how) => tab.evaluate(([word, how]) => {
		const p = [...document.querySelectorAll('[role=textbox] p')].find((it) => it.textContent === word);
		document.querySelector('[role=textbox]').focus();
		getSelection().selectAllChildren(p);
		return new Promise((done) => setTimeout(done, 50)).then(() => {
			const data = new DataTransfer();
			p.dispatchEvent(how === 'drag' ? new DragEvent('dragstart', { dataTransfer: data, bubbles: true, cancelable: true })
				: new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
			return data.getData('text/html');
		});
	}, [word, how]);
	const one = await copy('One.'), dragged = await copy('Two.', 'drag');
	await copy('Two.');
	await type('Last.', '');
	await tab.evaluate((given) => { const data = new DataTransfer(); data.setData('text/html', given); data.setData('text/plain', 'One.');
		document.querySelector('[role=textbox]').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }, one);
	await has('Last.One.');
	found.copies = [await value('text'), /data-galley/.test(one), /data-galley/.test(dragged)];
	await tab.close({ runBeforeUnload: false });

	process.stdout.write(JSON.stringify(found));
});
