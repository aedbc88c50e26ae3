/* Instance (docs/console.md §4.14): what is wrong with the installation and the data, who can act
 * as the reader, who cannot sign in; galley.conf as it counts, to read; the test of the provider.
 * And what all pages of Instance show: links to the others, and the errand that goes on. */
#include "instance-screen.h"

#include <inttypes.h>
#include <string.h>

#include "action/instance-actions.h"
#include "action/person/credentials.h"
#include "action/person/mailing.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "job/try.h"
#include "notify/mail.h"
#include "people/person.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"
#include "task/errand.h"

/* ---- links to the pages */

#define AGAIN_S 5

static void
look(struct ctx *c, struct visit *v, bool aside, struct instance_errand *out)
{
	memset(out, 0, sizeof(*out));
	out->known = aside ? errand_find_aside(c, &out->last) : errand_find(c, &out->last);
	out->open = out->known && errand_is_open(&out->last);
	if (!out->open)
		return;
	cron_look(c, &out->cron);
	if (strcmp(v->row->method, "GET") == 0)
		v->refresh_s = AGAIN_S;
}

void
instance_look(struct ctx *c, struct visit *v, struct instance_errand *out)
{
	look(c, v, false, out);
}

/* The same of the errand that is aside of the others: the test of the provider. */
static void
instance_look_aside(struct ctx *c, struct visit *v, struct instance_errand *out)
{
	look(c, v, true, out);
}

void
instance_write_places(struct hwrite *w, struct ctx *c, const struct visit *v)
{
	static const struct {
		const char *path, *label;
	} places[] = {
		{ "/instance", tr_mark("Health") },
		{ "/instance/backups", tr_mark("Backups") },
		{ "/instance/provider", tr_mark("Provider") },
		{ "/instance/settings", tr_mark("Settings") },
		{ "/instance/logs", tr_mark("Logs") },
		{ "/instance/tasks", tr_mark("Tasks") },
		{ "/instance/activity", tr_mark("Activity") },
	};

	@ <nav class="bar-of" aria-label="Pages of the instance"><ul class="tabs">
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		@ <li><a href={console_path(c, v, "%s", places[i].path)}
		@     aria-current={strcmp(places[i].path, v->path) == 0 ? "page" : NULL}>
		@ {=tr(places[i].label)}</a></li>
	@ </ul></nav>
}

/* ---- the errand */

/* Returns what goes on, as a sentence. */
static const char *
going_on(const char *kind)
{
	if (strcmp(kind, ASKING_BACKUP) == 0)
		return tr("A backup is being made.");
	if (strcmp(kind, ASKING_DUMP) == 0)
		return tr("A dump is being made.");
	if (strcmp(kind, ASKING_DOCTOR) == 0)
		return tr("The installation is being checked.");
	if (strcmp(kind, ASKING_VERIFY) == 0)
		return tr("The data are being verified.");
	if (strcmp(kind, ASKING_RESTORE) == 0)
		return tr("A backup is being restored.");
	if (strcmp(kind, ASKING_PROVIDER) == 0)
		return tr("The provider is being tested.");
	return tr("Something is going on.");
}

/* Returns how it ended, as a sentence. */
static const char *
ended(const char *kind, bool done)
{
	if (strcmp(kind, ASKING_BACKUP) == 0)
		return done ? tr("The backup is made:") : tr("The backup failed:");
	if (strcmp(kind, ASKING_DUMP) == 0)
		return done ? tr("The dump is made:") : tr("The dump failed:");
	if (strcmp(kind, ASKING_DOCTOR) == 0)
		return done ? tr("The installation was checked:")
			    : tr("The check of the installation failed:");
	if (strcmp(kind, ASKING_VERIFY) == 0)
		return done ? tr("The data were verified:") : tr("The check of the data failed:");
	if (strcmp(kind, ASKING_RESTORE) == 0)
		return done ? tr("The instance is what the backup held.")
			    : tr("Nothing was restored:");
	if (strcmp(kind, ASKING_PROVIDER) == 0)
		return done ? tr("The provider was tested:") : tr("The provider was not tested:");
	return done ? tr("What was asked for is done:") : tr("What was asked for failed:");
}

void
instance_write_english(struct hwrite *w, enum hwrite_element e, const char *text)
{
	if (text[0] == '\0')
		return;
	hwrite_open(w, e);
	hwrite_attr(w, A_LANG, "en");
	hwrite_attr(w, A_DIR, "ltr");
	hwrite_text(w, text);
	hwrite_close(w, e);
}

