/* Galley's pages in frames of another site (docs/embed.md). */
(() => {
	'use strict';
	const galley = window.galley = window.galley || {};
	if (galley.embed)
		return galley.embed();
	let frames = [];
	const before = galley.consent, page = document, on = addEventListener;

	/* The path below /pages/WORD/ of a text, or null. */
	const clean = text => {
		try {
			const [path, query] = text.split('?'), parts = path.split('/').map(decodeURIComponent);
			return text.length > 3000 || parts[2] != null ? null
				: !path ? query ? '?' + new URLSearchParams(query) : ''
				: parts.every(part => /^[\p{L}\p{M}\p{N}-]+$/u.test(part))
				? parts.map(encodeURIComponent).join('/') : null;
		} catch (e) {
			return null;
		}
	};

	/* The frame's path in the page's address, or null. */
	const wanted = frame => {
		const text = location.hash.slice(3), word = text.split(/[/?]/)[0];
		return frame.off || !location.hash.startsWith('#!/') ? null
			: word == frame.word ? clean(text.slice(word.length).replace('/', ''))
			: frame != frames[0] || page.querySelector(`script[data-pages="${CSS.escape(word)}"]`) ? null
			: clean(text);
	};

	const tell = frame => {
		if (frame.heard && galley.given != null)
			frame.box.contentWindow?.postMessage({ galley: 'consent', given: galley.given }, frame.origin);
	};

	const hear = (frame, said) => {
		const box = frame.box, top = box.getBoundingClientRect().top;
		const scroll = y => scrollBy({ top: top + y, behavior: 'instant' });
		if (said.height > 0 && said.height < 2e5)
			box.style.height = said.height + 'px';
		if (said.y >= 0 && said.y < 2e5)
			scroll(said.y);
		if (said.galley != 'page')
			return;
		if ((frame.heard || frame.path) && (top < 0 || top > innerHeight))
			scroll(0);
		box.style.visibility = '';
		box.title = frame.title || `${said.title}`;
		frame.heard = true;
		tell(frame);
		const path = frame.path = clean(`${said.path}`) || '';
		if (!frame.off && (path || wanted(frame) != null))
			history.replaceState(history.state, '', page.URL.split('#')[0] + (path && '#!/' +
				(frames[1] || path.split('/')[0] == frame.word ? frame.word + '/' : '') + path));
	};

	const place = script => {
		const { pages: word, title, hash } = script.dataset, box = page.createElement('iframe');
		script.dataset.served = '';
		if (!script.src || !/^[a-z0-9-]+$/.test(word))
			return;
		const base = new URL(`pages/${word}/`, script.src);
		const frame = { box, word, title, base, origin: base.origin, off: hash == 'off' };
		frames = [...frames.filter(one => one.box.isConnected), frame];
		frame.path = wanted(frame) || '';
		box.title = title || word;
		box.style = 'display:block;width:100%;height:25em;border:0;visibility:hidden';
		box.src = base + frame.path;
		/* What may not be shown here says nothing: a link takes its place. */
		box.onload = () => setTimeout(() => {
			if (frame.heard)
				return;
			const link = page.createElement('a');
			link.href = base;
			link.textContent = title || base;
			box.replaceWith(link);
		}, 5000);
		/* Most websites are only light. */
		if (!/dark/.test(getComputedStyle(script).colorScheme))
			box.name = 'galley-light';
		script.after(box);
	};

	/* An address may name a frame that is not read yet. */
	galley.embed = () => {
		if (page.readyState != 'loading' || !location.hash)
			page.querySelectorAll('script[data-pages]:not([data-served])').forEach(place);
	};

	/* collect.js has this function, too. */
	galley.consent = given => {
		galley.given = given === true;
		frames.forEach(tell);
		if (before)
			before(given);
	};
	if (page.querySelector('script[data-consent="given"]'))
		galley.given = true;

	on('message', event => frames.forEach(frame => {
		if (event.origin == frame.origin && event.data && event.source &&
			event.source == frame.box.contentWindow)
			hear(frame, event.data);
	}));
	on('hashchange', () => frames.forEach(frame => {
		const path = wanted(frame);
		if (path != null && path != frame.path)
			frame.box.contentWindow?.location.replace(frame.base + (frame.path = path));
	}));
	on('DOMContentLoaded', galley.embed);
	galley.embed();
})();
