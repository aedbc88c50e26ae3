#ifndef WEB_ETAG_H
#define WEB_ETAG_H
/*
 * Entity tags: strong, 32 hex digits, of parameters, tokens and pagination,
 * never of rendered bytes (docs/design.md §4.3). Equal URL and tag mean equal bodies.
 */
#include <stdbool.h>

#include "base/digest.h"

#define ETAG_TEXT 33 /* 32 hex digits and a NUL, without quotes */

/* Begins the digest of an answer to this request: workspace and route. */
struct req;
void etag_begin(struct digest *d, const struct req *r);

/* The tag. */
void etag_end(struct digest *d, char out[ETAG_TEXT]);

/*
 * Whether an If-None-Match value (NULL: no) holds the tag: a list, "*", weak
 * forms, and the suffixes that compressing servers add inside the quotes
 * (-gzip, -br, ;gzip, …) compared away (RFC 9110 §13.1.2).
 */
bool etag_matches(const char *if_none_match, const char *etag);

#endif
