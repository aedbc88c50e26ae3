#include "command/workspace/chosen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "command/call.h"
#include "system/instance.h"

enum {
	NAME_MAX_BYTES = 200, /* bytes of the file's name */
	CHOICE_MAX = 100 /* bytes of the file */
};

/* Returns the path of the calling user's file. Any user name becomes a
 * valid file name. */
static const char *
file_of(struct ctx *c, const struct call *call)
{
	const char *user = call->user != NULL ? call->user : "";
	struct buf name;

	buf_init(&name, c->arena, NAME_MAX_BYTES);
	for (const char *p = user; *p != '\0'; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			     (*p >= '0' && *p <= '9') || *p == '-';
		if (plain)
			buf_add_char(&name, *p);
		else
			buf_printf(&name, "%%%02X", (unsigned char)*p);
	}
	return arena_printf(c->arena, "%s/workspace-%s", c->instance->run, buf_done(&name));
}

const char *
chosen_workspace(struct ctx *c, const struct call *call, const char **by)
{
	const char *name = getenv("GALLEY_WORKSPACE");
	char *text;
	size_t len;

	if (by != NULL)
		*by = "GALLEY_WORKSPACE";
	if (name != NULL)
		return name[0] != '\0' && utf8_valid(name, strlen(name)) ? name : NULL;
	if (by != NULL)
		*by = "galley workspace use";
	text = fileio_read(c->arena, file_of(c, call), CHOICE_MAX, &len);
	if (text == NULL || !utf8_valid(text, len))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text[0] != '\0' ? text : NULL;
}

bool
chosen_set(struct ctx *c, const struct call *call, const char *uuid)
{
	const char *path = file_of(c, call);
	const char *line;

	if (uuid == NULL)
		return unlink(path) == 0 || errno == ENOENT;
	line = arena_printf(c->arena, "%s\n", uuid);
	return fileio_replace(c->arena, path, line, strlen(line), 0600);
}
