/* What keys and buttons do, and what is typed as Markdown: the formats of the visual view. */
import {
	baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn
} from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import {
	InputRule, inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule
} from 'prosemirror-inputrules';
import { keydownHandler, keymap } from 'prosemirror-keymap';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { NodeSelection, Plugin, TextSelection } from 'prosemirror-state';
import { isAddress, isCard, schema } from './schema.js';
import { cellBelow, nextCell, previousCell, tableAt } from './table.js';

const of = schema.nodes, marks = schema.marks;

/* Returns the depth of the innermost node of these types around the selection, or 0. */
function around(state, ...types) {
	const { $from } = state.selection;
	for (let d = $from.depth; d > 0; d--) {
		if (types.includes($from.node(d).type))
			return d;
	}
	return 0;
}

/* ---- formats */

function toggleHeading(level) {
	return (state, dispatch) => {
		const { parent } = state.selection.$from;
		const is = parent.type === of.heading && parent.attrs.level === level;
		return (is ? setBlockType(of.paragraph) : setBlockType(of.heading, { level }))(state, dispatch);
	};
}

/* Makes a list, makes a list of the other kind this one, or takes it away. */
function toggleList(type) {
	return (state, dispatch) => {
		const d = around(state, of.bullet_list, of.ordered_list), { $from } = state.selection;
		if (d === 0)
			return wrapInList(type)(state, dispatch);
		if ($from.node(d).type === type)
			return liftListItem(of.list_item)(state, dispatch);
		const { s, tight } = $from.node(d).attrs;
		if (dispatch)
			dispatch(state.tr.setNodeMarkup($from.before(d), type, { s, tight }));
		return true;
	};
}

/* Makes steps of a numbered list at the top, or begins one: an item has the name of a step, and its
 * text. */
export function makeSteps(state, dispatch) {
	const d = around(state, of.ordered_list), { $from } = state.selection;
	/* Inside of another block nobody keeps it. */
	return $from.depth > 1 && d !== 1 ? toggleList(of.ordered_list)(state, dispatch)
		: d === 0 ? wrapInList(of.ordered_list, { steps: true })(state, dispatch)
		: dispatch(state.tr.setNodeAttribute($from.before(d), 'steps', true));
}

/* Enter after the name of a step leads to its text; below the text, to the next step. */
function nextInStep(state, dispatch) {
	const { $from } = state.selection, d = around(state, of.list_item);
	if (!state.selection.empty || d === 0 || $from.depth !== d + 1 || !$from.node(d - 1).attrs.steps ||
		$from.parent.textBetween($from.parentOffset, $from.parent.content.size, null, 'x').trim() !== '')
		return false;
	const { parent } = $from, at = $from.index(d), isLast = at + 1 === $from.node(d).childCount;
	const isEmpty = parent.childCount < 2 && parent.textContent.trim() === '', empty = of.paragraph.create();
	const from = $from.before(d + 1), to = $from.after(d + 1), tr = state.tr;
	if (isLast && at > 0 && isEmpty)
		tr.delete(from, to).insert(from + 1, of.list_item.create(null, empty));
	else if (isLast && at === 0 && !isEmpty)
		tr.insert(to, empty);
	else if (isLast || at > 0)
		return false;
	if (dispatch)
		dispatch(tr.setSelection(TextSelection.create(tr.doc, at > 0 ? from + 3 : to + 1)).scrollIntoView());
	return true;
}

function toggleQuote(state, dispatch) {
	return (around(state, of.blockquote) > 0 ? lift : wrapIn(of.blockquote))(state, dispatch);
}

/* What a key does, by name: the buttons of the page do the same. */
export const commands = new Map(Object.entries({
	bold: toggleMark(marks.strong),
	italic: toggleMark(marks.em),
	code: toggleMark(marks.code),
	paragraph: setBlockType(of.paragraph),
	heading: toggleHeading(2),
	subheading: toggleHeading(3),
	smaller: toggleHeading(4),
	list: toggleList(of.bullet_list),
	numbers: toggleList(of.ordered_list),
	quote: toggleQuote,
	undo, redo
}));

