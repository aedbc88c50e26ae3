/* The past of an article (docs/console.md §4.4): editions and saves, what differs between two of
 * them, by words, and "Bring back". */
#include <string.h>

#include "../all.h"
#include "action/article/article-history.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/page.h"
#include "editor-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "terminal/textdiff.h"

/* ---- what differs between two texts (§5.2) */

#define AROUND 2 /* lines that are shown about a change */
#define TEXT_MAX ((size_t)64 * 1024 * 1024)
#define WORDS_MAX 20000 /* bytes of a change that is compared by words */

static const enum hwrite_element elements[] = {
	[TEXTDIFF_KEPT] = H_SPAN, [TEXTDIFF_REMOVED] = H_DEL, [TEXTDIFF_ADDED] = H_INS
};

/* Puts each word of the lines on a line of its own; an empty one is the end of a line. */
static const char *
words_of(struct arena *a, const struct textdiff_line *lines, size_t count)
{
	struct buf out;

	buf_init(&out, a, TEXT_MAX);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_add_char(&out, '\n');
		for (const char *p = lines[i].text; *p != '\0'; p++)
			buf_add_char(&out, *p == ' ' ? '\n' : *p);
		buf_add_char(&out, '\n');
	}
	return buf_done(&out);
}

/* Writes lines that were removed and those in their place, word by word. */
static void
write_words(struct hwrite *w, const struct textdiff_line *removed, size_t out,
    const struct textdiff_line *added, size_t in)
{
	struct arena *a = w->out->arena;
	struct textdiff words;
	bool begun = false;

	textdiff_make(a, words_of(a, removed, out), words_of(a, added, in), WORDS_MAX, &words);
	for (size_t i = 0; i < words.count; i++) {
		const struct textdiff_line *word = &words.lines[i];
		if (word->text[0] == '\0') {
			hwrite_text(w, "\n");
			begun = false;
			continue;
		}
		if (begun)
			hwrite_text(w, " ");
		begun = true;
		hwrite_element(w, elements[word->change], word->text);
	}
}

static size_t
run_of(const struct textdiff *diff, size_t at, enum textdiff_change change, size_t *bytes)
{
	size_t n = 0;

	while (at + n < diff->count && diff->lines[at + n].change == change &&
	       diff->lines[at + n].hunk == diff->lines[at].hunk) {
		*bytes += strlen(diff->lines[at + n].text) + 1;
		n++;
	}
	return n;
}

/* Writes a change, or one line that both have, and returns how many lines of the difference it
 * took. Each line is looked at once: a change may have a hundred thousand. */
static size_t
write_change(struct hwrite *w, const struct textdiff *diff, size_t at)
{
	const struct textdiff_line *line = &diff->lines[at];
	size_t bytes = 0, out = run_of(diff, at, TEXTDIFF_REMOVED, &bytes), in, count;

	in = at + out < diff->count && line->hunk == diff->lines[at + out].hunk
		 ? run_of(diff, at + out, TEXTDIFF_ADDED, &bytes)
		 : 0;
	if (out > 0 && in > 0 && bytes < WORDS_MAX) {
		write_words(w, line, out, line + out, in);
		return out + in;
	}
	count = out + in > 0 ? out + in : 1;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			hwrite_text(w, "\n");
		hwrite_element(w, elements[line[i].change], line[i].text);
	}
	return count;
}

void
difference_write(struct hwrite *w, const char *before, const char *after)
{
	struct textdiff diff;
	size_t hunk = 0;

	textdiff_make(w->out->arena, before, after, AROUND, &diff);
	if (diff.count == 0) {
		@ <p>Title and text are the same.</p>
		return;
	}
	@ <pre class="difference" dir="auto" tabindex="0">
	for (size_t i = 0; i < diff.count;) {
		if (diff.lines[i].hunk != hunk)
			hwrite_text(w, "\u22ef\n");
		hunk = diff.lines[i].hunk;
		i += write_change(w, &diff, i);
		hwrite_text(w, "\n");
	}
	@ </pre>
}

/* ---- the list */

struct history {
	struct saves saves;
	const char **names; /* of each: of the person, or NULL */
	struct field_choice *choices;
	const char *from, *to; /* what is compared, or NULL: nothing; the working copy */
	const char *before, *after;
	const struct reviewed *reviewed;
};

static const char *
name_of(struct ctx *c, const struct saves_one *one)
{
	return arena_printf(
	    c->arena, "%c%lld", one->is_edition ? 'e' : 's', (long long)one->number);
}

static const char *
label_of(struct ctx *c, const struct saves_one *one, const char *person)
{
	const char *at = say_second_text(c, one->at);

	if (one->is_edition)
		return arena_printf(c->arena, tr("%s, edition %lld"), at, (long long)one->number);
	if (person == NULL)
		return arena_printf(c->arena, tr("%s, changed in another way"), at);
	return arena_printf(c->arena, tr("%s, saved by %s"), at, person);
}

/* Finds who saved, as the console knows them now. */
static void
find_people(struct ctx *c, struct history *h)
{
	size_t count = h->saves.count;

	h->names = arena_array(c->arena, count + 1, sizeof(*h->names));
	h->choices = arena_array(c->arena, count + 1, sizeof(*h->choices));
	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < count; i++) {
		const struct saves_one *one = &h->saves.list[i];
		const struct person *p = one->person != NULL ? person_find(c, one->person) : NULL;
		if (one->person != NULL)
			h->names[i] = p != NULL ? p->name : tr("somebody who was removed");
		h->choices[i] =
		    (struct field_choice) { name_of(c, one), label_of(c, one, h->names[i]) };
	}
	db_rollback(c);
}

