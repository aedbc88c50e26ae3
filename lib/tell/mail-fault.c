#include "tell/mail-fault.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"

#define FAULT_MAX ((size_t)1000)

static const char *
path_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/mail-fault");
}

void
mail_fault_note(struct ctx *c, const char *why)
{
	if (why == NULL)
		(void)unlink(path_of(c));
	else if (!fileio_replace(c->arena, path_of(c), why, strlen(why), 0600))
		log_line("%s: %s", path_of(c), strerror(errno));
}

const char *
mail_fault_read(struct ctx *c)
{
	return fileio_read_now(c->arena, path_of(c), FAULT_MAX, NULL);
}
