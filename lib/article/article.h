#ifndef ARTICLE_ARTICLE_H
#define ARTICLE_ARTICLE_H
/*
 * Articles: the working copy that is edited, the editions that are published,
 * and the moves between draft, published and deleted (docs/design.md §3).
 *
 * What is shown (by the API): the last edition of a published article, the
 * working copy of a draft (with drafts=true), nothing of a deleted one.
 *
 * All changes run in a writing transaction that names the workspace
 * (DB_CHANGES_WORKSPACE, w->id); `w` is the workspace's row as read in that
 * transaction.
 *
 * article-row.c has the columns that article and edition share, and the editions; stored.c the
 * finished bytes; article-list.c what the API and people list.
 *
 * lib/article: articles as rows: working copies, editions, lists, stored bytes, pictures and their
 * uses. Not here: how the bytes are made (lib/export), documents that come in (lib/import), who may
 * do what (lib/action). Begin with article.h.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/err.h"
#include "content/snapshot.h"

struct ctx;
struct stmt;
struct row_written;

#define ARTICLE_DIGEST 16

enum article_status { ARTICLE_DRAFT, ARTICLE_PUBLISHED, ARTICLE_DELETED };

/* The name in the database and the API ("draft", "published"; "deleted"). */
const char *article_status_name(enum article_status status);

/* A row without its snapshot. */
struct article {
	int64_t id;
	const char *uuid;
	int64_t workspace_id;
	enum article_status status;
	int64_t created_at;
	int64_t changed_at; /* 0: never announced */
	const char *published_url; /* or NULL */
	int64_t version; /* 0: never published */
	int64_t edition_id; /* 0: never published */
	unsigned char edition_digest[ARTICLE_DIGEST];
	unsigned char edition_of[ARTICLE_DIGEST];
	int64_t first_published_at; /* 0: never published */
	int64_t modified_at; /* 0: never published */
	int64_t export_length; /* bytes of what is shown */
	unsigned char digest[ARTICLE_DIGEST]; /* of the working copy */
	int64_t updated_at; /* of the working copy; in the trash: when
					it came there */
	const char *source; /* or NULL */
	const char *title; /* of the working copy */
	const char *slug; /* of the working copy */
	const char *language; /* of the working copy */
	/* The working copy as article_insert() or article_save() wrote it in
	 * this transaction, for article_publish(); else NULL. */
	const struct row_written *written;
};

/* Returns whether the working copy differs from the last edition. */
bool article_has_changes(const struct article *a);

/* Returns the article whose UUID begins with these eight hexadecimal digits, in lower case; NULL
 * if the workspace has none, or several. */
struct article *article_find_prefix(struct ctx *c, int64_t workspace_id, const char *prefix);

/* Returns the article with this UUID, of any status; NULL if the workspace has none.
 * workspace_id 0: of any workspace (operators only). */
struct article *article_find(struct ctx *c, int64_t workspace_id, const char *uuid);

/*
 * The articles, of any status, that a person may mean by `name`: those that have it
 * as a slug (of the working copy, or of what is shown) or as their whole title, and
 * those whose id begins with it (hex digits, six at least). Each once, at most
 * `max`; returns how many. workspace_id 0: of any workspace.
 */
size_t article_find_named(
    struct ctx *c, int64_t workspace_id, const char *name, struct article *out, size_t max);

/* Returns the article that was imported from the file at this real absolute path, or
 * NULL. */
struct article *article_find_by_source(struct ctx *c, int64_t workspace_id, const char *source);

/* Begins to list articles of the workspace with `status`, newest first by (created_at, uuid), at
 * most `limit` of them. article_next() reads one after the other, and returns false after the
 * last one. db_reset() ends it early. */
struct stmt *
article_list(struct ctx *c, int64_t workspace_id, enum article_status status, int64_t limit);
bool article_next(struct stmt *q, struct article *out);

/* Returns whether the workspace has an article, of any status. */
bool article_any(struct ctx *c, int64_t workspace_id);

/* Returns how many articles of the workspace have this status. */
int64_t article_count(struct ctx *c, int64_t workspace_id, enum article_status status);

/* The working copy, and an edition by its number (NULL when there is none). In
 * the arena. */
