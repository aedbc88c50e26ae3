#ifndef ARTICLE_SHARE_H
#define ARTICLE_SHARE_H
/*
 * Links by which a stranger reads the working copy of one article (docs/console.md §4.5). This
 * file owns the table share. A link is drawn by chance and only its digest is stored. A share is
 * alive until it expires or is ended; one that is over never comes back. The row of a share that
 * is over tells it from a link that never was, for a year.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
#include "base/ctx.h"

#define SHARE_PREFIX "ab_share_"
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

/* Removes all shares of an article that is destroyed. In the writing transaction. */
void share_delete(struct ctx *c, int64_t article_id);

#endif
