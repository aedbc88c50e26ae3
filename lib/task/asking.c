#include "task/asking.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/action.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "system/disk.h"
#include "system/instance.h"
#include "task/errand.h"

/* Refuses what does not fit on the disk: a backup has at least the database in it. */
static struct err *
look_for_room(struct ctx *c, const char *kind)
{
	struct stat st;

	if (strcmp(kind, ASKING_BACKUP) != 0 || stat(c->instance->db, &st) != 0 ||
	    disk_has_room(c->instance->db, st.st_size))
		return NULL;
	return refuse(c, ERR_UNAVAILABLE, tr_mark("The disk is too full for this. Remove"
	    " something first."));
}

static struct err *
ask(struct ctx *c, const struct errand *order)
{
	struct err *err = action_begin_console(c);
	const char *id;

	if (err == NULL)
		err = errand_ask(c, order, &id);
	return action_end(c, err);
}

struct err *
asking_begin(struct ctx *c, const char *kind, const char *person)
{
	struct err *err = look_for_room(c, kind);

	return err != NULL ? err : ask(c, &(struct errand){ .kind = kind, .person = person });
}

struct err *
asking_remove(struct ctx *c, const char *name)
{
	struct err *err = action_begin_console(c);
	struct errand e;
	struct kept k;

	if (err == NULL && errand_find(c, &e) && errand_is_open(&e))
		err = refuse(c, ERR_CONFLICT, tr_mark("Something is going on that may need this"
		    " backup. Wait until it is done."));
	if (err == NULL)
		err = kept_get(c, name, &k);
	if (err == NULL && unlink(k.path) != 0)
		err = refuse(c, ERR_INTERNAL, "%s: %s.", k.path, strerror(errno));
	return action_end(c, err);
}
