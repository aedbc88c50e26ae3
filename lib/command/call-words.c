#include "command/call-words.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "command/call.h"
#include "system/instance.h"

#define DIGITS_MAX 10 /* of a number */

struct err *
number_read(struct ctx *c, const char *word, const char *what, int64_t *out)
{
	size_t len = strlen(word);

	*out = 0;
	if (len == 0 || len > DIGITS_MAX || strspn(word, "0123456789") != len)
		return call_usage(c, "%s is no %s.", word, what);
	*out = strtoll(word, NULL, 10);
	return NULL;
}

/* ---- times */

#define SPAN_MAX (36525 * CLOCK_DAY) /* a hundred years */

static const struct {
	char letter;
	int64_t span;
} units[] = {
	{ 'd', CLOCK_DAY },
	{ 'h', 3600 * CLOCK_SECOND },
	{ 'm', 60 * CLOCK_SECOND },
	{ 's', CLOCK_SECOND },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

bool
when_span(const char *word, int64_t *span)
{
	size_t digits = strspn(word, "0123456789");
	int64_t number;

	*span = 0;
	if (strcmp(word, "0") == 0)
		return true;
	if (digits == 0 || digits > DIGITS_MAX || strlen(word) != digits + 1)
		return false;
	number = strtoll(word, NULL, 10);
	for (size_t i = 0; i < UNITS; i++) {
		if (units[i].letter != word[digits])
			continue;
		*span = number * units[i].span;
		return number <= SPAN_MAX / units[i].span;
	}
	return false;
}

struct err *
when_to_come(struct ctx *c, const char *option, const char *word, int64_t *at)
{
	int64_t span, now = clock_now();

	if (when_span(word, &span) && span > 0) {
		*at = now + span;
		return NULL;
	}
	if ((clock_parse(word, at) || clock_parse_date(word, at)) && *at > now)
		return NULL;
	return err_param(c, option,
	    "%s is not a time to come: write a number of days such as 90d (or hours, 24h), a date such as 2030-01-31, or an RFC 3339 time.",
	    word);
}

struct err *
when_given(struct ctx *c, const char *option, const char *word, int64_t *at)
{
	*at = 0;
	return word == NULL ? NULL : when_to_come(c, option, word, at);
}

struct err *
when_border(struct ctx *c, const char *option, const char *word, bool last, int64_t *at)
{
	if (clock_parse(word, at))
		return NULL;
	if (!clock_parse_date(word, at))
		return err_param(c, option,
		    "--%s %s is not a time: write a date such as 2026-09-30, or an RFC 3339 time.",
		    option, word);
	if (last)
		*at += CLOCK_DAY;
	return NULL;
}

const char *
when_text(struct arena *a, int64_t at)
{
	char *text;

	if (at == 0)
		return NULL;
	text = arena_alloc(a, CLOCK_TEXT);
	clock_format_seconds(text, at);
	return text;
}

/* ---- the chosen workspace */

enum {
	NAME_MAX_BYTES = 200, /* bytes of the file's name */
	CHOICE_MAX = 100 /* bytes of the file */
};

/* Returns the path of the calling user's file. Any user name becomes a
 * valid file name. */
static const char *
file_of(struct ctx *c, const struct call *call)
{
	const char *user = call->user != NULL ? call->user : "";
	struct buf name;

	buf_init(&name, c->arena, NAME_MAX_BYTES);
	for (const char *p = user; *p != '\0'; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			     (*p >= '0' && *p <= '9') || *p == '-';
		if (plain)
			buf_add_char(&name, *p);
		else
			buf_printf(&name, "%%%02X", (unsigned char)*p);
	}
	return arena_printf(c->arena, "%s/workspace-%s", c->instance->run, buf_done(&name));
}

const char *
chosen_workspace(struct ctx *c, const struct call *call, const char **by)
{
	const char *name = getenv("GALLEY_WORKSPACE");
	char *text;
	size_t len;

	if (by != NULL)
		*by = "GALLEY_WORKSPACE";
	if (name != NULL)
		return name[0] != '\0' && utf8_valid(name, strlen(name)) ? name : NULL;
	if (by != NULL)
		*by = "galley workspace use";
	text = fileio_read(c->arena, file_of(c, call), CHOICE_MAX, &len);
	if (text == NULL || !utf8_valid(text, len))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text[0] != '\0' ? text : NULL;
}

bool
chosen_set(struct ctx *c, const struct call *call, const char *uuid)
{
	const char *path = file_of(c, call);
	const char *line;

	if (uuid == NULL)
		return unlink(path) == 0 || errno == ENOENT;
	line = arena_printf(c->arena, "%s\n", uuid);
	return fileio_replace(c->arena, path, line, strlen(line), 0600);
}

/* ---- articles */

struct find_place
pick_place(struct ctx *c, const struct call *call, const char *name)
{
	struct find_place place = { .name = name };

	if (name == NULL)
		place.chosen = chosen_workspace(c, call, &place.chosen_by);
	return place;
}

struct err *
pick_one_article(struct ctx *c, struct call *call, size_t i, struct article **out)
{
	struct find_place place = pick_place(c, call, NULL);

	TRY(read_article(c, &place, call->operands[i], out));
	call->operands[i] = (*out)->uuid;
	return NULL;
}

struct err *
pick_version(struct ctx *c, const struct call *call, int64_t *version)
{
	const char *number = call_option(call, "edition");

	*version = FIND_NEWEST;
	return number == NULL ? NULL : number_read(c, number, "number of an edition", version);
}
