/* The pings of a workspace: their address, their secret, and how the last ones ended
 * (docs/console.md §4.8). */
#include <string.h>

#include "action/site-actions.h"
#include "action/workspace-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"

#define ADDRESS_MAX 2000

static const struct field fields[] = {
	{ .name = "notify-url",
	    .label = tr_mark("Address"),
	    .kind = FIELD_TEXT,
	    .max = ADDRESS_MAX,
	    .dir = "ltr",
	    .inputmode = "url",
	    .hint = tr_mark("https://www.example.com/ping. Empty: nobody is told.") },
	{ .name = "was-notify-url", .kind = FIELD_HIDDEN, .max = ADDRESS_MAX },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field secret_fields[] = {
	{ .name = "secret", .label = tr_mark("New secret"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct pings {
	struct ctx *c;
	const struct visit *v;
	struct notify_view view;
	struct form form, secret;
};

static const char *
path_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/settings/pings", v->workspace->uuid);
}

/* ---- the page */

static const char *
words_of(const char *result)
{
	if (strcmp(result, "answered") == 0)
		return tr("answered");
	return strcmp(result, "refused") == 0 ? tr("refused") : tr("no answer");
}

static void
write_tries(struct hwrite *w, const struct pings *p)
{
	static const struct screen_column columns[] = { { .label = tr_mark("Time") },
		{ .label = tr_mark("Result") }, { .label = NULL } };
	struct screen_table t;

	hwrite_element(w, H_H2, tr("The last pings"));
	if (p->view.count == 0) {
		hwrite_element(w, H_P, tr("None was sent yet."));
		return;
	}
	screen_table_begin(&t, w, tr("The last pings"), columns);
	for (size_t i = 0; i < p->view.count; i++) {
		screen_row_begin(&t);
		screen_cell_begin(&t);
		say_moment(w, p->view.tries[i].at);
		screen_cell_end(&t);
		screen_cell(&t, words_of(p->view.tries[i].result));
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct pings *p = data;
	const char *path = path_of(p->c, p->v);

	hwrite_element(w, H_P,
	    tr("After a change this address gets a POST, so that your site can copy what is new at once. It is told that something changed, and nothing else. Sites that ask from time to time need no ping."));
	if (!p->view.verified)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("Only the workspaces of a verified account tell of their changes."));
	verification_write(w, p->c, p->v);
	if (p->view.verified || p->view.notify.url[0] != '\0')
		console_form(p->c, p->v, w, &p->form, path);
	if (p->view.verified && !console_rests(p->v)) {
		hwrite_element(w, H_H2, tr("Secret"));
		hwrite_element(w, H_P,
		    p->view.notify.secret == 0
			? tr("Each ping is signed. Your site checks that with a secret, which is shown once.")
			: tr("Your site checks the signature of each ping with a secret, which was shown once. A new one ends it at once."));
		console_form(
		    p->c, p->v, w, &p->secret, arena_printf(p->c->arena, "%s/secret", path));
	}
	write_tries(w, p);
}

static struct err *
look(struct ctx *c, struct visit *v, struct pings **out)
{
	const struct find_place place = { .name = v->workspace->uuid };
	struct pings *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "pings", fields);
	p->form.closed = console_rests(v);
	form_init(&p->secret, "secret", secret_fields);
	*out = p;
	return notify_show(c, &place, &p->view);
}

static struct err *
pings(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct pings *p;
	struct err *err = look(c, v, &p);

	if (err != NULL)
		return err;
	form_fill(&p->form, "notify-url", p->view.notify.url);
	form_fill(&p->form, "was-notify-url", p->view.notify.url);
	console_page(c, v, reply, NULL, NULL, write_page, p);
	return NULL;
}

/* ---- Save */

static const char *
typed(const struct form *f, const char *name)
{
	const char *text = form_text(f, name);

	return text != NULL ? text : "";
}

/* Writes the address, unless somebody else has changed it. */
static struct err *
write_address(struct ctx *c, struct pings *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	struct settings_change change;
	struct err *err = settings_read(c, &place, &change);

	if (err == NULL)
		err = settings_field_seen(c, &change, SETTINGS_NOTIFY_URL,
		    typed(&p->form, "was-notify-url"), typed(&p->form, "notify-url"));
	return err != NULL ? err : settings_write(c, &change);
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct pings *p;
	struct err *err = look(c, v, &p);

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s?notice=saved", path_of(c, v)));
	if (console_read(c, v, &p->form)) {
		err = write_address(c, p);
		if (err == NULL) {
			console_journal(c, v, "workspace set %s", v->workspace->uuid);
			console_go(c, v, reply, path_of(c, v), "saved");
			return NULL;
		}
		if (err->param != NULL)
			err->param = "notify-url";
		err = console_wrong(c, v, reply, &p->form, err);
		if (err != NULL)
			return err;
		/* What was not seen is seen now: a second Save replaces it. */
		form_fill(&p->form, "was-notify-url", p->view.notify.url);
	} else {
		console_refused(v, reply);
	}
	console_page(c, v, reply, NULL, NULL, write_page, p);
	return NULL;
}

/* ---- New secret */

struct made {
	const struct pings *p;
	const char *secret;
};

static void
write_made(struct hwrite *w, const void *data)
{
	const struct made *m = data;

	screen_notice(
	    w, SCREEN_WARNING, "%s", tr("Copy the secret now: it is shown this once only."));
	screen_copy(w, tr("the secret"), m->secret);
	hwrite_element(w, H_P, tr("The one before it signs nothing any more."));
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(m->p->c, m->p->v, "%s", path_of(m->p->c, m->p->v)),
	    tr("Back to the pings"), false);
	hwrite_close(w, H_P);
}

static struct err *
make_secret(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct find_place place = { .name = v->workspace->uuid };
	char secret[SIGNATURE_SECRET];
	struct notify_view view;
	struct pings *p;
	struct err *err = look(c, v, &p);
	struct made m = { .p = p, .secret = secret };

	if (err != NULL)
		return err;
	if (!console_read(c, v, &p->secret)) {
		console_refused(v, reply);
		console_page(c, v, reply, NULL, NULL, write_page, p);
		return NULL;
	}
	err = notify_make_secret(c, &place, true, &view, secret);
	if (err != NULL)
		return err;
	console_journal(c, v, "workspace notify %s", v->workspace->uuid);
	console_page(c, v, reply, tr("The new secret"), NULL, write_made, &m);
	explicit_bzero(secret, sizeof(secret));
	return NULL;
}

#define PINGS .need = RIGHT_MANAGE, .title = tr_mark("Pings")

SCREEN(pings) = {
	{ "GET", "/W/settings/pings", PINGS, .handler = pings },
	{ "POST", "/W/settings/pings", PINGS, .handler = save },
	{ "POST", "/W/settings/pings/secret", PINGS, .handler = make_secret },
	{ .method = NULL },
};
