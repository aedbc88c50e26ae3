/* The editor's script (docs/console.md §5.4). Everything works without it: it sends the same form
 * by itself when the typing rests, and keeps what is not saved yet in this tab.
 * Behind it come console-text.js (tools, keys, ways from a check to its place), console-paste.js
 * (pasted HTML, pictures), console-beside.js (the preview) and console-visual.js (the visual view),
 * which use what it returns; null where nothing is to be saved. Sentences are in the page, in the
 * reader's language: <span data-say="NAME" hidden>.
 *
 * While the visual view covers the text area it has set these in what is returned:
 * flush(): writes what it shows into the text area; show(text, done, fits): shows another text, and
 * calls done(true) if fits() says that nothing was typed meanwhile, else done(false); reopen(call): calls it
 * while the text area is seen; focus(); choose(from, to): chooses a place of the text; mark(line): the
 * line that a refusal names. */
var galley = (function () {
	'use strict';

	var REST_MS = 3000;      /* after the last key until it is sent */
	var MOST_MS = 10000;     /* after the first key that is not sent, though typing goes on */
	var ANSWER_MS = 30000;   /* until a request counts as lost */
	var WAIT_MS = [5000, 10000, 20000, 30000]; /* until it is sent again */

	var form = document.getElementById('article');
	var line = document.getElementById('saving');
	var counted = document.getElementById('words');
	if (!form || !line || !window.fetch || !window.FormData)
		return null;
	var text = form.elements.text, facts = form.elements.facts;
	var isNew = /\/new$/.test(form.getAttribute('action')); /* until the first save */
	var first = null;        /* the save that makes it: sent again, it is the same */
	var waiting = null;      /* a button that was pressed while that was on its way */
	var key = 'galley ' + line.dataset.person + ' ' + form.getAttribute('action');
	var sending = null;      /* what is on its way: its values */
	var pressed = false;     /* somebody asked for a save while another was on its way */
	var after = [];          /* what is called when something was saved */
	var held = null;         /* what is sent again after the next key only */
	var since = 0;           /* when that key came; 0: all is sent */
	var timer = 0, failures = 0, stopped = false, leaving = false, clashed = false;
	var savedAt = '';        /* the clock's time of the last save, in words */
	var last = document.getElementById('last-save'); /* what the page said of it */
	/* What is said of the text's blocks is kept and sent as the other fields. */
	if (facts) {
		var said = document.createElement('textarea');
		said.name = 'facts';
		said.hidden = true;
		said.autocomplete = 'off';
		said.value = facts.value;
		facts.replaceWith(said);
		facts = said;
	}
	/* The sheet shows what only a script moves, and keeps "Save" for what only a person sends. */
	form.classList.add('scripted');

	/* ---- sentences */

	function sentence(name, value) {
		return line.querySelector('[data-say="' + name + '"]').textContent
			.replace('%s', value || '');
	}

	/* Who hears the page hears what matters, not each save. */
	function hear(words) {
		document.getElementById('saving-heard').textContent = words;
	}

	function say(name, value, link) {
		var shown = document.getElementById('saving-now');
		var matters = /^(merged|lost|signed-out|clash|refused)$/.test(name);
		shown.textContent = name ? sentence(name, value) : '';
		shown.classList.toggle('matters', matters);
		shown.classList.toggle('good', name === 'saved');
		clashed = name === 'clash';
		ask();
		if (matters)
			hear(shown.textContent);
		if (!link)
			return;
		var a = document.createElement('a');
		a.href = link;
		a.textContent = sentence('sign-in');
		shown.append(' ', a);
	}

	/* ---- what the form holds */

	/* A phone shows "Save" where it is needed. */
	function ask() {
		form.classList.toggle('asks', clashed || needsPress());
	}

	/* Files and the comment are sent by a person only. */
	function needsPress() {
		return Array.prototype.some.call(form.elements, function (field) {
			return field.name && field.value &&
				(field.type === 'file' || field.name === 'comment');
		});
	}

	function isOurs(field) {
		return field.name && field.type !== 'submit' && field.type !== 'file' &&
			field.type !== 'hidden' && field.name !== 'comment' && !field.readOnly;
	}

	function values() {
		var all = {};
		if (galley && galley.flush)
			galley.flush();
		for (var field of form.elements) {
			if (isOurs(field))
				all[field.name] = field.type === 'checkbox' ? field.checked : field.value;
		}
		return all;
	}

	function put(all) {
		Object.keys(all).forEach(function (name) {
			var field = form.elements[name];
			if (!field || !isOurs(field))
				return;
			if (field.type === 'checkbox') {
				field.checked = all[name];
			} else if (field.type === 'select-one') {
				/* A cover that is not among the newest pictures. */
				field.value = all[name];
				if (field.value !== all[name])
					field.add(new Option(all[name], all[name], true, true));
			} else if (field.value !== all[name]) {
				var at = field.selectionStart, scroll = field.scrollTop;
				field.value = all[name];
				if (field === document.activeElement && field === text)
					field.setSelectionRange(at, at);
				field.scrollTop = scroll;
			}
		});
		text.dispatchEvent(new Event('put'));
	}

	function same(one, other) {
		return JSON.stringify(one) === JSON.stringify(other);
	}

	/* Shows other values in the place of those that were sent, unless somebody typed meanwhile. */
	function replace(all, sent, done, base) {
		function fits() {
			return same(values(), sent);
		}
		function set(is) {
			if (!is)
				return;
			held = null;
			put(all);
			done();
		}
		if (!fits())
			return;
		if (all.text !== undefined && galley.show) {
			held = sent;
			galley.show(all.text, set, fits, base);
		} else {
			set(true);
		}
	}

	var acknowledged = values();

	/* ---- the copy in this tab */

	/* When the base was shown, in microseconds: a number begins with its time. It goes with the
	 * base wherever the form gets another number. */
	function shown() {
		return form.elements.shown.value ||
			String(parseInt(form.elements.number.value.slice(0, 16), 16));
	}

	function keep() {
		try {
			if (same(values(), acknowledged) || isEmpty())
				sessionStorage.removeItem(key);
			else
				sessionStorage.setItem(key, JSON.stringify({
					base: form.elements.base.value, shown: shown(),
					number: form.elements.number.value,
					first: first ? first.values : undefined,
					press: first ? first.press : undefined,
					values: values() }));
		} catch (e) {
			/* A full or forbidden storage: the page holds the text still. */
		}
	}

	/* A draft without title and text is never made. */
	function isEmpty() {
		return isNew && !form.elements.title.value.trim() && !text.value.trim();
	}

	function forget() {
		try {
			sessionStorage.removeItem(key);
		} catch (e) {
			/* as above */
		}
	}

	/* A press of a button made the draft. */
	function dropNew() {
		var of = key.replace(/[^\/]*$/, 'new');
		try {
			var copy = JSON.parse(sessionStorage.getItem(of) || 'null');
			if (copy && copy.values.title === form.elements.title.value &&
				copy.values.text.trim() === text.value.trim())
				sessionStorage.removeItem(of);
		} catch (e) {
			/* as above */
		}
	}

	/* Whether what was in the tab is what keep() left there: anybody can write there. */
	function isCopy(copy) {
		return copy && typeof copy.base === 'string' && typeof copy.shown === 'string' &&
			[copy.values, copy.first || copy.values].every(function (all) {
				return all && typeof all.text === 'string' && Object.keys(all).every(function (name) {
					return /^(?:string|boolean)$/.test(typeof all[name]);
				});
			});
	}

	/* The draft of a copy may have been made, and its answer lost with the page. */
	function takeFirst(copy) {
		if (!isNew || !copy.first)
			return;
		form.elements.number.value = String(copy.number);
		put(copy.first);
		first = { values: values(), data: body(copy.press), press: copy.press };
	}

	/* A sign-in or a crash came between: what was typed is offered, against its own base. */
	function offerCopy() {
		var box = document.getElementById('saving-copy'), copy;
		try {
			copy = JSON.parse(sessionStorage.getItem(key) || 'null');
		} catch (e) {
			copy = null;
		}
		if (!isCopy(copy))
			copy = null;
		/* The server gave an article what its form did not say. */
		['slug', 'date'].forEach(function (name) {
			if (copy && copy.values[name] === '' && form.elements[name])
				copy.values[name] = form.elements[name].value;
		});
		if (!copy || same(copy.values, values())) {
			forget();
			return;
		}
		stopped = true;
		box.hidden = false;
		document.getElementById('saving-take').addEventListener('click', function () {
			(galley.reopen || function (call) { call(); })(function () {
				takeFirst(copy);
				form.elements.base.value = copy.base;
				form.elements.shown.value = copy.shown;
				put(copy.values);
			});
			box.hidden = true;
			stopped = false;
			galley.focus();
			changed();
		});
		document.getElementById('saving-drop').addEventListener('click', function () {
			forget();
			box.hidden = true;
			stopped = false;
			galley.focus();
			changed();
		});
	}

	/* ---- saving */

	function later(ms) {
		clearTimeout(timer);
		timer = setTimeout(function () { timer = 0; send(false); }, ms);
	}

	/* Sends at the next rest, or when the first key has waited for long enough. */
	function rest() {
		since = since || Date.now();
		later(Math.max(0, Math.min(REST_MS, since + MOST_MS - Date.now())));
	}

	function changed() {
		held = null;
		if (stopped)
			return;
		keep();
		if (isEmpty() && !sending) {
			clearTimeout(timer);
			timer = 0;
			say('');
			return;
		}
		if (same(values(), acknowledged)) {
			/* It was undone. */
			if (!sending)
				say(savedAt ? 'saved' : '', savedAt);
			return;
		}
		say('waits');
		if (!sending)
			rest();
	}

	function body(press) {
		var data = new FormData(form);
		if (press)
			data.set('save', '1');
		for (var field of form.elements) {
			if (field.type === 'file' || field.name === 'comment')
				data.delete(field.name);
		}
		return data;
	}

	/* What others changed is shown, unless the person typed meanwhile: then the next save is
	 * made against the old base, and merges it again. */
	function take(answer) {
		var others = Object.assign({}, answer.fields), sent = sending;
		form.elements.shown.value = shown();
		form.elements.number.value = answer.number;
		if (answer.address) {
			/* Only the title can be new: it was made of the text. */
			if (others.title && form.elements.title.value === sent.title)
				put({ title: others.title });
			Object.assign(sent, others);
			others = {};
		}
		if (answer.text !== null)
			others.text = answer.text;
		/* The text that comes has them in its blocks. */
		if (others.text !== undefined && facts)
			others.facts = '';
		function accept() {
			acknowledged = sent;
			if (counted)
				counted.textContent = answer.length;
			form.elements.base.value = answer.base;
			form.elements.shown.value = answer.shown;
		}
		if (Object.keys(others).length === 0)
			accept();
		else
			replace(others, sent, function () {
				/* As the form holds them. */
				var now = values();
				Object.keys(others).forEach(function (name) {
					if (name in sent)
						sent[name] = now[name];
				});
				accept();
				keep();
			}, answer.base);
	}

	/* The draft was made: the page is that article's from now on. */
	function adopt(address) {
		forget();
		isNew = false;
		key = 'galley ' + line.dataset.person + ' ' + address;
		form.setAttribute('action', address);
		history.replaceState(history.state, '', address);
	}

	/* Takes the time of a save, "9:05" in the zone of the workspace, as the one that is said,
	 * here alone. */
	function saidAt(time) {
		savedAt = time;
		if (last)
			last.hidden = true;
	}

	function saved(answer, press) {
		failures = 0;
		first = null;
		if (answer.address)
			adopt(answer.address);
		take(answer);
		saidAt(answer.saved_at);
		say(answer.merged ? 'merged' : 'saved', savedAt);
		if (press && !answer.merged)
			hear(sentence('saved', savedAt));
		after.forEach(function (call) { call(answer); });
	}

	function refused(status, answer) {
		if (status < 500)
			first = null;
		if (answer.sign_in) {
			stopped = true;
			say('signed-out', '', answer.sign_in);
		} else if (answer.blocks) {
			stopped = true;
			say('clash');
		} else if (answer.errors && status < 500) {
			if (answer.number) {
				form.elements.number.value = answer.number;
				form.elements.shown.value = answer.shown;
			}
			/* What cannot be kept was taken out, unless the person typed on. */
			var kept = {};
			answer.errors.forEach(function (e) {
				if (e.value !== undefined)
					kept[e.field] = e.value;
			});
			replace(kept, sending, function () {});
			held = sending;
			if (galley.mark)
				galley.mark(answer.errors);
			/* The same again would be refused again: it waits for the next key. */
			say('refused', answer.errors.map(function (e) { return e.text; }).join(' '));
		} else {
			lost();
		}
	}

	function lost() {
		say('lost');
		later(WAIT_MS[Math.min(failures++, WAIT_MS.length - 1)]);
	}

	function done() {
		sending = null;
		keep();
		if (!stopped && failures === 0 && !same(values(), acknowledged) && !timer)
			rest();
		if (pressed && failures === 0)
			send(true);
		if (waiting) {
			var button = waiting;
			waiting = first = null;
			form.requestSubmit(button);
		}
	}

	/* Who leaves the tab may not come back. */
	function isHidden() {
		return document.visibilityState === 'hidden';
	}

	/* `press`: somebody asks for it, so that it is a save as that of the button. */
	function send(press) {
		if (sending && press)
			pressed = true;
		if (sending || stopped || leaving || isEmpty() ||
			(!press && (same(values(), acknowledged) || same(values(), held))))
			return;
		clearTimeout(timer);
		timer = since = 0;
		pressed = false;
		var control = new AbortController();
		var patience = setTimeout(function () { control.abort(); }, ANSWER_MS);
		var before = values(), data = body(press);
		if (isNew) {
			first = first || { values: before, data: data, press: press };
			keep();
			before = first.values;
			data = first.data;
		}
		sending = before;
		if (galley.sent && before.facts)
			galley.sent();
		say('sending');
		fetch(form.action, { method: 'POST', body: data, credentials: 'same-origin',
			redirect: 'error', signal: control.signal, keepalive: isHidden() && text.value.length < 20000,
			headers: { Accept: 'application/json' } }).then(function (answer) {
			return answer.json().then(function (json) {
				if (answer.ok)
					saved(json, press);
				else
					refused(answer.status, json);
			});
		}).catch(lost).then(function () {
			clearTimeout(patience);
			var typed = !same(values(), before);
			done();
			if (typed && !stopped && failures === 0)
				rest();
		});
	}

	/* ---- events */

	form.addEventListener('input', changed);
	form.addEventListener('change', changed);
	form.addEventListener('input', ask);
	form.addEventListener('submit', function (event) {
		/* A draft that is being made is not made twice. */
		if (isNew && sending && form.requestSubmit) {
			event.preventDefault();
			waiting = event.submitter;
			return;
		}
		leaving = true;
		clearTimeout(timer);
		keep();
	});
	document.addEventListener('visibilitychange', function () {
		if (isHidden())
			send(false);
	});
	window.addEventListener('pageshow', function () { leaving = false; });
	window.addEventListener('online', function () {
		if (!same(values(), acknowledged))
			later(0);
	});
	window.addEventListener('beforeunload', function (event) {
		if (!leaving && !same(values(), acknowledged))
			event.preventDefault();
	});
	if (last && last.dataset.at) { /* today, by this person */
		saidAt(last.dataset.at);
		say('saved', savedAt);
	}
	if (!isNew)
		dropNew();
	offerCopy();
	return {
		form: form, text: text, get isNew() { return isNew; }, needsPress: needsPress,
		say: say, sentence: sentence, hear: hear,
		focus: function () { text.focus(); },
		savedText: function () { return acknowledged.text; },
		/* Empties what is said of the blocks, if all of it was saved. Returns whether it was. */
		takeFacts: function () {
			var is = Boolean(facts) && facts.value === acknowledged.facts && text.value === acknowledged.text;
			if (is)
				facts.value = acknowledged.facts = '';
			return is;
		},
		isSaved: function () { return same(values(), acknowledged); },
		save: function () { send(true); },       /* as the button */
		saveSoon: function () { send(false); },  /* as by itself */
		afterSave: function (call) { after.push(call); }
	};
}());
