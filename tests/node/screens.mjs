// Opens screens of the console as their readers would and says what is wrong with them.
//
//	node tests/node/screens.mjs FOLDER <PLAN >FINDINGS
//
// The plan is JSON: {origin, sign_in: {address, email, password} or null, readers: {NAME: {cookies,
// language}...}, views: {NAME: {width, script, dark, keyboard, pseudo}...}, screens: [{name,
// address, reader, view, answer}...], data: TEXTS, pictures: true or false}. An `answer` {status,
// headers, body} is shown at the address in the server's place: the answer to a form. Pictures are
// FOLDER/NAME-VIEW.png.
//
// The findings are lines of JSON, each printed at once: {signed_in: TITLE}, and of each screen {title,
// heading_there, violations, overflow, row, small, refused, said, unmarked, unreached, squeezed, undated, built, copies, uncopied}, with what the
// plan says of it; violations to refused are as those of look.mjs. `said` is what the browser complained of, the page's policy
// among it; `unmarked` the texts that are not in the pseudo-language and no data; `unreached` what
// the key Tab does not lead to, or leads to without a sign; `squeezed` what of a list has too
// little space for its words; `undated` the dates that are not in words; `built` the parts that a page has once and this one
// has not, or more than once; `copies` how many buttons copy something, and
// `uncopied` what is wrong with them.
import { mkdirSync } from 'node:fs';
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

// Moves the focus with the key Tab to what has this name.
async function tab_to(page, name) {
	for (let i = 0; i < 40; i++) {
		await page.keyboard.press('Tab');
		const found = await page.evaluate(() => {
			const at = document.activeElement;
			return at.labels?.[0]?.textContent ?? at.textContent;
		});
		if (found.trim() === name)
			return;
	}
	throw new Error(`no key leads to ${name}`);
}

// Signs in with the keyboard alone. Returns the title of the page that comes then.
async function sign_in(browser, { address, email, password }) {
	const page = await browser.open(address, { width: 360, script: false });
	await tab_to(page, 'E-mail');
	await page.keyboard.type(email);
	await tab_to(page, 'Password');
	await page.keyboard.type(password);
	await tab_to(page, 'Sign in');
	await Promise.all([page.waitForNavigation({ timeout: 20_000 }),
		page.keyboard.press('Enter')]);
	const title = await page.title();
	await page.context().close();
	return title;
}

// Texts of a page in the pseudo-language that are not in it: Latin letters out of its brackets that
// are no data, which is isolated or in the plan.
async function unmarked(page) {
	return page.evaluate((data) => {
		const isolated = [...data, ...[...document.querySelectorAll('bdi')]
			.map((at) => at.textContent).filter((known) => known.length > 2)]
			.sort((a, b) => b.length - a.length);
		const left = (text) => {
			for (let before = ''; before !== text;) {
				before = text;
				text = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
			}
			for (const known of isolated)
				text = text.replaceAll(known, ' ');
			return text.replace(/\{[a-z_]+\}|ab_live_\S+/g, ' ').trim();
		};
		const found = [];
		const look = (where, text) => {
			if (/[A-Za-z]{2}/.test(left(text)))
				found.push(`${where}: ${left(text)}`);
		};
		const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
			const at = node.parentElement;
			if (!at.closest('bdi, code, pre, textarea, time, svg, .mark')
				&& at.value !== node.data)
				look(at.outerHTML.slice(0, 80), node.data);
		}
		for (const at of document.querySelectorAll('*')) {
			for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
				look(name, at.getAttribute(name) ?? '');
		}
		return found;
	}, plan.data);
}

// Dates that a program reads, in the words of a page: what is to be copied, and lines of a log, apart.
async function undated(page) {
	return page.evaluate(() => {
		const found = [];
		const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
			if (/\d{4}-\d\d-\d\d/.test(node.data) && !node.parentElement.closest('code, pre, textarea'))
				found.push(node.parentElement.outerHTML.slice(0, 160));
		}
		return found;
	});
}

