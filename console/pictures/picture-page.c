/* One picture: what is said of it, where it is shown, what puts it into a text (docs/console.md
 * §4.6). */
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "pictures.h"
#include "screen/tr.h"

#define TEXT_BYTES 40000

static const struct field describe_fields[] = {
	{ .name = "alternative",
	    .label = tr_mark("Alternative text"),
	    .kind = FIELD_TEXT,
	    .max = TEXT_BYTES,
	    .hint = tr_mark(
		"What it shows, for people who do not see it. Articles that show it already keep their own.") },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field copy_fields[] = {
	{ .name = "markdown",
	    .label = tr_mark("For the text of an article"),
	    .kind = FIELD_TEXT,
	    .readonly = true,
	    .copied = true,
	    .dir = "ltr",
	    .hint =
		tr_mark("Copy this line into the text, with an empty line above and below it.") },
	{ .name = NULL },
};

static const struct field remove_fields[] = {
	{ .name = "remove",
	    .label = tr_mark("Remove"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct picture_screen {
	struct ctx *c;
	const struct visit *v;
	struct picture_view view;
	struct form describe, copy, remove;
	const char *place; /* "/W/pictures/DIGEST" */
};

/* ---- the page */

static const char *
told_state(const struct picture_use *use)
{
	if (use->trashed)
		return tr("in the trash");
	if (use->published && use->draft)
		return tr("draft and last edition");
	return use->published ? tr("last edition") : tr("draft");
}

static void
write_uses(struct hwrite *w, const struct picture_screen *s)
{
	const struct picture_view *view = &s->view;

	hwrite_element(w, H_H2, tr("Where it is shown"));
	if (view->use_count == 0 && !view->is_logo)
		hwrite_element(w, H_P, tr("No article shows it."));
	if (view->is_logo)
		hwrite_element(w, H_P, tr("It is the publisher's logo of this workspace."));
	if (view->use_count == 0)
		return;
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < view->use_count; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF,
		    console_path(s->c, s->v, "/%s/articles/%s", s->v->workspace->uuid,
			view->uses[i].article));
		screen_data(w, view->uses[i].title);
		hwrite_close(w, H_A);
		hwrite_text(w, arena_printf(s->c->arena, " (%s)", told_state(&view->uses[i])));
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	if (view->more_uses)
		hwrite_element(w, H_P, tr("More articles show it, too."));
}

static void
write_remove(struct hwrite *w, const struct picture_screen *s)
{
	hwrite_element(w, H_H2, tr("Remove it"));
	if (s->view.use_count > 0 || s->view.is_logo) {
		hwrite_element(w, H_P, tr("It is shown, so it cannot be removed."));
		return;
	}
	hwrite_element(w, H_P,
	    tr("Its file goes, too, unless something else names it: an edition or a save in the History of an article, or another workspace."));
	console_form(s->c, s->v, w, &s->remove, arena_printf(s->c->arena, "%s/remove", s->place));
}

static void
write_screen(struct hwrite *w, const void *data)
{
	const struct picture_screen *s = data;
	const struct picture_row *row = &s->view.picture;

	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, pictures_address(s->c, s->v, row->name));
	pictures_write(w, s->c, s->v, row,
	    row->alternative[0] != '\0' ? row->alternative
					: tr("The picture, which has no alternative text yet"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	form_write_field(w, &s->copy, "markdown");
	if (console_may(s->v, RIGHT_WRITE))
		console_form(s->c, s->v, w, &s->describe, s->place);
	write_uses(w, s);
	if (console_may(s->v, RIGHT_WRITE))
		write_remove(w, s);
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(s->c, s->v, "/%s/pictures", s->v->workspace->uuid),
	    tr("Back to the pictures"), false);
	hwrite_close(w, H_P);
}

static struct err *
read_picture(struct ctx *c, const struct visit *v, struct picture_screen **out)
{
	struct picture_screen *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err = picture_look(c, v->workspace, v->name, &s->view);

	if (err != NULL)
		return err;
	s->c = c;
	s->v = v;
	s->place =
	    arena_printf(c->arena, "/%s/pictures/%s", v->workspace->uuid, s->view.picture.digest);
	form_init(&s->describe, "describe", describe_fields);
	form_fill(&s->describe, "alternative", s->view.picture.alternative);
	form_init(&s->copy, "copy", copy_fields);
	form_fill(&s->copy, "markdown", s->view.markdown);
	form_init(&s->remove, "remove", remove_fields);
	*out = s;
	return NULL;
}

static struct err *
write_page(struct ctx *c, struct visit *v, struct reply *reply, const struct picture_screen *s)
{
	console_page(c, v, reply, NULL,
	    tr("Everybody who knows the address of a picture can see it, also while only drafts show it."),
	    write_screen, s);
	return NULL;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct picture_screen *s;
	struct err *err = read_picture(c, v, &s);

	return err != NULL ? err : write_page(c, v, reply, s);
}

/* ---- changes */

static struct err *
describe(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *text;
	struct picture_screen *s;
	struct err *err = read_picture(c, v, &s);

	if (err != NULL)
		return err;
	if (!console_read(c, v, &s->describe)) {
		console_refused(v, reply);
		return write_page(c, v, reply, s);
	}
	text = form_text(&s->describe, "alternative");
	console_will_go(v, s->place);
	err = picture_describe(c, v->workspace, s->view.picture.digest, text != NULL ? text : "");
	if (err != NULL) {
		err = console_wrong(c, v, reply, &s->describe, err);
		return err != NULL ? err : write_page(c, v, reply, s);
	}
	console_journal(c, v, "picture describe %s", s->view.picture.digest);
	console_go(c, v, reply, s->place, "saved");
	return NULL;
}

static struct err *
remove_it(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *path = arena_printf(c->arena, "/%s/pictures", v->workspace->uuid);
	struct picture_screen *s;
	struct err *err = read_picture(c, v, &s);

	console_will_go(v, path);
	if (err != NULL)
		return console_gone(c, DB_CONTENT, err);
	if (!console_read(c, v, &s->remove)) {
		console_refused(v, reply);
		return write_page(c, v, reply, s);
	}
	err = picture_remove(c, v->workspace, s->view.picture.digest);
	if (err != NULL) {
		err = console_wrong(c, v, reply, &s->remove, err);
		return err != NULL ? err : write_page(c, v, reply, s);
	}
	console_journal(c, v, "picture remove %s", s->view.picture.digest);
	console_go(c, v, reply, path, "removed");
	return NULL;
}

#define PICTURE .title = tr_mark("Picture")

const struct console_row picture_page_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/pictures/NAME",
	    PICTURE,
	    .any = RIGHT_WRITE | RIGHT_PUBLISH,
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/W/pictures/NAME",
	    PICTURE,
	    .need = RIGHT_WRITE,
	    .handler = describe },
	{ .method = "POST",
	    .pattern = "/W/pictures/NAME/remove",
	    PICTURE,
	    .need = RIGHT_WRITE,
	    .handler = remove_it },
	{ .method = NULL },
};
