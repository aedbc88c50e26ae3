#ifndef CONTENT_ORIGIN_H
#define CONTENT_ORIGIN_H
/*
 * Origins of websites, in the one form in which a browser sends them: what Galley stores is
 * compared byte by byte with what comes (docs/pages.md §1).
 */
#include <stdbool.h>

struct arena;

/*
 * Returns the origin as a browser writes it (arena): https://host[:port] in lower case, without the
 * port 443 and without a dot at the end, a name in another script as xn--, an IPv6 address in its
 * short form. NULL for all else: a path (but for one slash at the end), a user, "null", "*",
 * another scheme, a name that no browser takes. `local`: http://localhost and http://127.0.0.1 are
 * origins, too, with and without a port. origin_clean(origin_clean(x)) is origin_clean(x).
 */
const char *origin_clean(struct arena *a, const char *text, bool local);

/* Returns a list of origins, separated by spaces, with each of them in that form and none of them
 * twice (arena). What is no origin stays as it is. */
const char *origin_clean_list(struct arena *a, const char *list, bool local);

#endif
