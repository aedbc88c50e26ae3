#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H
/*
 * The structured content of an article: the source of everything that is
 * exported (docs/export.md §5). There is no path for raw HTML.
 *
 * Texts carry the five inline marks of inline.h; plain, without marks, are
 * code, alternative texts, the fields of references, labels, ids, addresses.
 * Strings are never NULL unless the comment says so; arrays may be empty
 * (count 0).
 *
 * Stored pictures are named "media:<digest>.<ext>" in `url`; rendering makes
 * the address (media_address() in export.h), so that a new domain moves every
 * image.
 *
 * lib/content: what an article is made of: sections, blocks, marks, addresses, languages, slugs,
 * the snapshot; kinds of pictures, and what is removed from them. Not here: rows and stored
 * pictures (lib/article), and bytes for readers (lib/export). Begin with content.h.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct arena;
struct ctx;

/* Limits (docs/export.md §5); texts in code points. */
enum {
	CONTENT_TEXT_MAX = 10000,
	CONTENT_HEADING_MAX = 300,
	CONTENT_SECTIONS_MAX = 60,
	CONTENT_SUBSECTIONS_MAX = 30,
	CONTENT_BLOCKS_MAX = 500,
	CONTENT_ITEMS_MAX = 500, /* of one list, of takeaways, of steps */
	CONTENT_LIST_DEPTH_MAX = 8,
	CONTENT_COLUMNS_MAX = 12,
	CONTENT_ROWS_MAX = 500,
	CONTENT_TABLES_MAX = 100, /* of one section; callouts too */
	CONTENT_FAQS_MAX = 100,
	CONTENT_REFERENCES_MAX = 100,
	CONTENT_URL_MAX = 2000, /* bytes */
	CONTENT_BYTES_MAX = 2 * 1024 * 1024 /* of the JSON */
};

enum block_type {
	BLOCK_PARAGRAPH, /* text */
	BLOCK_HEADING, /* text */
	BLOCK_LIST, /* list */
	BLOCK_QUOTE, /* text, cite */
	BLOCK_CODE, /* text (no marks), language */
	BLOCK_IMAGE, /* image */
	BLOCK_TABLE, /* index: places tables[index] here */
	BLOCK_CALLOUT, /* index: places callouts[index] here */
	BLOCK_STEPS, /* places the steps here */
	BLOCK_RULE /* a line between two subjects */
};

struct list_item;

struct list {
	bool ordered;
	struct list_item *items;
	size_t item_count;
};

struct list_item {
	const char *text;
	struct list list; /* nested items; item_count 0 for none */
};

struct image {
	const char *url; /* https/http address, or media:<digest>.<ext> */
	const char *alt; /* "" when there is none */
	const char *caption; /* or NULL */
	int64_t width; /* pixels; 0 (with height) when not known */
	int64_t height;
};

struct block {
	enum block_type type;
	const char *text;
	const char *cite; /* or NULL */
	const char *language; /* or NULL */
	size_t index;
	struct list list;
	struct image image;
};

struct step {
	const char *name;
	const char *text;
};

#define CONTENT_ALIGN "lcr-" /* left, center, right, none */

struct table {
	const char *caption; /* or NULL */
	const char **columns;
	size_t column_count; /* 1 to 12 */
	bool row_header; /* the first cell of each row heads it */
	const char ***rows; /* rows[r][0 … column_count - 1] */
	size_t row_count;
	const char *align; /* of each column one of CONTENT_ALIGN; NULL: none has any */
};

enum callout_kind {
	CALLOUT_NOTE,
	CALLOUT_TIP,
	CALLOUT_IMPORTANT,
	CALLOUT_WARNING,
	CALLOUT_CAUTION,
	CALLOUT_TODO /* rendered in drafts only, never part of an edition */
};

struct callout {
	enum callout_kind kind;
	const char *title; /* or NULL */
	const char *text;
};

/* A section, or one of its subsections (which have none themselves). */
struct section {
	const char *id; /* "s1", "s1-2": see below */
	const char *heading; /* "" only in the first section */
	struct block *body;
	size_t body_count;
	struct step *steps;
	size_t step_count;
	struct table *tables;
	size_t table_count;
	struct callout *callouts;
	size_t callout_count;
	struct section *subsections;
	size_t subsection_count;
};

struct faq {
	const char *id; /* "q1" */
	const char *question;
	const char *answer;
};

struct reference {
	const char *id; /* "r1"; cited as [^r1] */
	const char *title;
	const char *url; /* or NULL: a footnote without link */
	const char *publisher; /* or NULL */
	const char *published; /* a date as given, or NULL */
	const char *accessed; /* the same */
};

