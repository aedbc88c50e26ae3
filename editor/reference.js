/* Sources: a number in the text opens the one that it cites, and "Source" of the menu cites one that
 * is there or a new one. A source is a note at the end; most are a link with what follows it, which
 * the fields of a dialog are filled with (lib/import/markdown/references.h). */
import { NodeSelection, Plugin } from 'prosemirror-state';
import { make } from './element.js';
import { button, field, meant } from './link.js';
import { noteNumber, schema } from './schema.js';

const of = schema.nodes;
const NOTHING = { title: '', address: '', publisher: '', published: '', accessed: '' };
const COMMAS = [',', '\u060c', '\u3001', '\uff0c'];

function squeezed(text) {
	return text.replace(/\s+/g, ' ').trim();
}

/* Returns what a source says: {title, address, publisher, published, accessed}; null where it says
 * more. */
export function sourceOf(note) {
	const only = note.firstChild, parts = { ...NOTHING, accessed: note.attrs.accessed || '' };
	let rest = '', isPlain = note.childCount === 1 && only.type === of.paragraph;
	if (!isPlain)
		return null;
	only.forEach((child, offset, i) => {
		const link = child.marks[0];
		if (!child.isText || child.marks.length > 1 || (link && (link.type !== schema.marks.link || link.attrs.title)))
			isPlain = false;
		else if (link && i > 0)
			isPlain = false;
		else if (i === 0)
			Object.assign(parts, { title: child.text, address: link ? link.attrs.href : '' });
		else
			rest += child.text;
	});
	if (!isPlain || (rest !== '' && (parts.address === '' || !/^\s*[,\u060c\u3001\uff0c]/.test(rest))))
		return null;
	rest = rest.trim().slice(1).trim();
	const comma = Math.max(...COMMAS.map((sign) => rest.lastIndexOf(sign)));
	const last = rest.slice(comma + 1).trim();
	if (/^\d{4}(?:-\d\d){0,2}$/.test(last))
		Object.assign(parts, { published: last, publisher: rest.slice(0, Math.max(comma, 0)).trim() });
	else
		parts.publisher = rest;
	return parts;
}

function noteOf(label, s, { title, address, publisher, published, accessed }) {
	const words = [], rest = [publisher, published].filter((part) => part !== '').join(', ');
	words.push(schema.text(title || address, address === '' ? [] : [schema.marks.link.create({ href: address })]));
	if (rest !== '')
		words.push(schema.text(', ' + rest));
	return of.note.create({ label, s, accessed: accessed || null }, of.paragraph.create(null, words));
}

/* Returns the notes of a text as a Map of labels: {node, at}. */
function notes(doc) {
	const all = new Map();
	doc.forEach((node, at) => {
		if (node.type === of.note && !all.has(node.attrs.label))
			all.set(node.attrs.label, { node, at });
	});
	return all;
}

/* Returns the first label of the form r1 that nothing has. */
function freeLabel(doc) {
	const used = new Set(notes(doc).keys());
	let n = 1;
	doc.descendants((node) => {
		if (node.type === of.cite)
			used.add(node.attrs.label);
	});
	while (used.has('r' + n) || used.has(String(n)))
		n++;
	return 'r' + n;
}

/* Returns what a source is called: "1: Compost basics". */
export function sourceName(note) {
	const source = sourceOf(note), words = source ? source.title : note.textContent;
	return noteNumber(note.attrs.label) + (words === '' ? '' : ': ' + words.slice(0, 100));
}

/* Writes what the fields say into the text. */
function write(view, label, values, place) {
	const { doc, tr } = view.state, old = notes(doc).get(label);
	/* The day on which it was read is no part of the text. */
	if (old && values && JSON.stringify({ ...sourceOf(old.node), accessed: values.accessed }) === JSON.stringify(values))
		tr.setNodeAttribute(old.at, 'accessed', values.accessed || null);
	else if (old && values)
		tr.replaceWith(old.at, old.at + old.node.nodeSize, noteOf(label, old.node.attrs.s, values));
	if (!old) {
		const last = [...notes(doc).values()].pop();
		tr.insert(last ? last.at + last.node.nodeSize : doc.content.size, noteOf(label, null, values));
	}
	if (place && place.from <= place.to) {
		/* It is behind the word, and the space behind it. */
		const at = tr.mapping.map(place.from, -1), $at = tr.doc.resolve(at);
		const behind = $at.parent.textBetween(0, $at.parentOffset, null, '\ufffc').endsWith(' ');
		tr.insert(behind ? at - 1 : at, of.cite.create({ label }));
	}
	if (tr.docChanged)
		view.dispatch(tr.scrollIntoView());
}

/* Asks about a source. `label`: of one that is there; null: one is to be cited where the caret is.
 * `follow(from, to)`: a range that is followed until its end(). */
