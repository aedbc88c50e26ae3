/* What all pages of Instance show: links to the others, and the errand that goes on. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "instance.h"
#include "screen/tr.h"
#include "task/errand.h"

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
	v->refresh_s = AGAIN_S;
}

void
instance_look(struct ctx *c, struct visit *v, struct instance_errand *out)
{
	look(c, v, false, out);
}

void
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
		{ "/instance", tr_mark("Instance") },
		{ "/instance/backups", tr_mark("Backups") },
		{ "/instance/provider", tr_mark("Provider") },
		{ "/instance/settings", tr_mark("Settings") },
		{ "/instance/logs", tr_mark("Logs") },
		{ "/instance/tasks", tr_mark("Tasks") },
		{ "/instance/activity", tr_mark("Activity") },
	};

	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("Pages of the instance"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, console_path(c, v, "%s", places[i].path));
		if (strcmp(places[i].path, v->path) == 0)
			hwrite_attr(w, A_ARIA_CURRENT, "page");
		hwrite_text(w, tr(places[i].label));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
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
	hwrite_open(w, e);
	hwrite_attr(w, A_LANG, "en");
	hwrite_attr(w, A_DIR, "ltr");
	hwrite_text(w, text);
	hwrite_close(w, e);
}

static void
write_open(struct hwrite *w, const struct instance_errand *e)
{
	screen_notice(w, SCREEN_NOTE, "%s", going_on(e->last.kind));
	hwrite_element(w, H_P,
	    strcmp(e->last.state, "waiting") == 0
		? tr("It waits for the task runner, which cron starts. This page shows by itself when it is done.")
		: tr("This page shows by itself when it is done."));
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

struct err *
instance_ask(
    struct ctx *c, struct visit *v, struct reply *reply, const char *kind, const char *path)
{
	struct err *err;

	console_will_go(v, path);
	err = asking_begin(c, kind, v->person->uuid);
	if (err != NULL)
		return err;
	console_journal(c, v, "instance %s", kind);
	console_go(c, v, reply, path, NULL);
	return NULL;
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
