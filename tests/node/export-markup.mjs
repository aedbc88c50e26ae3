// What an HTML parser of its own makes of an export (parse5, the algorithm of
// the HTML standard): exactly the elements, attributes and values of docs/export.md
// §1 and §2, addresses of the four allowed forms, every id once and every
// fragment's place there; the texts of the input and no other.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'parse5';

const HTML = 'http://www.w3.org/1999/xhtml';
const ids = /^ab-[0-9a-f]{8}(?:-[\w.:-]+)?$/;
const number = /^[1-9]\d*$/;
const any = /^/;
const web = /^https?:\/\/[^\s"'<>\\^`{|}]+$/;
const link = /^(?:https?:\/\/|mailto:|#)[^\s"'<>\\^`{|}]+$/;
const direction = /^(?:ltr|rtl|auto)$/;
const language = /^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/;

function one(...words) {
	return new RegExp(`^(?:${words.join('|')})$`);
}

// Element → attribute → form. A name with ! is always there.
const bodyElements = {
	article: { 'class!': one('ab-article'), 'id!': ids, 'lang!': language,
		'dir!': one('ltr', 'rtl') },
	header: { 'class!': one('ab-header') },
	h1: {}, h2: {}, h3: {}, h4: {}, h5: {},
	p: { class: one('ab-byline', 'ab-lead') },
	a: { 'href!': link, rel: one('author', 'external'),
		role: one('doc-biblioref') },
	time: { 'datetime!': /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\dZ)?)?)?$/ },
	figure: { 'class!': one('ab-cover', 'ab-figure') },
	img: { 'src!': web, 'alt!': any, width: number, height: number,
		'decoding!': one('async'), loading: one('lazy') },
	figcaption: {},
	sup: { 'class!': one('ab-cite') },
	section: { 'class!': one('ab-takeaways', 'ab-section', 'ab-subsection',
		'ab-faqs', 'ab-references'), 'id!': ids,
	role: one('doc-bibliography') },
	ul: { class: one('ab-list') },
	ol: { class: one('ab-list', 'ab-steps') },
	li: { id: ids, dir: one('auto') },
	strong: {}, em: {}, span: {}, br: {}, bdi: {}, cite: {},
	code: { 'dir!': one('ltr'), class: /^language-\S+$/ },
	pre: { 'class!': one('ab-code') },
	blockquote: { 'class!': one('ab-quote') },
	footer: {},
	div: { 'class!': one('ab-table', 'ab-faq'), id: ids, role: one('region'),
		'aria-labelledby': ids, tabindex: one('0') },
	table: {}, caption: { id: ids }, thead: {}, tbody: {}, tr: {},
	th: { 'scope!': one('col', 'row'), dir: one('auto') },
	td: { dir: one('auto') },
	aside: { 'class!': /^ab-callout ab-callout-(?:note|tip|important|warning|caution|todo)$/ },
};
const headElements = {
	title: {},
	meta: { name: /^(?:description|robots|twitter:[a-z:]+)$/,
		property: /^(?:og|article):[a-z_:]+$/, 'content!': any },
	link: { 'rel!': one('canonical'), 'href!': web },
	script: { 'type!': /^application\/ld\+json$/ },
};

function attribute(node, name) {
	return node.attrs?.find((a) => a.name === name)?.value;
}

function* elements(node) {
	for (const child of node.childNodes ?? []) {
		if (child.nodeName === '#text')
			continue;
		yield child;
		yield* elements(child);
	}
}

function find(node, name) {
	for (const element of elements(node)) {
		if (element.nodeName === name)
			return element;
	}
	return undefined;
}

function textOf(node, without) {
	if (node.nodeName === '#text')
		return node.value;
	if (without(node))
		return '';
	return (node.childNodes ?? []).map((n) => textOf(n, without)).join('');
}

function checkElement(node, table, say) {
	const forms = table[node.nodeName];
	if (forms === undefined || node.namespaceURI !== HTML) {
		say(`<${node.nodeName}> is not allowed`);
		return;
	}
	for (const { name, value } of node.attrs) {
		const form = forms[name] ?? forms[`${name}!`];
		if (form === undefined || !form.test(value))
			say(`<${node.nodeName} ${name}="${value}"> is not allowed`);
	}
	for (const name of Object.keys(forms).filter((n) => n.endsWith('!'))) {
		if (attribute(node, name.slice(0, -1)) === undefined)
			say(`<${node.nodeName}> without ${name.slice(0, -1)}`);
	}
	if ((attribute(node, 'width') === undefined)
		!== (attribute(node, 'height') === undefined))
		say(`<${node.nodeName}> has half a size`);
}

