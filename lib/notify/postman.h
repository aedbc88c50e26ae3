#ifndef NOTIFY_POSTMAN_H
#define NOTIFY_POSTMAN_H
/*
 * Runs the program of mail_command (galley.conf) for one mail. No shell reads the key: its words
 * are separated by spaces, the first is an absolute path, and "--" and the recipient follow them.
 * The message is standard input. What the program prints is read, and its beginning kept for the
 * log. It has POSTMAN_SECONDS; then it and its group are killed.
 *
 * It is the operator's own program and runs as the instance's owner, unconfined: mail systems pass
 * messages on by programs with rights of their own, which a confined process could not start. It
 * gets nothing but PATH, HOME, USER and LOGNAME in its environment.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ctx;

#define POSTMAN_WORDS 16
#define POSTMAN_WHY 300 /* bytes of what went wrong */

struct postman {
	const char *words[POSTMAN_WORDS + 3];
	size_t count;
	const char *from; /* what follows -f, or NULL */
};

/* Reads the value of the key (arena). Refuses one that is no absolute path with at most
 * POSTMAN_WORDS words, and a sender that is no e-mail address. */
MAY_REFUSE struct err *postman_read(struct ctx *c, const char *command, struct postman *out);

enum postman_result {
	POSTMAN_SENT, /* it ended with 0 */
	POSTMAN_FAILED, /* it ended with another status, or could not be started */
	POSTMAN_UNKNOWN /* it was killed, by whomever */
};

/* Sends a message to one recipient. `must_stop` leaves it a few seconds more. `why` says what went
 * wrong, in one line, without the recipient's address; "" if nothing did. No transaction may be
 * open, and no database: the program would inherit nothing, but its time is a stranger's. */
enum postman_result postman_send(struct ctx *c, const struct postman *p, const char *to,
    const char *message, bool (*must_stop)(void), char why[POSTMAN_WHY]);

#endif
