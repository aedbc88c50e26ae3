/* Start, while the programs are of a newer release than the database: "Back up and migrate"
 * (docs/console.md §2.7). */
#include "action/person/first-operator.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "task/errand-kinds.h"

#define REFRESH_S 5

static const struct field fields[] = {
	{ .name = "code", .kind = FIELD_HIDDEN },
	{ .name = "migrate",
	    .label = tr_mark("Back up and migrate"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	bool owner; /* the code was typed */
	struct upgrading now;
};

static void
write_cron(struct hwrite *w, const struct page *p)
{
	if (!p->now.cron.silent)
		return;
	hwrite_element(w, H_P,
	    tr("Cron has not started the job runner in the last minutes, so nothing goes on. The host's panel must have this line of cron, with the folder of the programs:"));
	hwrite_open(w, H_P);
	hwrite_open(w, H_CODE);
	hwrite_attr(w, A_DIR, "ltr");
	/* Everybody may read this page: it names no folder of the host. */
	hwrite_text(w, "* * * * * …/bin/job-runner");
	hwrite_close(w, H_CODE);
	hwrite_close(w, H_P);
}

static void
write_offer(struct hwrite *w, const struct page *p)
{
	if (p->now.failed != NULL) {
		hwrite_element(w, H_P, tr("The last try failed, and the database is as it was:"));
		hwrite_element(w, H_P, p->now.failed);
	}
	hwrite_element(w, H_P,
	    tr("A backup is made first, beside the database. Begin when the whole release is uploaded."));
	console_form(p->c, p->v, w, &p->form, "/start");
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_P,
	    tr("The programs of this instance are newer than its database. Until the database is of their release, nobody can sign in, and the API answers that it is not available."));
	if (p->now.by_setup) {
		hwrite_element(w, H_P,
		    tr("The line of cron of this instance runs setup, which makes a backup and does this by itself. This page goes on then."));
	} else if (p->now.open) {
		hwrite_element(w, H_P,
		    tr("A backup is made, and then the database is brought to the new release. This page goes on then."));
		write_cron(w, p);
	} else if (p->owner) {
		write_offer(w, p);
	} else {
		if (p->now.failed != NULL)
			hwrite_element(
			    w, H_P, tr("The last try failed. Type the code to read why."));
		start_write_code(w, p->c, p->v, &p->form);
	}
}

static struct page *
page_init(struct ctx *c, struct visit *v, bool owner)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->owner = owner;
	form_init(&p->form, "start", owner ? fields : start_code_fields);
	upgrading_look(c, &p->now);
	if (p->now.by_setup || p->now.open)
		v->refresh_s = REFRESH_S;
	return p;
}

struct err *
upgrade_show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, false);

	form_fill(&p->form, "code", console_query(c, v, "code"));
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

/* Does what was pressed. *good: the code is right; false without a refusal: the form says what
 * is wrong. */
static struct err *
take(struct ctx *c, struct visit *v, struct page *p, bool migrate, bool *good)
{
	const char *code = console_sent(v, "code");
	struct err *err = NULL;

	*good = console_read(c, v, &p->form);
	if (*good)
		err = migrate ? upgrading_ask(c, code, v->r->address)
			      : start_check(c, code, v->r->address);
	*good = *good && err == NULL;
	return err;
}

struct err *
upgrade_post(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = page_init(c, v, false);
	bool migrate = console_sent(v, "migrate") != NULL, good;
	struct err *err = take(c, v, p, migrate, &good);

	if (good && migrate) {
		console_go(c, v, reply, "/start?again", NULL);
		return NULL;
	}
	reply->status = 422;
	if (good) {
		p = page_init(c, v, true);
		form_fill(&p->form, "code", console_sent(v, "code"));
		reply->status = 200;
	} else if (err != NULL) {
		err = console_wrong(c, v, reply, &p->form, err);
		if (err != NULL)
			return err;
	}
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}
