#!/usr/bin/env python3
"""A static blog from a Galley workspace: run it from cron, serve the folder.

    GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... \\
        python3 site.py public

Writes a page for each article at the path of its canonical address, an index in
pages, a sitemap, a feed, and redirects for articles that moved. Files that it did
not write itself it neither changes nor removes. README.md says how to deploy it.
"""
import argparse
import contextlib
import fcntl
import html
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TOP / "clients" / "python")]
from galley import FolderStore, Galley, GalleyError, TooManyRemovals, direction  # noqa: E402

FEED_LENGTH = 20
PAGE_LENGTH = 13


class Trouble(Exception):
    """A sentence for the person who reads cron's mail."""


# ---- addresses


class Post:
    """An article as the site shows it."""

    def __init__(self, article, address):
        self.article = article
        self.seo = article["seo"]
        self.dir = direction(article)
        self.graph = self.seo["openGraph"]
        self.url = self.seo["canonical"] or address + "/blog/" + quote(article["slug"])
        parts = urlsplit(self.url)
        self.is_here = "%s://%s" % (parts.scheme, parts.netloc) == address
        self.path = parts.path or "/"
        self.is_plain = not parts.query and not parts.fragment
        self.published = self.graph.get("publishedTime", "")
        self.modified = self.graph.get("modifiedTime", self.published)
        self.is_indexed = "noindex" not in self.seo["robots"]
        self.language = self.seo["language"]

    def file(self):
        """The page's file below the site's folder, or None where the address has no
        safe one. /blog/slug and /blog/slug/ are both blog/slug/index.html, which every
        web server shows, one that knows nothing of this site included."""
        names = unquote(self.path).split("/")[1:]
        if any(name.startswith(".") or re.search(r"[\\\x00-\x1f]", name) for name in names):
            return None
        if "" in names[:-1] or not self.is_plain:
            return None
        if names[-1] and not re.search(r"\.html?$", names[-1]):
            names.append("")
        return "/".join(names[:-1] + [names[-1] or "index.html"])


def site_address(given, articles):
    """https://host of the site: as given, or that of most canonical addresses."""
    if given:
        return given.rstrip("/")
    hosts = [urlsplit(article["seo"]["canonical"])[:2] for article in articles if article["seo"]["canonical"]]
    if not hosts and articles:
        raise Trouble("The articles have no addresses: set the workspace's website, or give --address.")
    return "%s://%s" % max(sorted(set(hosts)), key=hosts.count) if hosts else "http://localhost"


def place(articles, address):
    """The posts of this site by file, newest first; says which articles have no
    place."""
    placed = {}
    posts = [Post(article, address) for article in articles]
    for post in sorted(posts, key=lambda post: (post.published, post.article["id"]), reverse=True):
        file = post.file()
        if not post.is_here:
            warn("%s is published elsewhere, at %s." % (post.article["id"], post.url))
        elif file is None or RESERVED.fullmatch(file):
            warn("%s has an address that this site cannot show: %s" % (post.article["id"], post.url))
        elif file in placed:
            warn("%s has the address of another article: %s" % (post.article["id"], post.url))
        else:
            placed[file] = post
    return placed


def move(known, posts):
    """The addresses of earlier runs and this one: {now: {id: path}, old: {path: id}}.
    A path that an article has now is not old."""
    now = {post.article["id"]: post.path for post in posts}
    old = dict(known.get("old", {}))
    for id, path in known.get("now", {}).items():
        if now.get(id) != path:
            old[path] = id
    taken = set(now.values())
    return {"now": now, "old": {path: id for path, id in old.items() if path not in taken}}


# ---- words

# The site's own words: newer, older, page N of M, minutes, what a missing page and an
# empty site say, how a date is written, and its months. A language that is not here
# has English ones, marked as such, and dates in figures.
WORDS = {
    "en": (
        "Newer", "Older", "Page {} of {}", "{} min read", "This page does not exist.", "All articles",
        "Nothing is published yet.", "{} {} {}", "January February March April May June July August September "
        "October November December",
    ),
    "de": (
        "Neuer", "Älter", "Seite {} von {}", "{} Min. Lesezeit", "Diese Seite gibt es nicht.", "Alle Artikel",
        "Noch ist nichts veröffentlicht.", "{}. {} {}", "Januar Februar März April Mai Juni Juli August September "
        "Oktober November Dezember",
    ),
    "fr": (
        "Plus récent", "Plus ancien", "Page {} sur {}", "{} min de lecture", "Cette page n’existe pas.",
        "Tous les articles", "Rien n’est encore publié.", "{} {} {}", "janvier février mars avril mai juin juillet "
        "août septembre octobre novembre décembre",
    ),
    "es": (
        "Más reciente", "Anterior", "Página {} de {}", "{} min de lectura", "Esta página no existe.",
        "Todos los artículos", "Todavía no hay nada publicado.", "{} de {} de {}", "enero febrero marzo abril mayo "
        "junio julio agosto septiembre octubre noviembre diciembre",
    ),
    "ar": (
        "الأحدث", "الأقدم", "صفحة {} من {}", "مدة القراءة: {} د", "هذه الصفحة غير موجودة.", "كل المقالات",
        "لم يُنشر شيء بعد.", "{} {} {}", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر "
        "ديسمبر",
    ),
}
NAMES = ("newer", "older", "page", "minutes", "missing", "all", "empty", "date", "months")


