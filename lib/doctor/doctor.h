#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H
/*
 * Checks an installation from the outside (galley doctor): a work (system/work.h). Each
 * check returns one finding, which says what to do if something is wrong. No check
 * changes anything. A check must work whatever is broken: it relies on nothing, and
 * touches the database only in a child process; if that process dies, this is the
 * finding.
 *
 * doctor.c		the list of the checks, one after the other
 * doctor-files.c	folders, owners, modes, galley.conf, space, cron
 * doctor-database.c	the database, its clocks, stored pictures
 * doctor-server.c	the server of the database (PostgreSQL)
 * doctor-requests.c	what the log says of requests; confinement
 * doctor-web.c		what a stranger gets from public_url
 * doctor-console.c	what a browser gets from the console, and what reaches it
 * doctor-pages.c	what a stranger gets from the pages
 * doctor-strangers.c	what customers' websites load and send; limits for an address
 * doctor-mail.c	how mails are sent, and a test
 * doctor-probe.c	whether strangers can fetch the code of the page Start
 * doctor-ask.h		asks for an address as a stranger
 */
#include <stddef.h>

#include "base/err.h"

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

/* Tries what the page Start asked for, and notes the result (doctor/probe.h). For the
 * job runner; c->conf is read. */
void doctor_probe(struct ctx *c);

/* Sends a test to this address, at once, by mail_command. *said is a sentence (arena). Refuses what
 * is no address, an instance that sends no mail, and what the program refuses. */
MAY_REFUSE struct err *doctor_send_test(struct ctx *c, const char *address, const char **said);

/* Make a finding; its texts are in the arena or are literals. */
struct doctor_finding doctor_good(const char *message);
struct doctor_finding doctor_note(const char *message, const char *fix);
struct doctor_finding doctor_warn(const char *message, const char *fix);
struct doctor_finding doctor_bad(const char *message, const char *fix);

struct doctor_finding doctor_folders(struct ctx *c);
struct doctor_finding doctor_conf(struct ctx *c); /* c->conf is read after it,
						     or NULL */
struct doctor_finding doctor_secrets(struct ctx *c);
struct doctor_finding doctor_programs(struct ctx *c);
struct doctor_finding doctor_space(struct ctx *c);
struct doctor_finding doctor_log(struct ctx *c);
struct doctor_finding doctor_runner(struct ctx *c);
struct doctor_finding doctor_mail(struct ctx *c);
struct doctor_finding doctor_server(struct ctx *c); /* this and the next two: STORE_PG */
struct doctor_finding doctor_users(struct ctx *c);
struct doctor_finding doctor_standbys(struct ctx *c);
struct doctor_finding doctor_room(struct ctx *c);
struct doctor_finding doctor_database(struct ctx *c);
struct doctor_finding doctor_clock(struct ctx *c);
struct doctor_finding doctor_live(struct ctx *c);
struct doctor_finding doctor_pictures(struct ctx *c);
struct doctor_finding doctor_confinement(struct ctx *c);
struct doctor_finding doctor_provider(struct ctx *c);
struct doctor_finding doctor_requests(struct ctx *c);
struct doctor_finding doctor_kept(struct ctx *c);
struct doctor_finding doctor_certificate(struct ctx *c);
struct doctor_finding doctor_api(struct ctx *c);
struct doctor_finding doctor_headers(struct ctx *c);
struct doctor_finding doctor_private(struct ctx *c);
struct doctor_finding doctor_media(struct ctx *c);
struct doctor_finding doctor_console(struct ctx *c);
struct doctor_finding doctor_cookies(struct ctx *c);
struct doctor_finding doctor_posts(struct ctx *c);
struct doctor_finding doctor_neighbours(struct ctx *c);
struct doctor_finding doctor_pages(struct ctx *c);
struct doctor_finding doctor_scripts(struct ctx *c);
struct doctor_finding doctor_collector(struct ctx *c);
struct doctor_finding doctor_hits(struct ctx *c);
struct doctor_finding doctor_addresses(struct ctx *c);

#endif
