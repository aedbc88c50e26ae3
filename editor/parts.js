/* The parts that an article has once, each below a heading that names it in the article's language:
 * takeaways after the lead, questions at the end. What is written there is plain Markdown; here it
 * looks as what it is, and is put where it belongs. */
import { Plugin, Selection, TextSelection } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { schema } from './schema.js';

const of = schema.nodes;

/* Returns which part a heading begins, or null. `names`: a Map of parts, with the name of each in
 * the article's language. The server knows other names, too. */
function partOf(node, names) {
	if (node.type !== of.heading)
		return null;
	const text = node.textContent.trim().toLowerCase();
	const named = [...names].find(([, name]) => name.toLowerCase() === text);
	return named ? named[0] : node.attrs.part;
}

/* Returns where a part is, from its heading on: {from, to, level}; or null. */
function find(doc, names, part) {
	let found = null, ends = false;
	doc.forEach((node, at) => {
		if (found === null && partOf(node, names) === part) {
			found = { from: at, to: doc.content.size, level: node.attrs.level };
		} else if (found && !ends && (node.type === of.note ||
			(node.type === of.heading && node.attrs.level <= found.level))) {
			found.to = at;
			ends = true;
		}
	});
	return found;
}

/* Returns where the text ends: the sources follow. */
function textEnd(doc, names) {
	const sources = find(doc, names, 'references');
	let at = doc.content.size;
	for (let i = doc.childCount; i > 0 && doc.child(i - 1).type === of.note; i--)
		at -= doc.child(i - 1).nodeSize;
	return sources ? Math.min(at, sources.from) : at;
}

function leadEnd(doc, names) {
	let found = null;
	doc.forEach((node, at) => {
		if (found === null && node.type === of.heading && node.attrs.level <= 2)
			found = at;
	});
	return found === null ? textEnd(doc, names) : found;
}

/* Puts blocks at a place, with the caret `inside` of them. An empty line that asked for them goes. */
function put(state, dispatch, at, nodes, inside) {
	const { $from } = state.selection, tr = state.tr.insert(at, nodes);
	if ($from.depth === 1 && $from.parent.type === of.paragraph && $from.parent.content.size === 0)
		tr.delete(tr.mapping.map($from.before(1)), tr.mapping.map($from.after(1), -1));
	const begins = tr.mapping.slice(1).map(at);
	dispatch(tr.setSelection(TextSelection.create(tr.doc, begins + inside)).scrollIntoView());
	return true;
}

function heading(part, names) {
	return of.heading.create({ level: 2, part }, schema.text(names.get(part)));
}

/* A question with its answer, after those that are there. */
export function insertQuestion(names) {
	return (state, dispatch) => {
		const old = find(state.doc, names, 'faqs');
		const one = [of.heading.create({ level: old ? Math.min(old.level + 1, 6) : 3 }), of.paragraph.create()];
		const title = heading('faqs', names);
		return old ? put(state, dispatch, old.to, one, 1)
			: put(state, dispatch, textEnd(state.doc, names), [title, ...one], title.nodeSize + 1);
	};
}

/* The takeaways: those that are there, or a list for them. */
export function insertTakeaways(names) {
	return (state, dispatch) => {
		const old = find(state.doc, names, 'takeaways'), title = heading('takeaways', names);
		if (old) {
			dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(old.to), -1)).scrollIntoView());
			return true;
		}
		const list = of.bullet_list.create(null, of.list_item.create(null, of.paragraph.create()));
		return put(state, dispatch, leadEnd(state.doc, names), [title, list], title.nodeSize + 3);
	};
}

/* ---- how they look */

/* Returns the blocks that look otherwise, as [node, position, attributes]. */
function looks(doc, names, sentence) {
	const out = [];
	let part = null, level = 0, card = null;
	const mark = (node, at, attrs) => out.push(card = [node, at, attrs]);
	const end = () => {
		if (card)
			card[2].class += ' last';
		card = null;
	};
	doc.forEach((node, at) => {
		const isHeading = node.type === of.heading;
		if (node.type === of.note || (isHeading && (part === null || node.attrs.level <= level))) {
			end();
			part = partOf(node, names);
			level = node.attrs.level;
		} else if (part === 'faqs' && isHeading && node.attrs.level === level + 1) {
			end();
			mark(node, at, { class: 'question', 'data-kind': sentence('question') });
		} else if (part === 'faqs' && card) {
			const isEmpty = card[2].class === 'question' && node.type === of.paragraph && node.content.size === 0;
			mark(node, at, Object.assign({ class: 'answer' }, isEmpty && { 'data-empty': sentence('answer') }));
		} else if (part === 'takeaways' && node.type === of.bullet_list) {
			mark(node, at, { class: 'takeaways', 'data-kind': sentence('takeaways') });
			card = null;
		}
	});
	end();
	return out;
}

export function partLooks(names, sentence) {
	const draw = (doc) => DecorationSet.create(doc, looks(doc, names, sentence)
		.map(([node, at, attrs]) => Decoration.node(at, at + node.nodeSize, attrs)));
	const plugin = new Plugin({
		state: {
			init: (config, { doc }) => draw(doc),
			apply: (tr, set) => tr.docChanged ? draw(tr.doc) : set
		},
		props: { decorations: (state) => plugin.getState(state) }
	});
	return plugin;
}
