/* What is pasted and dropped into the text: HTML becomes Markdown, by the server's reader, and
 * pictures are stored and shown. */
if (galley) (function () {
	'use strict';

	var form = galley.form, text = galley.text;
	var HTML_MAX = 1024 * 1024; /* the server's */
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

	/* Returns the page that HTML is, or null where it is too deep: a browser takes a minute for tables in
	 * tables. The policy of this page has no inline styles, no sheets, no handlers and no other base,
	 * not even in what is only read. */
	function parsed(html) {
		if (html.length > HTML_MAX || html.split(/<table/i).length > 500)
			return null;
		var page = new DOMParser().parseFromString(html.replace(
			/<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<\/?[a-z](?:"[^"]*"|'[^']*'|[^"'<>])*>/gi, function (tag) {
				return tag[1] === '!' ? '' : tag.replace(/^<base(?=[\s\/>])/i, '<wbr')
					.replace(/^(<\/?)style(?=[\s\/>])/i, '$1x-left-out')
					.replace(/([\s"'\/])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2');
			}), 'text/html');
		return page.querySelector('body' + '>*'.repeat(101)) ? null : page; /* 100: the server's */
	}

	/* Returns the value of a property: "mso-bidi-font-weight" is not "font-weight". */
	function styled(part, name) {
		var found = new RegExp('(?:^|;)\\s*' + name + '\\s*:\\s*([^;]*)', 'i').exec(part.dataset.style);
		return found ? found[1].trim() : '';
	}

	/* Moves what a part holds to the end of another one. */
	function move(part, to) {
		while (part.firstChild)
			to.append(part.firstChild);
	}

	function wrap(part, name) {
		var inner = part.ownerDocument.createElement(name);
		move(part, inner);
		part.append(inner);
	}

	function unwrap(part) {
		while (part.firstChild)
			part.before(part.firstChild);
		part.remove();
	}

	/* Takes out what no reader of the page reads: buttons, links that edit it, what is hidden, boxes of
	 * to-dos and icons of notes. A formula is there for screen readers alone. */
	function dropRest(page) {
		page.querySelectorAll(':is(h1, h2, h3, h4, h5, h6, summary, dt) button').forEach(unwrap);
		page.querySelectorAll('x-left-out, button, svg, annotation, .mw-editsection, [hidden], [role=checkbox] > img, ' +
			'[data-style*="mso-element:comment-list"], .MsoCommentReference').forEach(function (part) { part.remove(); });
		/* What is for eyes alone is there once more for others, or has no words. */
		page.querySelectorAll('[aria-hidden=true]').forEach(function (part) {
			var twin = part.previousElementSibling || part.nextElementSibling;
			if (!/[\p{L}\p{N}]/u.test(part.textContent) || (twin && twin.textContent.trim() !== ''))
				part.remove();
		});
		page.querySelectorAll('[data-style]').forEach(function (part) {
			if (/^none/i.test(styled(part, 'display')) && !part.querySelector('math'))
				part.remove();
		});
		page.querySelectorAll('img').forEach(function (part) {
			if (part.alt === part.getAttribute('src'))
				part.remove();
			else if (/^[\p{Emoji}\p{Emoji_Component}]+$/u.test(part.alt) && !/\p{N}/u.test(part.alt))
				part.replaceWith(part.alt);
		});
		page.querySelectorAll('li, li > p:first-child, aside').forEach(function (part) {
			var first = part.firstChild;
			if (first && first.nodeType === Node.TEXT_NODE)
				first.data = part.localName !== 'aside' ? first.data.replace(/^\s*\[[ x]\]\s/i, '')
					: first.data.replace(/^[^\p{L}\p{N}]*$/u, '');
		});
		page.querySelectorAll('pre').forEach(function (part) {
			var code = part.querySelectorAll('code');
			/* Text beside it is not its language. */
			if (code.length === 1 && !/\S/.test(Array.from(part.childNodes, function (child) { return child.data; }).join('')))
				part.replaceChildren(code[0]);
			Array.from(part.querySelectorAll('div, p, li')).reverse().forEach(function (line) {
				if (!/\n$/.test(line.textContent))
					line.append('\n');
			});
		});
	}

	/* Two ends of a line are that of a paragraph. Numbers that are raised or lowered have letters of their
	 * own: x2 is something else. */
	function readLines(page) {
		page.querySelectorAll(':is(body, p, div, section, article) > br + br').forEach(function (end) {
			var before = end.previousSibling;
			while (before.nodeType === Node.TEXT_NODE && before.data.trim() === '')
				before = before.previousSibling;
			if (before.nodeType !== Node.ELEMENT_NODE || end.closest('pre, td, th'))
				return;
			if (before.localName === 'br')
				before.remove();
			end.replaceWith(page.createElement('div'));
		});
		page.querySelectorAll('sup, sub').forEach(function (part) {
			var letters = part.localName === 'sup' ? '⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹' : '₊₋₀₁₂₃₄₅₆₇₈₉';
			if (/^[-+]?\d+$/.test(part.innerHTML))
				part.textContent = part.innerHTML.replace(/./g, function (c) { return letters['+-0123456789'.indexOf(c)]; });
		});
	}

	/* A table of one cell is a frame. The place of a cell that is merged downwards stays empty. */
	function readTables(page) {
		var left = 10000; /* empty cells */
		page.querySelectorAll('table').forEach(function (table) {
			var first = table.rows[0];
			if (table.rows.length === 1 && first.cells.length === 1) {
				var part = page.createElement('div');
				move(first.cells[0], part);
				table.replaceWith(part);
			} else if (first)
				first.className = 'names';
		});
		page.querySelectorAll('tr > [rowspan]').forEach(function (cell) {
			var row = cell.parentElement.nextElementSibling;
			for (var n = cell.rowSpan; n > 1 && row && row.cells && left > 0; n--, left--) {
				row.insertBefore(page.createElement('td'), row.cells[cell.cellIndex] || null);
				row = row.nextElementSibling;
			}
			cell.removeAttribute('rowspan');
		});
	}

	/* Some programs say bold and italic with a style alone, and wrap all in a <b> that is none. Titles
	 * and the names of columns are bold without a mark. */
	function readStyles(page) {
		page.querySelectorAll('[data-style]').forEach(function (part) {
			var weight = styled(part, 'font-weight'), slope = styled(part, 'font-style');
			if ((/^(?:b|strong)$/.test(part.localName) && /^(?:normal|lighter|[1-5]00)/i.test(weight)) ||
				(/^(?:i|em)$/.test(part.localName) && /^normal/i.test(slope))) {
				unwrap(part);
			} else if (part.localName === 'span' && part.textContent.trim() !== '') {
				if (/monospace/i.test(styled(part, 'font-family')) && !part.closest('pre, code'))
					wrap(part, 'code');
				if (/line-through/i.test(styled(part, 'text-decoration')))
					wrap(part, 's');
				if (/^(?:bold|[6-9]00)/i.test(weight))
					wrap(part, 'strong');
				if (/^(?:italic|oblique)/i.test(slope))
					wrap(part, 'em');
			}
		});
		readTables(page);
		page.querySelectorAll(':is(h1, h2, h3, h4, h5, h6, th, .names) :is(b, strong, i, em)').forEach(unwrap);
	}

	/* Word's title and quotes are paragraphs whose class says so, in each of its languages; what
	 * follows a quote is of the same one. */
	function readClasses(page) {
		page.querySelectorAll('p[class^="Mso"]').forEach(function (p) {
			var isQuote = /^Mso(?:Intense)?Quote/.test(p.className), before = p.previousElementSibling;
			if (!isQuote && p.className !== 'MsoTitle')
				return;
			var part = page.createElement(isQuote ? 'blockquote' : 'h1');
			p.before(part);
			if (!isQuote) {
				move(p, part);
				p.remove();
				return;
			}
			part.append(p);
			if (before && before.className === 'MsoQuote') {
				before.append(p);
				part.remove();
			} else
				part.className = 'MsoQuote';
		});
	}

	/* Who said a quote is the caption of its figure. That of a picture is without marks. Markdown has
	 * no form for that of a table: where it is typed, it is a paragraph. */
	function readCaptions(page, typed) {
		page.querySelectorAll('blockquote').forEach(function (quote) {
			var all = quote.querySelectorAll('cite'), cite = all[all.length - 1];
			var line = cite && cite.parentElement !== quote ? cite.parentElement : cite;
			if (typed || !line || line.textContent.replace(/^[\s\u2013\u2014-]+/, '').trim() !== cite.textContent.trim() ||
				line !== quote.lastElementChild || (line.nextSibling && line.nextSibling.textContent.trim() !== ''))
				return;
			var figure = page.createElement('figure'), caption = page.createElement('figcaption');
			line.remove();
			move(cite, caption);
			quote.replaceWith(figure);
			figure.append(quote, caption);
		});
		page.querySelectorAll('figcaption, caption').forEach(function (part) {
			var box = part.closest('figure, table'), many = box && box.querySelector('figure');
			var table = box && (box.localName === 'table' ? box : box.querySelector('table'));
			if (box && !many && !table)
				part.textContent = part.textContent;
			else if (box && (many || typed)) {
				var line = page.createElement('p');
				move(part, line);
				(table || part).after(line);
				part.remove();
			}
		});
	}

	/* Word writes an item as a paragraph, with its level in a style and its mark in the text. A
	 * numbered list that would not begin with its first number stays text: no list here can. */
	function readLists(page) {
		var open = []; /* the lists around the next item, the innermost last */
		page.querySelectorAll('p[data-style]').forEach(function (p) {
			var style = styled(p, 'mso-list'), level = /level(\d)/i.exec(style), number = (/\bl\d+/i.exec(style) || [''])[0];
			var mark = level && Array.from(p.querySelectorAll('[data-style]')).find(function (part) {
				return /^ignore/i.test(styled(part, 'mso-list'));
			});
			if (!mark)
				return;
			if (open.length > 0 && p.previousElementSibling !== open[0].list)
				open = [];
			while (open.length > 0 && open[open.length - 1].level > level[1])
				open.pop();
			var last = open[open.length - 1];
			var sign = mark.textContent.trim();
			var kind = /\p{N}|\p{L}./u.test(sign) ? 'ol' : 'ul';
			if (!last || last.level < level[1] || last.list.localName !== kind || last.number !== number) {
				if (kind === 'ol' && !isFirst(sign)) {
					mark.textContent = sign + ' ';
					return;
				}
				if (last && last.level === level[1])
					open.pop();
				last = { level: level[1], number: number, list: page.createElement(kind) };
				if (open.length > 0)
					open[open.length - 1].list.lastElementChild.append(last.list);
				else
					p.before(last.list);
				open.push(last);
			}
			mark.remove();
			var item = page.createElement('li');
			move(p, item);
			last.list.append(item);
			p.remove();
		});
	}

	/* Returns whether a mark is the first of its list: "1.", "2.1", "a)". */
	function isFirst(sign) {
		var counted = /([0-9]+|[a-z]+)[^0-9a-z]*$/i.exec(sign);
		return !counted || /^(?:0*1|a|i)$/i.test(counted[1]);
	}

	/* Takes the pictures whose bytes are in the page out of it, and returns them as files. */
	function takePictures(page) {
		var files = [];
		page.querySelectorAll('img[src^="data:" i]').forEach(function (part) {
			var source = part.getAttribute('src');
			var found = /^data:image\/(jpeg|png|webp|gif);base64,/i.exec(source);
			/* The server tells of one that nobody can show, and does not need its bytes. */
			part.setAttribute('src', 'data:');
			if (!found)
				return;
			try {
				var bytes = atob(decodeURIComponent(source.slice(found[0].length)));
				files.push(new File([Uint8Array.from(bytes, function (c) { return c.charCodeAt(0); })],
					'picture.' + found[1], { type: 'image/' + found[1] }));
				part.remove();
			} catch (e) {
				/* It is no base64. */
			}
		});
		return files;
	}

	function clean(page, typed) {
		readLines(page);
		readClasses(page);
		readLists(page);
		readStyles(page);
		readCaptions(page, typed);
	}

	/* Asks what HTML is as Markdown: calls done(MARKDOWN, BLOCKS), or done(null) where nothing says it.
	 * The blocks have what Markdown has no form for, unless it is `typed`. The pictures in it are asked
	 * about. */
	galley.markdownOf = function (html, done, typed) {
		var files = [], sent = html.slice(0, HTML_MAX + 1), page = parsed(html);
		if (page) {
			try {
				dropRest(page);
				files = takePictures(page);
				clean(page, typed);
				sent = page.body.innerHTML;
			} catch (e) {
				/* The server reads it as it is. */
			}
		}
		function end(sentence) {
			if (files.length > 0)
				take(files);
			document.getElementById('paste-error').textContent = sentence;
		}
		send(document.getElementById('saving').dataset.paste, { html: sent },
			ANSWER_MS, function (status, answer) {
				done(status === 200 ? answer.text : null, answer.read && answer.read.blocks);
				if (status !== 200)
					galley.hear(reason(answer));
				end(status !== 200 ? reason(answer)
					: answer.pictures_left_out > 0 ? galley.sentence('left-out') : '');
			}, function () {
				done(null);
				end(galley.sentence('plain'));
			});
	};

	/* The plain text is there at once. What the server makes of the HTML takes its place, unless
	 * somebody has changed it. */
	function pasteHtml(html, plain) {
		var at = text.selectionStart;
		if (plain !== '')
			galley.type(plain);
		galley.markdownOf(html, function (markdown) {
			if (markdown !== null)
				replace(at, plain, markdown);
		}, true);
	}

	/* Types Markdown in the place of the plain text. */
	function replace(at, plain, markdown) {
		var from = text.selectionStart, to = text.selectionEnd, end = at + plain.length;
		if (text.hidden || text.value.slice(at, end) !== plain || markdown === '' || markdown === plain)
			return;
		var length = text.value.length;
		text.setSelectionRange(at, end);
		if (/\n/.test(markdown) || /^(?:#+ |[-*>] |\||!\[|\d+\. )/.test(markdown))
			galley.typeBlocks(markdown);
		else
			/* The spaces around a piece of a line are the text's. */
			galley.type(plain.match(/^\s*/)[0] + markdown + plain.match(/\s*$/)[0]);
		/* Who typed on goes on there. */
		var more = text.value.length - length;
		if (from > end || to > end)
			text.setSelectionRange(from + more, to + more);
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
			galley.focus();
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
			(answer.errors || []).forEach(function (e) {
				if (e.field === 'alternative' && e.value !== undefined)
					alternative.value = e.value;
			});
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
	/* Takes what is pasted: pictures here, HTML by `html`. Returns false where it is plain text. */
	galley.pasted = function (data, html) {
		var plain = data.getData('text/plain').replace(/\r\n?/g, '\n');
		var given = data.getData('text/html');
		document.getElementById('paste-error').textContent = '';
		if (data.files.length > 0 && plain === '')
			take(data.files);
		else if ((plain !== '' && formats.test(given)) || /<img\s/i.test(given))
			html(given, plain);
		else
			return false;
		return true;
	};
	text.addEventListener('paste', function (event) {
		if (event.clipboardData && galley.pasted(event.clipboardData, pasteHtml))
			event.preventDefault();
	});
}());
