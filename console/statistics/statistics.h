#ifndef SCREENS_STATISTICS_H
#define SCREENS_STATISTICS_H
/* The screens of Statistics: statistics.c, statistics-page.c, statistics-health.c;
 * statistics-article.c; statistics-files.c; statistics-pieces.c. */
#include "../all.h"
#include "action/statistics-actions.h"

/* Which days a reader of these screens asks for. */
struct statistics_days {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the screen, below the root */
	struct form form; /* "From" and "To" */
	int64_t last; /* the preset; 0: the days of the form */
};

/* Reads the query into `d` and the period. Returns false if a date is wrong: the form says
 * so. */
bool statistics_read_days(struct statistics_days *d, struct statistics_period *period);

/* Puts the refusal of a period beside its field; returns every other one. */
MAY_REFUSE struct err *
statistics_refused(struct statistics_days *d, struct reply *reply, struct err *err);

/* Returns an address below the screens of the workspace with the days in its query. */
const char *statistics_address(const struct statistics_days *d, const char *path);

/* Writes the choice of days: links and a form. */
void statistics_write_days(struct hwrite *w, const struct statistics_days *d);

/* Returns a number as a text; "–" for -1. */
const char *statistics_number(struct ctx *c, int64_t value);

/* Writes an item of a list of figures: what is counted, and the number. */
void statistics_figure(struct hwrite *w, struct ctx *c, const char *label, int64_t value);

/* Writes a cell with a day. */
void statistics_day_cell(struct screen_table *t, struct ctx *c, int64_t day);

/* Writes the labels of a kind as a table; nothing if there are none. */
void statistics_write_list(struct hwrite *w, struct ctx *c, const char *title, const char *column,
    const struct statistics_list *list, const char *(*in_words)(const char *label));

/* The page of Statistics. */
struct statistics_page {
	struct ctx *c;
	const struct visit *v;
	struct statistics_days days;
	struct statistics s;
};

void statistics_write(struct hwrite *w, const void *data);

/* Writes why nothing is counted and what helps, if that is so. */
void statistics_write_silence(
    struct hwrite *w, struct ctx *c, const struct visit *v, enum statistics_silence silence);

/* Writes what the collector took and refused, and the line for the website. */
void statistics_write_health(struct hwrite *w, const struct statistics_page *p);

#endif
