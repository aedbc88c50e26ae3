#ifndef PROVIDER_ASSIGNMENT_H
#define PROVIDER_ASSIGNMENT_H
/*
 * The assignment of a provider: what it is asked to do in this try. It is the one JSON object on
 * standard input, which docs/provider.md calls a task, as structs; the runner writes it from
 * struct try_task (job/try.h). Everything lives in c->arena.
 *
 * Every text is fit to be stored and rendered: NFC, trimmed, without control
 * characters, bidi overrides and noncharacters (assignment_clean()). Such texts cannot break
 * the formats of Galley, but a stranger wrote them. Members that the protocol does not
 * know are ignored.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"

struct ctx;

#define ASSIGNMENT_PROTOCOL 1
#define ASSIGNMENT_ARTICLES_MAX 200

enum assignment_kind { ASSIGNMENT_ARTICLE, ASSIGNMENT_RESEARCH };

/* One of the workspace's own published articles. */
struct assignment_article {
	const char *id; /* a UUID */
	const char *title; /* one line */
	const char *summary; /* plain text, "" if there is none */
	const char *url; /* clean http(s) address (url.h), or NULL */
};

struct brief_part {
	const char *heading;
	const char **points;
	size_t point_count;
};

struct brief_source {
	const char *id; /* "r1"; an empty id becomes "r" and its number */
	const char *title;
	const char *url; /* clean http(s) address, or NULL */
	const char *publisher; /* or NULL */
	const char *published; /* a date as given, or NULL */
};

/* A research brief: the result of a research job (docs/provider.md). Strings are never
 * NULL; an absent one is "". All but summary are one line. */
struct brief {
	const char *topic;
	const char *summary;
	const char *angle;
	const char *audience;
	struct brief_part *outline;
	size_t outline_count;
	const char **questions;
	size_t question_count;
	const char **keywords;
	size_t keyword_count;
	struct brief_source *sources;
	size_t source_count;
	const char **related; /* ids of the workspace's articles */
	size_t related_count;
};

struct assignment {
	const char *job_id;
	enum assignment_kind kind;
	const char *topic; /* may hold newlines; "" if none was given */
	bool image; /* a cover is ordered; never set for research */
	int64_t attempt; /* 1 for the first try */
	int64_t deadline_s; /* seconds for this try, from its start */
	struct {
		const char *name;
		/* a clean language tag; "en" if the tag was not valid */
		const char *language;
		const char *website; /* https origin, or NULL */
		/* or NULL; then use the workspace's name */
		const char *publisher_name;
	} workspace;
	const struct brief *brief; /* NULL if there is none */
	struct assignment_article *articles; /* newest first */
	size_t article_count; /* at most ASSIGNMENT_ARTICLES_MAX */
	json_t *steps; /* see assignment_step(); never NULL */
};

/*
 * Reads the task from `fd`, to its end. The refusal says what is wrong with the task: it
 * is not JSON, has another protocol, lacks a member, or has one of the wrong type.
 */
MAY_REFUSE struct err *assignment_read(struct ctx *c, int fd, struct assignment *out);

/* Returns what an earlier try stored under `name` (protocol_step()), or NULL. Another
 * release of the program may have written it: the caller must check it. */
json_t *assignment_step(const struct assignment *assignment, const char *name);

/* Reads a brief: that of the task, or one that was stored as a step. Absent members
 * become empty. Refuses wrong types only. */
MAY_REFUSE struct err *
assignment_brief(struct ctx *c, const char *what, json_t *json, struct brief *out);

/* Returns the article with this id, or NULL. */
const struct assignment_article *
assignment_article_find(const struct assignment *assignment, const char *id);

/*
 * Returns a copy of `text` that every field of Galley accepts: NFC, trimmed, without
 * characters that utf8_forbidden() names. With `one_line` every run of spaces, tabs and
 * line ends becomes one space. Without it line ends become \n, at most two in a row.
 */
const char *assignment_clean(struct ctx *c, const char *text, bool one_line);

#endif