def spoken(language):
    """The part of a language tag that WORDS knows."""
    return language.split("-")[0].lower()


def word(language, name, *values):
    """A word of the site for a page or an entry in that language, as HTML."""
    known = spoken(language) in WORDS
    text = html.escape(WORDS[spoken(language) if known else "en"][NAMES.index(name)].format(*values))
    return text if known else '<span lang="en" dir="ltr">%s</span>' % text


def date(language, moment):
    """2026-01-31T… as that language writes it."""
    if spoken(language) not in WORDS or not moment:
        return moment[:10]
    pattern, months = WORDS[spoken(language)][-2:]
    return pattern.format(int(moment[8:10]), months.split()[int(moment[5:7]) - 1], moment[:4])


def way(language):
    """How the site's own language is written; articles say it themselves."""
    is_rtl = spoken(language) in ("ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi")
    return "rtl" if (is_rtl and "-latn" not in language.lower()) or "-arab" in language.lower() else "ltr"


# ---- pages


class Site:
    """Its name, its address, and the language of its own words: an index may list
    articles in many."""

    def __init__(self, name, address, language):
        self.name, self.address, self.language = name, address, language


PAGE = """<!DOCTYPE html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/article.css">
<link rel="stylesheet" href="/style.css">
<link rel="alternate" type="application/atom+xml" title="{name}" href="/feed.xml">
</head>
<body>
<header class="site"><{level}><a href="/"><img src="/favicon.svg" alt="" width="32" height="32">{name}</a></{level}></header>
<main>
{body}
</main>
<footer class="site"><a href="/">{all}</a> <a href="/feed.xml">Atom</a></footer>
</body>
</html>
"""


def page(site, language, direction, head, body, level="p"):
    return PAGE.format(
        language=html.escape(language), direction=direction, head=head, name=html.escape(site.name), level=level,
        body=body, all=word(language, "all"),
    )


def article_page(site, post, newer, older):
    head = post.article["head_html"]
    if not post.seo["canonical"]:
        head += '\n<link rel="canonical" href="%s">' % html.escape(post.url)
    links = [neighbour(post, "newer", newer), neighbour(post, "older", older)]
    nav = '<nav class="turn" aria-label="%s">%s</nav>' % (html.escape(site.name), "".join(links))
    return page(site, post.language, post.dir, head, post.article["html"] + ("\n" + nav if any(links) else ""))


def neighbour(post, name, other):
    if not other:
        return ""
    return '<a class="%s" href="%s"><span>%s</span> <b lang="%s" dir="%s">%s</b></a>' % (
        name, html.escape(other.path), word(post.language, name), html.escape(other.language), other.dir,
        html.escape(other.article["title"]),
    )


