/* What is in a line, as Markdown: texts with their escapes, and marks, so that the reader of
 * lib/import/markdown reads the same again. */

/* ---- letters */

const PUNCTUATION = /[!-/:-@[-`{-~\p{P}\p{S}]/u;

function isPunctuation(c) {
	return c !== '' && PUNCTUATION.test(c);
}

function isSpace(c) {
	return c === '' || /\s/.test(c);
}

function isWord(c) {
	return c !== '' && /[\p{L}\p{N}_]/u.test(c);
}

function first(text) {
	return text === '' ? '' : String.fromCodePoint(text.codePointAt(0));
}

function last(text) {
	if (text === '')
		return '';
	const low = text.charCodeAt(text.length - 1);
	return text.length > 1 && low >= 0xDC00 && low <= 0xDFFF ? text.slice(-2) : text.slice(-1);
}

/* Whether the reader would take a letter for more than itself. `p`, `n`: the letters before and
 * after it, "" where there is no letter or it is unknown; `rest`: the text from it on. */
function isSign(c, p, n, rest, how) {
	switch (c) {
	case '\\':
		return n === '' || /[!-/:-@[-`{-~]/.test(n);
	case '`':
	case '[':
		return true;
	case ']':
		return how.bracket;
	case '*':
		return !(p !== '' && n !== '' && isSpace(p) && isSpace(n));
	case '_':
		/* One beside another one is no part of a word. */
		return p === '' || n === '' || p === '_' || n === '_' ||
			!((isWord(p) && isWord(n)) || (isSpace(p) && isSpace(n)));
	case '<':
		return n === '' || /[A-Za-z/!?]/.test(n);
	case '&':
		return /^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);/.test(rest);
	case '~':
		return p === '~' || n === '~' || p === '' || n === '';
	case '|':
		return how.cell;
	case '!':
		return n === '' && how.before === '[';
	case ':':
	case '(':
		return p === '' && how.cited;
	default:
		return false;
	}
}

/* Returns a text with its escapes. `how`: {bracket, cell, before, cited}. */
function escape(text, how) {
	const letters = Array.from(text.replace(/\s*\n\s*/g, ' '));
	let out = '', at = 0;
	letters.forEach((c, i) => {
		const sign = isSign(c, letters[i - 1] || '', letters[i + 1] || '', text.slice(at), how);
		out += sign ? '\\' + c : c;
		at += c.length;
	});
	return out;
}

/* Returns a text without marks as Markdown: of a picture, the title of a note, the language of
 * code (`bare`: only what is escaped there). */
export function literal(text, bare) {
	return bare ? text.replace(/\n/g, ' ').replace(/[\\&]/g, '\\$&')
		: escape(text, { bracket: true, cell: false, before: '', cited: false });
}

/* ---- what begins a block, at the start of a line */

