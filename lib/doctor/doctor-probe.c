/* Tries whether strangers can fetch a file of run/console, for doctor.h. */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/percent.h"
#include "base/uuid.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "doctor/probe.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"
#include "system/instance.h"

/* Returns whether the file is refused at this address. No answer, a redirect and an answer that
 * holds something else are none. */
static bool
is_refused(struct ctx *c, const char *base, const char *path)
{
	const char *host = strstr(base, "://"), *slash;
	struct doctor_answer a;

	slash = host != NULL ? strchr(host + 3, '/') : NULL;
	if (slash != NULL)
		base = arena_text_n(c->arena, base, (size_t)(slash - base));
	doctor_ask(c, arena_printf(c->arena, "%s/%s", base, percent_encode_path(c->arena, path)),
	    (struct remote_how) { .limit_s = 0 }, &a);
	return a.failure == NULL && (a.of.status == 401 || a.of.status == 403 ||
					a.of.status == 404 || a.of.status == 410);
}

/* Returns whether the file is refused in each of the folders (lines) at this address, which may
 * be "". */
static bool
are_refused(struct ctx *c, const char *base, const char *folders, const char *name)
{
	size_t len;

	for (const char *folder = folders; base[0] != '\0'; folder += len + 1) {
		len = strcspn(folder, "\n");
		if (!is_refused(c, base, arena_printf(c->arena, "%.*s/%s", (int)len, folder, name)))
			return false;
		if (folder[len] == '\0')
			break;
	}
	return true;
}

void
doctor_probe(struct ctx *c)
{
	const char *below = probe_asked(c), *name, *path;
	struct console_conf own;
	char id[UUID_TEXT];
	bool closed;

	if (below == NULL || c->conf->public_url[0] == '\0')
		return;
	uuid_random(id);
	name = arena_printf(c->arena, "probe-%s.txt", id);
	path = arena_printf(c->arena, "%s/console/%s", c->instance->run, name);
	if (!fileio_replace(c->arena, path, id, strlen(id), 0600))
		return;
	console_conf_read(c, &own);
	closed = are_refused(c, c->conf->public_url, below, name) &&
		 are_refused(c, own.url, below, name) && are_refused(c, own.pages_url, below, name);
	(void)unlink(path);
	probe_note(c, below, closed);
}
