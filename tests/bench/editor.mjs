// How fast the visual editor answers a key, beside the text area of the same page in the same run.
// Called by editor.pl: <PLAN, {address, cookies, keys, rounds}. Writes a table, and ends with 1 where a
// limit does not hold: at a fourth of the speed a key's median may be 10 ms and its 95th of a hundred 25 ms
// above the text area. On a quiet machine the view is drawn in 250 ms there, and its text written in 40.
import { browse } from '../node/browser.mjs';

let plan = '';
for await (const piece of process.stdin)
	plan += piece;
plan = JSON.parse(plan);
const at = (all, part) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))];
const shown = (ms) => ms.toFixed(1).padStart(7);

// Notes of each key how long the page needed until the frame with it was painted.
function watch() {
	window.times = [];
	document.addEventListener('keydown', (event) => {
		const began = event.timeStamp;
		requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => window.times.push(performance.now() - began);
			channel.port2.postMessage(0);
		});
	}, true);
}

// Types in the middle of the text, and returns the times of the keys.
async function type(page, isVisual) {
	await page.getByRole('button', { name: isVisual ? 'Visual' : 'Markdown', exact: true }).click();
	if (isVisual) {
		await page.locator('[role=textbox][data-ready]').waitFor();
		await page.evaluate(() => {
			const view = document.querySelector('[data-ready]'), rows = view.querySelectorAll(':scope > p');
			const row = rows[Math.floor(rows.length / 2)];
			row.scrollIntoView({ block: 'center' });
			view.focus({ preventScroll: true });
			getSelection().collapse(row.lastChild, row.lastChild.length);
		});
	} else {
		await page.evaluate(() => {
			// At the end of a paragraph: a heading has 300 characters at most.
			const area = document.querySelector('[name=text]'), half = Math.floor(area.value.length / 2);
			const middle = half + area.value.slice(half).search(/(?<=\n\n\w[^\n]*)\n\n/);
			area.focus();
			area.setSelectionRange(middle, middle);
		});
	}
	await page.evaluate(() => new Promise((done) => setTimeout(() => { window.times = []; done(); }, 500)));
	for (let i = 0; i < plan.keys; i++) {
		await page.keyboard.press(i % 6 === 5 ? 'Space' : 'abcde'[i % 6]);
		await page.waitForFunction((n) => window.times.length >= n, i + 1, { polling: 4 });
	}
	return page.evaluate(() => window.times);
}

// How long the view takes to be drawn, and to write its text after a change.
const alone = (page, text, blocks) => page.evaluate(([text, blocks]) => {
	const place = document.createElement('div'), inner = document.createElement('div');
	place.className = 'visual';
	place.append(inner);
	document.querySelector('main').append(place);
	const began = performance.now();
	const view = galleyVisual.open(inner, { text, blocks, changed() {} });
	place.offsetHeight;
	const drawn = performance.now() - began;
	view.choose(text.length / 2, false);
	view.run('heading');
	const before = performance.now();
	view.text();
	const written = performance.now() - before;
	view.close();
	place.remove();
	return [drawn, written];
}, [text, blocks]);

await browse(async (browser) => {
	const page = await browser.page(await browser.context({ cookies: plan.cookies, visual: true }), plan.address);
	const answer = await page.waitForResponse(/\/blocks$/);
	const text = await page.locator('[name=text]').inputValue(), { blocks } = await answer.json();
	await page.locator('[role=textbox][data-ready]').waitFor();
	await page.evaluate(watch);
	const cdp = await page.context().newCDPSession(page);
	let holds = true;
	console.log(`${text.split(/\s+/).length} words, ${blocks.length} blocks; ms from a key to its paint: median, 95th of 100`);
	for (const slow of [1, 4]) {
		await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow });
		const times = { visual: [], plain: [] }, drawn = [], written = [];
		for (let round = 0; round < plan.rounds; round++) {
			times.plain.push(...await type(page, false));
			times.visual.push(...await type(page, true));
			const [a, b] = await alone(page, text, blocks);
			drawn.push(a);
			written.push(b);
		}
		const [m, n] = ['visual', 'plain'].map((name) => [0.5, 0.95].map((part) => at(times[name], part)));
		const name = slow === 1 ? 'desk ' : 'phone';
		console.log(`${name} visual${m.map(shown).join('')}   text area${n.map(shown).join('')}   ratio ${(m[0] / n[0]).toFixed(2)}, ${(m[1] / n[1]).toFixed(2)}`
			+ `   drawn${shown(at(drawn, 0.5))}   written${shown(at(written, 0.5))}`);
		holds &&= slow === 1 || (m[0] <= n[0] + 10 && m[1] <= n[1] + 25);
	}
	console.log(holds ? 'the limits hold' : 'a limit does not hold');
	process.exitCode = holds ? 0 : 1;
});
