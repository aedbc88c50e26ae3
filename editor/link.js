/* The dialog about a link: its address, or the article that it leads to, its words, and how it goes
 * away. */
import { isAddress, schema } from './schema.js';
import { make } from './element.js';

const type = schema.marks.link;
const TYPED_MS = 250;    /* after the last key until titles are asked for */
const TITLE_MAX = 200;   /* characters: the server's */

/* Returns the link at the selection with the range that it covers, or null. */
function linkAt(state) {
	const { $from, from } = state.selection, parent = $from.parent, start = $from.start();
	let found = null;
	if (!parent.inlineContent)
		return null;
	parent.forEach((node, offset) => {
		const mark = type.isInSet(node.marks), at = start + offset;
		if (!mark)
			return;
		if (found && found.to === at && found.mark.eq(mark) && found.to < from)
			found.to += node.nodeSize;
		else if (found && found.to === at && found.mark.eq(mark))
			found.to = at + node.nodeSize;
		else if (!found || found.to < from)
			found = { mark, from: at, to: at + node.nodeSize };
	});
	return found && found.from <= from && from <= found.to ? found : null;
}

/* Returns an address as it is meant, or null: "example.org/x" is one of the web. */
export function meant(words) {
	const value = words.trim();
	if (isAddress(value))
		return value;
	if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(value))
		return 'mailto:' + value;
	return /^[^\s/:?#@]+\.[^\s/:?#@.]{2,}(?::\d+)?(?:[/?#]\S*)?$/.test(value) ? 'https://' + value : null;
}

export function field(label, attributes) {
	const input = make('input', Object.assign({ autocomplete: 'off' }, attributes));
	return [input, make('p', { class: 'field' }, make('label', {}, label, input))];
}

export function button(label, press) {
	const node = make('button', { type: 'button', class: 'button' }, label);
	node.addEventListener('click', press);
	return node;
}

/* Whether a range holds letters alone, which words can take the place of. */
function isText(doc, { from, to }) {
	let is = true;
	doc.nodesBetween(from, to, (node) => { is = is && (node.isText || !node.isInline); });
	return is;
}

/* Puts words in the place of `old`: what is the same at both ends keeps its formats. Returns where
 * they end. */
function reword(tr, from, old, words) {
	let head = 0, tail = 0;
	while (head < old.length && head < words.length && old[head] === words[head])
		head++;
	while (tail < old.length - head && tail < words.length - head &&
		old[old.length - 1 - tail] === words[words.length - 1 - tail])
		tail++;
	const middle = words.slice(head, words.length - tail);
	const at = from + head, to = from + old.length - tail;
	const $at = tr.doc.resolve(at), marks = to > at ? $at.marksAcross(tr.doc.resolve(to)) : $at.marks();
	tr.replaceWith(at, to, middle === '' ? [] : schema.text(middle, marks || []));
	return from + words.length;
}

/* Sets or takes a link away. `words`: what takes the place of what it covers, or null. */
function put(view, { from, to }, href, title, words) {
	const { state } = view, tr = state.tr;
	if (words !== null)
		to = reword(tr, from, state.doc.textBetween(from, to), words);
	tr.removeMark(from, to, type);
	if (href !== null)
		tr.addMark(from, to, type.create({ href, title }));
	view.dispatch(tr.removeStoredMark(type).scrollIntoView());
}

/* The articles that have what is typed in `input` in their titles: a list below it. `titles(words)`:
 * asks for them; `choose(article)`: one was chosen. Returns {parts, press(event)}: what is put after
 * the field, and what a key does: true where it was the list's. */
