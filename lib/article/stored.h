#ifndef ARTICLE_STORED_H
#define ARTICLE_STORED_H
/*
 * The finished bytes of what is shown of an article (table export): a cache
 * that is filled when an article is written, and served only under the revision
 * computed in the same snapshot. A reader that meets a stale row renders in
 * memory; the runner and `galley export refresh` renew the table.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/buf.h"
#include "base/err.h"
#include "export/export.h"

struct edition;
struct stmt;
struct work;

/*
 * What export.h needs of an article: the shown view, or the working copy as a
 * draft would be shown (`working_copy`). Everything lives in the arena.
 */
struct export_source *
stored_source(struct ctx *c, const struct workspace *w, const struct article *a, bool working_copy);

/* The same of the shown view, whose snapshot the caller has read. */
struct export_source *stored_source_of(struct ctx *c, const struct workspace *w,
    const struct article *a, const struct snapshot *shown);

/* The same of an edition, as it would be shown. */
struct export_source *stored_edition(struct ctx *c, const struct workspace *w,
    const struct article *a, const struct edition *edition);

/* The finished bytes of an article, as they were read (arena). */
struct stored_bytes {
	const char *revision; /* NULL: none are stored */
	const void *body;
	size_t len;
};

/* Appends the finished bytes of what is shown of the article: those that are
 * stored, if they are of this revision (its x1), else freshly rendered ones. `fetched` are those
 * that are stored, if they were read already, only where STORE_IS_REMOTE; else NULL. Of `w` the
 * head is enough (WORKSPACE_HEAD). Writes nothing. */
void stored_append(struct ctx *c, const struct workspace *w, const struct article *a,
    const char *revision, const struct stored_bytes *fetched, struct buf *out);

/* Only if STORE_IS_REMOTE: reads the bytes of `count` articles in one round trip, whatever their
 * revisions: an array of as many. And: takes a revision and bytes from this column on. */
struct stored_bytes *stored_fetch(struct ctx *c, const struct article *articles, size_t count);
void stored_take(struct ctx *c, struct stmt *q, int column, struct stored_bytes *out);

/* Renders `snapshot`, which is what is shown now, and stores it with its length.
 * Refuses more than EXPORT_BYTES_MAX. In the writing transaction. */
MAY_REFUSE struct err *stored_write(
    struct ctx *c, const struct workspace *w, struct article *a, const struct snapshot *snapshot);

/* Renders a snapshot that is not shown (yet) for its length alone: refuses what
 * stored_write() would refuse. */
MAY_REFUSE struct err *stored_measure(struct ctx *c, const struct workspace *w,
    const struct article *a, const struct snapshot *snapshot, int64_t *length);

/* Removes what is stored. In the writing transaction. */
void stored_delete(struct ctx *c, const struct article *a);

/*
 * Renews stale rows of a workspace (0: of all), some at a time, after article id `*after`
 * (inside id) and up to `last`: looks at up to `count` articles, renders outside
 * and writes inside a short transaction of its own. *after moves on; *seen and
 * *renewed count. False when there are no more. Several processes may do it at
 * once, and each may end anywhere. What does not pass the gate is not stored.
 */
bool stored_refresh(struct ctx *c, int64_t workspace_id, int64_t *after, int64_t last, int count,
    int64_t *seen, int64_t *renewed);

/*
 * Stores the finished bytes of all articles whose stored bytes are stale: a
 * work (system/work.h) that uses all processors at once. Answers are right without it;
 * they cost more until the bytes are stored. The job runner does the same in small
 * pieces.
 *
 * Each process opens a connection of its own, since no connection may live through a
 * fork(). A process that ends early leaves whole articles; the same work again does the
 * rest.
 */

/* Renews what is stale in this workspace (internal id; 0: in all of them). Closes the
 * database before it begins. *renewed says how many articles were renewed. Refuses when a
 * process ended early, and when it must stop; what was renewed stays in both cases. */
MAY_REFUSE struct err *
refresh_run(struct ctx *c, const struct work *work, int64_t workspace_id, int64_t *renewed);

#endif
