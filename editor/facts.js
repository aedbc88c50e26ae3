/* What Markdown has no form for: the caption of a table, the title of a note, who said a quote, that a
 * list is steps, the day on which a source was read. It is in the attributes of the blocks, is no
 * part of the text, and is sent beside it, by the line of its block
 * (lib/action/article/block-facts.h): only what somebody changed here, so that what others changed at
 * another block stays. */
import { Plugin, PluginKey } from 'prosemirror-state';
import { schema } from './schema.js';

const of = schema.nodes, SIZE_MAX = 64 * 1024; /* bytes of JSON: the server's */

/* Of each type: its name in what is sent, and its attributes with what says nothing. */
const KINDS = new Map([
	[of.table, ['table', { caption: null, rowHeader: false }]],
	[of.ordered_list, ['list', { steps: false }]],
	[of.callout, ['callout', { title: null }]],
	[of.blockquote, ['quote', { cite: null }]],
	[of.note, ['source', { accessed: null }]]
]);

/* Returns what is known of a block besides its text, or null. A title in a note's first line is text. */
export function factsOf(node) {
	const kind = KINDS.get(node.type);
	return !kind || node.attrs.titled ? null
		: Object.fromEntries(Object.keys(kind[1]).map((name) => [name, node.attrs[name]]));
}

/* Returns a block with what is known of another one of its type. */
export function withFacts(node, facts) {
	return facts === null || factsOf(node) === null ? node
		: node.type.create(Object.assign({}, node.attrs, facts), node.content, node.marks);
}

/* Whether a block is at the top of its text: others can say nothing. */
export function isTop(view, getPos) {
	return view.state.doc.resolve(getPos()).depth === 0;
}

/* ---- what the server has */

const kept = new PluginKey('facts');

function isSame(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
}

/* Returns what a document says at its top, to which the server counts blocks: its headings, and the
 * blocks of these types, each by what is known of it. */
function orderOf(doc, list) {
	const known = new Map(list.map((one, i) => [one.at, one.id || i])), out = [];
	doc.forEach((node, at) => {
		if (node.type === of.heading)
			out.push('#'.repeat(node.attrs.level) + node.textContent);
		else if (KINDS.has(node.type))
			out.push(known.get(at + 1));
		else if (node.type === of.source) /* It may hold some. */
			out.push(node.textContent);
	});
	return JSON.stringify(out);
}

let ids = 0;

/* The server has what the document says. */
function all(doc) {
	const list = [];
	doc.forEach((node, at) => {
		const facts = factsOf(node);
		if (facts)
			list.push({ at: at + 1, facts, id: ++ids });
	});
	return { list, order: orderOf(doc, list) };
}

/* What was sent may be stored, though no answer came yet: it is named until one comes, also where it
 * was taken back meanwhile. */
function sentOf(doc, { list, order }) {
	return {
		list: list.map((one) => {
			const node = doc.nodeAt(one.at - 1);
			return node && isSame(factsOf(node), one.facts) ? one : Object.assign({}, one, { isSent: true });
		}),
		order: orderOf(doc, list) === order ? order : ''
	};
}

/* `doc`: as the server read it. */
export function keepFacts(doc) {
	return new Plugin({
		key: kept,
		state: {
			init: () => all(doc),
			apply(tr, state) {
				if (tr.getMeta(kept) === 'sent')
					return sentOf(tr.doc, state);
				if (tr.getMeta(kept))
					return all(tr.doc);
				if (!tr.docChanged)
					return state;
				const list = [];
				for (const one of state.list) {
					/* Its first child or its own mark may be replaced: the block stays. */
					const before = tr.mapping.mapResult(one.at, -1), after = tr.mapping.mapResult(one.at, 1);
					if (!before.deleted || !after.deleted)
						list.push(Object.assign({}, one, { at: before.pos }));
				}
				return { list, order: state.order };
			}
		}
	});
}

/* All that is shown now was sent. */
export function sending(tr) {
	return tr.setMeta(kept, 'sent');
}

/* The server has all that is shown now. */
export function acknowledge(tr) {
	return tr.setMeta(kept, true);
}

/* Returns what is sent: JSON, or "" where nothing is to be said. `pieces`: the blocks that are
 * written, as {node, at, line, same}. The server knows a block that kept its lines; where one came,
 * went or moved, those with other lines are named, too. */
