/* Activity of an account or of the instance: what was changed, when and by whom (docs/console.md
 * §4.12); as a page, and the newest changes as CSV. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "../instance/instance-screen.h"
#include "access/workspace.h"
#include "action/activity-log.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "terminal/csv.h"

#define NOBODY "tool" /* of the filter: what no person of the console did */

static const struct field filter_fields[] = {
	{ .name = "person", .label = tr_mark("Person"), .kind = FIELD_SELECT, .required = true },
	{ .name = "workspace",
	    .label = tr_mark("Workspace"),
	    .kind = FIELD_SELECT,
	    .required = true },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct shown {
	struct activity activity;
	struct activity_choices choices;
	struct form filter;
	bool paged; /* not the newest lines */
};

/* ---- what is asked */

static const char *
uuid_asked(struct ctx *c, const struct visit *v, const char *name)
{
	const char *text = console_query(c, v, name);
	char uuid[UUID_TEXT];

	return text != NULL && uuid_parse(text, uuid) ? arena_text(c->arena, uuid) : NULL;
}

static void
place_asked(struct ctx *c, const struct visit *v, struct logs_place *out)
{
	const char *text = console_query(c, v, "older");
	size_t file, at;

	if (text == NULL)
		return;
	file = strspn(text, "0123456789");
	at = text[file] == '-' ? strspn(text + file + 1, "0123456789") : 0;
	if (file == 0 || file > 19 || at == 0 || at > 18 || text[file + 1 + at] != '\0')
		return;
	out->file = strtoull(text, NULL, 10);
	out->at = strtoll(text + file + 1, NULL, 10);
}

/* Reads place and filter of the query, without its choices. */
static void
activity_asked(struct ctx *c, const struct visit *v, struct activity *a)
{
	const char *person = console_query(c, v, "person");

	a->account = v->account != NULL ? v->account->uuid : NULL;
	a->person = person != NULL && strcmp(person, NOBODY) == 0 ? "" : uuid_asked(c, v, "person");
	a->workspace = uuid_asked(c, v, "workspace");
	place_asked(c, v, &a->place);
}

/* Returns the first segment of its addresses: an account, or the instance. */
static const char *
place_of(const struct activity *a)
{
	return a->account != NULL ? a->account : "instance";
}

static const char *
address(const struct page *p, const char *path, const struct logs_place *older)
{
	const struct activity *a = &((const struct shown *)p->data)->activity;
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(p->c, p->v, "/%s/%s", place_of(a), path));
	screen_address_add(
	    &out, "person", a->person == NULL || a->person[0] != '\0' ? a->person : NOBODY);
	screen_address_add(&out, "workspace", a->workspace);
	if (older != NULL)
		screen_address_add(&out, "older",
		    arena_printf(p->c->arena, "%" PRIu64 "-%" PRId64, older->file, older->at));
	return buf_done(&out);
}

/* ---- words */

/* Returns who did it, in words. */
static const char *
activity_by(struct ctx *c, const struct activity_line *line)
{
	(void)c;
	if (line->person == NULL)
		return tr("the operator");
	return line->by != NULL ? line->by : tr("somebody who was removed");
}

static const char *
activity_about(const struct activity_line *line, const char *credits)
{
	const char *name = line->thing.name;

	if (line->whom != NULL)
		return line->whom;
	if (line->credits != 0)
		return credits;
	if (line->thing.kind == THING_NONE || line->thing.kind == THING_ACCOUNT)
		return NULL;
	return name != NULL && name[0] != '\0' ? name : line->thing.id;
}

/* Returns the path of the screen of what the line is about, or NULL: no link leads where the
 * reader may not go. */
static const char *
path_of(struct ctx *c, const struct visit *v, const struct activity_line *line)
{
	const unsigned orders = RIGHT_WRITE | RIGHT_PUBLISH;
	const struct thing *t = &line->thing;

	if (t->workspace == NULL || line->whom != NULL || line->credits != 0)
		return NULL;
	switch (t->kind) {
	case THING_ARTICLE:
	case THING_SHARE:
		return arena_printf(c->arena, "/%s/articles/%s", t->workspace, t->id);
	case THING_KEY:
		return arena_printf(c->arena, "/%s/keys/%s", t->workspace, t->id);
	case THING_JOB:
		return (v->rights & orders) == orders
			   ? arena_printf(c->arena, "/%s/orders/%s", t->workspace, t->id)
			   : NULL;
	case THING_WORKSPACE:
		return arena_printf(c->arena, "/%s/articles", t->workspace);
	default:
		return NULL;
	}
}

/* ---- the page */

static void
write_line(struct hwrite *w, const struct page *p, const struct activity_line *line)
{
	const char *path = path_of(p->c, p->v, line),
		   *about = activity_about(line, tr_number(p->c->arena, line->credits));

	@ <row><cell>{!say_moment(w, line->at)}</cell><cell>{tr(line->what)}</cell>
	if (path != NULL)
		@ <cell><a href={console_path(p->c, p->v, "%s", path)}>{about}</a></cell>
	else
		@ <cell>{about}</cell>
	if (p->v->account == NULL)
		@ <cell>{line->account}</cell>
	@ <cell>{line->thing.place}</cell><cell>{activity_by(p->c, line)}</cell></row>
}

