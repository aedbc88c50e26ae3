#include "people/normal.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"

static const char *
transform(struct ctx *c, const char *text, unsigned options)
{
	utf8proc_uint8_t *made = NULL;
	const char *out;
	utf8proc_ssize_t len = utf8proc_map((const utf8proc_uint8_t *)text, 0, &made,
	    (utf8proc_option_t)(options | UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
				UTF8PROC_COMPAT));

	if (len < 0)
		die("utf8proc_map: a valid text was refused");
	out = arena_text_n(c->arena, (const char *)made, (size_t)len);
	explicit_bzero(made, (size_t)len);
	free(made);
	return out;
}

const char *
normal_text(struct ctx *c, const char *text)
{
	return transform(c, text, 0);
}

const char *
normal_fold(struct ctx *c, const char *text)
{
	return transform(c, text, UTF8PROC_CASEFOLD);
}
