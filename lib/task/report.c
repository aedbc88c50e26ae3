#include "task/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"

#define FILE_MAX ((size_t)1024 * 1024)
#define TEXT_MAX 1500 /* bytes of one text */
#define PARTS 4 /* of a line */

static const char *const levels[] = {
	[REPORT_GOOD] = "good", [REPORT_NOTE] = "note", [REPORT_WARN] = "warn", [REPORT_BAD] = "bad"
};
#define LEVELS (sizeof(levels) / sizeof(levels[0]))

static const char *
path_of(struct ctx *c, const char *kind)
{
	return arena_printf(c->arena, "%s/console/report-%s", c->instance->run, kind);
}

void
report_add(struct ctx *c, struct report *r, enum report_level level, const char *name,
    const char *message, const char *fix)
{
	size_t size = sizeof(*r->list);

	if (r->count == REPORT_FINDINGS)
		return;
	r->list = arena_grow(c->arena, r->list, r->count * size, (r->count + 1) * size);
	r->list[r->count++] =
	    (struct report_finding) { level, name, message, fix != NULL ? fix : "" };
}

/* Adds a text in which no character ends a part or a line. */
static void
add_text(struct buf *out, const char *text)
{
	for (size_t i = 0; i < TEXT_MAX && text[i] != '\0'; i++)
		buf_add_char(out, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
}

void
report_write(struct ctx *c, const char *kind, const struct report *r)
{
	const char *path = path_of(c, kind);
	struct buf out;

	buf_init(&out, c->arena, 4 * FILE_MAX);
	buf_printf(&out, "%" PRId64 "\n", clock_now());
	for (size_t i = 0; i < r->count && out.len < FILE_MAX - PARTS * (TEXT_MAX + 1); i++) {
		const struct report_finding *f = &r->list[i];
		buf_add_text(&out, levels[f->level]);
		buf_add_char(&out, '\t');
		add_text(&out, f->name);
		buf_add_char(&out, '\t');
		add_text(&out, f->message);
		buf_add_char(&out, '\t');
		add_text(&out, f->fix);
		buf_add_char(&out, '\n');
	}
	if (!fileio_replace(c->arena, path, out.data, out.len, 0600))
		die("%s: %s", path, strerror(errno));
}

/* Reads a line, which is written over. */
static void
read_line(struct ctx *c, char *line, struct report *out)
{
	char *part[PARTS] = { NULL };
	size_t count = 0;

	while (line != NULL && count < PARTS)
		part[count++] = strsep(&line, "\t");
	for (size_t i = 0; i < LEVELS && count == PARTS; i++) {
		if (strcmp(part[0], levels[i]) == 0)
			report_add(c, out, (enum report_level)i, part[1], part[2], part[3]);
	}
}

void
report_parse(struct ctx *c, const char *text, struct report *out)
{
	char *rest = arena_text(c->arena, text), *line = strsep(&rest, "\n");
	size_t digits = strspn(line, "0123456789");

	*out = (struct report) { .at = 0 };
	if (digits > 0 && digits < 18)
		out->at = strtoll(line, NULL, 10);
	while (rest != NULL)
		read_line(c, strsep(&rest, "\n"), out);
}

bool
report_read(struct ctx *c, const char *kind, struct report *out)
{
	const char *text = fileio_read_own(c->arena, path_of(c, kind), FILE_MAX, NULL);

	*out = (struct report) { .at = 0 };
	if (text != NULL)
		report_parse(c, text, out);
	return text != NULL;
}
