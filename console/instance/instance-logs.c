/* Logs of the instance, the newest lines first (docs/console.md §4.14). What strangers typed is
 * in them, so each line is text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/page.h"
#include "instance-screen.h"
#include "screen/tr.h"
#include "stats/logs.h"

#define LINES 100
#define BYTES ((int64_t)4 * 1024 * 1024) /* of the log that a page reads */
#define LINE_MAX_BYTES 2000 /* of a line that is shown */

static const struct field_choice logs[] = {
	{ "sign-in", tr_mark("Sign-ins") },
	{ "operator", tr_mark("Changes") },
	{ "errors", tr_mark("Errors") },
	{ "runner", tr_mark("Job runner and task runner") },
	{ NULL, NULL },
};

static const struct field filter_fields[] = {
	{ .name = "log",
	    .label = tr_mark("Log"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = logs },
	{ .name = "text",
	    .label = tr_mark("With the text"),
	    .kind = FIELD_TEXT,
	    .max = 200,
	    .dir = "ltr" },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct asked {
	struct ctx *c;
	const char *log; /* a value of logs[] */
	const char *text; /* or NULL */
	struct form filter;
	struct logs_place place;
	bool paged, more;
	const char *lines[LINES];
	size_t count;
};

/* Returns whether a line of requests.log tells of a fault: a request that failed, or what a
 * program said besides. */
static bool
is_error(struct ctx *c, const char *line, size_t len)
{
	struct logs_request r;

	return !logs_parse(c, line, len, &r) ? r.at != NULL : r.status >= 500;
}

static bool
keep(void *arg, const char *line, size_t len)
{
	struct asked *a = arg;
	struct arena *kept = a->c->arena;
	struct arena scratch;
	bool wanted =
	    len > 0 && (a->text == NULL || memmem(line, len, a->text, strlen(a->text)) != NULL);

	if (wanted && strcmp(a->log, "errors") == 0) {
		arena_init(&scratch, (size_t)1024 * 1024);
		a->c->arena = &scratch;
		wanted = is_error(a->c, line, len);
		a->c->arena = kept;
		arena_release(&scratch);
	}
	if (wanted)
		a->lines[a->count++] =
		    arena_text_n(kept, line, len < LINE_MAX_BYTES ? len : LINE_MAX_BYTES);
	return a->count < LINES;
}

static void
read_lines(struct asked *a)
{
	const char *name = strcmp(a->log, "errors") == 0 ? "requests" : a->log;

	a->more =
	    logs_back(a->c, arena_printf(a->c->arena, "%s.log", name), &a->place, BYTES, keep, a);
}

/* ---- what is asked */

static void
read_asked(struct ctx *c, const struct visit *v, struct asked *a)
{
	const char *log = console_query(c, v, "log"), *older = console_query(c, v, "older");
	const char *text = console_query(c, v, "text");
	size_t file, at;

	a->log = logs[0].value;
	for (size_t i = 0; log != NULL && logs[i].value != NULL; i++) {
		if (strcmp(log, logs[i].value) == 0)
			a->log = logs[i].value;
	}
	a->text = text != NULL && text[0] != '\0' && strlen(text) <= 200 ? text : NULL;
	if (older == NULL)
		return;
	file = strspn(older, "0123456789");
	at = older[file] == '-' ? strspn(older + file + 1, "0123456789") : 0;
	if (file == 0 || file > 19 || at == 0 || at > 18 || older[file + 1 + at] != '\0')
		return;
	a->place.file = strtoull(older, NULL, 10);
	a->place.at = strtoll(older + file + 1, NULL, 10);
	a->paged = true;
}

static const char *
address(const struct page *p, const struct asked *a, const struct logs_place *older)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, page_path(p, "/instance/logs"));
	screen_address_add(&out, "log", a->log);
	screen_address_add(&out, "text", a->text);
	if (older != NULL)
		screen_address_add(&out, "older",
		    arena_printf(a->c->arena, "%" PRIu64 "-%" PRId64, older->file, older->at));
	return buf_done(&out);
}

/* ---- the page */

static void
write_lines(struct hwrite *w, struct page *p)
{
	const struct asked *a = p->data;

	instance_write_places(w, p->c, p->v);
	form_write(w, &a->filter,
	    &(struct form_head) { .search = true, .action = page_path(p, "/instance/logs") });
	if (a->count == 0 && a->more)
		@ <p>There is no such line in this part of the log. Older ones may be in it.</p>
	else if (a->count == 0)
		screen_empty(w, tr("There is no such line."), NULL, NULL);
	for (size_t i = 0; i < a->count; i++)
		instance_write_english(w, H_PRE, a->lines[i]);
	screen_pages(
	    w, a->paged ? address(p, a, NULL) : NULL, a->more ? address(p, a, &a->place) : NULL);
}

static struct err *
load(struct page *p)
{
	struct asked *a = p->data;

	a->c = p->c;
	read_asked(p->c, p->v, a);
	read_lines(a);
	form_init(&a->filter, "filter", filter_fields);
	form_fill(&a->filter, "log", a->log);
	form_fill(&a->filter, "text", a->text);
	return NULL;
}

static const struct page_kind logs_page = { sizeof(struct asked), load, write_lines };

SCREEN(instance_logs) = {
	{ "GET", "/instance/logs", INSTANCE, .title = tr_mark("Logs"), .page = &logs_page },
	{ .method = NULL },
};