static void
write_open(struct hwrite *w, const struct instance_errand *e)
{
	@ <notice note><p>{=going_on(e->last.kind)}</p></notice><p>
	if (strcmp(e->last.state, "waiting") == 0)
		@ {=tr("It waits for the task runner.")}{=" "}
	@ {=tr("This page shows by itself when it is done.")}</p>
	console_runner(w, &e->cron, true);
}

void
instance_write_errand(struct hwrite *w, const struct instance_errand *e, const char *const *kinds)
{
	bool done = e->known && strcmp(e->last.state, "done") == 0;

	if (e->open) {
		write_open(w, e);
		return;
	}
	for (size_t i = 0; e->known && kinds[i] != NULL; i++) {
		if (strcmp(kinds[i], e->last.kind) == 0)
			screen_notice(w, done ? SCREEN_GOOD : SCREEN_BAD, "%s %s",
			    ended(e->last.kind, done), e->last.report);
	}
}

const char *
instance_bytes(struct ctx *c, int64_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	int64_t tenths = bytes / 100;
	size_t unit = 0;

	while (tenths >= 10000 && unit < sizeof(units) / sizeof(units[0]) - 1) {
		tenths /= 1000;
		unit++;
	}
	return arena_printf(
	    c->arena, "%" PRId64 ".%" PRId64 " %s", tenths / 10, tenths % 10, units[unit]);
}

/* ---- what an errand found, as a table */

static const struct {
	const char *word, *dot;
	enum screen_tone tone;
} levels[] = {
	[REPORT_GOOD] = { tr_mark("Good"), "dot good", SCREEN_GOOD },
	[REPORT_NOTE] = { tr_mark("Note"), "dot", SCREEN_NOTE },
	[REPORT_WARN] = { tr_mark("Warning"), "dot warning", SCREEN_WARNING },
	[REPORT_BAD] = { tr_mark("Bad"), "dot bad", SCREEN_BAD },
};

void
instance_write_report(struct hwrite *w, const char *caption, const struct report *r)
{
	@ <p>Checked at (UTC): {!say_moment(w, r->at)}</p>
	@ <list caption={caption} columns="Check|State|What was found|Fix">
	for (size_t i = 0; i < r->count; i++) {
		const struct report_finding *f = &r->list[i];
		@ <row><cell>{!instance_write_english(w, H_SPAN, f->name)}</cell>
		@ <cell><state {levels[f->level].tone}>{=tr(levels[f->level].word)}</state></cell>
		@ <cell>{!instance_write_english(w, H_SPAN, f->message)}</cell>
		@ <cell>{!instance_write_english(w, H_SPAN, f->fix)}</cell></row>
	}
	@ </list>
}

/* ---- what rests or fails by itself: an instance that is quiet (docs/console.md §4.15), mails that
 * are not sent (§2.6) */

static struct err *
live(struct page *p)
{
	return live_action(p->c);
}

static const struct page_act live_it = { .name = "live",
	.fields = PAGE_BUTTON("live", tr_mark("This instance is live"), FIELD_SECONDARY),
	.act = live,
	.go = "/instance",
	.notice = "live",
	.journal = "instance live" };

/* Writes that the instance is quiet since then, with the button that ends it; nothing for 0. */
static void
instance_write_live(struct hwrite *w, struct page *p, int64_t since)
{
	if (since == 0)
		return;
	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("This instance is quiet: it was live under another address or on another machine, so it is a copy, or a backup was restored here. Orders, dates of publishing, pings and mails rest, because the other one may still do them. Press this once the other one is gone."));
	page_form(w, p, &live_it, NULL);
}

/* Writes what went wrong with the last mail; nothing if it was sent. */
static void
instance_write_mails(struct hwrite *w, struct ctx *c)
{
	const char *fault = mail_fault_read(c);

	if (fault == NULL || !mailing_is_on(c))
		return;
	screen_notice(
	    w, SCREEN_WARNING, "%s", tr("The last mail could not be sent. It is tried again."));
	instance_write_english(w, H_P, fault);
}

/* ---- the first page */

#define LOCKED_OUT_MAX 100 /* people who cannot sign in; the next ones follow them */

static struct err *
doctor(struct page *p)
{
	return asking_begin(p->c, ASKING_DOCTOR, p->v->person->uuid);
}

static const struct page_act doctor_it = { .name = "doctor",
	.fields = PAGE_BUTTON("doctor", tr_mark("Check the installation"), FIELD_SECONDARY),
	.act = doctor,
	.go = "/instance",
	.journal = "instance " ASKING_DOCTOR };

