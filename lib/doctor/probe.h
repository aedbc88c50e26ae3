#ifndef DOCTOR_PROBE_H
#define DOCTOR_PROBE_H
/*
 * One GET as a stranger sends it, for doctor: plain http by a socket, https by
 * the program curl where the host has one (Galley links no HTTP client).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

struct probe {
	const char *failure; /* a sentence: there was no answer; NULL else */
	int status;          /* of HTTP */
	const char *head;    /* header lines, with their line ends */
	char *body;
	size_t body_len;     /* at most 256 KiB are read */
};

/* Gets an absolute address; `authorization` is the header's value, or NULL. */
void probe_get(struct ctx *c, const char *url, const char *authorization,
    struct probe *out);

/* Until when the certificate of an https address is good, in microseconds; 0:
 * not known (no https, no curl, one that does not tell). */
int64_t probe_certificate(struct ctx *c, const char *url);

/* The value of a header of the answer, in the arena, or NULL. */
const char *probe_header(struct ctx *c, const struct probe *p,
    const char *name);

#endif
