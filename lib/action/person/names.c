#include "action/person/names.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"

static struct err *
look(struct ctx *c, void *arg)
{
	struct names_one *one = arg;
	const struct person *p = person_find(c, one->person);

	one->name = p != NULL ? p->name : NULL;
	return NULL;
}

const char *
names_of(struct ctx *c, struct names *names, const char *person)
{
	struct names_one *one;

	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->list[i].person, person) == 0)
			return names->list[i].name;
	}
	if (names->count == NAMES_MAX || !secret_exists(c))
		return NULL;
	if (names->list == NULL)
		names->list = arena_array(c->arena, NAMES_MAX, sizeof(*names->list));
	one = &names->list[names->count++];
	one->person = arena_text(c->arena, person);
	if (db_aside(c, DB_CONSOLE, look, one) != NULL)
		one->name = NULL;
	return one->name;
}
