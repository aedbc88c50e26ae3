#ifndef WEB_REPLY_H
#define WEB_REPLY_H
/*
 * The answer to a request. A handler or a refusal fills it; it is sent whole after the transaction
 * has ended. Only reply_send() of serve.c writes to standard output.
 */
#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/jwrite.h"

struct ctx;
struct err;
struct req;

#define ETAG_TEXT 33 /* 32 hex digits and a NUL, without quotes */
#define REPLY_PAGE_BYTES ((int64_t)32 * 1024 * 1024)

#define REPLY_HEADERS_MAX ((size_t)8 * 1024)

/* A word of the request's line in the log (serve.c), with its NUL. */
#define REPLY_SHOWN 12

/* A body that is read while it is sent: a file that no memory holds. */
struct reply_stream {
	/* Reads the next bytes. Returns 0 at their end, -1 if they cannot be read: the answer
	 * is then cut off. */
	ssize_t (*read)(void *arg, char *into, size_t max);
	void *arg;
};

struct reply {
	int status;
	const char *type; /* Content-Type of a page; NULL: an answer of the API */
	struct buf headers; /* beyond the usual ones, "Name: value\r\n" each */
	struct buf body; /* JSON */
	struct buf head; /* status and all headers, by reply_finish() of serve.c */
	struct jwrite json; /* writes into body */
	const char *bytes; /* not NULL: a finished body, which is sent instead */
	size_t bytes_len;
	const struct reply_stream *stream; /* not NULL: the body comes from there; bytes is
	                                    * then "", and bytes_len its length */
	char etag[ETAG_TEXT]; /* "" for none */
	char shown[REPLY_SHOWN]; /* "" for none: reply_show_revision(), reply_show_end() */
};

void reply_init(struct ctx *c, struct reply *reply);

/* Adds a header. The program makes its value; it is never a client's text. */
void reply_header(struct reply *reply, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes for the log which revision of an article (x1) this answer shows. */
void reply_show_revision(struct reply *reply, const char *revision);

/* Notes for the log that this answer is the last page of a list. */
void reply_show_end(struct reply *reply);

/*
 * Ends the digest of this answer's tag. Returns true if the client has the answer
 * already: the reply is then 304, and the handler must return without a body.
 */
bool reply_unchanged(struct req *r, struct reply *reply, struct digest *d);

/* Turns the reply into an error's (docs/design.md §4.4). Everything else in it is
 * dropped. */
void reply_error(struct ctx *c, struct reply *reply, const struct err *err);

/*
 * Entity tags: strong, 32 hex digits, of parameters, tokens and pagination,
 * never of rendered bytes (docs/design.md §4.3). Equal URL and tag mean equal bodies.
 */

/* Begins the digest of an answer to this request with the workspace and the route. */
void etag_begin(struct digest *d, const struct req *r);

/*
 * Returns whether an If-None-Match value (NULL: it does not) holds the tag (RFC 9110
 * §13.1.2). The value may be a list or "*". Weak forms count, and the suffixes that
 * compressing servers add inside the quotes (-gzip, -br, ;gzip, …) do not matter.
 */
bool etag_matches(const char *if_none_match, const char *etag);

#endif
