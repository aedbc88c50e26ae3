// What other programs put onto the clipboard is pasted into the visual view and into the Markdown.
//
//	node tests/node/pasted.mjs <PLAN >FINDINGS
//
// The plan is JSON: {new: the page of a new article, cookies, clipboards: {NAME: {html, plain}}}. The
// findings are {visual, markdown: {NAME: the text after it}, facts: {NAME: what is said of its blocks},
// told: {NAME: what the person reads}, ran: whether a script of a clipboard did, said, refused}.
import { browse } from './browser.mjs';

let plan = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const found = { visual: {}, markdown: {}, facts: {}, told: {}, ran: false, said: [], refused: [] };

await browse(async (browser) => {
	const context = await browser.context({ cookies: plan.cookies, visual: true });
	for (const way of ['visual', 'markdown'])
		for (const [name, { html, plain }] of Object.entries(plan.clipboards)) {
			const page = await browser.page(context, plan.new);
			const box = page.locator(way === 'visual' ? '[role=textbox][data-ready]' : '[name=text]');
			if (way === 'markdown')
				await page.getByRole('button', { name: 'Markdown', exact: true }).click();
			await box.click();
			const answer = page.waitForResponse((response) => response.url().endsWith('/articles/paste'));
			await box.evaluate((part, types) => {
				const data = new DataTransfer();
				for (const [type, text] of Object.entries(types))
					data.setData(type, text);
				part.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
			}, { 'text/plain': plain, 'text/html': html });
			const { text } = await (await answer).json();
			await page.waitForFunction(([before, is]) => {
				const now = document.querySelector('[name=text]').value;
				return now !== '' && (is || now !== before);
			}, [plain, text === plain]);
			// The visual view writes the field a while after a change.
			await page.waitForTimeout(600);
			found[way][name] = await page.locator('[name=text]').inputValue();
			if (way === 'visual')
				found.facts[name] = await page.locator('[name=facts]').inputValue();
			found.told[name] = await page.locator('#paste-error').textContent();
			found.ran ||= await page.evaluate(() => 'ran' in window);
			found.said.push(...page.said);
			found.refused.push(...page.refused);
			await page.close();
		}
});
process.stdout.write(JSON.stringify(found) + '\n');
