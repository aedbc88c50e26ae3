#include "task/asking.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/action.h"
#include "action/moving/uploads.h"
#include "backup/archive.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "job/trial.h"
#include "screen/tr.h"
#include "system/disk.h"
#include "system/instance.h"
#include "task/errand.h"

/* Refuses what does not fit on the disk: a backup has at least the database in it, a dump about as
 * much. */
static struct err *
look_for_room(struct ctx *c, const char *kind)
{
	struct stat st;

	if ((strcmp(kind, ASKING_BACKUP) != 0 && strcmp(kind, ASKING_DUMP) != 0) ||
	    stat(c->instance->db, &st) != 0 || disk_has_room(c->instance->db, st.st_size))
		return NULL;
	return refuse(
	    c, ERR_UNAVAILABLE, tr_mark("The disk is too full for this. Remove something first."));
}

/* Asks for an errand; `fresh` is the file that came with it, or NULL. */
static struct err *
ask(struct ctx *c, const struct errand *order, struct uploading *fresh)
{
	struct err *err = action_begin_console(c);
	const char *id;

	if (err == NULL && fresh != NULL)
		err = uploads_add(c, fresh);
	if (err == NULL)
		err = errand_ask(c, order, &id);
	return action_end(c, err);
}

struct err *
asking_begin(struct ctx *c, const char *kind, const char *person)
{
	struct err *err = look_for_room(c, kind);

	return err != NULL ? err
			   : ask(c, &(struct errand) { .kind = kind, .person = person }, NULL);
}

struct err *
asking_provider(struct ctx *c, const char *what, const char *person)
{
	const char *program;
	struct err *err = trial_program(c, &program);

	return err != NULL ? err
			   : ask(c,
				 &(struct errand) {
				     .kind = ASKING_PROVIDER, .person = person, .file = what },
				 NULL);
}

/* ---- restore */

#define SENT "sent-" /* begins the name of an upload; no backup is called so */

struct err *
asking_path(struct ctx *c, const char *file, const char **path)
{
	struct kept k;
	char uuid[UUID_TEXT];
	struct err *err;

	if (strncmp(file, SENT, strlen(SENT)) == 0 && uuid_parse(file + strlen(SENT), uuid)) {
		*path = uploads_path(c, arena_text(c->arena, uuid));
		return NULL;
	}
	err = kept_get(c, file, &k);
	*path = k.path;
	return err;
}

/* Returns whether a person has typed the host of an origin, with or without its port. */
static bool
is_host(const char *typed, const char *origin)
{
	const char *host = strstr(origin, "://");
	size_t len, port;

	if (host == NULL)
		return false;
	host += 3;
	len = strlen(host);
	port = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	return (strlen(typed) == len || strlen(typed) == port) &&
	       strncasecmp(typed, host, strlen(typed)) == 0;
}

/* Refuses a backup that is not there, or that is none by what is first in it. */
static struct err *
look_inside(struct ctx *c, const char *name)
{
	struct kept k;
	struct err *err = kept_get(c, name, &k);
	int64_t at;

	if (err != NULL || (archive_find_old(c, k.path, &at) == NULL && at != -1))
		return err;
	return err_param(c, "backup", tr_mark("This file is no backup of Galley."));
}

struct err *
asking_restore(struct ctx *c, const struct asking_restore *order)
{
	const char *file = order->backup != NULL ? order->backup
						 : arena_printf(c->arena, SENT "%s", order->upload);
	struct err *err = NULL;

	if (!is_host(order->typed, order->origin))
		err = err_param(c, "host", tr_mark("This is not the host of this console."));
	if (err == NULL && order->backup != NULL)
		err = look_inside(c, file);
	if (err == NULL)
		err = ask(c,
		    &(struct errand) {
			.kind = ASKING_RESTORE, .person = order->person, .file = file },
		    order->fresh);
	if (err != NULL && order->fresh != NULL)
		uploads_drop(c, order->fresh);
	return err;
}

struct err *
asking_remove(struct ctx *c, const char *name)
{
	struct err *err = action_begin_console(c);
	struct errand e;
	struct kept k;

	if (err == NULL && errand_find(c, &e) && errand_is_open(&e))
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"Something is going on that may need this backup. Wait until it is done."));
	if (err == NULL)
		err = kept_get(c, name, &k);
	if (err == NULL && unlink(k.path) != 0)
		err = refuse(c, ERR_INTERNAL, "%s: %s.", k.path, strerror(errno));
	return action_end(c, err);
}
