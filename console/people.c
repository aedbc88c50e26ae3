/* People of a workspace or an account (docs/console.md §2): who they are and what may be done
 * with them; the links that somebody made; the list, and invitations. */
#include "people.h"

#include <string.h>

#include "action/person/mailing.h"
#include "action/person/person-look.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

static const struct {
	const char *name, *label;
} roles[] = {
	{ "writer", tr_mark("Writer: writes drafts") },
	{ "reviewer", tr_mark("Reviewer: publishes") },
	{ "editor", tr_mark("Editor: writes and publishes") },
	{ "owner", tr_mark("Owner: also settings, keys and people") },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

const char *
people_path(struct ctx *c, const struct visit *v)
{
	return arena_printf(
	    c->arena, "/%s/people", v->workspace != NULL ? v->workspace->uuid : v->account->uuid);
}

struct person_by
people_by(const struct visit *v)
{
	return (struct person_by) { .person_id = v->person->id };
}

struct reading {
	struct ctx *c;
	const struct visit *v;
	struct member *list;
	size_t count;
};

/* Returns whether a membership reaches the place of the path. */
static bool
is_here(const struct visit *v, const struct membership *m)
{
	return v->workspace == NULL || m->kind == MEMBERSHIP_ACCOUNT ||
	       strcmp(m->place, v->workspace->uuid) == 0;
}

static void
keep(void *arg, const struct person *p, const struct person_membership *m)
{
	struct reading *r = arg;
	const struct person_by by = people_by(r->v);
	const struct person *inviter = person_find(r->c, m->m->invited_by);

	if (!is_here(r->v, m->m) || m->name == NULL)
		return;
	r->list = arena_grow(
	    r->c->arena, r->list, r->count * sizeof(*r->list), (r->count + 1) * sizeof(*r->list));
	r->list[r->count++] = (struct member) { .person = p,
		.m = m->m,
		.where = m->name,
		.by = inviter != NULL ? inviter->name : NULL,
		.changes = rule_change(r->c, &by, m->m, false) == NULL,
		.ends = rule_change(r->c, &by, m->m, true) == NULL,
		/* Nobody learns by an invitation who is known here. */
		.acts = m->m->begun_at != 0 && rule_act(r->c, &by, p) == NULL };
}

/* Reads the memberships that reach this place, oldest first. */
static struct err *
people_read(struct ctx *c, const struct visit *v, struct member **out, size_t *count)
{
	struct reading r = { .c = c, .v = v };
	struct err *err = person_show_account(c, v->account->uuid, keep, &r);

	*out = r.list;
	*count = r.count;
	return err;
}

struct err *
people_find(struct ctx *c, const struct visit *v, struct member *out)
{
	struct member *list;
	size_t count;
	struct err *err = people_read(c, v, &list, &count);

	for (size_t i = 0; err == NULL && i < count; i++) {
		if (strcmp(list[i].m->uuid, v->id) == 0) {
			*out = list[i];
			return NULL;
		}
	}
	return err != NULL ? err
			   : refuse(c, ERR_NOT_FOUND, tr_mark("There is no such member here."));
}

const char *
people_name(const struct member *m)
{
	return m->m->begun_at == 0 ? m->m->invited_name : m->person->name;
}

const char *
people_email(const struct person *p, const struct membership *m)
{
	return m != NULL && m->begun_at == 0 ? m->invited_email : p->login;
}

const char *
people_role(const struct member *m)
{
	const char *role = membership_role(m->m);

	for (size_t i = 0; i < ROLES; i++) {
		if (strcmp(roles[i].name, role) == 0)
			return tr(roles[i].label);
	}
	return tr("Other rights");
}

const struct field_choice *
people_roles(struct ctx *c, const struct visit *v)
{
	struct field_choice *choices = arena_array(c->arena, ROLES + 1, sizeof(*choices));
	size_t n = 0;

	for (size_t i = 0; i < ROLES; i++) {
		if ((membership_role_rights(roles[i].name) & ~v->rights) == 0)
			choices[n++] = (struct field_choice) { .value = roles[i].name,
				.label = tr(roles[i].label) };
	}
	choices[n] = (struct field_choice) { .value = NULL };
	return choices;
}

void
people_write_state(struct hwrite *w, const struct member *m)
{
	if (m->m->ended_at != 0)
		screen_state(w, SCREEN_WARNING, tr("Ended"));
	else if (m->m->begun_at == 0)
		screen_state(w, SCREEN_NOTE, tr("Invited"));
	else if (m->person->disabled_at != 0)
		screen_state(w, SCREEN_BAD, tr("Disabled"));
	else
		screen_state(w, SCREEN_GOOD, tr("Active"));
}

/* ---- links that somebody made */

struct made_links {
	struct ctx *c;
	struct people_links *out;
};

static void
keep_link(void *arg, const struct person_made *made)
{
	const struct made_links *m = arg;
	struct link *link = arena_alloc(m->c->arena, sizeof(*link));
	size_t count = m->out->count, size = sizeof(*m->out->list);

	*link = *made->link;
	m->out->list = arena_grow(m->c->arena, m->out->list, count * size, (count + 1) * size);
	m->out->list[count] = *made;
	m->out->list[count].link = link;
	m->out->count++;
}

struct err *
people_read_links(
    struct ctx *c, const struct visit *v, const char *person, bool ended, struct people_links *out)
{
	struct made_links m = { .c = c, .out = out };

	*out = (struct people_links) { .count = 0 };
	return person_links(
	    c, person, v->account->uuid, ended ? clock_now() - CLOCK_DAY : 0, keep_link, &m);
}

void
people_write_links(struct hwrite *w, const struct people_links *links, bool ended)
{
	const struct screen_column columns[] = {
		{ .label = tr_mark("Name") },
		{ .label = tr_mark("E-mail") },
		{ .label = tr_mark("Link") },
		{ .label = ended ? NULL : tr_mark("Until") },
		{ .label = NULL },
	};
	struct screen_table t;

	if (links->count == 0)
		return;
	hwrite_element(w, H_H2, ended ? tr("Links that have ended") : tr("Open links"));
	hwrite_element(w, H_P,
	    ended
		? tr("This person made these links and may not do so any more. They open nothing. Who still needs one gets it from somebody else.")
		: tr("This person made these links. They end when the person may not make them any more."));
	screen_table_begin(&t, w, tr("Links"), columns);
	for (size_t i = 0; i < links->count; i++) {
		const struct person_made *made = &links->list[i];
		screen_row_begin(&t);
		screen_cell(&t, made->m != NULL && made->m->begun_at == 0 ? made->m->invited_name
									  : made->person->name);
		screen_cell(&t, people_email(made->person, made->m));
		screen_cell(&t, made->m != NULL ? tr("Invitation") : tr("New password"));
		if (!ended) {
			screen_cell_begin(&t);
			say_moment(w, made->link->expires_at);
			screen_cell_end(&t);
		}
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

/* ---- a link, shown once */

struct shown {
	struct ctx *c;
	const struct visit *v;
	const struct person_link *link;
};

static void
write_link(struct hwrite *w, const void *data)
{
	const struct shown *s = data;

	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("Copy the link now and send it: it is shown this once only."));
	screen_copy(w, tr("the link"),
	    arena_printf(
		s->c->arena, "%s%s%s", s->v->place.origin, s->v->place.root, s->link->path));
	hwrite_open(w, H_P);
	screen_sentence(
	    w, tr("It works once, until %s."), say_full_text(s->c, s->link->expires_at));
	hwrite_close(w, H_P);
	if (s->link->mailed) {
		hwrite_open(w, H_P);
		screen_sentence(w, tr("It is sent to %s by mail, too, within a minute or two."),
		    s->link->email);
		hwrite_close(w, H_P);
	} else if (mailing_is_on(s->c)) {
		hwrite_element(w, H_P, tr("No mail is sent: the mails of this day are used up."));
	}
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(s->c, s->v, "%s", people_path(s->c, s->v)),
	    tr("Back to the people"), false);
	hwrite_close(w, H_P);
}

void
people_page_link(struct ctx *c, const struct visit *v, struct reply *reply,
    const struct person_link *link, const char *under)
{
	const struct shown s = { .c = c, .v = v, .link = link };

	console_page(c, v, reply, tr("The link"), under, write_link, &s);
}

/* ---- the list */

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

SCREEN(people) = {
	{ "GET", "/W/people", PEOPLE, .handler = people },
	{ "POST", "/W/people", PEOPLE, .step_up = true, .handler = invite },
	{ "GET", "/A/people", PEOPLE, .handler = people },
	{ "POST", "/A/people", PEOPLE, .step_up = true, .handler = invite },
	{ .method = NULL },
};
