/* Blocks that are more than text. A card is chosen as a whole, and what it shows is edited as
 * Markdown: in its own text area, each letter of which is a change of the document. The reader on
 * the server says what the lines are. A note for readers has a kind, and its text is edited in place. */
import { DOMSerializer } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import { factField, isTop } from './facts.js';
import { isCard, schema } from './schema.js';
import { Table } from './table.js';
import { sourceName, sourceOf } from './reference.js';
import { make } from './element.js';

const of = schema.nodes;
const serializer = DOMSerializer.fromSchema(schema);

/* Returns the host of a picture that is not drawn, or "". */
function hostOf(src) {
	try {
		return new URL(src).host;
	} catch (e) {
		return '';
	}
}

/* Returns what a card is called: its kind, and what it shows. */
export function nameOf(node, sentence) {
	const kind = sentence(node.type === of.source ? 'markdown' : node.type === of.note ? 'source'
		: node.type.name);
	if (node.type === of.note)
		return kind + ' ' + sourceName(node);
	const { alt, caption } = node.attrs, what = alt || caption || '';
	return what === '' ? kind : kind + ': ' + what;
}

function draw(node, sentence) {
	if (node.type === of.source)
		return [make('pre', { dir: 'ltr' }, node.textContent)];
	if (node.type === of.note)
		return [serializer.serializeNode(node)];
	const host = hostOf(node.attrs.src), figure = serializer.serializeNode(node);
	return figure.querySelector('img') || host === '' ? [figure]
		: [figure, make('p', { class: 'hint' }, make('bdi', {}, host), ' · ', sentence('elsewhere'))];
}

/* `how`: {sentence, textOf(pos), settle(always), source(label)}: words of the page; the lines of the
 * block at a position; asks the server what the lines of the text are now; asks about a source. */
class Card {
	constructor(node, view, getPos, how) {
		Object.assign(this, { node, view, getPos, how, area: null, multiType: true });
		this.dom = make('div', { class: 'card', role: 'group', contenteditable: 'false' });
		this.dom.addEventListener('click', (event) => {
			if (event.target.closest('a'))
				event.preventDefault();
		});
		this.draw();
	}

	draw() {
		const { sentence } = this.how, name = nameOf(this.node, sentence);
		this.dom.setAttribute('aria-label', name);
		this.dom.dataset.kind = this.node.type.name;
		this.edit = make('button', { type: 'button', class: 'button quiet edit' },
			sentence(this.area ? 'done' : 'as-markdown'));
		this.edit.addEventListener('click', () => this.area ? this.done() : this.open());
		this.ask = null;
		if (this.node.type === of.note && !this.area && sourceOf(this.node) !== null) {
			this.edit.classList.replace('edit', 'lines');
			this.ask = make('button', { type: 'button', class: 'button quiet edit' }, sentence('edit'));
			this.ask.addEventListener('click', () => this.how.source(this.node.attrs.label));
		}
		/* A picture shows itself what it is. */
		const bar = make('p', { class: 'kind' }), isPicture = this.node.type === of.picture;
		const parts = [...this.area ? [this.area] : draw(this.node, sentence), ...this.fields()];
		bar.append(...isPicture && !this.area ? [] : [make('span', { dir: 'auto' }, name)],
			...this.ask ? [this.ask] : [], this.edit);
		this.dom.replaceChildren(...isPicture ? [...parts, bar] : [bar, ...parts]);
	}

	/* What a picture says is edited in place: no field of the form, so nothing has a name. */
	fields() {
		if (this.node.type !== of.picture || this.area)
			return [];
		const inputs = [['alt', 'alternative'], ['title', 'caption']].map(([attr, word]) => {
			const input = make('input', { dir: 'auto', autocomplete: 'off' });
			input.value = this.node.attrs[attr] || '';
			input.addEventListener('input', () => {
				const value = input.value.trim(), at = this.getPos();
				this.view.dispatch(this.view.state.tr.setNodeAttribute(at, attr,
					value === '' && attr === 'title' ? null : value));
			});
			input.addEventListener('blur', () => this.how.settle(false));
			input.addEventListener('keydown', (event) => {
				if ((event.key === 'Enter' || event.key === 'Escape') && !event.isComposing) {
					event.preventDefault();
					this.view.focus();
				}
			});
			return make('label', {}, this.how.sentence(word), input);
		});
		return [make('div', { class: 'about' }, ...inputs)];
	}

