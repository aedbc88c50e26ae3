# Reads HTML pages for tests/lib/Galley/Console.pm, which keeps one process for all its pages.
#
# Each line of standard input is an object of JSON, and each is answered with a line:
#
#	{"html": TEXT}   {"elements": [...], "broken": [...]}
#	{"token": HEX}   {"digest": HEX}: what is stored of a session's token (people/session.c)
#
# The elements are in the order of the page, each {"tag", "attr": {NAME: VALUE}, "text",
# "parent": INDEX or -1}. The text is that of all inside it, as it is written. "broken" are
# sentences about tags that do not fit, attributes that come twice, and ids that two elements
# have.
import hashlib
import json
import sys
from html.parser import HTMLParser

VOID = {'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source',
        'track', 'wbr'}
# What is drawn in an SVG ends as it begins.
EMPTY = {'path', 'rect', 'circle', 'line', 'polyline', 'polygon', 'use'}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.broken, self.ids = [], [], [], set()

    def handle_starttag(self, tag, attrs, closed=False):
        for name in {name for name, _ in attrs if sum(n == name for n, _ in attrs) > 1}:
            self.broken.append(f'<{tag}> has {name} twice')
        attr = {name: '' if value is None else value for name, value in attrs}
        if 'id' in attr:
            if attr['id'] in self.ids:
                self.broken.append(f'two elements have the id {attr["id"]}')
            self.ids.add(attr['id'])
        self.elements.append({'tag': tag, 'attr': attr, 'text': [],
                              'parent': self.open[-1] if self.open else -1})
        if tag not in VOID and not closed:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID | EMPTY:
            self.broken.append(f'<{tag}/> is no element without an end')
        self.handle_starttag(tag, attrs, True)

    def handle_endtag(self, tag):
        if not self.open or self.elements[self.open[-1]]['tag'] != tag:
            self.broken.append(f'</{tag}> ends no element that is open')
        else:
            self.open.pop()

    def handle_data(self, data):
        for index in self.open:
            self.elements[index]['text'].append(data)


def read(text):
    page = Page()
    page.feed(text)
    page.close()
    for index in page.open:
        page.broken.append(f'<{page.elements[index]["tag"]}> is not ended')
    for element in page.elements:
        element['text'] = ''.join(element['text'])
        # A line break directly behind the tag is none of the text (HTML, 13.2.6.4.7).
        if element['tag'] in ('textarea', 'pre') and element['text'].startswith('\n'):
            element['text'] = element['text'][1:]
    return {'elements': page.elements, 'broken': page.broken}


def digest(token):
    domain = b'galley session 1'
    return hashlib.blake2b(len(domain).to_bytes(8, 'little') + domain + token,
                           digest_size=32).hexdigest()


for line in sys.stdin:
    asked = json.loads(line)
    answer = read(asked['html']) if 'html' in asked else \
        {'digest': digest(bytes.fromhex(asked['token']))}
    print(json.dumps(answer), flush=True)
