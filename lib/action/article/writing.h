#ifndef ACTION_ARTICLE_WRITING_H
#define ACTION_ARTICLE_WRITING_H
/* What write_article() (write.h) stores: the working copy that a person's form and the present
 * working copy make together. The form was made from an older one, the base; where somebody else
 * saved since, the base says who changed what.
 *
 *	struct writing g = { .c = c, .w = w };
 *	err = writing_read(&g);
 *	if (err == NULL)
 *		err = writing_make(&g);
 */
#include "action/article/set.h"
#include "action/article/write.h"

/* One side of a merge. Its text is what somebody typed. Where another program changed the
 * content, it is what was typed before, with that change (over_carry()). */
struct side {
	const struct snapshot *snapshot;
	const char *values[WRITE_FIELDS];
	const char *shown; /* the text; NULL: nobody typed one, or writing_text() must find it */
	const char *body; /* as the content is written; NULL until it is needed */
	const char *typed; /* for another content; NULL: nobody typed one */
	const struct snapshot *typed_for;
	int64_t save; /* the save that has the snapshot; 0: none is known */
	int64_t at; /* when its text was shown first, in microseconds */
};

struct writing {
	struct ctx *c;
	struct write *w;
	struct article *article; /* as it was read */
	const struct workspace *workspace;
	struct side base, theirs;
	bool stale; /* they are not the same */
	struct set set; /* the working copy as it will be */
	const char *text; /* as it will be shown */
};

/* Returns the text of a side, as a form shows it. Call it outside of transactions. */
const char *writing_text(struct ctx *c, const struct settings *settings, struct side *s);

/* Reads the working copy of an article, in a transaction. */
void writing_present(struct ctx *c, const struct article *a, struct side *out);

/* Read, in a transaction, an edition of an article, the one that publishing makes now, and the
 * working copy of a save, as they were typed. */
struct save;
void writing_edition(struct ctx *c, const struct article *a, int64_t version, struct side *out);
void writing_next(struct ctx *c, const struct article *a, struct side *out);
void
writing_save(struct ctx *c, const struct article *a, const struct save *save, struct side *out);

/* Returns what a reader compares of a side, as lines: title and text (arena). Call it outside of
 * transactions. */
const char *writing_lines(struct ctx *c, const struct settings *settings, struct side *s);

/* Reads the article of a write, its workspace and both sides, in a transaction of its own. Sets
 * `theirs` of the write. */
struct err *writing_read(struct writing *g);

/* Makes the working copy as it will be, in `set` and `text`. Sets `merged`, and `clashed` where
 * the person must choose; then nothing may be stored. */
struct err *writing_make(struct writing *g);

/* Sets a field of `set` as it was sent; a date without a time is a day in the zone of the request.
 * No transaction may be open. */
MAY_REFUSE struct err *
writing_field(struct writing *g, const struct workspace *w, enum write_field f);

#endif
