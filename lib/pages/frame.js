/* Speaks with embed.js of the website that shows this page in a frame (docs/pages.md §6). It hears and
 * tells nobody but the window around it, and this only if its origin is one of those that the page
 * names. Outside a frame it does nothing. */
(() => {
	'use strict';
	if (parent === window)
		return;
	const script = document.currentScript, { below } = script.dataset;
	const { site, collect } = script.dataset;
	const origins = script.dataset.origins.split(' ').filter((origin) =>
		!location.ancestorOrigins || location.ancestorOrigins[0] === origin);
	let told = 0, agreed = false, loaded = false;

	const tell = (message) => origins.forEach((origin) => parent.postMessage(message, origin));

	/* The body's box with its margins, which are in no box of their own. */
	function height() {
		const style = getComputedStyle(document.body);
		return Math.ceil(document.body.getBoundingClientRect().height
			+ parseFloat(style.marginTop) + parseFloat(style.marginBottom));
	}

	function measure() {
		const now = height();
		if (now !== told)
			tell({ galley: 'height', height: told = now });
	}

	/* The window around the frame scrolls: the frame is as high as its page. */
	function show(hash) {
		const target = document.querySelector(':target') || document.getElementById(hash.slice(1));
		if (target)
			tell({ galley: 'scroll', y: Math.max(0, target.getBoundingClientRect().top + scrollY) });
	}

	/* What the reader said to the website around the frame. The script that counts comes only now. */
	function consent(given) {
		agreed = given;
		if (window.galley && galley.consent)
			return galley.consent(given);
		if (!given || !site || loaded)
			return;
		loaded = true;
		const counting = document.createElement('script');
		counting.src = collect;
		counting.dataset.site = site;
		counting.onload = () => galley.consent(agreed);
		document.head.append(counting);
	}

	/* embed.js names the window so where the website around it has no dark colours. */
	if (window.name === 'galley-light')
		document.documentElement.style.colorScheme = 'light';
	document.documentElement.classList.add('framed');
	tell({ galley: 'page', height: told = height(), title: document.title,
		path: location.pathname.startsWith(below)
			? location.pathname.slice(below.length) + location.search : '' });
	new ResizeObserver(measure).observe(document.body);
	if (location.hash.length > 1)
		show(location.hash);

	/* Pages stay in the frame; all else takes the whole window, because most websites refuse frames. */
	document.addEventListener('click', (event) => {
		const link = event.target.closest('a[href]');
		if (!link || !/^https?:$/.test(link.protocol))
			return;
		if (link.origin !== location.origin || !link.pathname.startsWith(below) || /\/feed\.\w+$/.test(link.pathname))
			link.target = '_top';
		else if (link.hash && link.pathname + link.search === location.pathname + location.search)
			show(link.hash);
	});

	addEventListener('message', (event) => {
		const said = event.data;
		if (event.source === parent && origins.includes(event.origin) && said && said.galley === 'consent'
			&& typeof said.given === 'boolean')
			consent(said.given);
	});
})();
