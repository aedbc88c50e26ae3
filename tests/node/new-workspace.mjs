// The form of a new workspace knows the browser's time zone, and asks for a code of a language where
// no name is chosen.
//
//	node tests/node/new-workspace.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, cookies}, the page of a new workspace.
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
	await page.locator('[name=time-zone]').selectOption('Europe/Berlin');
	await page.locator('[name=create]').click();
	await page.waitForSelector('[role=alert]');
	found.kept = await zone(page);
	found.typed = await code.inputValue();
	await page.locator('[name=name]').fill('Alps');
	await page.locator('[name=create]').click();
	await page.waitForURL(/notice=/);
	found.refused = page.said.filter((line) => /^error/.test(line) && !/ 422 /.test(line));
});
process.stdout.write(JSON.stringify(found));