const headings = /^h[1-6]$/;

function checkOutline(article, say) {
	const levels = [...elements(article)].map((e) => e.nodeName)
		.filter((n) => headings.test(n)).map((n) => Number(n[1]));
	if (levels[0] !== 1 || levels.filter((l) => l === 1).length !== 1)
		say(`not one h1 and first: ${levels}`);
	if (levels.some((level, i) => i > 0 && level > levels[i - 1] + 1))
		say(`a level is skipped: ${levels}`);
	for (const element of elements(article)) {
		if (element.nodeName !== 'section')
			continue;
		const first = element.childNodes.find((n) => n.nodeName !== '#text');
		if (first === undefined || !headings.test(first.nodeName))
			say('a section does not start with its heading');
	}
}

function checkPlaces(article, say) {
	const places = new Set();
	for (const element of elements(article)) {
		const id = attribute(element, 'id');
		if (id !== undefined && places.has(id))
			say(`the id ${id} comes twice`);
		places.add(id);
	}
	places.add(attribute(article, 'id'));
	for (const element of elements(article)) {
		const target = attribute(element, 'aria-labelledby')
			?? /^#(.*)/.exec(attribute(element, 'href') ?? '')?.[1];
		if (target !== undefined && !places.has(target)
			&& !places.has(decodeURIComponent(target)))
			say(`#${target} leads nowhere`);
	}
}

// A table's rows are as many as the input has.
const mayBeEmpty = new Set(['img', 'br', 'td', 'tr', 'tbody']);

function checkEmpty(article, say) {
	for (const element of elements(article)) {
		if (!mayBeEmpty.has(element.nodeName)
			&& shown(textOf(element, () => false)) === ''
			&& find(element, 'img') === undefined)
			say(`<${element.nodeName}> shows nothing`);
	}
}

// ---- texts

