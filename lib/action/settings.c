#include "action/settings.h"

#include <string.h>

#include "action/action.h"
#include "action/read.h"
#include "article/workspace-state.h"
#include "base/arena.h"
#include "base/ctx.h"

struct err *
settings_read(struct ctx *c, const struct find_place *place,
    struct settings_change *out)
{
	struct workspace *w;
	struct err *err = read_workspace(c, place, &w);

	if (err != NULL)
		return err;
	*out = (struct settings_change) { .read = w, .tried = *w };
	return NULL;
}

struct err *
settings_field(struct ctx *c, struct settings_change *change, const char *field,
    const char *value)
{
	struct settings_pair pair = { .field = field, .value = value };
	size_t size = sizeof(pair);
	struct err *err = workspace_set(c, &change->tried, field, value);

	if (err != NULL)
		return err;
	change->pairs = arena_grow(c->arena, change->pairs,
	    change->count * size, (change->count + 1) * size);
	change->pairs[change->count++] = pair;
	return NULL;
}

/* Writes the fields, inside the transaction. */
static struct err *
write_fields(struct ctx *c, struct settings_change *change, struct workspace *w)
{
	const char *name = w->settings.name;
	struct err *err = NULL;

	change->sample = workspace_state_sample(c, w);
	for (size_t i = 0; i < change->count && err == NULL; i++)
		err = workspace_set(c, w, change->pairs[i].field,
		    change->pairs[i].value);
	if (err != NULL)
		return err;
	change->announced = workspace_update(c, w);
	if (strcmp(name, w->settings.name) != 0)
		(void)workspace_find(c, w->settings.name,
		    &change->renamed_as_another);
	change->changed = w;
	return NULL;
}

struct err *
settings_write(struct ctx *c, struct settings_change *change)
{
	struct workspace *w;
	struct err *err = workspace_begin(c, change->read, &w);

	if (err == NULL)
		err = write_fields(c, change, w);
	return action_end(c, err);
}
