/* An article as its readers will see it (docs/console.md §4.5): the working copy or the edition,
 * in a frame of 360 or 1280 px, light or dark. share.c has the links for strangers. */
#include <string.h>

#include "action/article/article-actions.h"
#include "all.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "export/facts.h"
#include "preview.h"
#include "screen/assets.h"
#include "screen/tr.h"

static const struct field_choice both[] = {
	{ "copy", tr_mark("The working copy") },
	{ "edition", tr_mark("What is published") },
	{ NULL, NULL },
};

static const struct field_choice copy_alone[] = {
	{ "copy", tr_mark("The working copy") },
	{ NULL, NULL },
};

static const struct field_choice widths[] = {
	{ "360", tr_mark("A phone, 360 px") },
	{ "1280", tr_mark("A desk, 1280 px") },
	{ NULL, NULL },
};

static const struct field_choice schemes[] = {
	{ "light", tr_mark("Light") },
	{ "dark", tr_mark("Dark") },
	{ NULL, NULL },
};

static const struct field published[] = {
	{ .name = "of",
	    .label = tr_mark("Show"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = both },
	{ .name = "width",
	    .label = tr_mark("Width"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = widths },
	{ .name = "colours",
	    .label = tr_mark("Colours"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = schemes },
	{ .name = "look", .label = tr_mark("Look"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field draft[] = {
	{ .name = "of",
	    .label = tr_mark("Show"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = copy_alone },
	{ .name = "width",
	    .label = tr_mark("Width"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = widths },
	{ .name = "colours",
	    .label = tr_mark("Colours"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = schemes },
	{ .name = "look", .label = tr_mark("Look"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* Returns the value of a parameter if it is one of the choices, else the first of them. */
static const char *
chosen(struct ctx *c, const struct visit *v, const char *name, const struct field_choice *choices)
{
	const char *value = console_query(c, v, name);

	for (size_t i = 0; value != NULL && choices[i].value != NULL; i++) {
		if (strcmp(choices[i].value, value) == 0)
			return choices[i].value;
	}
	return choices[0].value;
}

static void
write_choices(struct hwrite *w, const struct preview *p)
{
	struct form f;

	form_init(&f, "view", p->is_published ? published : draft);
	form_fill(&f, "of", p->of);
	form_fill(&f, "width", p->width);
	form_fill(&f, "colours", p->scheme);
	form_write(w, &f,
	    &(struct form_head) {
		.search = true, .action = console_path(p->c, p->v, "%s/preview", p->path) });
}

/* The frame of a desk keeps its width on a narrower screen, and its box scrolls: who has only a
 * keyboard scrolls the box, which takes the focus. That of a phone is as wide as its box there. */
static void
write_frame(struct hwrite *w, const struct preview *p)
{
	bool phone = strcmp(p->width, "360") == 0;

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "framed");
	hwrite_attr(w, A_ROLE, "region");
	hwrite_attr(w, A_ARIA_LABEL, tr("The article as readers see it"));
	hwrite_attr(w, A_TABINDEX, "0");
	hwrite_open(w, H_IFRAME);
	hwrite_attr(w, A_CLASS, phone ? "phone" : "desk");
	hwrite_attr(w, A_TITLE, p->look.source->snapshot->title);
	hwrite_address(w, A_SRC,
	    console_path(p->c, p->v, "%s/preview/%s?colours=%s", p->path, p->of, p->scheme));
	hwrite_close(w, H_IFRAME);
	hwrite_close(w, H_DIV);
	/* A browser prints of a frame what is in its box. */
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s/preview/%s", p->path, p->of));
	hwrite_text(w, tr("Open it alone, to print it"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
}

static void
write_fact(struct hwrite *w, const char *name, const char *text)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	screen_data(w, text);
	hwrite_close(w, H_DD);
}

/* What search engines and links on other sites show of it. */
static void
write_facts(struct hwrite *w, const struct preview *p)
{
	struct facts f;

	facts_init(&f, p->c, p->look.source);
	hwrite_element(w, H_H2, tr("In search engines and links"));
	hwrite_open(w, H_DL);
	write_fact(w, tr("Title"), f.title);
	write_fact(w, tr("Address"),
	    f.canonical != NULL ? f.canonical
				: tr("None: Settings has no website, or no pattern of addresses."));
	write_fact(w, tr("Description"),
	    f.description[0] != '\0' ? f.description
				     : tr("None: the text begins without a paragraph."));
	write_fact(w, tr("Picture"), f.image.url != NULL ? f.image.url : tr("None."));
	if (strstr(f.robots, "noindex") != NULL)
		write_fact(w, tr("Search engines"), tr("They are told not to list it."));
	hwrite_close(w, H_DL);
}

void
preview_write(struct hwrite *w, const void *data)
{
	const struct preview *p = data;

	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s", p->path));
	screen_data(w, p->look.article->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	editor_write_losses(w, &(struct editor_losses) {
				   .c = p->c, .v = p->v, .text = p->text, .losses = &p->losses });
	write_choices(w, p);
	write_frame(w, p);
	share_write(w, p);
	write_facts(w, p);
}

struct err *
preview_read(struct ctx *c, const struct visit *v, struct preview *p)
{
	const struct article *written;
	struct write_view view;
	struct article *a;
	struct err *err = console_article(c, v, &a);

	if (err != NULL)
		return err;
	*p = (struct preview) { .c = c,
		.v = v,
		.path = editor_address(c, v, v->id),
		.is_published = a->status == ARTICLE_PUBLISHED };
	p->of = chosen(c, v, "of", p->is_published ? both : copy_alone);
	p->width = chosen(c, v, "width", widths);
	p->scheme = chosen(c, v, "colours", schemes);
	if (strcmp(p->of, "copy") != 0)
		return look_at_published(c, v->id, &p->look);
	err = write_look(c, v->workspace, v->id, &written, &view);
	if (err != NULL)
		return err;
	p->text = view.text;
	editor_find_losses(c, v, &view, &p->losses);
	return look_at_copy(c, v->id, &p->look);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct preview p;
	struct err *err = preview_read(c, v, &p);

	if (err == NULL)
		err = share_read(c, v, &p);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, preview_write, &p);
	return err;
}

/* ---- the frame's document */

static struct err *
write_document(struct ctx *c, struct visit *v, struct reply *reply,
    struct err *(*look)(struct ctx *c, const char *id, struct look *out))
{
	struct article_page page = { .scheme = chosen(c, v, "colours", schemes),
		.root = v->place.root };
	struct article *a;
	struct look l;
	struct buf html;
	struct err *err = console_article(c, v, &a);

	if (err == NULL)
		err = look(c, v->id, &l);
	if (err != NULL)
		return err;
	buf_init(&html, c->arena, EXPORT_BYTES_MAX);
	export_html(c, l.source, &html);
	page.language = l.source->snapshot->language;
	page.title = l.source->snapshot->title;
	page.html = buf_done(&html);
	page.html_len = html.len;
	console_framed(reply, console_query(c, v, "beside") != NULL);
	article_page_write(&reply->body, &page);
	return NULL;
}

static struct err *
show_copy(struct ctx *c, struct visit *v, struct reply *reply)
{
	return write_document(c, v, reply, look_at_copy);
}

static struct err *
show_edition(struct ctx *c, struct visit *v, struct reply *reply)
{
	return write_document(c, v, reply, look_at_published);
}

#define PREVIEW .method = "GET", .title = tr_mark("Preview")

const struct console_row preview_screens[] = {
	{ PREVIEW, .pattern = "/W/articles/ID/preview", .handler = show },
	{ PREVIEW, .pattern = "/W/articles/ID/preview/copy", .handler = show_copy },
	{ PREVIEW, .pattern = "/W/articles/ID/preview/edition", .handler = show_edition },
	{ .method = NULL },
};
