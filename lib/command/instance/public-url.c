#include "command/instance/public-url.h"

#include "access/workspace.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "terminal/terminal.h"

void
public_url_take(struct ctx *c)
{
	int64_t changed = workspace_follow_public_url(c, c->conf->public_url);

	if (changed < 0)
		return;
	note_say("public_url is now %s for %lld workspace%s.",
	    c->conf->public_url[0] != '\0' ? c->conf->public_url : "not set", (long long)changed,
	    changed == 1 ? "" : "s");
}
