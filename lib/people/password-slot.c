#include "people/password-slot.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "screen/tr.h"
#include "system/filelock.h"
#include "system/instance.h"

/* The first is for known askers, who take the others, too. */
#define SLOTS 4
#define RETRY_AFTER_S 2

struct err *
password_slot_take(struct ctx *c, bool is_known, int *slot)
{
	const char *folder = arena_printf(c->arena, "%s/console", c->instance->run);
	struct err *err;

	if (!fileio_make_folder(folder, 0700))
		die_passing(RETRY_AFTER_S, "%s: %s", folder, strerror(errno));
	for (int i = is_known ? 0 : 1; i < SLOTS; i++) {
		const char *path = arena_printf(c->arena, "%s/hashing-%d", folder, i);
		pid_t holder;

		*slot = filelock_take(path, &holder);
		if (*slot >= 0)
			return NULL;
		if (holder == 0)
			die_passing(RETRY_AFTER_S, "%s: %s", path, strerror(errno));
	}
	err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr("Too many people are signing in at this moment. Try again."));
	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

void
password_slot_release(int slot)
{
	filelock_release(slot);
}