static struct err *
verify(struct page *p)
{
	return asking_begin(p->c, ASKING_VERIFY, p->v->person->uuid);
}

static const struct page_act verify_it = { .name = "verify",
	.fields = PAGE_BUTTON("verify", tr_mark("Verify"), FIELD_SECONDARY),
	.act = verify,
	.go = "/instance",
	.journal = "instance " ASKING_VERIFY };

/* A person who could not sign in was helped. */
static struct err *
helped(struct page *p)
{
	return join_can_again(p->c, p->v->id);
}

static const struct page_act helped_it = { .name = "done",
	.fields = PAGE_BUTTON("done", tr_mark("Done"), FIELD_SECONDARY),
	.act = helped,
	.go = "/instance",
	.notice = "ended",
	.journal = "person helped ID",
	.store = DB_CONSOLE };

/* A person who cannot sign in. */
struct locked_out {
	const char *id, *name, *email;
	const char *where; /* the path of the membership below the root, or NULL */
	int64_t at;
};

struct overview {
	struct ctx *c;
	struct instance_errand errand;
	struct cron cron;
	struct report doctor, verify;
	struct locked_out locked[LOCKED_OUT_MAX];
	size_t locked_count;
	int64_t quiet_since; /* 0: the instance is live */
};

/* ---- what was checked */

static const struct report_finding *
finding_of(const struct overview *o, size_t i)
{
	return i < o->doctor.count ? &o->doctor.list[i] : &o->verify.list[i - o->doctor.count];
}

/* Returns how many findings of the installation and of the data have a level of these. */
static size_t
count_between(const struct overview *o, enum report_level least, enum report_level most)
{
	size_t n = 0;

	for (size_t i = 0; i < o->doctor.count + o->verify.count; i++)
		n += finding_of(o, i)->level >= least && finding_of(o, i)->level <= most;
	return n;
}

/* What must be done about a finding, with the line of cron to copy where it is that. */
static void
write_fault(struct hwrite *w, const struct overview *o, const struct report_finding *f)
{
	const char *text = arena_printf(o->c->arena, "%s: %s", f->name, f->message);

	@ <li class="tall"><span class={levels[f->level].dot}></span><div class="what">
	@ {!instance_write_english(w, H_B, text)}
	@ <small>{!instance_write_english(w, H_SPAN, f->fix)}</small>
	if (strstr(f->fix, o->cron.line) != NULL)
		screen_copy(w, tr("the line"), o->cron.line);
	@ </div><state {levels[f->level].tone}>{=tr(levels[f->level].word)}</state></li>
}

static void
write_faults(struct hwrite *w, const struct overview *o)
{
	@ <section class="box"><header><h2>To do</h2></header><ul class="rows">
	for (enum report_level level = REPORT_BAD; level >= REPORT_WARN; level--) {
		for (size_t i = 0; i < o->doctor.count + o->verify.count; i++) {
			if (finding_of(o, i)->level == level)
				write_fault(w, o, finding_of(o, i));
		}
	}
	@ </ul></section>
}

/* Writes what is well: from the one with this number to before the other. */
static void
write_well(struct hwrite *w, const struct overview *o, size_t from, size_t to)
{
	size_t n = 0;

	@ <ul class="rows">
	for (size_t i = 0; i < o->doctor.count + o->verify.count; i++) {
		const struct report_finding *f = finding_of(o, i);
		if (f->level > REPORT_NOTE || n++ < from || n > to)
			continue;
		@ <li class="tall"><span class={levels[f->level].dot}></span><span class="what">
		@ {!instance_write_english(w, H_B, f->name)}
		@ <small>{!instance_write_english(w, H_SPAN, f->message)}</small>
		@ <small>{!instance_write_english(w, H_SPAN, f->fix)}</small></span></li>
	}
	@ </ul>
}

/* Writes numbers, what is to be done, the worst first, and, folded, what is well. */
static void
write_findings(struct hwrite *w, const struct overview *o)
{
	size_t bad = count_between(o, REPORT_BAD, REPORT_BAD),
	       better = count_between(o, REPORT_WARN, REPORT_WARN),
	       well = count_between(o, REPORT_GOOD, REPORT_NOTE);

	if (bad + better + well == 0)
		return;
	@ <ul class="nums"><li><strong class={bad > 0 ? "down" : "up"}>{bad}</strong>
	@ must be done</li>
	@ <li><strong>{better}</strong> could be better</li>
	@ <li><strong>{well}</strong> good</li></ul>
	if (bad + better > 0)
		write_faults(w, o);
	if (well > 0) {
		@ <div class="box"><details><summary>Good ({well})</summary>
		@ <div class="split even">
		write_well(w, o, 0, (well + 1) / 2);
		write_well(w, o, (well + 1) / 2, well);
		@ </div></details></div>
	}
}

