#!/usr/bin/env python3
"""A static blog from a Galley workspace: run it from cron, serve the folder.

    GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... \\
        python3 site.py public

Writes a page for each article at the path of its canonical address, an index, a
sitemap, a feed, and redirects for articles that moved. Files that it did not write
itself it neither changes nor removes. README.md says how to deploy it.
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

    def file(self):
        """The page's file below the site's folder, or None where the address has no
        safe one."""
        names = unquote(self.path).split("/")[1:]
        if any(name.startswith(".") or re.search(r"[\\\x00-\x1f]", name) for name in names):
            return None
        if "" in names[:-1] or not self.is_plain:
            return None
        return "/".join(names[:-1] + [names[-1] + ".html" if names[-1] else "index.html"])


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
        elif file is None or file in RESERVED:
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


# ---- pages

PAGE = """<!DOCTYPE html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<link rel="stylesheet" href="/article.css">
<link rel="stylesheet" href="/style.css">
<link rel="alternate" type="application/atom+xml" title="{name}" href="/feed.xml">
</head>
<body>
{header}<main>
{body}
</main>
<footer class="site"><a href="/feed.xml">{name}: Atom</a></footer>
</body>
</html>
"""


HEADER = '<header class="site"><a href="/">%s</a></header>\n'


def article_page(post, name):
    head = post.article["head_html"]
    if not post.seo["canonical"]:
        head += '\n<link rel="canonical" href="%s">' % html.escape(post.url)
    return PAGE.format(
        language=html.escape(post.seo["language"]), direction=post.dir, head=head, name=html.escape(name),
        header=HEADER % html.escape(name), body=post.article["html"],
    )


def index_page(posts, name, address):
    language, way = (posts[0].seo["language"], posts[0].dir) if posts else ("en", "ltr")
    head = '<title>%s</title>\n<link rel="canonical" href="%s/">' % (html.escape(name), html.escape(address))
    body = ["<h1>%s</h1>" % html.escape(name), '<ul class="posts">']
    body += [index_entry(post) for post in posts]
    body.append("</ul>")
    return PAGE.format(
        language=html.escape(language), direction=way, head=head, name=html.escape(name), header="",
        body="\n".join(body),
    )


def index_entry(post):
    text = '<li lang="%s" dir="%s">' % (html.escape(post.seo["language"]), post.dir)
    if post.article["image_url"]:
        text += '<img src="%s" alt="" loading="lazy">' % html.escape(post.article["image_url"])
    text += '<h2><a href="%s">%s</a></h2>' % (html.escape(post.path), html.escape(post.article["title"]))
    text += '<p><time datetime="%s">%s</time></p>' % (post.published, post.published[:10])
    if post.seo["description"]:
        text += "<p>%s</p>" % html.escape(post.seo["description"])
    return text + "</li>"


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


def feed(posts, name, address):
    updated = max((post.modified for post in posts), default="1970-01-01T00:00:00Z")
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    text += "<id>%s/</id>\n<title>%s</title>\n<updated>%s</updated>\n" % (xml(address), xml(name), updated)
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
    """For Apache: redirects, 410 for what is gone, and /path from path.html."""
    lines = ["RewriteEngine On", "DirectorySlash Off"]
    for path, target in moves:
        pattern = re.sub(r'([^\w/"-])', r"\\\1", unquote(path)[1:]).replace('"', '\\"')
        # In a target, these begin a variable unless they are escaped.
        target = target and re.sub(r"([%$])", r"\\\1", target)
        lines.append(
            'RewriteRule "^%s$" - [G]' % pattern if target is None
            else 'RewriteRule "^%s$" %s [R=301,L,NE]' % (pattern, target)
        )
    lines += [
        "RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI}.html -f",
        "RewriteRule ^ %{REQUEST_URI}.html [L]",
    ]
    return "\n".join(lines) + "\n"


def netlify(moves):
    """For Netlify, Cloudflare Pages and others that read _redirects."""
    return "".join("%s %s 301\n" % (path, target) for path, target in moves if target is not None)


# ---- files

RESERVED = {"index.html", "404.html"}


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
    files = {file: article_page(post, name) for file, post in placed.items()}
    files.update({
        "index.html": index_page(posts, name, address),
        "sitemap.xml": sitemap(posts, address),
        "feed.xml": feed(posts, name, address),
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
    publish(Path(options.folder), store, options)
    if trouble:
        raise Trouble(trouble)


if __name__ == "__main__":
    try:
        main()
    except (Trouble, GalleyError) as error:
        warn(str(error))
        sys.exit(1)
