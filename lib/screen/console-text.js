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
		quote: function () { eachLine('> '); },
		undo: function () {
			text.focus();
			document.execCommand('undo');
		}
	};
	galley.type = type;
	galley.typeBlocks = typeBlocks;

	/* One stop of the key Tab: arrows move in it, and Escape leads back. */
	var bar = document.getElementById('tools');
	function buttons() {
		return Array.from(bar.querySelectorAll('button')).filter(function (at) {
			return at.checkVisibility ? at.checkVisibility() : true;
		});
	}
	function stop(at) {
		bar.querySelectorAll('button').forEach(function (button) {
			button.tabIndex = button === at ? 0 : -1;
		});
	}
	bar.hidden = false;
	stop(bar.querySelector('button'));
	bar.addEventListener('focusin', function (event) { stop(event.target); });
	/* A press leaves the caret, and a phone's keyboard, where they are. */
	bar.addEventListener('mousedown', function (event) { event.preventDefault(); });
	bar.addEventListener('keydown', function (event) {
		var all = buttons(), at = all.indexOf(event.target);
		var rtl = getComputedStyle(bar).direction === 'rtl' ? -1 : 1;
		var step = { ArrowRight: rtl, ArrowLeft: -rtl }[event.key];
		if (event.key === 'Escape')
			galley.focus();
		else if (step)
			all[(at + step + all.length) % all.length].focus();
		else if (event.key === 'Home' || event.key === 'End')
			all[event.key === 'Home' ? 0 : all.length - 1].focus();
		else
			return;
		event.preventDefault();
	});
	bar.addEventListener('click', function (event) {
		var button = event.target.closest('[data-tool]');
		if (button && tools[button.dataset.tool])
			tools[button.dataset.tool]();
	});

	var undo = document.getElementById('take-back');
	undo.hidden = false;
	undo.addEventListener('click', function () { tools.undo(); });

	/* On a phone the formats are above its keyboard. */
	var seen = window.visualViewport;
	function lift() {
		bar.style.setProperty('--lift', Math.max(0, Math.round(
			window.innerHeight - seen.height - seen.offsetTop)) + 'px');
	}
	if (seen) {
		seen.addEventListener('resize', lift);
		seen.addEventListener('scroll', lift);
	}

	/* ---- the fields beside the text */

	var title = form.elements.title, about = form.elements.description;
	title.addEventListener('keydown', function (event) {
		if (event.key !== 'Enter' || event.isComposing)
			return;
		event.preventDefault();
		if (!event.ctrlKey && !event.metaKey)
			galley.focus();
	});

	/* How a search engine shows it, while it is typed. */
	function found() {
		document.getElementById('description-count').textContent =
			galley.sentence('count', String(Array.from(about.value.trim()).length));
		document.getElementById('found-title').textContent = title.value;
		document.getElementById('found-description').textContent = about.value;
	}
	form.addEventListener('input', found);

	/* What a link leads to is shown, wherever a browser does not do so itself. */
	document.addEventListener('click', function (event) {
		var link = event.target.closest && event.target.closest('a[href^="#article-"]');
		var to = link && document.getElementById(link.hash.slice(1));
		for (var box = to && to.closest('details'); box; box = box.parentNode.closest('details'))
			box.open = true;
	});

	/* ---- keys */

	/* What a script does not send is sent by the button. */
	function press() {
		if (!galley.isNew && !galley.needsPress())
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

	/* ---- the checks, after each save, and at most every ten seconds */

	var CHECK_MS = 10000;
	var lookedAt = 0, looking = 0, asked = false; /* `asked`: somebody pressed "Check" */

	function make(name, words, parent) {
		var at = document.createElement(name);
		at.textContent = words;
		parent.append(at);
		return at;
	}

	function list(box, title, all, then) {
		if (all.length === 0)
			return;
		make('h2', title, box);
		var ul = make('ul', '', box);
		ul.className = 'ways';
		all.forEach(function (one) {
			var at = make('li', '', ul);
			if (one.address !== null) {
				at = make('a', '', at);
				at.href = one.address;
				if (one.first) {
					at.dataset.first = one.first;
					at.dataset.last = one.last;
					saved.set(at, then);
				}
			}
			make('bdi', one.reason === null ? one.label : one.label + ': ' + one.reason, at);
		});
	}

	function showChecks(answer, then) {
		var box = document.getElementById('checks');
		var part = box.closest('details'), brief = part.querySelector('.brief');
		/* Who is at a line of the list, or came from it, finds it again. */
		var focus = box.contains(document.activeElement) ? document.activeElement : null;
		var from = box.contains(came) ? came : null;
		function again(link) {
			return Array.from(box.querySelectorAll('a')).find(function (at) {
				return at.textContent === link.textContent;
			}) || part.querySelector('summary');
		}
		if (!brief) {
			brief = make('span', '', part.querySelector('summary'));
			brief.className = 'brief';
		}
		brief.textContent = answer.said;
		box.textContent = '';
		var score = make('div', '', box), meter = document.createElement('meter');
		score.className = 'score';
		make('strong', answer.passed + ' / ' + answer.total, score).dir = 'ltr';
		meter.max = meter.high = meter.optimum = answer.total;
		meter.value = answer.passed;
		meter.setAttribute('aria-label', galley.sentence('passed'));
		score.append(meter);
		[false, true].forEach(function (todo) {
			list(box, galley.sentence(todo ? 'left' : 'failed'), answer.left.filter(function (one) {
				return one.todo === todo;
			}), then);
		});
		if (answer.left.length === 0)
			make('p', galley.sentence('passes'), box);
		if (from)
			came = again(from);
		if (focus)
			again(focus).focus();
		if (asked)
			galley.hear(answer.left.length === 0 ? galley.sentence('passes') : answer.said);
		asked = false;
	}

	function look() {
		clearTimeout(looking);
		looking = setTimeout(function () {
			var then = galley.savedText();
			lookedAt = Date.now();
			fetch(form.getAttribute('action') + '/checks?again', { credentials: 'same-origin',
				redirect: 'error', headers: { Accept: 'application/json' }
			}).then(function (answer) {
				return answer.ok ? answer.json() : Promise.reject();
			}).then(function (answer) { showChecks(answer, then); }).catch(function () {
				/* The next save asks again. */
			});
		}, asked ? 0 : Math.max(0, lookedAt + CHECK_MS - Date.now()));
	}
	galley.afterSave(look);
	form.querySelector('[name=check]').addEventListener('click', function (event) {
		if (galley.isNew || galley.needsPress())
			return;
		event.preventDefault();
		asked = true;
		if (galley.isSaved())
			look();
		else
			galley.save();
	});

	galley.afterSave(function (answer) {
		var box = document.getElementById('losses');
		box.hidden = answer.losses.length === 0;
		box.querySelector('ul').replaceChildren.apply(box.querySelector('ul'),
			answer.losses.map(item));
	});
}());
