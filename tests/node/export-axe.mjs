// axe-core in headless Chromium: no violation of its rules on any page. One
// browser for all pages; nothing is fetched. Contrast is not looked at, which
// takes most of the time: an export has no colours, they are the site's.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page, html) {
	await page.setContent(html, { waitUntil: 'domcontentloaded' });
	await page.addScriptTag({ content: axe });
	return page.evaluate(async () => {
		const { violations } = await window.axe.run(document,
			{ resultTypes: ['violations'], preload: false,
				rules: { 'color-contrast': { enabled: false } } });
		return violations.map(({ id, help, nodes }) => `${id}: ${help}: `
			+ nodes[0].html);
	});
}

export async function check(samples, report) {
	const browser = await chromium.launch({ args: ['--no-sandbox'],
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
	try {
		const page = await browser.newPage();
		await page.route('**/*', (route) => route.abort());
		for (const sample of samples) {
			for (const says of await violations(page, sample.page))
				report(sample, says);
		}
	} finally {
		await browser.close();
	}
}
