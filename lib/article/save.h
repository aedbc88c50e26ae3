#ifndef ARTICLE_SAVE_H
#define ARTICLE_SAVE_H
/*
 * Working copies that somebody saved in the console (table save): the bases of forms, and
 * what History shows (docs/console.md §5.3). A save has the token of its working copy
 * (token_base()). The newest SAVE_KEPT of an article stay, and the one that is to be published at
 * a date (desk.h). Of saves that the editor's script sends every few seconds only some stay:
 * save_thin(). The others are differences (table save_was), the base of forms alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

struct save {
	int64_t id;
	int64_t saved_at;
	const char *person; /* UUID; NULL: made in another way than the console's */
	const char *title;
	const char *text; /* the Markdown as it was typed, or NULL */
	bool automatic; /* the editor's script sent it: nobody pressed a button */
	unsigned char digest[ARTICLE_DIGEST];
};

/* Stores the working copy `s` of an article, and drops what is more than SAVE_KEPT. With
 * `person` NULL it is one that was found: its time is that of the article. Call it in a
 * writing transaction. */
void save_insert(struct ctx *c, const struct article *a, const struct snapshot *s,
    const char *person, const char *text);

/* The same of what a person wrote and another text won. Refuses content that is too long. */
MAY_REFUSE struct err *save_keep(struct ctx *c, const struct article *a, const struct snapshot *s,
    const char *person, const char *text);

/* Marks the newest save of the article as one that the editor's script sent, and removes those
 * of the same person that it makes needless (docs/console.md §5.3): the one before it, if that
 * is of the same minute, and those that are older than ten minutes, each if it is automatic and
 * the one after it keeps nine tenths of its words. Returns whether the first was removed. In the
 * writing transaction. */
bool save_thin(struct ctx *c, const struct article *a, const char *person);

/* Return the newest save with this token (token_base()), and the save with this internal id;
 * false if the article has none. */
bool save_find(struct ctx *c, const struct article *a, const char *token, struct save *out);
bool save_of(struct ctx *c, const struct article *a, int64_t id, struct save *out);

/* Finds the save that a form with this token showed, at this time in microseconds (0: not known):
 * out->id, out->text, and its working copy. Several saves have one token if only their texts
 * differ: the newest one that was there then. One that was removed counts, too. */
bool save_base(struct ctx *c, const struct article *a, const char *token, int64_t at,
    struct save *out, struct snapshot **s);

/* Finds the newest save before this one (0: of all) that has a text. */
bool save_typed(struct ctx *c, const struct article *a, int64_t before, struct save *out);

/* Returns the newest save that was there at a time, in microseconds; false if there is none.
 * What a form of that time showed is this save, or was made of it. */
bool save_before(struct ctx *c, const struct article *a, int64_t at, struct save *out);

/* Returns the newest save that a person made; false if the article has none. */
bool save_last(struct ctx *c, const struct article *a, struct save *out);

/* A draft that a person saved. */
struct save_draft {
	const char *uuid, *title, *cover; /* as browse_shown (article-list.h) has it */
	int64_t saved_at;
};

/* Reads the drafts of a workspace that this person saved last, the newest save first, at most
 * `max`. It looks at the person's newest 1,000 saves. Returns how many there are. */
size_t save_drafts(
    struct ctx *c, int64_t workspace_id, const char *person, struct save_draft *out, size_t max);

/* Reads the working copy of a save (arena). */
struct snapshot *save_snapshot(struct ctx *c, const struct article *a, int64_t id);

/* Calls `each` for the saves of an article, newest first. */
void save_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct save *s), void *arg);

/* Removes all saves of an article. In the writing transaction. */
void save_delete(struct ctx *c, const struct article *a);

#endif