struct snapshot *article_working_copy(struct ctx *c, const struct article *a);
struct snapshot *article_edition(struct ctx *c, const struct article *a, int64_t version);

/* The working copy as publishing it would freeze it: without callouts of kind
 * todo. In the arena. */
struct snapshot *article_next_edition(struct ctx *c, const struct article *a);

/* How many callouts of kind todo the working copy has: above zero the article is
 * unfinished. */
int64_t article_unfinished(struct ctx *c, const struct article *a);

struct article_new {
	const char *uuid; /* or NULL: a fresh one */
	int64_t created_at; /* 0: now */
	const char *source; /* real absolute path, or NULL */
	const char *published_url; /* clean, or NULL */
	bool slug_is_derived; /* a taken slug gets -2, -3 …; else refused */
	bool published_next; /* article_publish() follows in the transaction:
				 nothing is rendered before it */
};

/*
 * Creates a draft. Refuses a snapshot that does not fit (limits of snapshot.h and
 * content.h, finished bytes over EXPORT_BYTES_MAX) and an explicit slug that is
 * taken (the sentence names both articles). The snapshot's slug may be changed
 * when it is derived.
 */
MAY_REFUSE struct err *article_insert(struct ctx *c, struct workspace *w, struct snapshot *snapshot,
    const struct article_new *how, struct article **out);

/* Replaces the working copy; refusals as for article_insert(). *changed (may be
 * NULL): whether it differs from before. What is published stays.
 * `published_next` as in struct article_new. */
MAY_REFUSE struct err *article_save(struct ctx *c, struct workspace *w, struct article *a,
    struct snapshot *snapshot, bool published_next, bool *changed);

/*
 * Makes an edition of the working copy, without callouts of kind todo, and shows it; announced by
 * /sync, also when nothing changed. The edition keeps how many callouts were left out: above zero
 * robots are told not to list it, and its check "No placeholder text" fails. Whether an unfinished
 * article may be published is for the caller to ask (article_unfinished()). A date at which it was
 * to be published and a review (desk.h) end; a date also in the three functions after the next, a
 * review in the trash. `first_at` and
 * `modified_at` are an imported document's dates, 0: now (first_at counts for the first publication
 * only; modified_at is never before it). Refuses a deleted article.
 */
MAY_REFUSE struct err *article_publish(
    struct ctx *c, struct workspace *w, struct article *a, int64_t first_at, int64_t modified_at);

/*
 * Does the same with a copy that was the working copy when it had this digest; the working copy
 * stays as it is. Refuses also if another article has the copy's slug by now.
 */
MAY_REFUSE struct err *article_publish_copy(struct ctx *c, struct workspace *w, struct article *a,
    const struct snapshot *copy, const unsigned char digest[ARTICLE_DIGEST]);

/* Shows the last edition of a draft again, as it was before it was unpublished: no edition is made,
 * and the working copy stays as it is. Announced by /sync. Refuses an article that is no draft,
 * that was never published, or whose slug another article has by now. */
MAY_REFUSE struct err *article_publish_again(struct ctx *c, struct workspace *w, struct article *a);

/* Makes a published article a draft again; /sync does not announce it. Refuses an article
 * that is not published. */
MAY_REFUSE struct err *article_unpublish(struct ctx *c, struct workspace *w, struct article *a);

/* Move a draft or published article into the trash, and out again as a draft. It keeps its
 * slug there. Refuse an article of another state. */
MAY_REFUSE struct err *article_delete(struct ctx *c, struct workspace *w, struct article *a);
MAY_REFUSE struct err *article_undelete(struct ctx *c, struct workspace *w, struct article *a);

/* Two fields act at once. A changed published URL of a published article is
 * announced; `url` is clean, or NULL. */
void
article_set_published_url(struct ctx *c, struct workspace *w, struct article *a, const char *url);

void
article_set_created_at(struct ctx *c, struct workspace *w, struct article *a, int64_t created_at);

/*
 * Counts what a workspace shows no longer (column withdrawn of workspace_more). /sync says
 * nothing of it, so that the change clock does not move; websites that are told of changes
 * (notify/notify-url.h) must hear of it.
 */

#endif
