/* Counts what is read on a website, once its reader agreed (docs/pages.md §7). It stores nothing. */
(() => {
	'use strict';
	const page = document, script = page.currentScript || page.querySelector('script[data-site]');
	const galley = window.galley = window.galley || {}, before = galley.consent;
	let from = page.referrer, last;

	/* One hit for each address, and none that the browser asks not to send. */
	const send = () => {
		const { href, pathname, search, host } = location, wide = innerWidth, nav = navigator;
		const address = href.split('#')[0];
		if (!galley.given || page.prerendering || nav.webdriver || nav.globalPrivacyControl
			|| /^(1|yes)/.test(nav.doNotTrack || window.doNotTrack) || address == last)
			return;
		last = address;
		const hit = {
			site_id: script.dataset.site,
			path: pathname,
			consent: true,
			width: wide < 480 ? 'xs' : wide < 768 ? 's' : wide < 1024 ? 'm' : wide < 1440 ? 'l' : 'xl'
		};
		const add = (name, text) => {
			if (text)
				hit[name] = text;
		};
		const article = page.querySelector('article.ab-article');
		add('article', article && article.id.slice(3));
		from = from.split('/')[2];
		add('referrer', from != host && from);
		from = '';
		for (const name of ['utm_source', 'utm_medium', 'utm_campaign'])
			add(name, (new URLSearchParams(search).get(name) || '').slice(0, 50));
		let body;
		/* The collector takes 1 KiB. */
		while (new Blob([body = JSON.stringify(hit)]).size > 1024)
			hit.path = hit.path.replace(/\/[^/]*$/, '') || '/';
		nav.sendBeacon(new URL('collect', script.src), body);
	};

	/* Of embed.js and this script, the later one wraps the function of the other. */
	galley.consent = given => {
		galley.given = given === true;
		send();
		if (before)
			before(given);
	};
	galley.view = send;
	if (script.dataset.consent == 'given')
		galley.given = true;
	page.addEventListener('prerenderingchange', send);
	send();
})();
