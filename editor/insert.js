/* The menu of what can be put into the text: "/" at the start of a line or behind a space opens it, or
 * the button "Insert". The focus stays in the text; typed letters filter by the labels of the page and
 * by English words. */
import { setBlockType, wrapIn } from 'prosemirror-commands';
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state';
import { commands, makeSteps } from './kit.js';
import { insertQuestion, insertTakeaways } from './parts.js';
import { schema } from './schema.js';
import { tableAt } from './table.js';
import { make } from './element.js';

const of = schema.nodes, menu = new PluginKey('insert');

/* A table of two columns after the block of the caret, or in its place if that is empty. */
function insertTable(state, dispatch) {
	const { $from } = state.selection, is = $from.node(1).content.size === 0;
	const cells = (type) => [0, 1].map(() => type.create());
	const table = of.table.create(null, [of.table_row.create(null, cells(of.table_header)),
		of.table_row.create(null, cells(of.table_cell))]);
	const at = is ? $from.before(1) : $from.after(1);
	const tr = state.tr.replaceWith(at, $from.after(1), table);
	dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 3)).scrollIntoView());
}

/* Each: the name of its word in the page, English words for it, what it does, its picture, and what
 * is typed for it. Those without that have a word more in the page: NAME-about. */
const ITEMS = [
	['picture', 'picture image photo', (state, dispatch, how) => how.picture(),
		'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01'],
	['note', 'note tip callout', wrapIn(of.callout, { kind: 'tip' }),
		'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8.2h.01M12 11.5V16'],
	['steps', 'steps instructions', makeSteps, 'M7 4v16M7 6h13M7 12h13M7 18h13M4 6h.01M4 12h.01M4 18h.01'],
	['table', 'table', insertTable, 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14'],
	['question', 'question faq', (state, dispatch, how) => insertQuestion(how.parts)(state, dispatch),
		'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9.8 9.6c0-3 4.6-2.8 4.6 0 0 1.9-2.4 2-2.4 3.8M12 16.4h.01'],
	['source', 'source citation reference footnote', (state, dispatch, how) => how.source(null),
		'M7 4h8l4 4v12H7zM15 4v4h4M10 12h6M10 16h6'],
	['quote', 'quote', commands.get('quote'), 'M5 6v12M9.5 8H20M9.5 12H20M9.5 16h7', '>'],
	['code', 'code', setBlockType(of.code_block), 'M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5', '```'],
	['heading', 'heading', commands.get('heading'), 'M6 5v14M18 5v14M6 12h12', '##'],
	['subheading', 'subheading', commands.get('subheading'), 'M7 8v9M17 8v9M7 12.5h10', '###'],
	['list', 'list bullets', commands.get('list'), 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01', '-'],
	['numbers', 'numbered list', commands.get('numbers'),
		'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c0-1.6 2.6-1.6 2.6 0 0 1-2.6 2-2.6 3.5h2.8', '1.'],
	['takeaways', 'takeaways summary', (state, dispatch, how) => insertTakeaways(how.parts)(state, dispatch),
		'M5 12.5l4 4L19 7'],
	['todo', 'something to do', wrapIn(of.callout, { kind: 'todo' }), 'M5 5h14v14H5zM12 9v4M12 16h.01']
];

function icon(path) {
	const [svg, line] = ['svg', 'path'].map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
	svg.setAttribute('viewBox', '0 0 24 24');
	svg.setAttribute('aria-hidden', 'true');
	line.setAttribute('d', path);
	svg.append(line);
	return svg;
}

function canOpen(state) {
	const { $from, empty } = state.selection;
	return empty && $from.parent.type === of.paragraph && tableAt(state) === null;
}

/* Where the list is: below the caret, or above it where there is more room. */
function place(view, list, from) {
	const at = view.coordsAtPos(from), box = list.offsetParent.getBoundingClientRect();
	const seen = window.visualViewport ? window.visualViewport.height : window.innerHeight;
	const below = seen - at.bottom > list.offsetHeight + 64 || seen - at.bottom > at.top;
	const left = Math.min(Math.max(0, at.left - box.left), box.width - list.offsetWidth);
	list.style.left = Math.max(0, left) + 'px';
	list.style.top = (below ? at.bottom - box.top + 4 : at.top - box.top - list.offsetHeight - 4) + 'px';
}

class List {
	constructor(view, how, choose) {
		this.list = make('ul', { role: 'listbox', id: 'insert-menu', class: 'insert',
			'aria-label': how.sentence('insert') });
		this.list.hidden = true;
		this.how = how;
		this.choose = choose;
		this.shown = null;
		view.dom.after(this.list);
		this.list.addEventListener('mousedown', (event) => {
			const item = event.target.closest('[role=option]');
			event.preventDefault();
			if (item)
				this.choose(view, Number(item.dataset.at));
		});
	}

	update(view) {
		const open = menu.getState(view.state), { sentence } = this.how;
		this.list.hidden = open === null;
		if (open === this.shown)
			return;
		const count = open && (!this.shown || this.shown.items.length !== open.items.length);
		this.shown = open;
		if (open === null)
			return;
		this.list.replaceChildren(...open.items.map(([name, , , path, typed], i) => make('li', { role: 'option',
			id: 'insert-' + name, 'data-at': i, 'aria-selected': String(i === open.index) },
		icon(path), make('span', {}, make('b', {}, sentence(name)),
			...typed ? [] : [make('small', {}, sentence(name + '-about'))]),
		...typed ? [make('kbd', { 'aria-hidden': 'true', dir: 'ltr' }, typed)] : [])));
		place(view, this.list, open.from);
		this.list.children[open.index].scrollIntoView({ block: 'nearest' });
		if (count && this.how.hear)
			this.how.hear(sentence('results', String(open.items.length)));
	}

	destroy() {
		this.list.remove();
	}
}

/* Puts the caret into an empty paragraph after its block. */
function goBelow(state) {
	const { $to, to } = state.selection, at = $to.depth > 0 ? $to.after(1) : to;
	const next = state.doc.nodeAt(at), { tr } = state;
	if (!next || next.type !== of.paragraph || next.content.size > 0)
		tr.insert(at, of.paragraph.create());
	return tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView();
}

/* Opens the menu where the caret is: by the button, so a slash that leads to nothing goes again. Where
 * nothing can be put in (a table, a heading, a card), it opens below: a finger has no other way out. */
export function openInsert(view) {
	if (!canOpen(view.state))
		view.dispatch(goBelow(view.state));
	const { $from, from } = view.state.selection;
	const text = /(?:^|\s)$/.test($from.parent.textBetween(0, $from.parentOffset, null, ' ')) ? '/' : ' /';
	view.dispatch(view.state.tr.insertText(text).setMeta(menu, { from: from + text.length - 1, made: text.length }));
}

/* `how`: {sentence(name, value), hear(words), picture(), source(null), parts} of the page. */
export function insertMenu(how) {
	const labels = ITEMS.map(([name]) => how.sentence(name).toLowerCase());

	function found(query) {
		return ITEMS.filter(([, english], i) => labels[i].includes(query) || english.includes(query));
	}

	/* The letters of the menu go, and what was chosen comes. */
	function choose(view, index) {
		const open = menu.getState(view.state), run = open.items[index][2];
		view.dispatch(view.state.tr.delete(open.from, view.state.selection.from).setMeta(menu, 'close'));
		run(view.state, view.dispatch.bind(view), how);
		view.focus();
	}

	function follow(open, tr, state) {
		const { $from, empty, from } = state.selection, at = tr.mapping.map(open.from, -1);
		if (!empty || from <= at || $from.start() > at || state.doc.textBetween(at, at + 1) !== '/')
			return null;
		const query = state.doc.textBetween(at + 1, from, null, '\n').toLowerCase();
		const items = /\s/.test(query) ? [] : found(query);
		if (items.length === 0)
			return null;
		const same = query === open.query;
		return { from: at, made: open.made, query, items, index: same ? open.index : 0 };
	}

	return new Plugin({
		key: menu,
		state: {
			init: () => null,
			apply(tr, open, before, state) {
				const meta = tr.getMeta(menu);
				if (meta === 'close')
					return null;
				if (meta && meta.from !== undefined)
					return { from: meta.from, made: meta.made, query: '', items: ITEMS, index: 0 };
				if (meta && open)
					return Object.assign({}, open, { index: meta.index });
				return open && (tr.docChanged || tr.selectionSet) ? follow(open, tr, state) : open;
			}
		},
		view: (view) => new List(view, how, choose),
		props: {
			attributes(state) {
				const open = menu.getState(state);
				return open && { 'aria-controls': 'insert-menu',
					'aria-activedescendant': 'insert-' + open.items[open.index][0] };
			},
			handleTextInput(view, from, to, text) {
				const { $from } = view.state.selection;
				if (text !== '/' || view.composing || !canOpen(view.state) ||
					!/(?:^|\s)$/.test($from.parent.textBetween(0, $from.parentOffset, null, ' ')))
					return false;
				view.dispatch(view.state.tr.insertText('/', from, to).setMeta(menu, { from, made: 0 }));
				return true;
			},
			handleKeyDown(view, event) {
				const open = menu.getState(view.state);
				const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
				if (!open || event.isComposing || event.altKey || event.ctrlKey || event.metaKey)
					return false;
				if (step) {
					const count = open.items.length;
					view.dispatch(view.state.tr.setMeta(menu, { index: (open.index + step + count) % count }));
				} else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
					choose(view, open.index);
				} else if (event.key === 'Escape') {
					const tr = view.state.tr.setMeta(menu, 'close');
					view.dispatch(open.made > 0 && open.query === ''
						? tr.delete(open.from + 1 - open.made, open.from + 1) : tr);
				} else {
					return false;
				}
				return true;
			}
		}
	});
}