const MARKS = [['bold', marks.strong], ['italic', marks.em], ['code', marks.code],
	['link', marks.link]];

/* Returns the names of what is on where the selection is. */
export function active(state) {
	const { $from, from, to, empty } = state.selection, on = new Set();
	const here = state.storedMarks || $from.marks();
	for (const [name, type] of MARKS) {
		if (empty ? type.isInSet(here) : state.doc.rangeHasMark(from, to, type))
			on.add(name);
	}
	const list = around(state, of.bullet_list, of.ordered_list);
	if (list > 0)
		on.add($from.node(list).type === of.bullet_list ? 'list' : 'numbers');
	if (around(state, of.blockquote) > 0)
		on.add('quote');
	if ($from.parent.type === of.heading)
		on.add('heading');
	return on;
}

/* ---- keys */

/* A break in the line; code gets a newline. */
function breakLine(state, dispatch) {
	if (dispatch)
		dispatch(state.tr.replaceSelectionWith(of.hard_break.create()).scrollIntoView());
	return true;
}

/* Moves the item or the block of the selection before or after its neighbour. */
function move(by) {
	return (state, dispatch) => {
		const { selection } = state, { $from } = selection;
		const d = selection instanceof NodeSelection ? $from.depth + 1
			: around(state, of.list_item) || 1;
		const outer = $from.node(d - 1), at = $from.index(d - 1);
		if (at + by < 0 || at + by >= outer.childCount || $from.depth < d - 1)
			return false;
		if (!dispatch)
			return true;
		const node = outer.child(at), other = outer.child(at + by);
		const pos = $from.posAtIndex(at, d - 1);
		const to = by < 0 ? pos - other.nodeSize : pos + other.nodeSize;
		const from = selection.from - pos;
		const tr = state.tr.delete(pos, pos + node.nodeSize).insert(to, node);
		tr.setSelection(selection instanceof NodeSelection ? NodeSelection.create(tr.doc, to)
			: TextSelection.create(tr.doc, to + from, to + selection.to - pos));
		dispatch(tr.scrollIntoView());
		return true;
	};
}

function isCode(state) {
	return state.selection.$from.parent.type === of.code_block;
}

function typeTab(state, dispatch) {
	if (!isCode(state))
		return false;
	if (dispatch)
		dispatch(state.tr.insertText('    ').scrollIntoView());
	return true;
}

/* Below code that ends the text there is nothing yet. */
function leaveCode(state, dispatch, view) {
	const { $head, empty } = state.selection;
	return empty && isCode(state) && $head.pos === state.doc.content.size - 1 &&
		$head.depth === 1 && exitCode(state, dispatch, view);
}

/* A heading leads to an empty line that is below it already. */
function intoEmpty(state, dispatch) {
	const { $from, empty } = state.selection, after = $from.depth === 1 && state.doc.maybeChild($from.index(0) + 1);
	if (!empty || $from.parent.type !== of.heading || $from.parentOffset < $from.parent.content.size ||
		!after || after.type !== of.paragraph || after.content.size > 0)
		return false;
	if (dispatch)
		dispatch(state.tr.setSelection(TextSelection.create(state.doc, $from.after(1) + 1)).scrollIntoView());
	return true;
}

const KEYS = [['Mod-b', 'bold'], ['Mod-i', 'italic'], ['Mod-e', 'code'], ['Mod-z', 'undo'],
	['Mod-Shift-z', 'redo'], ['Mod-y', 'redo'], ['Alt-0', 'paragraph'], ['Alt-2', 'heading'],
	['Alt-3', 'subheading'], ['Alt-4', 'smaller'], ['Mod-Shift-8', 'list'],
	['Mod-Shift-7', 'numbers']];

