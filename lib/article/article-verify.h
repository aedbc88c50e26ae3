#ifndef ARTICLE_ARTICLE_VERIFY_H
#define ARTICLE_ARTICLE_VERIFY_H
/*
 * What must hold between the rows of articles, editions, names and exports
 * whatever happened (galley verify). Each function calls `tell` with a sentence
 * for each thing that does not; all of it in the caller's reading transaction.
 *
 * The slow ones, article_verify_exports() and media_verify(), also call it with NULL
 * after each row that they looked at: article_verify_slow_rows() says how many those are.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* Returns false if the verification must stop; the slow functions ask it. */
typedef bool article_verify_tell(void *arg, const char *problem);
int64_t article_verify_slow_rows(struct ctx *c);

/* An article that was published has its last edition, and the digest of it. */
void article_verify_editions(struct ctx *c, article_verify_tell *tell, void *arg);

/* Digests of working copies and editions are those of their columns. */
void article_verify_digests(struct ctx *c, article_verify_tell *tell, void *arg);

/* Articles hold the names that they have, and names belong to articles that
 * have them. */
void article_verify_names(struct ctx *c, article_verify_tell *tell, void *arg);

/* No change is later than its workspace's clock, no two share a stamp. */
void article_verify_clocks(struct ctx *c, article_verify_tell *tell, void *arg);

/* Stored bytes that would be served are those that rendering gives. Renders
 * every article. */
void article_verify_exports(struct ctx *c, article_verify_tell *tell, void *arg);

#endif