// What a page has once: its heading, its main part, and the act that it is for, of which a page of
// steps has one more. A time has what a program reads of it, and what somebody sees who points at it.
async function built(page) {
	return page.evaluate(() => {
		const found = [];
		const count = (what, least, most) => {
			const all = document.querySelectorAll(what).length;
			if (all < least || all > most)
				found.push(`${what}: ${all}`);
		};
		count('h1', 1, 1);
		count('main', 1, 1);
		count('main .button.primary', 0, document.querySelector('main .todo') ? 2 : 1);
		for (const at of document.querySelectorAll('main time:not([datetime][title])'))
			found.push(at.outerHTML);
		return found;
	});
}

// Buttons and short codes of a list that are broken over lines, because their column is squeezed.
async function squeezed(page) {
	return page.evaluate(() => [...document.querySelectorAll('.list .button, .list code')]
		.filter((at) => {
			const range = document.createRange();
			range.selectNodeContents(at);
			const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
			return lines.size > 1 && (at.matches('.button') || at.textContent.length < 24);
		}).map((at) => at.outerHTML.slice(0, 120)));
}

// What a person without a mouse cannot reach. Tab stops at one of the buttons of a choice. The page
// itself notes each stop: a question to it after each press would take longer than the presses.
async function unreached(page, script) {
	let left = await page.evaluate(() => {
		const what = (at) => at.type === 'radio' ? at.name : at;
		// A toolbar is one stop, in which arrows move.
		const targets = [...document.querySelectorAll(
			'a[href], button, select, textarea, summary, input:not([type=hidden])')]
			.filter((at) => !at.disabled && at.checkVisibility()
				&& !(at.tabIndex < 0 && at.closest('[role=toolbar]')));
		const left = new Map(targets.map((at) => [what(at), at.outerHTML.slice(0, 120)]));
		const silent = [];
		document.activeElement?.blur();
		const see = (at) => {
			if (at === document.body)
				return; // between the last stop and the first
			left.delete(what(at));
			const { outlineStyle, outlineWidth } = getComputedStyle(at);
			if (at.tagName !== 'IFRAME' && !['date', 'time'].includes(at.type)
				&& (outlineStyle === 'none' || parseFloat(outlineWidth) < 2))
				silent.push(`without a sign: ${at.outerHTML.slice(0, 120)}`);
		};
		document.addEventListener('focusin', ({ target }) => see(target));
		window.stops = { left, silent, see };
		return left.size;
	});
	// A date has a stop for each of its parts, and a page may begin in its middle.
	for (let presses = 4 * left + 10; presses > 0 && left > 0;) {
		for (let i = 0; i < left; i++, presses--) {
			await page.keyboard.press('Tab');
			// No listener hears it where scripts are off.
			if (!script)
				await page.evaluate(() => window.stops.see(document.activeElement));
		}
		left = await page.evaluate(() => window.stops.left.size);
	}
	return page.evaluate(() => [...window.stops.silent, ...window.stops.left.values()]);
}

// What has the focus and is under a bar that sticks.
async function covered(page) {
	return page.evaluate(() => {
		const bars = [...document.querySelectorAll('.head, .dock, .save-bar, .buttons')].filter((bar) =>
			bar.checkVisibility() && ['sticky', 'fixed'].includes(getComputedStyle(bar).position));
		const isUnder = (a, b) => b.top <= a.top && a.bottom <= b.bottom && b.left < a.right && a.left < b.right;
		return [...document.querySelectorAll('main :is(a[href], button, select, textarea, summary, input)')]
			.filter((at) => {
				at.focus();
				return document.activeElement === at && bars.some((bar) => !bar.contains(at)
					&& isUnder(at.getBoundingClientRect(), bar.getBoundingClientRect()));
			}).map((at) => `covered: ${at.outerHTML.slice(0, 120)}`);
	});
}

