/* The text of the editor becomes a document of the visual view, and comes back (editor/source.js).
 * Arguments: the program that says what the blocks of a text are (tests/unit/import/blocks.c), how
 * many random changes are made, and files: "shown", Markdown documents, or "typed" and those.
 * Writes one object of JSON: what was counted, and the first faults. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [program, count, ...files] = process.argv.slice(2);
const editor = new URL('../../editor/', import.meta.url);
const { read, reread, write, pieces, says } = await import(new URL('source.js', editor));
const { schema } = await import(new URL('schema.js', editor));
const need = createRequire(new URL('source.js', editor));
const { Transform } = await import(pathToFileURL(need.resolve('prosemirror-transform')));

function run(args, input) {
	const done = spawnSync(program, args, { input, maxBuffer: 1 << 30, encoding: 'utf8' });
	if (done.status !== 0)
		throw new Error(`${program}: ${done.stderr}`);
	return done.stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
}

/* What the server says of many texts: in portions, for a string has an end. */
function again(texts) {
	const said = [];
	for (let i = 0; i < texts.length; i += 200)
		said.push(...run(['-'], texts.slice(i, i + 200).map((text) => text + '\0').join('')));
	return said;
}

const found = { texts: 0, blocks: 0, sources: 0, differ: 0, words: 0, wordsDiffer: 0, wordsOtherwise: 0,
	changes: 0, changesDiffer: 0, edges: 0, otherwise: 0, faults: [] };

function fault(what, ...texts) {
	if (found.faults.length < 12)
		found.faults.push([what, ...texts.map((text) => String(text).slice(0, 400))]);
}

/* Whether two documents say the same. */
function same(a, b) {
	return says(a) === says(b);
}

/* All letters that are shown: those of a raw tag and of what has no form, too. */
function letters(doc) {
	return doc.textBetween(0, doc.content.size, '', (leaf) => leaf.attrs.text || leaf.attrs.label ||
		leaf.attrs.src || '').replace(/\s+/g, '');
}

let seed = 1;
function random(n) {
	seed = (seed * 48271) % 2147483647;
	return seed % n;
}

/* ---- each text comes back */

const texts = [];
for (const kind of ['shown', 'typed']) {
	for (const { text, read: said } of files.length > 0 ? run([kind, ...files]) : []) {
		if (said === null)
			continue;
		const opened = read(text, said.blocks);
		found.texts++;
		if (opened === null) {
			found.differ++;
			fault('a text does not come back', text);
			continue;
		}
		found.blocks += opened.map.nodes.length;
		found.sources += opened.map.nodes.filter((n) => n.type === schema.nodes.source).length;
		texts.push({ text, ...opened });
	}
}

/* ---- a word that is typed changes its block only */

/* The lines of a text before and behind those of a block. */
function around(map, s, text) {
	const lines = text.split('\n');
	return [lines.slice(0, map.firsts[s] - 1).join('\n'), lines.slice(map.lasts[s]).join('\n')];
}

const typed = [];
for (const { text, doc, map } of texts) {
	const places = [];
	let s = -1;
	doc.forEach((node, offset) => {
		s++;
		let at = 0;
		if (node.isTextblock && node.type !== schema.nodes.source)
			at = offset + 1;
		else
			node.descendants((inner, pos) => {
				if (at === 0 && inner.isTextblock)
					at = offset + 1 + pos + 1;
				return at === 0;
			});
		if (at > 0)
			places.push([s, at]);
	});
	/* In check a few of each text: COUNT says how much time there is. */
	const some = Number(count) > 500 ? places : places.filter(() => random(6) === 0);
	for (const [s, at] of some) {
		const now = new Transform(doc).insert(at, schema.text('word ')).doc;
		const out = write(now, map), [before, behind] = around(map, s, text);
		found.words++;
		if (!out.startsWith(before) || !out.endsWith(behind)) {
			found.wordsDiffer++;
			fault('a word changes more than its block', map.texts[s], out.slice(before.length, before.length + 300));
		}
		typed.push({ doc: now, text: out, s });
	}
}

function compare(list, name) {
	again(list.map((one) => one.text)).forEach(({ text, read: said }, i) => {
		const back = said && read(text, said.blocks);
		if (back && same(back.doc, list[i].doc))
			return;
		if (!back) {
			found[name]++;
			fault(name, text);
			return;
		}
		if (letters(back.doc) === letters(list[i].doc)) {
			found.edges++;
			return;
		}
		found[name]++;
		const mine = [], theirs = [];
		list[i].doc.forEach((n) => mine.push(says(n)));
		back.doc.forEach((n) => theirs.push(says(n)));
		let at = 0;
		while (at < mine.length && mine[at] === theirs[at])
			at++;
		const a = mine[at] || '', b = theirs[at] || '';
		let letter = 0;
		while (letter < a.length && a[letter] === b[letter])
			letter++;
		letter = Math.max(0, letter - 60);
		fault(name + ' ' + (list[i].what || ''), a.slice(letter), b.slice(letter), back.map.texts[at]);
	});
}
compare(typed, 'wordsOtherwise');

