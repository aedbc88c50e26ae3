#include "command/call-usage.h"

#include <stdarg.h>

#include "action/find.h"
#include "base/arena.h"
#include "base/ctx.h"

/* A refusal with this param is a usage error. */
static const char usage_mark[] = "usage";

struct err *
call_usage(struct ctx *c, const char *format, ...)
{
	struct err *err;
	va_list args;

	va_start(args, format);
	err = refuse(c, ERR_INVALID, "%s", arena_vprintf(c->arena, format, args));
	va_end(args);
	err->param = usage_mark;
	return err;
}

bool
call_is_usage(const struct err *err)
{
	return err->param == usage_mark || find_is_unnamed(err);
}