	/* Shows the lines of the block. */
	open() {
		this.before = this.how.textOf(this.getPos());
		this.area = make('textarea', { dir: 'auto', spellcheck: 'true',
			'aria-label': this.how.sentence('markdown') });
		this.area.value = this.before;
		this.area.rows = Math.min(30, this.before.split('\n').length + 1);
		this.area.addEventListener('input', () => this.write());
		this.area.addEventListener('keydown', (event) => {
			if (event.key === 'Escape') {
				event.preventDefault();
				this.done();
			}
		});
		this.draw();
		this.area.focus();
	}

	/* The lines take the place of the block. */
	write() {
		const at = this.getPos(), text = this.area.value.replace(/\s+$/, '');
		const node = of.source.create({ s: this.node.attrs.s }, text === '' ? null : schema.text(text));
		this.view.dispatch(this.view.state.tr.replaceWith(at, at + this.node.nodeSize, node));
	}

	done() {
		const changed = this.area.value !== this.before, at = this.getPos();
		this.area = null;
		if (changed && this.node.textContent === '' && this.node.type === of.source)
			this.view.dispatch(this.view.state.tr.delete(at, at + this.node.nodeSize));
		else
			this.draw();
		this.view.focus();
		this.how.settle(changed || this.node.type === of.source);
	}

	update(node) {
		if (!isCard(node))
			return false;
		const same = this.node === node || (this.node.eq(node) && this.dom.firstChild);
		this.node = node;
		if (this.area && node.textContent !== this.area.value.replace(/\s+$/, '') &&
			!(node.type !== of.source && this.area.value === this.before))
			this.area = null;
		if (!this.area && !same && !this.isTyped())
			this.draw();
		return true;
	}

	/* Whether somebody types in a field of it: that stays, with the caret. */
	isTyped() {
		const typed = this.node.type === of.picture && this.dom.contains(document.activeElement) &&
			document.activeElement.localName === 'input';
		if (typed)
			this.dom.setAttribute('aria-label', nameOf(this.node, this.how.sentence));
		return typed;
	}

	selectNode() {
		this.dom.classList.add('chosen');
	}

	deselectNode() {
		this.dom.classList.remove('chosen');
	}

	stopEvent(event) {
		return event.target === this.area || event.target === this.edit || event.target === this.ask ||
			event.target.localName === 'input' || event.target.localName === 'label';
	}

	ignoreMutation() {
		return true;
	}
}

const KINDS = ['tip', 'note', 'warning', 'caution', 'important', 'todo'];

/* A note for readers: its kind is chosen, its text is edited in place. */
class Callout {
	constructor(node, view, getPos, { sentence, settle }) {
		this.node = node;
		this.sentence = sentence;
		this.kind = make('select', { 'aria-label': sentence('kind') },
			...KINDS.map((kind) => make('option', { value: kind }, sentence(kind))));
		this.kind.addEventListener('change', () => {
			view.dispatch(view.state.tr.setNodeMarkup(getPos(), null,
				Object.assign({}, this.node.attrs, { kind: this.kind.value })));
		});
		this.title = factField('title', { view, getPos, make, label: sentence('title'), settle: () => settle(false) });
		this.title.hidden = !isTop(view, getPos) && !node.attrs.titled;
		this.contentDOM = make('div', {});
		this.dom = make('div', { class: 'callout', role: 'group' },
			make('p', { class: 'kind', contenteditable: 'false' }, this.kind, this.title), this.contentDOM);
		this.draw();
	}

	draw() {
		const { kind, title } = this.node.attrs;
		this.dom.dataset.kind = kind;
		this.kind.value = kind;
		this.title.show(title);
		this.dom.setAttribute('aria-label', this.sentence('note') + ': ' + (title ||
			(KINDS.includes(kind) ? this.sentence(kind) : kind)));
	}