/* ---- random changes */

const LETTERS = ['**', '*', '_', '`', '[^q]:', '===', '---', '# ', '- ', '1. ', '> ', '<b>', '&amp;', '\\', '~~',
	'|', '!', 'word', '。', ' ', 'م', '(', ']'];

/* Returns the document with one change, and what it was; null where there is no place for it. */
function change(doc) {
	const blocks = [];
	doc.descendants((node, pos, parent) => {
		if (node.type === schema.nodes.table || node.type === schema.nodes.note)
			return false;
		if (node.isTextblock && node.type !== schema.nodes.source)
			blocks.push([node, pos, parent]);
		return true;
	});
	if (blocks.length === 0)
		return null;
	const [node, pos] = blocks[random(blocks.length)];
	const size = node.content.size, a = pos + 1 + random(size + 1), b = pos + 1 + random(size + 1);
	const from = Math.min(a, b), to = Math.max(a, b), tr = new Transform(doc);
	switch (random(4)) {
	case 0: {
		if (from === to || node.type === schema.nodes.code_block)
			return null;
		const type = schema.marks[['strong', 'em', 'strike', 'code'][random(4)]];
		return [tr.addMark(from, to, type.create()).doc, type.name];
	}
	case 1:
		return [tr.delete(from, to).doc, 'deletion'];
	case 2:
		try {
			return node.type === schema.nodes.paragraph ? [tr.split(a).doc, 'split'] : null;
		} catch (e) {
			return null;
		}
	default: {
		const letters = LETTERS[random(LETTERS.length)];
		const marks = doc.resolve(a).marks();
		return [tr.insert(a, schema.text(letters, marks)).doc, 'letters ' + letters];
	}
	}
}

const changed = [];
for (let tries = 0; changed.length < Number(count) && texts.length > 0 && tries < 20 * Number(count); tries++) {
	const { doc, map, text } = texts[random(texts.length)];
	if (text.length > 60000)
		continue;
	const done = change(doc);
	if (done === null)
		continue;
	const [now, what] = done, out = write(now, map);
	found.changes++;
	/* What is not touched keeps its bytes. */
	for (const piece of pieces(now, map)) {
		if (piece.same && piece.text !== map.texts[piece.node.attrs.s]) {
			found.changesDiffer++;
			fault('a block that nobody touched', piece.text);
		}
	}
	changed.push({ doc: now, text: out, what });
}
compare(changed, 'otherwise');

/* ---- what others wrote comes into a text with a new paragraph, more than once */

found.others = [];
const [mine, lines, ...theirs] = again(['One.\n\nTwo.\n', 'A\n<!-- x -->\nB\n', 'One.\n\nNew.\n\nTwo of hers.\n',
	'One.\n\nNew.\n\n\nTwo of hers again.\n', 'Zero.\n\nOne.\n\nNew.\n\n\nTwo of hers again.\n']);
let { doc: shown, map: known } = read(mine.text, mine.read.blocks);
shown = new Transform(shown).insert(shown.firstChild.nodeSize,
	schema.nodes.paragraph.create(null, schema.text('New.'))).doc;
for (const { text, read: said } of theirs) {
	const next = reread(shown, known, text, said.blocks);
	shown = new Transform(shown).replaceWith(next.from, next.to, next.nodes).doc;
	known = next.map;
	found.others.push(write(shown, known) === text && shown.childCount);
}

/* ---- lines without a form become words: they stay a block */

{
	const { doc, map } = read(lines.text, lines.read.blocks), at = doc.firstChild.nodeSize;
	const typed = schema.nodes.source.create({ s: 1 }, schema.text('words'));
	found.between = write(new Transform(doc).replaceWith(at, at + doc.child(1).nodeSize, typed).doc, map);
}

/* ---- lines of signs are letters */

{
	const { doc, map } = read(lines.text, lines.read.blocks), at = doc.firstChild.nodeSize;
	const words = 'word __proto__ and ___proto___, a__b_ _c_d';
	const [back] = again([write(new Transform(doc).insert(at, schema.nodes.paragraph.create(null, schema.text(words))).doc, map)]);
	found.signs = says(read(back.text, back.read.blocks).doc.child(1)) === says(schema.nodes.paragraph.create(null, schema.text(words)));
}
process.stdout.write(JSON.stringify(found));
