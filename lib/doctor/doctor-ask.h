#ifndef DOCTOR_DOCTOR_ASK_H
#define DOCTOR_DOCTOR_ASK_H
/* Asks for an address of the instance, as a stranger does. Private to this floor. */
#include <stdbool.h>

#include "doctor/doctor.h"
#include "net/remote.h"

/* What was answered. */
struct doctor_answer {
	const char *failure; /* a sentence: why there was no answer; or NULL */
	bool by_client; /* the failure is bin/galley-fetch's own */
	struct remote_answer of;
};

/* Sends one GET, or a form. `how` says which, and with which key. */
void doctor_ask(struct ctx *c, const char *url, struct remote_how how, struct doctor_answer *out);

/* Returns the finding for an answer that has a failure. */
struct doctor_finding doctor_no_answer(const struct doctor_answer *a);

/* Returns the word of a workspace whose pages are there (arena), or NULL: none is known. A child
 * asks the database. */
const char *doctor_word(struct ctx *c);

/* Runs `step` in a child. Returns NULL if it found nothing (its exit status is 0), else the first
 * line that it wrote to standard error (arena). */
const char *doctor_ask_child(struct ctx *c, void (*step)(struct ctx *c));

#endif