static void
write_checked(struct hwrite *w, const struct report *r)
{
	if (r->count > 0)
		@ <p class="soft small">{=tr("Checked")}{=" "}{!say_time(w, r->at)}</p>
}

static void
write_checks(struct hwrite *w, struct page *p)
{
	const struct overview *o = p->data;

	@ <div class="split even"><section class="box"><h2>Installation</h2>
	@ <p>The files of this instance are looked at, and its address is asked for as a stranger
	@ does. Each finding says what to do.</p>{!write_checked(w, &o->doctor)}
	if (!o->errand.open)
		page_form(w, p, &doctor_it, NULL);
	@ </section><section class="box"><h2>Data</h2>
	@ <p>All articles, editions, pictures, orders and credits are read and compared with each
	@ other. Nothing is changed.</p>{!write_checked(w, &o->verify)}
	if (!o->errand.open)
		page_form(w, p, &verify_it, NULL);
	@ </section></div>
}

/* ---- other sites of this origin */

static void
write_neighbours(struct hwrite *w, const struct page *p)
{
	const char *origin = p->v->place.origin;

	@ <section class="box"><h2>Who can act as you</h2>
	if (strcmp(p->v->place.root, "/console") == 0)
		@ <p>The console is at {origin}. Whatever else is served under this host name can
		@ act as you while you are signed in: pages, other programs, and who may change
		@ them. Give the console a host name of its own if there are any.</p>
	else
		@ <p>The console shares {origin} with what else is served there. Each program there,
		@ and who may change it, can act as you while you are signed in. The operator of
		@ the host can set console_url to a host name of its own.</p>
	@ <p>Besides, anybody who can read the files of this instance on its host can act as
	@ everybody.</p></section>
}

/* ---- people who cannot sign in */

static void
write_person(struct hwrite *w, struct page *p, const struct locked_out *one)
{
	@ <li><span class="dot warning"></span><span class="what">
	if (one->where != NULL)
		@ <a href={console_path(p->c, p->v, "%s", one->where)}>{one->name}</a>
	else
		@ <b>{one->name}</b>
	@ <small>{one->email}{=" · "}{!say_time(w, one->at)}</small></span>
	@ {!page_form(w, p, &helped_it, one->id)}</li>
}

static void
write_locked_out(struct hwrite *w, struct page *p)
{
	const struct overview *o = p->data;

	if (o->locked_count == 0)
		return;
	@ <section class="box"><h2>I cannot sign in</h2>
	@ <p>These people have an invitation, and say that they cannot sign in. Make sure that it is
	@ they who ask before you reset anything.</p><ul class="rows">
	for (size_t i = 0; i < o->locked_count; i++)
		write_person(w, p, &o->locked[i]);
	@ </ul></section>
}

static void
keep_locked_out(
    void *arg, const struct person *person, int64_t at, const char *account, const char *membership)
{
	struct overview *o = arg;

	if (o->locked_count == LOCKED_OUT_MAX)
		return;
	o->locked[o->locked_count++] = (struct locked_out) { .id = person->uuid,
		.name = person->name,
		.email = person->email,
		.at = at,
		.where = membership == NULL
			     ? NULL
			     : arena_printf(o->c->arena, "/%s/people/%s", account, membership) };
}

/* ---- the page */

static void
write_main(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { ASKING_DOCTOR, ASKING_VERIFY, NULL };
	const struct overview *o = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_live(w, p, o->quiet_since);
	instance_write_mails(w, p->c);
	instance_write_errand(w, &o->errand, kinds);
	if (o->cron.silent && !o->errand.open)
		console_runner(w, &o->cron, true);
	@ <div class="stack">
	write_locked_out(w, p);
	write_findings(w, o);
	write_checks(w, p);
	write_neighbours(w, p);
	@ </div>
}

static struct err *
load(struct page *p)
{
	struct overview *o = p->data;

	o->c = p->c;
	if (p->acting)
		return NULL;
	instance_look(p->c, p->v, &o->errand);
	cron_look(p->c, &o->cron);
	o->quiet_since = live_action_since(p->c);
	(void)report_read(p->c, ASKING_DOCTOR, &o->doctor);
	(void)report_read(p->c, ASKING_VERIFY, &o->verify);
	db_begin_read(p->c, DB_CONSOLE);
	locked_out_list(p->c, LOCKED_OUT_MAX, keep_locked_out, o);
	db_rollback(p->c);
	return NULL;
}