function atStart(line) {
	const text = line.replace(/^[ \t]+/, '');
	if (/^(?:#{1,6}(?:\s|$)|[+-](?:\s|$)|>|\||={1,}\s*$|-+\s*$|~~~)/.test(text) ||
		/^[-:| \t]*-[-:| \t]*$/.test(text))
		return '\\' + text;
	return text.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/* ---- the parts of a line, each with its marks */

const STARS = new Map([['strong', '**'], ['em', '*'], ['strike', '~~']]);

function isGap(unit) {
	return unit.kind === 'break' || (unit.kind === 'text' && !unit.code && /^\s*$/.test(unit.text));
}

function unitsOf(content) {
	const units = [];
	content.forEach((node) => {
		const marks = node.marks.filter((m) => m.type.name !== 'code');
		const is = { kind: node.type.name, node, marks, code: marks.length < node.marks.length };
		if (is.kind === 'hard_break')
			is.kind = 'break';
		is.text = node.isText ? node.text : '';
		units.push(is);
	});
	return units;
}

/* Splits the texts at their ends, so that spaces and signs can leave a mark. */
function split(units) {
	const out = [];
	for (const unit of units) {
		if (unit.kind !== 'text' || unit.code) {
			out.push(unit);
			continue;
		}
		const cut = /^(\s*)([\p{P}\p{S}]*)([^]*?)([\p{P}\p{S}]*)(\s*)$/u.exec(unit.text);
		for (const text of cut.slice(1)) {
			if (text !== '')
				out.push(Object.assign({}, unit, { text }));
		}
	}
	return out;
}

function has(unit, mark) {
	return unit !== undefined && unit.marks.some((m) => m.eq(mark));
}

function without(unit, mark) {
	unit.marks = unit.marks.filter((m) => !m.eq(mark));
}

function isSigns(unit) {
	return unit.kind === 'text' && !unit.code && /^[\p{P}\p{S}]+$/u.test(unit.text);
}

/* Whether a letter touches a mark's end from the outside. */
function touches(unit, text) {
	return unit !== undefined && unit.kind === 'text' && !unit.code && !isSpace(text) &&
		!isPunctuation(text);
}

/* Takes spaces and breaks at the ends of marks out of them, and signs that touch a
 * letter outside: CommonMark can neither open nor close a mark there. */
function trim(units) {
	const marks = [];
	for (const unit of units) {
		for (const m of unit.marks) {
			if (!marks.some((known) => known.eq(m)))
				marks.push(m);
		}
	}
	for (const mark of marks) {
		const stars = STARS.has(mark.type.name);
		for (let from = 0; from < units.length; from++) {
			if (!has(units[from], mark))
				continue;
			let to = from;
			while (has(units[to + 1], mark))
				to++;
			const end = to;
			for (;;) {
				const a = units[from], b = units[to], p = units[from - 1], n = units[to + 1];
				if (from > to)
					break;
				if (isGap(a) || (stars && isSigns(a) && touches(p, p && last(p.text))))
					without(units[from++], mark);
				else if (isGap(b) || (stars && isSigns(b) && touches(n, n && first(n.text))))
					without(units[to--], mark);
				else
					break;
			}
			from = end;
		}
	}
}

/* ---- writing */

function reach(units, i, mark) {
	while (has(units[i + 1], mark))
		i++;
	return i;
}

function code(text, cell) {
	text = text.replace(/\n/g, ' ');
	const runs = (text.match(/`+/g) || []).map((run) => run.length);
	let n = 1;
	while (runs.includes(n))
		n++;
	const pad = /^`|`$/.test(text) || (/^ .* $/.test(text) && /[^ ]/.test(text)) ? ' ' : '';
	const fence = '`'.repeat(n);
	return fence + pad + (cell ? text.replace(/\|/g, '\\|') : text) + pad + fence;
}

function address(href, cell) {
	const pointed = href === '' || /[\s<>]/.test(href);
	let out = href.replace(/[\r\n]+/g, ' ').replace(pointed ? /[\\<>]/g : /[\\()]/g, '\\$&')
		.replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&');
	if (pointed)
		out = '<' + out + '>';
	if (cell)
		out = out.replace(/\|/g, '\\|');
	return out;
}

function target(href, title, cell) {
	const words = title === null || title === '' ? ''
		: ' "' + title.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&')
			.replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&').replace(/\|/g, cell ? '\\|' : '|') + '"';
	return '(' + address(href, cell) + words + ')';
}

/* What is written, with what keeps runs of stars apart, and letters away from them. */
class Line {
	constructor() {
		this.text = '';
		this.closed = ''; /* a run of stars that ends the text, and closes a mark */
		this.inner = ''; /* the letter before it */
		this.opened = false; /* stars that open marks end the text */
		this.code = false; /* code ends it */
	}

	/* Adds a text, a link's sign or code, but no run of stars. */
	add(text, isCode) {
		if (text === '')
			return;
		const c = first(text);
		if (this.closed !== '' && isPunctuation(this.inner) && !isSpace(c) && !isPunctuation(c))
			this.text += '<!-- -->';
		else if (isCode && this.code)
			this.text += '<!-- -->';
		this.text += text;
		this.closed = '';
		this.opened = false;
		this.code = isCode;
	}

	/* Opens marks of stars before a text that begins with `c`. */
	open(stars, c) {
		const p = last(this.text);
		if (this.closed !== '')
			this.text += '<!-- -->';
		else if (!this.opened && !isSpace(p) && !isPunctuation(p) && isPunctuation(c))
			this.text += '<!-- -->';
		else if (!this.opened && p === '*' && !this.text.endsWith('\\*'))
			this.text += '<!-- -->';
		this.text += stars;
		this.closed = '';
		this.opened = true;
		this.code = false;
	}

	close(stars) {
		if (this.closed === '')
			this.inner = last(this.text);
		this.text += stars;
		this.closed += stars;
		this.opened = false;
		this.code = false;
	}
}

function render(unit, i, units, how) {
	const next = units[i + 1], before = units[i - 1];
	const bracket = unit.marks.some((m) => m.type.name === 'link');
	switch (unit.kind) {
	case 'text': {
		if (unit.code)
			return code(unit.text, how.cell);
		const opens = next !== undefined && (next.kind === 'cite' || next.kind === 'image' ||
			next.marks.some((m) => m.type.name === 'link'));
		return escape(unit.text, {
			bracket, cell: how.cell, before: opens ? '[' : '',
			cited: before !== undefined && before.kind === 'cite'
		});
	}
	case 'break':
		return how.cell || how.heading ? '<br>' : '\\\n';
	case 'cite':
		return '[^' + unit.node.attrs.label + ']';
	case 'raw':
		return unit.node.attrs.text;
	default:
		return '![' + escape(unit.node.attrs.alt, {
			bracket: true, cell: how.cell, before: '', cited: false
		}) + ']' + target(unit.node.attrs.src, unit.node.attrs.title, how.cell);
	}
}

function close(line, mark, how) {
	if (mark.type.name === 'link')
		line.add(']' + target(mark.attrs.href, mark.attrs.title, how.cell), false);
	else
		line.close(STARS.get(mark.type.name));
}

/* Joins what has the same marks again, so that escapes see their neighbours. */
function join(units) {
	const out = [];
	for (const unit of units) {
		const before = out[out.length - 1];
		if (before && before.kind === 'text' && unit.kind === 'text' && before.code === unit.code &&
			before.marks.length === unit.marks.length && before.marks.every((m) => has(unit, m)))
			before.text += unit.text;
		else
			out.push(Object.assign({}, unit));
	}
	return out;
}

function writeUnits(units, how) {
	const line = new Line();
	let open = [];
	units.forEach((unit, i) => {
		const keep = open.findIndex((m) => !has(unit, m));
		if (keep >= 0) {
			for (const mark of open.slice(keep).reverse())
				close(line, mark, how);
			open = open.slice(0, keep);
		}
		const text = render(unit, i, units, how);
		const coming = unit.marks.filter((m) => !open.some((o) => o.eq(m)))
			.sort((a, b) => reach(units, i, b) - reach(units, i, a) || a.type.rank - b.type.rank);
		/* Where a mark that goes on is opened again, too. */
		const lead = coming.length > 0 && unit.kind === 'text' && !unit.code
			? /^[ \t]*/.exec(text)[0] : '';
		line.add(lead, false);
		coming.forEach((mark, j) => {
			const link = coming.slice(j + 1).some((m) => m.type.name === 'link');
			if (mark.type.name === 'link')
				line.add('[', false);
			else
				line.open(STARS.get(mark.type.name), link ? '[' : first(text.slice(lead.length)));
		});
		open = open.concat(coming);
		line.add(text.slice(lead.length), unit.code);
	});
	for (const mark of open.reverse())
		close(line, mark, how);
	return line.text;
}

/* Returns the content of a block as Markdown. `how`: {block} a paragraph, whose lines must begin
 * nothing; {heading}; {cell} of a table. A break at the end is left out. */
export function inline(content, how = {}) {
	let units = unitsOf(content);
	while (units.length > 0 && units[units.length - 1].kind === 'break')
		units.pop();
	units = split(units);
	trim(units);
	units = join(units);
	while (units.length > 0 && isGap(units[0]))
		units.shift();
	while (units.length > 0 && isGap(units[units.length - 1]))
		units.pop();
	const text = writeUnits(units, how);
	if (how.heading)
		return text.trim().replace(/(^|\s)(#+)$/, '$1\\$2');
	if (!how.block)
		return text.trim();
	return text.split('\n').map((row) => atStart(row.replace(/[ \t]+$/, ''))).join('\n');
}
