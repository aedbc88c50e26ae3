/* galley stats: what is counted of readers' visits. */
#include <inttypes.h>
#include <stddef.h>

#include "action/action.h"
#include "action/statistics-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/csv.h"
#include "terminal/terminal.h"

/* ---- what is asked */

/* Reads a day of the workspace's zone, if the option is given. */
static struct err *
read_day(struct ctx *c, const struct call *call, const char *option, bool *given, int64_t *day)
{
	const char *word = call_option(call, option);

	*given = word != NULL;
	if (word == NULL || clock_parse_date(word, day))
		return NULL;
	return err_param(
	    c, option, "--%s %s is no day: write a date such as 2026-09-30.", option, word);
}

/* Reads what is asked: the workspace and the days. */
static struct err *
read_asked(struct ctx *c, struct call *call, struct workspace **w, struct statistics_period *period)
{
	const struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct err *err = NULL;

	if (call_has(call, "csv") && call->as_json)
		return call_usage(c, "It is --csv or --json, not both.");
	err = read_day(c, call, "from", &period->from_given, &period->from);
	if (err == NULL)
		err = read_day(c, call, "to", &period->to_given, &period->to);
	return err != NULL ? err : read_workspace(c, &place, w);
}

static const char *
number(struct ctx *c, int64_t value)
{
	return value < 0 ? "-" : arena_printf(c->arena, "%" PRId64, value);
}

static const char *
day_text(struct ctx *c, int64_t day)
{
	char *text = arena_alloc(c->arena, CLOCK_TEXT);

	statistics_day_text(text, day);
	return text;
}

/* ---- galley stats show */

static void
print_days(struct ctx *c, struct call *call, const struct statistics *s)
{
	struct grid g;

	grid_init(&g, c->arena, (const char *[]) { "DAY", "VIEWS", "VISITORS", NULL });
	for (size_t i = 0; i < s->day_count; i++)
		grid_row(&g, (const char *[]) { day_text(c, s->from + (int64_t)i),
				 number(c, s->days[i].views), number(c, s->days[i].visitors) });
	grid_print(&g, "", &call->out);
	call_say(call,
	    "Visitors are told apart within a day only, so those of days do not add up to those of a\n"
	    "week or a month.");
}

static void
print_articles(struct ctx *c, struct call *call, const struct statistics *s)
{
	struct grid g;

	if (s->article_count == 0)
		return;
	grid_init(&g, c->arena,
	    (const char *[]) { "VIEWS", "FIRST 7 DAYS", "FIRST 30 DAYS", "SINCE PUBLICATION",
		"ARTICLE", "TITLE", NULL });
	for (size_t i = 0; i < s->article_count; i++) {
		const struct statistics_article *a = &s->articles[i];
		grid_row(&g, (const char *[]) { number(c, a->views), number(c, a->first_7),
				 number(c, a->first_30), number(c, a->since), a->id, a->title });
	}
	call_say(call, "%s", "");
	grid_print(&g, "", &call->out);
}

static void
print_list(struct ctx *c, struct call *call, const char *name, const struct statistics_list *list)
{
	struct grid g;

	if (list->count == 0)
		return;
	grid_init(&g, c->arena, (const char *[]) { "COUNT", name, NULL });
	for (size_t i = 0; i < list->count; i++)
		grid_row(
		    &g, (const char *[]) { number(c, list->rows[i].count), list->rows[i].name });
	call_say(call, "%s", "");
	grid_print(&g, "", &call->out);
}

