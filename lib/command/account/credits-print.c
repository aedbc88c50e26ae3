#include "command/account/credits-print.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/ctx.h"

void
credits_print_json(struct jwrite *w, const struct account *a)
{
	jwrite_member_int(w, "granted", a->granted);
	jwrite_member_int(w, "available", a->available);
	jwrite_member_int(w, "reserved", a->reserved);
	jwrite_member_int(w, "spent", a->spent);
}

const char *
credits_print_text(struct ctx *c, const struct account *a)
{
	return arena_printf(c->arena,
	    "%" PRId64 " available, %" PRId64 " reserved and %" PRId64 " spent, of %" PRId64
	    " granted",
	    a->available, a->reserved, a->spent, a->granted);
}
