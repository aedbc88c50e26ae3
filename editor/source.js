/* The text of the editor and the document of the visual view: read() makes the one of the other
 * with what the server says of the blocks, write() goes back.
 *
 * An untouched block comes back byte for byte. A touched block is written again (inline.js writes
 * its lines), and nothing else. Undo brings the old bytes back: a block counts as untouched if it
 * equals what was read. */
import { Fragment, Slice } from 'prosemirror-model';
import { schema } from './schema.js';
import { factsOf, withFacts } from './facts.js';
import { inline, literal } from './inline.js';

/* ---- reading */

const ROWS_SHOWN = 100; /* of a table */

/* Makes a node of the server's JSON. Adjacent texts with the same marks become one. Throws where
 * the schema does not have it. */
function make(json) {
	const marks = (json.marks || []).map((mark) => schema.markFromJSON(mark));
	if (json.type === 'text')
		return schema.text(json.text, marks);
	const content = Fragment.fromArray((json.content || []).map(make));
	return schema.nodeType(json.type).create(json.attrs, content, marks);
}

function block(json, s) {
	if (!json)
		return null;
	try {
		const attrs = Object.assign({}, json.attrs, { s });
		const node = make(Object.assign({}, json, { attrs }));
		node.check();
		/* Editing a long table is slow. */
		if (node.type === schema.nodes.table && node.childCount > ROWS_SHOWN)
			return null;
		return schema.topNodeType.contentMatch.matchType(node.type) ? node : null;
	} catch (e) {
		return null;
	}
}

function isEmpty(line) {
	return /^[ \t]*$/.test(line);
}

/* Returns the blocks in their order, as {first, last, node}: lines that are in none of them and
 * are not empty become blocks without node, and such neighbours one. What is not in the text, or
 * shares a line with another one, is none of the server's: its lines have no form. */
function arrange(lines, blocks) {
	const given = blocks.filter((b) => b && Number.isInteger(b.first) && Number.isInteger(b.last) &&
		b.first >= 1 && b.last >= b.first && b.last <= lines.length)
		.sort((a, b) => a.first - b.first || a.last - b.last);
	const all = [];
	let line = 1;
	function add(first, last, node) {
		const before = all[all.length - 1];
		if (before && !node && !before.node)
			before.last = last;
		else
			all.push({ first, last, node });
	}
	function between(to) {
		for (; line < to; line++) {
			if (!isEmpty(lines[line - 1]))
				add(line, line, null);
		}
	}
	for (const b of given) {
		const before = all[all.length - 1];
		if (before && b.first <= before.last) {
			before.node = null;
			before.last = Math.max(before.last, b.last);
		} else {
			between(b.first);
			add(b.first, b.last, b.node);
		}
		line = Math.max(line, b.last + 1);
	}
	between(lines.length + 1);
	return all;
}

/* The name of the place between two blocks of these numbers. */
function pair(a, b) {
	return a + ' ' + b;
}

/* Reads a text with what the server says of its blocks. Returns the document and the map, with
 * which write() gives the text back; null if it would not. */
export function read(text, blocks) {
	const lines = text.split('\n'), starts = [0];
	for (const line of lines)
		starts.push(starts[starts.length - 1] + line.length + 1);
	const start = (b) => starts[b.first - 1], end = (b) => starts[b.last] - 1;
	const all = arrange(lines, blocks);
	const nodes = [], texts = [], gaps = new Map();
	all.forEach((b, s) => {
		texts.push(text.slice(start(b), end(b)));
		if (s > 0)
			gaps.set(pair(s - 1, s), text.slice(end(all[s - 1]), start(b)));
		nodes.push(block(b.node, s) || schema.nodes.source.create({ s }, schema.text(texts[s])));
	});
	const map = {
		nodes, texts, gaps, firsts: all.map((b) => b.first), lasts: all.map((b) => b.last),
		head: all.length > 0 ? text.slice(0, start(all[0])) : text,
		tail: all.length > 0 ? text.slice(end(all[all.length - 1])) : ''
	};
	const doc = schema.topNodeType.create(null,
		nodes.length > 0 ? nodes : schema.nodes.paragraph.create());
	return write(doc, map) === text ? { doc, map } : null;
}

/* ---- writing blocks: each as an array of lines */

function indent(lines, first, rest) {
	return lines.map((line, i) => i === 0 ? first + line : line === '' ? '' : rest + line);
}

function kindOf(node) {
	return node.type === schema.nodes.bullet_list ? 'bullet'
		: node.type === schema.nodes.ordered_list ? 'delim' : null;
}

