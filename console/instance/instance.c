/* Instance: what is wrong with the installation and the data, who can act as the reader, and
 * who cannot sign in (docs/console.md §4.14). */
#include <inttypes.h>
#include <string.h>

#include "action/instance-actions.h"
#include "action/person/credentials.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "instance.h"
#include "people/person.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "task/errand.h"

#define LOCKED_OUT_MAX 100 /* people who cannot sign in; the next ones follow them */

static const struct field doctor_fields[] = {
	{ .name = "doctor", .label = tr_mark("Check the installation"),
	    .kind = FIELD_SUBMIT },
	{ .name = NULL },
}, verify_fields[] = {
	{ .name = "verify", .label = tr_mark("Verify"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
}, done_fields[] = {
	{ .name = "done", .label = tr_mark("Done"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* A person who cannot sign in. */
struct locked_out {
	const char *id, *name, *email;
	const char *where; /* the path of the membership below the root, or NULL */
	int64_t at;
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct instance_errand errand;
	struct report doctor, verify;
	struct form doctor_form, verify_form;
	struct locked_out locked[LOCKED_OUT_MAX];
	size_t locked_count;
	int64_t quiet_since; /* 0: the instance is live */
};

/* ---- what was checked */

static void
write_checks(struct hwrite *w, const struct page *p)
{
	hwrite_element(w, H_H2, tr("Installation"));
	hwrite_element(w, H_P,
	    tr("The files of this instance are looked at, and its address is asked for as a stranger does. Each finding says what to do."));
	if (p->doctor.count > 0)
		instance_write_report(
		    w, tr("Findings of the installation, the worst first"), &p->doctor);
	if (!p->errand.open)
		console_form(p->c, p->v, w, &p->doctor_form, "/instance/doctor");
	hwrite_element(w, H_H2, tr("Data"));
	hwrite_element(w, H_P,
	    tr("All articles, editions, pictures, orders and credits are read and compared with each other. Nothing is changed."));
	if (p->verify.count > 0)
		instance_write_report(w, tr("Findings of the data"), &p->verify);
	if (!p->errand.open)
		console_form(p->c, p->v, w, &p->verify_form, "/instance/verify");
}

/* ---- other sites of this origin */

static void
write_neighbours(struct hwrite *w, const struct page *p)
{
	bool alone = strcmp(p->v->place.root, "/console") == 0;

	hwrite_element(w, H_H2, tr("Who can act as you"));
	hwrite_open(w, H_P);
	screen_sentence(w,
	    alone
		? tr("The console is at %s. Whatever else is served under this host name can act as you while you are signed in: pages, other programs, and who may change them. Give the console a host name of its own if there are any.")
		: tr("The console shares %s with what else is served there. Each program there, and who may change it, can act as you while you are signed in. The operator of the host can set console_url to a host name of its own."),
	    p->v->place.origin);
	hwrite_close(w, H_P);
	hwrite_element(w, H_P,
	    tr("Besides, who can read the files of this instance on its host can act as everybody."));
}

/* ---- people who cannot sign in */

static void
write_person(struct screen_table *t, const struct page *p, const struct locked_out *one)
{
	struct form *f = arena_alloc(p->c->arena, sizeof(*f));

	screen_row_begin(t);
	if (one->where != NULL)
		screen_cell_link(t, console_path(p->c, p->v, "%s", one->where), one->name);
	else
		screen_cell(t, one->name);
	screen_cell(t, one->email);
	screen_cell_begin(t);
	say_moment(t->w, one->at);
	screen_cell_end(t);
	screen_cell_begin(t);
	form_init(f, arena_printf(p->c->arena, "done-%s", one->id), done_fields);
	console_form(p->c, p->v, t->w, f, arena_printf(p->c->arena, "/help/%s", one->id));
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_locked_out(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Name") },
		{ .label = tr_mark("E-mail") },
		{ .label = tr_mark("Time (UTC)") },
		{ .label = tr_mark("Actions") },
		{ .label = NULL },
	};
	struct screen_table t;

	hwrite_open(w, H_H2);
	hwrite_attr(w, A_ID, "cannot-sign-in");
	hwrite_text(w, tr("I cannot sign in"));
	hwrite_close(w, H_H2);
	if (p->locked_count == 0) {
		hwrite_element(w, H_P, tr("Nobody says so."));
		return;
	}
	hwrite_element(w, H_P,
	    tr("These people have an invitation, and say that they cannot sign in. Make sure that it is they who ask before you reset anything."));
	screen_table_begin(&t, w, tr("People who cannot sign in"), columns);
	for (size_t i = 0; i < p->locked_count; i++)
		write_person(&t, p, &p->locked[i]);
	screen_table_end(&t);
}

static void
keep_locked_out(
    void *arg, const struct person *person, int64_t at, const char *account, const char *membership)
{
	struct page *p = arg;

	if (p->locked_count == LOCKED_OUT_MAX)
		return;
	p->locked[p->locked_count++] = (struct locked_out) { .id = person->uuid,
		.name = person->name,
		.email = person->email,
		.at = at,
		.where = membership == NULL
			     ? NULL
			     : arena_printf(p->c->arena, "/%s/people/%s", account, membership) };
}

/* ---- the page */

static void
write_main(struct hwrite *w, const void *data)
{
	static const char *const kinds[] = { ASKING_DOCTOR, ASKING_VERIFY, NULL };
	const struct page *p = data;

	instance_write_places(w, p->c, p->v);
	instance_write_live(w, p->c, p->v, p->quiet_since);
	instance_write_mails(w, p->c);
	instance_write_errand(w, &p->errand, kinds);
	write_locked_out(w, p);
	write_checks(w, p);
	write_neighbours(w, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->locked_count = 0;
	instance_look(c, v, &p->errand);
	p->quiet_since = live_action_since(c);
	(void)report_read(c, ASKING_DOCTOR, &p->doctor);
	(void)report_read(c, ASKING_VERIFY, &p->verify);
	form_init(&p->doctor_form, "doctor", doctor_fields);
	form_init(&p->verify_form, "verify", verify_fields);
	db_begin_read(c, DB_CONSOLE);
	locked_out_list(c, LOCKED_OUT_MAX, keep_locked_out, p);
	db_rollback(c);
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
doctor(struct ctx *c, struct visit *v, struct reply *reply)
{
	return instance_ask(c, v, reply, ASKING_DOCTOR, "/instance");
}

static struct err *
verify(struct ctx *c, struct visit *v, struct reply *reply)
{
	return instance_ask(c, v, reply, ASKING_VERIFY, "/instance");
}

/* A person who could not sign in was helped. */
static struct err *
helped(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct err *err;

	console_will_go(v, "/instance?notice=ended");
	err = join_can_again(c, v->id);
	if (err != NULL)
		return err;
	console_journal(c, v, "person helped %s", v->id);
	console_go(c, v, reply, "/instance", "ended");
	return NULL;
}

const struct console_row instance_screens[] = {
	{ .method = "GET",
	    .pattern = "/instance",
	    INSTANCE,
	    .title = tr_mark("Instance"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/instance/doctor",
	    INSTANCE,
	    .title = tr_mark("Instance"),
	    .handler = doctor },
	{ .method = "POST",
	    .pattern = "/instance/verify",
	    INSTANCE,
	    .title = tr_mark("Instance"),
	    .handler = verify },
	{ .method = "POST",
	    .pattern = "/help/ID",
	    INSTANCE,
	    .title = tr_mark("Instance"),
	    .handler = helped },
	{ .method = NULL },
};
