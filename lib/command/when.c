#include "command/when.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"

#define DIGITS_MAX 10
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
	    "%s is no time to come: write a number of days such as 90d (or hours, 24h), a date such as 2030-01-31, or an RFC 3339 time.",
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
		    "--%s %s is no time: write a date such as 2026-09-30, or an RFC 3339 time.",
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
