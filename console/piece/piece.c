/* Tables, steps, notes, questions and citations have small forms of their own, and a failed
 * check leads to the block that it means (docs/console.md §5.1). */
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "../editor.h"
#include "piece.h"
#include "screen/tr.h"

#define ROWS 3 /* of a new table, with its head; of steps */
#define COLUMNS 2

/* A new table or list of steps begins with some rows. */
static void
begin_rows(struct piece_page *p)
{
	struct piece *piece = &p->piece;

	if (!p->key.is_new || (p->key.kind != PIECE_TABLE && p->key.kind != PIECE_STEPS))
		return;
	piece->row_count = ROWS;
	piece->column_count = COLUMNS;
	piece->rows = arena_array(p->c->arena, ROWS, sizeof(*piece->rows));
	for (size_t r = 0; r < ROWS; r++) {
		piece->rows[r] = arena_array(p->c->arena, COLUMNS, sizeof(**piece->rows));
		for (size_t i = 0; i < COLUMNS; i++)
			piece->rows[r][i] = "";
	}
}

/* Reads what the path names. */
static struct err *
begin(struct ctx *c, struct visit *v, struct piece_page *p)
{
	struct err *err;

	*p = (struct piece_page) { .c = c, .v = v, .article = editor_address(c, v, v->id) };
	if (!piece_key_read(c, v->name, &p->key))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	p->action = arena_printf(c->arena, "%s/parts/%s", p->article, piece_key_write(c, &p->key));
	err = piece_look(c, v->workspace, v->id, &p->key, &p->view);
	if (err == NULL) {
		p->piece = p->view.piece;
		begin_rows(p);
	}
	return err;
}

static bool
is_gone(const struct err *err)
{
	return err->code == ERR_NOT_FOUND && err->param != NULL && strcmp(err->param, "piece") == 0;
}

static void
answer(struct piece_page *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, piece_title(&p->key), NULL, piece_form_write, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct piece_page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = begin(c, v, p);

	if (err != NULL && is_gone(err)) {
		console_go(c, v, reply, p->article, "no-piece");
		return NULL;
	}
	if (err != NULL)
		return err;
	p->removes =
	    !p->key.is_new && p->key.kind != PIECE_BLOCK && console_query(c, v, "remove") != NULL;
	piece_form(p);
	answer(p, reply);
	return NULL;
}

/* Shows what was typed beside what is wrong; somebody else's piece is the one that it
 * replaces when it is sent again. */
static struct err *
wrong(struct piece_page *p, struct visit *v, struct reply *reply, struct err *err)
{
	if (is_gone(err)) {
		form_refuse(&p->form, NULL, err->message);
		reply->status = 409;
	} else {
		err = console_wrong(p->c, v, reply, &p->form, err);
		if (err != NULL)
			return err;
	}
	if (!p->key.is_new)
		form_fill(&p->form, "seen", p->view.seen);
	answer(p, reply);
	return NULL;
}

static void
read_place(struct piece_page *p, struct piece_write *w)
{
	w->key = p->key;
	w->piece = p->piece;
	w->place = p->key.is_new && p->view.place_count > 0 ? form_text(&p->form, "place") : "none";
	w->seen = p->key.is_new ? "" : form_text(&p->form, "seen");
	if (w->seen == NULL)
		w->seen = "";
}

/* "Remove" was pressed: what the other fields say does not count. */
static bool
is_removing(const struct piece_page *p)
{
	return !p->key.is_new && p->key.kind != PIECE_BLOCK && console_sent(p->v, "remove") != NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct piece_page *p = arena_alloc(c->arena, sizeof(*p));
	struct piece_write w = { .id = v->id, .person = v->person->uuid };
	struct err *err = begin(c, v, p);
	bool good, changed;
	const char *notice;

	if (err != NULL && !is_gone(err))
		return err;
	piece_form(p);
	good = console_read(c, v, &p->form);
	changed = piece_form_take(p);
	good = good && p->form.errors == 0;
	w.removes = is_removing(p);
	if (w.removes) {
		changed = false;
		good = true;
	}
	if (changed || !good) {
		if (!changed)
			console_refused(v, reply);
		answer(p, reply);
		return NULL;
	}
	piece_form_trim(p);
	read_place(p, &w);
	notice = w.removes ? "part-removed" : "saved";
	console_will_go(v, arena_printf(c->arena, "%s?notice=%s", p->article, notice));
	err = piece_write(c, &w);
	if (err != NULL) {
		/* What was read before may be what somebody else has changed since. */
		struct err *again = piece_look(c, v->workspace, v->id, &p->key, &p->view);
		(void)again;
		/* Nothing was typed: the page shows what would have gone. */
		if (w.removes) {
			p->piece = p->view.piece;
			piece_form(p);
		}
		return wrong(p, v, reply, err);
	}
	if (w.saved)
		console_journal(c, v, "article save %s", v->id);
	console_go(c, v, reply, p->article, w.saved ? notice : "unchanged");
	return NULL;
}

#define PIECE                                                                                      \
	.pattern = "/W/articles/ID/parts/NAME", .need = RIGHT_WRITE,                               \
	.title = tr_mark("Part of the text"), .editor = true

const struct console_row piece_screens[] = {
	{ .method = "GET", PIECE, .handler = show },
	{ .method = "POST", PIECE, .handler = save },
	{ .method = NULL },
};
