/* How the text is shown: as readers see it, or as Markdown. The visual view is a script of its own
 * (editor/, in one file visual.js), which is loaded where it is chosen. The browser remembers the
 * choice. What cannot be shown stays the text area, with a sentence. */
if (galley) (function () {
	'use strict';

	var KEY = 'galley visual';
	var text = galley.text, bar = document.getElementById('tools');
	var address = document.getElementById('saving').dataset.visual;
	var view = null; /* what the script made */

	/* The script comes from here alone. */
	function isOurs(url) {
		return url.origin === location.origin && /\/assets\/visual-[0-9a-f]{16}\.js$/.test(url.pathname);
	}
	if (!bar || !address || text.readOnly || !isOurs(new URL(address, location.href)))
		return;

	function chosen() {
		try {
			return localStorage.getItem(KEY);
		} catch (e) {
			return null; /* A forbidden storage. */
		}
	}
	function choose(way) {
		try {
			localStorage.setItem(KEY, way);
		} catch (e) {
			/* It is asked again on the next page. */
		}
	}

	/* ---- what is in the page for it */

	function button(name, press) {
		var one = document.createElement('button');
		one.type = 'button';
		one.className = 'button quiet';
		one.textContent = galley.sentence(name);
		one.addEventListener('click', press);
		return one;
	}
	var ways = document.createElement('div');
	ways.className = 'ways';
	ways.setAttribute('role', 'group');
	ways.setAttribute('aria-label', galley.sentence('ways'));
	var visual = button('visual', function () {
		choose('visual');
		open();
	});
	var markdown = button('markdown', function () {
		choose('markdown');
		say('');
		shows(false);
		if (view)
			view.leave();
	});
	ways.append(visual, markdown);
	bar.append(ways);
	if (bar.getAttribute('role') === 'toolbar')
		visual.tabIndex = markdown.tabIndex = -1;

	var box = document.createElement('div'), words = document.createElement('p');
	var again = button('again', function () {
		open();
		galley.focus();
	});
	box.className = 'visual-said';
	words.id = 'visual-said';
	words.setAttribute('role', 'status');
	box.append(words, again);
	bar.after(box);

	/* Says why the text is not shown as it is asked for, or what became of it. */
	function say(name, mayTry) {
		words.textContent = name ? galley.sentence(name) : '';
		again.hidden = !mayTry;
		box.hidden = !name;
	}

	/* A text that is shown as readers see it, or soon will be, looks like no field of a form. */
	function shows(is) {
		text.parentNode.classList.toggle('as-read', is);
		visual.setAttribute('aria-pressed', String(is));
		markdown.setAttribute('aria-pressed', String(!is));
	}

	/* ---- the script */

	function load(done) {
		if (window.galleyVisual)
			return done();
		var script = document.createElement('script');
		script.src = address;
		script.onload = script.onerror = done;
		document.head.append(script);
	}

	function open() {
		say('');
		shows(true);
		load(function () {
			if (!window.galleyVisual) {
				shows(false);
				say('cannot', true);
				return;
			}
			view = view || window.galleyVisual.page(galley, say, shows);
			view.enter();
		});
	}

	/* What is said of the blocks goes with the text, where that is Markdown, too. */
	function follow() {
		if (galley.form.elements.facts.value !== '')
			load(function () {
				if (window.galleyVisual)
					view = view || window.galleyVisual.page(galley, say, shows);
			});
	}
	text.addEventListener('put', follow);

	say('');
	if (chosen() === 'markdown') {
		shows(false);
		follow();
	} else {
		open();
	}
}());