// What is wrong with the buttons that copy: without the script nobody sees them. With it a key
// presses the first, once where there is a clipboard and once where there is none; what the page
// chose is then copied by hand.
async function uncopied(page, script) {
	const buttons = page.locator('button[data-copied]');
	const wrong = [];
	for (const button of await buttons.all()) {
		const isOfAnotherTab = await button.evaluate((at) => at.closest('.lines > div') &&
			getComputedStyle(at.closest('.lines > div')).display === 'none');
		if (!isOfAnotherTab && await button.isVisible() !== script)
			wrong.push(`${script ? 'hidden' : 'seen'}: ${await button.evaluate((at) => at.outerHTML)}`);
	}
	if (!script || await buttons.count() === 0)
		return wrong;
	const press = async () => {
		await buttons.first().focus();
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => {
			const button = document.querySelector('button[data-copied]');
			return button.parentNode.querySelector('[role=status]').textContent === button.dataset.copied;
		}, undefined, { timeout: 10_000 });
	};
	const text = await page.evaluate(() => {
		const from = document.querySelector('button[data-copied]').parentNode
			.querySelector('code, textarea, input');
		const text = from.value ?? from.textContent;
		window.got = [];
		navigator.clipboard.writeText = async (words) => { window.got.push(words); };
		document.addEventListener('copy', () => window.got.push(from.value === undefined
			? getSelection().toString() : from.value.slice(from.selectionStart, from.selectionEnd)));
		return text;
	});
	await press();
	await page.evaluate(() => {
		Object.defineProperty(navigator, 'clipboard', { value: undefined });
		document.querySelector('button[data-copied]').parentNode
			.querySelector('[role=status]').textContent = '';
	});
	await press();
	for (const copied of await page.evaluate(() => window.got))
		if (copied !== text)
			wrong.push(`${copied} in place of ${text}`);
	if ((await page.evaluate(() => window.got)).length !== 2)
		wrong.push(`not copied twice: ${text}`);
	return wrong;
}

// Opens a screen in a window of its reader and view. Later screens take the place of earlier ones:
// a tab for each would cost the processor more than the rest of the look.
const tabs = new Map(), sessions = new Map();
async function open(browser, screen, script) {
	const reader = plan.readers[screen.reader], view = plan.views[screen.view];
	const key = JSON.stringify([screen.reader, view.width, view.height, view.dark]);
	if (!tabs.has(key)) {
		const context = await browser.context({ width: view.width, height: view.height,
			dark: view.dark, cookies: reader.cookies, language: reader.language });
		const tab = await context.newPage();
		tabs.set(key, tab);
		sessions.set(tab, await context.newCDPSession(tab));
	}
	const tab = tabs.get(key);
	await sessions.get(tab).send('Emulation.setScriptExecutionDisabled', { value: !script });
	return browser.page(tab.context(), screen.address, screen.answer, {}, tab, true);
}

// axe-core is a script, which a page without scripts would not run. A page that has none itself, and
// nothing for who runs none, is the same with them: it is looked at as it is there. Another is opened again.
async function violations(browser, screen, page, script) {
	if (!script && await page.locator('script:not([src*="/menu-"]), noscript').count() > 0)
		page = await open(browser, screen, true);
	await sessions.get(page).send('Emulation.setScriptExecutionDisabled', { value: false });
	return browser.axe(page);
}

async function look(browser, screen) {
	const view = plan.views[screen.view];
	const page = await open(browser, screen, view.script);
	const found = { ...screen, answer: undefined };
	found.title = await page.title();
	found.heading_there = (await page.locator('h1').first().textContent()).trim();
	found.unmarked = view.pseudo ? await unmarked(page) : [];
	if (plan.pictures)
		await browser.picture(page, `${folder}/${screen.name}-${screen.view.replaceAll(' ', '-')}.png`);
	found.overflow = await browser.overflow(page);
	found.row = await page.evaluate(() => {
		const row = document.querySelector('main tbody tr');
		return row && Math.round(row.getBoundingClientRect().top + scrollY);
	});
	found.small = await browser.small(page);
	found.squeezed = await squeezed(page);
	found.undated = await undated(page);
	found.built = await built(page);
	found.unreached = view.keyboard
		? [...await unreached(page, view.script), ...await covered(page)] : [];
	found.copies = await page.locator('button[data-copied]').count();
	found.uncopied = await uncopied(page, view.script);
	found.said = [...page.said];
	found.refused = page.refused;
	found.violations = await violations(browser, screen, page, view.script);
	return found;
}

const tell = (found) => process.stdout.write(`${JSON.stringify(found)}\n`);

await browse(async (browser) => {
	tell({ signed_in: plan.sign_in ? await sign_in(browser, plan.sign_in) : null });
	for (const screen of plan.screens)
		tell(await look(browser, screen));
}, { brief: true });
