// One headless chromium for a whole run: axe-core on pages, and pictures of them.
//
//	import { browse } from './browser.mjs';
//	const done = await browse(async (browser) => {
//		const page = await browser.open('/tmp/page.html', { width: 360 });
//		const violations = await browser.axe(page);
//		await browser.picture(page, '/tmp/page.png');
//	});
//
// The browser is Debian's (`chromium` in PATH, or what CHROMIUM names); nothing is
// downloaded, and pages reach no network: only file: and data: are loaded, and the
// origin of a page at 127.0.0.1 that is opened by its address; everything else that a
// page asks for is in `page.refused`.
import { existsSync, fstatSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Tells run_program() (tests/lib/Galley/Process.pm), which keeps what is written in files, that the
// browser works.
const watched = fstatSync(1).isFile() && fstatSync(2).isFile();
const live = () => watched && process.stderr.write('.');

function executable() {
	const places = [process.env.CHROMIUM, '/usr/bin/chromium',
		'/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
	const found = places.find((place) => place && existsSync(place));
	if (found === undefined)
		throw new Error('there is no chromium: install the package chromium');
	return found;
}

// Opens a file, or http://127.0.0.1:PORT/…, in a window of its own. Options: width
// (1280), height (900), dark (false), rtl: true turns the whole page around, print:
// true, script: false runs no script of the page, cookies: those of Playwright, language: a
// value of Accept-Language, zone: a time zone, visual: true lets the editor show its text as readers see it, as it
// does in a browser that was not asked; else it is the Markdown. What the browser writes into its console is in page.said. A `tab`, a
// page that was opened with the same options, is taken for this one.
async function open(browser, file, option = {}, tab = undefined) {
	const page = await show(tab?.context() ?? await make(browser, option), file, undefined, {}, tab);
	if (option.print)
		await page.emulateMedia({ media: 'print' });
	if (option.rtl)
		await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
	return page;
}

// Makes a window, whose pages share its cookies.
async function make(browser, option) {
	const context = await browser.newContext({
		viewport: { width: option.width ?? 1280, height: option.height ?? 900 },
		colorScheme: option.dark ? 'dark' : 'light',
		serviceWorkers: 'block',
		javaScriptEnabled: option.script ?? true,
		...option.touch && { hasTouch: true, isMobile: true },
		...option.zone && { timezoneId: option.zone },
		...option.language && { extraHTTPHeaders: { 'Accept-Language': option.language } },
	});
	context.on('request', live);
	if (option.cookies)
		await context.addCookies(option.cookies);
	if (!option.visual)
		await context.addInitScript(() => {
			try {
				if (localStorage.getItem('galley visual') === null)
					localStorage.setItem('galley visual', 'markdown');
			} catch {
				// A page of a file or a frame has no storage.
			}
		});
	return context;
}

// Opens a page in a window. An answer {status, headers, body} takes the place of the server's, and
// so do those of `assets` by their paths. A `tab` is a page of that window that nobody needs any more:
// this one takes its place. A new one would cost a process of the browser. A page that `stays` leads
// nowhere: one that asks again would go while it is looked at.
async function show(context, file, answer, assets = {}, tab = undefined, stays = false) {
	const page = tab ?? await context.newPage();
	page.removeAllListeners('console');
	await page.unroute('**/*');
	page.said = [];
	page.on('console', (message) => page.said.push(`${message.type()}: ${message.text()}`));
	const address = /^http:\/\/127\.0\.0\.1:\d+\//.test(file) ? new URL(file) : pathToFileURL(file);
	page.refused = [];
	let shown = false;
	await page.route('**/*', (route) => {
		const url = route.request().url();
		if (stays && shown && route.request().isNavigationRequest()
			&& route.request().frame() === page.mainFrame())
			return route.abort('aborted');
		if (answer && url === address.href && route.request().isNavigationRequest())
			return route.fulfill(answer);
		if (assets[new URL(url).pathname])
			return route.fulfill(assets[new URL(url).pathname]);
		if (/^(file|data):/.test(url) || url.startsWith(`${address.origin}/`))
			return route.continue();
		page.refused.push(url);
		return route.abort();
	});
	await page.goto(address.href, { timeout: 60_000 });
	shown = true;
	return page;
}

// What axe-core finds, best practices included: [{id, help, nodes: [HTML…]}…].
async function axe(page) {
	live();
	// Not as an element: the page's own policy may forbid it.
	await page.evaluate(axeSource);
	// Of what is sound it keeps no list, which takes a third of its time.
	const { violations } = await page.evaluate(() => window.axe.run(
		{ resultTypes: ['violations'], selectors: false }));
	return violations.map(({ id, help, nodes }) => ({
		id, help, nodes: nodes.slice(0, 5).map((node) => node.html),
	}));
}

// How far the page reaches beyond its window sideways, in pixels.
async function overflow(page) {
	return page.evaluate(() => {
		const root = document.documentElement;
		return root.scrollWidth - root.clientWidth;
	});
}

// What a finger must hit and is under 44 px high, or under 36 px where the window is as wide as those
// of a mouse: links that are in a sentence apart, boxes whose label is
// as high, and links whose row is their target.
async function small(page) {
	return page.evaluate(() => [...document.querySelectorAll(
		'a[href], button, select, textarea, summary, input:not([type=hidden])')]
		.filter((target) => {
			const label = target.matches('[type=checkbox], [type=radio]') && target.labels?.[0];
			const row = getComputedStyle(target, '::after').position === 'absolute'
				&& target.closest('tr, li');
			const { height, width } = (label || row || target).getBoundingClientRect();
			return height < (innerWidth < 704 ? 43.9 : 35.9) && width > 1
				&& getComputedStyle(target).display !== 'inline';
		}).map((target) => target.outerHTML.slice(0, 120)));
}

async function picture(page, file, fullPage = true) {
	await page.screenshot({ path: file, fullPage });
}

// Starts the browser, calls `work` with {open, context, page, axe, overflow, small, picture},
// ends it. Where pages are `brief`, opened, looked at and left, what optimises their scripts would
// cost more than it saves.
export async function browse(work, { brief = false } = {}) {
	const browser = await chromium.launch({
		executablePath: executable(),
		args: ['--no-sandbox', '--disable-dev-shm-usage',
			...brief ? ['--js-flags=--no-opt,--no-maglev,--always-sparkplug'] : []],
	});
	try {
		return await work({
			open: (file, option, tab) => open(browser, file, option, tab),
			context: (option) => make(browser, option),
			page: show,
			axe, overflow, small, picture,
		});
	} finally {
		await browser.close();
	}
}
