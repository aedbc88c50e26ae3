/* Buttons that copy what is before them (screen_copy() in screen.h), and that hand an address to what
 * the device shares with. They are hidden without this script. What they say is in the page, in the
 * reader's language. */
(function () {
	'use strict';

	/* Where nothing may be put on the clipboard, the text is chosen: the person copies it. */
	function choose(from) {
		if (from.select) {
			from.focus();
			from.select();
			return;
		}
		var range = document.createRange(), chosen = window.getSelection();
		range.selectNodeContents(from);
		chosen.removeAllRanges();
		chosen.addRange(range);
	}

	document.querySelectorAll('button[data-copied]').forEach(function (button) {
		var from = button.parentNode.querySelector('code, textarea, input');
		var line = button.parentNode.querySelector('[role=status]');

		function say(words) {
			line.textContent = '';
			setTimeout(function () { line.textContent = words; }, 50);
		}

		/* The clipboard is for https alone. */
		function byHand() {
			var done = false;
			choose(from);
			try {
				done = document.execCommand('copy');
			} catch (e) {
				/* It is chosen. */
			}
			if (done)
				button.focus();
			say(done ? button.dataset.copied : button.dataset.chosen);
		}

		button.hidden = false;
		button.addEventListener('click', function () {
			if (!navigator.clipboard) {
				byHand();
				return;
			}
			navigator.clipboard.writeText(from.value === undefined ? from.textContent
				: from.value).then(function () { say(button.dataset.copied); }, byHand);
		});
	});

	document.querySelectorAll('button[data-share]').forEach(function (button) {
		button.hidden = !navigator.share;
		button.addEventListener('click', function () {
			navigator.share({ url: button.dataset.share }).catch(function () {});
		});
	});
}());
