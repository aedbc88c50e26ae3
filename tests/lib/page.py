# Reads HTML pages for tests/lib/Galley/Console.pm, which keeps one process for all its pages.
#
# A request is a line of standard input, and for a page its bytes:
#
#	html SIZE   is answered with what the page holds
#	token HEX   what is stored of a session's token (people/session.c): 64 hexadecimal digits
#
# Both answers begin with a line of two sizes, of the fields and of the text that follow, in
# UTF-8. Each field ends with a NUL: the number of sentences about tags that do not fit,
# attributes that come twice, and ids that two elements have; those sentences; then for each
# element, in the order of the page, its tag, the index of its parent or -1, where in the text its
# own begins and ends (the text of all inside it, as it is written), the number of its
# attributes, and their names and values. JSON would be decoded by Perl, which takes longer than
# the page took.
import hashlib
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
        self.text, self.size = [], 0

    def handle_starttag(self, tag, attrs, closed=False):
        for name in {name for name, _ in attrs if sum(n == name for n, _ in attrs) > 1}:
            self.broken.append(f'<{tag}> has {name} twice')
        attr = {name: '' if value is None else value for name, value in attrs}
        if 'id' in attr:
            if attr['id'] in self.ids:
                self.broken.append(f'two elements have the id {attr["id"]}')
            self.ids.add(attr['id'])
        self.elements.append({'tag': tag, 'attr': attr, 'begin': self.size, 'end': self.size,
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
            self.elements[self.open.pop()]['end'] = self.size

    def handle_data(self, data):
        bytes_of = data.encode('utf-8', 'surrogatepass')
        self.text.append(bytes_of)
        self.size += len(bytes_of)


def read(text):
    page = Page()
    page.feed(text)
    page.close()
    for index in page.open:
        page.broken.append(f'<{page.elements[index]["tag"]}> is not ended')
        page.elements[index]['end'] = page.size
    fields = [str(len(page.broken)), *page.broken]
    for e in page.elements:
        fields += [e['tag'], str(e['parent']), str(e['begin']), str(e['end']), str(len(e['attr']))]
        for name, value in e['attr'].items():
            fields += [name, value]
    return (''.join(f.replace('\0', '\ufffd') + '\0' for f in fields)
            .encode('utf-8', 'surrogatepass'), b''.join(page.text))


def digest(token):
    domain = b'galley session 1'
    return hashlib.blake2b(len(domain).to_bytes(8, 'little') + domain + token,
                           digest_size=32).hexdigest()


while line := sys.stdin.buffer.readline():
    kind, what = line.decode().split()
    fields, text = read(sys.stdin.buffer.read(int(what)).decode('utf-8', 'replace')) \
        if kind == 'html' else (digest(bytes.fromhex(what)).encode(), b'')
    sys.stdout.buffer.write(b'%d %d\n' % (len(fields), len(text)) + fields + text)
    sys.stdout.buffer.flush()
