#ifndef WEB_SERVE_LOG_H
#define WEB_SERVE_LOG_H
/*
 * The line of log/requests.log that each request leaves, answered or not
 * (base/log.h describes the words before it; `galley explain` reads it):
 *
 *	GET /api/v1/articles?limit=2 200 5123 bytes 812 us key=3 workspace=UUID
 *	    scope=articles:read limit=118/120 end kept
 *
 * in one line. One space separates two words; an unknown value is "-". `key` is the
 * key's internal number, `scope` the scopes that the request needs, joined by "+",
 * with `lacks=SCOPE` behind them if the key lacks one. `limit` is the number of
 * requests that were left, of how many, or "off". Behind it is `x1=` with the first eight digits of
 * the revision if the answer is one article, or `end` if it is the last page of a list or of
 * a scan. A refusal or failure ends in
 * `error=CODE` and its sentence; an answer that was kept (kept.h) ends in " kept". The
 * line holds no secret: the log makes keys unreadable (base/mask.h). Of a target of
 * over 900 bytes it holds only the beginning.
 */
#include <stdint.h>

#include "base/err.h"

struct reply;
struct req;

/* Writes the line. `err` is the refusal or failure, or NULL; `began_at` is a time of
 * the boot clock. */
void serve_log(struct ctx *c, const struct req *r, const struct reply *reply, const struct err *err,
    int64_t began_at);

#endif