const keys = {
	Backspace: undoInputRule,
	'Shift-Enter': chainCommands(exitCode, breakLine),
	Enter: chainCommands(cellBelow, intoEmpty, nextInStep, splitListItem(of.list_item)),
	Tab: chainCommands(typeTab, (state, dispatch) => tableAt(state) !== null &&
		nextCell(state, dispatch), sinkListItem(of.list_item)),
	'Shift-Tab': chainCommands(previousCell, liftListItem(of.list_item)),
	ArrowDown: leaveCode,
	'Alt-Shift-ArrowUp': move(-1),
	'Alt-Shift-ArrowDown': move(1)
};
for (const [key, name] of KEYS)
	keys[key] = commands.get(name);

/* A key that types a character by AltGr, or by the Option key of a Mac, is never a command. */
function types(event) {
	return event.key.length === 1 && (event.getModifierState('AltGraph') ||
		(event.altKey && !/^[0-9a-z]$/i.test(event.key)));
}

/* Escape and then Tab leaves the text, wherever that is. */
function ownKeys(more) {
	const press = keydownHandler(Object.assign({}, keys, more));
	let leaves = false;
	return new Plugin({
		props: {
			handleKeyDown(view, event) {
				const { selection } = view.state;
				const left = leaves && event.key === 'Tab';
				leaves = event.key === 'Escape' || (leaves && event.key === 'Shift');
				if (left || types(event))
					return false;
				if (event.key === 'Enter' && selection instanceof NodeSelection &&
					isCard(selection.node)) {
					const edit = view.nodeDOM(selection.from).querySelector('.edit');
					if (edit)
						edit.click();
					return edit !== null;
				}
				return press(view, event);
			}
		}
	});
}

/* ---- what is typed */

/* **bold**, *italic*, `code`: the signs go when the last one is typed. */
function markRule(pattern, type) {
	return new InputRule(pattern, (state, match, start, end) => {
		const inner = start + match[0].length - match[2].length * 2 - match[3].length;
		const from = inner + match[2].length;
		if (state.doc.resolve(start).parent.type.spec.code || !match[3].trim())
			return null;
		const tr = state.tr.delete(from + match[3].length, end).delete(inner, from);
		return tr.addMark(inner, inner + match[3].length, type.create()).removeStoredMark(type);
	}, { inCodeMark: false });
}

/* [text](https://…) */
const linkRule = new InputRule(/\[([^\][]+)\]\(([^()\s]+)\)$/, (state, match, start, end) =>
	isAddress(match[2]) ? state.tr.replaceWith(start, end,
		schema.text(match[1], [marks.link.create({ href: match[2] })])) : null);

const calloutRule = new InputRule(/^\[!(tip|note|warning|important|todo)\]\s$/i,
	(state, match, start, end) => {
		const tr = state.tr.delete(start, end), range = tr.doc.resolve(start).blockRange();
		return range && range.depth === 0
			? tr.wrap(range, [{ type: of.callout, attrs: { kind: match[1].toLowerCase() } }]) : null;
	});

const rules = inputRules({ rules: [
	textblockTypeInputRule(/^(#{2,4})\s$/, of.heading, (match) => ({ level: match[1].length })),
	wrappingInputRule(/^\s*([-*])\s$/, of.bullet_list),
	wrappingInputRule(/^(\d{1,9})\.\s$/, of.ordered_list, (match) => ({ start: Number(match[1]) }),
		(match, node) => node.childCount + node.attrs.start === Number(match[1])),
	wrappingInputRule(/^\s*>\s$/, of.blockquote),
	textblockTypeInputRule(/^```$/, of.code_block),
	markRule(/(^|[^*])(\*\*)([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
	markRule(/(^|[^*])(\*)([^*\s](?:[^*]*[^*\s])?)\*$/, marks.em),
	markRule(/(^|[^`])(`)([^`]+)`$/, marks.code),
	linkRule, calloutRule
] });

/* `more`: what the page's own keys do, as commands by key. */
export function plugins(more) {
	return [rules, ownKeys(more), keymap(baseKeymap)];
}
