#include "action/article/unfinished.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "export/facts.h"
#include "export/todo.h"

enum {
	TEXT_MAX = 70, /* code points of a place's text */
	PLACES_BYTES = 6000 /* of all lines together: a note has room for them */
};

/* The lines that name the places. */
struct places {
	struct ctx *c;
	struct buf lines;
	int64_t left; /* places that did not fit */
};

static void
add_place(void *arg, const char *heading, const struct callout *todo)
{
	struct places *p = arg;
	struct arena *a = p->c->arena;
	const char *where = heading[0] == '\0' ? "the beginning" : inline_plain(a, heading);
	const char *line = arena_printf(a, "\n  - %s: %s", facts_cut(p->c, where, TEXT_MAX),
	    facts_cut(p->c, inline_plain(a, todo->text), TEXT_MAX));

	if (p->left > 0 || p->lines.len + strlen(line) > PLACES_BYTES)
		p->left++;
	else
		buf_add_text(&p->lines, line);
}

const char *
unfinished_sentence(struct ctx *c, int64_t count)
{
	return arena_printf(
	    c->arena, "%lld place%s left to write", (long long)count, count == 1 ? " is" : "s are");
}

struct err *
unfinished_check(struct ctx *c, const struct article *a)
{
	const struct snapshot *s = article_working_copy(c, a);
	int64_t count = todo_count(&s->content);
	struct places p = { .c = c };

	if (count == 0)
		return NULL;
	buf_init(&p.lines, c->arena, PLACES_BYTES + 100);
	todo_each(&s->content, add_place, &p);
	if (p.left > 0)
		buf_printf(&p.lines, "\n  - and %lld more", (long long)p.left);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT, tr_mark("%s (%s) is not finished: %s:%s"), a->title, a->uuid,
		unfinished_sentence(c, count), buf_done(&p.lines)),
	    HINT_UNFINISHED, a->uuid);
}
