#ifndef CONTENT_URL_H
#define CONTENT_URL_H
/*
 * Addresses in content and settings (docs/export.md §1.4, docs/platform.md §6): https,
 * http, mailto and #fragment, nothing else.
 */
#include <stddef.h>

struct arena;

/*
 * Returns the address in the form in which it is stored and rendered, in the arena, or
 * NULL when it is refused: scheme and host in lower case, bytes outside ASCII
 * and characters that HTML or JSON would trip over percent-encoded, a host that
 * is not empty, no user name, no spaces, controls or backslashes, a bad % escape
 * made %25, at most 2,000 bytes. It reads `len` bytes of `text`.
 * url_clean(url_clean(x)) is url_clean(x).
 */
const char *url_clean(struct arena *a, const char *text, size_t len);

/* Only http and https (images, references, profile and published URLs). */
const char *url_clean_web(struct arena *a, const char *text);

/* Only https://host[:port] (the website): without path, query and trailing
 * slash; NULL when there is more to it. */
const char *url_clean_origin(struct arena *a, const char *text);

/* Returns the host of a clean http(s) address, without port, in the arena; NULL for
 * others. */
const char *url_host(struct arena *a, const char *url);

/* Resolves a relative reference against an absolute http(s) base (RFC 3986
 * §5.2); the result is not cleaned. NULL when `base` is not absolute. */
const char *url_resolve(struct arena *a, const char *base, const char *ref);

#endif
