#ifndef ACTION_ARTICLE_WRITING_H
#define ACTION_ARTICLE_WRITING_H
/*
 * Saves an article as a form of the console shows it (docs/console.md §5): its fields as
 * texts, and its body as Markdown. What was saved by others since the form was made is merged
 * with it, field by field and block by block, as it was typed; what clashes is returned, for the
 * person.
 *
 *	struct write w = { .id = uuid, .base = token, .values = …, .text = … };
 *	err = write_article(c, &w);
 *	if (err == NULL && w.clashed)
 *		show w.fields and w.merge; ask; set w.choices, call it again
 *
 * What acts at once (the two last fields, and the slug of a published article) stays as it is if
 * the save is automatic: half an address must not be public.
 *
 * It changes the article's workspace (DB_CHANGES_WORKSPACE). A stored save (article/save.h)
 * is made in the same transaction. What is saved and published at once is one transaction,
 * too.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/article/article-actions.h"
#include "article/article.h"
#include "article/desk.h"
#include "article/revision.h"
#include "base/err.h"
#include "import/markdown/merge.h"

struct save;
struct upload;

/* The fields, in the order of write_fields; the last two act at once. WRITE_IMAGE is "", an
 * https address, or the short name of a picture of the workspace (media:…). A cover that is
 * changed alone takes the alternative text of the picture. */
enum write_field {
	WRITE_TITLE,
	WRITE_SLUG,
	WRITE_DESCRIPTION,
	WRITE_LANGUAGE,
	WRITE_TAGS,
	WRITE_SECTION,
	WRITE_AUTHOR,
	WRITE_AUTHOR_URL,
	WRITE_NOINDEX,
	WRITE_IMAGE,
	WRITE_IMAGE_ALT,
	WRITE_IMAGE_CAPTION,
	WRITE_PUBLISHED_URL,
	WRITE_CREATED_AT,
	WRITE_FIELDS
};

/* Their names in refusals: those of action/article/article-actions.h. */
extern const char *const write_fields[WRITE_FIELDS];

enum write_then {
	WRITE_SAVE,
	WRITE_PUBLISH, /* if nothing stands against a first publication */
	WRITE_UNPUBLISH,
	WRITE_TRASH, /* WRITE_SAVE if it is published: the caller asks first */
	WRITE_HAND_IN, /* the acts of action/article/article-actions.h */
	WRITE_HAND_BACK,
	WRITE_TAKE_BACK
};

/* What a form shows of an article; all texts, "" for none. */
struct write_view {
	char base[TOKEN_TEXT];
	const char *values[WRITE_FIELDS];
	const char *text;
	bool typed; /* the text is a person's; else it is made of the content */
	int64_t shown_at; /* for `made_at` of a form that shows it */
	struct handed handed;
	const struct snapshot *snapshot; /* the working copy */
	/* Who made the working copy in the console, and when; NULL: not known. */
	const char *saved_by;
	int64_t saved_at;
};

#define WRITE_CHOICES 1000

/*
 * Makes another text of the one that a form would show now (`shown` NULL: it is made of the
 * content), and reads it. It is called outside of transactions, and once more when somebody
 * else saved meanwhile.
 */
typedef struct err *write_edit(struct ctx *c, void *arg, const struct settings *settings,
    const struct snapshot *s, const char *shown, struct content *out, const char **text);

struct write {
	/* What is asked. */
	const struct workspace *workspace; /* of a new article */
	const char *id; /* of the article; of a new one: the id that it gets */
	bool is_new;
	const char *base; /* b1 of what the form showed */
	int64_t made_at; /* when a form showed its base, in microseconds; 0: not known */
	const char *person; /* UUID */
	bool automatic; /* the editor's script sends it: nobody pressed a button */
	const char *values[WRITE_FIELDS]; /* NULL: as they are */
	bool
	    slug_is_derived; /* `automatic`: as long as there is no edition, it follows the title */
	const char *was[WRITE_FIELDS]; /* of those that act at once: what the form showed */
	const char *text; /* NULL: as it is */
	const char *facts; /* of its blocks (block-facts.h), or NULL */
	write_edit *change; /* instead of `base` and `text`, or NULL */
	void *change_arg;
	/* A picture that was sent with it, after upload_begin(), or NULL: it joins the list of
	 * the workspace in the same transaction, and is the cover. The caller ends it. */
	struct upload *upload;
	enum write_then then;
	const char *comment; /* what the person says about the article, or NULL */
	/* Answers to a clash, and the b1 that it was shown with (NULL: there was none). */
	const char *over;
	enum merge_choice field_choices[WRITE_FIELDS];
	enum merge_choice choices[WRITE_CHOICES];