static void
write_list(struct hwrite *w, const struct page *p, const struct activity *a)
{
	const char *time = arena_printf(p->c->arena, tr("Time (%s)"), say_zone(p->c));
	const struct screen_column columns[] = {
		{ .label = time },
		{ .label = tr_mark("What") },
		{ .label = tr_mark("About") },
		{ .label = tr_mark("Account"), .left_out = a->account != NULL },
		{ .label = tr_mark("Workspace") },
		{ .label = tr_mark("By") },
		{ .label = NULL },
	};

	screen_list_begin(w, tr("Changes, the newest first"), screen_columns(w, columns));
	for (size_t i = 0; i < a->count; i++)
		write_line(w, p, &a->lines[i]);
	screen_list_end(w);
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct shown *s = p->data;
	const struct activity *a = &s->activity;
	bool asked = a->person != NULL || a->workspace != NULL || s->paged;

	if (a->account == NULL)
		instance_write_places(w, p->c, p->v);
	form_write(w, &s->filter,
	    &(struct form_head) {
		.search = true, .action = console_path(p->c, p->v, "/%s/activity", place_of(a)) });
	if (a->count > 0)
		write_list(w, p, a);
	else if (a->more)
		@ <p>There is no such change in this part of the log. Older ones may be in it.</p>
	else if (asked)
		screen_empty(w, tr("There is no such change."),
		    console_path(p->c, p->v, "/%s/activity", place_of(a)), tr("Show all"));
	else
		screen_empty(w, tr("Nothing was changed yet."), NULL, NULL);
	screen_pages(w, s->paged ? address(p, "activity", NULL) : NULL,
	    a->more ? address(p, "activity", &a->place) : NULL);
	if (a->count == 0 || a->account == NULL)
		return;
	@ <p><a class="button" href={address(p, "activity/csv", NULL)}>Download as CSV</a></p>
}

/* Returns choices with `first` and `second` (or NULL) before them. One that was asked for and
 * is in no list is there, too, but no name of a stranger is. */
static struct field_choice *
choices_of(struct ctx *c, struct field_choice first, const struct field_choice *second,
    const struct activity_choice *list, size_t count, const char *asked)
{
	struct field_choice *choices = arena_array(c->arena, count + 4, sizeof(*choices));
	bool known = asked == NULL || asked[0] == '\0';
	size_t n = 0;

	choices[n++] = first;
	if (second != NULL)
		choices[n++] = *second;
	for (size_t i = 0; i < count; i++) {
		known = known || strcmp(list[i].id, asked) == 0;
		choices[n++] = (struct field_choice) { list[i].id, list[i].name };
	}
	if (!known)
		choices[n++] = (struct field_choice) { asked, tr("Somebody or something else") };
	return choices;
}

static void
fill_filter(struct ctx *c, struct shown *s)
{
	const struct field_choice tool = { NOBODY, tr("The operator, without the console") };
	const struct activity *a = &s->activity;

	form_init(&s->filter, "filter", filter_fields);
	form_choices(&s->filter, "person",
	    choices_of(c, (struct field_choice) { "all", tr("Everybody") }, &tool,
		s->choices.people, s->choices.person_count, a->person));
	form_choices(&s->filter, "workspace",
	    choices_of(c, (struct field_choice) { "all", tr("All workspaces") }, NULL,
		s->choices.workspaces, s->choices.workspace_count, a->workspace));
	form_fill(&s->filter, "person",
	    a->person == NULL	   ? "all"
	    : a->person[0] == '\0' ? NOBODY
				   : a->person);
	form_fill(&s->filter, "workspace", a->workspace != NULL ? a->workspace : "all");
}

static struct err *
load(struct page *p)
{
	const struct account *account = p->v->account;
	struct shown *s = p->data;

	activity_asked(p->c, p->v, &s->activity);
	s->paged = s->activity.place.file != 0;
	s->activity.max = ACTIVITY_PAGE;
	TRY(activity_read(p->c, &s->activity));
	if (account != NULL) {
		TRY(activity_choices(p->c, account->uuid, &s->choices));
		db_begin_read(p->c, DB_CONTENT);
		say_begin(p->c, time_zone_of_account(p->c, account->id, s->activity.workspace),
		    clock_now());
		db_rollback(p->c);
	}
	fill_filter(p->c, s);
	return NULL;
}

static const struct page_kind page = { sizeof(struct shown), load, write_page };

/* ---- as CSV */

#define LINES_MAX 10000
#define LOG_BYTES ((int64_t)32 * 1024 * 1024)

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct activity *a = arena_alloc(c->arena, sizeof(*a));

	activity_asked(c, v, a);
	a->max = LINES_MAX;
	a->bytes = LOG_BYTES;
	TRY(activity_read(c, a));
	buf_lit(&reply->body, "at,what,about,id,workspace,person,person_id\r\n");
	for (size_t i = 0; i < a->count; i++) {
		const struct activity_line *l = &a->lines[i];
		char at[CLOCK_TEXT];

		clock_format_seconds(at, l->at);
		csv_row(&reply->body,
		    (const char *[]) { at, tr(l->what),
			activity_about(l, arena_printf(c->arena, "%" PRId64, l->credits)),
			l->thing.id, l->thing.place, activity_by(c, l), l->person },
		    7);
	}
	reply->type = "text/csv; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"activity.csv\"");
	return NULL;
}

SCREEN(activity) = {
	{ "GET", "/A/activity", .need = RIGHT_MANAGE, .title = tr_mark("Activity"), .page = &page },
	{ "GET", "/instance/activity", .need = RIGHT_OPERATE, .title = tr_mark("Activity"),
	    .page = &page },
	{ "GET", "/A/activity/csv", .need = RIGHT_MANAGE, .title = tr_mark("Download as CSV"),
	    .handler = download },
	{ .method = NULL },
};
