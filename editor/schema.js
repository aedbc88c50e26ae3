/* What a text may hold in the visual view: the nodes that the server's blocks are made of
 * (lib/import/markdown/blocks.h), and the marks of their words. What the content model does not
 * hold cannot be typed or pasted.
 *
 * Each block at the top has `s`: its number when it was read, or null for a new one (source.js).
 * Every attribute says what it may be, so that only a string, a number, a boolean or null gets
 * into one. No node and no mark has a style: the page's policy forbids styles. */
import { Schema } from 'prosemirror-model';

const S = { s: { default: null, validate: 'number|null' } };

function attr(type, preset) {
	return { default: preset, validate: type };
}

/* The addresses to which a link may lead: the server's list. */
export function isAddress(href) {
	return /^(?:https?:\/\/|mailto:|#)/i.test(href);
}

/* A picture is drawn at an address of this origin only, which the server made. */
export function isOwn(url, origin) {
	try {
		return new URL(url, origin).origin === origin;
	} catch (e) {
		return false;
	}
}

/* The number of a source: its label, without the letter of those that the server made. */
export function noteNumber(label) {
	return label.replace(/^r(?=[1-9]\d*$)/, '');
}

function plain(tag, attrs) {
	return () => [tag, Object.assign({ dir: 'auto' }, attrs), 0];
}

function heading(node) {
	return ['h' + Math.min(Math.max(node.attrs.level, 1), 6), { dir: 'auto' }, 0];
}

function image(node) {
	const { url, alt } = node.attrs;
	const own = url !== null && typeof location === 'object' && isOwn(url, location.origin);
	return own ? ['img', { src: url, alt }] : ['span', { class: 'no-picture' }, alt || '…'];
}

const PICTURE = {
	src: attr('string', ''), url: attr('string|null', null),
	alt: attr('string', ''), title: attr('string|null', null)
};

/* What prosemirror-tables asks of a cell; cells are never merged. */
const CELL = {
	align: attr('string|null', null), colspan: attr('number', 1), rowspan: attr('number', 1),
	colwidth: attr('null', null)
};

function cell(tag) {
	return (node) => [tag, node.attrs.align === null ? { dir: 'auto' }
		: { dir: 'auto', 'data-align': node.attrs.align }, 0];
}

const nodes = {
	doc: { content: '(block | top)+' },
	paragraph: {
		attrs: S, content: 'inline*', group: 'block',
		parseDOM: [{ tag: 'p' }], toDOM: plain('p')
	},
	heading: {
		attrs: Object.assign({ level: attr('number', 2), part: attr('string|null', null) }, S),
		content: 'inline*', group: 'block', defining: true,
		parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: 'h' + level, attrs: { level } })),
		toDOM: heading
	},
	bullet_list: {
		attrs: Object.assign({ tight: attr('boolean', true), bullet: attr('string', '-') }, S),
		content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: plain('ul')
	},
	ordered_list: {
		attrs: Object.assign({
			tight: attr('boolean', true), start: attr('number', 1),
			delim: attr('string', '.'), steps: attr('boolean', false)
		}, S),
		content: 'list_item+', group: 'block',
		parseDOM: [{
			tag: 'ol',
			getAttrs: (dom) => ({ start: Number(dom.getAttribute('start')) || 1 })
		}],
		toDOM: (node) => ['ol', node.attrs.start === 1 ? { dir: 'auto' }
			: { dir: 'auto', start: node.attrs.start }, 0]
	},
	list_item: {
		attrs: { first: attr('number|null', null), last: attr('number|null', null) },
		content: 'paragraph block*', defining: true, parseDOM: [{ tag: 'li' }],
		toDOM: plain('li')
	},
	blockquote: {
		attrs: Object.assign({ cite: attr('string|null', null) }, S),
		content: 'block+', group: 'block', defining: true,
		parseDOM: [{ tag: 'blockquote' }], toDOM: plain('blockquote')
	},
	callout: {
		attrs: Object.assign({
			kind: attr('string', 'note'), title: attr('string|null', null),
			titled: attr('boolean', false)
		}, S),
		content: 'block+', group: 'block', defining: true,
		toDOM: (node) => ['div', { class: 'callout', 'data-kind': node.attrs.kind }, 0]
	},
	code_block: {
		attrs: Object.assign({ info: attr('string|null', null) }, S),
		content: 'text*', marks: '', group: 'block', code: true, defining: true,
		parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
		toDOM: () => ['pre', { dir: 'ltr' }, ['code', 0]]
	},
	picture: {
		attrs: Object.assign({}, PICTURE, S), group: 'block', atom: true, draggable: true,
		toDOM: (node) => ['figure', image(node)]
	},
	table: {
		attrs: Object.assign({
			caption: attr('string|null', null), rowHeader: attr('boolean', false)
		}, S),
		content: 'table_row+', group: 'block', tableRole: 'table', isolating: true,
		allowGapCursor: false,
		toDOM: () => ['table', ['tbody', 0]]
	},
	table_row: {
		attrs: { line: attr('number|null', null) },
		content: '(table_header | table_cell)+', tableRole: 'row',
		allowGapCursor: false, toDOM: () => ['tr', 0]
	},
	table_header: {
		attrs: CELL, content: 'inline*', tableRole: 'header_cell', isolating: true,
		toDOM: cell('th')
	},
	table_cell: {
		attrs: CELL, content: 'inline*', tableRole: 'cell', isolating: true, toDOM: cell('td')
	},
	note: {
		attrs: Object.assign({ label: attr('string', ''), accessed: attr('string|null', null) }, S),
		content: 'block+', group: 'top', defining: true, isolating: true, atom: true,
		toDOM: () => ['div', { class: 'footnote' }, 0]
	},
	rule: { attrs: S, group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
	/* Lines that have no form here, as they are. */
	source: {
		attrs: S, content: 'text*', marks: '', group: 'top', code: true, atom: true,
		toDOM: (node) => ['pre', { class: 'source', dir: 'ltr' }, node.textContent]
	},
	text: { group: 'inline' },
	hard_break: {
		inline: true, group: 'inline', selectable: false,
		parseDOM: [{ tag: 'br' }], toDOM: () => ['br']
	},
	image: { attrs: PICTURE, inline: true, group: 'inline', atom: true, toDOM: image },
	cite: {
		attrs: { label: attr('string', '') }, inline: true, group: 'inline', atom: true,
		toDOM: (node) => ['sup', { class: 'cite' }, noteNumber(node.attrs.label)]
	},
	/* A tag in a line. */
	raw: {
		attrs: { text: attr('string', '') }, inline: true, group: 'inline', atom: true,
		toDOM: (node) => ['code', { class: 'raw', dir: 'ltr' }, node.attrs.text]
	}
};

/* In the order in which the server names them. */
const marks = {
	link: {
		attrs: { href: attr('string', ''), title: attr('string|null', null) },
		inclusive: false,
		parseDOM: [{
			tag: 'a[href]',
			getAttrs: (dom) => isAddress(dom.getAttribute('href'))
				? { href: dom.getAttribute('href'), title: dom.getAttribute('title') || null }
				: false
		}],
		toDOM: (mark) => ['a', isAddress(mark.attrs.href) ? { href: mark.attrs.href } : {}, 0]
	},
	strong: {
		parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0]
	},
	em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
	strike: {
		parseDOM: [{ tag: 's' }, { tag: 'del' }], toDOM: () => ['s', 0]
	},
	code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', { dir: 'ltr' }, 0] }
};

export const schema = new Schema({ nodes, marks });

const CARDS = new Set(['picture', 'note', 'source']);

/* Whether a block is shown as a card: chosen as a whole, and edited in a form of its own. */
export function isCard(node) {
	return CARDS.has(node.type.name);
}
