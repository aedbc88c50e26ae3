/* What an article's text says and no reader of the article sees so (docs/console.md §5.1): each
 * place is named with its line and what is typed there, and the script leads to it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "editor.h"
#include "import/losses.h"
#include "import/markdown/body.h"
#include "screen/tr.h"

#define EXCERPT 60 /* characters of a line */

void
editor_find_losses(
    struct ctx *c, const struct visit *v, const struct write_view *view, struct losses *out)
{
	*out = (struct losses) { .c = c };
	if (view->typed)
		body_losses(c, &v->workspace->settings, view->snapshot, view->text, out);
}

static size_t
named(const struct loss *loss)
{
	size_t n = loss->count < LOSSES_LINES ? loss->count : LOSSES_LINES;

	return loss->lines[0] > 0 ? n : 0;
}

/* A line that a loss names, and how it begins. */
struct spot {
	unsigned line;
	const char *begins;
};

static int
by_line(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static const char *
line_begins(struct ctx *c, const char *line)
{
	size_t len = 0;

	line += strspn(line, " \t");
	while (len <= EXCERPT * 4 && line[len] != '\0' && line[len] != '\n')
		len++;
	return losses_excerpt(c, arena_text_n(c->arena, line, len), EXCERPT);
}

/* The lines that losses name, in their order. */
struct spots {
	struct spot *list;
	size_t count;
};

/* Finds them by one walk through the text: text and losses may be long. */
static struct spots
find_spots(struct ctx *c, const char *text, const struct losses *losses)
{
	struct spots all = { .list = arena_array(
				 c->arena, losses->count * LOSSES_LINES, sizeof(*all.list)) };
	unsigned line = 1;

	for (size_t i = 0; i < losses->count; i++) {
		for (size_t j = 0; j < named(&losses->list[i]); j++)
			all.list[all.count++].line = losses->list[i].lines[j];
	}
	if (all.count > 1)
		qsort(all.list, all.count, sizeof(*all.list), by_line);
	for (size_t i = 0; i < all.count; i++) {
		struct spot *s = &all.list[i];
		if (i > 0 && s->line == s[-1].line) {
			s->begins = s[-1].begins;
			continue;
		}
		for (; line < s->line && text[0] != '\0'; line++) {
			text += strcspn(text, "\n");
			text += text[0] != '\0';
		}
		s->begins = line_begins(c, text);
	}
	return all;
}

static const char *
begins(const struct spots *spots, unsigned line)
{
	const struct spot key = { .line = line };
	const struct spot *found = bsearch(&key, spots->list, spots->count, sizeof(key), by_line);

	return found->begins;
}

/* Returns "and 3 more lines", or NULL if each line is named. */
static const char *
more(struct ctx *c, const struct loss *loss)
{
	long long n = (long long)loss->count - (long long)named(loss);

	if (loss->lines[0] == 0 || n == 0)
		return NULL;
	return arena_printf(c->arena, tr_count("and %lld more line", "and %lld more lines", n), n);
}

static void
write_place(
    struct hwrite *w, const struct editor_losses *l, const struct spots *spots, unsigned line)
{
	struct ctx *c = l->c;
	const char *number = arena_printf(c->arena, "%u", line);

	hwrite_open(w, H_A);
	if (l->here) {
		hwrite_address(w, A_HREF, "#article-text");
		hwrite_data(w, "first", number);
		hwrite_data(w, "last", number);
	} else {
		hwrite_address(w, A_HREF,
		    console_path(c, l->v, "%s?line=%s#article-text",
			editor_address(c, l->v, l->v->id), number));
	}
	screen_sentence(w, tr("Line %s: %s"), number, begins(spots, line));
	hwrite_close(w, H_A);
}

static void
write_loss(struct hwrite *w, const struct editor_losses *l, const struct spots *spots,
    const struct loss *loss)
{
	const char *rest = more(l->c, loss);

	hwrite_open(w, H_LI);
	screen_data(w, loss->text);
	for (size_t i = 0; i < named(loss); i++) {
		hwrite_text(w, " · ");
		write_place(w, l, spots, loss->lines[i]);
	}
	if (rest != NULL)
		hwrite_text(w, arena_printf(l->c->arena, " %s", rest));
	hwrite_close(w, H_LI);
}

void
editor_write_losses(struct hwrite *w, const struct editor_losses *l)
{
	struct spots spots;

	if (l->losses->count == 0 && !l->here)
		return;
	spots = find_spots(l->c, l->text, l->losses);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "losses");
	hwrite_flag(w, A_HIDDEN, l->losses->count == 0);
	hwrite_element(w, H_H2, tr("Readers will not see this as it is written"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "ways");
	for (size_t i = 0; i < l->losses->count; i++)
		write_loss(w, l, &spots, &l->losses->list[i]);
	hwrite_close(w, H_UL);
	hwrite_close(w, H_DIV);
}

void
editor_losses_json(struct jwrite *w, struct ctx *c, const char *text, const struct losses *losses)
{
	const struct spots spots = find_spots(c, text, losses);

	jwrite_member_array(w, "losses");
	for (size_t i = 0; i < losses->count; i++) {
		const struct loss *loss = &losses->list[i];
		jwrite_object(w);
		jwrite_member_text(w, "text", loss->text);
		jwrite_member_array(w, "places");
		for (size_t j = 0; j < named(loss); j++) {
			jwrite_object(w);
			jwrite_member_int(w, "line", loss->lines[j]);
			jwrite_member_text(w, "label",
			    arena_printf(c->arena, tr("Line %s: %s"),
				arena_printf(c->arena, "%u", loss->lines[j]),
				begins(&spots, loss->lines[j])));
			jwrite_object_end(w);
		}
		jwrite_array_end(w);
		jwrite_member_text(w, "more", more(c, loss) != NULL ? more(c, loss) : "");
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}
