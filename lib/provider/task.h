#ifndef PROVIDER_TASK_H
#define PROVIDER_TASK_H
/*
 * What a provider is asked for: the one JSON object on its standard input
 * (docs/design.md §5), as structs. Everything lives in c->arena.
 *
 * Every text is fit to be stored and rendered: NFC, trimmed, without control
 * characters, bidi overrides and noncharacters (task_clean()). That makes
 * texts harmless for our own formats; what they say is still a stranger's.
 * Members that this protocol does not know are ignored.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"

struct ctx;

#define TASK_PROTOCOL 1
#define TASK_ARTICLES_MAX 200

enum task_kind { TASK_ARTICLE, TASK_RESEARCH };

/* One of the workspace's own published articles. */
struct task_article {
	const char *id; /* a UUID */
	const char *title; /* one line */
	const char *summary; /* plain text, "" when there is none */
	const char *url; /* clean http(s) address (url.h), or NULL */
};

struct brief_part {
	const char *heading;
	const char **points;
	size_t point_count;
};

struct brief_source {
	const char *id; /* "r1"; "" is numbered when read */
	const char *title;
	const char *url; /* clean http(s) address, or NULL */
	const char *publisher; /* or NULL */
	const char *published; /* a date as given, or NULL */
};

/* A research brief (docs/design.md §5, RESULT of a research job). Strings are never
 * NULL, "" when there is nothing to say; all but summary are one line. */
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

struct task {
	const char *job_id;
	enum task_kind kind;
	const char *topic; /* may hold newlines; "" when none was given */
	bool image; /* a cover is wanted; never set for research */
	int64_t attempt; /* 1 for the first try */
	int64_t deadline_s; /* seconds for this try, from its start */
	struct {
		const char *name;
		const char *language; /* a clean tag; "en" if it was none */
		const char *website; /* https origin, or NULL */
		const char *publisher_name; /* or NULL: the workspace's name */
	} workspace;
	const struct brief *brief; /* NULL: ordered without one */
	struct task_article *articles; /* newest first */
	size_t article_count; /* at most TASK_ARTICLES_MAX */
	json_t *steps; /* see task_step(); never NULL */
};

/*
 * Reads the task from `fd`, to its end. A refusal says what is wrong with it:
 * not JSON, another protocol, a member that is missing or of the wrong type.
 */
MAY_REFUSE struct err *task_read(struct ctx *c, int fd, struct task *out);

/* What an earlier try stored under `name` (protocol_step()), or NULL. It was
 * written by this program, perhaps by another release of it: check it. */
json_t *task_step(const struct task *task, const char *name);

/* Reads a brief: the task's own, or one that was kept as a step. Absent
 * members are empty; only wrong types are refused. */
MAY_REFUSE struct err *
task_brief(struct ctx *c, const char *what, json_t *json, struct brief *out);

/* The article with this id, or NULL. */
const struct task_article *
task_article_find(const struct task *task, const char *id);

/*
 * A copy of `text` that every field of Galley accepts: NFC, without characters
 * that utf8_forbidden() names, trimmed. One line: every run of blanks, tabs
 * and line ends is one blank. Else line ends are \n, at most two in a row.
 */
const char *task_clean(struct ctx *c, const char *text, bool one_line);

#endif
