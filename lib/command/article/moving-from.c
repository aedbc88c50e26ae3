#include "command/article/moving.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"

/* Reads --site, without slashes at its end. */
static struct err *
read_site(struct ctx *c, const struct call *call, const char **site)
{
	const char *given = call_option(call, "site");
	char *clean;
	size_t len;

	*site = NULL;
	if (given == NULL)
		return NULL;
	given = url_clean_web(c->arena, given);
	if (given == NULL || strpbrk(given, "?#") != NULL)
		return err_param(
		    c, "site", "--site must be an address such as https://example.com.");
	clean = arena_text(c->arena, given);
	for (len = strlen(clean); len > 0 && clean[len - 1] == '/'; len--)
		clean[len - 1] = '\0';
	*site = clean;
	return NULL;
}

static struct err *
read_media(struct ctx *c, const struct call *call, struct pictures *out)
{
	const char *given = call_option(call, "media");

	out->mode = PICTURES_KEEP;
	if (given == NULL || strcmp(given, "keep") == 0)
		return NULL;
	if (strcmp(given, "fetch") == 0) {
		out->mode = PICTURES_FETCH;
		if (!out->dry)
			out->fetch = fetch_open(c, call_has(call, "allow-private"));
		return NULL;
	}
	if (!beneath_open(c->arena, given, &out->folder))
		return err_param(
		    c, "media", "--media must be fetch, keep or a folder; %s is none.", given);
	out->mode = PICTURES_FOLDER;
	return NULL;
}

struct err *
moving_from(struct ctx *c, struct call *call, const struct workspace *w, const char *program)
{
	struct moving *m = arena_alloc(c->arena, sizeof(*m));
	struct other *o = &m->other;
	struct err *err;

	m->c = o->pictures.c = c;
	m->call = call;
	m->kept = c->arena;
	o->paths = (const char *const *)call->operands;
	o->count = call->operand_count;
	o->options.publish = call_has(call, "publish");
	o->options.pages = call_has(call, "pages");
	o->options.unfinished = call_has(call, "unfinished");
	o->options.force = call_has(call, "force");
	o->options.dry = o->pictures.dry = call_has(call, "dry-run");
	if (strcmp(program, "ghost") == 0)
		o->program = OTHER_GHOST;
	else if (strcmp(program, "wordpress") != 0)
		return err_param(c, "from", "--from must be wordpress or ghost, not %s.", program);
	err = read_site(c, call, &o->options.site);
	if (err == NULL)
		err = read_media(c, call, &o->pictures);
	if (err == NULL)
		err = moving_begin(m, call_option(call, "report"));
	if (err == NULL)
		err = other_import(c, m->work, w, o);
	if (o->pictures.fetch != NULL)
		fetch_close(o->pictures.fetch);
	return err != NULL ? err : moving_end(m);
}
