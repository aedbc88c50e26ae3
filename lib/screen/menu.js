/* Menus of the frame close at the key Escape and at a press outside. They open without this script:
 * they are <details>. */
(function () {
	'use strict';

	function close(but) {
		var closed = null;
		document.querySelectorAll('details.pop[open], .dock details[open]').forEach(function (menu) {
			if (but === null || !menu.contains(but)) {
				menu.open = false;
				closed = menu;
			}
		});
		return closed;
	}

	document.addEventListener('click', function (event) {
		close(event.target);
	});
	document.addEventListener('keydown', function (event) {
		var closed = event.key === 'Escape' ? close(null) : null;
		if (closed)
			closed.querySelector('summary').focus();
	});
}());
