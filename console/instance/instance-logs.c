/* Logs of the instance, the newest lines first (docs/console.md §4.14). What strangers typed is
 * in them, so each line is text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
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

struct page {
	struct ctx *c;
	const struct visit *v;
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
	struct page *p = arg;
	struct arena *kept = p->c->arena;
	struct arena scratch;
	bool wanted =
	    len > 0 && (p->text == NULL || memmem(line, len, p->text, strlen(p->text)) != NULL);

	if (wanted && strcmp(p->log, "errors") == 0) {
		arena_init(&scratch, (size_t)1024 * 1024);
		p->c->arena = &scratch;
		wanted = is_error(p->c, line, len);
		p->c->arena = kept;
		arena_release(&scratch);
	}
	if (wanted)
		p->lines[p->count++] =
		    arena_text_n(kept, line, len < LINE_MAX_BYTES ? len : LINE_MAX_BYTES);
	return p->count < LINES;
}

static void
read_lines(struct page *p)
{
	const char *name = strcmp(p->log, "errors") == 0 ? "requests" : p->log;

	p->more =
	    logs_back(p->c, arena_printf(p->c->arena, "%s.log", name), &p->place, BYTES, keep, p);
}

/* ---- what is asked */

static void
read_asked(struct ctx *c, const struct visit *v, struct page *p)
{
	const char *log = console_query(c, v, "log"), *older = console_query(c, v, "older");
	const char *text = console_query(c, v, "text");
	size_t file, at;

	p->log = logs[0].value;
	for (size_t i = 0; log != NULL && logs[i].value != NULL; i++) {
		if (strcmp(log, logs[i].value) == 0)
			p->log = logs[i].value;
	}
	p->text = text != NULL && text[0] != '\0' && strlen(text) <= 200 ? text : NULL;
	if (older == NULL)
		return;
	file = strspn(older, "0123456789");
	at = older[file] == '-' ? strspn(older + file + 1, "0123456789") : 0;
	if (file == 0 || file > 19 || at == 0 || at > 18 || older[file + 1 + at] != '\0')
		return;
	p->place.file = strtoull(older, NULL, 10);
	p->place.at = strtoll(older + file + 1, NULL, 10);
	p->paged = true;
}

static const char *
address(const struct page *p, const struct logs_place *older)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(p->c, p->v, "/instance/logs"));
	screen_address_add(&out, "log", p->log);
	screen_address_add(&out, "text", p->text);
	if (older != NULL)
		screen_address_add(&out, "older",
		    arena_printf(p->c->arena, "%" PRIu64 "-%" PRId64, older->file, older->at));
	return buf_done(&out);
}

/* ---- the page */

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	instance_write_places(w, p->c, p->v);
	form_write(w, &p->filter,
	    &(struct form_head) {
		.search = true, .action = console_path(p->c, p->v, "/instance/logs") });
	if (p->count == 0 && p->more)
		@ <p>There is no such line in this part of the log. Older ones may be in it.</p>
	else if (p->count == 0)
		screen_empty(w, tr("There is no such line."), NULL, NULL);
	for (size_t i = 0; i < p->count; i++)
		instance_write_english(w, H_PRE, p->lines[i]);
	screen_pages(w, p->paged ? address(p, NULL) : NULL, p->more ? address(p, &p->place) : NULL);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->c = c;
	p->v = v;
	read_asked(c, v, p);
	read_lines(p);
	form_init(&p->filter, "filter", filter_fields);
	form_fill(&p->filter, "log", p->log);
	form_fill(&p->filter, "text", p->text);
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

SCREEN(instance_logs) = {
	{ "GET", "/instance/logs", INSTANCE, .title = tr_mark("Logs"), .handler = show },
	{ .method = NULL },
};