/* Says why nothing is counted, and what helps. */
static void
print_silence(struct call *call, const struct statistics *s)
{
	static const char *const sentences[] = {
		[STATISTICS_COUNTS] = NULL,
		[STATISTICS_OFF] = "Nothing is counted: the setting analytics_enabled is off.",
		[STATISTICS_RESTS] = "Nothing is counted: the account is suspended.",
		[STATISTICS_NO_ORIGIN] =
		    "Nothing is counted: the setting analytics_origins names no website.",
		[STATISTICS_NO_HIT] =
		    "No website has sent anything yet: does it have the line of the console's Statistics, and did\n"
		    "a reader consent?",
		[STATISTICS_NO_FRAME] =
		    "No page has sent anything yet: pages count in a frame, once the website around it says that\n"
		    "a reader consents (docs/embed.md).",
		[STATISTICS_QUIET] = "No website has sent anything for three days.",
	};

	if (sentences[s->silence] != NULL)
		call_say(call, "%s", sentences[s->silence]);
}

static void
print_health(struct ctx *c, struct call *call, const struct statistics *s)
{
	const struct report_health *h = &s->health;
	char at[CLOCK_TEXT] = "never";

	if (h->last_hit_at != 0)
		clock_format_seconds(at, h->last_hit_at);
	call_say(call,
	    "\n"
	    "The collector took %s, refused %s of other websites and %s without consent. In the whole instance\n"
	    "it limited %s. The last one that counts came: %s.",
	    number(c, h->accepted), number(c, h->refused_origin), number(c, h->without_consent),
	    number(c, h->limited), at);
	print_silence(call, s);
}

static void
print(struct ctx *c, struct call *call, const struct statistics *s)
{
	call_say(call, "%s, %s to %s (%s)\n", s->workspace->settings.name, day_text(c, s->from),
	    day_text(c, s->to), s->time_zone);
	print_days(c, call, s);
	print_articles(c, call, s);
	print_list(c, call, "REFERRER", &s->referrers);
	print_list(c, call, "CAMPAIGN", &s->campaigns);
	print_list(c, call, "LANGUAGE", &s->languages);
	print_list(c, call, "WIDTH", &s->widths);
	print_list(c, call, "BOT (NOT AMONG THE VIEWS)", &s->bots);
	print_health(c, call, s);
}

static void
print_csv(struct ctx *c, struct call *call, const struct statistics *s)
{
	buf_lit(&call->out, "day,views,visitors\r\n");
	for (size_t i = 0; i < s->day_count; i++)
		csv_row(&call->out,
		    (const char *const[]) { day_text(c, s->from + (int64_t)i),
			number(c, s->days[i].views), number(c, s->days[i].visitors) },
		    3);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct statistics *s = arena_alloc(c->arena, sizeof(*s));
	struct workspace *w;
	struct err *err = read_asked(c, call, &w, &s->period);

	s->articles_max = STATISTICS_ARTICLES_MAX;
	if (err == NULL)
		err = statistics_read(c, w, s);
	if (err != NULL)
		return err;
	if (call->as_json)
		statistics_to_json(&call->json, s);
	else if (call_has(call, "csv"))
		print_csv(c, call, s);
	else
		print(c, call, s);
	return NULL;
}

/* ---- galley stats export */

static void
row_to_json(void *arg, const struct report_row *row)
{
	struct call_list *l = arg;

	statistics_row_to_json(&l->call->json, row);
}

static void
row_to_csv(void *arg, const struct report_row *row)
{
	struct call_list *l = arg;

	statistics_row_to_csv(&l->call->out, row);
}

/* Many counts are not kept until the end; a JSON value or a table is printed whole. */
static void
print_so_far(void *arg)
{
	struct call_list *l = arg;

	call_flush(l->call, true);
}

static void
row_to_grid(void *arg, const struct report_row *row)
{
	struct call_list *l = arg;
	struct arena *a = l->c->arena;

	grid_row(&l->grid,
	    (const char *[]) { day_text(l->c, row->day), row->kind, number(l->c, row->count),
		row->article != NULL ? arena_text(a, row->article) : NULL,
		row->label[0] != '\0' ? arena_text(a, row->label) : NULL });
}