def index_pages(site, posts):
    """{file: text} of the list of articles, PAGE_LENGTH on a page."""
    count = max(1, -(-len(posts) // PAGE_LENGTH))
    return {
        "page/%d/index.html" % number if number > 1 else "index.html":
            index_page(site, posts[(number - 1) * PAGE_LENGTH:number * PAGE_LENGTH], number, count)
        for number in range(1, count + 1)
    }


def index_path(number):
    return "/page/%d/" % number if number > 1 else "/"


def index_page(site, posts, number, count):
    title = html.escape(site.name)
    if number > 1:
        title += " – " + re.sub("<.*?>", "", word(site.language, "page", number, count))
    head = '<title>%s</title>\n<link rel="canonical" href="%s">' % (
        title, html.escape(site.address + index_path(number))
    )
    body = ['<ul class="posts">'] + [index_entry(post, post is posts[0]) for post in posts]
    body.append("</ul>")
    if not posts:
        body = ['<p class="empty">%s</p>' % word(site.language, "empty")]
    if count > 1:
        body.append(turn(site, number, count))
    return page(site, site.language, way(site.language), head, "\n".join(body), "h1")


def turn(site, number, count):
    """The links from one page of the list to the next."""
    text = '<nav class="turn" aria-label="%s">' % html.escape(site.name)
    if number > 1:
        text += '<a class="newer" rel="prev" href="%s">%s</a>' % (
            index_path(number - 1), word(site.language, "newer")
        )
    text += "<span>%s</span>" % word(site.language, "page", number, count)
    if number < count:
        text += '<a class="older" rel="next" href="%s">%s</a>' % (
            index_path(number + 1), word(site.language, "older")
        )
    return text + "</nav>"


def index_entry(post, is_first):
    article = post.article
    text = '<li lang="%s" dir="%s">' % (html.escape(post.language), post.dir)
    if article["image_url"]:
        size = ""
        if article["image_width"] and article["image_height"]:
            size = ' width="%d" height="%d"' % (article["image_width"], article["image_height"])
        lazy = "" if is_first else ' loading="lazy"'
        text += '<img class="cover" src="%s" alt=""%s%s>' % (html.escape(article["image_url"]), size, lazy)
    else:
        text += '<div class="cover c%d" aria-hidden="true">%s</div>' % (
            int(article["id"][-1], 16) % 6, html.escape(article["title"][:1])
        )
    text += '<h2><a href="%s">%s</a></h2>' % (html.escape(post.path), html.escape(article["title"]))
    if post.seo["description"]:
        text += "<p>%s</p>" % html.escape(post.seo["description"])
    text += '<p class="facts"><time datetime="%s">%s</time>' % (post.published, date(post.language, post.published))
    if article.get("reading_minutes"):
        text += " <span>%s</span>" % word(post.language, "minutes", article["reading_minutes"])
    return text + "</p></li>"


def missing_page(site):
    sentence = word(site.language, "missing")
    head = '<title>%s</title>\n<meta name="robots" content="noindex">' % html.escape(site.name)
    return page(site, site.language, way(site.language), head, '<h1 class="empty">%s</h1>' % sentence)


def favicon(site):
    """The first letter of the site's name."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" '
        'fill="#0b5563"/><text x="32" y="45" font-family="system-ui,sans-serif" font-weight="700" font-size="36" '
        'text-anchor="middle" fill="#fff">%s</text></svg>\n' % xml(site.name[:1].upper())
    )


def xml(text):
    """Text for XML, which cannot hold most control characters."""
    return escape(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", text), {'"': "&quot;"})


def sitemap(posts, address):
    entries = ["<url><loc>%s/</loc></url>" % xml(address)]
    for post in posts:
        if post.is_indexed:
            entries.append("<url><loc>%s</loc><lastmod>%s</lastmod></url>" % (xml(post.url), post.modified))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(entries) + "\n</urlset>\n"
    )


def feed(posts, site):
    name, address = site.name, site.address
    updated = max((post.modified for post in posts), default="1970-01-01T00:00:00Z")
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"'
    text += ' xml:lang="%s">\n' % xml(site.language)
    text += "<id>%s/</id>\n<title>%s</title>\n<updated>%s</updated>\n" % (xml(address), xml(name), updated)
    text += "<icon>%s/favicon.svg</icon>\n" % xml(address)
    text += '<link href="%s/"/>\n<link rel="self" href="%s/feed.xml"/>\n' % (xml(address), xml(address))
    text += "<author><name>%s</name></author>\n" % xml(name)
    for post in posts[:FEED_LENGTH]:
        text += '<entry xml:lang="%s">\n' % xml(post.seo["language"])
        text += "<id>urn:uuid:%s</id>\n<title>%s</title>\n" % (post.article["id"], xml(post.article["title"]))
        text += '<link href="%s"/>\n' % xml(post.url)
        text += "<published>%s</published>\n<updated>%s</updated>\n" % (post.published, post.modified)
        if post.seo["description"]:
            text += "<summary>%s</summary>\n" % xml(post.seo["description"])
        text += '<content type="html">%s</content>\n</entry>\n' % xml(post.article["html"])
    return text + "</feed>\n"


# ---- what web servers read


def redirects(addresses):
    """[(old path, new path or None)], None for an article that is gone."""
    return [(path, addresses["now"].get(id)) for path, id in sorted(addresses["old"].items())]


def htaccess(moves):
    """For Apache: redirects, 410 for what is gone, and /path from path/index.html."""
    lines = ["ErrorDocument 404 /404.html", "RewriteEngine On", "RewriteOptions AllowNoSlash", "DirectorySlash Off"]
    for path, target in moves:
        pattern = re.sub(r'([^\w/"-])', r"\\\1", unquote(path)[1:]).replace('"', '\\"')
        # In a target, these begin a variable unless they are escaped.
        target = target and re.sub(r"([%$])", r"\\\1", target)
        lines.append(
            'RewriteRule "^%s$" - [G]' % pattern if target is None
            else 'RewriteRule "^%s$" %s [R=301,L,NE]' % (pattern, target)
        )
    lines += [
        "RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI}/index.html -f",
        "RewriteRule [^/]$ %{REQUEST_URI}/index.html [L]",
    ]
    return "\n".join(lines) + "\n"


def netlify(moves):
    """For Netlify, Cloudflare Pages and others that read _redirects."""
    return "".join("%s %s 301\n" % (path, target) for path, target in moves if target is not None)


# ---- files

RESERVED = re.compile(r"index\.html|404\.html|page/[0-9]+/index\.html")


def beside(name, folder):
    """A file that lies with this program, or where the repository has it."""
    path = HERE / name
    return (path if path.exists() else TOP / folder / name).read_text("utf-8")


def render(articles, options, addresses):
    """{file: text} of the whole site, and its addresses for the next run."""
    address = site_address(options.address, articles)
    placed = place(articles, address)
    posts = list(placed.values())
    name = options.name or next((p.graph["siteName"] for p in posts if p.graph.get("siteName")), urlsplit(address)[1])
    addresses = move(addresses, posts)
    moves = redirects(addresses)
    site = Site(name, address, options.language)
    files = {}
    for at, (file, post) in enumerate(placed.items()):
        newer = posts[at - 1] if at > 0 else None
        older = posts[at + 1] if at + 1 < len(posts) else None
        files[file] = article_page(site, post, newer, older)
    files.update(index_pages(site, posts))
    files.update({
        "404.html": missing_page(site),
        "favicon.svg": favicon(site),
        "sitemap.xml": sitemap(posts, address),
        "feed.xml": feed(posts, site),
        "robots.txt": "User-agent: *\nAllow: /\nSitemap: %s/sitemap.xml\n" % address,
        ".htaccess": htaccess(moves),
        "_redirects": netlify(moves),
        "article.css": beside("article.css", "htdocs"),
        "style.css": beside("style.css", "examples/site"),
    })
    return files, addresses


def write(path, text):
    """The whole file or nothing, and only where it differs."""
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)


def read(path):
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def publish(folder, store, options):
    """Makes the folder the site of what the store holds. What it writes is noted
    before it is written, so that a run that was killed leaves nothing unowned."""
    kept = Path(options.store) / "site.json"
    known = read(kept)
    articles = [record["article"] for record in map(store.get, sorted(store.ids())) if record]
    files, addresses = render(articles, options, known)
    mine = set(known.get("files", []))
    foreign = [file for file in files if file not in mine and (folder / file).exists()]
    for file in foreign:
        warn("%s is not of this program, and stays as it is." % (folder / file))
        del files[file]
    note = dict(addresses, files=sorted(mine | set(files)))
    write(kept, json.dumps(note, ensure_ascii=False))
    for file, text in files.items():
        write(folder / file, text)
    for file in mine - set(files):
        remove(folder, file)
    write(kept, json.dumps(dict(note, files=sorted(files)), ensure_ascii=False))


def remove(folder, file):
    """With the folders that are empty then."""
    (folder / file).unlink(missing_ok=True)
    for parent in (folder / file).parents:
        if parent == folder or not parent.is_dir() or any(parent.iterdir()):
            return
        parent.rmdir()


def warn(sentence):
    print("site.py: " + sentence, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="A static blog from a Galley workspace.")
    parser.add_argument("folder", help="what the web server shows")
    parser.add_argument("--store", default="store", help="where copies and state are kept, outside that folder")
    parser.add_argument("--workspace", help="the id that the key must be of")
    parser.add_argument("--address", help="https://host of the site, where the workspace has none")
    parser.add_argument("--name", help="of the site, where it is not the publisher's")
    parser.add_argument("--language", help="of the site's own words, where it is not the workspace's")
    parser.add_argument("--full", action="store_true", help="list everything, also with more than 1,000 articles")
    parser.add_argument("--allow-removals", type=int, default=0, metavar="N", help="let N articles go at once")
    options = parser.parse_args()
    try:
        url, key = os.environ["GALLEY_URL"], os.environ["GALLEY_KEY"]
    except KeyError as error:
        raise Trouble("Set %s in the environment." % error.args[0]) from None
    store = FolderStore(options.store)
    with alone(options.store):
        run(Galley(url, key, workspace=options.workspace), store, options)


@contextlib.contextmanager
def alone(store):
    """The sync has a lock of its own; the pages want one, too."""
    with open(Path(store) / "site.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble("Another run is at work.") from None
        yield


def run(galley, store, options):
    trouble = None
    try:
        galley.sync(store, full=options.full, allow_removals=options.allow_removals)
    except TooManyRemovals as error:
        trouble = "{:,} of {:,} articles would be removed; allow it with --allow-removals {}".format(
            error.count, error.held, error.count
        )
    options.language = options.language or galley.connection()["workspace"]["language"]
    publish(Path(options.folder), store, options)
    if trouble:
        raise Trouble(trouble)


if __name__ == "__main__":
    try:
        main()
    except (Trouble, GalleyError) as error:
        warn(str(error))
        sys.exit(1)
