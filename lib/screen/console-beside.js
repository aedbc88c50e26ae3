/* The preview beside the text on a wide screen, over it on a narrow one: what is saved, as its
 * readers will see it. It keeps its place when it is drawn again. */
if (galley && document.getElementById('beside')) (function () {
	'use strict';

	var box = document.getElementById('beside');
	var frames = document.getElementById('beside-frames');
	var frame = null;
	var button = galley.form.querySelector('[name=preview]');
	var wide = window.matchMedia('(min-width: 96rem)');
	var dark = window.matchMedia('(prefers-color-scheme: dark)');

	/* The next page is loaded after the present one, and takes its place when it is drawn. */
	function draw() {
		if (!box.open)
			return;
		var next = document.createElement('iframe');
		next.title = box.dataset.title;
		next.src = box.dataset.src + (dark.matches ? 'dark' : 'light');
		next.className = 'coming';
		next.addEventListener('load', function () {
			if (frame && frame !== next) {
				try {
					next.contentWindow.scrollTo(0, frame.contentWindow.scrollY);
				} catch (e) {
					/* An answer that is no preview: it is shown from its top. */
				}
			}
			frames.querySelectorAll('iframe').forEach(function (old) {
				if (old !== next)
					old.remove();
			});
			next.className = '';
			frame = next;
		});
		frames.append(next);
	}

	function remember(is) {
		try {
			localStorage.setItem('galley beside', is ? '1' : '');
		} catch (e) {
			/* It is closed on the next page. */
		}
	}

	/* Over the text it has the focus; beside it the text keeps it. */
	function open() {
		if (wide.matches)
			box.open = true;
		else
			box.showModal();
		draw();
		if (!galley.isSaved())
			galley.saveSoon();
	}

	button.addEventListener('click', function (event) {
		event.preventDefault();
		if (box.open) {
			box.close();
			return;
		}
		open();
		remember(wide.matches);
	});
	document.getElementById('beside-close').addEventListener('click', function () {
		box.close();
	});
	box.addEventListener('close', function () {
		remember(false);
		frames.textContent = '';
		frame = null;
		button.focus();
	});
	galley.afterSave(draw);
	dark.addEventListener('change', draw);
	try {
		if (wide.matches && localStorage.getItem('galley beside') === '1')
			open();
	} catch (e) {
		/* It waits for its button. */
	}
}());
