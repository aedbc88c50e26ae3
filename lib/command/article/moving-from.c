#include "command/article/moving.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"
#include "import/ghost/ghost.h"
#include "import/wordpress/wordpress.h"

struct source {
	struct moving moving;
	struct wxr wxr;
};

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
		return err_param(c, "site",
		    "--site must be an address such as https://example.com.");
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
			out->fetch =
			    fetch_open(c, call_has(call, "allow-private"));
		return NULL;
	}
	if (!beneath_open(c->arena, given, &out->folder))
		return err_param(c, "media",
		    "--media must be fetch, keep or a folder; %s is none.",
		    given);
	out->mode = PICTURES_FOLDER;
	return NULL;
}

static void
each_item(void *arg, const struct wxr_item *item)
{
	struct source *s = arg;
	struct ctx *c = s->moving.c;
	struct notes notes = { .c = c };
	struct post post;
	const char *why;

	if (moving_is_stopped(&s->moving))
		return;
	why = wordpress_post(c, &s->wxr, item, &notes, &post);
	if (why != NULL)
		moving_skip(&s->moving, item->title, why);
	else
		moving_post(&s->moving, &post, &notes);
}

/* Imports WordPress files. All of them are read once before anything is written. */
static struct err *
from_wordpress(struct source *s, struct call *call)
{
	struct moving *m = &s->moving;
	struct err *err = NULL;

	for (size_t i = 0; i < call->operand_count && err == NULL; i++)
		err = wxr_scan(m->c, call->operands[i], &s->wxr);
	if (err != NULL)
		return err;
	wxr_sort(&s->wxr);
	work_begin(m->work, "Importing", WORK_PIECES, (int64_t)s->wxr.items);
	if (m->options.site == NULL)
		m->options.site = s->wxr.site;
	m->pictures.site = m->options.site;
	for (size_t i = 0; i < call->operand_count && err == NULL; i++) {
		m->path = call->operands[i];
		err = wxr_read(m->c, m->path, each_item, s);
	}
	return err;
}

static void
each_post(struct moving *m, struct ghost *g, size_t n)
{
	struct notes notes = { .c = m->c };
	struct post post;
	const char *why;

	if (moving_is_stopped(m))
		return;
	why = ghost_post(g, n, &notes, &post);
	if (why != NULL)
		moving_skip(m, post.title, why);
	else
		moving_post(m, &post, &notes);
}

/* Reads the file at m->path and checks all of it; its tree is in `tree`. */
static struct err *
open_ghost(struct moving *m, struct arena *tree, struct ghost *out)
{
	struct ctx *c = m->c;
	struct arena *kept = c->arena;
	struct err *err;

	c->arena = tree;
	err = ghost_open(c, m->path, m->options.site, out);
	c->arena = kept;
	return err == NULL ? NULL : refuse(c, ERR_INVALID, "%s", err->message);
}

/* Imports one file. Its tree has its own memory, and so has each post. */
static struct err *
from_ghost_file(struct moving *m)
{
	struct ctx *c = m->c;
	struct arena tree, scratch, *kept = c->arena;
	struct ghost ghost;
	struct err *err;
	size_t total;

	arena_init(&tree, GHOST_MEMORY);
	arena_init(&scratch, GHOST_MEMORY);
	err = open_ghost(m, &tree, &ghost);
	total = err == NULL ? ghost_count(&ghost) : 0;
	work_begin(m->work, "Importing", WORK_PIECES, (int64_t)total);
	c->arena = &scratch;
	for (size_t i = 0; i < total; i++) {
		each_post(m, &ghost, i);
		arena_reset(&scratch);
	}
	c->arena = kept;
	arena_release(&scratch);
	arena_release(&tree);
	return err;
}

static struct err *
check_ghost_file(struct moving *m)
{
	struct arena tree;
	struct ghost ghost;
	struct err *err;

	arena_init(&tree, GHOST_MEMORY);
	err = open_ghost(m, &tree, &ghost);
	arena_release(&tree);
	return err;
}

/* Imports Ghost files. A file is checked when it is opened, and all others are
 * checked before anything of the first one is written. */
static struct err *
from_ghost(struct moving *m)
{
	struct call *call = m->call;
	struct err *err = NULL;

	m->pictures.site = m->options.site;
	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		m->path = call->operands[i];
		err = check_ghost_file(m);
	}
	for (size_t i = 0; i < call->operand_count && err == NULL; i++) {
		m->path = call->operands[i];
		err = from_ghost_file(m);
	}
	return err;
}

struct err *
moving_from(struct ctx *c, struct call *call, const struct workspace *w,
    const char *program)
{
	struct source *s = arena_alloc(c->arena, sizeof(*s));
	struct moving *m = &s->moving;
	struct err *err;

	m->c = m->pictures.c = c;
	m->call = call;
	m->kept = c->arena;
	m->workspace = w;
	m->options.publish = call_has(call, "publish");
	m->options.unfinished = call_has(call, "unfinished");
	m->options.force = call_has(call, "force");
	m->options.dry = m->pictures.dry = call_has(call, "dry-run");
	m->options.picture = pictures_find;
	if (strcmp(program, "wordpress") != 0 && strcmp(program, "ghost") != 0)
		return err_param(c, "from",
		    "--from must be wordpress or ghost, not %s.", program);
	err = read_site(c, call, &m->options.site);
	if (err == NULL)
		err = read_media(c, call, &m->pictures);
	if (err == NULL)
		err = moving_begin(m, call_option(call, "report"));
	if (err == NULL)
		err = strcmp(program, "ghost") == 0 ? from_ghost(m)
						    : from_wordpress(s, call);
	if (m->pictures.fetch != NULL)
		fetch_close(m->pictures.fetch);
	return err != NULL ? err : moving_end(m);
}
