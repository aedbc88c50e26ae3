/* Credits of an account: what there is, what was moved, and for operators grant and revoke
 * (docs/console.md §4.12). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"

static const struct field period_fields[] = {
	{ .name = "from", .label = tr_mark("From"), .kind = FIELD_DATE },
	{ .name = "to", .label = tr_mark("To"), .kind = FIELD_DATE },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field move_fields[] = {
	{ .name = "credits",
	    .label = tr_mark("Credits"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = LEDGER_GRANT_MAX,
	    .required = true,
	    .inputmode = "numeric" },
	{ .name = "ref",
	    .label = tr_mark("Reference"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .missing = tr_mark("Say what this is for: a receipt's number."),
	    .hint = tr_mark(
		"What this is for, such as the number of a receipt. A reference serves once; the customer reads it.") },
	{ .name = "grant", .label = tr_mark("Grant"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "revoke",
	    .label = tr_mark("Revoke"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

const char *
credits_address(const struct credits *p, const char *path, const char *before)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(p->c, p->v, "/%s/%s", p->v->account->uuid, path));
	screen_address_add(&out, "from", form_text(&p->period, "from"));
	screen_address_add(&out, "to", form_text(&p->period, "to"));
	screen_address_add(&out, "before", before);
	return buf_done(&out);
}

bool
credits_read_period(struct credits *p)
{
	static const char *const names[] = { "from", "to" };
	struct form_value values[2];
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < 2; i++) {
		const char *text = console_query(p->c, p->v, names[i]);
		if (text != NULL)
			values[count++] = (struct form_value) { names[i], text, strlen(text) };
	}
	p->view.from = 0;
	p->view.to = INT64_MAX;
	form_init(&p->period, "period", period_fields);
	good = form_read(p->c, &p->period, values, count);
	if (good && form_text(&p->period, "from") != NULL)
		p->view.from = form_number(&p->period, "from");
	if (good && form_text(&p->period, "to") != NULL)
		p->view.to = form_number(&p->period, "to") + CLOCK_DAY;
	if (good && p->view.from >= p->view.to) {
		form_refuse(&p->period, "to", tr("The last day is before the first one."));
		good = false;
	}
	if (!good) {
		p->view.from = 0;
		p->view.to = INT64_MAX;
	}
	return good;
}

/* Returns the number that an address carries, or one behind all movements. */
static int64_t
before_of(struct ctx *c, const struct visit *v)
{
	const char *text = console_query(c, v, "before");

	if (text == NULL || text[0] == '\0' || strlen(text) > 18 ||
	    text[strspn(text, "0123456789")] != '\0')
		return INT64_MAX;
	return strtoll(text, NULL, 10);
}

static struct credits *
begin(struct ctx *c, const struct visit *v)
{
	struct credits *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->view.account = v->account->uuid;
	p->view.before = before_of(c, v);
	form_init(&p->move, "move", move_fields);
	return p;
}

static struct err *
show(struct credits *p, struct reply *reply)
{
	struct err *err = credits_look(p->c, &p->view);

	if (err == NULL)
		console_page(p->c, p->v, reply, NULL, NULL, credits_write, p);
	return err;
}

static struct err *
credits(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct credits *p = begin(c, v);

	if (!credits_read_period(p))
		reply->status = 422;
	return show(p, reply);
}

/* What an operator can correct is wrong input (docs/console.md §4.12). */
static struct err *
wrong(struct credits *p, struct visit *v, struct reply *reply, struct err *err)
{
	if (err->code == ERR_CONFLICT && err->param != NULL)
		err->code = ERR_INVALID;
	err = console_wrong(p->c, v, reply, &p->move, err);
	return err != NULL ? err : show(p, reply);
}

/* What a form did, and where it leads. */
struct moved {
	const char *path;
	bool revoke, done;
};

static const char *
notice_of(const struct moved *m)
{
	if (!m->done)
		return "moved-before";
	return m->revoke ? "taken-credits" : "granted";
}

static const char *
tell(struct ctx *c, const void *arg)
{
	const struct moved *m = arg;

	return arena_printf(c->arena, "%s?notice=%s", m->path, notice_of(m));
}

static struct err *
move(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct credits *p = begin(c, v);
	struct credits_order order = { .account = v->account->uuid, .person = v->person->uuid };
	struct moved m = { .path = arena_printf(c->arena, "/%s/credits", v->account->uuid) };
	struct account *a;
	struct err *err;

	(void)credits_read_period(p);
	if (!console_read(c, v, &p->move)) {
		console_refused(v, reply);
		return show(p, reply);
	}
	m.revoke = form_is_on(&p->move, "revoke");
	order.kind = m.revoke ? CREDITS_REVOKE : CREDITS_GRANT;
	order.credits = form_number(&p->move, "credits");
	order.ref = form_text(&p->move, "ref");
	console_will_tell(v, tell, &m);
	err = credits_move(c, &order, &a, &m.done);
	if (err != NULL)
		return wrong(p, v, reply, err);
	if (m.done)
		console_journal(
		    c, v, "credits %s %" PRId64, m.revoke ? "revoke" : "grant", order.credits);
	console_go(c, v, reply, m.path, notice_of(&m));
	return NULL;
}

#define CREDITS .pattern = "/A/credits", .title = tr_mark("Credits")

const struct console_row credits_screens[] = {
	{ .method = "GET", CREDITS, .need = RIGHT_MANAGE, .handler = credits },
	{ .method = "POST", CREDITS, .need = RIGHT_OPERATE, .step_up = true, .handler = move },
	{ .method = NULL },
};
