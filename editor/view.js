/* The visual view: the document of a text, drawn where a person writes in it. The caller has the
 * text area, and the server's word on the blocks; it is told when the text has changed. */
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { closeHistory, history } from 'prosemirror-history';
import { DOMSerializer, Fragment, Slice } from 'prosemirror-model';
import { tableEditing } from 'prosemirror-tables';
import { EditorState, NodeSelection, Plugin, Selection } from 'prosemirror-state';
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view';
import { nameOf, nodeViews } from './cards.js';
import { acknowledge, factsJson, keepFacts, sending, told } from './facts.js';
import { insertMenu, openInsert } from './insert.js';
import { active, commands, plugins } from './kit.js';
import { askLink } from './link.js';
import { partLooks } from './parts.js';
import { askSource, cited, citeKeys, sourceName } from './reference.js';
import { isCard, schema } from './schema.js';
import { tableAt } from './table.js';
import { compose, pieces, read, reread, write } from './source.js';

/* ---- the clipboard: what this page copied comes back as it was; all else is a stranger's */

/* A word that no other page knows. */
function draw() {
	return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
}

const COPIES = 4; /* a clipboard may have a history */

class Copies {
	constructor() {
		this.slices = new Map();
		this.word = null;     /* of what is serialised now */
		this.dragged = false; /* it is, and stays in this page or is nobody's */
		const copies = this;
		this.serializer = new (class extends DOMSerializer {
			serializeFragment(fragment, options, target) {
				const out = super.serializeFragment(fragment, options, target);
				const first = !target && out.firstElementChild;
				if (first && copies.word !== null)
					first.setAttribute('data-galley', copies.word);
				return out;
			}
		})(DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema));
	}

	/* Remembers what is serialised next. */
	keep(slice) {
		this.word = this.dragged ? null : draw();
		if (this.word !== null)
			this.slices.set(this.word, slice);
		if (this.slices.size > COPIES)
			this.slices.delete(this.slices.keys().next().value);
		return slice;
	}

	/* Returns what HTML of a clipboard is a copy of, or null. */
	of(html) {
		const found = /data-galley="([0-9a-z]{1,40})"/.exec(html);
		return found && this.slices.get(found[1]) || null;
	}
}

/* Returns a text as paragraphs. */
function paragraphs(plain) {
	const rows = plain.split(/\n+/).map((row) =>
		schema.nodes.paragraph.create(null, row === '' ? null : schema.text(row)));
	return new Slice(Fragment.fromArray(rows), 1, 1);
}

/* Returns blocks without what ties them to a text. */
function loose(node) {
	if (node.isText)
		return node;
	const attrs = Object.assign({}, node.attrs);
	for (const name of ['s', 'first', 'last', 'line']) {
		if (name in attrs)
			attrs[name] = null;
	}
	const inner = [];
	node.forEach((child) => inner.push(loose(child)));
	return node.type.create(attrs, Fragment.fromArray(inner), node.marks);
}

/* ---- the line that the server refuses */

const marked = new Plugin({
	state: {
		init: () => DecorationSet.empty,
		apply(tr, set) {
			const at = tr.getMeta(marked);
			if (at !== undefined)
				return at === null ? DecorationSet.empty : DecorationSet.create(tr.doc,
					[Decoration.node(at, at + tr.doc.nodeAt(at).nodeSize,
						{ class: 'refused', 'aria-describedby': 'saving-now' })]);
			return tr.docChanged ? DecorationSet.empty : set;
		}
	},
	props: { decorations: (state) => marked.getState(state) }
});

/* ---- the view */

/* Opens the view in an element. `text` and `blocks`: what it shows; `rows`: what is to be said of the
 * blocks besides (facts.js); `labelledby`: the id of its
 * name; `describedby`: of what is said of it; `lang`: of the article; `changed()`: the document changed. What the page is asked for, each
 * of which may be absent: `sentence(name)`; `looked(names, word)`: what is on where the selection is,
 * and the word for it after a key that moved it; `pasted(data, html)` as of the text area;
 * `understood(markdown, done)`: calls done(blocks or null); `settle()`: the text is to be read again;
 * `formats()`: goes to the tools; `picture()`: asks for a file; `titles(words)`: asks for articles;
 * `parts`: the names of an article's parts in its language; `hear(words)`: says them to who hears. Returns null where the text would not come back to the letter, else
 * what the page does with it. */