function search(input, sentence, titles, choose) {
	const list = make('ul', { role: 'listbox', id: 'link-titles', class: 'titles', 'aria-label': sentence('titles') });
	const said = make('p', { class: 'hint', role: 'status' });
	let found = [], at = -1, turn = 0, timer = 0;

	function show(articles, words) {
		found = articles;
		list.replaceChildren(...found.map(({ title, address, state }, i) => make('li', Object.assign({
			role: 'option', id: 'link-title-' + i, 'data-at': i
		}, address === null && { 'aria-disabled': 'true' }),
		make('b', { dir: 'auto' }, title), make('small', {}, state, ' · ', make('bdi', {}, address ?? sentence('no-address'))))));
		list.hidden = found.length === 0;
		input.setAttribute('aria-expanded', String(!list.hidden));
		said.textContent = words;
		mark(-1);
	}
	function mark(next) {
		at = next;
		for (const [i, item] of [...list.children].entries())
			item.setAttribute('aria-selected', String(i === at));
		if (at < 0)
			return input.removeAttribute('aria-activedescendant');
		input.setAttribute('aria-activedescendant', 'link-title-' + at);
		list.children[at].scrollIntoView({ block: 'nearest' });
	}
	function pick(i) {
		const article = found[i];
		if (article.address === null) {
			said.textContent = sentence('no-address');
			return;
		}
		turn++;
		show([], '');
		choose(article);
	}
	async function ask(words) {
		const mine = ++turn, answer = await titles(words);
		/* A later question has an answer of its own. */
		if (mine === turn && input.isConnected)
			show(answer.found || [], answer.failed ? sentence(answer.failed)
				: sentence('results', String(answer.found.length)));
	}
	function look() {
		const words = input.value.trim();
		clearTimeout(timer);
		turn++;
		if (words === '' || meant(words) !== null || [...words].length > TITLE_MAX)
			show([], '');
		else
			timer = setTimeout(ask, TYPED_MS, words);
	}

	show([], '');
	for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-controls', list.id]])
		input.setAttribute(name, value);
	input.addEventListener('input', (event) => event.isComposing || look());
	input.addEventListener('compositionend', look);
	list.addEventListener('mousedown', (event) => event.preventDefault());
	list.addEventListener('click', (event) => {
		const item = event.target.closest('[role=option]');
		if (item)
			pick(Number(item.dataset.at));
	});
	return {
		parts: [list, said],
		press(event) {
			const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], count = found.length;
			if (event.target !== input || list.hidden || event.isComposing)
				return false;
			if (step)
				mark(at < 0 && step < 0 ? count - 1 : (at + step + count) % count);
			else if (event.key === 'Enter' && at >= 0)
				pick(at);
			else if (event.key === 'Escape')
				show([], '');
			else
				return false;
			event.preventDefault();
			return true;
		}
	};
}

/* Asks for the link of what is chosen. `sentence(name)`: a word of the page; `follow(from, to)`: a
 * range that is followed while others' text comes, until its end(); `titles(words)`: asks which
 * articles have them in their titles: {found}, or {failed}, the name of a sentence. */
export function askLink(view, { sentence, titles }, follow) {
	const { state } = view, { $from, $to, from, to } = state.selection;
	if (!$from.sameParent($to) || !$from.parent.inlineContent || $from.parent.type.spec.code)
		return;
	const found = linkAt(state), range = found ? follow(found.from, found.to) : follow(from, to);
	const isEmpty = range.from === range.to;
	const [address, first] = field(sentence('link-to'), { dir: 'auto' });
	const [words, second] = field(sentence('link-text'), { dir: 'auto' });
	const wrong = make('p', { class: 'error', role: 'alert' });
	const open = make('a', { class: 'button quiet', target: '_blank', rel: 'noopener noreferrer' },
		sentence('link-open'));
	const remove = button(sentence('link-remove'), () => {
		change(null, null, null);
	});
	const articles = search(address, sentence, titles, (article) => {
		address.value = article.address;
		if (isEmpty && words.value === '')
			words.value = article.title;
		wrong.textContent = '';
		look();
	});
	const dialog = make('dialog', { class: 'link', 'aria-label': sentence('link') }, first, ...articles.parts, second, wrong,
		make('p', { class: 'row' }, button(sentence('done'), done), open, remove));
	function look() {
		const href = meant(address.value);
		if (href === null || href[0] === '#')
			open.removeAttribute('href');
		else
			open.setAttribute('href', href);
	}
	function done() {
		const href = meant(address.value);
		if (href === null) {
			wrong.textContent = sentence('link-wrong');
			address.focus();
			return;
		}
		const text = words.value, isNew = text !== old && text.trim() !== '';
		change(href, found && found.mark.attrs.title, isNew ? text : isEmpty ? href : null);
	}
	/* What others changed meanwhile stays as it is. */
	function change(...what) {
		const { from, to, was } = range;
		if (!view.isDestroyed && from <= to && view.state.doc.slice(from, to).eq(was))
			put(view, range, ...what);
		shut();
	}
	function shut() {
		range.end();
		dialog.remove();
		if (!view.isDestroyed)
			view.focus();
	}
	address.value = found ? found.mark.attrs.href : '';
	words.value = state.doc.textBetween(range.from, range.to);
	const old = words.value;
	second.hidden = !isText(state.doc, range);
	remove.hidden = found === null;
	look();
	address.addEventListener('input', look);
	dialog.addEventListener('keydown', (event) => {
		if (articles.press(event))
			event.stopPropagation();
		else if (event.key === 'Enter' && event.target.localName === 'input' && !event.isComposing) {
			event.preventDefault();
			done();
		}
	});
	dialog.addEventListener('close', shut);
	document.body.append(dialog);
	dialog.showModal();
}
