// The editor's script beside the automatic saves: ways from a check to its place, keys, pasted
// HTML, pictures, the preview, and a web server that is killed.
//
//	node tests/node/editor.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, new, cookies, control, instance, port, words, pictures}: an article
// with the text of a failed check, the page of a new one, what starts the server of the instance,
// with more words for it. With a folder `pictures` it leaves some there.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { said: [], refused: [], posts: [] };

const says = (page, words) => page.waitForFunction((w) =>
	document.getElementById('saving-now').textContent.includes(w), words, { timeout: 60000 });
const value = (page) => page.locator('[name=text]').inputValue();
const chosen = (page) => page.locator('[name=text]').evaluate((area) =>
	[document.activeElement === area, area.value.slice(area.selectionStart, area.selectionEnd)]);
const put = (page, word) => page.locator('[name=text]').evaluate((area, w) => {
	area.focus();
	area.setSelectionRange(area.value.indexOf(w) + w.length, area.value.indexOf(w) + w.length);
}, word);

// Pastes or drops: types are {TYPE: TEXT}, files [{name, type, bytes}], bytes in base64.
const give = (page, kind, types, files = []) => page.locator('[name=text]').evaluate(
	(area, [how, texts, list]) => {
		const data = new DataTransfer();
		for (const [type, text] of Object.entries(texts))
			data.setData(type, text);
		for (const file of list)
			data.items.add(new File([Uint8Array.from(atob(file.bytes), (c) => c.charCodeAt(0))],
				file.name, { type: file.type }));
		const event = how === 'paste'
			? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
			: new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
		return !area.dispatchEvent(event);
	}, [kind, types, files]);

// A picture of one pixel.
const pixel = { name: 'garden.png', type: 'image/png', bytes: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
	+ 'AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' };

// Kills every process of the server, and starts it again.
function killed() {
	for (let tries = 0; tries < 50; tries++) {
		const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
					.includes(`${plan.instance}/run/apache\0`);
			} catch {
				return false;
			}
		});
		if (pids.length === 0)
			return;
		for (const pid of pids) {
			try {
				process.kill(Number(pid), 'SIGKILL');
			} catch {
				// It has ended.
			}
		}
	}
	throw new Error('the server does not end');
}

function started() {
	const done = spawnSync(plan.control, ['start', plan.instance, '--port', String(plan.port),
		'--extra', '/dev/null', ...plan.words], { encoding: 'utf8' });
	if (done.status !== 0)
		throw new Error(done.stderr);
}