static const struct page_kind page = { sizeof(struct overview), load, write_main };

/* ---- the settings: galley.conf as it counts */

struct writing {
	struct ctx *c;
	struct hwrite *w;
};

static void
write_key(void *arg, const char *key, const char *value, bool is_default)
{
	struct hwrite *w = ((struct writing *)arg)->w;

	@ <row><cell>{!instance_write_english(w, H_CODE, key)}</cell><cell>
	if (value[0] != '\0')
		instance_write_english(w, H_CODE, conf_shown(((struct writing *)arg)->c, value));
	@ </cell><cell>
	if (is_default)
		@ <state note>Default</state>
	else
		@ <state good>Set</state>
	@ </cell></row>
}

static void
write_settings(struct hwrite *w, struct page *p)
{
	struct writing to = { p->c, w };

	instance_write_places(w, p->c, p->v);
	if (p->c->conf->fault != NULL)
		@ <notice bad><p>galley.conf has a fault, so the last good settings are used:
		@ {p->c->conf->fault}</p></notice>
	@ <p>These keys are read from galley.conf, and changed on the host alone. Nothing can be
	@ changed
	@ here: some of them name programs and files.</p>
	@ <list caption="Keys of galley.conf" columns="Key|Value|State">
	conf_each(p->c, p->c->conf, write_key, &to);
	@ </list>
}

static const struct page_kind settings_page = { .write = write_settings };

/* ---- "Test the provider": what becomes of an order, without the order */

static const struct field_choice whats[] = {
	{ PROVIDER_ARTICLE, tr_mark("An article") },
	{ PROVIDER_PICTURE, tr_mark("An article with a picture") },
	{ PROVIDER_RESEARCH, tr_mark("A research brief") },
	{ NULL, NULL },
};

static const struct field provider_fields[] = {
	{ .name = "what",
	    .label = tr_mark("What is asked for"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = whats },
	{ .name = "test",
	    .label = tr_mark("Test the provider"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct testing {
	struct instance_errand errand;
	struct report report;
	const char *program; /* NULL: none is run */
};

static struct err *
test(struct page *p)
{
	return asking_provider(p->c, form_text(p->form, "what"), p->v->person->uuid);
}

static const struct page_act test_it = { .name = "provider",
	.fields = provider_fields,
	.act = test,
	.go = "/instance/provider",
	.journal = "instance provider" };

static void
write_provider(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { ASKING_PROVIDER, NULL };
	const struct testing *t = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &t->errand, kinds);
	@ <p>The provider of galley.conf is run once, as for an order of the newest workspace. No
	@ order, no article and no charge comes of it; what a model costs is to be paid.</p>
	if (p->c->conf->fault != NULL)
		screen_notice(w, SCREEN_BAD,
		    tr("galley.conf has a fault, so no provider is run: %s"), p->c->conf->fault);
	else if (t->program == NULL)
		screen_empty(w, tr("galley.conf names no provider."), NULL, NULL);
	if (p->form != NULL || (t->program != NULL && !t->errand.open))
		page_form(w, p, &test_it, NULL);
	if (t->report.count > 0 && !t->errand.open)
		instance_write_report(w, tr("What the provider did"), &t->report);
}

static struct err *
load_provider(struct page *p)
{
	struct testing *t = p->data;

	t->program = p->c->conf->fault != NULL ? NULL : try_program(p->c);
	instance_look_aside(p->c, p->v, &t->errand);
	(void)report_read(p->c, ASKING_PROVIDER, &t->report);
	return NULL;
}

static const struct page_kind provider_page = { sizeof(struct testing), load_provider,
	write_provider };

#define OVERVIEW INSTANCE, .title = tr_mark("Instance"), .page = &page
#define PROVIDER                                                                                   \
	.pattern = "/instance/provider", INSTANCE, .title = tr_mark("Provider"),                   \
	.page = &provider_page

SCREEN(instance) = {
	{ "GET", "/instance", OVERVIEW },
	{ "POST", "/instance/doctor", OVERVIEW, .act = &doctor_it },
	{ "POST", "/instance/verify", OVERVIEW, .act = &verify_it },
	{ "POST", "/help/ID", OVERVIEW, .act = &helped_it },
	{ "POST", "/instance/live", OVERVIEW, .act = &live_it },
	{ "GET", "/instance/settings", INSTANCE, .title = tr_mark("Settings of the instance"),
	    .page = &settings_page },
	{ "GET", PROVIDER },
	{ "POST", PROVIDER, .act = &test_it },
	{ .method = NULL },
};