/* ---- the page */

static void
write_list(struct hwrite *w, const struct page *p, const struct history *h)
{
	@ <list caption="Editions and saves" columns="When|What|Title">
	for (size_t i = 0; i < h->saves.count; i++) {
		const struct saves_one *one = &h->saves.list[i];
		@ <row><cell><a href="/W/articles/ID/history?from={name_of(p->c, one)}">
		@ {say_second_text(p->c, one->at)}</a></cell>
		@ <cell>
		if (one->is_edition)
			@ Edition {=screen_value(w, HOLE(one->number))}
		else if (h->names[i] != NULL)
			@ <span>Saved by {h->names[i]}</span>
		else
			@ Changed in another way
		@ </cell><cell>{one->title}</cell></row>
	}
	@ </list>
}

/* The form that says which two are compared. */
static void
write_compare(struct hwrite *w, const struct page *p, const struct history *h)
{
	static const struct field fields[] = {
		{ .name = "from",
		    .label = tr_mark("From"),
		    .kind = FIELD_SELECT,
		    .required = true },
		{ .name = "to", .label = tr_mark("To"), .kind = FIELD_SELECT, .required = true },
		{ .name = "compare", .label = tr_mark("Compare"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	const size_t count = h->saves.count;
	struct field_choice *to = arena_array(p->c->arena, count + 2, sizeof(*to));
	struct form f;
	size_t i = 0;

	to[0] = (struct field_choice) { "", tr("The working copy") };
	memcpy(to + 1, h->choices, (count + 1) * sizeof(*to));
	/* The newest one from which something was changed. */
	while (i < count - 1 && h->saves.list[i].present)
		i++;
	form_init(&f, "compare", fields);
	form_choices(&f, "from", h->choices);
	form_choices(&f, "to", to);
	form_fill(&f, "from", h->from != NULL ? h->from : h->choices[i].value);
	form_fill(&f, "to", h->to != NULL ? h->to : "");
	form_write(w, &f,
	    &(struct form_head) {
		.search = true, .action = page_path(p, "/W/articles/ID/history") });
}

static void
fill_back(struct page *p, struct form *f)
{
	const struct history *h = p->data;

	form_fill(f, "which", h->from);
}

static struct err *
bring_back(struct page *p)
{
	const char *which = form_text(p->form, "which");
	bool move = console_may(p->v, RIGHT_PUBLISH);

	/* What moves an address needs this right under the lock, too. */
	if (move)
		TRY(console_need(p->c, p->v, RIGHT_PUBLISH));
	TRY(saves_bring_back(p->c, p->v->id, which, p->v->person->uuid, move));
	console_journal(p->c, p->v, "article revert %s %s", p->v->id, which);
	return NULL;
}

static const struct page_act back_it = { .name = "back",
	.fields =
	    (const struct field[]) {
		{ .name = "which", .kind = FIELD_HIDDEN },
		{ .name = "back",
		    .label = tr_mark("Bring back"),
		    .kind = FIELD_SUBMIT,
		    .tone = FIELD_PRIMARY },
		{ .name = NULL },
	    },
	.fill = fill_back,
	.act = bring_back,
	.go = "/W/articles/ID",
	.notice = "back" };

static void
write_difference(struct hwrite *w, struct page *p, const struct history *h)
{
	@ <h2>{=h->to != NULL ? tr("What differs") : tr("What differs from the working copy")}</h2>
	difference_write(w, h->before, h->after);
	if (console_may(p->v, RIGHT_WRITE) && h->saves.article->status != ARTICLE_DELETED)
		page_form(w, p, &back_it, NULL);
}

static void
write_history(struct hwrite *w, struct page *p)
{
	const struct history *h = p->data;

	@ <p><a href="/W/articles/ID">{h->saves.article->title}</a></p>
	if (h->saves.count == 0) {
		screen_empty(w, tr("Nothing was published or saved here yet."), NULL, NULL);
	} else {
		if (h->from != NULL)
			write_difference(w, p, h);
		write_compare(w, p, h);
		write_list(w, p, h);
	}
	review_write_comments(w, h->reviewed);
}

/* A parameter without a value is none. */
static const char *
asked(const struct page *p, const char *name)
{
	const char *value = console_query(p->c, p->v, name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* What is brought back is compared with the working copy. */
static struct err *
load(struct page *p)
{
	const struct workspace *in = p->v->workspace;
	struct history *h = p->data;

	h->from = console_sent(p->v, "which");
	if (h->from == NULL) {
		h->from = asked(p, "from");
		h->to = asked(p, "to");
	}
	TRY(saves_look(p->c, in, p->v->id, &h->saves));
	if (h->from != NULL) {
		TRY(saves_lines(p->c, in, p->v->id, h->from, &h->before));
		TRY(saves_lines(p->c, in, p->v->id, h->to, &h->after));
	}
	TRY(review_read(p->c, p->v, p->v->id, &h->reviewed));
	find_people(p->c, h);
	return NULL;
}

static const struct page_kind history_page = { sizeof(struct history), load, write_history };

#define HISTORY                                                                                    \
	.pattern = "/W/articles/ID/history", .title = tr_mark("History"), .page = &history_page
SCREEN(history) = {
	{ .method = "GET", HISTORY },
	{ .method = "POST", HISTORY, .need = RIGHT_WRITE, .act = &back_it },
	{ .method = NULL },
};
