/* The people of a place: who they are, and what may be done with them. */
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "people.h"

#include "action/person/mailing.h"
#include "screen/say.h"
#include "screen/tr.h"

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

struct err *
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
