// Pages in frames of another website (htdocs/embed.js, lib/pages/frame.js), as its readers meet them.
//
//	node tests/node/frames.mjs <PLAN >FINDINGS
//
// The plan is JSON: {host, other, pages, blog, site, arab, slug, foreign, pictures}: the origins of a
// website that may show the pages and of one that may not, the origin of the pages, the words and an
// article of each, the site_id of the first, and a folder for pictures or null. The website has /one, /two, /rtl, /off, /given
// and /evil. The findings are [{what, got, want}].
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = [];
const is = (what, got, want) => found.push({ what, got, want });

await browse(async (browser) => {
	// Opens an address. `asked` holds what the browser asked for elsewhere, `heard` what the
	// website's window was told.
	async function open(address, option = {}) {
		const context = await browser.context(option);
		await context.route('**/*', (route) => {
			if (new URL(route.request().url()).hostname.match(/^(127\.0\.0\.1|localhost)$/))
				return route.continue();
			page.asked.push(route.request().url());
			return route.abort();
		});
		const page = await context.newPage();
		page.asked = [];
		page.errors = [];
		page.hits = [];
		page.on('response', (answer) => answer.url().endsWith('/collect') && page.hits.push(answer));
		// What Playwright puts into a document without an origin fails there.
		page.on('pageerror', (error) => /serviceWorker/.test(error) || page.errors.push(String(error)));
		if (option.script ?? true)
			await page.addInitScript(() => {
				window.heard = [];
				addEventListener('message', (event) => heard.push([event.origin, event.data]));
			});
		if (option.driven === false)
			await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }));
		if (option.clock)
			await page.clock.install();
		await page.goto(address, { timeout: 20000 });
		return page;
	}

	const frames = (page, word) => page.frames().filter((frame) =>
		frame.url().startsWith(`${plan.pages}/pages/${word}/`));
	const shown = (page) => page.evaluate(() => [...document.querySelectorAll('iframe')]
		.map((frame) => getComputedStyle(frame).visibility));
	const hash = (page) => decodeURIComponent(new URL(page.url()).hash);
	const at = (page, word) => frames(page, word).map((frame) =>
		decodeURIComponent(new URL(frame.url()).pathname.split(`/pages/${word}/`)[1]));

	// Waits until the frames of these words are where they should be, as high as their pages.
	async function settled(page, places) {
		for (const [word, place] of Object.entries(places)) {
			await page.waitForFunction(() => [...document.querySelectorAll('iframe')]
				.every((frame) => frame.style.visibility === ''), null, { timeout: 20000 });
			for (let tries = 0; tries < 1200; tries++) {
				if (at(page, word)[0] === place && await fits(page, word))
					break;
				await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
			}
		}
		return Object.fromEntries(Object.keys(places).map((word) => [word, at(page, word)[0]]));
	}

	// Whether a frame is as high as its page, and nothing in it scrolls.
	async function fits(page, word) {
		try {
			const frame = frames(page, word)[0];
			const inner = await frame.evaluate(() => ({ body: document.body.getBoundingClientRect().height,
				down: document.documentElement.scrollHeight - innerHeight,
				aside: document.documentElement.scrollWidth - innerWidth }));
			const box = await (await frame.frameElement()).boundingBox();
			return Math.abs(box.height - inner.body) < 2 && inner.down <= 0 && inner.aside <= 0;
		} catch {
			return false; // it goes to another page
		}
	}

	async function go(page, word, slug) {
		await frames(page, word)[0].locator(`main a[href$="${encodeURI(slug)}"]`).first().click();
	}

	// ---- two frames on one page
	{
		const page = await open(`${plan.host}/two`);
		is('two frames show their lists', await settled(page, { [plan.blog]: '', [plan.arab]: '' }),
			{ [plan.blog]: '', [plan.arab]: '' });
		is('each is as high as its page', [await fits(page, plan.blog), await fits(page, plan.arab)], [true, true]);
		is('the address is as it was', hash(page), '');
		is('each has the title of its page', await page.evaluate(() =>
			[...document.querySelectorAll('iframe')].map((frame) => frame.title)), plan.titles);
		is('the website is accessible', await browser.axe(page), []);
		is('what is in the frame, too', await browser.axe(frames(page, plan.arab)[0]), []);
		is('and written from right to left', await frames(page, plan.arab)[0].evaluate(() =>
			document.documentElement.dir), 'rtl');
		const steps = await page.evaluate(() => history.length);
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		await go(page, plan.arab, plan.foreign);
		const tag = `${plan.tag}${plan.foreign}`;
		is('an article in the second', await settled(page, { [plan.blog]: '', [plan.arab]: tag }),
			{ [plan.blog]: '', [plan.arab]: tag });
		await page.waitForFunction(() => location.hash, null, { timeout: 20000 });
		is('the address has its word and its slug', hash(page), `#!/${plan.arab}/${tag}`);
		is('it is one step', await page.evaluate(() => history.length), steps + 1);
		is('its beginning is seen', await page.evaluate(() => {
			const { top } = document.querySelectorAll('iframe')[1].getBoundingClientRect();
			return top >= -1 && top < innerHeight;
		}), true);
		if (plan.pictures)
			await browser.picture(page, `${plan.pictures}/frames-two.png`);
		await page.evaluate(() => history.back());
		is('Back is the list', await settled(page, { [plan.arab]: '' }), { [plan.arab]: '' });
		await page.waitForFunction(() => !location.hash, null, { timeout: 20000 });
		is('and the address is as it was', hash(page), '');
		await page.evaluate(() => history.forward());
		await settled(page, { [plan.arab]: tag });
		await page.waitForFunction(() => location.hash, null, { timeout: 20000 });
		is('Forward is the article', hash(page), `#!/${plan.arab}/${tag}`);
		is('nothing failed, and nobody else was asked', [page.errors, page.asked], [[], []]);
		const again = await open(page.url());
		is('the address leads there', await settled(again, { [plan.blog]: '', [plan.arab]: tag }),
			{ [plan.blog]: '', [plan.arab]: tag });
		await page.context().close();
		await again.context().close();
	}

	// ---- one frame, on a phone
	{
		const page = await open(`${plan.host}/one#!/${encodeURIComponent(plan.slug)}`, { width: 360, height: 640 });
		is('a link to an article, on a phone', await settled(page, { [plan.blog]: plan.slug }),
			{ [plan.blog]: plan.slug });
		is('nothing is wider than the phone', [await browser.overflow(page), await fits(page, plan.blog)], [0, true]);
		if (plan.pictures)
			await browser.picture(page, `${plan.pictures}/frames-phone.png`);
		await page.evaluate(() => scrollTo(0, 0));
		await frames(page, plan.blog)[0].evaluate(() => {
			const link = document.createElement('a');
			link.href = '#' + document.querySelector('article section[id]').id;
			link.textContent = 'To the part';
			document.body.prepend(link);
		});
		await frames(page, plan.blog)[0].getByText('To the part').click();
		await page.waitForFunction(() => scrollY > 0, null, { timeout: 20000 });
		is('a link to a part scrolls the website', true, true);
		const grown = await frames(page, plan.blog)[0].evaluate(() => {
			document.querySelector('main').append(Object.assign(document.createElement('p'), { style: 'height: 777px' }));
			return document.body.getBoundingClientRect().height;
		});
		await page.waitForFunction((height) => document.querySelector('iframe').offsetHeight >= height, grown,
			{ timeout: 20000 });
		is('a page that grows has its height', await fits(page, plan.blog), true);
		await page.evaluate((slug) => { location.hash = `#!/${slug}`; }, plan.second);
		is('a link on the website leads to another article', await settled(page, { [plan.blog]: plan.second }),
			{ [plan.blog]: plan.second });
		await page.evaluate(() => history.back());
		is('and Back to the first', await settled(page, { [plan.blog]: plan.slug }), { [plan.blog]: plan.slug });
		await frames(page, plan.blog)[0].evaluate(() => {
			for (const address of ['https://away.example/', 'feed.atom', 'mailto:a@b.example']) {
				const link = document.createElement('a');
				link.href = address;
				link.addEventListener('click', (event) => event.preventDefault());
				document.body.append(link);
				link.click();
			}
		});
		is('other websites and feeds leave the frame', await frames(page, plan.blog)[0].evaluate(() =>
			[...document.body.querySelectorAll(':scope > a')].slice(-3).map((link) => link.target)), ['_top', '_top', '']);
		await page.context().close();
	}

	// ---- a website from right to left; one whose address stays
	{
		const page = await open(`${plan.host}/rtl`, { width: 360, height: 640, dark: true });
		await settled(page, { [plan.arab]: '' });
		is('on a dark screen, a website that is only light has light pages', await frames(page, plan.arab)[0].evaluate(() =>
			getComputedStyle(document.documentElement).backgroundColor), 'rgb(253, 252, 249)');
		is('from right to left', [await browser.overflow(page), await fits(page, plan.arab)], [0, true]);
		is('it is accessible', await browser.axe(page), []);
		if (plan.pictures)
			await browser.picture(page, `${plan.pictures}/frames-rtl.png`);
		await page.context().close();
		const off = await open(`${plan.host}/off#!/${plan.slug}`, { dark: true });
		is('data-hash="off" reads no address', await settled(off, { [plan.blog]: '' }), { [plan.blog]: '' });
		is('one that can be dark has dark ones', await frames(off, plan.blog)[0].evaluate(() =>
			getComputedStyle(document.documentElement).backgroundColor), 'rgb(23, 24, 26)');
		await go(off, plan.blog, plan.second);
		await settled(off, { [plan.blog]: plan.second });
		is('and writes none', hash(off), `#!/${plan.slug}`);
		// A website that changes its page itself: the frame goes, and consent is still heard.
		await off.evaluate(() => {
			document.querySelector('iframe').remove();
			galley.consent(true);
			document.querySelector('script[data-pages]').removeAttribute('data-served');
			galley.embed();
		});
		await settled(off, { [plan.blog]: '' });
		is('a frame that was removed comes again', off.errors, []);
		is('a title of its own stays', await off.evaluate(() => document.querySelector('iframe').title), 'Our <b> articles');
		await off.context().close();
	}

	// ---- a word that the workspace had before, in a website with a base of its own
	{
		const page = await open(`${plan.host}/based`);
		await settled(page, { [plan.blog]: '' });
		await go(page, plan.blog, `/${plan.blog}`);
		await settled(page, { [plan.blog]: plan.blog });
		await page.waitForFunction(() => location.hash, null, { timeout: 20000 });
		is('an old word leads to the pages, and the address stays the website\'s', page.url(),
			`${plan.host}/based#!/${plan.blog}`);
		const again = await open(page.url());
		is('an article may be called as the pages', await settled(again, { [plan.blog]: plan.blog }),
			{ [plan.blog]: plan.blog });
		await page.context().close();
		await again.context().close();
		const one = await open(`${plan.host}/one`);
		await settled(one, { [plan.blog]: '' });
		await go(one, plan.blog, `/${plan.blog}`);
		await settled(one, { [plan.blog]: plan.blog });
		await one.waitForFunction(() => location.hash, null, { timeout: 20000 });
		const own = await open(one.url());
		is('as their word, too', [hash(one), await settled(own, { [plan.blog]: plan.blog })],
			[`#!/${plan.blog}/${plan.blog}`, { [plan.blog]: plan.blog }]);
		await one.context().close();
		await own.context().close();
	}

	// ---- without scripts
	{
		const page = await open(`${plan.host}/one`, { script: false });
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.waitForURL(`${plan.pages}/pages/${plan.blog}/`, { timeout: 20000 });
		is('without scripts a link leads to the pages', page.frames().length, 1);
		await page.context().close();
	}

	// ---- what an address may not do
	{
		const page = await open(`${plan.host}/one`);
		await settled(page, { [plan.blog]: '' });
		const home = `${plan.pages}/pages/${plan.blog}/`;
		const hashes = ['/evil.example/', '//evil.example/', '../../console', '../x', '%2e%2e/%2e%2e/console', '..%2fx',
			'%2fx', '\\\\evil.example', '%5cevil', 'a/b/c', 'javascript:alert(1)', 'data:text/html,x', '@evil.example',
			'x@evil.example', ':8080/x', '.', '..', './', '%zz', '%00', '%E0%80', 'a\tb', 'a%0ab', 'feed.atom',
			'theme-0.css', '%3Ctag%3E', 'x'.repeat(4000), `${plan.blog}/../x`, `${plan.blog}//evil.example`,
			`${plan.blog}/%2e%2e/x`, '?before=x&before=y#z', '?tag=../../x', '%3ftag=x', '#'];
		const sources = [];
		for (const one of hashes) {
			const next = await page.evaluate(async ([one, home]) => {
				document.querySelectorAll('iframe').forEach((frame) => frame.remove());
				delete window.galley;
				history.replaceState(null, '', location.pathname);
				location.hash = `#!/${one}`;
				const script = document.querySelector('script[data-pages]');
				script.removeAttribute('data-served');
				const again = document.createElement('script');
				again.src = script.src;
				await new Promise((done) => { again.onload = done; document.body.append(again); });
				again.remove();
				return document.querySelector('iframe').src;
			}, [one, home]);
			const url = new URL(next);
			if (next.length > 3500 || url.origin !== plan.pages || url.search && url.pathname !== new URL(home).pathname ||
				!/^(?:[^./\\%]|%[A-F89][0-9A-F])*$/.test(url.pathname.slice(new URL(home).pathname.length)) ||
				!url.pathname.startsWith(new URL(home).pathname))
				sources.push([one.slice(0, 60), next.slice(0, 120)]);
		}
		is('no address leads out of the pages', sources, []);
		await page.context().close();
	}

	// ---- messages
	{
		const page = await open(`${plan.host}/evil`);
		await settled(page, { [plan.blog]: '' });
		const frame = frames(page, plan.blog)[0];
		await frame.evaluate(() => { window.galley = { consent: (given) => (window.given ??= []).push(given) }; });
		const before = await page.evaluate(() => [document.querySelector('iframe').style.height, location.hash]);
		const senders = page.frames().filter((one) => one.url().endsWith('/sender'));
		const lies = [{ galley: 'page', path: 'x', height: 5, title: 'x' }, { galley: 'height', height: 5 },
			{ galley: 'scroll', y: 500 }, { galley: 'consent', given: true }];
		// Another website in a frame beside it, and this one, to the website and to the pages.
		for (const sender of senders)
			await sender.evaluate((lies) => lies.forEach((lie) => {
				parent.postMessage(lie, '*');
				for (let i = 0; i < parent.length; i++)
					parent[i].postMessage(lie, '*');
			}), lies);
		is('two of them lie', senders.length, 2);
		// The pages' own origin, from a frame that is not ours: one within it. The page in that frame
		// has a window around it that embed_origins does not name.
		await frame.evaluate(() => new Promise((done) => {
			const inner = document.createElement('iframe');
			window.heard = [];
			addEventListener('message', (event) => event.source === inner.contentWindow && heard.push(event.data));
			inner.src = location.href;
			inner.onload = done;
			document.body.append(inner);
		}));
		const inner = frame.childFrames()[0];
		is('within a page, a page tells nothing', await frame.evaluate(() => heard), []);
		await inner.evaluate((lies) => {
			window.galley = { consent: () => { window.given = true; } };
			lies.forEach((lie) => {
				top.postMessage(lie, '*');
				parent.postMessage(lie, '*');
			});
		}, lies);
		await frame.evaluate((lies) => lies.forEach((lie) =>
			document.querySelector('iframe').contentWindow.postMessage(lie, '*')), lies);
		await inner.evaluate(() => new Promise((done) => setTimeout(done)));
		is('nor does it listen', await inner.evaluate(() => window.given ?? null), null);
		await frame.evaluate(() => document.querySelector('iframe').remove());
		await settled(page, { [plan.blog]: '' });
		// The website to itself, and a document without an origin.
		await page.evaluate((lies) => lies.forEach((lie) => postMessage(lie, '*')), lies);
		await page.evaluate((lies) => new Promise((done) => {
			const box = document.createElement('iframe');
			box.sandbox = 'allow-scripts';
			box.srcdoc = `<script>for (const lie of ${JSON.stringify(lies)}) { parent.postMessage(lie, '*');`
				+ ` parent[0].postMessage(lie, '*'); } parent.postMessage('done', '*');</` + 'script>';
			addEventListener('message', (event) => event.data === 'done' && done());
			document.body.append(box);
		}), lies);
		// The frame itself, with values that no page sends.
		await frame.evaluate((host) => [{ galley: 'page', path: '//evil.example', title: '<img src=x>', height: 1e12 },
			{ galley: 'page', path: '../../console' }, { galley: 'scroll', y: -1 }, { galley: 'scroll', y: 1e12 },
			{ galley: 'height', height: '5px;position:fixed' }, { galley: 'height', height: NaN }, null, 7, 'x', [], {}]
			.forEach((lie) => parent.postMessage(lie, host)), plan.host);
		await page.evaluate(() => new Promise((done) => setTimeout(done)));
		is('lies change nothing', await page.evaluate(() => [document.querySelector('iframe').style.height,
			location.hash]), before);
		is('and scroll nothing', await page.evaluate(() => scrollY), 0);
		is('nobody but the website speaks for its reader', await frame.evaluate(() => window.given ?? null), null);
		await page.evaluate(() => galley.consent(true));
		await frame.waitForFunction(() => window.given, null, { timeout: 20000 });
		await page.evaluate(() => galley.consent(false));
		await page.evaluate(() => galley.consent('yes'));
		await frame.waitForFunction(() => given.length === 3, null, { timeout: 20000 });
		is('the website does', await frame.evaluate(() => given), [true, false, false]);
		// Another website that came into the frame.
		await page.evaluate(() => galley.consent(true));
		await frame.goto(`${plan.other}/sender`);
		await frame.evaluate((lies) => {
			window.heard = [];
			addEventListener('message', (event) => heard.push(event.data));
			lies.forEach((lie) => parent.postMessage(lie, '*'));
		}, lies);
		await page.evaluate(() => galley.consent(true));
		await page.evaluate(() => new Promise((done) => setTimeout(done)));
		is('what else is in the frame changes nothing', await page.evaluate(() =>
			[document.querySelector('iframe').style.height, location.hash]), before);
		is('and is told nothing', await frame.evaluate(() => heard), []);
		is('nothing failed', page.errors, []);
		await page.context().close();
	}

	// ---- the script that counts
	{
		const page = await open(`${plan.host}/one`);
		await settled(page, { [plan.blog]: '' });
		const asked = [];
		page.on('request', (request) => asked.push(new URL(request.url()).pathname));
		await page.context().route('**/collect.js', (route) => route.fulfill({ contentType: 'text/javascript',
			body: 'window.galley = { consent: (given) => (window.given ??= []).push(given) };' }));
		const frame = frames(page, plan.blog)[0];
		await page.evaluate(() => [false, true].forEach(galley.consent));
		await frame.waitForFunction(() => window.given, null, { timeout: 20000 });
		is('a page counts once its reader agreed, and not before', asked, ['/collect.js']);
		await page.evaluate(() => galley.consent(false));
		await frame.waitForFunction(() => window.given.length > 1, null, { timeout: 20000 });
		is('the script hears the reader', await frame.evaluate(() => window.given), [true, false]);
		is('and knows the workspace', await frame.evaluate(() =>
			document.querySelector('script[src$="/collect.js"]').dataset.site), plan.site);
		is('it came once', asked, ['/collect.js']);
		await page.context().close();
	}

	// ---- consent that was given before
	{
		const page = await open(`${plan.host}/given`, { driven: false });
		await settled(page, { [plan.blog]: '' });
		const answer = page.hits[0] ?? await page.waitForEvent('response', { timeout: 20000,
			predicate: (one) => one.url().endsWith('/collect') });
		const { path, site_id: site } = JSON.parse(answer.request().postData());
		is('consent that was given is passed on, and the page is counted', [answer.status(), path, site],
			[204, `/pages/${plan.blog}/`, plan.site]);
		await page.context().close();
	}

	// ---- a website that may not
	{
		const page = await open(`${plan.other}/one`, { clock: true });
		await page.waitForFunction(() => document.querySelector('iframe'), null, { timeout: 20000 });
		await page.waitForLoadState('load');
		is('elsewhere no frame is seen', await shown(page), ['hidden']);
		is('none of the pages is in it', frames(page, plan.blog).length, 0);
		await page.clock.fastForward(6000);
		await page.waitForFunction(() => document.querySelector('body a:not(noscript a)'), null, { timeout: 20000 });
		is('a link takes its place', await page.evaluate(() => [document.querySelectorAll('iframe').length,
			document.querySelector('body a').href]), [0, `${plan.pages}/pages/${plan.blog}/`]);
		is('and the website is told nothing', await page.evaluate(() => heard), []);
		await page.context().close();
		const jack = await open(`${plan.host}/jack`);
		await jack.waitForLoadState('load');
		is('the console is in no frame, also where the pages are', jack.frames().slice(1)
			.filter((frame) => frame.url().startsWith(plan.pages)).length, 0);
		await jack.context().close();
	}
}).finally(() => console.log(JSON.stringify(found)));
