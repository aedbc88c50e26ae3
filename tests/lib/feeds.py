"""Checks a feed against the rules of Atom (RFC 4287) or of JSON Feed 1.1, and those that the W3C's
checker adds about dates, ids and links.

    python3 tests/lib/feeds.py atom|json ADDRESS <FEED

ADDRESS is where the feed was fetched. Standard output is JSON: {problems: [...], feed: {id, title,
updated, language, home}, entries: [{id, title, address, language, published, updated, author,
summary, html, tags}]}.
"""
import datetime
import html.parser
import json
import re
import sys
import xml.etree.ElementTree as tree

ATOM = '{http://www.w3.org/2005/Atom}'
LANG = '{http://www.w3.org/XML/1998/namespace}lang'
VOID = {'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'}
problems = []


def wrong(what, *about):
    problems.append(' '.join([what, *(repr(one)[:120] for one in about)]))


def is_date(text):
    """An RFC 3339 date-time with capital T and Z or an offset, of a real day, and not to come."""
    found = re.fullmatch(r'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)', text or '')
    if not found:
        return False
    try:
        at = datetime.datetime.fromisoformat(found[1] + found[2].replace('Z', '+00:00'))
    except ValueError:
        return False
    return at <= datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)


def is_id(text):
    return bool(re.fullmatch(r'urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', text or ''))


