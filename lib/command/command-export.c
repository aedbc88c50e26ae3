/* galley export refresh */
#include <inttypes.h>
#include <stddef.h>

#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "store/db.h"

#define SLICE 20 /* articles rendered between two transactions */
#define SLICE_MEMORY ((size_t)1 << 30)

/* Memory is given back after each slice. */
static int64_t
refresh_workspace(struct ctx *c, int64_t id)
{
	struct arena scratch, *kept = c->arena;
	int64_t after = 0, renewed = 0;
	bool more = true;

	arena_init(&scratch, SLICE_MEMORY);
	c->arena = &scratch;
	while (more) {
		more = stored_refresh(c, id, &after, SLICE, &renewed);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	c->arena = kept;
	return renewed;
}

struct ids {
	struct ctx *c;
	int64_t *ids;
	size_t count;
};

static void
keep_id(void *arg, const struct workspace *w)
{
	struct ids *all = arg;

	all->ids = arena_grow(all->c->arena, all->ids,
	    all->count * sizeof(*all->ids),
	    (all->count + 1) * sizeof(*all->ids));
	all->ids[all->count++] = w->id;
}

static struct err *
refresh(struct ctx *c, struct call *call)
{
	const char *name = call_option(call, "workspace");
	struct ids all = { .c = c };
	struct workspace *w;
	int64_t renewed = 0;
	struct err *err;

	db_begin_read(c);
	if (name == NULL) {
		workspace_list(c, keep_id, &all);
	} else {
		err = pick_workspace(c, name, &w);
		if (err != NULL)
			return err;
		keep_id(&all, w);
	}
	db_commit(c);
	for (size_t i = 0; i < all.count; i++)
		renewed += refresh_workspace(c, all.ids[i]);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "renewed", renewed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " stored export%s renewed.", renewed,
	    renewed == 1 ? " was" : "s were");
	return NULL;
}

static const struct command_option refresh_options[] = {
	{ .name = "workspace", .value = "ID",
	    .help = "only this one; else all" },
	{ .name = NULL },
};

const struct command command_export[] = {
	{ .noun = "export", .verb = "refresh", .operands = "",
	    .options = refresh_options, .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = refresh,
	    .summary = "store the finished bytes that a settings change made"
		       " stale",
	    .text = "Answers are right without it; they cost more until the"
		    " bytes are stored. The job runner\ndoes the same." },
	{ .verb = NULL },
};
