/* The result of a research order: as a part of its page, and as a file (docs/console.md §4.7). */
#include <string.h>

#include <jansson.h>

#include "../all.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "console/answer.h"
#include "orders.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* The members that are a line or lines each. */
static const struct {
	const char *name, *label;
} lines[] = {
	{ "summary", tr_mark("Summary") },
	{ "angle", tr_mark("Angle") },
	{ "audience", tr_mark("Readers") },
};
static const struct {
	const char *name, *label;
} lists[] = {
	{ "questions", tr_mark("Questions to answer") },
	{ "keywords", tr_mark("Keywords") },
};

#define LINES (sizeof(lines) / sizeof(lines[0]))
#define LISTS (sizeof(lists) / sizeof(lists[0]))

/* Reads the brief, which the job runner checked (job/result.h). NULL: it is damaged. */
static json_t *
parse(struct ctx *c, const struct job *job)
{
	json_t *brief;

	if (job->brief == NULL ||
	    jread_parse(c, "brief", job->brief, strlen(job->brief), &brief) != NULL)
		return NULL;
	return json_is_object(brief) ? brief : NULL;
}

/* Returns a text of an object, or NULL where it is empty. */
static const char *
text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL && text[0] != '\0' ? text : NULL;
}

/* ---- as a page */

static void
write_text(struct hwrite *w, const char *label, const char *text)
{
	if (text == NULL)
		return;
	hwrite_element(w, H_H3, label);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_DIR, "auto");
	hwrite_text(w, text);
	hwrite_close(w, H_P);
}

static void
write_items(struct hwrite *w, const json_t *array)
{
	if (json_array_size(array) == 0)
		return;
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));
		hwrite_open(w, H_LI);
		screen_data(w, text != NULL ? text : "");
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

static void
write_outline(struct hwrite *w, const json_t *outline)
{
	if (json_array_size(outline) == 0)
		return;
	hwrite_element(w, H_H3, tr("Outline"));
	for (size_t i = 0; i < json_array_size(outline); i++) {
		const json_t *part = json_array_get(outline, i);
		const char *heading = text_of(part, "heading");
		hwrite_open(w, H_H4);
		screen_data(w, heading != NULL ? heading : "–");
		hwrite_close(w, H_H4);
		write_items(w, json_object_get(part, "points"));
	}
}

static void
write_source(struct ctx *c, struct hwrite *w, const json_t *source)
{
	static const char *const more[] = { "publisher", "published" };
	const char *title = text_of(source, "title"), *url = text_of(source, "url");
	int64_t day;

	hwrite_open(w, H_LI);
	if (url != NULL && (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0)) {
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, url);
		screen_data(w, title != NULL ? title : url);
		hwrite_close(w, H_A);
	} else {
		screen_data(w, title != NULL ? title : "–");
	}
	for (size_t i = 0; i < 2; i++) {
		const char *text = text_of(source, more[i]);
		if (text == NULL)
			continue;
		hwrite_text(w, ", ");
		screen_data(
		    w, clock_parse_date(text, &day) ? say_day_text(c, day / CLOCK_DAY) : text);
	}
	hwrite_close(w, H_LI);
}

