/* Pictures (docs/console.md §4.6): the list of the workspace's pictures and what adds one; and
 * one picture: what it says, where it is shown, what puts it into a text. */
#include "editor-screen.h"

#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "console/page.h"
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
	@ <img class="picture" src={pictures_address(c, v, p->name)} alt={alternative}
	@     width={p->width} height={p->height} loading="lazy">
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

static const char is_public[] = tr_mark(
    "Everybody who knows the address of a picture can see it, also while only drafts show it.");

/* Returns the address of the list below the root. */
static const char *
place_of(struct ctx *c, const struct visit *v)
{
	return arena_printf(c->arena, "/%s/pictures", v->workspace->uuid);
}

struct pictures {
	const struct form *form;
	struct picture_page page;
};

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
write_picture(struct hwrite *w, const struct page *p, const struct picture_view *view)
{
	const struct picture_row *row = &view->picture;
	const char *told = arena_printf(p->c->arena, "%s · %lld\u00A0×\u00A0%lld · %s",
	    told_use(p->c, view), (long long)row->width, (long long)row->height,
	    arena_printf(
		p->c->arena, tr("%s KiB"), tr_number(p->c->arena, (row->bytes + KIB - 1) / KIB)));

	/* Its label is beside it: said once. */
	@ <li><a href="/W/pictures/{row->digest}">{!pictures_write(w, p->c, p->v, row, "")}
	@ {pictures_label(p->c, row)}</a><p class="hint">{=told}</p></li>
}

static const char *
page_address(const struct page *p, const char *name, const char *key)
{
	struct buf address;

	if (key == NULL)
		return NULL;
	buf_init(&address, p->c->arena, (size_t)4 * KIB);
	buf_add_text(&address, page_path(p, "/W/pictures"));
	screen_address_add(&address, name, key);
	return buf_done(&address);
}

static void
write_pictures(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct pictures *d = p->data;
	bool writes = console_may(p->v, RIGHT_WRITE);

	if (writes) {
		@ <h2>New picture</h2>
		console_form(p->c, p->v, w, d->form, place_of(p->c, p->v));
	}
	@ <h2>Pictures of this workspace</h2>
	if (d->page.count == 0) {
		screen_empty(w,
		    writes
			? tr("There is no picture yet. Upload one above: then an article can show it.")
			: tr("There is no picture yet."),
		    NULL, NULL);
	} else {
		@ <ul class="pictures">
		for (size_t i = 0; i < d->page.count; i++)
			write_picture(w, p, &d->page.list[i]);
		@ </ul>
	}
	screen_pages(
	    w, page_address(p, "newer", d->page.before), page_address(p, "older", d->page.next));
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply, const struct form *f)
{
	struct pictures d = { .form = f,
		.page = { .limit = PAGE,
		    .older = console_query(c, v, "older"),
		    .newer = console_query(c, v, "newer") } };

	if (v->by_script) {
		script_refused(&(struct script) { .c = c, .v = v, .reply = reply }, f);
		return NULL;
	}
	picture_page_look(c, v->workspace, &d.page);
	console_page(c, v, reply, NULL, tr(is_public), write_pictures,
	    &(const struct page) { .c = c, .v = v, .data = &d });
	return NULL;
}

