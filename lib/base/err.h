#ifndef BASE_ERR_H
#define BASE_ERR_H
/*
 * Refusals: answers that the caller caused, or a lawful no.
 *
 * A function that can be refused returns a `struct err *`: NULL is success.
 * It is passed up as it is:
 *
 *	TRY(workspace_get(c, id, &w));
 *
 * Failures (disk, corruption, memory) are die() in log.h, bugs are BUG().
 *
 * To add a code: one line in ERR_TABLE; the table of codes in
 * htdocs/openapi.json and the documentation's anchors are tested against it.
 */
#include <stdint.h>

#include "base/hint.h"

struct ctx;

/* name, HTTP status, reason phrase, code in the error body (docs/contract.md §7) */
#define ERR_TABLE(ROW)                                                                             \
	ROW(ERR_INVALID, 400, "Bad Request", "invalid_request")                                    \
	ROW(ERR_UNAUTHORIZED, 401, "Unauthorized", "unauthorized")                                 \
	ROW(ERR_CREDITS, 402, "Payment Required", "insufficient_credits")                          \
	ROW(ERR_FORBIDDEN, 403, "Forbidden", "forbidden")                                          \
	ROW(ERR_NOT_FOUND, 404, "Not Found", "not_found")                                          \
	ROW(ERR_METHOD, 405, "Method Not Allowed", "method_not_allowed")                           \
	ROW(ERR_CONFLICT, 409, "Conflict", "conflict")                                             \
	ROW(ERR_TOO_LARGE, 413, "Content Too Large", "payload_too_large")                          \
	ROW(ERR_URI_TOO_LONG, 414, "URI Too Long", "uri_too_long")                                 \
	ROW(ERR_RATE_LIMITED, 429, "Too Many Requests", "rate_limited")                            \
	ROW(ERR_INTERNAL, 500, "Internal Server Error", "internal_error")                          \
	ROW(ERR_BAD_GATEWAY, 502, "Bad Gateway", "bad_gateway")                                    \
	ROW(ERR_UNAVAILABLE, 503, "Service Unavailable", "service_unavailable")                    \
	ROW(ERR_TIMEOUT, 504, "Gateway Timeout", "gateway_timeout")

enum err_code {
#define ERR_ENUM(name, status, reason, code) name,
	ERR_TABLE(ERR_ENUM)
#undef ERR_ENUM
};

struct err {
	enum err_code code;
	const char *message; /* a sentence that says what is wrong; in the arena */
	const char *param; /* what of the request was wrong (400), or NULL */
	int retry_after_s; /* seconds, 0 for none (429, 503) */
	/* Members that the contract adds to 402 and 409 (docs/design.md §4.4). */
	const char *extra_name[2]; /* NULL where there is none */
	int64_t extra_value[2];
	enum hint hint; /* what helps: err_hint(); the message has its words already */
	const char *about; /* of the hint, or NULL */
};

/* The attribute of every function that returns a refusal. */
#define MAY_REFUSE __attribute__((warn_unused_result))

/* Makes the call, and returns its refusal from the function that uses this macro. A function that
 * must close, end or report something first writes the condition out. */
#define TRY(call)                                                                                  \
	do {                                                                                       \
		struct err *refused = (call);                                                      \
                                                                                                   \
		if (refused != NULL)                                                               \
			return refused;                                                            \
	} while (0)

/* Marks a sentence that people read in the console, for translators (screen/tr.h). */
#define tr_mark(english) english

/*
 * Makes a refusal, in the request's arena:
 *
 *	return refuse(c, ERR_NOT_FOUND, tr_mark("No article has the id %s."), id);
 *
 * The format is said in the language of the one who reads the answer (base/ctx.h), if it is
 * marked.
 */
MAY_REFUSE struct err *refuse(struct ctx *c, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for ERR_INVALID, naming the parameter, member or header. */
MAY_REFUSE struct err *err_param(struct ctx *c, const char *param, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Adds a hint to a refusal, and returns it: its message gets the words of the reader's skin.
 *
 *	return err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no article %s."), id),
 *	    HINT_ARTICLES, NULL);
 */
MAY_REFUSE struct err *err_hint(struct ctx *c, struct err *err, enum hint hint, const char *about);

/* Return the status, reason phrase and body code of `code`. */
int err_status(enum err_code code);
const char *err_reason(enum err_code code);
const char *err_name(enum err_code code);

#endif
