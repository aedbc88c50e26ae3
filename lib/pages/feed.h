#ifndef PAGES_FEED_H
#define PAGES_FEED_H
/*
 * The newest articles of a workspace with their full text, for feed readers (docs/pages.md §5):
 * Atom (RFC 4287) and JSON Feed 1.1 of the same content. Nothing in a feed depends on when it is
 * made, so each rendering of the same content has the same bytes.
 *
 * feed.c	what a feed holds
 * feed-atom.c feed-json.c	how it is written: pure functions
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/clock.h"

struct ctx;
struct facts;
struct hwrite;
struct reply;
struct req;
struct workspace;

#define FEED_ENTRIES 20
#define FEED_HTML_MAX ((size_t)8 * 1024 * 1024) /* of all entries; the first always fits */
#define FEED_BYTES_MAX ((size_t)32 * 1024 * 1024)
#define FEED_ATOM_TYPE "application/atom+xml"
#define FEED_JSON_TYPE "application/feed+json"

struct feed_entry {
	const char *id; /* urn:uuid:… */
	const char *address; /* canonical, else of the page */
	const struct facts *facts;
	const char *html; /* its links to fragments are absolute */
};

struct feed {
	const char *id; /* urn:uuid:…, of this choice of articles */
	const char *title;
	const char *language; /* that was chosen, else the workspace's */
	const char *home; /* address of the list */
	const char *atom, *json; /* the feed's own addresses */
	char updated[CLOCK_TEXT];
	struct feed_entry *entries;
	size_t count;
};

/* What is asked: the pages of a workspace, and which articles. */
struct feed_asked {
	const struct workspace *workspace; /* whole */
	const char *title; /* of the pages */
	const char *below; /* "https://HOST/pages/WORD/" */
	const char *language; /* a tag; NULL: all */
};

/* Answers with the feed, or with 304. The caller has begun the reply. In a snapshot of the
 * content. */
void feed_answer(
    struct ctx *c, struct req *r, const struct feed_asked *asked, bool json, struct reply *reply);

/* Writes into <head> where the feeds are, for the programs that look for them. `below` is the
 * path of the workspace's pages ("/pages/WORD/"), `language` the chosen one or NULL. */
void feed_write_links(
    struct hwrite *w, struct ctx *c, const char *title, const char *below, const char *language);

/* Makes the feed (arena). */
void feed_make(struct ctx *c, const struct feed_asked *asked, struct feed *out);

/* Append it. A buffer that gets full is cut. */
void feed_atom(const struct feed *f, struct buf *out);
void feed_json(const struct feed *f, struct buf *out);

/* Appends html whose links to fragments lead into the document at `address`. */
void feed_links(struct buf *out, const char *html, const char *address);

#endif
