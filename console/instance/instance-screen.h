#ifndef CONSOLE_INSTANCE_SCREEN_H
#define CONSOLE_INSTANCE_SCREEN_H
/* What all pages of Instance show, for operators (docs/console.md §4.14): links to the others, and
 * the errand that goes on. Activity is that of accounts (console/account/activity.c). */
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

/* Reads it; while it is open the page of a GET asks for itself. */
void instance_look(struct ctx *c, struct visit *v, struct instance_errand *out);

/* Writes the links to the pages of Instance. */
void instance_write_places(struct hwrite *w, struct ctx *c, const struct visit *v);

/* Writes how the errand stands, or how it ended if it is one of `kinds` (ended by NULL). */
void
instance_write_errand(struct hwrite *w, const struct instance_errand *e, const char *const *kinds);

/* Writes what an errand found. */
void instance_write_report(struct hwrite *w, const char *caption, const struct report *r);

/* Writes a text of the installation, which is English whatever the page is. */
void instance_write_english(struct hwrite *w, enum hwrite_element e, const char *text);

/* Returns a number of bytes for people: "12.3 MB" (arena). */
const char *instance_bytes(struct ctx *c, int64_t bytes);

#endif