/* Whether `node` may follow `before` in the next line, in a tight list. An empty item would be text. */
function mayFollow(node, before) {
	const type = node.type, of = schema.nodes;
	const isBare = kindOf(node) !== null && node.firstChild.firstChild.content.size === 0;
	return before.type === of.paragraph && !isBare && (type === of.bullet_list || type === of.code_block ||
		type === of.blockquote || type === of.callout ||
		(type === of.ordered_list && node.attrs.start === 1));
}

/* Writes the blocks in a block. Two lists of one kind that touch get two signs. */
function content(parent, tight) {
	const out = [];
	let before = null, sign = null;
	parent.forEach((node) => {
		if (node.type === schema.nodes.paragraph && node.content.size === 0 && parent.childCount > 1) {
			/* What follows it in an item begins in the next line. */
			if (out.length === 0 && parent.type === schema.nodes.list_item)
				out.push('');
			return;
		}
		const lines = [];
		sign = list(node, before, sign) || null;
		lines.push(...lay(node, { sign }));
		if (before && !(tight && mayFollow(node, before)))
			out.push('');
		out.push(...lines);
		before = node;
	});
	return out;
}

/* Returns the sign of a list that follows `before`, whose sign was `was`; null for other nodes. */
function list(node, before, was) {
	const kind = kindOf(node);
	if (kind === null)
		return null;
	const own = node.attrs[kind];
	if (!before || kindOf(before) !== kind || was !== own)
		return own;
	return kind === 'bullet' ? (own === '-' ? '*' : '-') : own === '.' ? ')' : '.';
}

/* Returns the lines of an item to the letter if it is untouched, else null. */
function oldItem(item, mark, was) {
	const old = was && was.items.get(item.attrs.first);
	if (!old || !item.eq(old))
		return null;
	const lines = was.lines.slice(item.attrs.first, item.attrs.last + 1);
	return lines[0].trimStart().startsWith(mark.trimEnd()) ? lines : null;
}

function layList(node, { sign, was }) {
	const ordered = node.type === schema.nodes.ordered_list, tight = node.attrs.tight;
	const before = was && was.node.type === node.type && was.node.attrs.tight === tight &&
		(!ordered || was.node.attrs.start === node.attrs.start) ? was : null;
	const out = [];
	node.forEach((item, offset, i) => {
		const mark = ordered ? (node.attrs.start + i) + sign + ' ' : sign + ' ';
		const lines = oldItem(item, mark, before) ||
			indent(content(item, tight), mark, ' '.repeat(mark.length));
		lines[0] = lines[0].trimEnd();
		if (i > 0 && !tight)
			out.push('');
		out.push(...lines);
	});
	return out;
}

function layQuote(node, head) {
	const lines = content(node, false);
	const bare = lines.length === 1 && lines[0] === '';
	return head.concat(bare && head.length > 0 ? [] : lines)
		.map((line) => line === '' ? '>' : '> ' + line);
}

function layCallout(node) {
	const { kind, title, titled } = node.attrs;
	const head = ['[!' + kind.toUpperCase() + ']' + (titled && title ? ' ' + literal(title) : '')];
	if (node.firstChild.type !== schema.nodes.paragraph)
		head.push('');
	return layQuote(node, head);
}

