/* What people said about an article, beside its editor and its history (docs/console.md
 * §5.1). */
#include "action/article/article-actions.h"

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

struct reviewed {
	struct review review;
	const char *by; /* who handed it in, as named now */
	const char *names[REVIEW_SHOWN]; /* who said each comment */
};

static const char *
name_of(struct ctx *c, const char *uuid)
{
	const struct person *p = person_find(c, uuid);

	return p != NULL ? p->name : tr("somebody who was removed");
}

struct err *
review_read(struct ctx *c, const struct visit *v, const char *id, const struct reviewed **out)
{
	struct reviewed *r = arena_alloc(c->arena, sizeof(*r));
	struct err *err = review_look(c, v->workspace, id, &r->review);

	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONSOLE);
	if (r->review.handed.at != 0)
		r->by = name_of(c, r->review.handed.by);
	for (size_t i = 0; i < r->review.count; i++)
		r->names[i] = name_of(c, r->review.comments[i].person);
	db_rollback(c);
	*out = r;
	return NULL;
}

void
review_write_state(struct hwrite *w, const struct reviewed *r)
{
	if (r->review.handed.at == 0)
		return;
	hwrite_open(w, H_P);
	screen_state(w, SCREEN_WARNING, tr("In review"));
	hwrite_text(w, " ");
	screen_sentence(w, tr("Handed in by %s,"), r->by);
	hwrite_text(w, " ");
	say_time(w, r->review.handed.at);
	hwrite_close(w, H_P);
}

static void
write_act(struct hwrite *w, enum comment_kind kind, const char *name)
{
	switch (kind) {
	case COMMENT_HANDED_IN:
		screen_sentence(w, tr("%s handed it in,"), name);
		break;
	case COMMENT_HANDED_BACK:
		screen_sentence(w, tr("%s handed it back,"), name);
		break;
	case COMMENT_TAKEN_BACK:
		screen_sentence(w, tr("%s took it back,"), name);
		break;
	case COMMENT_SAID:
		screen_sentence(w, tr("%s said,"), name);
		break;
	}
}

static void
write_one(struct hwrite *w, const struct comment *comment, const char *name)
{
	hwrite_open(w, H_LI);
	hwrite_open(w, H_P);
	write_act(w, comment->kind, name);
	hwrite_text(w, " ");
	say_time(w, comment->at);
	hwrite_close(w, H_P);
	if (comment->text[0] != '\0') {
		hwrite_open(w, H_BLOCKQUOTE);
		hwrite_attr(w, A_CLASS, "said");
		hwrite_attr(w, A_DIR, "auto");
		hwrite_text(w, comment->text);
		hwrite_close(w, H_BLOCKQUOTE);
	}
	hwrite_close(w, H_LI);
}

void
review_write_comments(struct hwrite *w, const struct reviewed *r)
{
	if (r->review.count == 0)
		return;
	hwrite_open(w, H_SECTION);
	hwrite_attr(w, A_ARIA_LABEL, tr("Comments"));
	hwrite_element(w, H_H2, tr("Comments"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "comments");
	for (size_t i = 0; i < r->review.count; i++)
		write_one(w, &r->review.comments[i], r->names[i]);
	hwrite_close(w, H_UL);
	hwrite_close(w, H_SECTION);
}
