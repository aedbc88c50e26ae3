// Opens screens of the console as their readers would and says what is wrong with them.
//
//	node tests/node/screens.mjs FOLDER <PLAN >FINDINGS
//
// The plan is JSON: {cookies, sign_in: {address, email, password} or null, screens: [{name,
// address}...], widths: [360, 1280]}. At the first width no script runs. Each screen is kept as
// FOLDER/NAME-WIDTH.png, to be looked at. The findings are {signed_in: TITLE, screens: [{name,
// width, title, violations, overflow, small, refused, said}...]}: as those of look.mjs; `said`
// is what the browser complained of, the page's policy among it.
import { mkdirSync } from 'node:fs';
import { browse } from './browser.mjs';

let text = '';
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

// What axe-core finds: it is a script, which a page without scripts would not run.
async function look(browser, address, width) {
	const page = await browser.open(address, { width, height: 740, cookies: plan.cookies });
	const violations = await browser.axe(page);
	await page.context().close();
	return violations;
}

const findings = await browse(async (browser) => {
	const found = { signed_in: null, screens: [] };
	if (plan.sign_in)
		found.signed_in = await sign_in(browser, plan.sign_in);
	for (const { name, address } of plan.screens) {
		for (const [index, width] of plan.widths.entries()) {
			const page = await browser.open(address, { width, height: 740,
				script: index > 0, cookies: plan.cookies });
			await browser.picture(page, `${folder}/${name}-${width}.png`);
			found.screens.push({ name, width,
				title: await page.title(),
				overflow: await browser.overflow(page),
				small: await browser.small(page),
				said: [...page.said],
				violations: await look(browser, address, width),
				refused: page.refused });
			await page.context().close();
		}
	}
	return found;
});

process.stdout.write(JSON.stringify(findings) + '\n');
