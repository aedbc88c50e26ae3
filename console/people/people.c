/* People of a workspace or an account: the list, and invitations (docs/console.md §2). */
#include "people.h"

#include <string.h>

#include "../all.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

static const struct field invite_fields[] = {
	{ .name = "email",
	    .label = tr_mark("E-mail"),
	    .kind = FIELD_EMAIL,
	    .max = PERSON_EMAIL_MAX,
	    .required = true,
	    .autocomplete = "off" },
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = PERSON_NAME_MAX,
	    .required = true,
	    .autocomplete = "off" },
	{ .name = "role", .label = tr_mark("Role"), .kind = FIELD_SELECT, .required = true },
	{ .name = "invite",
	    .label = tr_mark("Invite"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct people {
	struct ctx *c;
	const struct visit *v;
	struct member *list;
	size_t count;
	struct trace *traces; /* of each of them */
	bool whole; /* the person of the session manages the whole account */
	struct form invitation;
};

/* ---- the page */

/* Writes a cell with a time, or an empty one: none is known. */
static void
write_time(struct screen_table *t, int64_t at)
{
	screen_cell_begin(t);
	if (at != 0)
		say_time(t->w, at);
	screen_cell_end(t);
}

static void
write_member(struct screen_table *t, const struct people *p, size_t i)
{
	const struct member *m = &p->list[i];

	screen_row_begin(t);
	screen_cell_link(t, console_path(p->c, p->v, "%s/%s", people_path(p->c, p->v), m->m->uuid),
	    people_name(m));
	screen_cell(t, people_email(m->person, m->m));
	screen_cell(t, people_role(m));
	screen_cell(t, m->where);
	screen_cell(t, m->by);
	screen_cell_begin(t);
	people_write_state(t->w, m);
	screen_cell_end(t);
	write_time(t, p->traces[i].act_at);
	if (console_may(p->v, RIGHT_OPERATE))
		write_time(t, p->traces[i].sign_in_at);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct people *p)
{
	const struct screen_column columns[] = {
		{ .label = tr_mark("Name") },
		{ .label = tr_mark("E-mail") },
		{ .label = tr_mark("Role") },
		{ .label = tr_mark("Of") },
		{ .label = tr_mark("Invited by") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Last act") },
		{ .label = console_may(p->v, RIGHT_OPERATE) ? tr_mark("Last sign-in") : NULL },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Members"), columns);
	for (size_t i = 0; i < p->count; i++)
		write_member(&t, p, i);
	screen_table_end(&t);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct people *p = data;

	if (p->count == 0)
		screen_empty(w,
		    console_rests(p->v) ? tr("Nobody is a member yet.")
					: tr("Nobody is a member yet: invite somebody below."),
		    NULL, NULL);
	else
		write_list(w, p);
	if (p->v->workspace != NULL && p->whole) {
		hwrite_open(w, H_P);
		screen_button_link(w, console_path(p->c, p->v, "/%s/people", p->v->account->uuid),
		    tr("People of the whole account"), false);
		hwrite_close(w, H_P);
	}
	if (people_roles(p->c, p->v)->value == NULL || console_rests(p->v))
		return;
	hwrite_element(w, H_H2, tr("Invite somebody"));
	console_form(p->c, p->v, w, &p->invitation, people_path(p->c, p->v));
}

static struct people *
begin(struct ctx *c, const struct visit *v)
{
	struct people *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->invitation, "invitation", invite_fields);
	form_choices(&p->invitation, "role", people_roles(c, v));
	return p;
}

/* Reads what each of them did last. Nobody learns by an invitation what somebody did. */
static void
read_traces(struct people *p)
{
	p->traces = arena_array(p->c->arena, p->count + 1, sizeof(*p->traces));
	for (size_t i = 0; i < p->count; i++)
		p->traces[i] =
		    (struct trace) { .person = p->list[i].m->begun_at != 0 ? p->list[i].person->uuid
									   : "" };
	trace_acts(p->c, p->v->account->uuid, p->traces, p->count);
	if (console_may(p->v, RIGHT_OPERATE))
		trace_sign_ins(p->c, p->traces, p->count);
}

static struct err *
show(struct people *p, struct reply *reply)
{
	struct err *err = people_read(p->c, p->v, &p->list, &p->count);

	if (err == NULL)
		read_traces(p);
	db_begin_read(p->c, DB_CONSOLE);
	p->whole = (membership_rights(p->c, p->v->person->id, p->v->account->uuid, NULL) &
		       RIGHT_MANAGE) != 0;
	db_rollback(p->c);
	if (err == NULL)
		console_page(p->c, p->v, reply, NULL,
		    p->v->workspace == NULL ? p->v->account->name : NULL, write_page, p);
	return err;
}

static struct err *
people(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(begin(c, v), reply);
}

/* ---- an invitation */

static struct err *
run(struct people *p, struct person_link *made)
{
	const struct where where = { .kind = p->v->workspace != NULL ? MEMBERSHIP_WORKSPACE
								     : MEMBERSHIP_ACCOUNT,
		.name = p->v->workspace != NULL ? p->v->workspace->uuid : p->v->account->uuid };
	const struct person_order order = { .by = people_by(p->v),
		.email = form_text(&p->invitation, "email"),
		.name = form_text(&p->invitation, "name"),
		.role = form_text(&p->invitation, "role"),
		.where = &where,
		.where_count = 1,
		.known = true,
		.link = true };

	return person_create(p->c, &order, made);
}

static struct err *
invite(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct people *p = begin(c, v);
	struct person_link made;
	struct err *err;

	if (!console_read(c, v, &p->invitation)) {
		console_refused(v, reply);
		return show(p, reply);
	}
	err = run(p, &made);
	if (err == NULL) {
		console_journal(c, v, "person invite %s", made.person->uuid);
		people_page_link(c, v, reply, &made, NULL);
		explicit_bzero(made.text, sizeof(made.text));
		return NULL;
	}
	/* What the form meets is a member of that address. */
	if (v->spent && err->code == ERR_CONFLICT)
		err->param = "email";
	err = console_wrong(c, v, reply, &p->invitation, err);
	return err != NULL ? err : show(p, reply);
}

#define PEOPLE .title = tr_mark("People"), .need = RIGHT_MANAGE

const struct console_row people_screens[] = {
	{ .method = "GET", .pattern = "/W/people", PEOPLE, .handler = people },
	{ .method = "POST", .pattern = "/W/people", PEOPLE, .step_up = true, .handler = invite },
	{ .method = "GET", .pattern = "/A/people", PEOPLE, .handler = people },
	{ .method = "POST", .pattern = "/A/people", PEOPLE, .step_up = true, .handler = invite },
	{ .method = NULL },
};
