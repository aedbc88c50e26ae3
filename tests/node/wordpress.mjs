// A browser that does what tests/wordpress asks: each line on standard input is [WORD, ARGUMENT…], and each
// answer a line of JSON.
//
//	open ADDRESS        status, and the page's HTML as the server sent it
//	type LABEL TEXT     into the field of that label; a choice is chosen by its words, a box is ticked by "on"
//	press BUTTON        waits for the page that follows; its text
//	look EXPRESSION     evaluates it in the page
import { createInterface } from 'node:readline';
import { browse } from './browser.mjs';

await browse(async (browser) => {
	const page = await (await browser.context({})).newPage();
	const alerts = [];
	page.on('dialog', (dialog) => { alerts.push(dialog.message()); dialog.dismiss(); });
	const does = {
		async open(address) {
			const answer = await page.goto(address, { timeout: 120_000, waitUntil: 'domcontentloaded' });
			return { status: answer.status(), html: await answer.text(), alerts };
		},
		async type(label, text) {
			const field = page.getByLabel(label, { exact: true }).first();
			const kind = await field.evaluate((element) => element.type);
			if (kind.startsWith('select'))
				await field.selectOption({ label: text });
			else if (kind === 'checkbox')
				await field.setChecked(text === 'on');
			else
				await field.fill(text);
			return true;
		},
		async press(button, number = 0) {
			const found = page.getByRole('button', { name: button, exact: true, includeHidden: true }).nth(number);
			await Promise.all([page.waitForNavigation({ timeout: 120_000, waitUntil: 'domcontentloaded' }),
				found.evaluate((element) => element.click())]);
			return page.evaluate(() => document.body.innerText);
		},
		look: (expression) => page.evaluate(expression),
	};
	for await (const line of createInterface({ input: process.stdin })) {
		const [word, ...args] = JSON.parse(line);
		try {
			console.log(JSON.stringify({ is: await does[word](...args) }));
		} catch (error) {
			console.log(JSON.stringify({ error: error.message }));
		}
	}
});
