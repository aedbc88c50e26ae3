// The form of a new workspace knows the browser's time zone, and asks for a code of a language where
// no name is chosen; and the menus of a workspace's Home, without the script and with it, and what comes into
// them after the page.
//
//	node tests/node/new-workspace.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, cookies, home}, the page of a new workspace, and Home of another.
import { browse } from './browser.mjs';

let text = '';
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = {};

await browse(async (browser) => {
	const open = (option) => browser.open(plan.address, { cookies: plan.cookies, ...option });
	const zone = (page) => page.locator('[name=time-zone]').inputValue();

	found.plain = await zone(await open({ script: false, zone: 'Europe/Stockholm' }));
	found.calcutta = await zone(await open({ zone: 'Asia/Calcutta' }));
	const page = await open({ zone: 'Europe/Stockholm' });
	found.stockholm = await zone(page);

	const code = page.locator('[name=language-code]');
	found.code = [await code.isVisible() ? 1 : 0];
	await page.locator('[name=language]').selectOption('another');
	found.code.push(await code.isVisible() ? 1 : 0);
	await code.fill('gsw');
	await page.locator('[name=time-zone]').fill('berlin');
	await page.locator('[name=create]').click();
	await page.waitForSelector('[role=alert]');
	found.kept = await zone(page);
	found.typed = await code.inputValue();
	await page.locator('[name=name]').fill('Alps');
	await page.locator('[name=create]').click();
	await page.waitForURL(/notice=/);
	found.refused = page.said.filter((line) => /^error/.test(line) && !/ 422 /.test(line));

	const home = (option) => browser.open(plan.home, { cookies: plan.cookies, ...option });
	const phone = await home({ script: false, width: 360, height: 740 });
	await phone.locator('.dock summary').click();
	found.sheet = (await phone.locator('.sheet a').allTextContents()).join(' ');
	found.sticks = [];
	for (const at of [phone, await home({ script: false, width: 320, height: 256 })])
		found.sticks.push(await at.evaluate(() => ['.head', '.dock'].map((name) =>
			getComputedStyle(document.querySelector(name)).position).join(' ')));
	const desk = await home({ width: 1280 });
	const opened = async () => (await desk.locator('details[open] > summary').allTextContents()).length;
	const first = desk.locator('.head summary').first(), last = desk.locator('.head summary').last();
	found.menus = [];
	for (const act of [() => first.click(), () => last.click(), () => desk.keyboard.press('Escape'),
		() => first.click(), () => desk.locator('h1').click()]) {
		await act();
		found.menus.push(await opened());
	}
	found.current = await desk.locator('.side [aria-current=page]').evaluateAll((all) => all.map((at) => at.firstElementChild.nextSibling.data));

	// What comes after the page: asked for on Home, kept for other pages, and asked for after an act.
	let asked = 0;
	desk.on('request', (request) => asked += /\/menu\?/.test(request.url()) ? 1 : 0);
	const filled = async (address) => {
		await desk.goto(address);
		await desk.waitForSelector('.side .waits', { state: 'attached' });
		return asked;
	};
	found.asked = [await filled(plan.home), await filled(`${plan.home}/articles`), await filled(`${plan.home}/settings`)];
	await desk.locator('[name=save]').click();
	await desk.waitForURL(/notice=unchanged/);
	await desk.waitForSelector('.side .waits', { state: 'attached' });
	found.asked.push(asked);
	found.waits = await desk.locator('.waits').allTextContents();
	found.sites = await desk.locator('.pop:not(.end) > div > *').evaluateAll((all) => all.map((at) =>
		`${at.querySelector('bdi')?.textContent ?? at.textContent.trim()}${at.ariaCurrent ? ' here' : ''}`));
});
process.stdout.write(JSON.stringify(found));
