#include "console/ready.h"

#include <string.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "store/db.h"

#define RETRY_S 10

bool
ready_is_start(const struct visit *v)
{
	return strcmp(v->path, "/start") == 0;
}

struct err *
ready_check(struct ctx *c, struct visit *v)
{
	enum db_release release = db_release(c);
	struct err *err;

	/* No transaction takes the time. */
	c->now = clock_now();
	if (release == DB_RELEASE_SAME)
		return NULL;
	if (release == DB_RELEASE_OLDER && v->lacks == VISIT_LACKS_NOTHING)
		v->lacks = VISIT_LACKS_MIGRATION;
	if (release == DB_RELEASE_OLDER && ready_is_start(v))
		return NULL;
	if (release == DB_RELEASE_OLDER)
		err = refuse(c, ERR_UNAVAILABLE,
		    tr("A new release is being installed: its database is not ready yet. The owner of this instance finishes that at %s/start, or on the host."),
		    v->place.root);
	else if (release == DB_RELEASE_MOVED)
		err = refuse(c, ERR_UNAVAILABLE, "%s",
		    tr("This instance is being moved, or has moved. Ask its owner for its address."));
	else
		err = refuse(c, ERR_UNAVAILABLE, "%s",
		    tr("The database is of a newer release than this program. The owner of this instance must upload the whole newer release."));
	err->retry_after_s = RETRY_S;
	return err;
}
