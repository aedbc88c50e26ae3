// Draws the editor as a browser shows it, with its visual view.
//
//	node tests/node/picture.mjs FOLDER <PLAN
//
// The plan is JSON: {page: {status, headers, body}, assets: {PATH: {headers, body}}, address,
// pictures: [{file, width, height}...]}. No server is asked: the plan has all that the page needs.
import { browse } from './browser.mjs';

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);

await browse(async (browser) => {
	for (const { file, width, height } of plan.pictures) {
		const context = await browser.context({ width, height, visual: true });
		const page = await browser.page(context, plan.address, plan.page, plan.assets);
		if (page.refused.length > 0)
			throw new Error(`the page asks for ${page.refused}`);
		await page.locator('[data-ready]').waitFor();
		await browser.picture(page, `${process.argv[2]}/${file}`, false);
		await context.close();
	}
});
