// Opens pages as a reader would and says what is wrong with them.
//
//	node tests/node/look.mjs [--pictures FOLDER] FILE... >FINDINGS
//
// Each FILE, or http://127.0.0.1:PORT/…, is opened in one chromium, at the width of a
// phone, at the least that has columns, and at that of a desktop, dark and turned from
// right to left. Standard output is a JSON list of {file, view, violations, overflow,
// small, refused}, one for each view: what axe-core finds, how many pixels the page is
// too wide, what is too small for a finger, and what it asked the network for.
// With --pictures there are more views, and each is kept as FOLDER/NAME-VIEW.png,
// to be looked at.
import { basename } from 'node:path';
import { browse } from './browser.mjs';

const VIEWS = {
	phone: { width: 360, height: 740 },
	laptop: { width: 1160, height: 800 },
	'desktop-dark-rtl': { width: 1280, height: 900, dark: true, rtl: true },
	desktop: { width: 1280, height: 900, more: true },
	'phone-dark': { width: 360, height: 740, dark: true, more: true },
	print: { width: 800, height: 1100, print: true, more: true },
};

const files = process.argv.slice(2);
const folder = files[0] === '--pictures' ? files.splice(0, 2)[1] : null;

const findings = await browse(async (browser) => {
	const found = [], tabs = {};
	for (const file of files) {
		for (const [view, option] of Object.entries(VIEWS)) {
			if (option.more && folder === null)
				continue;
			const page = tabs[view] = await browser.open(file, option, tabs[view]);
			if (folder !== null)
				await browser.picture(page, `${folder}/` +
					`${basename(file, '.html')}-${view}.png`);
			found.push({ file, view,
				overflow: await browser.overflow(page),
				small: await browser.small(page),
				violations: await browser.axe(page),
				refused: page.refused });
		}
	}
	return found;
});

process.stdout.write(JSON.stringify(findings) + '\n');
