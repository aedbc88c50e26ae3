#ifndef START_TOOL_H
#define START_TOOL_H
/*
 * The start and the end of the programs that work on an instance without a web server:
 * galley, job-runner and task-runner.
 *
 *	if (tool_refuse_web("galley"))
 *		return 1;
 *	tool_begin(&c, &arena, "galley", MEMORY_MAX);
 *	err = tool_find(&c, folder, &instance);
 *	if (err == NULL)
 *		err = tool_own(&c, &work, false);
 *	…
 *	tool_end(&c);
 *
 * A program that cron starts has nobody to ask: tool_enter() instead of the middle lines.
 *
 * lib/start: how tools begin: the owner that they become, an interrupted restore, the release. Not
 * here: programs of a web server (lib/web). Begin with tool.h.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct ctx;
struct instance;
struct work;

/* Returns whether a web server runs this program; then tells so on standard error. A web
 * server runs it only by mistake, for anybody (docs/platform.md §0.6). */
bool tool_refuse_web(const char *program);

/* Hardens the process (system/harden.h), makes its files private, and opens its log on
 * standard error. c->arena is *arena, with at most `memory_max` bytes. */
void tool_begin(struct ctx *c, struct arena *arena, const char *program, size_t memory_max);

/* Finds the instance as instance_find() does, and sets c->instance to it. Refuses one whose upgrade
 * has not ended: changes would be lost if that were taken back. Its own commands have the path of
 * its mark, the file `upgrading` beside the programs, as GALLEY_UPGRADE in their environment. */
MAY_REFUSE struct err *tool_find(struct ctx *c, const char *folder, struct instance *out);

/* Becomes the owner of c->instance, then finishes a restore that was interrupted
 * (start/pending.h). `database`: refuses an instance without a database first. */
MAY_REFUSE struct err *tool_own(struct ctx *c, const struct work *work, bool database);

/* Calls tool_find() and tool_own(). Ends the process with the reason where one of them refuses. */
void
tool_enter(struct ctx *c, struct instance *instance, const char *folder, const struct work *work);

/* Undoes a transaction that is open, and closes the database if it is open. */
void tool_end(struct ctx *c);

#endif