static struct err *
list(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct form f;

	form_init(&f, "picture", upload_fields);
	return show(c, v, reply, &f);
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
insert(struct ctx *c, struct visit *v, struct reply *reply, struct form *f, struct upload *u)
{
	const char *path = arena_printf(c->arena, "%s/%s", place_of(c, v), u->media.digest);
	struct err *err;

	console_will_go(v, path);
	err = upload_add(c, v->workspace, u);
	if (err != NULL) {
		err = pictures_wrong(c, v, reply, f, "picture", err);
		return err != NULL ? err : show(c, v, reply, f);
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
	struct upload u = { .alternative = "" };
	struct form f;
	size_t len;
	bool good;

	form_init(&f, "picture", upload_fields);
	good = console_read(c, v, &f);
	if (console_file(v, "picture", &len) == NULL) {
		form_refuse(&f, "picture", tr("Choose a picture."));
		good = false;
	}
	if (!good) {
		console_refused(v, reply);
		return show(c, v, reply, &f);
	}
	if (form_text(&f, "alternative") != NULL)
		u.alternative = form_text(&f, "alternative");
	if (!pictures_take(c, v, reply, &f, "picture", &u))
		return show(c, v, reply, &f);
	return insert(c, v, reply, &f, &u);
}

/* ---- one picture */

static void
fill_description(struct page *p, struct form *f)
{
	const struct picture_view *view = p->data;

	form_fill(f, "alternative", view->picture.alternative);
}

static struct err *
describe(struct page *p)
{
	const struct picture_view *view = p->data;
	const char *text = form_text(p->form, "alternative");

	TRY(picture_describe(
	    p->c, p->v->workspace, view->picture.digest, text != NULL ? text : ""));
	console_journal(p->c, p->v, "picture describe %s", view->picture.digest);
	return NULL;
}

static const struct page_act describe_it = { .name = "describe",
	.fields =
	    (const struct field[]) {
		{ .name = "alternative",
		    .label = tr_mark("Alternative text"),
		    .kind = FIELD_TEXT,
		    .max = TEXT_BYTES,
		    .hint = tr_mark(
			"What it shows, for people who do not see it. Articles that show it already keep their own.") },
		{ .name = "save",
		    .label = tr_mark("Save"),
		    .kind = FIELD_SUBMIT,
		    .tone = FIELD_PRIMARY },
		{ .name = NULL },
	    },
	.fill = fill_description,
	.act = describe,
	.go = "/W/pictures/NAME",
	.notice = "saved" };

static struct err *
remove_picture(struct page *p)
{
	const struct picture_view *view = p->data;

	TRY(picture_remove(p->c, p->v->workspace, view->picture.digest));
	console_journal(p->c, p->v, "picture remove %s", view->picture.digest);
	return NULL;
}

static const struct page_act remove_it = { .name = "remove",
	.fields = PAGE_BUTTON("remove", tr_mark("Remove"), FIELD_DANGER),
	.act = remove_picture,
	.go = "/W/pictures",
	.notice = "removed" };

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
write_uses(struct hwrite *w, const struct page *p, const struct picture_view *view)
{
	@ <h2>Where it is shown</h2>
	if (view->use_count == 0 && !view->is_logo)
		@ <p>No article shows it.</p>
	if (view->is_logo)
		@ <p>It is the publisher's logo of this workspace.</p>
	if (view->use_count == 0)
		return;
	@ <ul>
	for (size_t i = 0; i < view->use_count; i++)
		@ <li><a href="/W/articles/{view->uses[i].article}">{view->uses[i].title}</a>
		@ {=" "}({=told_state(&view->uses[i])})</li>
	@ </ul>
	if (view->more_uses)
		@ <p>More articles show it, too.</p>
}

static void
write_screen(struct hwrite *w, struct page *p)
{
	const struct picture_view *view = p->data;
	const struct picture_row *row = &view->picture;
	bool writes = console_may(p->v, RIGHT_WRITE);
	struct form copy;

	@ <p><a href={pictures_address(p->c, p->v, row->name)}>
	pictures_write(w, p->c, p->v, row,
	    row->alternative[0] != '\0' ? row->alternative
					: tr("The picture, which has no alternative text yet"));
	@ </a></p>
	form_init(&copy, "copy", copy_fields);
	form_fill(&copy, "markdown", view->markdown);
	form_write_field(w, &copy, "markdown");
	if (writes)
		page_form(w, p, &describe_it, NULL);
	write_uses(w, p, view);
	if (writes)
		@ <h2>Remove it</h2>
	if (writes && (view->use_count > 0 || view->is_logo)) {
		@ <p>It is shown, so it cannot be removed.</p>
	} else if (writes) {
		@ <p>Its file goes, too, unless something else names it: an edition or a save in the
		@ History of an article, or another workspace.</p>
		page_form(w, p, &remove_it, NULL);
	}
	@ <p><a class="button" href="/W/pictures">Back to the pictures</a></p>
}

static struct err *
load(struct page *p)
{
	p->under = tr(is_public);
	return picture_look(p->c, p->v->workspace, p->v->name, p->data);
}

static const struct page_kind picture_page = { sizeof(struct picture_view), load, write_screen };

#define PICTURE .title = tr_mark("Picture"), .page = &picture_page
#define WRITER .need = RIGHT_WRITE

SCREEN(pictures) = {
	{ "GET", "/W/pictures/NAME", PICTURE, .any = RIGHT_WRITE | RIGHT_PUBLISH },
	{ "POST", "/W/pictures/NAME", PICTURE, WRITER, .act = &describe_it },
	{ "POST", "/W/pictures/NAME/remove", PICTURE, WRITER, .act = &remove_it },
	{ "GET", "/W/pictures", .title = tr_mark("Pictures"), .any = RIGHT_WRITE | RIGHT_PUBLISH,
	    .handler = list },
	{ "POST", "/W/pictures", .title = tr_mark("Pictures"), WRITER, .files = true,
	    .script = SCREEN_EDITS, .handler = upload },
	{ .method = NULL },
};
