#ifndef ARTICLE_DESK_H
#define ARTICLE_DESK_H
/*
 * What people agreed about an article in the console: handed in for review, to be
 * published at a time, shown to others by a link (tables desk, comment, share of
 * db/schema.sql; docs/console.md §4.5, §5.1, §5.2). No route of the API reads it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
#include "base/ctx.h"

/* What is agreed now; all zero is nothing. */
struct desk {
	int64_t handed_in_at; /* 0: it is not handed in */
	int64_t publish_at; /* 0: it has no date; a suspended one counts, too */
};

/* Reads it; of an article in the trash it is nothing. */
void desk_find(struct ctx *c, const struct article *a, struct desk *out);

/* Ends the review and the date, with an edition and with the trash. In a writing transaction. */
void desk_end(struct ctx *c, const struct article *a);

/* Deletes comments and links, before the article's row and its saves are deleted, after
 * desk_end(). */
void desk_delete(struct ctx *c, const struct article *a);

/* Ends all links to previews that are open: for a database that was restored. What was ended
 * meanwhile would be open again, and nobody saw who has the others. */
void desk_end_shares(struct ctx *c);

/*
 * What people said about an article (table comment; docs/console.md §5.1), and the acts of a
 * review that they said it with. The newest COMMENT_KEPT of an article stay.
 */

#define COMMENT_MAX ((size_t)10000) /* bytes */

enum comment_kind { COMMENT_SAID, COMMENT_HANDED_IN, COMMENT_HANDED_BACK, COMMENT_TAKEN_BACK };

struct comment {
	int64_t at;
	const char *person; /* UUID */
	enum comment_kind kind;
	const char *text; /* "": the act alone */
};

/* Stores a comment, as of c->now. In a writing transaction. */
void comment_insert(struct ctx *c, const struct article *a, enum comment_kind kind,
    const char *person, const char *text);

/* Calls `each` for the comments of an article, newest first, at most `limit`. */
void comment_list(struct ctx *c, const struct article *a, int64_t limit,
    void (*each)(void *arg, const struct comment *comment), void *arg);

/*
 * Articles that somebody handed in for review (columns handed_in_… of the table desk;
 * docs/console.md §5.1). An edition ends it, whatever made it, and so does the trash. Older
 * programs left the row: it counts only for the version that it holds.
 */

struct handed {
	int64_t at; /* 0: it is not handed in */
	const char *by; /* UUID of the person */
};

/* Reads whether the article is handed in; false if it is not. */
bool handed_find(struct ctx *c, const struct article *a, struct handed *out);

/* Hands the article in, as of c->now. In a writing transaction. */
void handed_set(struct ctx *c, const struct article *a, const char *person);

/* Ends it, if it is handed in. In a writing transaction. */
void handed_end(struct ctx *c, const struct article *a);

/* Calls `each` for what is handed in in a workspace, the oldest first, at most `limit`. The article
 * and the struct live as long as the call, their texts as long as the request. */
void handed_list(struct ctx *c, int64_t workspace_id, int64_t limit,
    void (*each)(void *arg, const struct article *a, const struct handed *h), void *arg);

/*
 * The date at which an article is to be published (docs/console.md §5.2): columns publish_* of
 * the table desk. What is published then is a save: the copy that was seen when the date was
 * set. Publishing or unpublishing the article, and moving it to the trash, ends the date
 * (article/article.c). Every function needs a transaction of DB_CONTENT.
 */

struct schedule {
	int64_t at;
	int64_t save_id; /* of the copy (save.h) */
	const char *person; /* UUID; NULL: the tool */
	bool unfinished; /* the copy may have to-dos left */
	const char *suspended; /* why the date does not count; NULL: it does */
};

/* Finds the date of an article; false if it has none. */
bool schedule_find(struct ctx *c, const struct article *a, struct schedule *out);

/* Sets the date, in place of one that it has. */
void schedule_set(struct ctx *c, const struct article *a, const struct schedule *s);

/* Suspends it: `why` is a sentence. Only schedule_set() revives it. */
void schedule_suspend(struct ctx *c, const struct article *a, const char *why);

/* Ends it; does nothing if there is none. */
void schedule_end(struct ctx *c, const struct article *a);

/* Suspends all dates that count: for a database that was restored. */
void schedule_suspend_all(struct ctx *c, const char *why);

/* Returns the UUID of an article whose date has come and whose account is not suspended, by
 * chance one of the first 64, or NULL. So a damaged article, which ends the process that
 * publishes it, does not hold up the others. */
const char *schedule_due(struct ctx *c);

/* Calls `each` for the articles of a workspace whose dates are suspended. `each` must not read from
 * the store. */
void schedule_list_suspended(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const char *uuid, const char *title, const struct schedule *s),
    void *arg);

/* Calls `each` for the articles that this person gave a date which counts. `each` must not
 * read from the store. */
void schedule_list_of(struct ctx *c, const char *person,
    void (*each)(void *arg, int64_t workspace_id, const char *uuid), void *arg);

/*
 * Links by which a stranger reads the working copy of one article (docs/console.md §4.5). This
 * file owns the table share. A link is drawn by chance and only its digest is stored. A share is
 * alive until it expires or is ended; one that is over never comes back. The row of a share that
 * is over tells it from a link that never was, for a year.
 */

#define SHARE_TEXT (9 + 32 + 1) /* bytes of the prefix, 128 bits in hex, and NUL */
#define SHARE_MAX 30 /* alive in a workspace */
#define SHARE_DAYS 7 /* if nobody says how many */
#define SHARE_DAYS_MAX 30

struct share {
	int64_t id;
	const char *uuid;
	int64_t workspace_id;
	int64_t article_id;
	const char *article; /* UUID */
	const char *title; /* of its working copy */
	const char *person; /* UUID; NULL: the tool */
	int64_t created_at;
	int64_t expires_at;
	int64_t revoked_at; /* 0: nobody ended it */
};

/* Makes a share of an article. `text` gets the only copy of the link's last part; the caller
 * must clear it. In a writing transaction. */
void share_insert(struct ctx *c, const struct article *a, const char *person, int days,
    char text[SHARE_TEXT], struct share *out);

/* Return the share whose link ends with this text, and the share of this UUID, alive or not;
 * false if there is none. */
bool share_find(struct ctx *c, const char *text, struct share *out);
bool share_find_uuid(struct ctx *c, const char *uuid, struct share *out);
bool share_is_alive(const struct ctx *c, const struct share *s);

/* Calls `each` for the shares that are alive, newest first: of a workspace, of an article, of
 * a person in all workspaces, of everybody. */
typedef void share_seen(void *arg, const struct share *s);
void share_list(struct ctx *c, int64_t workspace_id, share_seen *each, void *arg);
void share_list_article(struct ctx *c, int64_t article_id, share_seen *each, void *arg);
void share_list_person(struct ctx *c, const char *person, share_seen *each, void *arg);
void share_list_all(struct ctx *c, share_seen *each, void *arg);

/* End one share, those of an article, of a workspace, that are alive. Return
 * how many. In a writing transaction. */
int64_t share_end(struct ctx *c, int64_t id);
int64_t share_end_article(struct ctx *c, int64_t article_id);
int64_t share_end_workspace(struct ctx *c, int64_t workspace_id);

#endif