function layCode(node) {
	const text = node.textContent, info = node.attrs.info || '';
	const sign = info.includes('`') ? '~' : '`';
	const runs = text.match(sign === '`' ? /`+/g : /~+/g) || [];
	const fence = sign.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
	return [fence + literal(info, true)].concat(text === '' ? [] : text.split('\n'), fence);
}

function layPicture(node) {
	return [inline(Fragment.from(schema.nodes.image.create(node.attrs)))];
}

const DASHES = new Map([['left', ':---'], ['center', ':---:'], ['right', '---:']]);

function dashes(row) {
	const all = [];
	row.forEach((cell) => all.push(DASHES.get(cell.attrs.align) || '---'));
	return '| ' + all.join(' | ') + ' |';
}

function layRow(row) {
	const all = [];
	row.forEach((cell) => all.push(inline(cell.content, { cell: true })));
	return '| ' + all.join(' | ') + ' |';
}

function layTable(node, { was }) {
	const head = dashes(node.firstChild);
	const before = was && was.node.type === node.type && dashes(was.node.firstChild) === head
		? was : null;
	const out = [];
	node.forEach((row, offset, i) => {
		const old = before && before.items.get(row.attrs.line);
		const same = old && row.eq(old) && (row.attrs.line === 0) === (i === 0);
		out.push(same ? before.lines[row.attrs.line] : layRow(row));
		if (i === 0)
			out.push(before ? before.lines[1] : head);
	});
	return out;
}

function layHeading(node) {
	const text = inline(node.content, { heading: true });
	return ['#'.repeat(node.attrs.level) + (text === '' ? '' : ' ' + text)];
}

const LAY = new Map(Object.entries({
	paragraph: (node) => inline(node.content, { block: true }).split('\n'),
	heading: layHeading, bullet_list: layList, ordered_list: layList,
	blockquote: (node) => layQuote(node, []), callout: layCallout, code_block: layCode,
	picture: layPicture, table: layTable, rule: () => ['---'],
	note: (node) => indent(content(node, false), '[^' + node.attrs.label + ']: ', '    '),
	source: (node) => node.textContent.split('\n')
}));

/* Returns the lines of a block. `sign`: of a list; `was`: the block as it was read, or null. */
function lay(node, how) {
	return LAY.get(node.type.name)(node, how);
}

/* ---- writing the text */

/* What is known of a block that was read, for the parts of it that are untouched. */
function known(map, s) {
	const node = map.nodes[s], items = new Map();
	if (!node)
		return null;
	node.forEach((child) => {
		const key = child.type === schema.nodes.table_row ? child.attrs.line : child.attrs.first;
		if (typeof key === 'number')
			items.set(key, child);
	});
	return { node, items, lines: map.texts[s].split('\n') };
}

/* Whether a text from the server would change its meaning after another block: indented code, after
 * a list or a note. */
function isBound(text) {
	return /^(?: {4}|\t)/.test(text);
}

/* Whether a block is of the type that it was read as. Lines without a form may be any. */
function isKept(map, { attrs: { s }, type }) {
	return s !== null && (type === schema.nodes.source || type === map.nodes[s].type);
}

/* Whether a block may have another one in the next line, as it had. Of lines without a form that
 * somebody changed nobody knows. */
function mayTouch({ node, same }) {
	return same || node.type !== schema.nodes.source;
}

/* What is between two blocks: as it was, where it was between them. */
function gap(map, a, b) {
	const was = map.gaps.get(pair(a.node.attrs.s, b.node.attrs.s)), of = schema.nodes;
	if (was !== undefined && isKept(map, a.node) && isKept(map, b.node) &&
		(a.same && b.same || /\n[ \t]*\n/.test(was) ||
		(mayTouch(a) && mayTouch(b) && b.node.type !== of.ordered_list)))
		return was;
	return a.node.type === of.note && b.node.type === of.note ? '\n' : '\n\n';
}

/* Returns the blocks of a document that are written, with their texts, and where they are. */
export function pieces(doc, map) {
	const out = [];
	let sign = null;
	doc.forEach((node, at) => {
		const s = node.attrs.s, was = s === null ? undefined : map.nodes[s];
		const before = out[out.length - 1];
		const follows = before && map.gaps.has(pair(before.node.attrs.s, s));
		/* What is no part of the text does not count. */
		let same = was !== undefined && (node === was || node.eq(was) ||
			(node.type === was.type && withFacts(node, factsOf(was)).eq(was)));
		const own = list(node, before && before.node, sign);
		/* A list that came beside another one, or code beside a list, would go into it. */
		if (same && !follows && before && (isBound(map.texts[s]) ||
			(own !== null && own !== node.attrs[kindOf(node)])))
			same = false;
		sign = same && kindOf(node) ? node.attrs[kindOf(node)] : own;
		const text = same ? map.texts[s]
			: lay(node, { sign, was: known(map, s) }).join('\n');
		if (text !== '' || node.type !== schema.nodes.paragraph)
			out.push({ node, text, same, at });
	});
	return out;
}

/* Returns the text of a document, and its pieces with the line in which each begins and the place. */
export function compose(doc, map) {
	const all = pieces(doc, map), lines = (text) => text.split('\n').length - 1;
	let text = map.head, line = 1 + lines(text);
	if (all.length === 0)
		return { text: map.nodes.length === 0 ? text : '', all };
	all.forEach((piece, i) => {
		const between = i > 0 ? gap(map, all[i - 1], piece) : '';
		line += lines(between);
		Object.assign(piece, { line, begins: text.length + between.length });
		text += between + piece.text;
		line += lines(piece.text);
	});
	return { text: text + map.tail, all };
}

/* Returns the text of a document. */
export function write(doc, map) {
	return compose(doc, map).text;
}

/* ---- comparing what is shown with what the server reads, and with another text */

/* Gives a block another number. */
function numbered(node, s) {
	return node.type.create(Object.assign({}, node.attrs, { s }), node.content, node.marks);
}

/* Returns what makes a document that of another text, with what the server says of its blocks:
 * {from, to, nodes, map}, the nodes that take the place of those between two positions, and the map
 * with which write() gives that text. What is the same at the beginning and at the end stays, with
 * its numbers; those of the other blocks are new, so that undo finds the old ones. Null if the text
 * would not come back. */
export function reread(doc, map, text, blocks) {
	const fresh = read(text, blocks);
	if (fresh === null)
		return null;
	const now = pieces(doc, map), theirs = fresh.map, count = theirs.nodes.length;
	const least = Math.min(now.length, count), first = map.nodes.length;
	const same = (piece, s) => piece.text === theirs.texts[s] &&
		says(piece.node) === says(theirs.nodes[s]);
	let head = 0, tail = 0;
	while (head < least && same(now[head], head))
		head++;
	while (tail < least - head && same(now[now.length - 1 - tail], count - 1 - tail))
		tail++;
	const kept = change(head, tail);
	return kept.text === text ? kept : change(0, 0).text === text ? change(0, 0) : null;

	function change(head, tail) {
		const end = count - tail, shift = now.length - count;
		const number = (s) => s < head ? now[s].node.attrs.s
			: s >= end ? now[s + shift].node.attrs.s : first + s;
		const all = theirs.nodes.map((node, s) => numbered(node, first + s));
		const gaps = new Map(map.gaps);
		/* A block that somebody wrote here has no number: what is around it is written. */
		for (let s = 1; s < count; s++) {
			if (number(s - 1) !== null && number(s) !== null)
				gaps.set(pair(number(s - 1), number(s)), theirs.gaps.get(pair(s - 1, s)));
		}
		const next = count === 0 ? theirs : {
			nodes: map.nodes.concat(all), texts: map.texts.concat(theirs.texts), gaps,
			head: theirs.head, tail: theirs.tail
		};
		const nodes = all.slice(head, end);
		const from = head < now.length ? now[head].at : doc.content.size;
		const to = tail > 0 ? now[now.length - tail].at : doc.content.size;
		if (nodes.length === 0 && from === 0 && to === doc.content.size)
			nodes.push(schema.nodes.paragraph.create());
		const changed = doc.replace(from, to, new Slice(Fragment.fromArray(nodes), 0, 0));
		return { from, to, nodes, map: next, text: write(changed, next) };
	}
}

/* Returns what a block says, without what does not count: numbers, lines, the signs of lists, and
 * spaces at the ends of blocks and marks. */
export function says(node) {
	/* An image alone in its paragraph is a picture. */
	if (node.type === schema.nodes.paragraph && node.childCount === 1 &&
		node.firstChild.type === schema.nodes.image)
		node = schema.nodes.picture.create(node.firstChild.attrs);
	if (node.isTextblock) {
		const parts = [];
		node.forEach((child) => {
			const marks = child.marks.filter((m) => child.isText || m.type !== schema.marks.code)
				.map((m) => JSON.stringify(m.toJSON())).join();
			if (child.isText)
				parts.push(...child.text.split(/(\s+)/).filter((t) => t !== '')
					.map((t) => /\s/.test(t) ? [' ', ''] : [t, marks]));
			else
				parts.push([JSON.stringify([child.type.name, child.attrs]),
					child.type === schema.nodes.hard_break ? '' : marks]);
		});
		while (parts.length > 0 && parts[0][0] === ' ')
			parts.shift();
		while (parts.length > 0 && parts[parts.length - 1][0] === ' ')
			parts.pop();
		const joined = [];
		for (const [text, marks] of parts) {
			const last = joined[joined.length - 1];
			if (last && last[1] === marks && !(last[0] === ' ' && text === ' '))
				last[0] += text;
			else if (!last || last[0] !== ' ' || text !== ' ')
				joined.push([text, marks]);
		}
		return JSON.stringify([node.type.name, node.attrs.level || 0, node.attrs.align || '',
			node.type === schema.nodes.code_block ? node.textContent : joined]);
	}
	const inner = [];
	node.forEach((child) => {
		if (child.type !== schema.nodes.paragraph || child.content.size > 0 || node.childCount === 1)
			inner.push(says(child));
	});
	const { src, alt, kind, start, label } = node.attrs;
	const title = factsOf(node) ? null : node.attrs.title || null;
	return JSON.stringify([node.type.name, src, alt, title, kind, start, label, inner]);
}