static struct err *
export_counts(struct ctx *c, struct call *call)
{
	struct statistics_period period = { .last = 0 };
	bool csv = call_has(call, "csv");
	struct workspace *w;
	struct call_list l;

	TRY(read_asked(c, call, &w, &period));
	call_list_begin(
	    &l, c, call, (const char *[]) { "DAY", "KIND", "COUNT", "ARTICLE", "LABEL", NULL });
	if (csv)
		buf_lit(&call->out, STATISTICS_CSV_HEAD);
	TRY(statistics_list(c, w, &period,
	    csv		    ? row_to_csv
	    : call->as_json ? row_to_json
			    : row_to_grid,
	    csv ? print_so_far : NULL, &l));
	if (!csv)
		call_list_end(&l, "Nothing was counted in this time.");
	return NULL;
}

/* ---- galley stats erase */

/* Reads the number of a day, if the option is given. */
static struct err *
read_day_number(
    struct ctx *c, const struct call *call, const char *option, bool *given, int64_t *day)
{
	TRY(read_day(c, call, option, given, day));
	if (*given)
		*day /= CLOCK_DAY;
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
confirm_erasure(struct ctx *c, const struct call *call, const struct workspace *w)
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
erased_to_json(struct call *call, const struct workspace *w, const struct erasure *e)
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

	TRY(read_day_number(c, call, "from", &e.from_given, &e.from));
	TRY(read_day_number(c, call, "to", &e.to_given, &e.to));
	TRY(read_workspace(c, &place, &w));
	TRY(confirm_erasure(c, call, w));
	call_changed(call, w->uuid);
	TRY(erasure_run(c, w, &e));
	if (call->as_json)
		erased_to_json(call, w, &e);
	else
		call_say(call,
		    "Erased: %" PRId64 " view%s of %s, and all else that was counted on"
		    " %s.",
		    e.views, e.views == 1 ? "" : "s", w->settings.name, days_text(c, call));
	return NULL;
}

/* ---- the rows */

static const struct command_option options[] = {
	{ .name = "workspace", .value = "W", .help = "of this workspace" },
	{ .name = "from", .value = "DAY", .help = "from this day on (2026-09-01)" },
	{ .name = "to", .value = "DAY", .help = "to this day" },
	{ .name = "csv", .help = "for a spreadsheet" },
	{ .name = NULL },
};

#define STATS .noun = "stats", .operands = "", .options = options, .flags = COMMAND_DB

static const struct command_option erase_options[] = {
	{ .name = "workspace", .value = "W", .help = "of this workspace" },
	{ .name = "from", .value = "DAY", .help = "from this day on (2026-09-01)" },
	{ .name = "to", .value = "DAY", .help = "to this day" },
	{ .name = "yes", .help = "do not ask" },
	{ .name = NULL },
};

const struct command command_stats[] = {
	{ STATS, .verb = "show", .run = show,
	    .summary = "what the readers of a workspace's websites read",
	    .text =
		"Days are those of the workspace's time zone: without --from the 30 days up to --to, without\n"
		"--to up to today, at most 1,100. At most 1,000 articles and 100 of each other list: those with\n"
		"the most, the rest is (other). The first days of an article begin with the day of its first\n"
		"publication; they are not known if counting began later. --csv: days, views and visitors.\n"
		"--json: {from, to, time_zone, days [{day, views, visitors}], articles [{id, title, views,\n"
		"first_7_days, first_30_days, since_publication}], referrers, campaigns, languages, widths,\n"
		"bots [{label, count}], health {accepted, refused_origin, without_consent, limited, last_hit}}.\n"
		"Bots are not among the views. limited is that of the whole instance." },
	{ STATS, .verb = "export", .run = export_counts,
	    .summary = "all counts of a workspace, day by day",
	    .text =
		"One row for each count, of all days or of those that are given: day, kind (views, visitors,\n"
		"path, article, referrer, campaign, language, width, bot), article, label, count. A referrer with\n"
		"an article is that of the article alone, and is kept for 30 days." },
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