static void
write_sources(struct ctx *c, struct hwrite *w, const json_t *sources)
{
	if (json_array_size(sources) == 0)
		return;
	hwrite_element(w, H_H3, tr("Sources"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < json_array_size(sources); i++)
		write_source(c, w, json_array_get(sources, i));
	hwrite_close(w, H_UL);
}

/* Articles of the workspace that it names. One that was deleted since is left out. */
static void
write_related(struct hwrite *w, struct ctx *c, const struct visit *v, const json_t *ids)
{
	bool begun = false;

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < json_array_size(ids); i++) {
		const char *id = json_string_value(json_array_get(ids, i));
		const struct article *a = id == NULL ? NULL : article_find(c, v->workspace->id, id);
		if (a == NULL)
			continue;
		if (!begun) {
			hwrite_element(w, H_H3, tr("Related articles"));
			hwrite_open(w, H_UL);
		}
		begun = true;
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(
		    w, A_HREF, console_path(c, v, "/%s/articles/%s", v->workspace->uuid, a->uuid));
		screen_data(w, a->title);
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	db_rollback(c);
	if (begun)
		hwrite_close(w, H_UL);
}

bool
orders_write_brief(struct hwrite *w, struct ctx *c, const struct visit *v, const struct job *job)
{
	const json_t *brief = parse(c, job);
	const char *topic;

	if (brief == NULL)
		return false;
	topic = text_of(brief, "topic");
	hwrite_open(w, H_H2);
	screen_data(w, topic != NULL ? topic : tr("The brief"));
	hwrite_close(w, H_H2);
	for (size_t i = 0; i < LINES; i++)
		write_text(w, tr(lines[i].label), text_of(brief, lines[i].name));
	write_outline(w, json_object_get(brief, "outline"));
	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = json_object_get(brief, lists[i].name);
		if (json_array_size(list) == 0)
			continue;
		hwrite_element(w, H_H3, tr(lists[i].label));
		write_items(w, list);
	}
	write_sources(c, w, json_object_get(brief, "sources"));
	write_related(w, c, v, json_object_get(brief, "related"));
	return true;
}

/* ---- as a file */

static void
add_items(struct buf *out, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));
		buf_printf(out, "- %s\n", text != NULL ? text : "");
	}
}

static void
add_sources(struct buf *out, const json_t *sources)
{
	static const char *const members[] = { "title", "publisher", "published", "url" };

	for (size_t i = 0; i < json_array_size(sources); i++) {
		bool more = false;
		buf_add_text(out, "- ");
		for (size_t m = 0; m < 4; m++) {
			const char *text = text_of(json_array_get(sources, i), members[m]);
			if (text != NULL)
				buf_printf(out, "%s%s", more ? ", " : "", text);
			more |= text != NULL;
		}
		buf_add_char(out, '\n');
	}
}

static void
add_brief(struct buf *out, const json_t *brief)
{
	const json_t *outline = json_object_get(brief, "outline");
	const json_t *sources = json_object_get(brief, "sources");
	const char *topic = text_of(brief, "topic");

	buf_printf(out, "%s\n", topic != NULL ? topic : "");
	for (size_t i = 0; i < LINES; i++) {
		const char *text = text_of(brief, lines[i].name);
		if (text != NULL)
			buf_printf(out, "\n%s\n\n%s\n", tr(lines[i].label), text);
	}
	for (size_t i = 0; i < json_array_size(outline); i++) {
		const json_t *part = json_array_get(outline, i);
		const char *heading = text_of(part, "heading");
		buf_printf(out, "%s\n%zu. %s\n",
		    i == 0 ? arena_printf(out->arena, "\n%s\n", tr("Outline")) : "", i + 1,
		    heading != NULL ? heading : "");
		add_items(out, json_object_get(part, "points"));
	}
	for (size_t i = 0; i < LISTS; i++) {
		const json_t *list = json_object_get(brief, lists[i].name);
		if (json_array_size(list) > 0)
			buf_printf(out, "\n%s\n\n", tr(lists[i].label));
		add_items(out, list);
	}
	if (json_array_size(sources) > 0)
		buf_printf(out, "\n%s\n\n", tr("Sources"));
	add_sources(out, sources);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct orders_one one;
	const json_t *brief;
	struct err *err = orders_read(c, v->workspace, v->id, &one);

	if (err != NULL)
		return err;
	brief = parse(c, one.job);
	if (brief == NULL)
		return refuse(c, ERR_NOT_FOUND, tr_mark("This order has no brief."));
	reply->type = "text/plain; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(
	    reply, "Content-Disposition", "attachment; filename=\"brief-%.8s.txt\"", one.job->uuid);
	add_brief(&reply->body, brief);
	return NULL;
}

const struct console_row brief_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/orders/ID/brief",
	    .title = tr_mark("Order"),
	    .need = ORDERS_NEED,
	    .handler = download },
	{ .method = NULL },
};
