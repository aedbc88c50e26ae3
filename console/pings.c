/* The pings of a workspace: their address, their secret, and how the last ones ended
 * (docs/console.md §4.8). */
#include <string.h>

#include "action/site-actions.h"
#include "action/workspace-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
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
	    .hint = tr_mark("https://www.example.com/ping. Empty: no website is told.") },
	{ .name = "was-notify-url", .kind = FIELD_HIDDEN, .max = ADDRESS_MAX },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct pings {
	struct notify_view view;
	const char *secret; /* a new one, which is shown once */
};

/* ---- what is done */

static void
fill(struct page *p, struct form *f)
{
	const struct pings *d = p->data;

	f->closed = console_rests(p->v);
	form_fill(f, "notify-url", d->view.notify.url);
	form_fill(f, "was-notify-url", d->view.notify.url);
}

static const char *
typed(const struct form *f, const char *name)
{
	const char *text = form_text(f, name);

	return text != NULL ? text : "";
}

/* Writes the address, unless somebody else has changed it: the form shows then what it is now, and
 * a second Save replaces that. */
static struct err *
save(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	struct settings_change change;
	struct err *err;

	TRY(settings_read(p->c, &place, &change));
	err = settings_field_seen(p->c, &change, SETTINGS_NOTIFY_URL,
	    typed(p->form, "was-notify-url"), typed(p->form, "notify-url"));
	if (err == NULL)
		err = settings_write(p->c, &change);
	if (err != NULL && err->param != NULL)
		err->param = "notify-url";
	return err;
}

static const struct page_act save_it = { .name = "pings",
	.fields = fields,
	.fill = fill,
	.act = save,
	.go = "/W/settings/pings",
	.notice = "saved",
	.journal = "workspace set W" };

static void
write_made(struct hwrite *w, struct page *p)
{
	@ <notice warning><p>Copy the secret now: it is shown this once only.</p></notice>
	screen_copy(w, tr("the secret"), ((const struct pings *)p->data)->secret);
	@ <p>The one before it signs nothing any more.</p>
	@ <p><a class="button" href="/W/settings/pings">Back to the pings</a></p>
}

static struct err *
make_secret(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	char secret[SIGNATURE_SECRET];
	struct notify_view view;

	TRY(notify_make_secret(p->c, &place, true, &view, secret));
	((struct pings *)p->data)->secret = secret;
	page_answer(p, tr("The new secret"), NULL, write_made);
	explicit_bzero(secret, sizeof(secret));
	return NULL;
}

static const struct page_act secret_it = { .name = "secret",
	.fields = PAGE_BUTTON("secret", tr_mark("New secret"), FIELD_SECONDARY),
	.act = make_secret,
	.journal = "workspace notify W" };

/* ---- the page */

static const char *
words_of(const char *result)
{
	if (strcmp(result, "answered") == 0)
		return tr("answered");
	return strcmp(result, "refused") == 0 ? tr("refused") : tr("no answer");
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct notify_view *view = &((const struct pings *)p->data)->view;

	@ <p>After a change this address gets a POST, so that your site can copy what is new at
	@ once. It
	@ is told that something changed, and nothing else. Sites that ask from time to time need no
	@ ping.</p>
	if (!view->verified)
		@ <notice note><p>Only the workspaces of a verified account tell of their
		@ changes.</p></notice>
	verification_write(w, p->c, p->v);
	if (view->verified || view->notify.url[0] != '\0')
		page_form(w, p, &save_it, NULL);
	if (view->verified && !console_rests(p->v)) {
		@ <h2>Secret</h2><p>
		if (view->notify.secret == 0)
			@ Each ping is signed. Your site checks that with a secret, which is shown
			@ once.
		else
			@ Your site checks the signature of each ping with a secret, which was shown
			@ once. A
			@ new one ends it at once.
		@ </p>
		page_form(w, p, &secret_it, NULL);
	}
	@ <h2>The last pings</h2>
	if (view->count == 0) {
		@ <p>None was sent yet.</p>
		return;
	}
	@ <list caption="The last pings" columns="Time|Result">
	for (size_t i = 0; i < view->count; i++)
		@ <row><cell>{!say_moment(w, view->tries[i].at)}</cell>
		@ <cell>{=words_of(view->tries[i].result)}</cell></row>
	@ </list>
}

static struct err *
load(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };

	return notify_show(p->c, &place, &((struct pings *)p->data)->view);
}

static const struct page_kind page = { sizeof(struct pings), load, write_page };

#define PINGS .need = RIGHT_MANAGE, .title = tr_mark("Pings"), .page = &page

SCREEN(pings) = {
	{ "GET", "/W/settings/pings", PINGS },
	{ "POST", "/W/settings/pings", PINGS, .act = &save_it },
	{ "POST", "/W/settings/pings/secret", PINGS, .act = &secret_it },
	{ .method = NULL },
};
