// What the documentation page can do besides being read: it shows the reader's own
// address in the samples, languages as tabs, a button that copies, and a search. All
// of it is there, as headings and text, where no script runs.
'use strict';
(() => {
  const root = document.documentElement;
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const made = (name, members = {}, ...children) => {
    const element = Object.assign(document.createElement(name), members);
    element.append(...children);
    return element;
  };
  root.classList.add('script');

  // ---- the reader's own address

  if (/^https?:$/.test(location.protocol)) {
    const here = new URL(root.dataset.root, location.href).href.replace(/\/$/, '');
    for (const place of all('.here')) place.textContent = here;
    root.classList.add('known');
  }

  // ---- tabs

  const kept = {
    get language() {
      try { return localStorage.getItem('language'); } catch { return null; }
    },
    set language(name) {
      try { localStorage.setItem('language', name); } catch { /* not for ever, then */ }
    },
  };

  const groups = all('.tabs').map((box, number) => {
    const panels = all(':scope > .tab', box);
    const list = made('div', { className: 'tablist' });
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', box.dataset.label);
    const tabs = panels.map((panel, place) => {
      const heading = panel.querySelector('h3');
      const tab = made('button', { type: 'button', id: `tab-${number}-${place}` }, heading.textContent);
      tab.setAttribute('role', 'tab');
      panel.id ||= `panel-${number}-${place}`;
      tab.setAttribute('aria-controls', panel.id);
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tab.id);
      heading.hidden = true;
      tab.onclick = () => chooseAll(heading.textContent, box);
      tab.onkeydown = (event) => {
        const way = getComputedStyle(box).direction === 'rtl' ? -1 : 1;
        const goals = { Home: 0, End: tabs.length - 1, ArrowRight: place + way, ArrowLeft: place - way };
        if (!(event.key in goals)) return;
        event.preventDefault();
        const next = tabs[(goals[event.key] + tabs.length) % tabs.length];
        next.focus();
        next.click();
      };
      list.append(tab);
      return tab;
    });
    box.prepend(list);
    const choose = (name) => {
      const chosen = tabs.findIndex((tab) => tab.textContent === name);
      if (chosen < 0) return;
      tabs.forEach((tab, place) => {
        tab.setAttribute('aria-selected', String(place === chosen));
        tab.tabIndex = place === chosen ? 0 : -1;
        panels[place].hidden = place !== chosen;
      });
    };
    choose(tabs[0].textContent);
    return { box, choose };
  });

  // One language in all groups; the page stays where the reader is.
  function chooseAll(name, box) {
    const before = box?.getBoundingClientRect().top;
    for (const group of groups) group.choose(name);
    if (box) scrollBy(0, box.getBoundingClientRect().top - before);
    kept.language = name;
  }
  if (kept.language) chooseAll(kept.language);

  // A link into a panel opens it.
  function open() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = target && target.closest('.tab[hidden]');
    if (!panel) return;
    groups.find(({ box }) => box.contains(panel)).choose(panel.querySelector('h3').textContent);
    target.scrollIntoView();
  }
  addEventListener('hashchange', open);
  open();

  // ---- copying

  const said = made('p', { className: 'unseen' });
  said.setAttribute('role', 'status');
  document.body.append(said);

  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      if (!document.execCommand('copy')) return false;
      getSelection().removeAllRanges();
    }
    return true;
  }

  for (const box of all('.code')) {
    const button = made('button', { type: 'button', className: 'copy' }, 'Copy');
    button.onclick = async () => {
      const done = await copy(box.querySelector('code'));
      said.textContent = button.textContent = done ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2000);
    };
    box.append(button);
  }

  // ---- search

  const form = document.getElementById('search');
  const field = form.querySelector('input');
  const found = document.getElementById('found');
  const count = document.getElementById('count');
  const MOST = 12;

  const plain = (element) => element.textContent.replace(/\s+/g, ' ').trim();
  const parts = all('main section[id], main tr[id]').map((part) => {
    const isRow = part.localName === 'tr';
    const heading = isRow ? part.cells[0] : part.querySelector('h2, h3');
    const own = part.cloneNode(true);
    all('section[id], tr[id], .code, .tablist', own).forEach((inner) => inner.remove());
    all('th, td, li, dt, dd, p, caption', own).forEach((inner) => inner.append(' '));
    (isRow ? own.cells[0] : own.querySelector('h2, h3')).remove();
    const above = isRow ? `${plain(part.closest('section').querySelector('h3'))} \u00b7 ` : '';
    return { id: part.id, title: above + plain(heading), name: plain(heading).toLowerCase(),
      text: plain(own), isRow };
  });

  function rank(part, words) {
    const text = `${part.title} ${part.text}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return -1;
    const inName = words.every((word) => part.name.includes(word));
    return (part.name === words.join(' ') ? 8 : 0) + (inName ? 4 : 0) + (part.isRow ? 0 : 1);
  }

  function excerpt({ text }, word) {
    const at = text.toLowerCase().indexOf(word);
    const from = at < 50 ? 0 : text.indexOf(' ', at - 40) + 1;
    return (from ? '\u2026 ' : '') + text.slice(from, from + 90) + (text.length > from + 90 ? ' \u2026' : '');
  }

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : parts.map((part) => ({ part, rank: rank(part, words) }))
      .filter((hit) => hit.rank >= 0).sort((a, b) => b.rank - a.rank);
    found.replaceChildren(...hits.slice(0, MOST).map(({ part }) =>
      made('li', {}, made('a', { href: `#${part.id}` }, part.title), made('span', {}, excerpt(part, words[0])))));
    const more = hits.length > MOST ? `, ${MOST} shown` : '';
    count.textContent = words.length === 0 ? '' : hits.length === 0 ? 'Nothing found'
      : hits.length === 1 ? '1 place' : `${hits.length} places${more}`;
    root.classList.toggle('searching', words.length > 0);
  }

  function end() {
    field.value = '';
    search();
  }
  form.hidden = false;
  field.oninput = search;
  form.onsubmit = (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  };
  found.onclick = (event) => { if (event.target.closest('a')) end(); };
  form.onkeydown = (event) => { if (event.key === 'Escape') end(); };
  document.onkeydown = (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, [contenteditable]')) return;
    event.preventDefault();
    field.focus();
  };
})();
