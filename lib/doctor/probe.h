#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H
/*
 * Sends one GET as a stranger would, for doctor: plain http through a socket, https
 * through the program curl if the host has it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

struct probe {
	const char *failure; /* a sentence: why there was no answer; or NULL */
	int status;          /* of HTTP */
	const char *head;    /* header lines, with their line ends */
	char *body;
	size_t body_len;     /* at most 256 KiB are read */
};

/* Gets an absolute address; `authorization` is the header's value, or NULL. */
void probe_get(struct ctx *c, const char *url, const char *authorization,
    struct probe *out);

/* Returns when the certificate of an https address expires, in microseconds; 0 if that is
 * not known (no https, no curl, or a curl that does not tell). */
int64_t probe_certificate(struct ctx *c, const char *url);

/* Returns the value of a header of the answer, in the arena, or NULL. */
const char *probe_header(struct ctx *c, const struct probe *p,
    const char *name);

#endif
