#include "web/kept-drop.h"

#include <dirent.h>
#include <stddef.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/instance.h"

void
kept_drop_workspace(struct ctx *c, int64_t workspace_id)
{
	const char *folder = arena_printf(c->arena, "%s/kept/%lld",
	    c->instance->run, (long long)workspace_id);
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		unlink(arena_printf(c->arena, "%s/%s", folder, entry->d_name));
	closedir(dir);
	rmdir(folder);
}
