#ifndef TESTS_PEOPLE_PLACE_H
#define TESTS_PEOPLE_PLACE_H
/*
 * An instance of its own for a test of lib/people: the folders, people/secret and
 * console.db, with one person.
 */
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"
#include "system/instance.h"
#include "tests/tap.h"

#define PLACE_NOW (INT64_C(1800000000) * CLOCK_SECOND)

static struct arena arena;
static struct instance instance;
static struct ctx c = { .arena = &arena, .request_id = "", .now = PLACE_NOW };

/* Makes the instance in a folder of /tmp; returns the folder. */
__attribute__((unused)) static const char *
place_begin(void)
{
	static char folder[] = "/tmp/galley-people-XXXXXX";

	arena_init(&arena, (size_t)256 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	instance.home = folder;
	instance.run = arena_printf(&arena, "%s/run", folder);
	instance.db = arena_printf(&arena, "%s/db/galley.db", folder);
	if (mkdir(instance.run, 0700) != 0 ||
	    mkdir(arena_printf(&arena, "%s/db", folder), 0700) != 0)
		bail("%s cannot be filled", folder);
	c.instance = &instance;
	db_create(&c, true);
	secret_create(&c);
	c.now = PLACE_NOW;
	return folder;
}

/* Adds a person of this address; returns the internal id. */
__attribute__((unused)) static int64_t
place_person(const char *email)
{
	struct person p = { .name = "Dana", .language = "en" };

	db_begin_write(&c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (person_read_email(&c, email, &p.email, &p.login) != NULL ||
	    person_insert(&c, &p) != NULL)
		bail("%s is refused", email);
	db_commit(&c);
	return p.id;
}

/* Removes it. */
__attribute__((unused)) static void
place_end(void)
{
	db_close(&c);
	if (system(arena_printf(&arena, "rm -rf '%s'", instance.home)) != 0)
		bail("%s cannot be removed", instance.home);
}

#endif
