#ifndef WEB_ETAG_H
#define WEB_ETAG_H
/*
 * Entity tags: strong, 32 hex digits, of parameters, tokens and pagination,
 * never of rendered bytes (docs/design.md §4.3). Equal URL and tag mean equal bodies.
 */
#include <stdbool.h>

#include "base/digest.h"

#define ETAG_TEXT 33 /* 32 hex digits and a NUL, without quotes */

/* Begins the digest of an answer to this request with the workspace and the route. */
struct req;
void etag_begin(struct digest *d, const struct req *r);

/* Ends the digest and writes the tag. */
void etag_end(struct digest *d, char out[ETAG_TEXT]);

/*
 * Returns whether an If-None-Match value (NULL: it does not) holds the tag (RFC 9110
 * §13.1.2). The value may be a list or "*". Weak forms count, and the suffixes that
 * compressing servers add inside the quotes (-gzip, -br, ;gzip, …) do not matter.
 */
bool etag_matches(const char *if_none_match, const char *etag);

#endif
