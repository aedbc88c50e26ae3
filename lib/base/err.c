#include "base/err.h"

#include <stdarg.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"

static const struct {
	int status;
	char reason[24];
	char name[24];
} table[] = {
#define ERR_ROW(name, status, reason, code) { status, reason, code },
	ERR_TABLE(ERR_ROW)
#undef ERR_ROW
};

struct err *
refuse(struct ctx *c, enum err_code code, const char *format, ...)
{
	struct err *err = arena_alloc(c->arena, sizeof(*err));
	va_list args;

	va_start(args, format);
	err->message = arena_vprintf(c->arena, tr_for(c, format), args);
	va_end(args);
	err->code = code;
	return err;
}

struct err *
err_param(struct ctx *c, const char *param, const char *format, ...)
{
	struct err *err = arena_alloc(c->arena, sizeof(*err));
	va_list args;

	va_start(args, format);
	err->message = arena_vprintf(c->arena, tr_for(c, format), args);
	va_end(args);
	err->code = ERR_INVALID;
	err->param = arena_text(c->arena, param);
	return err;
}

struct err *
err_hint(struct ctx *c, struct err *err, enum hint hint, const char *about)
{
	err->message = hint_say(c, err->message, hint, about);
	err->hint = hint;
	err->about = about;
	return err;
}

int
err_status(enum err_code code)
{
	return table[code].status;
}

const char *
err_reason(enum err_code code)
{
	return table[code].reason;
}

const char *
err_name(enum err_code code)
{
	return table[code].name;
}
