#include "console/stepup.h"

#include <string.h>

#include "action/person/signing.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "console/page.h"
#include "console/rows.h"
#include "console/sent.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf/console-conf.h"

/* Where it is always asked: the time for a form that asks before it is shown. */
#define FORM_TIME (120 * CLOCK_SECOND)

static const struct field password_fields[] = {
	{ .name = "step-up", .kind = FIELD_HIDDEN },
	{ .name = "proof",
	    .label = tr_mark("Password"),
	    .kind = FIELD_PASSWORD,
	    .max = 2000,
	    .required = true,
	    .autocomplete = "current-password" },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field code_fields[] = {
	{ .name = "step-up", .kind = FIELD_HIDDEN },
	{ .name = "proof",
	    .label = tr_mark("Code"),
	    .kind = FIELD_TEXT,
	    .max = 100,
	    .required = true,
	    .autocomplete = "one-time-code",
	    .dir = "ltr",
	    .hint = tr_mark("The six digits that your authenticator shows, or a recovery code.") },
	{ .name = "continue",
	    .label = tr_mark("Continue"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
};

bool
stepup_is_answer(const struct visit *v)
{
	return console_sent(v, "step-up") != NULL;
}

static struct prove_order
order_of(const struct visit *v)
{
	return (struct prove_order) { .session = v->session,
		.person = v->person,
		.device = v->device,
		.address = v->r->address,
		.held = "",
		.target = v->path };
}

/* ---- the page */

/* Returns the page from which this was asked for: that of a form's address, or the nearest one
 * above (arena). */
static const char *
page_before(struct ctx *c, const struct visit *v)
{
	char *path = arena_text(c->arena, v->path);
	bool above = strcmp(v->row->method, "POST") != 0;

	while (path[0] != '\0' && (above || !rows_get(c, path))) {
		*strrchr(path, '/') = '\0';
		above = false;
	}
	return path[0] != '\0' ? path : "/";
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_P, tr("This needs a fresh proof, because it is important."));
	console_form(p->c, p->v, w, &p->form, p->v->path);
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "%s", page_before(p->c, p->v)),
	    tr("Back, and do nothing"), false);
	hwrite_close(w, H_P);
}

static struct page *
page_init(struct ctx *c, const struct visit *v, const char *held)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "step-up", v->person->has_factor ? code_fields : password_fields);
	form_fill(&p->form, "step-up", held);
	return p;
}

static void
write_page(struct page *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, tr("Is it you?"), NULL, write_main, p);
}

/* ---- what was sent */

/* Passwords and files are not kept. */
static bool
can_be_kept(const struct visit *v)
{
	for (size_t i = 0; i < v->sent.count; i++) {
		if (strstr(v->sent.values[i].name, "password") != NULL)
			return false;
	}
	return v->sent.file_count == 0;
}

/* Keeps the form until the answer comes; "none" if it cannot be kept. */
static const char *
keep(struct ctx *c, const struct visit *v)
{
	struct buf b;
	char uuid[UUID_TEXT];
	const struct prove_order order = order_of(v);

	if (strcmp(v->r->method, "POST") != 0 || !can_be_kept(v))
		return "none";
	sent_write(c, v, &b);
	prove_hold(c, &order, b.data, b.len, uuid);
	return arena_text(c->arena, uuid);
}

/* Returns whether the person proved who they are, not long ago (console_step_up_minutes). */
static bool
is_fresh(struct ctx *c, const struct visit *v)
{
	struct console_conf conf;
	int64_t time;

	/* The form that was kept is there: its handler may ask, too. */
	if (v->renewed[0] != '\0')
		return true;
	console_conf_read(c, &conf);
	time = conf.step_up_minutes * 60 * CLOCK_SECOND;
	if (time == 0 && (strcmp(v->r->method, "POST") != 0 || !can_be_kept(v)))
		time = FORM_TIME;
	return c->now < v->session->proved_at + time && c->now > v->session->proved_at - time;
}

bool
console_step_up(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct gate *gate = c->gate;

	if (is_fresh(c, v))
		return true;
	/* What is kept is no change of the form's own. */
	c->gate = NULL;
	write_page(page_init(c, v, keep(c, v)), reply);
	c->gate = gate;
	return false;
}

void
console_renewed(struct ctx *c, struct visit *v)
{
	struct person *p;

	db_begin_read(c, DB_CONSOLE);
	(void)session_check(c, v->renewed, &v->session, &p);
	db_rollback(c);
	if (v->session == NULL)
		die("the session ended while it was renewed");
	session_form_token(v->session, v->token);
}

/* Shows the page again, with the reason. */
static struct err *
ask_again(struct ctx *c, struct visit *v, struct reply *reply, struct page *p, struct err *err)
{
	if (err != NULL)
		err = console_wrong(c, v, reply, &p->form, err);
	if (err == NULL)
		write_page(p, reply);
	return err;
}

struct err *
stepup_answer(struct ctx *c, struct visit *v, struct reply *reply, bool *go_on)
{
	struct prove_order order = order_of(v);
	struct page *p = page_init(c, v, "none");
	struct proved proved;
	bool kept;
	struct err *err;

	*go_on = false;
	reply->status = 422;
	if (!console_read(c, v, &p->form))
		return ask_again(c, v, reply, p, NULL);
	kept = strcmp(form_text(&p->form, "step-up"), "none") != 0;
	order.typed = form_text(&p->form, "proof");
	order.held = kept ? form_text(&p->form, "step-up") : "";
	err = prove(c, &order, &proved);
	if (err != NULL)
		return ask_again(c, v, reply, p, err);
	reply->status = 200;
	v->session = (struct session *)(void *)proved.session;
	session_form_token(v->session, v->token);
	memcpy(v->renewed, proved.token, sizeof(v->renewed));
	explicit_bzero(proved.token, sizeof(proved.token));
	if (kept && proved.bytes == NULL)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("Your form is not kept any more, so nothing was done. Open the page again."));
	if (kept) {
		console_put_back(c, v, proved.bytes, proved.len);
		*go_on = true;
		return NULL;
	}
	console_go(c, v, reply, rows_get(c, v->path) ? v->path : "/", NULL);
	return NULL;
}