def is_address(text):
    return bool(re.fullmatch(r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:[/?#][A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*)?",
                             text or '')) and not re.search(r'%(?![0-9A-Fa-f]{2})', text)


def is_language(text):
    return bool(re.fullmatch(r'[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*', text or ''))


class Markup(html.parser.HTMLParser):
    """A feed reader shows html out of its page: each link must be whole, each element must end, and
    nothing may run."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.fragments = [], set(), []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        if tag in {'script', 'style', 'iframe', 'object', 'embed', 'form', 'meta', 'link', 'base'}:
            wrong('an element that readers drop', tag)
        for name, value in attrs:
            if name.startswith('on') or name == 'style':
                wrong('an attribute that readers drop', name)
            if name in {'href', 'src', 'cite', 'srcset'} and not re.match(r'https?://|mailto:', value or ''):
                wrong('an address that depends on where it is read', name, value)
            if name == 'id':
                self.ids.add(value)
            if name == 'href' and '#' in (value or ''):
                self.fragments.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            wrong('an end without a start', tag)


def check_html(text):
    markup = Markup()
    markup.feed(text)
    markup.close()
    if markup.open:
        wrong('elements without an end', markup.open)
    return markup


def check_dates(published, updated):
    for date in (published, updated):
        if not is_date(date):
            wrong('no date', date)
    if published and updated and published > updated:
        wrong('updated before it was published', published, updated)


# ---- Atom

FEED_ONCE, FEED_ANY = {'id': 1, 'title': 1, 'updated': 1, 'generator': 0, 'icon': 0, 'logo': 0, 'rights': 0,
                       'subtitle': 0}, {'author', 'category', 'contributor', 'link', 'entry'}
ENTRY_ONCE, ENTRY_ANY = {'id': 1, 'title': 1, 'updated': 1, 'content': 0, 'published': 0, 'rights': 0,
                         'source': 0, 'summary': 0}, {'author', 'category', 'contributor', 'link'}


def children(element, once, many):
    """Each child is one that may be there, as often as it may, and no text is between them."""
    for text in [element.text, *(child.tail for child in element)]:
        if (text or '').strip():
            wrong('a text between elements', text)
    names = [child.tag.removeprefix(ATOM) for child in element]
    for name in set(names):
        if name not in once and name not in many:
            wrong('an element that is not Atom\'s', element.tag, name)
    for name, least in once.items():
        if not least <= names.count(name) <= 1:
            wrong('so many of', name, names.count(name))


def text_of(element, name):
    found = element.find(ATOM + name)
    if found is None:
        return None
    if len(found):
        wrong('elements in a text', name)
    if found.get('type', 'text') not in {'text', 'html'}:
        wrong('a type of text', found.get('type'))
    return found.text or ''


def links(element):
    seen, by_rel = set(), {}
    for link in element.findall(ATOM + 'link'):
        rel = link.get('rel', 'alternate')
        key = (rel, link.get('type'), link.get('hreflang'))
        if rel == 'alternate' and key in seen:
            wrong('two alternates of a kind', key)
        seen.add(key)
        if rel not in {'alternate', 'self'} or len(link) or (link.text or '').strip():
            wrong('a link', rel)
        if not is_address(link.get('href')):
            wrong('no address', link.get('href'))
        if not re.fullmatch(r'[a-z]+/[a-z0-9.+-]+', link.get('type', '')):
            wrong('a type', link.get('type'))
        if link.get('hreflang') and not is_language(link.get('hreflang')):
            wrong('a language', link.get('hreflang'))
        by_rel[rel] = link.get('href')
    return by_rel


def authors(element):
    for person in element.findall(ATOM + 'author'):
        children(person, {'name': 1, 'uri': 0, 'email': 0}, set())
        if not (text_of(person, 'name') or '').strip():
            wrong('an author without a name')
        if person.find(ATOM + 'uri') is not None and not is_address(text_of(person, 'uri')):
            wrong('an author\'s address', text_of(person, 'uri'))
    return [text_of(person, 'name') for person in element.findall(ATOM + 'author')]


def atom_entry(entry):
    children(entry, ENTRY_ONCE, ENTRY_ANY)
    terms = [one.get('term') for one in entry.findall(ATOM + 'category')]
    if len(set(terms)) != len(terms) or not all(terms):
        wrong('categories', terms)
    content = entry.find(ATOM + 'content')
    if content is None or content.get('type') != 'html' or len(content):
        wrong('no full text')
    if not authors(entry):
        wrong('no author')
    return {'id': text_of(entry, 'id'), 'title': text_of(entry, 'title'),
            'address': links(entry).get('alternate'), 'language': entry.get(LANG),
            'published': text_of(entry, 'published'), 'updated': text_of(entry, 'updated'),
            'author': authors(entry)[0], 'summary': text_of(entry, 'summary'),
            'html': content.text, 'tags': terms}


def atom(raw, address):
    if not raw.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n'):
        wrong('no declaration', raw[:60])
    if b'<!' in raw:
        wrong('a declaration, a comment or CDATA')
    root = tree.fromstring(raw)
    if root.tag != ATOM + 'feed':
        wrong('the root', root.tag)
    children(root, FEED_ONCE, FEED_ANY)
    at = links(root)
    if at.get('self') != address:
        wrong('another self', at.get('self'))
    if set(child.tag for child in root[-len(root.findall(ATOM + 'entry')) or len(root):]) - {ATOM + 'entry'}:
        wrong('something behind an entry')
    return ({'id': text_of(root, 'id'), 'title': text_of(root, 'title'), 'updated': text_of(root, 'updated'),
             'language': root.get(LANG), 'home': at.get('alternate')},
            [atom_entry(entry) for entry in root.findall(ATOM + 'entry')])


# ---- JSON Feed

FEED_MEMBERS = {'version': str, 'title': str, 'home_page_url': str, 'feed_url': str, 'language': str, 'items': list}
ITEM_NEEDS = {'id': str, 'url': str, 'title': str, 'content_html': str, 'date_published': str,
              'date_modified': str, 'authors': list, 'language': str}
ITEM_MAY = {'summary': str, 'image': str, 'tags': list}


def members(what, needs, may):
    for name, value in what.items():
        if not isinstance(value, {**needs, **may}.get(name, ())):
            wrong('a member', name, value)
    for name in needs:
        if name not in what:
            wrong('no member', name)


def no_twice(pairs):
    if len(dict(pairs)) != len(pairs):
        wrong('a member twice')
    return dict(pairs)


def json_item(item):
    members(item, ITEM_NEEDS, ITEM_MAY)
    for name in ('url', 'image'):
        if name in item and not is_address(item[name]):
            wrong('no address', name, item[name])
    for author in item['authors']:
        if not author.get('name') or set(author) - {'name', 'url'} or not is_address(author.get('url', 'https://x')):
            wrong('an author', author)
    if '' in item.get('tags', []) or 'tags' in item and not item['tags']:
        wrong('tags')
    return {'id': item['id'], 'title': item['title'], 'address': item['url'], 'language': item['language'],
            'published': item['date_published'], 'updated': item['date_modified'],
            'author': item['authors'][0]['name'], 'summary': item.get('summary'),
            'html': item['content_html'], 'tags': item.get('tags', [])}


def json_feed(raw, address):
    feed = json.loads(raw.decode('utf-8'), object_pairs_hook=no_twice)
    members(feed, FEED_MEMBERS, {})
    if feed['version'] != 'https://jsonfeed.org/version/1.1':
        wrong('the version', feed['version'])
    if feed['feed_url'] != address:
        wrong('another feed_url', feed['feed_url'])
    return {'title': feed['title'], 'language': feed['language'], 'home': feed['home_page_url']}, \
        [json_item(item) for item in feed['items']]


def main():
    kind, address = sys.argv[1:]
    feed, entries = (atom if kind == 'atom' else json_feed)(sys.stdin.buffer.read(), address)
    if not feed['title'].strip() or not is_address(feed['home']) or not is_language(feed['language']):
        wrong('the feed', feed)
    if kind == 'atom' and not (is_id(feed['id']) and is_date(feed['updated'])):
        wrong('the feed\'s id or date', feed)
    ids = [entry['id'] for entry in entries] + [feed.get('id')]
    if len(set(ids)) != len(ids):
        wrong('an id twice')
    for entry in entries:
        if not is_id(entry['id']) or not is_language(entry['language']) or not entry['address']:
            wrong('an entry', entry['id'], entry['language'], entry['address'])
        if not entry['title'].strip():
            wrong('no title', entry['id'])
        check_dates(entry['published'], entry['updated'])
        markup = check_html(entry['html'])
        for link in markup.fragments:
            before, fragment = link.split('#', 1)
            if before == entry['address'].split('#')[0] and fragment not in markup.ids:
                wrong('a fragment that is not there', link)
    json.dump({'problems': problems, 'feed': feed, 'entries': entries}, sys.stdout)


main()
