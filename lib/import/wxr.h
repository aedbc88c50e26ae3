#ifndef IMPORT_WXR_H
#define IMPORT_WXR_H
/*
 * WordPress export files (WXR 1.0 to 1.2): RSS with the elements of
 * http://wordpress.org/export/. Read as a stream, one item in memory at a time.
 *
 * A file is read twice: the first time for what items refer to, which may be
 * anywhere, also in another file (authors, attachments), and to know that it is
 * whole before anything is written.
 *
 * A document type is refused, so there are no entities but XML's own and
 * nothing is ever loaded from elsewhere.
 */
#include <stddef.h>

#include "base/err.h"

struct wxr_term {
	const char *domain; /* "category", "post_tag" … */
	const char *name;
};

struct wxr_meta {
	const char *key;
	const char *value;
};

/* An item as it is written; texts are NULL when absent or empty. */
struct wxr_item {
	unsigned line; /* of the file */
	const char *title, *link, *creator, *content, *excerpt;
	unsigned content_line;
	const char *id, *date, *date_gmt, *modified_gmt;
	const char *name, *status, *type, *password, *attachment_url;
	struct wxr_term *terms;
	size_t term_count;
	struct wxr_meta *metas;
	size_t meta_count;
};

struct wxr_author {
	const char *login;
	const char *name; /* shown */
};

struct wxr_attachment {
	const char *id;
	const char *url;
	const char *alt; /* or NULL */
	const char *caption; /* or NULL */
};

struct wxr {
	const char *site; /* address without slash at the end, or NULL */
	const char *title; /* or NULL */
	const char *language; /* or NULL */
	struct wxr_author *authors;
	size_t author_count, author_cap;
	struct wxr_attachment *attachments; /* by id after wxr_sort() */
	size_t attachment_count, attachment_cap;
	size_t items; /* in all files scanned */
};

/* Reads a file for the first time and adds to `out`, in the arena. Refuses what
 * is no WordPress export; the sentence names the line. */
MAY_REFUSE struct err *wxr_scan(struct ctx *c, const char *path, struct wxr *out);

/* Sorts the attachments; must be called once all files are scanned. */
void wxr_sort(struct wxr *wxr);

/* Returns the attachment with this id, or NULL. */
const struct wxr_attachment *wxr_attachment(const struct wxr *wxr, const char *id);

/* Returns the shown name of an author, or the login itself. */
const char *wxr_author(const struct wxr *wxr, const char *login);

/* Returns the value of a post's meta key, or NULL. */
const char *wxr_meta(const struct wxr_item *item, const char *key);

/* Calls `each` for every item. While it runs c->arena is one of the item's
 * own. */
MAY_REFUSE struct err *wxr_read(struct ctx *c, const char *path,
    void (*each)(void *arg, const struct wxr_item *item), void *arg);

#endif
