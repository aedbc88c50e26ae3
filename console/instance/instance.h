#ifndef SCREENS_INSTANCE_H
#define SCREENS_INSTANCE_H
/*
 * Instance, for operators (docs/console.md §4.14): a page for what is wrong, and pages for
 * backups, settings, logs, tasks and activity.
 *
 * instance.c		the first page, its errands
 * instance-errand.c	what all pages show of the errand that goes on
 * instance-report.c	what an errand found, as a table
 * backups.c backup.c	the backups that are there, and one of them
 * provider.c		the provider is tested
 * restore.c		a backup takes the place of all
 * live.c		"This instance is live"; mails that fail
 * instance-settings.c instance-logs.c instance-tasks.c
 *
 * Activity is that of accounts (console/account/activity.c).
 */
#include "../all.h"
#include "job/cron.h"
#include "task/errand-kinds.h"
#include "task/errand.h"

#define INSTANCE .need = RIGHT_OPERATE

/* The last errand. */
struct instance_errand {
	bool known, open;
	struct errand last;
	struct cron cron;
};

/* Reads it; while it is open the page asks for itself. */
void instance_look(struct ctx *c, struct visit *v, struct instance_errand *out);

/* The same of the errand that is aside of the others: the test of the provider. */
void instance_look_aside(struct ctx *c, struct visit *v, struct instance_errand *out);

/* Writes the links to the pages of Instance. */
void instance_write_places(struct hwrite *w, struct ctx *c, const struct visit *v);

/* Writes that the instance is quiet since then, with the button that ends it; nothing for 0. */
void instance_write_live(struct hwrite *w, struct ctx *c, const struct visit *v, int64_t since);

/* Writes what went wrong with the last mail; nothing if it was sent. */
void instance_write_mails(struct hwrite *w, struct ctx *c);

/* Writes how the errand stands, or how it ended if it is one of `kinds` (ended by NULL). */
void
instance_write_errand(struct hwrite *w, const struct instance_errand *e, const char *const *kinds);

/* Writes what an errand found. */
void instance_write_report(struct hwrite *w, const char *caption, const struct report *r);

/* Writes a text of the installation, which is English whatever the page is. */
void instance_write_english(struct hwrite *w, enum hwrite_element e, const char *text);

/* Returns a number of bytes for people: "12.3 MB" (arena). */
const char *instance_bytes(struct ctx *c, int64_t bytes);

/* Asks for an errand, notes it in the journal, and leads to `path`. */
MAY_REFUSE struct err *instance_ask(
    struct ctx *c, struct visit *v, struct reply *reply, const char *kind, const char *path);

#endif