// What is left of a text when it is compared: nothing that cannot be seen.
function shown(text) {
	return text.normalize('NFC').replace(/[\s\p{Cf}\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, '');
}

// A content's texts in reading order, as docs/export.md §1 rule 9 has it.
function* textsOf(content) {
	yield content.summary;
	yield* content.takeaways;
	for (const section of content.sections)
		yield* sectionTexts(section);
	for (const { question, answer } of content.faqs)
		yield* [question, answer];
}

function* sectionTexts(section) {
	const placed = { steps: false, table: new Set(), callout: new Set() };
	yield section.heading;
	for (const block of section.body)
		yield* blockTexts(block, section, placed);
	if (!placed.steps)
		yield* stepTexts(section);
	for (const [i, table] of section.tables.entries()) {
		if (!placed.table.has(i))
			yield* tableTexts(table);
	}
	for (const [i, callout] of section.callouts.entries()) {
		if (!placed.callout.has(i))
			yield* calloutTexts(callout);
	}
	for (const subsection of section.subsections ?? [])
		yield* sectionTexts(subsection);
}

function* stepTexts(section) {
	for (const { name, text } of section.steps)
		yield* [name, text];
}

function* tableTexts(table) {
	yield table.caption;
	yield* table.columns;
	for (const row of table.rows)
		yield* row;
}

function* calloutTexts(callout) {
	if (callout.kind !== 'todo')
		yield* [callout.title, callout.text];
}

function* listTexts(items) {
	for (const { text, items: nested } of items) {
		yield text;
		yield* listTexts(nested ?? []);
	}
}

function* blockTexts(block, section, placed) {
	if (block.type === 'list') {
		yield* listTexts(block.items);
	} else if (block.type === 'image') {
		yield block.caption;
	} else if (block.type === 'code') {
		yield { literal: block.text };
	} else if (block.type === 'steps') {
		placed.steps = true;
		yield* stepTexts(section);
	} else if (block.type === 'table') {
		placed.table.add(block.index);
		yield* tableTexts(section.tables[block.index]);
	} else if (block.type === 'callout') {
		placed.callout.add(block.index);
		yield* calloutTexts(section.callouts[block.index]);
	} else {
		yield* [block.text, block.cite];
	}
}

// A text without live marks, its escapes taken away; undefined for others.
function literal(text) {
	const bare = text.replace(/\\[^]/gu, '');
	return /[*`[\]]/.test(bare) ? undefined : text.replace(/\\([^])/gu, '$1');
}

// Each text that says nothing but itself stands in the article, in its place.
function checkTexts(sample, body, say) {
	let from = 0;
	for (const text of textsOf(sample.article.content)) {
		const plain = text?.literal ?? literal(text ?? '');
		if (plain === undefined || shown(plain) === '')
			continue;
		const at = body.indexOf(shown(plain), from);
		if (at < 0) {
			say(`this text is not in its place: ${plain.slice(0, 80)}`);
			return;
		}
		from = at + shown(plain).length;
	}
}

// What the input's texts show, where the sample knows it, and nothing besides.
function checkAllTexts(sample, body, say) {
	const wanted = shown(sample.shows.join(''));
	if (wanted === body)
		return;
	let i = 0;
	while (wanted[i] === body[i])
		i++;
	say(`texts differ: ${wanted.slice(i, i + 60)} became `
		+ body.slice(i, i + 60));
}

// Our own words, and what is not in reading order.
function isOurs(node) {
	const role = attribute(node, 'class');
	const part = attribute(node.parentNode ?? {}, 'class');
	return role === 'ab-header' || role === 'ab-cover' || role === 'ab-cite'
		|| role === 'ab-references'
		|| (node.nodeName === 'h2'
			&& (part === 'ab-takeaways' || part === 'ab-faqs'));
}

// ---- head_html

function checkHead(sample, head, say) {
	const { seo, json_ld: graph, head_html: source } = sample.article;
	const nodes = [...elements(head)]
		.filter((e) => attribute(e, 'charset') === undefined);
	for (const node of nodes)
		checkElement(node, headElements, say);
	const scripts = nodes.filter((e) => e.nodeName === 'script');
	if (scripts.length !== 1
		|| source.match(/<script/gi).length !== 1
		|| source.match(/<\/script/gi).length !== 1)
		say('not exactly one script element');
	else if (!isDeepStrictEqual(graph,
		JSON.parse(textOf(scripts[0], () => false))))
		say('the script is not json_ld');
	if (nodes.length !== source.split('\n').length)
		say('not one element to a line');
	const heads = Object.fromEntries(nodes.map((e) => [attribute(e, 'name')
		?? attribute(e, 'property') ?? e.nodeName, e]));
	if (textOf(heads.title, () => false) !== seo.title)
		say('the title is another');
	if ((attribute(heads.description ?? {}, 'content') ?? '')
		!== seo.description)
		say('the description is another');
}

function checkAddresses(value, say) {
	if (typeof value === 'string') {
		if (/^\s*(?:javascript|data|vbscript|file|blob):/i.test(value)
			&& /^(?:url|item|contentUrl|@id|sameAs)$/.test(this))
			say(`an address of another kind: ${value}`);
	} else if (typeof value === 'object' && value !== null) {
		for (const [name, member] of Object.entries(value))
			checkAddresses.call(name, member, say);
	}
}

export function check(samples, report) {
	for (const sample of samples) {
		const say = (text) => report(sample, text);
		const document = parse(sample.page,
			{ onParseError: (e) => say(`${e.code} at ${e.startOffset}`) });
		const main = find(document, 'main');
		const roots = main.childNodes.filter((n) => n.nodeName !== '#text'
			|| n.value.trim() !== '');
		if (roots.length !== 1 || roots[0].nodeName !== 'article') {
			say('not one article element');
			continue;
		}
		const [article] = roots;
		for (const node of [article, ...elements(article)])
			checkElement(node, bodyElements, say);
		checkOutline(article, say);
		checkPlaces(article, say);
		checkEmpty(article, say);
		checkHead(sample, find(document, 'head'), say);
		checkAddresses.call('', sample.article.json_ld, say);
		if (shown(textOf(find(article, 'h1'), () => false))
			!== shown(sample.article.title))
			say('the h1 is not the title');
		const body = shown(textOf(article, isOurs));
		checkTexts(sample, body, say);
		if (sample.shows !== undefined)
			checkAllTexts(sample, body, say);
	}
}
