#include "action/activity/activity.h"

#include <string.h>

#include "access/account.h"
#include "action/action.h"
#include "action/person/look.h"
#include "action/person/names.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* A reading. */
struct reading {
	struct ctx *c;
	struct activity *a;
	struct names names;
	struct member {
		const char *person, *name;
	} * members;
	size_t member_count;
};

/* ---- the members of the account */

#define MEMBERS_MAX 1000

/* Somebody can be in the account several times, once for each membership. The name is the one
 * that was typed until the invitation is opened (docs/console.md §2.2). */
static void
keep_member(void *arg, const struct person *p, const struct person_membership *m)
{
	struct reading *r = arg;

	for (size_t i = 0; i < r->member_count; i++) {
		if (strcmp(r->members[i].person, p->uuid) == 0) {
			if (m->m->begun_at != 0)
				r->members[i].name = p->name;
			return;
		}
	}
	if (r->member_count < MEMBERS_MAX)
		r->members[r->member_count++] =
		    (struct member) { p->uuid, m->m->begun_at != 0 ? p->name : m->m->invited_name };
}

static struct err *
read_members(struct ctx *c, const char *account, struct reading *r)
{
	r->members = arena_array(c->arena, MEMBERS_MAX, sizeof(*r->members));
	return person_show_account(c, account, keep_member, r);
}

static const char *
member_name(const struct reading *r, const char *person)
{
	for (size_t i = 0; i < r->member_count; i++) {
		if (strcmp(r->members[i].person, person) == 0)
			return r->members[i].name;
	}
	return NULL;
}

/* ---- lines */

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Returns whether a thing is of the account that is asked for. */
static bool
is_here(const struct reading *r, const struct thing *thing)
{
	return r->a->account == NULL || same(thing->account, r->a->account);
}

/* Finds what the line is about, in this account. */
static void
find_thing(struct reading *r, const struct activity_raw *raw, struct thing *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < raw->id_count; i++) {
		thing_find(r->c, raw->ids[i], out);
		if (out->kind != THING_NONE && is_here(r, out))
			return;
	}
	memset(out, 0, sizeof(*out));
}

/* Of a person's act the thing has no place any more if it is gone; its workspace is in the
 * line. */
static void
find_place(struct reading *r, const struct activity_raw *raw, struct thing *thing)
{
	struct thing place;

	if (thing->place != NULL || raw->workspace == NULL)
		return;
	thing_find(r->c, raw->workspace, &place);
	if (place.kind != THING_WORKSPACE || !is_here(r, &place))
		return;
	thing->workspace = place.workspace;
	thing->place = place.name;
}

static bool
is_asked(const struct activity *a, const struct activity_raw *raw)
{
	if (!raw->tool && a->account != NULL && !same(raw->account, a->account))
		return false;
	if (a->person == NULL)
		return true;
	return a->person[0] == '\0' ? raw->person == NULL : same(a->person, raw->person);
}

/* Returns the name of whom an act on a person is about, as far as the reader may know it. */
static const char *
whom(struct reading *r, const struct activity_raw *raw)
{
	if (raw->id_count == 0)
		return NULL;
	return r->a->account != NULL ? member_name(r, raw->ids[0])
				     : names_of(r->c, &r->names, raw->ids[0]);
}

/* Returns the name of the account that a line of the whole instance is about, or NULL. */
static const char *
account_name(struct ctx *c, const struct activity_raw *raw, const struct thing *thing)
{
	const char *id = thing->account != NULL ? thing->account : raw->account;
	const struct account *a;
	bool many;

	if (id == NULL)
		return NULL;
	a = account_find(c, id, &many);
	return a != NULL ? a->name : NULL;
}

static bool
keep_line(void *arg, const char *text, size_t len)
{
	struct reading *r = arg;
	struct activity *a = r->a;
	struct activity_line *line = &a->lines[a->count];
	struct activity_raw raw;

	if (!activity_take_apart(r->c, text, len, &raw) || !is_asked(a, &raw))
		return true;
	find_thing(r, &raw, &line->thing);
	if (raw.tool && line->thing.kind == THING_NONE && a->account != NULL)
		return true;
	find_place(r, &raw, &line->thing);
	if (a->workspace != NULL && !same(line->thing.workspace, a->workspace))
		return true;
	line->at = raw.at;
	line->person = raw.person;
	line->by = raw.person != NULL ? names_of(r->c, &r->names, raw.person) : NULL;
	line->what = activity_words(raw.words);
	line->credits = raw.credits;
	line->whom = line->thing.kind == THING_NONE ? whom(r, &raw) : NULL;
	line->account = a->account == NULL ? account_name(r->c, &raw, &line->thing) : NULL;
	a->count++;
	return a->count < a->max;
}

struct err *
activity_read(struct ctx *c, struct activity *a)
{
	struct reading r = { .c = c, .a = a };
	struct err *err = a->account != NULL ? read_members(c, a->account, &r) : NULL;

	if (err != NULL)
		return err;
	a->lines = arena_array(c->arena, a->max + 1, sizeof(*a->lines));
	a->count = 0;
	db_begin_read(c, DB_CONTENT);
	a->more = logs_back(
	    c, "operator.log", &a->place, a->bytes != 0 ? a->bytes : ACTIVITY_BYTES, keep_line, &r);
	return action_end(c, NULL);
}

/* ---- what a page is filtered by */

struct places {
	int64_t account_id;
	int64_t ids[ACTIVITY_CHOICES]; /* of workspaces, the newest first */
	size_t count;
};

static bool
keep_workspace(void *arg, const struct workspace_brief *w)
{
	struct places *p = arg;

	if (w->account_id == p->account_id)
		p->ids[p->count++] = w->id;
	return p->count < ACTIVITY_CHOICES;
}

static struct err *
read_workspaces(struct ctx *c, const char *account, struct activity_choices *out)
{
	struct places p = { .count = 0 };
	struct account *found;
	struct err *err;

	out->workspaces = arena_array(c->arena, ACTIVITY_CHOICES, sizeof(*out->workspaces));
	db_begin_read(c, DB_CONTENT);
	err = find_account(c, account, &found);
	if (err == NULL) {
		p.account_id = found->id;
		workspace_walk(c, 0, keep_workspace, &p);
	}
	for (size_t i = 0; i < p.count; i++) {
		const struct workspace *w = workspace_of(c, p.ids[i]);
		out->workspaces[i] = (struct activity_choice) { w->uuid, w->settings.name };
	}
	out->workspace_count = p.count;
	return action_end(c, err);
}

struct err *
activity_choices(struct ctx *c, const char *account, struct activity_choices *out)
{
	struct reading r = { .c = c };
	struct err *err = read_members(c, account, &r);

	if (err != NULL)
		return err;
	out->people = arena_array(c->arena, ACTIVITY_CHOICES, sizeof(*out->people));
	for (size_t i = 0; i < r.member_count && i < ACTIVITY_CHOICES; i++)
		out->people[out->person_count++] =
		    (struct activity_choice) { r.members[i].person, r.members[i].name };
	return read_workspaces(c, account, out);
}