export function askSource(view, sentence, follow, label) {
	const { doc, selection } = view.state, all = notes(doc), isNew = label === null;
	const place = isNew ? follow(selection.from, selection.from) : null;
	if (!isNew && !all.has(label))
		return;
	const inputs = {}, fields = [];
	for (const [name, word, dir] of [['title', 'title', 'auto'], ['address', 'address', 'ltr'],
		['publisher', 'publisher', 'auto'], ['published', 'date', 'ltr'], ['accessed', 'accessed', 'ltr']]) {
		const [input, row] = field(sentence(word), { dir });
		inputs[name] = input;
		fields.push(row);
	}
	const choice = make('select', {}, make('option', { value: '' }, sentence('source-new')),
		...[...all].map(([key, { node }]) => make('option', { value: key, dir: 'auto' }, sourceName(node))));
	const chosen = make('p', { class: 'field' }, make('label', {}, sentence('source'), choice));
	const other = make('div', { class: 'footnote', dir: 'auto' });
	const wrong = make('p', { class: 'error', role: 'alert' });
	const open = make('a', { class: 'button quiet', target: '_blank', rel: 'noopener noreferrer' }, sentence('link-open'));
	const lines = button(sentence('as-markdown'), () => {
		const found = notes(view.state.doc).get(label);
		shut();
		if (found)
			view.nodeDOM(found.at).querySelector('.lines, .edit').click();
	});
	lines.classList.add('quiet');
	const dialog = make('dialog', { class: 'link', 'aria-label': sentence('source') }, chosen, other, ...fields, wrong,
		make('p', { class: 'row' }, button(sentence('done'), done), open, lines));

	let shown;

	/* Shows the source that is chosen. One that says more than the fields have is shown as it is. */
	function show() {
		const key = isNew ? choice.value : label, found = all.get(key);
		const source = shown = found ? sourceOf(found.node) : NOTHING;
		for (const [name, input] of Object.entries(inputs))
			input.value = source ? source[name] : '';
		fields.forEach((row) => { row.hidden = source === null; });
		other.hidden = source !== null;
		other.textContent = source ? '' : found.node.textContent;
		wrong.textContent = '';
		look();
	}
	function look() {
		const href = meant(inputs.address.value);
		open.hidden = href === null || !/^https?:/.test(href);
		if (!open.hidden)
			open.setAttribute('href', href);
	}
	/* What was not touched here stays as it is by now: others may have changed it under the dialog. */
	function done() {
		const key = isNew ? choice.value : label, typed = {};
		const old = key === '' ? null : notes(view.state.doc).get(key);
		for (const [name, input] of Object.entries(inputs)) {
			const value = squeezed(input.value);
			if (shown && value !== squeezed(shown[name]))
				typed[name] = value;
		}
		const isGone = key !== '' && !old, isTouched = key === '' || Object.keys(typed).length > 0;
		const present = old ? sourceOf(old.node) : NOTHING;
		if (typed.address)
			typed.address = meant(typed.address);
		const values = { ...present, ...typed };
		if (isGone || (isTouched && present === null))
			return refuse('source-changed', inputs.title);
		if (typed.address === null || (typed.address && !/^https?:/.test(typed.address)))
			return refuse('link-wrong', inputs.address);
		if (isTouched && values.title === '' && values.address === '')
			return refuse('source-title', inputs.title);
		shut();
		if (!view.isDestroyed && (old || key === ''))
			write(view, key === '' ? freeLabel(view.state.doc) : key, isTouched ? values : null, place);
	}
	function refuse(word, input) {
		wrong.textContent = sentence(word);
		input.focus();
	}
	function shut() {
		if (place)
			place.end();
		dialog.remove();
		if (!view.isDestroyed)
			view.focus();
	}

	chosen.hidden = !isNew || all.size === 0;
	lines.hidden = isNew;
	choice.addEventListener('change', show);
	inputs.address.addEventListener('input', look);
	dialog.addEventListener('keydown', (event) => {
		if (event.key === 'Enter' && event.target.localName === 'input' && !event.isComposing) {
			event.preventDefault();
			done();
		}
	});
	dialog.addEventListener('close', shut);
	show();
	document.body.append(dialog);
	dialog.showModal();
}

/* A number in the text opens its source: by a press, or by Enter where it is chosen. `ask(label)` */
export function citeKeys(ask) {
	return new Plugin({
		props: {
			handleClickOn(view, pos, node, at, event, isDirect) {
				if (!isDirect || node.type !== of.cite)
					return false;
				ask(node.attrs.label);
				return true;
			},
			handleKeyDown(view, event) {
				const { selection } = view.state;
				if (event.key !== 'Enter' || event.isComposing || !(selection instanceof NodeSelection) ||
					selection.node.type !== of.cite)
					return false;
				ask(selection.node.attrs.label);
				return true;
			}
		}
	});
}

/* Returns the source that a number cites: its note, or null. */
export function cited(doc, cite) {
	const found = notes(doc).get(cite.attrs.label);
	return found ? found.node : null;
}