export function open(place, how) {
	const opened = read(how.text, how.blocks);
	if (opened === null)
		return null;
	const sentence = how.sentence || ((name) => name);
	const copies = new Copies(), rows = how.rows || [];
	const { doc } = rows.length > 0 && read(how.text, told(how.blocks, rows)) || opened;
	let map = opened.map, ranges = [], moved = false, word = '';
	const parts = how.parts || new Map();
	const source = (label) => askSource(view, sentence, range, label);
	const askFor = { sentence, titles: how.titles };
	const tools = new Map([['link', () => askLink(view, askFor, range)], ['insert', () => openInsert(view)]]);
	const more = {
		'Mod-k': () => { askLink(view, askFor, range); return true; },
		'Alt-F10': () => { if (how.formats) how.formats(); return true; }
	};

	const view = new EditorView({ mount: place }, {
		state: EditorState.create({
			doc,
			plugins: [insertMenu({ sentence, hear: how.hear, picture: how.picture, source, parts }), citeKeys(source),
				partLooks(parts, sentence), ...plugins(more), history({ depth: 200, newGroupDelay: 500 }), keepFacts(opened.doc), marked, tableEditing(),
				dropCursor({ color: false, class: 'drop-place' }), gapCursor()]
		}),
		attributes: Object.fromEntries(Object.entries({
			role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': how.labelledby,
			'aria-describedby': how.describedby, lang: how.lang, spellcheck: 'true', 'data-ready': '1'
		}).filter(([, value]) => value)),
		nodeViews: nodeViews({ sentence, textOf, source, settle: (always) => how.settle && how.settle(always) }),
		clipboardSerializer: copies.serializer,
		transformCopied: (slice) => copies.keep(slice),
		handleDOMEvents: {
			keydown(it, event) {
				moved = /^(?:Arrow|Home|End|Page)/.test(event.key);
				return false;
			},
			copy: () => { copies.dragged = false; },
			cut: () => { copies.dragged = false; },
			dragstart() {
				copies.dragged = true;
				return false;
			},
			/* ProseMirror reads no HTML of strangers: take() does, as the text area does. */
			paste(it, event) {
				event.preventDefault();
				take(event.clipboardData, it.input.shiftKey);
				return true;
			},
			drop(it, event) {
				if (it.dragging)
					return false;
				const found = it.posAtCoords({ left: event.clientX, top: event.clientY });
				event.preventDefault();
				if (found)
					it.dispatch(it.state.tr.setSelection(Selection.near(it.state.doc.resolve(found.pos))));
				/* Files are the form's. */
				if (event.dataTransfer.files.length === 0)
					take(event.dataTransfer, false);
				it.focus();
				return true;
			},
			/* A link leads nowhere while it is written. */
			click(it, event) {
				if (event.target.closest && event.target.closest('a'))
					event.preventDefault();
				return false;
			}
		},
		dispatchTransaction(tr) {
			view.updateState(view.state.apply(tr));
			ranges.forEach((range) => range.map(tr));
			if (tr.docChanged)
				how.changed();
			if (how.looked)
				look();
		}
	});

	/* ---- what is on, and said */

	function blockName({ selection }) {
		const { $from, node } = selection;
		if (node && isCard(node))
			return nameOf(node, sentence) + '. ' + sentence('enter');
		if (node && node.type === schema.nodes.cite && cited(view.state.doc, node))
			return sentence('source') + ' ' + sourceName(cited(view.state.doc, node)) + '. ' + sentence('enter');
		for (let d = $from.depth; d > 0; d--) {
			const { name } = $from.node(d).type;
			const said = { heading: 'heading', bullet_list: 'list', ordered_list: 'numbers',
				blockquote: 'quote', callout: 'note', code_block: 'code',
				table: 'table' }[name];
			const dom = said === 'heading' && d === 1 && view.nodeDOM($from.before(1));
			if (said)
				return sentence(dom && dom.classList.contains('question') ? 'question' : said);
		}
		return '';
	}

	function look() {
		const on = active(view.state), now = [blockName(view.state), ...['bold', 'italic', 'link']
			.filter((name) => on.has(name)).map(sentence)].filter((part) => part !== '').join(', ');
		how.looked(on, moved && now !== word ? now : null);
		word = now;
	}

	/* ---- what is pasted and dropped */

	/* Returns a range that is followed until its end() is called. */
	function range(from, to) {
		const one = follow(from, to, view.state.doc.textBetween(from, to));
		one.end = () => { ranges = ranges.filter((other) => other !== one); };
		return one;
	}

	/* Follows what was typed at a range. */
	function follow(from, to, plain) {
		const range = {
			from, to, plain, was: view.state.doc.slice(from, to),
			map(tr) {
				range.from = tr.mapping.map(range.from, 1);
				range.to = plain === '' ? range.from : tr.mapping.map(range.to, -1);
			}
		};
		ranges.push(range);
		return range;
	}

	function spaces(text) {
		return Fragment.from(text === '' ? null : schema.text(text));
	}

	/* What was read takes the place of what was typed, unless somebody changed that. */
	function put(range, nodes) {
		ranges = ranges.filter((one) => one !== range);
		const { state } = view;
		if (nodes === null || range.from > range.to ||
			!view.state.doc.slice(range.from, range.to).eq(range.was))
			return;
		const of = schema.nodes;
		/* The spaces around a piece of a line are the text's. */
		if (nodes.length === 1 && nodes[0].type === of.paragraph)
			nodes = [of.paragraph.create(null, spaces(range.plain.match(/^ */)[0])
				.append(nodes[0].content).append(spaces(range.plain.match(/ *$/)[0])))];
		const first = nodes[0], last = nodes[nodes.length - 1];
		const slice = new Slice(Fragment.fromArray(nodes), first.type === of.paragraph ? 1 : 0,
			last.type === of.paragraph ? 1 : 0);
		view.dispatch(closeHistory(state.tr));
		const tr = view.state.tr.replaceRange(range.from, range.to, slice);
		view.dispatch(tr.scrollIntoView());
	}

	/* Types a text as it is, and returns where it is. */
	function type(plain) {
		const { from } = view.state.selection, before = view.state.doc.content.size;
		const to = view.state.selection.to;
		view.dispatch(closeHistory(view.state.tr));
		const tr = view.state.tr;
		if (plain === '')
			tr.deleteSelection();
		else if (view.state.selection.$from.parent.type.spec.code)
			tr.insertText(plain);
		else if (tableAt(view.state))
			tr.insertText(plain.replace(/\s+/g, ' '));
		else
			tr.replaceSelection(paragraphs(plain));
		view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
		return follow(from, to + view.state.doc.content.size - before, plain);
	}

	/* Puts what the server reads in Markdown in the place of a range; without an answer `otherwise`. */
	function understand(markdown, range, otherwise, lost) {
		how.understood(markdown, (blocks) => putRead(markdown, blocks, range, otherwise), lost);
	}

	function putRead(markdown, blocks, range, otherwise) {
		const back = blocks && read(markdown, blocks);
		put(range, back && back.map.nodes.length > 0 ? back.map.nodes.map(loose) : otherwise);
	}

	const SIGNS = /^(?:#{1,6} |[-*+] |\d+[.)] |>|```|\|.*\|)|\*\*\S|\]\([^\s()]{1,2000}\)|`\S/m;

	function take(data, isPlain) {
		if (!data)
			return;
		const own = copies.of(data.getData('text/html'));
		const plain = data.getData('text/plain').replace(/\r\n?/g, '\n');
		/* Code and a cell hold letters. */
		const isCode = view.state.selection.$from.parent.type.spec.code || tableAt(view.state) !== null;
		if (own && !isPlain && !isCode) {
			view.dispatch(view.state.tr.replaceSelection(own).scrollIntoView().setMeta('paste', true));
			return;
		}
		const html = (given, words) => {
			/* Only a block at the top has a caption. */
			const isInside = view.state.selection.$from.depth > 1, range = type(words);
			how.markdownOf(given, (markdown, blocks) => putRead(markdown, blocks, range, null), isInside);
		};
		if ((!isPlain && !isCode && how.pasted && how.pasted(data, html)) || plain === '')
			return;
		const range = type(plain);
		if (!isPlain && !isCode && how.understood && SIGNS.test(plain))
			understand(plain, range, null);
		else
			put(range, null);
	}

	/* ---- places */

	/* Returns the lines of the block at a position. */
	function textOf(pos) {
		const found = pieces(view.state.doc, map).find((piece) => piece.at === pos);
		return found ? found.text : '';
	}

	/* Returns the block that holds a place of the text, or null. */
	function blockAt(offset) {
		let found = null;
		for (const piece of compose(view.state.doc, map).all) {
			if (found === null || piece.begins <= offset)
				found = piece;
		}
		return found;
	}

	function choose(offset, isSeen) {
		const piece = blockAt(offset), { state } = view;
		if (piece === null)
			return;
		const selection = isCard(piece.node) ? NodeSelection.create(state.doc, piece.at)
			: Selection.near(state.doc.resolve(piece.at + 1));
		view.dispatch(state.tr.setSelection(selection));
		const dom = view.nodeDOM(piece.at);
		if (isSeen && dom && dom.scrollIntoView)
			dom.scrollIntoView({ block: 'center' });
	}

	/* Shows what the server says of a text. Returns whether something is drawn otherwise, or null: it
	 * would not come back. */
	function show(text, blocks, canUndo) {
		const next = reread(view.state.doc, map, text, blocks), before = map;
		if (next === null)
			return null;
		const differs = next.nodes.length > 0 || next.from < next.to;
		if (!differs && canUndo)
			return false;
		map = next.map;
		if (!differs)
			return false;
		if (canUndo)
			view.dispatch(closeHistory(view.state.tr));
		const tr = view.state.tr.replaceWith(next.from, next.to, next.nodes);
		try {
			view.dispatch(canUndo ? tr : tr.setMeta('addToHistory', false));
		} catch (e) {
			map = before;
			throw e;
		}
		return true;
	}

	if (how.looked)
		look();
	return {
		text: () => write(view.state.doc, map),
		/* Returns the text, and what is sent beside it. */
		written() {
			const now = compose(view.state.doc, map);
			return { text: now.text, facts: factsJson(view.state, now.all) };
		},
		/* It is sent. */
		sending: () => view.dispatch(sending(view.state.tr)),
		/* The server has it. */
		acknowledge: () => view.dispatch(acknowledge(view.state.tr)),
		doc: () => view.state.doc,
		isComposing: () => view.composing,
		isTouched: () => pieces(view.state.doc, map).some((piece) => !piece.same),
		show, choose,
		/* Where the selection is, as a place of the text. */
		place() {
			const { from } = view.state.selection;
			let found = 0;
			for (const piece of compose(view.state.doc, map).all) {
				if (piece.at <= from)
					found = piece.begins;
			}
			return found;
		},
		/* Marks the block that holds a line, from 1. */
		mark(line) {
			const rows = write(view.state.doc, map).split('\n').slice(0, line - 1);
			const piece = blockAt(rows.reduce((sum, row) => sum + row.length + 1, 0));
			if (piece)
				view.dispatch(view.state.tr.setMeta(marked, piece.at));
		},
		/* Inserts what the server reads in Markdown. What is chosen stays. `lost`: is called in its
		 * place where the view was closed before the server answered. */
		insert(markdown, lost) {
			const table = tableAt(view.state), { doc, tr } = view.state;
			if (table)
				view.dispatch(tr.setSelection(Selection.near(doc.resolve(table.pos + table.node.nodeSize))));
			const { to } = view.state.selection;
			understand(markdown, follow(to, to, ''),
				[schema.nodes.source.create(null, schema.text(markdown))], lost);
		},
		setLanguage: (lang) => view.dom.setAttribute('lang', lang),
		focus: () => view.focus(),
		run(name) {
			if (tools.has(name))
				tools.get(name)();
			else if (commands.has(name))
				commands.get(name)(view.state, view.dispatch.bind(view), view);
			else
				return false;
			return true;
		},
		close: () => view.destroy()
	};
}
