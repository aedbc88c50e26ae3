/* The visual view in the editor's page: it covers the text area, reads it when it opens, and writes
 * it while somebody types, so that the page saves, keeps and compares as without it (lib/screen/
 * console.js). Whatever fails, the text area is there with the same text. */
import { rowsOf, shifted, told } from './facts.js';
import { open } from './view.js';

const WRITE_MS = 300;     /* after a change until the text area has it */
const PATIENCE_MS = 10000; /* until a request counts as lost */
const TEXT_MAX = 1024 * 1024;

/* What the keys of the view do, beside those of the text area: names of words of the page. */
const KEYS = [['Ctrl E', 'code'], ['Ctrl Z', 'undo'], ['Ctrl Shift Z', 'redo'], ['Alt 2', 'heading'],
	['Alt 3', 'subheading'], ['Alt 0', 'paragraph'], ['Ctrl Shift 8', 'list'], ['Ctrl Shift 7', 'numbers'],
	['Alt Shift ↑', 'move-up'], ['Alt Shift ↓', 'move-down'], ['Shift Enter', 'break'], ['/', 'insert'],
	['Alt F10', 'formats'], ['Escape Tab', 'leave']];

/* What an article has once, in the order in which the page names it in the article's language. */
const PARTS = ['takeaways', 'faqs', 'references'];

/* Asks what the blocks of a text are, which is the article's, or `apart` from it: then nothing that is
 * known of the article's blocks is said of them. Returns {blocks}, or {failed}: the name of a
 * sentence. */
async function ask(form, text, base, apart) {
	const data = new FormData(), control = new AbortController();
	const patience = setTimeout(() => control.abort(), PATIENCE_MS);
	for (const name of ['token', 'title', 'base']) {
		const field = form.elements.namedItem(name);
		if (field)
			data.append(name, name === 'base' && base || field.value);
	}
	data.append('text', text);
	const to = form.getAttribute('action').replace(apart ? /\/[^/]*$/ : /\/new$/, '') + '/blocks';
	try {
		const answer = await fetch(to, { method: 'POST', body: data, credentials: 'same-origin',
			redirect: 'error', signal: control.signal, headers: { Accept: 'application/json' } });
		const json = await answer.json();
		if (answer.ok && Array.isArray(json.blocks))
			return { blocks: json.blocks };
		return { failed: answer.status === 413 ? 'big' : 'cannot' };
	} catch (e) {
		return { failed: navigator.onLine === false ? 'offline-view' : 'cannot' };
	} finally {
		clearTimeout(patience);
	}
}

/* Asks which articles of the workspace have words in their titles. Returns {found: [{title, address,
 * state}]}, or {failed}: the name of a sentence. What is of another type is left out. */
async function titles(form, words) {
	const isText = (value) => typeof value === 'string';
	const to = form.getAttribute('action').replace(/\/[^/]*$/, '') + '/titles?again&search=' + encodeURIComponent(words);
	try {
		const answer = await fetch(to, { credentials: 'same-origin', redirect: 'manual',
			signal: AbortSignal.timeout(PATIENCE_MS), headers: { Accept: 'application/json' } });
		if (answer.type === 'opaqueredirect')
			return { failed: 'signed-out' };
		const { found } = await answer.json();
		return { found: found.filter((one) => isText(one.title) && isText(one.state) &&
			(one.address === null || isText(one.address))) };
	} catch (e) {
		return { failed: navigator.onLine === false ? 'offline-titles' : 'no-titles' };
	}
}

function rest(ms) {
	return new Promise((done) => setTimeout(done, ms));
}

/* Returns what opens and closes the view: {enter, leave}. `galley`: of console.js; `say(name,
 * mayTry)`: shows a sentence; `shows(is)`: marks which way is on. */
