#ifndef ARTICLE_ARTICLE_ROW_H
#define ARTICLE_ARTICLE_ROW_H
/*
 * The columns that article and edition share, and the head of an article's row:
 * for the files of this folder alone. The editions come last.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

struct stmt;

/* In the order of the schema; title to content. `t` is the table with a dot, or "". */
#define ROW_FIELDS_OF(t)                                                                           \
	t "title, " t "slug, " t "language, " t "author_name, " t "author_url, " t "noindex, " t   \
	  "meta_title, " t "meta_description, " t "section, " t "tags, " t "image, " t             \
	  "image_type, " t "image_width, " t "image_height, " t "image_generated"

#define ROW_SNAPSHOT_OF(t) ROW_FIELDS_OF(t) ", " t "content"
#define ROW_FIELDS ROW_FIELDS_OF("")
#define ROW_SNAPSHOT ROW_FIELDS ", content"
#define ROW_SNAPSHOT_VALUES                                                                        \
	":title, :slug, :language, :author_name, :author_url, :noindex,"                           \
	" :meta_title, :meta_description, :section, :tags, :image,"                                \
	" :image_type, :image_width, :image_height, :image_generated, :content"

/* The same of an edition, and what it alone has. */
#define ROW_EDITION ROW_SNAPSHOT ", unfinished"
#define ROW_EDITION_VALUES ROW_SNAPSHOT_VALUES ", :unfinished"

/* The columns of `article a`: those that the API asks for, the head, and all but the
 * snapshot's. Each column costs a list's request for each row. */
#define ROW_LISTED                                                                                 \
	"a.id, a.uuid, a.status, a.created_at, a.published_url, a.version,"                        \
	" a.edition_digest, a.first_published_at, a.modified_at,"                                  \
	" a.export_length, a.digest"

#define ROW_HEAD                                                                                   \
	ROW_LISTED ", a.workspace_id, a.changed_at, a.edition_id,"                                 \
		   " a.edition_of, a.updated_at"

#define ROW_SNAPSHOT_COUNT 16
#define ROW_LISTED_COUNT 11
#define ROW_HEAD_COUNT 16
#define ROW_WHOLE ROW_HEAD ", a.source, a.title, a.slug, a.language"
#define ROW_WHOLE_COUNT 20

/* Reads ROW_LISTED from column 0 on; what else an article has is 0 or NULL. */
void row_listed(struct stmt *q, struct article *out);

/* Reads ROW_HEAD. */
void row_head(struct stmt *q, struct article *out);

/* Reads ROW_WHOLE. */
void row_whole(struct stmt *q, struct article *out);

/* Runs a query for ROW_WHOLE and a text: each row is shown for the time of the
 * call. */
void row_each(
    struct stmt *q, void (*each)(void *arg, const struct article *a, const char *text), void *arg);

/* Reads ROW_FIELDS from column `first` on; the content is empty. */
void row_fields(struct ctx *c, struct stmt *q, int first, struct snapshot *out);

/* Reads ROW_SNAPSHOT from column 0 on, or from column `first` on. */
void row_snapshot(struct ctx *c, struct stmt *q, struct snapshot *out);
void row_snapshot_at(struct ctx *c, struct stmt *q, int first, struct snapshot *out);

/* Reads ROW_EDITION. */
void row_edition(struct ctx *c, struct stmt *q, struct snapshot *out);

/* A snapshot as it is written: its JSON texts made once. */
struct row_texts {
	const char *tags;
	const char *content;
	size_t content_len;
	unsigned char digest[ARTICLE_DIGEST]; /* of all its columns */
};

/* A working copy as it was written (struct article). */
struct row_written {
	const struct snapshot *snapshot;
	struct row_texts texts;
};

/* Makes the texts; refuses content over CONTENT_BYTES_MAX. */
MAY_REFUSE struct err *row_texts(struct ctx *c, const struct snapshot *s, struct row_texts *out);

/* Computes texts->digest from its texts and the plain fields of `s` (not from
 * s->tags and s->content). */
void row_digest(const struct snapshot *s, struct row_texts *texts);

/* Returns how many bytes of text a row of the snapshot has. */
size_t row_size(const struct snapshot *s, const struct row_texts *texts);

/* The values of ROW_SNAPSHOT_VALUES and of ROW_EDITION_VALUES; `s` and `texts` are pointers. */
#define ROW_BIND(s, texts)                                                                         \
	db_t(":title", (s)->title), db_t(":slug", (s)->slug), db_t(":language", (s)->language),    \
	    db_t(":author_name", (s)->author_name), db_t(":author_url", (s)->author_url),          \
	    db_i(":noindex", (s)->noindex), db_t(":meta_title", (s)->meta_title),                  \
	    db_t(":meta_description", (s)->meta_description), db_t(":section", (s)->section),      \
	    db_t(":tags", (texts)->tags), db_t(":image", (s)->image),                              \
	    db_t(":image_type", (s)->image_type), db_i(":image_width", (s)->image_width),          \
	    db_i(":image_height", (s)->image_height),                                              \
	    db_i(":image_generated", (s)->image_generated),                                        \
	    db_tn(":content", (texts)->content, (texts)->content_len)
#define ROW_BIND_EDITION(s, texts) ROW_BIND(s, texts), db_i(":unfinished", (s)->unfinished)

/*
 * The editions of an article, for people who look back (table edition): what was
 * published when, and under which slugs. They are immutable; article.c makes
 * them, article_edition() reads what is in them.
 */

/* A row without its snapshot. */
struct edition {
	int64_t version; /* publication number, from 1 */
	int64_t published_at;
	unsigned char digest[ARTICLE_DIGEST];
	const char *title;
	const char *slug;
	const char *language;
	int64_t unfinished; /* callouts of kind todo that were left out */
};

/* Reads the edition with this number; false if the article has none. */
bool edition_find(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

/* Calls `each` for the editions of the article, newest first. */
void edition_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct edition *edition), void *arg);

/* Returns whether publishing the working copy would make an equal edition. */
bool edition_is_current(struct ctx *c, const struct article *a, const struct edition *edition);

/* Returns the slug under which the article is shown; NULL if it is not shown. */
const char *edition_shown_slug(struct ctx *c, const struct article *a);

/*
 * Calls `each` for the slugs under which the published articles of the workspace
 * were shown before they were moved, by article and age, newest first. Left out
 * are slugs that another article holds now.
 */
void edition_list_moved(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *slug), void *arg);

/* Destroys all editions of the article (purge.h). In the writing transaction. */
void edition_delete(struct ctx *c, const struct article *a);

#endif
