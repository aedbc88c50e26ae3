#ifndef SETTINGS_H
#define SETTINGS_H
/*
 * The screen of a workspace's settings (docs/console.md §4.8): its fields, its page, and what its
 * handlers have in common.
 *
 * settings.c	the screen and Save
 * settings-page.c	the fields, and the page
 * settings-delete.c	the deletion
 */
#include "access/pages-settings.h"
#include "action/workspace-actions.h"
#include "console/answer.h"
#include "console/request.h"
#include "screen/form.h"

#define SETTINGS_KEYS_MAX 20 /* that are named */

struct settings_page {
	struct ctx *c;
	const struct visit *v;
	const struct workspace *w;
	struct form form, deletion;
	const char *sample;
	const char *keys[SETTINGS_KEYS_MAX]; /* labels of those that may publish */
	size_t key_count;
	const struct settings_effect *effect; /* to be agreed to, or NULL */
	const char *doubt; /* about the language, or NULL */
	/* what is stored of the workspace, and is no column of its table */
	const char *zone, *word;
	struct pages_look look;
	bool has_pages; /* its account is verified, or it has a word already */
};

/* Begins the page; its forms are empty. */
struct settings_page *settings_page_begin(struct ctx *c, const struct visit *v);

/* Reads p->w's part that is no column of its table. Needs no transaction. */
void settings_page_read(struct settings_page *p);

/* Fills in what is stored, also where it is hidden: the next Save is checked against that. */
void settings_page_fill(struct settings_page *p);

/* Answers with the page. */
MAY_REFUSE struct err *settings_page_show(struct settings_page *p, struct reply *reply);

/* Returns the i-th field of the screen, as settings_field() calls it; NULL behind the last. */
const char *settings_page_field(size_t i);

/* Returns the name in the form of a field, with `before` in front of it (arena). */
const char *settings_page_name(struct ctx *c, const char *before, const char *field);

/* Returns whether the field is a tick, and whether it is one of some choices. */
bool settings_page_is_tick(const char *field);
bool settings_page_is_choice(const char *field);

/* Returns what is stored of a field. */
const char *settings_page_value(const struct settings_page *p, const char *field);

/* Answers the form that deletes the workspace. */
MAY_REFUSE struct err *settings_delete(struct ctx *c, struct visit *v, struct reply *reply);

/* Its fields. */
extern const struct field settings_delete_fields[];

#endif
