/* The dialog about a link: its address, its words, and how it goes away. */
import { isAddress, schema } from './schema.js';

const type = schema.marks.link;

/* Returns the link at the selection with the range that it covers, or null. */
function linkAt(state) {
	const { $from, from } = state.selection, parent = $from.parent, start = $from.start();
	let found = null;
	if (!parent.inlineContent)
		return null;
	parent.forEach((node, offset) => {
		const mark = type.isInSet(node.marks), at = start + offset;
		if (!mark)
			return;
		if (found && found.to === at && found.mark.eq(mark) && found.to < from)
			found.to += node.nodeSize;
		else if (found && found.to === at && found.mark.eq(mark))
			found.to = at + node.nodeSize;
		else if (!found || found.to < from)
			found = { mark, from: at, to: at + node.nodeSize };
	});
	return found && found.from <= from && from <= found.to ? found : null;
}

/* Returns an address as it is meant, or null: "example.org/x" is one of the web. */
function meant(words) {
	const value = words.trim();
	if (isAddress(value))
		return value;
	if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(value))
		return 'mailto:' + value;
	return /^[^\s/:?#@]+\.[^\s/:?#@.]{2,}(?::\d+)?(?:[/?#]\S*)?$/.test(value) ? 'https://' + value : null;
}

function make(name, attributes, ...inner) {
	const node = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		node.setAttribute(key, value);
	node.append(...inner);
	return node;
}

function field(label, attributes) {
	const input = make('input', Object.assign({ autocomplete: 'off' }, attributes));
	return [input, make('p', { class: 'field' }, make('label', {}, label, input))];
}

function button(label, press) {
	const node = make('button', { type: 'button', class: 'button' }, label);
	node.addEventListener('click', press);
	return node;
}

/* Sets or takes a link away. `words`: what it covers, or null: as it is. */
function put(view, { from, to }, href, title, words) {
	const { state } = view, tr = state.tr;
	if (words !== null && words !== '') {
		const marks = state.doc.resolve(from).marksAcross(state.doc.resolve(to)) || [];
		tr.replaceWith(from, to, schema.text(words, marks));
		to = from + words.length;
	}
	tr.removeMark(from, to, type);
	if (href !== null)
		tr.addMark(from, to, type.create({ href, title }));
	view.dispatch(tr.removeStoredMark(type).scrollIntoView());
}

/* Asks for the link of what is chosen. `sentence(name)`: a word of the page. */
export function askLink(view, sentence) {
	const { state } = view, { $from, $to, from, to } = state.selection;
	if (!$from.sameParent($to) || !$from.parent.inlineContent || $from.parent.type.spec.code)
		return;
	const found = linkAt(state), range = found || { from, to };
	const old = state.doc.textBetween(range.from, range.to);
	const [address, first] = field(sentence('link-to'), { dir: 'ltr', inputmode: 'url' });
	const [words, second] = field(sentence('link-text'), { dir: 'auto' });
	const wrong = make('p', { class: 'error', role: 'alert' });
	const open = make('a', { class: 'button quiet', target: '_blank', rel: 'noopener noreferrer' },
		sentence('link-open'));
	const remove = button(sentence('link-remove'), () => {
		put(view, range, null, null, null);
		shut();
	});
	const dialog = make('dialog', { class: 'link', 'aria-label': sentence('link') }, first, second, wrong,
		make('p', { class: 'row' }, button(sentence('done'), done), open, remove));
	function look() {
		const href = meant(address.value);
		if (href === null || href[0] === '#')
			open.removeAttribute('href');
		else
			open.setAttribute('href', href);
	}
	function done() {
		const href = meant(address.value);
		if (href === null) {
			wrong.textContent = sentence('link-wrong');
			address.focus();
			return;
		}
		const text = words.value.trim();
		put(view, range, href, found && found.mark.attrs.title,
			text !== old && text !== '' ? text : old === '' ? href : null);
		shut();
	}
	function shut() {
		dialog.remove();
		view.focus();
	}
	address.value = found ? found.mark.attrs.href : '';
	words.value = old;
	remove.hidden = found === null;
	look();
	address.addEventListener('input', look);
	dialog.addEventListener('keydown', (event) => {
		if (event.key === 'Enter' && event.target.localName === 'input' && !event.isComposing) {
			event.preventDefault();
			done();
		}
	});
	dialog.addEventListener('close', shut);
	document.body.append(dialog);
	dialog.showModal();
}
