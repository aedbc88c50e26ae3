#include "console/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/uuid.h"

#define TABLES_MAX ((size_t)64 * 1024)

/* Takes the next segment of a path; false at its end. */
static bool
next_segment(const char **p, const char **segment, size_t *len)
{
	if (**p != '/')
		return false;
	*segment = *p + 1;
	*len = strcspn(*segment, "/");
	*p = *segment + *len;
	return true;
}

static bool
match_segment(struct ctx *c, const char *word, size_t word_len, const char *text, size_t len,
    struct matched *out)
{
	const char *value = arena_text_n(c->arena, text, len);
	char uuid[UUID_TEXT];

	if (word_len == 4 && memcmp(word, "NAME", 4) == 0) {
		out->name = value;
		return len > 0;
	}
	if (word[0] < 'A' || word[0] > 'Z')
		return word_len == len && memcmp(word, text, len) == 0;
	if (!uuid_parse(value, uuid))
		return false;
	value = arena_text(c->arena, uuid);
	if (word_len == 2)
		out->id = value;
	else if (word[0] == 'W')
		out->workspace = value;
	else
		out->account = value;
	return true;
}

static bool
match(struct ctx *c, const char *pattern, const char *path, struct matched *out)
{
	const char *word, *text;
	size_t word_len, len;

	memset(out, 0, sizeof(*out));
	while (next_segment(&pattern, &word, &word_len)) {
		if (!next_segment(&path, &text, &len) ||
		    !match_segment(c, word, word_len, text, len, out))
			return false;
	}
	return *pattern == '\0' && *path == '\0';
}

bool
rows_find(struct ctx *c, struct visit *v, struct matched *m, const char **allow)
{
	const char *method = strcmp(v->r->method, "HEAD") == 0 ? "GET" : v->r->method;
	bool get = false, post = false;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (!match(c, row->pattern, v->path, m))
				continue;
			get |= row->method[0] == 'G';
			post |= row->method[0] == 'P';
			if (strcmp(row->method, method) == 0) {
				v->row = row;
				return true;
			}
		}
	}
	*allow = get && post ? "GET, HEAD, POST" : get ? "GET, HEAD" : post ? "POST" : NULL;
	return false;
}

struct err *
rows_refuse(struct ctx *c, const char *allow)
{
	if (allow != NULL)
		return refuse(c, ERR_METHOD, tr_mark("This address answers %s."), allow);
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
}

bool
rows_get(struct ctx *c, const char *path)
{
	struct matched m;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (row->method[0] == 'G' && match(c, row->pattern, path, &m))
				return true;
		}
	}
	return false;
}

bool
rows_operate(struct ctx *c, const char *path)
{
	struct matched m;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (row->method[0] == 'P' && match(c, row->pattern, path, &m))
				return (row->need & RIGHT_OPERATE) != 0;
		}
	}
	return false;
}

bool
rows_find_account(struct ctx *c, struct visit *v, struct matched *m)
{
	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (strncmp(row->pattern, "/A/", 3) == 0 &&
			    strcmp(row->method, v->row->method) == 0 &&
			    match(c, row->pattern, v->path, m)) {
				v->row = row;
				return true;
			}
		}
	}
	return false;
}

_Noreturn void
rows_print(struct ctx *c, const struct service *service)
{
	struct jwrite w;
	struct buf out;

	(void)service;
	buf_init(&out, c->arena, TABLES_MAX);
	jwrite_init(&w, &out);
	jwrite_array(&w);
	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			jwrite_object(&w);
			jwrite_member_text(&w, "method", row->method);
			jwrite_member_text(&w, "path", row->pattern);
			jwrite_member_text(&w, "title", row->title);
			jwrite_member_int(&w, "access", row->access);
			jwrite_member_int(&w, "need", row->need);
			jwrite_member_int(&w, "any", row->any);
			jwrite_member_bool(&w, "step_up", row->step_up);
			jwrite_member_bool(&w, "files", row->files);
			jwrite_object_end(&w);
		}
	}
	jwrite_array_end(&w);
	exit(puts(buf_done(&out)) < 0 || fflush(stdout) != 0);
}
