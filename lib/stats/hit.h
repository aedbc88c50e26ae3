#ifndef STATS_HIT_H
#define STATS_HIT_H
/*
 * A hit: what a collector took from a reader's browser, as one line of run/hits/open
 * (segment.h). No address and no user agent of the reader is in it; `visitor` is made of them
 * with a key that ends with the day (access/day-key.h). The line of a hit that was refused has
 * the time, the day and the workspace only.
 *
 * hit_write() and hit_read() are the only ones that know the line: words that tabs separate,
 * which begin with the kind as a digit. A line that is cut short is no line.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

struct arena;

#define HIT_PATH_MAX 300 /* bytes, as all of these */
#define HIT_REFERRER_MAX 48
#define HIT_CAMPAIGN_MAX 58
#define HIT_WIDTH_MAX 2
#define HIT_LANGUAGE_MAX 8
#define HIT_BOT_MAX 12
#define HIT_VISITOR 8
#define HIT_PREFIX 8 /* hexadecimal digits, in lower case */

#define HIT_LINE_MAX 510 /* bytes of a line */

enum hit_kind {
	HIT_VIEW = 1,
	HIT_REFUSED_ORIGIN, /* its Origin is none of the workspace's */
	HIT_WITHOUT_CONSENT
};

struct hit {
	enum hit_kind kind;
	int64_t at; /* microseconds since 1970; whole seconds in a line */
	int64_t day; /* days since 1970 of a clock in the workspace's time zone */
	char workspace[UUID_TEXT];

	/* Of a view. A text is "" where nothing is known. */
	/* A UUID or its first HIT_PREFIX digits, which the HTML of an export has; as the page says:
	 * it may be another workspace's, or none. */
	char article[UUID_TEXT];
	char path[HIT_PATH_MAX + 1];
	char referrer[HIT_REFERRER_MAX + 1]; /* host */
	char campaign[HIT_CAMPAIGN_MAX + 1]; /* "source / medium / campaign" */
	char width[HIT_WIDTH_MAX + 1]; /* xs s m l xl */
	char language[HIT_LANGUAGE_MAX + 1]; /* "de" */
	char bot[HIT_BOT_MAX + 1]; /* the rule that says that it is one; "": it is none */
	unsigned char visitor[HIT_VISITOR];
};

/* Writes a line without its end (and a NUL). Its texts have no control characters. Returns its
 * length. */
size_t hit_write(struct arena *a, const struct hit *hit, char line[HIT_LINE_MAX + 1]);

/* Reads a line of `len` bytes without its end. Returns false for what is no whole line of
 * hit_write(). The arena is used for a moment. */
bool hit_read(struct arena *a, const char *line, size_t len, struct hit *out);

#endif
