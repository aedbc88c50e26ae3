#ifndef STATS_READER_H
#define STATS_READER_H
/*
 * Who reads the API: the keys that were used, and what they were answered. This file owns the
 * tables reader, reading, refusal and fetched of stats.db. Every function needs a transaction
 * of DB_STATS.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define READER_REVISION 9 /* eight digits of x1 and a NUL */

struct reader {
	int64_t id;
	const char *uuid; /* of the key */
	const char *workspace; /* UUID */
	int64_t requested_at; /* the last request */
	int64_t read_at; /* the last answer of articles or of changes; 0: none */
	int64_t listed_at; /* the last page of a whole list or scan; 0: none */
	int64_t refused_at; /* the last refusal; 0: none */
	int refused_status;
	const char *refused_code;
};

/* A request of a key. */
struct reader_request {
	int64_t at;
	int status;
	const char *code; /* of the refusal, or NULL */
	bool reads; /* it was answered with articles or changes */
	bool ended; /* with the last page of them */
	const char *article; /* it was answered with this one (UUID), or NULL */
	const char *revision; /* eight digits of x1; with `article` */
};

/* Returns the id of the key's row, which is inserted if it is missing. */
int64_t reader_get(struct ctx *c, const char *uuid, const char *workspace, int64_t at);

/* Counts one request. Requests may come in any order. */
void reader_count(struct ctx *c, int64_t reader_id, const struct reader_request *r);

/* Calls `each` for the readers of a workspace (its UUID), in no order. */
void reader_list(struct ctx *c, const char *workspace,
    void (*each)(void *arg, const struct reader *r), void *arg);

/* Calls `each` for readers that read before, and asked for nothing since `before`: those of the
 * longest silence last, at most `limit`. */
void reader_list_silent(struct ctx *c, int64_t before, int64_t limit,
    void (*each)(void *arg, const struct reader *r), void *arg);

/* An article that a reader has fetched. */
struct reader_article {
	const char *article; /* UUID */
	const char *revision; /* the first eight digits of its revision then */
	int64_t fetched_at; /* the last time */
};

/* Calls `each` for the articles that a reader has fetched, in no order. They live as long as the
 * call. */
void reader_fetched(struct ctx *c, int64_t reader_id,
    void (*each)(void *arg, const struct reader_article *a), void *arg);

/* Calls `each` for the days from this one on (days since 1970, UTC) with requests, in their
 * order. */
void reader_days(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int64_t requests, int64_t not_modified), void *arg);

/* Calls `each` for what was refused on these days, by day and status. */
void reader_refusals(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int status, int64_t requests), void *arg);

/* Removes the counts of days before this one (days since 1970), and looks at the few readers
 * that nobody looked at for longest: those of workspaces that `exists` denies are removed. */
void reader_clean(struct ctx *c, int64_t day, bool (*exists)(struct ctx *c, const char *workspace));

#endif
