// A large file is sent over a connection that breaks (lib/screen/sending.js).
//
//	node tests/node/sending.mjs <PLAN >FINDINGS
//
// The plan is JSON: {address, cookies, file, breaks}, the page of Moving in, and which slices are
// lost, counted from 1. The findings are {went, sent, waited, refused}: where the browser came to,
// the offsets in their order, and whether the page said that there was no connection.
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const found = { sent: [], refused: [] };

await browse(async (browser) => {
	const page = await browser.open(plan.address, { cookies: plan.cookies });
	page.on('pageerror', (error) => found.refused.push(String(error)));
	await page.route('**/uploads/**', (route) => {
		found.sent.push(Number(new URL(route.request().url()).searchParams.get('offset')));
		return plan.breaks.includes(found.sent.length) ? route.abort('connectionreset')
			: route.continue();
	});
	await page.getByLabel('From', { exact: true }).selectOption({ label: 'WordPress' });
	await page.locator('input[type=file]').setInputFiles(plan.file);
	await page.getByRole('button', { name: 'Dry run' }).click();
	await page.waitForFunction(() => document.getElementById('sending-now')
		.textContent.includes('no connection'), null, { timeout: 60000 });
	found.waited = true;
	await page.waitForURL(/moving\/[0-9a-f-]{36}/, { timeout: 120000 });
	found.went = new URL(page.url()).pathname;
});
console.log(JSON.stringify(found));
