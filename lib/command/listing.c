#include "command/listing.h"

#include "base/ctx.h"

void
listing_begin(struct listing *l, struct ctx *c, struct call *call, const char *const *head)
{
	l->c = c;
	l->call = call;
	grid_init(&l->grid, c->arena, head);
	if (call->as_json)
		jwrite_array(&call->json);
}

void
listing_end(struct listing *l, const char *none)
{
	if (l->call->as_json)
		jwrite_array_end(&l->call->json);
	else
		grid_print(&l->grid, none, &l->call->out);
}
