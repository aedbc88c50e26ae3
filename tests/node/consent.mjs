// What collect.js sends of a website's reader, and when (htdocs/collect.js).
//
//	node tests/node/consent.mjs <PLAN >FINDINGS
//
// The plan is JSON: {host, other, galley, site, prefix}: the origins of a website that is counted and
// of one that links to it, that of Galley, the site_id, the digits of the article on its pages, and the
// addresses of two of them: `plain` and `long`. The website has /given, /both and /turned; the other one has /link. The findings are
// [{what, got, want}].
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = [];
const is = (what, got, want) => found.push({ what, got, want });

await browse(async (browser) => {
	// Opens an address as a person's browser, or as what `wish` makes of it. `sent` holds the hits,
	// `asked` all that the browser asked for.
	async function open(address, { wish = '', driven = false, ...option } = {}) {
		const context = await browser.context({ visual: true, ...option });
		const page = await context.newPage();
		Object.assign(page, { asked: [], sent: [] });
		page.on('request', (request) => {
			const url = new URL(request.url());
			page.asked.push(`${request.method()} ${url.pathname}`);
			if (url.pathname === '/collect')
				page.sent.push({ body: JSON.parse(request.postData()), headers: request.headers() });
		});
		if (!driven)
			await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver',
				{ get: () => false }));
		if (wish)
			await page.addInitScript(wish);
		await page.goto(address, { timeout: 20000 });
		return page;
	}

	// Does something in the page and returns the hits that it sent. What a page asks for later
	// comes later.
	async function sends(page, what) {
		const before = page.sent.length;
		await page.evaluate(what);
		const mark = page.waitForResponse(/\/mark$/);
		await page.evaluate(() => fetch('/mark'));
		await mark;
		return page.sent.slice(before).map((hit) => hit.body);
	}

	async function stored(page) {
		return { cookies: await page.context().cookies(), ...await page.evaluate(async () => ({
			local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie,
			databases: (await indexedDB.databases()).length, caches: (await caches.keys()).length,
		})) };
	}

	const nothing = { cookies: [], local: {}, session: {}, cookie: '', databases: 0, caches: 0 };
	const hit = (path, more) => ({ site_id: plan.site, path, consent: true, width: 'l',
		article: plan.prefix, ...more });

	// ---- consent
	{
		const page = await open(`${plan.host}${plan.plain}#part`);
		is('nothing is sent before consent', await sends(page, () => {}), []);
		is('and nothing is asked for but the script', page.asked.filter((one) => !/mark|favicon/.test(one)),
			['GET /plain', 'GET /collect.js']);
		is('nothing is stored', await stored(page), nothing);
		is('view() sends nothing either', await sends(page, () => galley.view()), []);
		is('nor does what is no consent', await sends(page, () => ['true', 1, null, undefined, {}]
			.forEach((given) => galley.consent(given))), []);
		const answer = page.waitForResponse(/\/collect$/);
		is('consent is one hit', await sends(page, () => galley.consent(true)),
			[hit('/plain', { utm_source: 'a b', utm_campaign: 'x'.repeat(50) })]);
		is('which is taken', (await answer).status(), 204);
		const { headers } = page.sent[0];
		is('as plain text, without a cookie', [headers['content-type'].split(';')[0], headers.cookie ?? null],
			['text/plain', null]);
		is('consent twice is one hit', await sends(page, () => {
			galley.consent(true);
			galley.view();
		}), []);
		is('another part of the page is none', await sends(page, () => {
			location.hash = 'other';
			galley.view();
		}), []);
		is('the next page of a website with one page is one', await sends(page, () => {
			history.pushState(null, '', '/next');
			galley.view();
			galley.view();
		}), [hit('/next')]);
		is('after consent is taken back nothing is sent', await sends(page, () => {
			galley.consent(false);
			history.pushState(null, '', '/third');
			galley.view();
		}), []);
		is('until it is given again', await sends(page, () => galley.consent(true)), [hit('/third')]);
		is('nothing is stored after all', await stored(page), nothing);
	}
	is('consent may be in the line', (await sends2(`${plan.host}/given`)), [hit('/given')]);

	// Opens an address and returns what it sends without being told more.
	async function sends2(address, option) {
		const page = await open(address, option);
		await sends(page, () => {});
		return page.sent.map((one) => one.body);
	}

	// ---- what the reader's browser asks for
	const given = `${plan.host}/given`;
	const getter = (of, name, value) =>
		`Object.defineProperty(${of}.prototype, '${name}', { get: () => ${value}, configurable: true })`;
	is('Global Privacy Control is obeyed', await sends2(given,
		{ wish: getter('Navigator', 'globalPrivacyControl', true) }), []);
	is('Do Not Track is obeyed', await sends2(given, { wish: getter('Navigator', 'doNotTrack', '"1"') }), []);
	is('also in another spelling', await sends2(given, { wish: getter('Navigator', 'doNotTrack', '"yes"') }), []);
	is('and on the window', await sends2(given,
		{ wish: `${getter('Navigator', 'doNotTrack', 'undefined')};window.doNotTrack = '1'` }), []);
	is('who allows it is counted', (await sends2(given, { wish: getter('Navigator', 'doNotTrack', '"0"') })).length, 1);
	is('a browser that a program drives is not', await sends2(given, { driven: true }), []);
	{
		const page = await open(given, { wish: getter('Document', 'prerendering', '!window.seen') });
		is('a page that nobody sees yet is not', await sends(page, () => {}), []);
		is('until it is seen', await sends(page, () => {
			window.seen = true;
			document.dispatchEvent(new Event('prerenderingchange'));
		}), [hit('/given')]);
	}

	// ---- where the reader came from, and how wide the window is
	{
		const page = await open(`${plan.other}/link`);
		await page.click('a');
		await page.waitForURL(given);
		await sends(page, () => {});
		is('of a referrer the host alone is sent', page.sent.map((one) => one.body.referrer),
			[new URL(plan.other).host]);
		await page.goto(`${plan.host}/turned`);
		await page.click('a');
		await page.waitForURL(given);
		is('the website itself is none', await sends(page, () => {}).then(() =>
			page.sent.at(-1).body.referrer ?? null), null);
	}
	for (const [width, name] of [[360, 'xs'], [479, 'xs'], [480, 's'], [767, 's'], [768, 'm'], [1024, 'l'],
		[1439, 'l'], [1440, 'xl']]) {
		is(`${width} px are ${name}`, (await sends2(given, { width }))[0].width, name);
	}
	is('a long address fits', (await sends2(plan.host + plan.long)).map((one) => plan.long.startsWith(`${one.path}/`)
		&& one.path.length > 400 && one.utm_source === '你'.repeat(50)), [true]);

	// ---- beside embed.js
	for (const name of ['both', 'turned']) {
		const page = await open(`${plan.host}/${name}`);
		await page.waitForFunction(() => window.galley && galley.view && galley.embed);
		is(`${name}: nothing is sent before consent`, await sends(page, () => {}), []);
		is(`${name}: one call tells both scripts`, await sends(page, () => galley.consent(true)),
			[hit(`/${name}`)]);
		is(`${name}: and takes it back`, await sends(page, () => {
			galley.consent(false);
			history.pushState(null, '', '/more');
			galley.view();
		}), []);
	}
});
process.stdout.write(JSON.stringify(found));
