#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H
/*
 * Checks an installation from the outside (galley doctor): a work (system/work.h). Each
 * check returns one finding, which says what to do if something is wrong. No check
 * changes anything. A check must work whatever is broken: it relies on nothing, and
 * touches the database only in a child process; if that process dies, this is the
 * finding.
 *
 * doctor.c has the order of the checks, and those of the instance's files, mails and logs;
 * doctor-database.c those of the database and its server; doctor-web.c those that ask for addresses
 * as a stranger does, and what becomes of hits.
 *
 * lib/doctor: checks that change nothing: of the installation, of the stored data (verify.h), of a
 * customer's page (verify-page.h). Not here: anything that repairs. Begin with doctor.h.
 */
#include <stddef.h>

#include "base/err.h"
#include "doctor/probe.h"

struct work;

enum doctor_level {
	DOCTOR_GOOD,
	DOCTOR_NOTE, /* worth knowing, but no alarm */
	DOCTOR_WARN, /* will be bad, or is bad for some */
	DOCTOR_BAD
};

struct doctor_finding {
	enum doctor_level level;
	const char *message;
	const char *fix; /* what to do; NULL if all is well */
};

struct doctor_result {
	const char *check; /* its name */
	struct doctor_finding finding;
};

struct doctor_results {
	struct doctor_result *list; /* in the order of the checks */
	size_t count;
	enum doctor_level worst;
};

/* Runs all checks. Refuses when it must stop: *out has what was found until then. */
MAY_REFUSE struct err *
doctor_run(struct ctx *c, const struct work *work, struct doctor_results *out);

/* Sends a test to this address, at once, by mail_command. *said is a sentence (arena). Refuses what
 * is no address, an instance that sends no mail, and what the program refuses. */
MAY_REFUSE struct err *doctor_send_test(struct ctx *c, const char *address, const char **said);

/* ---- for the checks */

/* Make a finding; its texts are in the arena or are literals. */
struct doctor_finding doctor_good(const char *message);
struct doctor_finding doctor_note(const char *message, const char *fix);
struct doctor_finding doctor_warn(const char *message, const char *fix);
struct doctor_finding doctor_bad(const char *message, const char *fix);

struct doctor_check {
	const char *name; /* NULL ends a list */
	struct doctor_finding (*run)(struct ctx *c); /* NULL: not with this store */
};

/* The checks of doctor-database.c and doctor-web.c. */
extern const struct doctor_check doctor_database[], doctor_web[];

/* Returns the finding for an answer that has a failure. */
struct doctor_finding doctor_no_answer(const struct probe_answer *a);

/* Runs `step` in a child. Returns NULL if it found nothing (its exit status is 0), else the first
 * line that it wrote to standard error (arena). */
const char *doctor_ask_child(struct ctx *c, void (*step)(struct ctx *c));

#endif