export function page(galley, say, shows) {
	const { form, text } = galley, bar = document.getElementById('tools');
	const facts = form.elements.namedItem('facts'); /* what is said of the blocks (facts.js) */
	const label = document.querySelector('label[for="' + text.id + '"]');
	const name = (form.elements.namedItem('language') || { value: '' });
	const names = (document.getElementById('saving').dataset.parts || '').split('\n');
	let view = null, place = null, timer = 0, turn = 0;
	let typed = text.value; /* the text to which the facts belong */
	let dirty = false;     /* the view has what the text area has not */
	let untold = false;    /* the text area has what the page was not told of */
	let composing = false; /* in the text area */
	let checked = null;    /* the text that was compared last */
	let unshown = null;    /* another text that waits until a card is closed: what show() is called with */
	let own = {};          /* what the page did before */

	text.addEventListener('compositionstart', () => { composing = true; });
	text.addEventListener('compositionend', () => { composing = false; });

	/* ---- writing */

	/* Writes what is shown. A word that is being composed is waited for, unless it is the last
	 * moment. Returns whether it wrote. */
	function write(isLast) {
		if (!view || !dirty || (view.isComposing() && !isLast))
			return false;
		try {
			const { text: now, facts: besides } = view.written();
			dirty = false;
			if (now === text.value && besides === facts.value)
				return false;
			text.value = typed = now;
			facts.value = besides;
			return true;
		} catch (e) {
			dirty = false;
			broken();
			return false;
		}
	}

	function tell() {
		untold = false;
		text.dispatchEvent(new Event('input', { bubbles: true }));
	}

	function later() {
		timer = timer || setTimeout(() => {
			timer = 0;
			if (write(false) || untold)
				tell();
			else if (view && dirty)
				later();
		}, WRITE_MS);
	}

	function changed() {
		dirty = true;
		later();
	}

	/* ---- opening and closing */

	function refuse(name) {
		shows(false);
		say(name, name !== 'big');
	}

	/* Reads the text area and covers it. What is typed meanwhile stays: it is asked again. */
	async function enter() {
		if (view)
			return;
		const mine = ++turn;
		for (;;) {
			const before = text.value;
			if (new Blob([before]).size > TEXT_MAX)
				return refuse('big');
			const answer = await ask(form, before);
			if (mine !== turn)
				return;
			if (answer.failed)
				return refuse(answer.failed);
			if (text.value === before && !composing) {
				try {
					cover(before, answer.blocks);
				} catch (e) {
					uncover();
					refuse('cannot');
				}
				return;
			}
			await rest(WRITE_MS);
		}
	}

	function cover(before, blocks) {
		const focused = document.activeElement === text, at = text.selectionStart;
		place = document.createElement('div');
		place.className = 'visual';
		const inner = document.createElement('div');
		place.append(inner);
		label.id = label.id || 'visual-name';
		/* Its name is a word. */
		label.querySelectorAll('.optional').forEach((word) => word.remove());
		text.before(place);
		view = open(inner, {
			text: before, blocks, rows: rowsOf(facts.value), labelledby: label.id, describedby: text.getAttribute('aria-describedby'),
			lang: name.value || undefined, changed,
			sentence: galley.sentence, looked, understood, settle,
			pasted: galley.pasted, markdownOf: galley.markdownOf, formats, hear: galley.hear,
			picture: () => galley.tools.picture(), titles: (words) => titles(form, words),
			parts: new Map(PARTS.map((part, i) => [part, names[i]]).filter(([, name]) => name))
		});
		if (view === null) {
			place.remove();
			place = null;
			return refuse('cannot');
		}
		/* What is typed in it is no input of the form: the text area is. */
		for (const kind of ['input', 'change'])
			place.addEventListener(kind, (event) => event.stopPropagation());
		text.hidden = true;
		dirty = false;
		checked = before;
		typed = before;
		/* What fits no block is nobody's. */
		facts.value = view.written().facts;
		connect();
		shows(true);
		if (focused)
			view.focus();
		if (focused || at > 0)
			view.choose(at, focused);
	}

	function uncover() {
		clearTimeout(timer);
		timer = 0;
		disconnect();
		const was = view;
		view = unshown = null;
		text.hidden = false;
		try {
			if (was)
				was.close();
		} catch (e) {
			/* It is broken. */
		}
		if (place)
			place.remove();
		place = null;
	}

	/* Shows the text area, with the caret in the line of the block where it was. */
	function leave() {
		turn++;
		if (!view)
			return;
		const focused = place.contains(document.activeElement);
		const wrote = write(true);
		if (!view)
			return; /* It was broken. */
		const at = view.place(), [, done, fits] = unshown || [];
		uncover();
		if (wrote || untold)
			tell();
		if (focused || document.activeElement === document.body)
			text.focus();
		text.setSelectionRange(at, at);
		if (done)
			done(fits());
	}

	/* Something in the view went wrong: its text is saved for the last time, if that can be. */
	function broken() {
		const focused = place.contains(document.activeElement);
		let at = text.value.length;
		turn++;
		try {
			if (dirty) {
				const now = view.written();
				text.value = typed = now.text;
				facts.value = now.facts;
			}
			at = view.place();
		} catch (e) {
			/* The text area has what was written last. */
		}
		dirty = false;
		uncover();
		if (focused)
			text.focus();
		text.setSelectionRange(at, at);
		shows(false);
		say('broken', true);
		tell();
	}

	function isOurs(where) {
		return view !== null && /\/assets\/visual-[0-9a-f]{16}\.js/.test(where);
	}
	window.addEventListener('error', (event) => {
		if (isOurs(event.filename + String(event.error && event.error.stack)))
			broken();
	});
	window.addEventListener('unhandledrejection', (event) => {
		if (isOurs(String(event.reason && event.reason.stack)))
			broken();
	});

	/* ---- what the page asks of it: console.js names it */

	function connect() {
		own = { focus: galley.focus, typeBlocks: galley.typeBlocks, tools: Object.assign({}, galley.tools) };
		galley.flush = () => { untold = write(false) || untold; };
		galley.sent = () => view.sending();
		galley.show = show;
		galley.reopen = (call) => {
			leave();
			call();
			enter();
		};
		galley.focus = () => view.focus();
		galley.choose = (from) => view.choose(from, true);
		galley.mark = (errors) => {
			const wrong = errors.find((e) => e.field === 'text' && e.line > 0);
			if (wrong)
				view.mark(wrong.line);
		};
		galley.typeBlocks = (markdown) => view.insert(markdown, () => galley.typeBlocks(markdown));
		galley.tools.insert = undefined;
		bar.prepend(insert);
		if (list)
			list.append(...keys);
		for (const tool of Object.keys(galley.tools)) {
			if (tool !== 'picture' && tool !== 'beside')
				galley.tools[tool] = () => view.run(tool);
		}
	}

	function disconnect() {
		for (const hook of ['flush', 'sent', 'show', 'reopen', 'choose', 'mark'])
			galley[hook] = undefined;
		if (own.focus) {
			galley.focus = own.focus;
			galley.typeBlocks = own.typeBlocks;
			Object.assign(galley.tools, own.tools);
		}
		own = {};
		insert.remove();
		keys.forEach((row) => row.remove());
		delete galley.tools.insert;
		for (const tool of bar.querySelectorAll('[data-tool][aria-pressed]'))
			tool.removeAttribute('aria-pressed');
	}

	/* Whether somebody writes in a card: what takes its place would take that away. */
	function isBusy() {
		const at = document.activeElement;
		return place.querySelector('.card textarea') !== null ||
			(place.contains(at) && at.matches('.card input, .fact input'));
	}

	/* Shows another text in the place of what was sent. Where it cannot be shown as readers see it, it
	 * is shown as Markdown: a save against the old base would only bring it again. */
	async function show(next, done, fits, base) {
		const mine = turn;
		try {
			const answer = await ask(form, next, base);
			const does = fits();
			if (mine !== turn)
				return done(!view && does);
			if (!does || view.isComposing())
				return done(false);
			if (isBusy()) {
				unshown = [next, done, fits, base];
				return;
			}
			if (answer.failed || view.show(next, answer.blocks, false) === null) {
				leave();
				refuse(answer.failed || 'cannot');
				return done(fits());
			}
			/* What was sent is in it. */
			facts.value = '';
			view.acknowledge();
			dirty = false;
			checked = next;
			done(true);
		} catch (e) {
			if (view)
				broken();
			done(false);
		}
	}

	/* What Markdown is. `lost`: what is done where the view was closed meanwhile. */
	async function understood(markdown, done, lost) {
		const was = view, answer = await ask(form, markdown, null, true);
		if (view === was)
			done(answer.failed ? null : answer.blocks);
		else if (lost)
			lost();
	}

	/* Compares what is shown with what the server reads, and draws what it reads otherwise. */
	async function settle(always) {
		if (write(false))
			tell();
		if (!view || isBusy())
			return;
		if (unshown) {
			const again = unshown;
			unshown = null;
			show(...again);
		}
		const doc = view.doc(), mine = turn, now = text.value;
		if (dirty || (!always && (now === checked || !view.isTouched())))
			return;
		const answer = await ask(form, now);
		if (mine !== turn || answer.failed || view.doc() !== doc || view.isComposing() || isBusy())
			return;
		checked = now;
		say(view.show(now, told(answer.blocks, rowsOf(facts.value)), true) && !always ? 'otherwise' : '');
	}
	galley.afterSave(() => {
		if (view) {
			galley.flush();
			/* Of what was sent nothing has changed since. */
			if (!dirty && galley.takeFacts())
				view.acknowledge();
			settle();
		} else {
			galley.takeFacts();
		}
	});
	/* What was said of blocks and is not saved follows them, where the text is changed as Markdown. */
	text.addEventListener('put', () => { typed = text.value; });
	text.addEventListener('input', () => {
		if (!view && facts.value !== '')
			facts.value = shifted(facts.value, typed, text.value);
		typed = text.value;
	});

	/* ---- the tools */

	/* "Insert" is there while the view is. */
	function insertButton() {
		const SVG = 'http://www.w3.org/2000/svg', icon = document.createElementNS(SVG, 'svg');
		const path = document.createElementNS(SVG, 'path'), one = document.createElement('button');
		icon.setAttribute('viewBox', '0 0 24 24');
		icon.setAttribute('aria-hidden', 'true');
		path.setAttribute('d', 'M12 5v14M5 12h14');
		icon.append(path);
		one.type = 'button';
		one.className = 'button';
		one.tabIndex = -1;
		one.dataset.tool = 'insert';
		const words = document.createElement('span');
		words.textContent = one.title = galley.sentence('insert');
		one.append(icon, words);
		return one;
	}
	const insert = insertButton();

	/* "Keyboard" names the keys of the view while it is open. */
	const list = document.querySelector('#keys ul'), ctrl = list && list.querySelector('kbd').textContent;
	const keys = !list ? [] : KEYS.map(([names, word]) => {
		const row = document.createElement('li');
		names.split(' ').forEach((name, i) => {
			const kbd = document.createElement('kbd');
			kbd.textContent = name === 'Ctrl' ? ctrl : name;
			row.append(i === 0 ? '' : names.startsWith('Escape') ? ' ' : ' + ', kbd);
		});
		row.append(' ', galley.sentence(word));
		return row;
	});

	function looked(on, word) {
		for (const tool of bar.querySelectorAll('[data-tool]')) {
			if (/^(?:bold|italic|heading|list|numbers|quote|code)$/.test(tool.dataset.tool))
				tool.setAttribute('aria-pressed', String(on.has(tool.dataset.tool)));
		}
		if (word)
			galley.hear(word);
	}

	function formats() {
		bar.querySelector('button').focus();
	}

	/* A press leaves the focus and the caret where they are. */
	bar.addEventListener('mousedown', (event) => {
		if (event.target.closest('button'))
			event.preventDefault();
	});
	bar.addEventListener('keydown', (event) => {
		if (view && event.key === 'Escape')
			view.focus();
	});
	document.addEventListener('click', (event) => {
		const to = view && event.target.closest && event.target.closest('a, label');
		if (to && (to === label || to.hash === '#' + text.id && !to.dataset.first)) {
			event.preventDefault();
			view.focus();
		}
	});
	if (name.addEventListener)
		name.addEventListener('input', () => view && view.setLanguage(name.value));

	/* ---- the last moment */

	function last() {
		if (write(true) || untold)
			tell();
	}
	form.addEventListener('submit', last, true);
	window.addEventListener('beforeunload', last, true);
	window.addEventListener('pagehide', last, true);
	document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && last(), true);
	/* The browser brought another text back. */
	window.addEventListener('pageshow', () => {
		if (view && !dirty && view.text() !== text.value) {
			uncover();
			enter();
		}
	});

	return { enter, leave };
}
