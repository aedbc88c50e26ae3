#include "command/instance/public-url.h"

#include "access/workspace.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "command/call.h"
#include "store/db.h"
#include "terminal/note.h"

void
public_url_take(struct ctx *c)
{
	int64_t changed;
	bool differs;

	db_begin_read(c);
	differs = workspace_public_url_differs(c, c->conf->public_url);
	db_commit(c);
	if (!differs)
		return;
	db_begin_write(c, DB_CHANGES_ALL, 0);
	changed = workspace_take_public_url(c, c->conf->public_url);
	db_commit(c);
	note_say("public_url is now %s for %lld workspace%s.",
	    c->conf->public_url[0] != '\0' ? c->conf->public_url : "not set",
	    (long long)changed, changed == 1 ? "" : "s");
}
