#ifndef ARTICLE_PUBLIC_MEDIA_CACHE_H
#define ARTICLE_PUBLIC_MEDIA_CACHE_H
/*
 * htdocs/media where an instance has several hosts (docs/postgres.md §6): copies of pictures that
 * the store keeps. Any of them may be missing. media_read() and the program `picture` write one
 * when it is asked for; the task runner of each host removes what no row names any more.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;
struct media;

/* Gives the store the bytes of a picture whose file media_write() wrote and whose row is in the
 * table, unless it has them, whole: damaged ones are replaced. Does nothing where there is one
 * host. Dies of a passing failure if the file is gone. */
void media_cache_keep(struct ctx *c, const struct media *media);

/* Returns the bytes that the store keeps of "<digest>.<ext>", in the arena, and copies them to
 * htdocs/media; NULL if there are none, or not of this kind. A name that is none asks nobody. */
const void *media_cache_fetch(struct ctx *c, const char *name, size_t *len);

/* Returns what is wrong with the bytes that the store keeps of a row, or NULL. */
const char *media_cache_fault(struct ctx *c, const char *name, int64_t bytes);

/* Returns whether it is time to sweep: there are several hosts, and an hour has gone. Says in
 * run/media-swept that it was done. */
bool media_cache_is_due(struct ctx *c);

/* Removes the copies without a row, and what killed processes left; nothing younger than an hour.
 * Returns how many copies are gone. No transaction may be open. */
size_t media_cache_sweep(struct ctx *c);

#endif
