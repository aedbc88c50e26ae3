#ifndef PAGES_FEED_H
#define PAGES_FEED_H
/*
 * The newest articles of a workspace with their full text, for feed readers (docs/pages.md §5):
 * Atom (RFC 4287) and JSON Feed 1.1 of the same content. Nothing in a feed depends on when it is
 * made, so each rendering of the same content has the same bytes.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/clock.h"

struct ctx;
struct reply;
struct req;
struct workspace;

#define FEED_ATOM_TYPE "application/atom+xml"
#define FEED_JSON_TYPE "application/feed+json"

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

/* Returns the address of a feed, `name` "feed.atom" or "feed.json". `below` is the address or the path of
 * the workspace's pages ("/pages/WORD/"), `language` the chosen one or NULL. */
const char *feed_address(struct ctx *c, const char *below, const char *name, const char *language);

#endif
