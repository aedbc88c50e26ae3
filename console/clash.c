/* What clashes when two people changed the same of an article (docs/console.md §5.3): both
 * wordings of each place, and the person's choice. */
#include <stdio.h>
#include <string.h>

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/tr.h"

struct clash {
	struct ctx *c;
	const struct visit *v;
	const struct form *sent;
	const struct write *write;
	const char *action;
};

static const struct {
	const char *value, *label;
	enum merge_choice choice;
} choices[] = {
	{ "theirs", tr_mark("Theirs"), MERGE_THEIRS },
	{ "mine", tr_mark("Yours"), MERGE_MINE },
	{ "both", tr_mark("Both"), MERGE_BOTH },
};

#define CHOICES (sizeof(choices) / sizeof(choices[0]))

static enum merge_choice
read_choice(const struct visit *v, const char *name, size_t count)
{
	const char *sent = console_sent(v, name);

	for (size_t i = 0; sent != NULL && i < count; i++) {
		if (strcmp(sent, choices[i].value) == 0)
			return choices[i].choice;
	}
	return MERGE_NONE;
}

void
clash_read(const struct visit *v, struct write *w)
{
	char name[64];

	w->over = console_sent(v, "over");
	for (size_t i = 0; w->over != NULL && i < WRITE_FIELDS; i++) {
		(void)snprintf(name, sizeof(name), "field-%s", editor_names[i]);
		w->field_choices[i] = read_choice(v, name, CHOICES - 1);
	}
	for (size_t i = 0; w->over != NULL && i < WRITE_CHOICES; i++) {
		(void)snprintf(name, sizeof(name), "place-%zu", i + 1);
		w->choices[i] = read_choice(v, name, CHOICES);
	}
}

/* ---- the page */

static void
write_hidden(struct hwrite *w, const char *name, const char *value)
{
	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, "hidden");
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_VALUE, value);
}

/* Writes what was sent, so that it is sent again. */
static void
write_sent(struct hwrite *w, const struct clash *k)
{
	static const char *const buttons[] = { [WRITE_SAVE] = "save",
		[WRITE_PUBLISH] = "publish",
		[WRITE_UNPUBLISH] = "unpublish",
		[WRITE_TRASH] = "trash",
		[WRITE_HAND_IN] = "hand-in",
		[WRITE_HAND_BACK] = "hand-back",
		[WRITE_TAKE_BACK] = "take-back" };
	const struct form *f = k->sent;

	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT || f->fields[i].readonly)
			continue;
		if (f->fields[i].kind != FIELD_CHECKBOX)
			write_hidden(
			    w, f->fields[i].name, f->entry[i].text != NULL ? f->entry[i].text : "");
		else if (f->entry[i].on)
			write_hidden(w, f->fields[i].name, "1");
	}
	write_hidden(w, "over", k->write->theirs);
	if (k->write->then != WRITE_SAVE)
		write_hidden(w, buttons[k->write->then], "1");
	else if (editor_pressed(f, "trash"))
		write_hidden(w, "trash", "1");
}

static void
write_wording(struct hwrite *w, const char *label, const char *text)
{
	hwrite_element(w, H_H2, label);
	if (text[0] == '\0') {
		hwrite_element(w, H_P, tr("Nothing: this side removed it."));
		return;
	}
	hwrite_open(w, H_PRE);
	hwrite_attr(w, A_CLASS, "wording");
	hwrite_attr(w, A_DIR, "auto");
	hwrite_number(w, A_TABINDEX, 0);
	hwrite_text(w, text);
	hwrite_close(w, H_PRE);
}

static void
write_choice(struct hwrite *w, const char *name, const char *legend, const char *theirs,
    const char *mine, size_t count)
{
	hwrite_open(w, H_FIELDSET);
	hwrite_attr(w, A_CLASS, "field");
	hwrite_element(w, H_LEGEND, legend);
	write_wording(w, tr("Theirs"), theirs);
	write_wording(w, tr("Yours"), mine);
	for (size_t i = 0; i < count; i++) {
		const char *id = arena_printf(w->out->arena, "%s-%s", name, choices[i].value);
		hwrite_open(w, H_DIV);
		hwrite_attr(w, A_CLASS, "tick");
		hwrite_open(w, H_INPUT);
		hwrite_attr(w, A_TYPE, "radio");
		hwrite_attr(w, A_ID, id);
		hwrite_attr(w, A_NAME, name);
		hwrite_attr(w, A_VALUE, choices[i].value);
		hwrite_flag(w, A_REQUIRED, true);
		hwrite_open(w, H_LABEL);
		hwrite_attr(w, A_FOR, id);
		hwrite_text(w, tr(choices[i].label));
		hwrite_close(w, H_LABEL);
		hwrite_close(w, H_DIV);
	}
	hwrite_close(w, H_FIELDSET);
}

static const char *
label_of(const struct form *f, const char *name)
{
	size_t i = 0;

	while (strcmp(f->fields[i].name, name) != 0)
		i++;
	return tr(f->fields[i].label);
}

static void
write_clash(struct hwrite *w, const void *data)
{
	static const struct field fields[] = { { .name = "save",
						   .label = tr_mark("Save"),
						   .kind = FIELD_SUBMIT,
						   .tone = FIELD_PRIMARY },
		{ .name = NULL } };
	const struct clash *k = data;
	const struct write *write = k->write;
	struct arena *a = k->c->arena;
	struct form f;
	size_t n = 0;

	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("Somebody else saved this article since you opened it, and changed the same places. Nothing of yours is saved yet: choose a wording for each place."));
	if (write->upload != NULL)
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("The file that you chose is not kept: choose it again when this is saved."));
	form_init(&f, "clash", fields);
	console_form_begin(k->c, k->v, w, &f, k->action);
	write_sent(w, k);
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (write->field_clashes[i])
			write_choice(w, arena_printf(a, "field-%s", editor_names[i]),
			    label_of(k->sent, editor_names[i]), write->field_theirs[i],
			    write->values[i], CHOICES - 1);
	}
	for (size_t i = 0; i < write->merge.count; i++) {
		const struct merge_piece *p = &write->merge.pieces[i];
		if (!p->clash)
			continue;
		n++;
		write_choice(w, arena_printf(a, "place-%zu", n),
		    arena_printf(a, tr("Place %zu of the text"), n), p->theirs, p->mine, CHOICES);
	}
	form_write_field(w, &f, "save");
	form_write_end(w);
}

void
clash_show(struct ctx *c, const struct visit *v, struct reply *reply, const struct form *f,
    const struct write *w, const char *action)
{
	const struct clash k = { .c = c, .v = v, .sent = f, .write = w, .action = action };

	reply->status = 409;
	console_page(c, v, reply, tr("Two wordings"), NULL, write_clash, &k);
}
