/* Tables: each cell is written in, Tab goes to the next one, and rows and columns come and go by the
 * buttons of the card. Cells hold a line, and are never merged: Markdown has no form for more. */
import { Selection, TextSelection } from 'prosemirror-state';
import { goToNextCell } from 'prosemirror-tables';
import { factField } from './facts.js';
import { schema } from './schema.js';
import { make } from './element.js';

const of = schema.nodes;
const COLUMNS_MAX = 12, ROWS_MAX = 500; /* the server's */

/* Returns the table of the selection: {node, pos, row, column}, or null. */
export function tableAt(state) {
	const { $from } = state.selection;
	for (let d = $from.depth; d > 0; d--) {
		if ($from.node(d).type === of.table)
			return { node: $from.node(d), pos: $from.before(d), row: $from.index(d),
				column: $from.depth > d ? $from.index(d + 1) : 0 };
	}
	return null;
}

/* Returns where the cell of a row is, from the table's position. */
function placeOf(table, row, column) {
	let pos = 2;
	for (let i = 0; i < row; i++)
		pos += table.child(i).nodeSize;
	for (let i = 0; i < Math.min(column, table.child(row).childCount); i++)
		pos += table.child(row).child(i).nodeSize;
	return pos;
}

function emptyRow(table) {
	const cells = [];
	table.firstChild.forEach((cell) => cells.push(of.table_cell.create({ align: cell.attrs.align })));
	return of.table_row.create(null, cells);
}

/* What the buttons do: each gets the table, and returns a transaction, or null. */
const CHANGES = {
	'row-add'(tr, { node, pos, row, column }) {
		if (node.childCount > ROWS_MAX)
			return null;
		const at = pos + placeOf(node, row, 0) + node.child(row).nodeSize - 1;
		tr.insert(at, emptyRow(node));
		return tr.setSelection(TextSelection.create(tr.doc, at + 2 + 2 * column));
	},
	'row-remove'(tr, { node, pos, row }) {
		if (row === 0)
			return node.childCount === 1 ? tr.delete(pos, pos + node.nodeSize) : null;
		const at = pos + placeOf(node, row, 0) - 1;
		tr.delete(at, at + node.child(row).nodeSize);
		return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size)), -1));
	},
	'column-add'(tr, { node, pos, row, column }) {
		if (node.firstChild.childCount >= COLUMNS_MAX)
			return null;
		for (let i = node.childCount - 1; i >= 0; i--)
			tr.insert(pos + placeOf(node, i, column + 1), (i === 0 ? of.table_header : of.table_cell).create());
		const now = tr.doc.nodeAt(pos);
		return tr.setSelection(TextSelection.create(tr.doc, pos + placeOf(now, row, column + 1) + 1));
	},
	'column-remove'(tr, { node, pos, row, column }) {
		if (node.firstChild.childCount === 1)
			return tr.delete(pos, pos + node.nodeSize);
		for (let i = node.childCount - 1; i >= 0; i--) {
			const at = pos + placeOf(node, i, column), cell = tr.doc.nodeAt(at);
			if (cell && column < node.child(i).childCount)
				tr.delete(at, at + cell.nodeSize);
		}
		const now = tr.doc.nodeAt(pos), last = Math.min(column, now.child(row).childCount - 1);
		return tr.setSelection(TextSelection.create(tr.doc, pos + placeOf(now, row, last) + 1));
	}
};

/* Changes the table of the selection. */
function change(name) {
	return (state, dispatch) => {
		const table = tableAt(state), tr = table && CHANGES[name](state.tr, table);
		if (tr && dispatch)
			dispatch(tr.scrollIntoView());
		return Boolean(tr);
	};
}

/* To the next cell; after the last one is a new row. */
export function nextCell(state, dispatch) {
	return goToNextCell(1)(state, dispatch) || change('row-add')(state, dispatch &&
		((tr) => dispatch(tr.setSelection(firstOf(tr)))));
}

function firstOf(tr) {
	const { $from } = tr.selection;
	return TextSelection.create(tr.doc, $from.start($from.depth - 1) + 1);
}

export const previousCell = goToNextCell(-1);

/* To the cell below; below the last row is a new one. */
export function cellBelow(state, dispatch) {
	const table = tableAt(state);
	if (table === null)
		return false;
	if (table.row === table.node.childCount - 1)
		return change('row-add')(state, dispatch);
	const at = table.pos + placeOf(table.node, table.row + 1, table.column) + 1;
	if (dispatch)
		dispatch(state.tr.setSelection(TextSelection.create(state.doc, at)).scrollIntoView());
	return true;
}

/* `name(node)`: what the card is called; `asMarkdown(pos)`: edits it so; `settle()`: a field was left. */
export class Table {
	constructor(node, view, getPos, { sentence, name, asMarkdown, settle }) {
		this.node = node;
		this.name = name;
		const button = (label, press) => {
			const one = make('button', { type: 'button', class: 'button quiet' }, label);
			one.addEventListener('mousedown', (event) => event.preventDefault());
			one.addEventListener('click', press);
			return one;
		};
		const run = (what) => button(sentence(what), () => {
			const table = tableAt(view.state), pos = getPos();
			/* Without a caret in it: the last row. */
			if (!table || table.pos !== pos)
				view.dispatch(view.state.tr.setSelection(Selection.near(
					view.state.doc.resolve(pos + this.node.nodeSize - 1), -1)));
			change(what)(view.state, view.dispatch.bind(view));
			view.focus();
		});
		const more = make('details', {}, make('summary', {}, sentence('row-column')),
			...Object.keys(CHANGES).map(run), make('label', {}, this.heads = make('input', { type: 'checkbox' }), sentence('row-header')));
		this.heads.addEventListener('change', () => view.dispatch(
			view.state.tr.setNodeAttribute(getPos(), 'rowHeader', this.heads.checked)));
		this.words = make('span', { dir: 'auto' });
		this.bar = make('div', { class: 'kind', contenteditable: 'false' }, this.words, more,
			button(sentence('as-markdown'), () => asMarkdown(getPos())));
		this.contentDOM = make('tbody', {});
		this.caption = factField('caption', { view, getPos, make, label: sentence('caption'), settle });
		/* The columns run as the article's language does. A wide table scrolls with the caret, and from its caption. */
		this.table = make('table', { dir: 'auto' }, this.contentDOM);
		this.dom = make('div', { class: 'card', role: 'group' }, this.bar,
			make('div', { class: 'grid' }, this.caption, this.table));
		this.draw();
	}

	draw() {
		const name = this.name(this.node), { caption, rowHeader } = this.node.attrs;
		this.dom.setAttribute('aria-label', name);
		this.words.textContent = name;
		this.caption.show(caption);
		this.heads.checked = rowHeader;
		this.table.className = rowHeader ? 'row-headed' : '';
	}

	update(node) {
		if (node.type !== of.table)
			return false;
		this.node = node;
		this.draw();
		return true;
	}

	stopEvent(event) {
		return this.bar.contains(event.target) || this.caption.contains(event.target);
	}

	ignoreMutation(mutation) {
		return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
	}
}