export function factsJson(state, pieces) {
	const { list, order } = kept.getState(state), known = new Map(list.map((one) => [one.at, one.facts]));
	const sent = new Set(list.filter((one) => one.isSent).map((one) => one.at));
	const moved = orderOf(state.doc, list) !== order;
	const rows = pieces.map(({ node, at, line, same }) => {
		const now = factsOf(node), was = known.get(at + 1), [kind, nothing] = KINDS.get(node.type) || [];
		if (now === null)
			return null;
		const isSent = sent.has(at + 1), all = !was || isSent || (moved && !same);
		const names = Object.keys(now).filter((name) => all || now[name] !== was[name]);
		return names.length === 0 ? null : {
			row: Object.assign({ line, kind }, ...names.map((name) => ({ [name]: now[name] }))),
			isChanged: isSent || !isSame(now, was || nothing)
		};
	}).filter((one) => one !== null);
	const json = rows.length === 0 ? '' : JSON.stringify(rows.map((one) => one.row));
	const own = rows.filter((one) => one.isChanged).map((one) => one.row);
	return new Blob([json]).size <= SIZE_MAX ? json : own.length === 0 ? '' : JSON.stringify(own);
}

/* ---- what was sent, and is in the form */

/* Returns the rows of a text that this or another page left: what is not of their form is none. */
export function rowsOf(json) {
	try {
		const rows = json === '' ? [] : JSON.parse(json);
		return Array.isArray(rows) ? rows.filter((row) => row && Number.isInteger(row.line) &&
			typeof row.kind === 'string') : [];
	} catch (e) {
		return [];
	}
}

/* Returns what the server says of the blocks of a text (lib/import/markdown/blocks.h), with what the
 * rows say of them. */
export function told(blocks, rows) {
	return blocks.map((block) => {
		const found = block && block.node ? rows.filter((row) => row.line === block.first) : [];
		const [kind, nothing] = found.length > 0 && KINDS.get(of[block.node.type]) || [], attrs = {};
		for (const row of found.filter((one) => one.kind === kind)) {
			for (const name of Object.keys(nothing)) {
				if (typeof row[name] === (nothing[name] === null ? 'string' : 'boolean') || row[name] === null)
					attrs[name] = row[name] === null ? nothing[name] : row[name];
			}
		}
		return Object.keys(attrs).length === 0 ? block : Object.assign({}, block,
			{ node: Object.assign({}, block.node, { attrs: Object.assign({}, block.node.attrs, attrs) }) });
	});
}

/* Returns the rows for a text that was changed as Markdown: what follows the change moves with it. */
export function shifted(json, before, after) {
	const a = before.split('\n'), b = after.split('\n'), rows = rowsOf(json);
	let head = 0, tail = 0;
	while (head < Math.min(a.length, b.length) && a[head] === b[head])
		head++;
	while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
		tail++;
	/* A block whose first line went is gone. */
	const left = rows.filter((row) => row.line <= head || row.line > a.length - tail || row.line <= b.length - tail);
	for (const row of left) {
		if (row.line > a.length - tail)
			row.line += b.length - a.length;
	}
	return left.length === 0 ? '' : JSON.stringify(left);
}

/* ---- a field of a card: no field of the form, so it has no name. What is typed changes the block. */

/* `attr`: of the block; `how`: {view, getPos, make, label, settle()}. Returns the label with its field,
 * which has show(value). */
export function factField(attr, { view, getPos, make, label, settle }) {
	const input = make('input', { dir: 'auto', autocomplete: 'off' });
	const row = make('label', { contenteditable: 'false', class: 'fact' }, label, input);
	input.maxLength = attr === 'title' ? 300 : 10000; /* the server's */
	input.addEventListener('input', () => {
		view.dispatch(view.state.tr.setNodeAttribute(getPos(), attr, input.value.trim() || null));
	});
	if (settle)
		input.addEventListener('blur', settle);
	input.addEventListener('keydown', (event) => {
		if ((event.key === 'Enter' || event.key === 'Escape') && !event.isComposing) {
			event.preventDefault();
			view.focus();
		}
	});
	row.show = (value) => {
		if (document.activeElement !== input || (input.value.trim() || null) !== value)
			input.value = value || '';
	};
	return row;
}
