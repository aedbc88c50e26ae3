/* What keys do, and what is typed as Markdown: the formats of the visual view. */
import {
	baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn
} from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import {
	InputRule, inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { isAddress, schema } from './schema.js';

const of = schema.nodes, marks = schema.marks;

/* What a key does, by name: the buttons of the page do the same. */
export const commands = new Map(Object.entries({
	bold: toggleMark(marks.strong),
	italic: toggleMark(marks.em),
	code: toggleMark(marks.code),
	paragraph: setBlockType(of.paragraph),
	heading: setBlockType(of.heading, { level: 2 }),
	subheading: setBlockType(of.heading, { level: 3 }),
	smaller: setBlockType(of.heading, { level: 4 }),
	list: wrapInList(of.bullet_list),
	numbered: wrapInList(of.ordered_list),
	quote: wrapIn(of.blockquote),
	undo, redo
}));

/* A break in the line; code gets a newline. */
function breakLine(state, dispatch) {
	if (dispatch)
		dispatch(state.tr.replaceSelectionWith(of.hard_break.create()).scrollIntoView());
	return true;
}

const KEYS = [['Mod-b', 'bold'], ['Mod-i', 'italic'], ['Mod-e', 'code'], ['Mod-z', 'undo'],
	['Mod-Shift-z', 'redo'], ['Mod-y', 'redo'], ['Alt-0', 'paragraph'], ['Alt-2', 'heading'],
	['Alt-3', 'subheading'], ['Alt-4', 'smaller'], ['Mod-Shift-8', 'list'],
	['Mod-Shift-7', 'numbered']];

/* A key that types a character by AltGr is never a command. */
function guarded(command) {
	return (state, dispatch, view, event) =>
		!(event && event.getModifierState && event.getModifierState('AltGraph')) &&
		command(state, dispatch, view);
}

const keys = {
	Backspace: undoInputRule,
	'Shift-Enter': chainCommands(exitCode, breakLine),
	Enter: splitListItem(of.list_item),
	Tab: sinkListItem(of.list_item),
	'Shift-Tab': liftListItem(of.list_item)
};
for (const [key, name] of KEYS)
	keys[key] = guarded(commands.get(name));

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
		const range = state.doc.resolve(start).blockRange();
		return range && range.depth === 0 ? state.tr.delete(start, end)
			.wrap(range, [{ type: of.callout, attrs: { kind: match[1].toLowerCase() } }]) : null;
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

export const plugins = [rules, keymap(keys), keymap(baseKeymap)];
