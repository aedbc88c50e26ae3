/* Pictures (docs/console.md §4.6): the list of the workspace's pictures and what adds one; and
 * one picture: what it says, where it is shown, what puts it into a text. */
#include "editor-screen.h"

#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "screen/say.h"
#include "screen/tr.h"

#define PAGE 50
#define LABEL_MAX 80 /* characters */
#define KIB 1024
#define TEXT_BYTES 40000

static const struct field upload_fields[] = {
	{ .name = "picture",
	    .label = tr_mark("Picture"),
	    .kind = FIELD_FILE,
	    .required = true,
	    .accept = PICTURES_ACCEPT,
	    .missing = tr_mark("Choose a picture."),
	    .hint = tr_mark(
		"JPEG, PNG, WebP or GIF, at most 32 MiB and 40 million pixels. Its metadata, such as the place where it was taken, is removed.") },
	{ .name = "alternative",
	    .label = tr_mark("Alternative text"),
	    .kind = FIELD_TEXT,
	    .max = TEXT_BYTES,
	    .hint = tr_mark("What it shows, for people who do not see it.") },
	{ .name = "upload",
	    .label = tr_mark("Upload"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

/* ---- what the screens share */

const char *
pictures_address(struct ctx *c, const struct visit *v, const char *name)
{
	/* The root ends with "/console". */
	return arena_printf(c->arena, "%.*s/media/%s",
	    (int)(strlen(v->place.root) - strlen("/console")), v->place.root, name);
}

/* Cuts a text after so many characters, with a mark that says so: after a whole word, unless that
 * leaves less than half. */
static const char *
shorten(struct ctx *c, const char *text)
{
	size_t n = utf8_prefix(text, LABEL_MAX + 1), count = n;

	if (text[n] == '\0')
		return text;
	while (count > n / 2 && text[count] != ' ')
		count--;
	if (text[count] == ' ')
		n = count;
	return arena_printf(c->arena, "%.*s…", (int)n, text);
}

const char *
pictures_label(struct ctx *c, const struct picture_row *p)
{
	if (p->alternative[0] != '\0')
		return shorten(c, p->alternative);
	return arena_printf(c->arena, tr("Picture of %s, %lld × %lld"),
	    say_day_text(c, say_day_of(c, p->added_at)), (long long)p->width, (long long)p->height);
}

void
pictures_write(struct hwrite *w, struct ctx *c, const struct visit *v, const struct picture_row *p,
    const char *alternative)
{
	hwrite_open(w, H_IMG);
	hwrite_attr(w, A_CLASS, "picture");
	hwrite_address(w, A_SRC, pictures_address(c, v, p->name));
	hwrite_attr(w, A_ALT, alternative);
	hwrite_number(w, A_WIDTH, p->width);
	hwrite_number(w, A_HEIGHT, p->height);
	hwrite_attr(w, A_LOADING, "lazy");
}

/* Puts a refusal of upload_insert() or upload_begin() beside a field; as console_wrong(). */
static struct err *
pictures_wrong(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const char *field, struct err *err)
{
	if (v->repeated || (err->code != ERR_TOO_LARGE && err->code != ERR_INVALID &&
			       err->code != ERR_UNAVAILABLE))
		return console_wrong(c, v, reply, f, err);
	form_refuse(f, field, err->message);
	reply->status = err->code == ERR_TOO_LARGE ? 413 : err->code == ERR_INVALID ? 422 : 503;
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	return NULL;
}

bool
pictures_take(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const char *field, struct upload *u)
{
	struct err *err;

	u->bytes = console_file(v, field, &u->len);
	if (u->bytes == NULL)
		return false;
	u->person = v->person->uuid;
	err = upload_begin(c, v->workspace, u);
	if (err == NULL)
		return true;
	err = pictures_wrong(c, v, reply, f, field, err);
	if (err != NULL) {
		form_refuse(f, field, err->message);
		reply->status = 422;
	}
	return false;
}

/* ---- the page */

struct pictures {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	struct picture_page page;
};

static const char *
place_of(const struct pictures *p)
{
	return arena_printf(p->c->arena, "/%s/pictures", p->v->workspace->uuid);
}

static const char *
told_use(struct ctx *c, const struct picture_view *view)
{
	if (view->use_count == 0)
		return view->is_logo ? tr("The publisher's logo") : tr("Shown nowhere");
	if (view->more_uses)
		return arena_printf(
		    c->arena, tr("Shown by more than %zu articles"), view->use_count);
	return arena_printf(c->arena,
	    tr_count("Shown by %zu article", "Shown by %zu articles", (int64_t)view->use_count),
	    view->use_count);
}

static void
write_picture(struct hwrite *w, const struct pictures *p, const struct picture_view *view)
{
	const struct picture_row *row = &view->picture;

	hwrite_open(w, H_LI);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s/%s", place_of(p), row->digest));
	/* Its label is beside it: said once. */
	pictures_write(w, p->c, p->v, row, "");
	screen_data(w, pictures_label(p->c, row));
	hwrite_close(w, H_A);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_text(w, arena_printf(p->c->arena, "%s · %lld\u00A0×\u00A0%lld · %s",
			   told_use(p->c, view), (long long)row->width, (long long)row->height,
			   arena_printf(p->c->arena, tr("%s KiB"),
			       tr_number(p->c->arena, (row->bytes + KIB - 1) / KIB))));
	hwrite_close(w, H_P);
	hwrite_close(w, H_LI);
}

static const char *
page_address(const struct pictures *p, const char *name, const char *key)
{
	struct buf address;

	if (key == NULL)
		return NULL;
	buf_init(&address, p->c->arena, (size_t)4 * KIB);
	buf_add_text(&address, console_path(p->c, p->v, "%s", place_of(p)));
	screen_address_add(&address, name, key);
	return buf_done(&address);
}

static void
write_pictures(struct hwrite *w, const void *data)
{
	const struct pictures *p = data;

	if (console_may(p->v, RIGHT_WRITE)) {
		hwrite_element(w, H_H2, tr("New picture"));
		console_form(p->c, p->v, w, &p->form, place_of(p));
	}
	hwrite_element(w, H_H2, tr("Pictures of this workspace"));
	if (p->page.count == 0)
		screen_empty(w,
		    console_may(p->v, RIGHT_WRITE)
			? tr("There is no picture yet. Upload one above: then an article can show it.")
			: tr("There is no picture yet."),
		    NULL, NULL);
	if (p->page.count > 0) {
		hwrite_open(w, H_UL);
		hwrite_attr(w, A_CLASS, "pictures");
		for (size_t i = 0; i < p->page.count; i++)
			write_picture(w, p, &p->page.list[i]);
		hwrite_close(w, H_UL);
	}
	screen_pages(
	    w, page_address(p, "newer", p->page.before), page_address(p, "older", p->page.next));
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply, struct pictures *p)
{
	if (v->by_script) {
		script_refused(&(struct script) { .c = c, .v = v, .reply = reply }, &p->form);
		return NULL;
	}
	p->page = (struct picture_page) { .limit = PAGE,
		.older = console_query(c, v, "older"),
		.newer = console_query(c, v, "newer") };
	picture_page_look(c, v->workspace, &p->page);
	console_page(c, v, reply, NULL,
	    tr("Everybody who knows the address of a picture can see it, also while only drafts show it."),
	    write_pictures, p);
	return NULL;
}

static struct pictures *
begin(struct ctx *c, const struct visit *v)
{
	struct pictures *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	form_init(&p->form, "picture", upload_fields);
	return p;
}

static struct err *
list(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(c, v, reply, begin(c, v));
}

/* Answers the editor's script, which types the picture into its text. */
static struct err *
tell_script(struct ctx *c, struct visit *v, struct reply *reply, const struct upload *u)
{
	struct picture_view view;
	struct err *err = picture_look(c, v->workspace, u->media.digest, &view);

	if (err == NULL)
		script_stored(&(struct script) { .c = c, .v = v, .reply = reply }, view.markdown);
	return err;
}

static struct err *
insert(struct ctx *c, struct visit *v, struct reply *reply, struct pictures *p, struct upload *u)
{
	const char *path = arena_printf(c->arena, "%s/%s", place_of(p), u->media.digest);
	struct err *err;

	console_will_go(v, path);
	err = upload_add(c, v->workspace, u);
	if (err != NULL) {
		err = pictures_wrong(c, v, reply, &p->form, "picture", err);
		return err != NULL ? err : show(c, v, reply, p);
	}
	console_journal(c, v, "picture upload %s", u->media.digest);
	if (v->by_script)
		return tell_script(c, v, reply, u);
	console_go(c, v, reply, path, "uploaded");
	return NULL;
}

static struct err *
upload(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct pictures *p = begin(c, v);
	struct upload u = { .alternative = "" };
	bool good = console_read(c, v, &p->form);
	size_t len;

	if (console_file(v, "picture", &len) == NULL) {
		form_refuse(&p->form, "picture", tr("Choose a picture."));
		good = false;
	}
	if (!good) {
		console_refused(v, reply);
		return show(c, v, reply, p);
	}
	if (form_text(&p->form, "alternative") != NULL)
		u.alternative = form_text(&p->form, "alternative");
	if (!pictures_take(c, v, reply, &p->form, "picture", &u))
		return show(c, v, reply, p);
	return insert(c, v, reply, p, &u);
}

/* ---- one picture */

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

	TRY(picture_look(c, v->workspace, v->name, &s->view));
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
show_picture(struct ctx *c, struct visit *v, struct reply *reply)
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

SCREEN(pictures) = {
	{ "GET", "/W/pictures/NAME", PICTURE, .any = RIGHT_WRITE | RIGHT_PUBLISH,
	    .handler = show_picture },
	{ "POST", "/W/pictures/NAME", PICTURE, .need = RIGHT_WRITE, .handler = describe },
	{ "POST", "/W/pictures/NAME/remove", PICTURE, .need = RIGHT_WRITE, .handler = remove_it },
	{ "GET", "/W/pictures", .title = tr_mark("Pictures"), .any = RIGHT_WRITE | RIGHT_PUBLISH,
	    .handler = list },
	{ "POST", "/W/pictures", .title = tr_mark("Pictures"), .need = RIGHT_WRITE, .files = true,
	    .script = SCREEN_EDITS, .handler = upload },
	{ .method = NULL },
};
