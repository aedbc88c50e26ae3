#include "action/article/failing.h"

#include "base/arena.h"
#include "base/ctx.h"

size_t
failing_checks(struct ctx *c, const struct export_source *s, struct export_check out[EXPORT_CHECKS])
{
	struct export_check checks[EXPORT_CHECKS];
	size_t count = 0;

	export_checks(c, s, checks);
	for (size_t i = 0; i < EXPORT_CHECKS; i++) {
		if (!checks[i].passed)
			out[count++] = checks[i];
	}
	return count;
}

const char *
failing_line(struct ctx *c, const struct export_check *k)
{
	return k->reason == NULL ? tr_for(c, k->label)
				 : arena_printf(c->arena, "%s: %s", tr_for(c, k->label), k->reason);
}
