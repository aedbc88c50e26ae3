#ifndef TASK_REPORT_H
#define TASK_REPORT_H
/*
 * What an errand found (errand.h), for a page: a list of findings, in a file of its own,
 * run/console/report-KIND. The next errand of that kind replaces it. A page reads it as text:
 * what a finding says may hold words of strangers.
 *
 *	report_add(c, &report, REPORT_BAD, "space", "the disk is full", "remove something");
 *	report_write(c, "doctor", &report);
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

enum report_level { REPORT_GOOD, REPORT_NOTE, REPORT_WARN, REPORT_BAD };

struct report_finding {
	enum report_level level;
	const char *name; /* of the check */
	const char *message;
	const char *fix; /* "": nothing must be done */
};

struct report {
	int64_t at; /* when it was written */
	struct report_finding *list;
	size_t count;
};

#define REPORT_FINDINGS 500 /* further ones are left out */

/* Adds a finding; `fix` may be NULL. Texts live as long as the report. */
void report_add(struct ctx *c, struct report *r, enum report_level level, const char *name,
    const char *message, const char *fix);

/* Writes the report, as of now, whole or not at all: else the process ends. */
void report_write(struct ctx *c, const char *kind, const struct report *r);

/* Reads the text of a report. Any text is one: a line that is no finding is passed over. */
void report_parse(struct ctx *c, const char *text, struct report *out);

/* Reads the last report of a kind into the arena; false if there is none. */
bool report_read(struct ctx *c, const char *kind, struct report *out);

#endif
