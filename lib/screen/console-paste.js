/* What is pasted and dropped into the text: HTML becomes Markdown, by the server's reader, and
 * pictures are stored and shown. */
if (galley) (function () {
	'use strict';

	var form = galley.form, text = galley.text;
	var ANSWER_MS = 30000, SENDING_MS = 300000; /* until a request counts as lost */

	/* Sends a form; calls done(status, JSON), or failed() where nothing comes back. */
	function send(to, fields, ms, done, failed) {
		var data = new FormData(), control = new AbortController();
		var patience = setTimeout(function () { control.abort(); }, ms);
		data.append('token', form.elements.token.value);
		Object.keys(fields).forEach(function (name) { data.append(name, fields[name]); });
		fetch(to, { method: 'POST', body: data, credentials: 'same-origin', redirect: 'error',
			signal: control.signal, headers: { Accept: 'application/json' }
		}).then(function (answer) {
			return answer.json().then(function (json) { return [answer.status, json]; });
		}).then(function (said) {
			clearTimeout(patience);
			done(said[0], said[1]);
		}, function () {
			clearTimeout(patience);
			failed();
		});
	}

	/* What a refusal says. */
	function reason(answer) {
		return answer.sign_in ? galley.sentence('signed-out')
			: (answer.errors || []).map(function (e) { return e.text; }).join(' ');
	}

	/* ---- HTML */

	/* Tags that Markdown has; without one of them the plain text says all. */
	var formats = /<(?:a|b|strong|i|em|h[1-6]|li|table|blockquote|img|pre|code|p|br)[\s>\/]/i;

	/* Some programs say bold and italic with a style alone, and wrap all in a <b> that is none. The
	 * page's policy has no inline styles, not even in what is only read. */
	function plainer(html) {
		var page = new DOMParser().parseFromString(html.replace(/<[a-z][^>]*>/gi, function (tag) {
			return tag.replace(/\sstyle\s*=/gi, ' data-style=');
		}), 'text/html');
		page.querySelectorAll('[data-style]').forEach(function (part) {
			var style = part.dataset.style;
			var into = /font-weight:\s*(?:bold|[6-9]00)/i.test(style) ? 'strong'
				: /font-style:\s*italic/i.test(style) ? 'em' : '';
			if (part.localName === 'b' && /font-weight:\s*(?:normal|400)/i.test(style))
				part.replaceWith.apply(part, Array.from(part.childNodes));
			else if (part.localName === 'span' && into && part.textContent.trim() !== '') {
				var inner = page.createElement(into);
				inner.append.apply(inner, Array.from(part.childNodes));
				part.append(inner);
			}
		});
		return page.body.innerHTML;
	}

	/* The plain text is there at once. What the server makes of the HTML takes its place, unless
	 * somebody has changed it. */
	function pasteHtml(html, plain) {
		var at = text.selectionStart;
		galley.type(plain);
		send(document.getElementById('saving').dataset.paste, { html: plainer(html) }, ANSWER_MS, function (status, answer) {
			if (status !== 200) {
				galley.hear(reason(answer));
				document.getElementById('paste-error').textContent = reason(answer);
				return;
			}
			var from = text.selectionStart, to = text.selectionEnd, end = at + plain.length;
			if (text.value.slice(at, end) !== plain || answer.text === '' || answer.text === plain)
				return;
			var length = text.value.length;
			text.setSelectionRange(at, end);
			if (/\n/.test(answer.text) || /^(?:#+ |[-*>] |\||!\[|\d+\. )/.test(answer.text))
				galley.typeBlocks(answer.text);
			else
				/* The spaces around a piece of a line are the text's. */
				galley.type(plain.match(/^\s*/)[0] + answer.text + plain.match(/\s*$/)[0]);
			/* Who typed on goes on there. */
			var more = text.value.length - length;
			if (from > end || to > end)
				text.setSelectionRange(from + more, to + more);
		}, function () {
			document.getElementById('paste-error').textContent = galley.sentence('plain');
		});
	}

	/* ---- pictures */

	var box = document.getElementById('picture');
	var alternative = document.createElement('input');
	var add = document.getElementById('picture-add');
	var cancel = document.getElementById('picture-cancel');
	var wrong = document.getElementById('picture-error');
	var waiting = []; /* files, the first of which the box is about */
	var busy = false; /* that one is on its way */

	alternative.id = 'picture-text';
	alternative.dir = 'auto';
	alternative.autocomplete = 'off';
	alternative.setAttribute('aria-labelledby', 'picture-label');
	alternative.setAttribute('aria-describedby', 'picture-hint picture-error');
	wrong.before(alternative);

	function isPicture(file) {
		return /^image\/(?:jpeg|png|webp|gif)$/.test(file.type);
	}

	function askAbout() {
		box.hidden = waiting.length === 0;
		wrong.textContent = '';
		alternative.value = '';
		if (box.hidden) {
			text.focus();
			return;
		}
		document.getElementById('picture-name').textContent = waiting[0].name;
		box.scrollIntoView({ block: 'nearest' });
		alternative.focus();
	}

	function setBusy(is) {
		busy = add.disabled = cancel.disabled = is;
	}

	/* Takes files that somebody dropped, pasted or chose. */
	function take(files) {
		var pictures = Array.prototype.filter.call(files, isPicture);
		var first = waiting.length === 0;
		waiting = waiting.concat(pictures);
		if (first)
			askAbout();
		document.getElementById('paste-error').textContent =
			pictures.length < files.length ? galley.sentence('no-picture') : '';
	}

	function next() {
		waiting.shift();
		askAbout();
	}

	/* Once: the form's number is one picture's, whatever becomes of the answer. */
	function store() {
		if (busy || waiting.length === 0)
			return;
		setBusy(true);
		wrong.textContent = '';
		galley.hear(galley.sentence('uploading'));
		send(box.dataset.to, { number: box.dataset.number, picture: waiting[0],
			alternative: alternative.value, upload: '1' }, SENDING_MS, function (status, answer) {
			setBusy(false);
			if (answer.number)
				box.dataset.number = answer.number;
			if (status === 200) {
				galley.typeBlocks(answer.markdown);
				next();
				return;
			}
			wrong.textContent = reason(answer);
			alternative.focus();
		}, function () {
			setBusy(false);
			wrong.textContent = galley.sentence('not-uploaded');
			alternative.focus();
		});
	}

	add.addEventListener('click', store);
	cancel.addEventListener('click', next);
	alternative.addEventListener('keydown', function (event) {
		if (event.key === 'Enter' && !event.isComposing) {
			event.preventDefault();
			store();
		} else if (event.key === 'Escape' && !busy) {
			next();
		}
	});
	/* It is no field of the article. */
	box.addEventListener('input', function (event) { event.stopPropagation(); });
	box.addEventListener('change', function (event) { event.stopPropagation(); });

	var chooser = document.createElement('input');
	chooser.type = 'file';
	chooser.multiple = true;
	chooser.accept = 'image/jpeg,image/png,image/webp,image/gif';
	chooser.addEventListener('change', function () {
		take(chooser.files);
		chooser.value = '';
	});
	galley.tools.picture = function () { chooser.click(); };

	/* ---- events */

	function hasFiles(data) {
		return data && Array.prototype.indexOf.call(data.types, 'Files') >= 0;
	}

	/* A file that is dropped beside the text would take the page's place. */
	form.addEventListener('dragover', function (event) {
		if (hasFiles(event.dataTransfer) && event.target.type !== 'file')
			event.preventDefault();
	});
	form.addEventListener('drop', function (event) {
		if (!hasFiles(event.dataTransfer) || event.target.type === 'file')
			return;
		event.preventDefault();
		take(event.dataTransfer.files);
	});
	text.addEventListener('paste', function (event) {
		var data = event.clipboardData;
		if (!data)
			return;
		var html = data.getData('text/html');
		var plain = data.getData('text/plain').replace(/\r\n?/g, '\n');
		document.getElementById('paste-error').textContent = '';
		if (data.files.length > 0 && plain === '') {
			event.preventDefault();
			take(data.files);
		} else if (html !== '' && plain !== '' && formats.test(html)) {
			event.preventDefault();
			pasteHtml(html, plain);
		}
	});
}());