struct content {
	const char *summary;
	const char **takeaways;
	size_t takeaway_count;
	struct section *sections;
	size_t section_count; /* 0 only in a fresh, empty article */
	struct faq *faqs;
	size_t faq_count;
	struct reference *references;
	size_t reference_count;
	const char *image_alt; /* or NULL */
	const char *image_caption; /* or NULL */
	struct {
		const char *takeaways, *faqs, *references;
	} labels; /* fixed headings, in the article's language */
};

/* Returns the name of a column's alignment in the JSON and in HTML; NULL for none. */
const char *content_align_name(char align);

/* Return the names of block types and callout kinds in the JSON. */
const char *content_block_name(enum block_type type);

const char *content_callout_name(enum callout_kind kind);

/* Finds the kind that is called `name`, in any case; false when there is none. */
bool content_callout_kind(const char *name, enum callout_kind *kind);

/* Counts the callouts of kind todo in stored content (content_to_json()), without reading
 * it. */
int64_t content_stored_todos(const char *json, size_t len);

/* Makes the content of an empty article: empty arrays, labels of `language`. */
void content_init(struct content *content, const char *language);

/*
 * Reads content from a JSON object. Everything is checked: shape, types,
 * limits, unknown members, ids, the empty heading's place,
 * block indexes (each thing is placed once at most), that every citation mark
 * outside code has its reference, that addresses have an allowed form (url.h).
 * `what` names the object in refusals ("content"). Missing `labels` members,
 * `steps`, `tables`, `callouts`, `subsections`, `faqs`, `references`,
 * `takeaways`, `summary`, `imageAlt`, `imageCaption`, what may be null, and the
 * ids of sections and questions are filled in (providers and older data may
 * leave them out): ids are made by content_ids_number().
 */
MAY_REFUSE struct err *content_from_json(
    struct ctx *c, const char *what, json_t *json, const char *language, struct content *out);

/* Reads text that content_to_json() wrote (database). A text that does not fit is corruption:
 * dies. */
void
content_from_stored(struct ctx *c, const char *json, const char *language, struct content *out);

/* Returns the section or subsection with this id, or NULL. */
struct section *content_section(const struct content *content, const char *id);

/* Returns whether two contents have the same JSON. */
bool content_is_same(struct ctx *c, const struct content *x, const struct content *y);

/*
 * Writes the one canonical JSON form: all keys, in the order of docs/export.md §5.
 * `media_base` replaces "media:" in image addresses ("https://host/media/");
 * NULL keeps it (what is stored).
 */
void content_to_json(const struct content *content, const char *media_base, struct buf *out);

typedef void content_flow_visit(void *arg, const struct section *s, const struct block *block);

/* Calls `visit` for the blocks of a section before its subsections, in reading order: the
 * blocks of its body, then, for the steps, tables and callouts that none of them places, a
 * block that places them. That block lives during the call. */
void content_flow(const struct section *s, content_flow_visit *visit, void *arg);

enum content_text_kind {
	CONTENT_IS_SUMMARY,
	CONTENT_IS_TAKEAWAY,
	CONTENT_IS_HEADING, /* of sections and blocks, questions */
	CONTENT_IS_PARAGRAPH, /* paragraphs, quotes, callouts, steps, answers */
	CONTENT_IS_SHORT, /* list items, cells, step names, captions, cites,
				 callout titles */
	CONTENT_IS_CODE
};

typedef void
content_visit(void *arg, enum content_text_kind kind, const char *text, const char *place);

/*
 * Calls `visit` for every text that is not empty, in reading order; what no
 * block places follows the body. Not among them: alternative texts, the cover's
 * caption, references, labels. `place` is for people ("section \"Set up the
 * bin\"", "question 2", "takeaways") and lives during the call.
 */
void content_walk(const struct content *content, content_visit *visit, void *arg);

/* Where a text is. */
struct content_place {
	const char *section; /* id; NULL: in no section */
	size_t block; /* of its body, from 1; 0: its heading, or what no block places */
	size_t question; /* from 1; 0: in none */
};

/* Finds the place of the n-th text (from 0) that content_walk() visits. All is 0 for the
 * summary and the takeaways. */
void content_text_place(const struct content *content, size_t n, struct content_place *out);

/*
 * The ids inside one content: of sections, subsections, questions and
 * references. All of them become ids of one HTML document ("ab-3f2a9c10-s1"),
 * so no two may be equal, and none may be one that rendering makes itself:
 * takeaways, faq, references, t1 (a caption), s1-step1 (a step).
 */
#define CONTENT_ID_MAX 64 /* bytes */

/* Gives sections, subsections and questions without id ("" or NULL) the first
 * free one of s1…, s1-1…, q1…. Ids that are there stay (anchors survive). */
void content_ids_number(struct ctx *c, struct content *content);

#endif