	update(node) {
		if (node.type !== of.callout)
			return false;
		this.node = node;
		this.draw();
		return true;
	}

	stopEvent(event) {
		return event.target === this.kind || this.title.contains(event.target);
	}

	ignoreMutation(mutation) {
		return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
	}
}

/* A quote, with the name of who said it. */
class Quote {
	constructor(node, view, getPos, { sentence, settle }) {
		this.who = factField('cite', { view, getPos, make, label: sentence('who-said'), settle: () => settle(false) });
		this.who.hidden = !isTop(view, getPos);
		this.contentDOM = make('div', {});
		this.dom = make('blockquote', { dir: 'auto' }, this.contentDOM, this.who);
		this.update(node);
	}

	update(node) {
		if (node.type !== of.blockquote)
			return false;
		this.who.show(node.attrs.cite);
		return true;
	}

	stopEvent(event) {
		return this.who.contains(event.target);
	}

	ignoreMutation(mutation) {
		return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
	}
}

/* A numbered list. As steps it is a card: each item begins with the name of its step. */
class Numbered {
	constructor(node, view, getPos, { sentence }) {
		this.node = node;
		this.sentence = sentence;
		this.contentDOM = make('ol', { dir: 'auto' });
		this.dom = this.contentDOM;
		if (node.attrs.steps) {
			const button = (word, press) => {
				const one = make('button', { type: 'button', class: 'button quiet' }, sentence(word));
				one.addEventListener('mousedown', (event) => event.preventDefault());
				one.addEventListener('click', () => {
					press(getPos());
					view.focus();
				});
				return one;
			};
			this.words = make('span', { dir: 'auto' });
			this.bar = make('p', { class: 'kind', contenteditable: 'false' }, this.words,
				button('step-add', (pos) => {
					const end = pos + this.node.nodeSize - 1;
					const tr = view.state.tr.insert(end, of.list_item.create(null, of.paragraph.create()));
					view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 2)).scrollIntoView());
				}),
				button('numbers', (pos) => view.dispatch(view.state.tr.setNodeAttribute(pos, 'steps', false))));
			this.dom = make('div', { class: 'card steps', role: 'group' }, this.bar, this.contentDOM);
		}
		this.update(node);
	}

	update(node) {
		if (node.type !== of.ordered_list || node.attrs.steps !== Boolean(this.bar))
			return false;
		this.node = node;
		if (node.attrs.start === 1)
			this.contentDOM.removeAttribute('start');
		else
			this.contentDOM.setAttribute('start', node.attrs.start);
		if (this.bar) {
			this.words.textContent = this.sentence('steps') + ': ' + node.childCount;
			this.dom.setAttribute('aria-label', this.words.textContent);
		}
		return true;
	}

	stopEvent(event) {
		return Boolean(this.bar) && this.bar.contains(event.target);
	}

	ignoreMutation(mutation) {
		return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
	}
}

/* Returns the views of the blocks that are cards. */
export function nodeViews(how) {
	const card = (node, view, getPos) => new Card(node, view, getPos, how);
	return {
		picture: card, note: card, source: card,
		table: (node, view, getPos) => new Table(node, view, getPos, {
			sentence: how.sentence, name: (now) => nameOf(now, how.sentence), settle: () => how.settle(false),
			/* Its lines become a card of Markdown, which is opened. */
			asMarkdown(at) {
				const now = view.state.doc.nodeAt(at), text = how.textOf(at);
				view.dispatch(view.state.tr.replaceWith(at, at + now.nodeSize,
					of.source.create({ s: now.attrs.s }, schema.text(text))));
				view.nodeDOM(at).querySelector('.edit').click();
			}
		}),
		callout: (node, view, getPos) => new Callout(node, view, getPos, how),
		blockquote: (node, view, getPos) => new Quote(node, view, getPos, how),
		ordered_list: (node, view, getPos) => new Numbered(node, view, getPos, how)
	};
}
