/* Menus of the frame close at the key Escape and at a press outside. They open without this script:
 * they are <details>. Workspaces in the first, and the number of what waits beside Home, come after the
 * page (console/home.c); the next pages of a minute take the same. */
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

	function element(name, className, text) {
		var made = document.createElement(name);
		made.className = className;
		made.textContent = text;
		return made;
	}

	function siteOf(site) {
		var link = element('a', '', ''), mark = element('span', 'mark', Array.from(site.name)[0] || '');
		mark.setAttribute('aria-hidden', 'true');
		link.href = site.address;
		if (site.here)
			link.setAttribute('aria-current', 'true');
		link.append(mark, element('bdi', '', site.name));
		return link;
	}

	function show(menu, homes) {
		var sites = document.querySelector('.pop > div');
		if (menu.sites.length > 0)
			sites.prepend.apply(sites, menu.sites.map(siteOf).concat(document.createElement('hr')));
		homes.forEach(function (home) {
			var waits = element('span', 'waits', menu.waits);
			waits.append(element('span', 'heard', ' ' + menu.heard));
			if (menu.waits !== null)
				home.append(' ', waits);
		});
	}

	/* What was asked for in the last minute, of this person and place. After an act, which leads on with a
	 * redirect, and on Home, which shows what waits, all is asked for again. */
	function kept(of, home) {
		var way = performance.getEntriesByType('navigation')[0];
		if (home.hasAttribute('aria-current') || !way || way.redirectCount > 0)
			return null;
		try {
			var menu = JSON.parse(sessionStorage.getItem('galley menu'));
			return menu && menu.of === of && Date.now() - menu.at < 60000 ? menu : null;
		} catch (e) {
			return null;
		}
	}

	function fill() {
		var home = document.querySelector('.side a'), person = document.querySelector('.pop.end p');
		if (!home || !person)
			return;
		var of = home.href + '\n' + person.textContent, known = kept(of, home);
		var homes = Array.from(document.querySelectorAll('.side a, .dock a')).filter(function (link) {
			return link.href === home.href;
		});
		if (known) {
			show(known, homes);
			return;
		}
		fetch(home.href.replace(/\/$/, '') + '/menu?again', { credentials: 'same-origin' }).then(function (answer) {
			return answer.ok ? answer.json() : null;
		}).then(function (menu) {
			if (!menu)
				return;
			show(menu, homes);
			menu.of = of;
			menu.at = Date.now();
			sessionStorage.setItem('galley menu', JSON.stringify(menu));
		}).catch(function () {});
	}

	document.addEventListener('click', function (event) {
		close(event.target);
	});
	document.addEventListener('keydown', function (event) {
		var closed = event.key === 'Escape' ? close(null) : null;
		if (closed)
			closed.querySelector('summary').focus();
	});

	fill();
}());
