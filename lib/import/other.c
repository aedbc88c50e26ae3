#include "import/other.h"

#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "import/ghost.h"
#include "import/wordpress.h"
#include "system/work.h"

struct run {
	struct ctx *c;
	const struct work *work;
	const struct workspace *workspace;
	struct other *o;
	const char *path; /* of the file that is read */
	size_t met; /* items */
	bool cut; /* a post is done later, and so are all after it */
	struct wxr wxr;
};

static void
skip(struct run *r, const char *title, bool page, const char *why)
{
	work_step(r->work, 1);
	r->o->each(r->o->arg,
	    &(struct other_item) { .path = r->path, .title = title, .skipped = why, .page = page });
}

static void
take(struct run *r, const struct post *post, const struct notes *before)
{
	struct post_media media = { .arg = &r->o->pictures };
	struct notes notes = *before;
	size_t stored = r->o->pictures.stored, left = r->o->pictures.left;
	struct import_result result;
	struct err *err;

	r->o->options.media = &media;
	err = post_import(r->c, r->workspace, post, &r->o->options, &result);
	if (media.cut) {
		r->cut = true;
		r->o->pictures.stored = stored;
		r->o->pictures.left = left;
		return;
	}
	work_step(r->work, 1);
	for (size_t i = 0; i < result.note_count; i++)
		notes_add(&notes, "%s", result.notes[i]);
	if (err != NULL)
		notes_add(&notes, "%s", err->message);
	r->o->each(r->o->arg, &(struct other_item) { .path = r->path,
				  .title = post->title,
				  .page = post->page,
				  .post = post,
				  .result = &result,
				  .notes = &notes,
				  .err = err });
}

/* Returns whether the next item is passed over. */
static bool
is_over(struct run *r)
{
	return r->cut || work_must_stop(r->work) || r->met++ < r->o->skip;
}

static void
each_item(void *arg, const struct wxr_item *item)
{
	struct run *r = arg;
	struct notes notes = { .c = r->c };
	struct post post;
	const char *why;

	if (is_over(r))
		return;
	why = wordpress_post(r->c, &r->wxr, item, r->o->options.pages, &notes, &post);
	if (why != NULL)
		skip(r, item->title, post.page, why);
	else
		take(r, &post, &notes);
}

/* Imports WordPress files. All of them are read once before anything is written. */
static struct err *
from_wordpress(struct run *r)
{
	struct other *o = r->o;

	for (size_t i = 0; i < o->count; i++)
		TRY(wxr_scan(r->c, o->paths[i], &r->wxr));
	wxr_sort(&r->wxr);
	work_begin(r->work, "Importing", WORK_PIECES, (int64_t)r->wxr.items);
	if (o->options.site == NULL)
		o->options.site = r->wxr.site;
	o->pictures.site = o->options.site;
	for (size_t i = 0; i < o->count; i++) {
		r->path = o->paths[i];
		TRY(wxr_read(r->c, r->path, each_item, r));
	}
	return NULL;
}

static void
each_post(struct run *r, struct ghost *g, size_t n)
{
	struct notes notes = { .c = r->c };
	struct post post;
	const char *why;

	if (is_over(r))
		return;
	why = ghost_post(g, n, r->o->options.pages, &notes, &post);
	if (why != NULL)
		skip(r, post.title, post.page, why);
	else
		take(r, &post, &notes);
}

/* Reads a file and checks all of it; its tree is in `tree`, which the caller releases. */
static struct err *
open_ghost(struct run *r, const char *path, struct arena *tree, struct ghost *out)
{
	struct ctx *c = r->c;
	struct arena *kept = c->arena;
	struct err *err;

	r->path = path;
	arena_init(tree, GHOST_MEMORY);
	c->arena = tree;
	err = ghost_open(c, path, r->o->options.site, out);
	c->arena = kept;
	return err == NULL ? NULL : refuse(c, ERR_INVALID, "%s", err->message);
}

/* Imports one file. Its tree has its own memory, and so has each post. */
static struct err *
from_ghost_file(struct run *r, const char *path)
{
	struct ctx *c = r->c;
	struct arena tree, scratch, *kept = c->arena;
	struct ghost ghost;
	struct err *err;
	size_t total;

	arena_init(&scratch, GHOST_MEMORY);
	err = open_ghost(r, path, &tree, &ghost);
	total = err == NULL ? ghost_count(&ghost) : 0;
	work_begin(r->work, "Importing", WORK_PIECES, (int64_t)total);
	c->arena = &scratch;
	for (size_t i = 0; i < total; i++) {
		each_post(r, &ghost, i);
		arena_reset(&scratch);
	}
	c->arena = kept;
	arena_release(&scratch);
	arena_release(&tree);
	return err;
}

static struct err *
check_ghost_file(struct run *r, const char *path)
{
	struct arena tree;
	struct ghost ghost;
	struct err *err;

	err = open_ghost(r, path, &tree, &ghost);
	arena_release(&tree);
	return err;
}

/* Imports Ghost files. All of them are checked before anything of the first one is written. */
static struct err *
from_ghost(struct run *r)
{
	struct other *o = r->o;

	o->pictures.site = o->options.site;
	for (size_t i = 1; i < o->count; i++)
		TRY(check_ghost_file(r, o->paths[i]));
	for (size_t i = 0; i < o->count; i++)
		TRY(from_ghost_file(r, o->paths[i]));
	return NULL;
}

struct err *
other_import(
    struct ctx *c, const struct work *work, const struct workspace *workspace, struct other *o)
{
	struct run *r = arena_alloc(c->arena, sizeof(*r));

	*r = (struct run) { .c = c, .work = work, .workspace = workspace, .o = o };
	o->options.picture = pictures_find;
	return o->program == OTHER_GHOST ? from_ghost(r) : from_wordpress(r);
}
