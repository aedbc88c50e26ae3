// A person who has a keyboard and no script: Tab, Enter, and typing.
//
//	node tests/node/keys.mjs FOLDER <PLAN >FINDINGS
//
// The plan is JSON: {address, width, steps}. A step is ["type", LABEL, TEXT]: goes to the field
// with Tab and types; ["press", BUTTON OR LINK]: goes there and presses Enter; ["open", SUMMARY]: goes to
// what is closed and opens it; ["file", LABEL,
// PATH]: goes to the field and chooses the file; ["copy", LABEL]: goes to the field and keeps its
// line; ["paste", LABEL]: goes to the field and writes that line below what it holds;
// ["picture", NAME]: keeps the page as FOLDER/NAME-WIDTH.png. The findings are {pages: [{title,
// address, text}...], covered: [LABEL...], said, refused}: a page behind each press, and what
// had the focus where nobody sees it.
import { mkdirSync } from 'node:fs';
import { browse } from './browser.mjs';

const TABS = 150;

let text = '';
process.stdin.setEncoding('utf8'); // two pieces may share a character
for await (const piece of process.stdin)
	text += piece;
const plan = JSON.parse(text);
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const covered = [];

// What has the focus: its name, and whether the middle of its top line is in sight.
const look = () => {
	const at = document.activeElement;
	const label = at.labels?.[0];
	const name = (at.matches('summary:has(.brief)') ? at.firstElementChild.textContent : label ? [...label.childNodes].filter((n) => n.className !== 'optional')
		.map((n) => n.textContent).join('') : at.textContent).trim();
	const box = at.getBoundingClientRect();
	const y = box.top + Math.min(box.height / 2, 12);
	const top = document.elementFromPoint(box.left + box.width / 2, y);
	return { name, kind: at.type ?? at.tagName, seen: at === top || at.contains(top) || !!top?.contains(at) };
};

async function tab_to(page, name, press) {
	for (let i = 0; i < TABS; i++) {
		await page.keyboard.press('Tab');
		const found = await page.evaluate(look);
		if (found.name !== name || press !== !/^(?:text|textarea|email|password|checkbox|date|file)/.test(found.kind))
			continue;
		if (!found.seen)
			covered.push(`${name} on ${await page.title()}`);
		return;
	}
	throw new Error(`no key leads to ${name} on ${await page.title()}`);
}

const found = await browse(async (browser) => {
	const page = await browser.open(plan.address, { width: plan.width, height: 740, script: false });
	const pages = [];
	let copied = '';
	for (const [what, name, typed] of plan.steps) {
		if (what === 'picture') {
			await browser.picture(page, `${folder}/${name}-${plan.width}.png`);
			continue;
		}
		await tab_to(page, name, what === 'press' || what === 'open');
		if (what === 'type') {
			await page.keyboard.press('Control+A');
			await page.keyboard.type(typed);
		} else if (what === 'open') {
			await page.keyboard.press('Enter');
		} else if (what === 'file') {
			const field = await page.evaluateHandle(() => document.activeElement);
			await field.setInputFiles(typed);
		} else if (what === 'copy') {
			copied = await page.evaluate(() => document.activeElement.value);
		} else if (what === 'paste') {
			await page.keyboard.press('Control+End');
			await page.keyboard.type(`\n\n${copied}\n`);
		} else {
			await Promise.all([page.waitForNavigation({ timeout: 30_000 }),
				page.keyboard.press('Enter')]);
			pages.push({ title: await page.title(), address: page.url(),
				text: await page.evaluate(() => [document.body.innerText, // and what a field offers to copy
					...[...document.querySelectorAll('[readonly]')].map((field) => field.value)].join('\n')) });
		}
	}
	return { pages, covered, said: page.said, refused: page.refused };
});

process.stdout.write(JSON.stringify(found) + '\n');
