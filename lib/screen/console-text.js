/* The text of the editor: tools that write Markdown, keys, and the ways from a failed check to its
 * place in the text, and back. */
if (galley) (function () {
	'use strict';

	var form = galley.form, text = galley.text;

	/* ---- typing */

	/* Undo stays the browser's own: the text is typed, never set. */
	function type(what) {
		text.focus();
		if (!document.execCommand('insertText', false, what))
			text.setRangeText(what, text.selectionStart, text.selectionEnd, 'end');
	}

	/* Types blocks in a paragraph of their own. */
	function typeBlocks(what) {
		var before = text.value.slice(0, text.selectionStart);
		var behind = text.value.slice(text.selectionEnd);
		var lead = /(^|\n\n)$/.test(before) ? '' : /\n$/.test(before) ? '\n' : '\n\n';
		type(lead + what + (behind === '' || /^\n\n/.test(behind) ? '' :
			/^\n/.test(behind) ? '\n' : '\n\n'));
	}

	function around(before, after) {
		var from = text.selectionStart, to = text.selectionEnd;
		var chosen = text.value.slice(from, to);
		type(before + chosen + after);
		if (chosen === '')
			text.setSelectionRange(from + before.length, from + before.length);
	}

	function eachLine(mark) {
		var from = text.value.lastIndexOf('\n', text.selectionStart - 1) + 1;
		var to = text.value.indexOf('\n', text.selectionEnd);
		text.setSelectionRange(from, to < 0 ? text.value.length : to);
		type(text.value.slice(text.selectionStart, text.selectionEnd).split('\n')
			.map(function (row) { return mark + row; }).join('\n'));
	}

	var tools = galley.tools = {
		bold: function () { around('**', '**'); },
		italic: function () { around('*', '*'); },
		link: function () { around('[', '](https://)'); },
		heading: function () { eachLine('## '); },
		list: function () { eachLine('- '); },
		numbers: function () { eachLine('1. '); },
		quote: function () { eachLine('> '); }
	};
	galley.type = type;
	galley.typeBlocks = typeBlocks;

	var bar = document.getElementById('tools');
	bar.hidden = false;
	bar.addEventListener('click', function (event) {
		var name = event.target.dataset && event.target.dataset.tool;
		if (tools[name])
			tools[name]();
	});

	/* ---- keys */

	/* What a script does not send is sent by the button. */
	function press() {
		var whole = galley.isNew || (form.elements.comment && form.elements.comment.value) ||
			Array.prototype.some.call(form.elements, function (field) {
				return field.type === 'file' && field.name && field.value;
			});
		if (!whole)
			galley.save();
		else if (form.requestSubmit)
			form.requestSubmit(form.querySelector('[name=save]'));
	}

	document.addEventListener('keydown', function (event) {
		var key = event.key.toLowerCase();
		if ((!event.ctrlKey && !event.metaKey) || (event.ctrlKey && event.metaKey) ||
			event.altKey || event.shiftKey || event.isComposing)
			return;
		var name = { b: 'bold', i: 'italic', k: 'link' }[key];
		if (key === 's') {
			event.preventDefault();
			if (!event.repeat)
				press();
		} else if (name && event.target === text) {
			event.preventDefault();
			tools[name]();
		}
	});
	document.getElementById('keys').hidden = false;

	/* ---- from a check to its place */

	/* Returns where lines begin that the text had when it was `then`; they may have moved. */
	function placeOf(first, last, then) {
		var rows = then.split('\n');
		var what = rows.slice(first - 1, last).join('\n');
		var was = rows.slice(0, first - 1).join('\n').length + (first > 1 ? 1 : 0);
		var best = -1;
		for (var at = text.value.indexOf(what); what !== '' && at >= 0;
			at = text.value.indexOf(what, at + 1)) {
			if (best < 0 || Math.abs(at - was) < Math.abs(best - was))
				best = at;
		}
		if (best >= 0)
			return [best, best + what.length];
		/* It was changed: the line with its number. */
		rows = text.value.split('\n');
		first = Math.min(first, rows.length);
		was = rows.slice(0, first - 1).join('\n').length + (first > 1 ? 1 : 0);
		return [was, was + rows[first - 1].length];
	}

	/* Returns how far below the top of the text a place is, in pixels. */
	function heightAt(at) {
		var copy = document.createElement('textarea');
		copy.style.cssText = 'position: absolute; visibility: hidden; min-height: 0; height: 0;' +
			'width: ' + text.offsetWidth + 'px';
		copy.value = text.value.slice(0, at);
		document.body.append(copy);
		var height = copy.scrollHeight;
		copy.remove();
		return height;
	}

	var came = null; /* the link that led to the text */
	var back = document.getElementById('way-back');
	back.addEventListener('click', function () {
		came.focus();
		came.scrollIntoView({ block: 'center' });
		back.hidden = true;
	});
	/* Selects lines of the text as it was. */
	function lead(first, last, then) {
		if (galley.flush)
			galley.flush();
		var place = placeOf(first, last, then);
		galley.focus();
		if (galley.choose) {
			galley.choose(place[0], place[1]);
			return;
		}
		text.setSelectionRange(place[0], place[1]);
		text.scrollTop = Math.max(0, heightAt(place[0]) - text.clientHeight / 3);
		text.scrollIntoView({ block: 'center' });
	}

	document.addEventListener('click', function (event) {
		var link = event.target.closest && event.target.closest('a[data-first]');
		if (!link || event.ctrlKey || event.metaKey || event.shiftKey)
			return;
		event.preventDefault();
		lead(Number(link.dataset.first), Number(link.dataset.last),
			saved.has(link) ? saved.get(link) : text.defaultValue);
		came = link;
		back.hidden = false;
	});

	/* A link of the preview or of Publish led here. */
	var asked = Number(new URLSearchParams(location.search).get('line'));
	if (asked > 0)
		lead(asked, asked, text.defaultValue);

	/* ---- what readers will not see as it is written */

	var saved = new WeakMap(); /* of a link: the text that its line counts in */

	function item(loss) {
		var li = document.createElement('li'), what = document.createElement('bdi');
		what.textContent = loss.text;
		li.append(what);
		loss.places.forEach(function (place) {
			var a = document.createElement('a');
			a.href = '#article-text';
			a.dataset.first = a.dataset.last = place.line;
			a.textContent = place.label;
			saved.set(a, galley.savedText());
			li.append(' · ', a);
		});
		li.append(' ', loss.more);
		return li;
	}

	galley.afterSave(function (answer) {
		var box = document.getElementById('losses');
		box.hidden = answer.losses.length === 0;
		box.querySelector('ul').replaceChildren.apply(box.querySelector('ul'),
			answer.losses.map(item));
	});
}());
