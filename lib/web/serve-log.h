#ifndef WEB_SERVE_LOG_H
#define WEB_SERVE_LOG_H
/*
 * The line of log/requests.log that each request leaves, whatever became of it
 * (base/log.h tells what stands before it; `galley explain` reads it):
 *
 *	GET /api/v1/articles?limit=2 200 5123 bytes 812 us key=3 workspace=UUID
 *	    scope=articles:read limit=118/120 kept
 *
 * in one line; words are divided by single blanks, and what is not known is
 * "-". `key` is the key's number inside, `scope` what the request needs, joined
 * by "+", with `lacks=SCOPE` behind it when the key lacks one, and `limit` what
 * was left of how many, or "off". A refusal or failure ends in `error=CODE` and
 * its sentence, an answer that came from a kept one (kept.h) in " kept". No
 * secret is in it: the log makes keys unreadable (base/mask.h). Of an address of
 * over 900 bytes only the beginning is there.
 */
#include <stdint.h>

#include "base/err.h"

struct reply;
struct req;

/* Writes it. `err` is what was refused or failed, or NULL; `began_at` is of the
 * boot clock. */
void serve_log(struct ctx *c, const struct req *r, const struct reply *reply,
    const struct err *err, int64_t began_at);

#endif
