/* What links open: an invitation, and a reset of the password (docs/console.md §2.2, §2.6). */
#include <string.h>

#include "action/person/credentials.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"

#define PASSWORD_FIELD                                                                             \
	{                                                                                          \
		.name = "password", .label = tr_mark("New password"), .kind = FIELD_PASSWORD,      \
		.max = 2000, .required = true, .autocomplete = "new-password",                     \
		.hint = tr_mark("At least 12 characters, or 8 with a second factor.")              \
	}

#define CONTINUE_FIELD                                                                             \
	{                                                                                          \
		.name = "continue", .label = tr_mark("Continue"), .kind = FIELD_SUBMIT,            \
		.tone = FIELD_PRIMARY                                                              \
	}

static const struct field new_fields[] = {
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .max = PERSON_NAME_MAX,
	    .autocomplete = "name" },
	PASSWORD_FIELD,
	CONTINUE_FIELD,
	{ .name = NULL },
};

static const struct field password_fields[] = {
	PASSWORD_FIELD,
	CONTINUE_FIELD,
	{ .name = NULL },
};

static const struct field join_fields[] = {
	CONTINUE_FIELD,
	{ .name = NULL },
};

static const struct field cannot_fields[] = {
	{ .name = "cannot", .label = tr_mark("I cannot sign in"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	enum link_kind kind;
	struct join join;
	struct form form;
};

static const char *
path_of(struct ctx *c, const struct page *p)
{
	return arena_printf(
	    c->arena, "/%s/%s", p->kind == LINK_INVITE ? "invite" : "reset", p->v->name);
}

/* Returns whether the person must sign in again before the form is shown: it changes the
 * password without asking for the old one. */
static bool
is_stale(const struct page *p)
{
	return p->kind == LINK_INVITE && p->join.own && p->join.needs_password && !p->join.fresh &&
	       !join_is_proved(p->c, p->v->session);
}

/* Returns whether the visitor is not known to be the person of the invitation. Such a page is the
 * same for everybody, because the person who made the link may be the one who looks at it. */
static bool
is_open(const struct page *p)
{
	return p->kind == LINK_INVITE && !p->join.own;
}

/* A link that is over, or of a person who must sign in first, has no form. */
static bool
has_form(const struct page *p)
{
	return p->join.state == LINK_GOOD && !is_stale(p);
}

static void
write_place(struct hwrite *w, const struct page *p)
{
	const struct join *j = &p->join;

	if (p->kind == LINK_RESET)
		@ <p>Choose a new password for {j->email}. All your sessions end with it.</p>
	else if (j->place != NULL && j->place[0] != '\0')
		@ <p>{j->email} is invited to {j->place}.</p>
	else
		@ <p>{j->email} is invited.</p>
	if (j->own && j->needs_password && p->kind == LINK_INVITE)
		@ <p>To join, choose a new password: the old one may be known to others. All your
		@ other sessions end.</p>
}

/* An invitation of a person who has a password begins in that person's own session. */
static void
write_sign_in(struct hwrite *w, const struct page *p)
{
	struct form cannot;
	struct buf address;

	@ <h2>If you have a password here</h2>
	if (p->v->state == SESSION_GOOD) {
		@ <p>You are signed in as another person. Sign out, and open the link again.</p>
		return;
	}
	buf_init(&address, p->c->arena, (size_t)16 * 1024);
	buf_printf(&address, "%s/sign-in", p->v->place.root);
	screen_address_add(&address, "then", path_of(p->c, p));
	@ <p>
	screen_button_link(w, buf_done(&address),
	    arena_printf(p->c->arena, tr("Sign in as %s"), p->join.email), false);
	@ </p>
	form_init(&cannot, "cannot", cannot_fields);
	console_form(
	    p->c, p->v, w, &cannot, arena_printf(p->c->arena, "%s/help", path_of(p->c, p)));
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (p->join.state == LINK_OVER) {
		@ <p>This link was used or has expired, or something changed since it was made. Ask
		@ the person who sent it for another.</p>
		return;
	}
	write_place(w, p);
	if (is_stale(p)) {
		@ <p>You signed in more than ten minutes ago. Sign out, sign in again, and open the
		@ link again.</p>
		return;
	}
	if (is_open(p))
		@ <h2>If you are new here</h2>
	console_form(p->c, p->v, w, &p->form, path_of(p->c, p));
	if (is_open(p))
		write_sign_in(w, p);
}

/* Looks at the link of the path, and begins its page. */
static struct err *
begin(struct ctx *c, const struct visit *v, enum link_kind kind, struct page **out)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct field *fields = join_fields;

	*out = p;
	p->c = c;
	p->v = v;
	p->kind = kind;
	join_look(c, kind, v->name, v->state == SESSION_GOOD ? v->person->id : 0, &p->join);
	if (p->join.state == LINK_UNKNOWN)
		return refuse(c, ERR_NOT_FOUND, "%s", tr("There is no such link."));
	if (kind == LINK_INVITE && (is_open(p) || p->join.fresh))
		fields = new_fields;
	else if (p->join.needs_password)
		fields = password_fields;
	form_init(&p->form, "join", fields);
	if (fields == new_fields)
		form_fill(&p->form, "name", p->join.name);
	return NULL;
}

static void
write_page(struct page *p, struct reply *reply)
{
	bool over = p->join.state == LINK_OVER;

	if (over)
		reply->status = 410;
	console_page(
	    p->c, p->v, reply, over ? tr("This link has ended") : NULL, NULL, write_main, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply, enum link_kind kind)
{
	struct page *p;
	struct err *err = begin(c, v, kind, &p);

	if (err == NULL)
		write_page(p, reply);
	return err;
}

static struct err *
finish(struct ctx *c, struct visit *v, struct page *p, struct reply *reply)
{
	const struct field *fields = p->form.fields;
	struct join_order order = { .kind = p->kind, .text = v->name, .from = sign_order_of(v) };
	struct signed_in in;
	struct err *err;

	if (fields == new_fields)
		order.name = form_text(&p->form, "name");
	if (fields != join_fields)
		order.password = form_text(&p->form, "password");
	err = join_finish(c, &order, &in);
	if (err == NULL)
		sign_go_on(
		    c, v, reply, &in, "/", p->kind == LINK_INVITE ? "joined" : "password-changed");
	return err;
}

static struct err *
take(struct ctx *c, struct visit *v, struct reply *reply, enum link_kind kind)
{
	struct page *p;
	struct err *err = begin(c, v, kind, &p);

	if (err != NULL)
		return err;
	reply->status = 422;
	if (!has_form(p)) {
		reply->status = 409;
	} else if (console_read(c, v, &p->form)) {
		err = finish(c, v, p, reply);
		if (err == NULL)
			return NULL;
		if (err->code == ERR_CONFLICT) {
			join_look(c, kind, v->name, v->state == SESSION_GOOD ? v->person->id : 0,
			    &p->join);
		}
		TRY(console_wrong(c, v, reply, &p->form, err));
	}
	write_page(p, reply);
	return NULL;
}

static struct err *
show_invitation(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(c, v, reply, LINK_INVITE);
}

static struct err *
join(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take(c, v, reply, LINK_INVITE);
}

/* Only an operator can help a person who has a password (docs/console.md §2.2). */
static struct err *
cannot_sign_in(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p;
	struct err *err = begin(c, v, LINK_INVITE, &p);

	if (err != NULL)
		return err;
	if (p->join.state == LINK_GOOD)
		err = join_cannot(c, v->name);
	if (err != NULL)
		return err;
	if (p->join.state != LINK_GOOD) {
		write_page(p, reply);
		return NULL;
	}
	console_journal(c, v, "person cannot-sign-in %s", p->join.person->uuid);
	console_go(c, v, reply, path_of(c, p), "told");
	return NULL;
}

static struct err *
show_reset(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(c, v, reply, LINK_RESET);
}

static struct err *
reset(struct ctx *c, struct visit *v, struct reply *reply)
{
	return take(c, v, reply, LINK_RESET);
}

SCREEN(invite) = {
	{ "GET", "/invite/NAME", .title = tr_mark("Invitation"), .access = SCREEN_PUBLIC,
	    .handler = show_invitation },
	{ "POST", "/invite/NAME", .title = tr_mark("Invitation"), .access = SCREEN_PUBLIC,
	    .handler = join },
	{ "POST", "/invite/NAME/help", .title = tr_mark("Invitation"), .access = SCREEN_PUBLIC,
	    .handler = cannot_sign_in },
	{ "GET", "/reset/NAME", .title = tr_mark("New password"), .access = SCREEN_PUBLIC,
	    .handler = show_reset },
	{ "POST", "/reset/NAME", .title = tr_mark("New password"), .access = SCREEN_PUBLIC,
	    .handler = reset },
	{ .method = NULL },
};
