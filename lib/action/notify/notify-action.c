#include "action/notify/notify-action.h"

#include <string.h>

#include "access/account.h"
#include "action/action.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/secret.h"
#include "store/db.h"
#include "system/instance.h"

/* Reads what the content says of it, inside a transaction. */
static void
look(struct ctx *c, struct workspace *w, struct notify_view *out)
{
	out->workspace = w;
	if (!notify_find(c, w->uuid, &out->notify))
		out->notify =
		    (struct notify) { .workspace_id = w->id, .workspace = w->uuid, .url = "" };
	out->verified = account_of(c, w->account_id)->verified;
}

struct err *
notify_show(struct ctx *c, const struct find_place *place, struct notify_view *out)
{
	struct workspace *w;
	struct err *err;

	*out = (struct notify_view) { .count = 0 };
	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, place, &w);
	if (err == NULL)
		look(c, w, out);
	err = action_end(c, err);
	if (err != NULL || !secret_exists(c))
		return err;
	db_begin_read(c, DB_CONSOLE);
	out->count = ping_results(c, w->uuid, out->tries);
	return action_end(c, NULL);
}

/* Refuses where no ping is sent. Who asks for another secret may set the address later. */
static struct err *
check(struct ctx *c, const struct notify_view *view, bool later)
{
	if (later && !view->verified)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("Only the workspaces of a verified account tell of their changes."));
	if (!later && view->notify.url[0] == '\0')
		return refuse(c, ERR_CONFLICT,
		    tr_mark("This workspace tells nobody of its changes: set notify_url first."));
	if (!secret_exists(c))
		return err_hint(c,
		    refuse(c, ERR_UNAVAILABLE, tr_mark("%s/people is not there yet."),
			c->instance->home),
		    HINT_MIGRATE, NULL);
	return NULL;
}

struct err *
notify_make_secret(struct ctx *c, const struct find_place *place, bool again,
    struct notify_view *out, char secret[SIGNATURE_SECRET])
{
	struct workspace *read, *w;
	struct err *err = read_workspace(c, place, &read);
	bool made = false;

	*out = (struct notify_view) { .count = 0 };
	secret[0] = '\0';
	if (err != NULL)
		return err;
	err = workspace_begin(c, read, &w);
	if (err == NULL) {
		look(c, w, out);
		err = check(c, out, again);
	}
	made = err == NULL && (again || out->notify.secret == 0);
	if (made)
		out->notify.secret = notify_count_secret(c, w->id);
	err = action_end(c, err);
	if (err == NULL && made)
		signature_secret(c, w->uuid, out->notify.secret, secret);
	return err;
}

struct err *
notify_sign(struct ctx *c, const struct find_place *place, const void *body, size_t len,
    const char **header)
{
	char secret[SIGNATURE_SECRET];
	struct notify_view view;
	struct err *err = notify_show(c, place, &view);

	if (err == NULL)
		err = check(c, &view, false);
	if (err == NULL && view.notify.secret == 0)
		err = err_hint(c, refuse(c, ERR_CONFLICT, "This workspace has no secret yet."),
		    HINT_NOTIFY, NULL);
	if (err != NULL)
		return err;
	signature_secret(c, view.workspace->uuid, view.notify.secret, secret);
	*header = signature_make(c, secret, clock_now(), body, len);
	explicit_bzero(secret, sizeof(secret));
	return NULL;
}
