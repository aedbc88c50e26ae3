/* galley.conf of the backup, for restore.h. */
#include <string.h>
#include <unistd.h>

#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/instance.h"

const char *
restore_conf_complaint(struct ctx *c, const struct restore *r)
{
	const char *path = restore_file(c, r, "galley.conf");
	struct err *err;
	struct conf conf;

	if (access(path, F_OK) != 0)
		return NULL;
	err = conf_read(c, path, &conf);
	return err != NULL ? err->message : NULL;
}

struct comparing {
	struct ctx *c;
	struct restore *r;
	const char **now; /* values, in the order of conf_each() */
	size_t count; /* of them */
	size_t place; /* of the key that is compared */
};

static void
keep_value(void *arg, const char *key, const char *value, bool is_default)
{
	struct comparing *k = arg;
	size_t size = sizeof(*k->now);

	(void)key, (void)is_default;
	k->now = arena_grow(k->c->arena, k->now, k->count * size, (k->count + 1) * size);
	k->now[k->count++] = arena_text(k->c->arena, value);
}

static void
compare_value(void *arg, const char *key, const char *value, bool is_default)
{
	struct comparing *k = arg;
	const char *now = k->now[k->place++];
	struct restore *r = k->r;
	size_t size = sizeof(*r->conf);

	(void)is_default;
	if (strcmp(now, value) == 0)
		return;
	r->conf =
	    arena_grow(k->c->arena, r->conf, r->conf_count * size, (r->conf_count + 1) * size);
	r->conf[r->conf_count++] = (struct restore_conf) {
		.key = key, .now = conf_shown(k->c, now), .then = conf_shown(k->c, value)
	};
}

void
restore_compare_conf(struct ctx *c, struct restore *r)
{
	struct comparing k = { .c = c, .r = r };
	struct instance place = *c->instance;
	struct ctx then = *c;
	struct conf conf;

	place.conf = restore_file(c, r, "galley.conf");
	then.instance = &place;
	if (access(place.conf, F_OK) != 0 || conf_read(&then, place.conf, &conf) != NULL)
		return;
	conf_each(c, c->conf, keep_value, &k);
	conf_each(&then, &conf, compare_value, &k);
}
