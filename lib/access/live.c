#include "access/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/conf.h"
#include "system/instance.h"

#define MACHINE_MAX 200 /* bytes of /etc/machine-id */

/* A place. Texts are "" where nothing is known. */
struct place {
	const char *public_url, *machine, *folder;
};

struct noted {
	bool exists;
	struct place place;
	int64_t quiet_at; /* 0: it is live */
};

/* Returns the id of this machine (arena); "" where it has none. */
static const char *
machine_id(struct ctx *c)
{
	char *text = fileio_read_now(c->arena, "/etc/machine-id", MACHINE_MAX, NULL);
#ifdef GALLEY_TEST
	const char *other = getenv("GALLEY_MACHINE");

	if (other != NULL)
		return other;
#endif
	if (text == NULL)
		return "";
	text[strcspn(text, " \t\r\n")] = '\0';
	return text;
}

/* The hosts of one database are one place. */
static void
here(struct ctx *c, struct place *out)
{
	const char *database = lease_database(c);

	*out = (struct place) { .public_url = c->conf->public_url };
	out->machine = database != NULL ? database : machine_id(c);
	out->folder = database != NULL ? "" : c->instance->home;
}

static void
read_noted(struct ctx *c, struct noted *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT public_url, machine, folder, quiet_at FROM live WHERE id = 1");

	*out = (struct noted) { .exists = db_row(q) };
	if (out->exists) {
		out->place = (struct place) { .public_url = db_text(q, 0),
			.machine = db_text(q, 1),
			.folder = db_text(q, 2) };
		out->quiet_at = db_int(q, 3);
	}
	db_reset(q);
}

static void
write_noted(struct ctx *c, const struct place *p, int64_t quiet_at)
{
	db_run(c,
	    "INSERT INTO live (id, public_url, machine, folder,"
	    " quiet_at) VALUES (1, :public_url, :machine, :folder, :quiet_at)"
	    " ON CONFLICT (id) DO UPDATE SET public_url = excluded.public_url,"
	    " machine = excluded.machine, folder = excluded.folder, quiet_at = excluded.quiet_at",
	    db_t(":public_url", p->public_url), db_t(":machine", p->machine),
	    db_t(":folder", p->folder), db_i(":quiet_at", quiet_at));
}

static bool
same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* Returns whether an instance that was live at `then` is another one at `now`. */
static bool
is_elsewhere(const struct place *then, const struct place *now)
{
	if (then->machine[0] != '\0' && now->machine[0] != '\0' &&
	    !same(then->machine, now->machine))
		return true;
	return then->public_url[0] != '\0' && !same(then->public_url, now->public_url) &&
	       !same(then->folder, now->folder);
}

/* A quiet instance keeps the place where it was live. */
static bool
is_noted(const struct noted *n, const struct place *now)
{
	return n->exists && (n->quiet_at != 0 || (same(n->place.public_url, now->public_url) &&
						     same(n->place.machine, now->machine) &&
						     same(n->place.folder, now->folder)));
}

bool
live_look(struct ctx *c)
{
	struct noted n;
	struct place now;

	here(c, &now);
	db_begin_read(c, DB_CONTENT);
	read_noted(c, &n);
	db_rollback(c);
	if (is_noted(&n, &now))
		return n.quiet_at != 0;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	read_noted(c, &n);
	if (!is_noted(&n, &now)) {
		if (n.exists && is_elsewhere(&n.place, &now))
			n.quiet_at = c->now;
		write_noted(c, n.quiet_at != 0 ? &n.place : &now, n.quiet_at);
		if (n.quiet_at != 0)
			log_line(
			    "this instance was live elsewhere: it is quiet until somebody says galley live");
	}
	db_commit(c);
	return n.quiet_at != 0;
}

int64_t
live_quiet_since(struct ctx *c)
{
	struct noted n;

	read_noted(c, &n);
	return n.quiet_at;
}

struct err *
live_begin(struct ctx *c)
{
	const struct place now = {
		.public_url = c->conf->public_url, .machine = "", .folder = c->instance->home
	};

	if (live_quiet_since(c) == 0)
		return refuse(c, ERR_CONFLICT, tr_mark("This instance is live already."));
	write_noted(c, &now, 0);
	return NULL;
}

void
live_note_address(struct ctx *c, const char *public_url)
{
	const struct place then = { .public_url = public_url, .machine = "", .folder = "" };
	struct noted n;

	read_noted(c, &n);
	if (!n.exists)
		write_noted(c, &then, 0);
}
