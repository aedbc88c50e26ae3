#include "action/article/publish-check.h"

#include <string.h>

#include "access/workspace.h"
#include "action/action.h"
#include "action/article/article-writing.h"
#include "action/article/piece-look.h"
#include "action/article/publish-actions.h"
#include "article/revision.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "content/inline.h"
#include "export/todo.h"
#include "import/markdown/body.h"

struct todos {
	struct ctx *c;
	struct ready *ready;
	const struct content *content;
};

/* Finds the note that a to-do is. */
static void
find_callout(struct todos *t, const struct callout *todo)
{
	const struct content *content = t->content;
	struct piece_key key = { .kind = PIECE_NOTE };

	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		for (size_t j = 0; j <= s->subsection_count; j++) {
			const struct section *in = j == 0 ? s : &s->subsections[j - 1];
			if (todo < in->callouts || todo >= in->callouts + in->callout_count)
				continue;
			key.section = in->id;
			key.index = (size_t)(todo - in->callouts);
		}
	}
	if (key.section != NULL)
		t->ready->todo_pieces[t->ready->todo_count] = piece_key_write(t->c, &key);
}

static void
add_todo(void *arg, const char *heading, const struct callout *todo)
{
	struct todos *t = arg;
	struct arena *a = t->c->arena;
	const char *text = inline_plain(a, todo->text);

	find_callout(t, todo);
	t->ready->todos[t->ready->todo_count++] =
	    heading[0] == '\0' ? text : arena_printf(a, "%s: %s", inline_plain(a, heading), text);
}

static void
find_todos(struct ctx *c, const struct snapshot *copy, struct ready *out)
{
	struct todos t = { .c = c, .ready = out, .content = &copy->content };
	int64_t count = todo_count(&copy->content);

	out->todo_count = 0;
	out->todos = arena_array(c->arena, (size_t)count + 1, sizeof(*out->todos));
	out->todo_pieces = arena_array(c->arena, (size_t)count + 1, sizeof(*out->todo_pieces));
	todo_each(&copy->content, add_todo, &t);
}

/* Returns the number in the working copy's body of a block of what is checked, which has no
 * to-dos where it is an edition; from 1. */
static size_t
block_in_copy(const struct section *copy, const struct section *checked, size_t n)
{
	size_t at = 0;

	if (copy->body_count == checked->body_count)
		return n;
	for (size_t i = 0; i < copy->body_count; i++) {
		const struct block *b = &copy->body[i];
		if (b->type != BLOCK_CALLOUT || copy->callouts[b->index].kind != CALLOUT_TODO)
			at++;
		if (at == n)
			return i + 1;
	}
	return 0;
}

/* Returns the piece of the working copy that a failed check means, or NULL. */
static const char *
piece_of(struct ctx *c, const struct content *checked, const struct content *copy,
    const struct export_check *k)
{
	struct piece_key key = { .kind = PIECE_BLOCK };
	const struct section *in, *was;
	struct content_place place;

	if (k->text == 0)
		return NULL;
	content_text_place(checked, k->text - 1, &place);
	if (place.question > 0) {
		key.kind = PIECE_QUESTION;
		key.index = place.question - 1;
		return piece_key_write(c, &key);
	}
	in = place.section != NULL ? content_section(copy, place.section) : NULL;
	was = place.section != NULL ? content_section(checked, place.section) : NULL;
	if (in == NULL || was == NULL || in->body_count == 0)
		return NULL;
	/* A heading leads to what is below it. */
	place.block = place.block > 0 ? block_in_copy(in, was, place.block) : 1;
	if (place.block == 0)
		return NULL;
	key.section = in->id;
	key.index = place.block - 1;
	return piece_key_write(c, &key);
}

static void
find_pieces(
    struct ctx *c, const struct content *checked, const struct content *copy, struct ready *out)
{
	for (size_t i = 0; i < out->failing_count; i++)
		out->failing_pieces[i] = piece_of(c, checked, copy, &out->failing[i]);
}

/* Computes what must be the same when it is published. */
static void
make_seen(struct ctx *c, const struct workspace *w, struct ready *r)
{
	char token[TOKEN_TEXT];
	struct digest d;

	digest_begin(&d, (READY_SEEN - 1) / 2, "galley ready 1");
	token_base(r->article, token);
	digest_text(&d, token);
	token_settings(w, token);
	digest_text(&d, token);
	digest_text(&d, r->article->published_url != NULL ? r->article->published_url : "");
	digest_int(&d, r->article->version);
	digest_int(&d, r->article->status);
	/* A date is typed in the time of this zone. */
	digest_text(&d, r->time_zone);
	for (size_t i = 0; i < r->failing_count; i++)
		digest_text(&d, failing_line(c, &r->failing[i]));
	digest_end_hex(&d, r->seen);
}

/* What readers have, and what they would get. */
struct both {
	struct side before, after;
};

static void
read_all(struct ctx *c, const struct workspace *w, const struct article *a, struct both *both,
    struct ready *out)
{
	const struct snapshot *copy = article_working_copy(c, a);
	const struct export_source *source = stored_source(c, w, a, true);

	*out = (struct ready) { .article = a };
	out->failing_count = failing_checks(c, source, out->failing);
	find_pieces(c, &source->snapshot->content, &copy->content, out);
	find_todos(c, copy, out);
	out->time_zone = time_zone_of(c, w->id);
	make_seen(c, w, out);
	if (both == NULL)
		return;
	later_view(c, a, &out->later);
	if (a->version > 0) {
		writing_edition(c, a, a->version, &both->before);
		out->slug_before = both->before.snapshot->slug;
	}
	writing_next(c, a, &both->after);
	out->slug_after = both->after.snapshot->slug;
}

struct err *
ready_look(struct ctx *c, const struct workspace *w, const char *id, struct ready *out)
{
	struct both both = { .before = { .snapshot = NULL } };
	struct workspace *present = NULL;
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	present = workspace_of(c, a->workspace_id);
	read_all(c, present, a, &both, out);
	action_commit(c);
	if (both.before.snapshot != NULL)
		out->before = writing_lines(c, &present->settings, &both.before);
	out->after = writing_lines(c, &present->settings, &both.after);
	return NULL;
}

void
ready_read(struct ctx *c, const struct workspace *w, const struct article *a, struct ready *out)
{
	read_all(c, w, a, NULL, out);
}

/* Refuses what was changed since it was looked at, and what cannot be published. */
static struct err *
check(
    struct ctx *c, struct workspace *w, const struct article *a, const char *seen, bool unfinished)
{
	struct ready present;

	read_all(c, w, a, false, &present);
	if (strcmp(present.seen, seen) != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article or its settings were changed since this page was shown, so nothing was published. Look again."));
	if (present.todo_count > 0 && !unfinished)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("Places are left to write, so nothing was published."));
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article is in the trash, so nothing was published. Restore it first."));
	return NULL;
}

struct err *
ready_publish(struct ctx *c, const char *id, const char *seen, bool unfinished)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, id, &w, &a));
	TRY(check(c, w, a, seen, unfinished));
	TRY(article_publish(c, w, a, 0, 0));
	return action_commit(c);
}

struct err *
ready_date(struct ctx *c, const char *id, const char *seen, bool unfinished, int64_t at,
    const char *person)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, id, &w, &a));
	TRY(check(c, w, a, seen, unfinished));
	TRY(later_freeze(c, a, at, unfinished, person));
	return action_commit(c);
}