	/* What became of it. */
	const struct article *article;
	bool saved; /* false: nothing was different */
	bool replaced; /* `automatic`: the save took the place of one of the same minute */
	bool merged;
	bool published; /* WRITE_PUBLISH: false: somebody must look first */
	bool clashed; /* nothing was saved */
	char theirs[TOKEN_TEXT]; /* with `clashed`: of the other side */
	bool field_clashes[WRITE_FIELDS];
	const char *field_theirs[WRITE_FIELDS];
	struct merge merge;
};

/* Returns whether a field counts at once, also of a published article: an automatic save
 * leaves it as it is. */
bool write_counts_at_once(const struct article *a, enum write_field f);

/* Reads what a form shows of the article: the text as it was typed, if the working copy is
 * one of the console's. Refuses an id that is not in the workspace. */
MAY_REFUSE struct err *write_look(struct ctx *c, const struct workspace *w, const char *id,
    const struct article **a, struct write_view *out);

/* Reads what a form with this base shows of the article besides its text. *out is NULL where the
 * base is not known. Refuses an id that is not in the workspace. */
MAY_REFUSE struct err *writing_base(struct ctx *c, const struct workspace *w, const char *id,
    const char *token, const struct snapshot **out);

/* Saves. Refuses what article_save() refuses (the param is a field's name, or "text"), an
 * article in the trash, and (ERR_CONFLICT) one that changes faster than it can be merged. */
MAY_REFUSE struct err *write_article(struct ctx *c, struct write *w);

/* One side of a merge. Its text is what somebody typed. Where another program changed the
 * content, it is what was typed before, with that change (body_carry()). */
struct side {
	const struct snapshot *snapshot;
	const char *values[WRITE_FIELDS];
	const char *shown; /* the text; NULL: nobody typed one, or writing_text() must find it */
	const char *body; /* as the content is written; NULL until it is needed */
	const char *typed; /* for another content; NULL: nobody typed one */
	const struct snapshot *typed_for;
	int64_t save; /* the save that has the snapshot; 0: none is known */
	const char *person; /* who made that (UUID), or NULL */
	int64_t at; /* when its text was shown first, in microseconds */
};

/* Returns the text of a side, as a form shows it. Call it outside of transactions. */
const char *writing_text(struct ctx *c, const struct settings *settings, struct side *s);

/* Reads the working copy of an article, in a transaction. */
void writing_present(struct ctx *c, const struct article *a, struct side *out);

/* Reads an edition of an article as it was typed, in a transaction. */
void writing_edition(struct ctx *c, const struct article *a, int64_t version, struct side *out);

/* Reads the edition that publishing makes now, as it was typed, in a transaction. */
void writing_next(struct ctx *c, const struct article *a, struct side *out);

/* Reads the working copy of a save as it was typed, in a transaction. */
void
writing_save(struct ctx *c, const struct article *a, const struct save *save, struct side *out);

/* Returns what a reader compares of a side, as lines: title and text (arena). Call it outside of
 * transactions. */
const char *writing_lines(struct ctx *c, const struct settings *settings, struct side *s);

/* HTML that somebody pastes into the text of an article (docs/console.md §5.4): it is read as
 * that of an import, and given back as Markdown. Nothing is stored. */
struct pasted {
	const char *markdown; /* without an end of line; "" where the HTML shows nothing */
	struct snapshot snapshot; /* has the captions, for which Markdown has no form */
	size_t pictures_left_out; /* without an address of the web */
};

/* Fills *out, in the arena. Refuses (ERR_TOO_LARGE) more than 1 MiB, and what content may
 * not hold. */
MAY_REFUSE struct err *
pasted_read(struct ctx *c, const struct workspace *w, const char *html, struct pasted *out);

#endif
