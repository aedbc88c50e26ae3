/* Sends a large file in slices (docs/console.md §3.13), and goes on where the last one ended when
 * the connection comes back, or the same file is chosen again within a day. The form follows with
 * the upload's id. Without this script the form brings the file itself. Sentences are in the
 * page: <span data-say="NAME" hidden>. */
(function () {
	'use strict';

	var SLICE = 4 << 20, LEAST = 256 << 10;
	var ANSWER_MS = 120000; /* until a request counts as lost */
	var WAIT_MS = [1000, 2000, 5000, 10000, 20000, 30000]; /* until it is sent again */

	var line = document.getElementById('sending');
	var form = line && document.getElementById(line.dataset.form);
	if (!form || !window.fetch || !window.FormData)
		return;
	var input = form.querySelector('input[type=file]');
	var shown = document.getElementById('sending-now');
	var sending = false, slice = SLICE;

	function say(name, value, link) {
		shown.textContent = line.querySelector('[data-say="' + name + '"]').textContent
			.replace('%s', value || '');
		if (link) {
			var a = document.createElement('a');
			a.href = link;
			a.textContent = line.querySelector('[data-say="sign-in"]').textContent;
			shown.append(' ', a);
		}
	}

	function ask(to, fields) {
		var body = new FormData(), end = new AbortController();
		var timer = setTimeout(function () { end.abort(); }, ANSWER_MS);
		body.append('token', form.elements.token.value);
		Object.keys(fields).forEach(function (name) { body.append(name, fields[name]); });
		return fetch(to, { method: 'POST', body: body, signal: end.signal,
			headers: { Accept: 'application/json' } }).then(function (answer) {
				return answer.json().then(function (said) {
					return { status: answer.status, said: said };
				});
			}).finally(function () { clearTimeout(timer); });
	}

	/* Sends a request until it is answered. Nothing or a 5xx is a break: smaller slices then. */
	async function insist(to, fields) {
		for (var tries = 0;; tries++) {
			try {
				var answer = await ask(to(), fields());
				if (answer.status < 500)
					return answer;
			} catch (e) {
				/* no connection, or an answer that is not ours */
			}
			say('waits');
			slice = Math.max(LEAST, slice / 2);
			await new Promise(function (go) {
				setTimeout(go, WAIT_MS[Math.min(tries, WAIT_MS.length - 1)]);
			});
		}
	}

	/* Returns the id of the whole upload, or null where it was refused. */
	async function send(file) {
		var to = line.dataset.to, at = 0;
		var answer = await insist(function () { return to; }, function () {
			return { kind: line.dataset.kind, size: file.size, mark: file.lastModified };
		});
		while (answer.said && answer.said.id && at < file.size) {
			at = answer.said.offset;
			say('sends', Math.floor(100 * at / file.size) + ' %');
			if (at < file.size)
				answer = await insist(function () {
					return to + '/' + answer.said.id + '?offset=' + at;
				}, function () {
					return { slice: file.slice(at, at + slice) };
				});
		}
		if (answer.said && answer.said.id)
			return answer.said.id;
		if (answer.said && answer.said.sign_in)
			say('ended', '', answer.said.sign_in);
		else
			shown.textContent = answer.said && answer.said.errors
				? answer.said.errors[0].text : '';
		return null;
	}

	form.addEventListener('submit', async function (event) {
		var file = input.files[0], button = event.submitter;
		if (!file || form.elements.upload.value)
			return;
		event.preventDefault();
		if (sending)
			return;
		sending = true;
		var id = await send(file);
		sending = false;
		if (!id)
			return;
		say('sends', '100 %');
		form.elements.upload.value = id;
		input.disabled = true;
		form.requestSubmit(button);
	});

	window.addEventListener('beforeunload', function (event) {
		if (sending)
			event.preventDefault();
	});

	/* A page that comes back from the browser's memory holds nothing that was used. */
	window.addEventListener('pageshow', function () {
		if (input.disabled) {
			input.disabled = false;
			form.elements.upload.value = '';
		}
	});
}());