await browse(async (browser) => {
	const page = await browser.open(`${plan.address}?check=1`, { cookies: plan.cookies, width: 1600 });
	page.on('request', (r) => r.method() === 'POST' && found.posts.push(new URL(r.url()).pathname
		.replace(/.*\//, '')));

	// When it was saved is said once.
	const times = async () => [await page.locator('#last-save').isVisible(),
		/^Saved at \d/.test(await page.locator('#saving-now').textContent())];
	found.times = [await times()];

	// From a check to its place, after the text has moved; and back.
	await put(page, 'Beginning.');
	await page.keyboard.type('\n\nOne more.');
	const way = page.locator('a[data-first]').last();
	found.way = await way.textContent();
	await way.click();
	found.place = await chosen(page);
	found.seen = await page.locator('[name=text]').evaluate((area) => area.scrollTop > 0);
	await page.locator('#way-back').click();
	found.back = await way.evaluate((link) => document.activeElement === link);

	// Keys.
	await put(page, 'Beginning');
	await page.keyboard.press('Control+b');
	await page.keyboard.type('bold');
	await page.keyboard.press('Control+s');
	await says(page, 'Saved at');
	found.bold = await value(page);
	found.times.push(await times());
	found.heard = await page.locator('#saving-heard').textContent();

	// What readers will not see, after each save; and from another page to its place.
	found.losses = [await page.locator('#losses').isVisible()];
	await put(page, 'Last');
	await page.keyboard.type(' ~~one~~');
	await page.keyboard.press('Control+s');
	await page.locator('#losses a').waitFor();
	await page.locator('#losses a').click();
	found.losses.push(await page.locator('#losses li').textContent(), await chosen(page));
	const led = await browser.open(`${plan.address}?line=3#article-text`, { cookies: plan.cookies });
	found.losses.push(await chosen(led));
	await led.close();
	await put(page, 'Last ~~one~~');
	for (let i = 0; i < ' ~~one~~'.length; i++)
		await page.keyboard.press('Backspace');
	await page.keyboard.press('Control+s');
	await page.locator('#losses').waitFor({ state: 'hidden' });

	// Pasted HTML: the plain text at once, Markdown behind it, and two steps back.
	await put(page, 'One more.');
	found.taken = await give(page, 'paste', { 'text/plain': ' with a link', 'text/html':
		'<meta charset="utf-8"><span> with <b>a</b> <a href="https://example.org/">link</a></span>' });
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('](https'));
	found.pasted = await value(page);
	await page.keyboard.press('Control+z');
	found.plainer = await value(page);
	await page.keyboard.press('Control+z');
	found.undone = await value(page);
	found.code = await give(page, 'paste', { 'text/plain': '**x**', 'text/html':
		'<div style="white-space: pre"><span>**x**</span></div>' });
	await give(page, 'paste', { 'text/plain': 'Head\nOne\nTwo', 'text/html':
		'<b style="font-weight:normal" id="docs"><h2>Head</h2><ul><li><p>One</p></li><li>'
		+ '<p><span style="font-weight:700">Two</span></p></li></ul></b>' });
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('## Head'));
	found.blocks = await value(page);
	await page.route('**/paste', (route) => route.abort('connectionreset'));
	await give(page, 'paste', { 'text/plain': ' offline', 'text/html': '<p><b>offline</b></p>' });
	await page.waitForFunction(() => document.getElementById('paste-error').textContent !== '');
	found.offline = await page.locator('#paste-error').textContent();
	found.kept = (await value(page)).includes(' offline');
	await page.unroute('**/paste');

	// What cannot be kept leaves the field.
	await page.locator('[name=title]').fill('Lo\u202Eng');
	await says(page, 'taken out');
	found.taken_out = [await page.locator('[name=title]').inputValue(),
		(await page.locator('#saving-now').textContent()).startsWith('Not saved')];

	// Pictures: asked about, stored once, typed.
	found.posts.length = 0;
	await give(page, 'drop', {}, [pixel]);
	found.asked = await page.locator('#picture-name').textContent();
	await page.keyboard.type('A garden [at night]');
	await page.route('**/pictures', (route) => route.abort('connectionreset'));
	await page.keyboard.press('Enter');
	await page.waitForFunction(() => document.getElementById('picture-error').textContent !== '');
	found.lost = await page.locator('#picture-error').textContent();
	await page.unroute('**/pictures');
	await page.locator('#picture-add').dblclick();
	await page.waitForFunction(() => document.getElementById('picture').hidden);
	found.picture = (await value(page)).match(/!\[.*\]\(media:[0-9a-f]{64}\.png\)/)?.[0];
	found.uploads = found.posts.filter((name) => name === 'pictures').length;
	await page.keyboard.press('Control+z');
	found.without = (await value(page)).includes('media:');
	await page.keyboard.press('Control+Shift+z');
	await give(page, 'paste', {}, [{ name: 'a.png', type: 'image/png', bytes: 'bm8gcGljdHVyZQ==' }]);
	await page.keyboard.press('Enter');
	await page.waitForFunction(() => document.getElementById('picture-error').textContent !== '');
	found.wrong = await page.locator('#picture-error').textContent();
	await page.keyboard.press('Escape');
	found.closed = await page.locator('#picture').isHidden();
	await give(page, 'drop', {}, [{ name: 'a.pdf', type: 'application/pdf', bytes: '' }]);
	found.only = await page.locator('#paste-error').textContent();

	// The preview keeps its place.
	await page.keyboard.press('Control+s');
	await says(page, 'Saved at');
	await page.locator('[name=preview]').click();
	const drawn = () => page.waitForFunction(() => {
		const all = document.querySelectorAll('#beside-frames iframe');
		return all.length === 1 && all[0].className === '';
	});
	await drawn();
	const frame = () => page.locator('#beside-frames iframe').evaluate((f) =>
		[f.contentWindow.scrollY, f.contentDocument.body.textContent.includes('Beside now')]);
	await page.locator('#beside-frames iframe').evaluate((f) => f.contentWindow.scrollTo(0, 400));
	await put(page, 'One more.');
	await page.keyboard.type(' Beside now.');
	await says(page, 'Saved at');
	await page.waitForFunction(() => document.querySelector('#beside-frames iframe:not(.coming)')
		?.contentDocument?.body?.textContent.includes('Beside now'));
	found.beside = await frame();
	if (plan.pictures)
		await browser.picture(page, `${plan.pictures}/editor-1600.png`, false);
	await page.locator('#beside-close').click();

	// The web server is killed while it saves, and started again.
	const posted = page.waitForRequest((r) => r.method() === 'POST');
	await put(page, 'One more.');
	await page.keyboard.type(' Through a kill.');
	await posted;
	killed();
	await says(page, 'No connection');
	await page.keyboard.type(' And behind it.');
	started();
	await says(page, 'Saved at');
	found.survived = await value(page);
	found.refused.push(...page.refused);

	// A new article: nothing is sent before somebody presses, and HTML is pasted.
	found.posts.length = 0;
	await page.goto(plan.new);
	await page.locator('[name=text]').focus();
	// A picture whose bytes are in the HTML, alone and with text.
	const inside = `<img alt="" src="data:image/png;base64,${pixel.bytes}">`;
	await give(page, 'paste', { 'text/plain': 'Words', 'text/html': `<p><b>Words</b> ${inside}</p>` });
	await page.waitForFunction(() => !document.getElementById('picture').hidden);
	found.inside = [await value(page), await page.locator('#picture-name').textContent(),
		await page.locator('#paste-error').textContent()];
	await page.locator('#picture-cancel').click();
	await give(page, 'paste', { 'text/html': inside });
	await page.waitForFunction(() => !document.getElementById('picture').hidden);
	await page.locator('#picture-cancel').click();
	found.alone = await value(page);
	await give(page, 'paste', { 'text/html': '<img src="cid:a">' });
	await page.waitForFunction(() => document.getElementById('paste-error').textContent !== '');
	found.nowhere = await page.locator('#paste-error').textContent();
	await page.keyboard.press('Control+a');
	await page.keyboard.press('Delete');
	await give(page, 'paste', { 'text/plain': 'Quote', 'text/html': '<blockquote><p>Quote</p></blockquote>' });
	await page.waitForFunction(() => document.querySelector('[name=text]').value.includes('>'));
	found.fresh = await value(page);
	found.freshPosts = [...new Set(found.posts)];
	await page.locator('[name=title]').fill('Pressed');
	await page.keyboard.press('Control+s');
	await page.waitForURL((url) => !url.pathname.endsWith('/new'));
	found.pressed = await page.locator('h1').textContent();
	if (plan.pictures) {
		for (const [name, option] of [['360', { width: 360 }], ['360-dark', { width: 360, dark: true }],
			['1280', { width: 1280 }], ['1280-dark', { width: 1280, dark: true }]]) {
			const look = await browser.open(`${plan.address}?check=1`, { cookies: plan.cookies, ...option });
			await look.locator('#keys summary').click();
			await give(look, 'drop', {}, [pixel]);
			await browser.picture(look, `${plan.pictures}/editor-${name}.png`);
			await look.locator('#picture-cancel').click();
			await look.locator('[name=preview]').click();
			await look.waitForTimeout(1500);
			await browser.picture(look, `${plan.pictures}/editor-${name}-beside.png`, false);
		}
	}
	// Title and text are in the first window; what only the script moves is not there without it.
	found.first = {};
	for (const [name, option] of [['desk', { width: 1280, height: 800 }], ['phone', { width: 360, height: 740 }],
		['plain', { width: 360, height: 740, script: false }]]) {
		const look = await browser.open(plan.address, { cookies: plan.cookies, ...option });
		const top = async (label) => (await look.getByRole('textbox', { name: label }).first().boundingBox()).y;
		await look.keyboard.press('Tab');
		found.first[name] = { title: await top('Title'), text: await top('Text'),
			skip: await look.locator(':focus').textContent(),
			bar: await look.locator('.bar :is(a, button):visible').allInnerTexts(),
			formats: await look.getByRole('toolbar').count() };
	}
	// Enter in the title goes to the text, arrows go through the formats, Escape leads back.
	const by = await browser.open(plan.address, { cookies: plan.cookies });
	const at = () => by.evaluate(() => document.activeElement.name
		|| document.activeElement.getAttribute('aria-label') || document.activeElement.textContent);
	found.focus = [];
	await by.getByRole('textbox', { name: 'Title' }).focus();
	for (const key of ['Enter', 'Shift+Tab', 'Shift+Tab', 'ArrowRight', 'End', 'ArrowRight', 'Escape']) {
		await by.keyboard.press(key);
		found.focus.push(await at());
	}
	// A link into a closed section opens it; what only a person sends needs "Save" on a phone, too.
	found.closed = [await by.getByLabel('Slug').isVisible()];
	await by.evaluate(() => { const a = document.createElement('a'); a.href = '#article-slug';
		document.querySelector('.manuscript').append(a); a.click(); });
	found.closed.push(await by.getByLabel('Slug').isVisible());
	await by.getByLabel('Description').fill('Twelve signs');
	found.described = [await by.locator('#description-count').textContent(),
		await by.locator('#found-description').textContent()];
	const about = by.locator('#checks a', { hasText: 'Meta description' });
	await by.getByRole('button', { name: 'Check' }).click();
	await by.locator('#checks .score').waitFor();
	found.checked = [await about.count()];
	await by.getByLabel('Description').fill('Twelve signs of a text that is long enough to be a description which a search engine shows.');
	await by.getByRole('button', { name: 'Check' }).click();
	await about.waitFor({ state: 'detached' });
	found.checked.push(await by.locator('#checks meter').count(), await about.count(),
		await by.evaluate(() => Number(!location.search.includes('check'))));
	const thumb = await browser.open(plan.address, { cookies: plan.cookies, width: 360 });
	found.asks = [await thumb.locator('[name=save]').isVisible()];
	await thumb.locator('summary', { hasText: 'Comments' }).click();
	await thumb.getByLabel('Comment').fill('Look at this.');
	found.asks.push(await thumb.locator('[name=save]').isVisible());

	// On a phone the preview of a phone is whole.
	const phone = await browser.open(`${plan.address}/preview?width=360`, { cookies: plan.cookies, width: 360 });
	found.phone = await phone.locator('.framed').evaluate((box) => [box.querySelector('.phone') !== null,
		box.scrollWidth <= box.clientWidth]);
	found.said.push(...page.said);
	// What was saved stays in sight, however far down the person reads.
	const small = await browser.open(plan.new, { cookies: plan.cookies, width: 360 });
	await put(small, '');
	await small.keyboard.type('More. ');
	await says(small, 'Saved at');
	await small.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
	found.inSight = await small.locator('#saving-now').evaluate((line) => {
		const box = line.getBoundingClientRect();
		return [box.top >= 0 && box.bottom <= innerHeight && scrollY > 300,
			document.elementFromPoint(box.left + 30, box.top + box.height / 2) === line];
	});
	if (plan.pictures)
		await browser.picture(small, `${plan.pictures}/editor-360-saved.png`, false);
});
process.stdout.write(JSON.stringify(found));
