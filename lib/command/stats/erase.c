/* galley stats erase */
#include <inttypes.h>
#include <stddef.h>

#include "action/action.h"
#include "action/statistics/erasure.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "terminal/terminal.h"

/* Reads the day of an option, if it is given. */
static struct err *
read_day(struct ctx *c, const struct call *call, const char *option, bool *given, int64_t *day)
{
	const char *word = call_option(call, option);
	int64_t at;

	*given = word != NULL;
	if (word == NULL)
		return NULL;
	if (!clock_parse_date(word, &at))
		return err_param(
		    c, option, "--%s %s is no day: write a date such as 2026-09-30.", option, word);
	*day = at / CLOCK_DAY;
	return NULL;
}

/* Returns the days in words: "all days". */
static const char *
days_text(struct ctx *c, const struct call *call)
{
	const char *from = call_option(call, "from"), *to = call_option(call, "to");

	if (from == NULL && to == NULL)
		return "all days";
	if (from == NULL || to == NULL)
		return arena_printf(c->arena, "the days %s %s", from != NULL ? "from" : "up to",
		    from != NULL ? from : to);
	return arena_printf(c->arena, "the days from %s to %s", from, to);
}

static struct err *
confirm(struct ctx *c, const struct call *call, const struct workspace *w)
{
	if (call_has(call, "yes"))
		return NULL;
	if (!ask_can())
		return call_usage(c, "What is erased is gone: say --yes.");
	note_say("What was counted of the readers of %s (%s) on %s will be erased.",
	    w->settings.name, w->uuid, days_text(c, call));
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

static void
to_json(struct call *call, const struct workspace *w, const struct erasure *e)
{
	struct jwrite *j = &call->json;

	jwrite_object(j);
	jwrite_member_text(j, "workspace", w->uuid);
	jwrite_member_text(j, "from", call_option(call, "from"));
	jwrite_member_text(j, "to", call_option(call, "to"));
	jwrite_member_int(j, "views", e->views);
	jwrite_object_end(j);
}

static struct err *
erase(struct ctx *c, struct call *call)
{
	const struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct erasure e = { .views = 0 };
	struct workspace *w;
	struct err *err = read_day(c, call, "from", &e.from_given, &e.from);

	if (err == NULL)
		err = read_day(c, call, "to", &e.to_given, &e.to);
	if (err == NULL)
		err = read_workspace(c, &place, &w);
	if (err == NULL)
		err = confirm(c, call, w);
	if (err == NULL) {
		call_changed(call, w->uuid);
		err = erasure_run(c, w, &e);
	}
	if (err != NULL)
		return err;
	if (call->as_json)
		to_json(call, w, &e);
	else
		call_say(call,
		    "Erased: %" PRId64 " view%s of %s, and all else that was counted on"
		    " %s.",
		    e.views, e.views == 1 ? "" : "s", w->settings.name, days_text(c, call));
	return NULL;
}

static const struct command_option erase_options[] = {
	{ .name = "workspace", .value = "W", .help = "of this workspace" },
	{ .name = "from", .value = "DAY", .help = "from this day on (2026-09-01)" },
	{ .name = "to", .value = "DAY", .help = "to this day" },
	{ .name = "yes", .help = "do not ask" },
	{ .name = NULL },
};

const struct command command_stats_erase[] = {
	{ .noun = "stats",
	    .verb = "erase",
	    .operands = "",
	    .options = erase_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = erase,
	    .summary = "erase what was counted of the readers of a workspace's websites",
	    .text =
		"Without --from and --to: all of it. Hits that were taken before and are not counted yet are erased, too. Nothing of it can be read from the file afterwards. Copies that galley backup --with-stats made stay as they are." },
	{ .verb = NULL },
};
