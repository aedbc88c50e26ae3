/* What the editor's script asks and nothing is stored for, so that its forms have no number: what
 * the blocks of a text are (import/markdown/blocks.h), what pasted HTML is as Markdown, and which
 * articles have words in their titles.
 *
 * blocks: 200 {blocks: […]}; 422 {errors: [{field, line, text}]}: the reader refuses the text.
 * titles: 200 {found: [{title, address, state}]}, the newest first: `address` is null where readers
 * have none yet.
 * Other refusals as in editor-script.c. */
#include <string.h>

#include "../all.h"
#include "action/action.h"
#include "action/article/article-search.h"
#include "action/article/article-writing.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "editor-screen.h"
#include "export/facts.h"
#include "import/markdown/blocks.h"
#include "pages/page-item.h"
#include "screen/tr.h"
#include "store/db.h"

const struct editor_says editor_view_says[] = {
	{ "ways", tr_mark("How the text is shown") },
	{ "visual", tr_mark("Visual") },
	{ "markdown", tr_mark("Markdown") },
	{ "again", tr_mark("Try again") },
	{ "cannot",
	    tr_mark(
		"This text cannot be shown here just now, so you see its Markdown. Nothing is lost.") },
	{ "offline-view",
	    tr_mark("There is no connection, so the text stays as Markdown for now.") },
	{ "otherwise",
	    tr_mark(
		"Part of the text was read differently from what you saw. It is shown now as readers will see it; undo brings yours back.") },
	{ "broken",
	    tr_mark(
		"Something went wrong in the visual view. Your text is here as Markdown, and nothing is lost.") },
	{ "big",
	    tr_mark("This text is too long for the visual view. Its Markdown has no such limit.") },
	{ "as-markdown", tr_mark("Edit as Markdown") },
	{ "done", tr_mark("Done") },
	{ "enter", tr_mark("Enter edits it") },
	{ "insert", tr_mark("Insert") },
	{ "results", tr_mark("Results: %s") },
	{ "subheading", tr_mark("Subheading") },
	{ "paragraph", tr_mark("Paragraph") },
	{ "undo", tr_mark("Undo") },
	{ "redo", tr_mark("Redo") },
	{ "move-up", tr_mark("Move up") },
	{ "move-down", tr_mark("Move down") },
	{ "break", tr_mark("New line in the paragraph") },
	{ "formats", tr_mark("Formats of the text") },
	{ "leave", tr_mark("Leave the text") },
	{ "bold", tr_mark("Bold") },
	{ "italic", tr_mark("Italic") },
	{ "link", tr_mark("Link") },
	{ "heading", tr_mark("Heading") },
	{ "list", tr_mark("List") },
	{ "numbers", tr_mark("Numbered list") },
	{ "quote", tr_mark("Quote") },
	{ "code", tr_mark("Code") },
	{ "picture", tr_mark("Picture") },
	{ "table", tr_mark("Table") },
	{ "row-column", tr_mark("Row or column") },
	{ "row-add", tr_mark("Add a row") },
	{ "row-remove", tr_mark("Remove the row") },
	{ "column-add", tr_mark("Add a column") },
	{ "column-remove", tr_mark("Remove the column") },
	{ "row-header", tr_mark("The first column heads the rows") },
	{ "steps", tr_mark("Steps") },
	{ "steps-about", tr_mark("Each has a name and a text") },
	{ "step-add", tr_mark("Add a step") },
	{ "who-said", tr_mark("Who said it") },
	{ "source", tr_mark("Source") },
	{ "source-new", tr_mark("A new source") },
	{ "source-title", tr_mark("A source needs a title or an address.") },
	{ "source-changed",
	    tr_mark("Somebody has changed this source meanwhile. Close this, and open it again.") },
	{ "title", tr_mark("Title") },
	{ "address", tr_mark("Address") },
	{ "publisher", tr_mark("Publisher") },
	{ "date", tr_mark("Published") },
	{ "accessed", tr_mark("Read on") },
	{ "edit", tr_mark("Edit") },
	{ "question", tr_mark("Question") },
	{ "answer", tr_mark("Answer") },
	{ "takeaways", tr_mark("Takeaways") },
	{ "picture-about", tr_mark("From a file") },
	{ "note-about", tr_mark("For readers: a tip, a warning") },
	{ "table-about", tr_mark("Rows and columns with a head") },
	{ "question-about", tr_mark("Joins the questions at the end") },
	{ "source-about", tr_mark("A reference that the text cites") },
	{ "takeaways-about", tr_mark("What readers should remember") },
	{ "todo-about", tr_mark("Left to write, in drafts only") },
	{ "kind", tr_mark("Kind") },
	{ "tip", tr_mark("Tip") },
	{ "note", tr_mark("Note") },
	{ "warning", tr_mark("Warning") },
	{ "important", tr_mark("Important") },
	{ "caution", tr_mark("Caution") },
	{ "todo", tr_mark("Something to do") },
	{ "alternative", tr_mark("Alternative text") },
	{ "caption", tr_mark("Caption") },
	{ "elsewhere", tr_mark("This picture is on another website and may disappear.") },
	{ "link-to", tr_mark("Address or title") },
	{ "link-text", tr_mark("Text") },
	{ "link-open", tr_mark("Open") },
	{ "link-remove", tr_mark("Remove the link") },
	{ "link-wrong", tr_mark("An address begins with https:, http:, mailto: or #.") },
	{ "titles", tr_mark("Articles with this title") },
	{ "no-address",
	    tr_mark(
		"This article has no address yet: it was never published, or Settings has no website.") },
	{ "no-titles", tr_mark("No article was found just now. An address can be typed here.") },
	{ "offline-titles",
	    tr_mark(
		"There is no connection, so no article can be found. An address can be typed here.") },
	{ NULL, NULL },
};

#define BLOCKS_TEXT_MAX ((size_t)1024 * 1024)
#define PICTURES_SHOWN 300

/* A text that is shown, with the pictures that it names. One text may name 10,000, so each is
 * looked up once, and all of them in one transaction. */
struct showing {
	struct ctx *c;
	const struct visit *v;
	struct blocks_asked asked;
	const char *text;
	struct buf *out;
	struct {
		const char *digest, *address;
	} pictures[PICTURES_SHOWN];
	size_t count;
};

/* Returns the address on this origin of a picture of the workspace that a text names, or NULL, also
 * for what comes after so many others. */
static const char *
shown_at(struct ctx *c, void *arg, const char *src)
{
	struct showing *s = arg;
	const char *digest = strncmp(src, "media:", 6) == 0 ? media_digest_of(c, src + 6) : NULL;
	const char *name, *address;

	if (digest == NULL)
		return NULL;
	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->pictures[i].digest, digest) == 0)
			return s->pictures[i].address;
	}
	if (s->count == PICTURES_SHOWN)
		return NULL;
	name = picture_list_name(c, s->v->workspace->id, digest);
	address = name != NULL ? pictures_address(c, s->v, name) : NULL;
	s->pictures[s->count].digest = digest;
	s->pictures[s->count++].address = address;
	return address;
}

static struct err *
read_blocks(void *arg)
{
	struct showing *s = arg;

	return blocks_write(s->c, &s->asked, s->text, s->out);
}

/* Returns the text that was sent with \n at the ends of its lines (arena), or NULL. */
static const char *
text_of(struct ctx *c, const struct visit *v)
{
	const char *sent = console_sent(v, "text");
	char *text, *to;

	if (sent == NULL)
		return NULL;
	text = to = arena_text(c->arena, sent);
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\r' || p[1] != '\n')
			*to++ = *p == '\r' ? '\n' : *p;
	}
	*to = '\0';
	return text;
}

static struct err *
write_blocks(struct ctx *c, const struct visit *v, const char *text, const struct snapshot *base,
    struct buf *out)
{
	const char *title = console_sent(v, "title");
	const struct settings *settings = &v->workspace->settings;
	/* A title that no heading is. */
	struct snapshot empty = { .title = "…", .slug = "", .language = settings->language };
	struct showing s = { .c = c,
		.v = v,
		.asked = { .settings = settings,
		    .base = base,
		    .title = title,
		    .address = shown_at,
		    .address_arg = &s },
		.text = text,
		.out = out };
	struct err *err;

	content_init(&empty.content, empty.language);
	if (base == NULL)
		s.asked.base = &empty;
	if (title == NULL || title[0] == '\0')
		s.asked.title = empty.title;
	err = action_read(c, read_blocks, &s);
	if (err == NULL && buf_full(out))
		err = refuse(c, ERR_TOO_LARGE, tr_mark("This has too many parts to be shown."));
	return err;
}

static struct err *
blocks(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *text = text_of(c, v), *base = console_sent(v, "base");
	const struct snapshot *s = NULL;
	struct jwrite w;
	struct err *err = NULL;

	if (v->id != NULL)
		err = writing_base(c, v->workspace, v->id, base != NULL ? base : "", &s);
	if (err == NULL && text == NULL)
		err = refuse(c, ERR_INVALID, tr_mark("There is no text to read."));
	if (err == NULL && strlen(text) > BLOCKS_TEXT_MAX)
		err = refuse(c, ERR_TOO_LARGE,
		    tr_mark("This text is longer than %zu MiB, so it is shown as Markdown."),
		    BLOCKS_TEXT_MAX >> 20);
	if (err != NULL)
		return err;
	console_json(reply);
	err = write_blocks(c, v, text, s, &reply->body);
	if (err == NULL || err->code != ERR_INVALID)
		return err;
	console_json(reply);
	reply->status = 422;
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_array(&w, "errors");
	script_error(&w, "text", err->message, NULL);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	return NULL;
}

/* ---- HTML that is pasted into the text: the script sends it, and types the Markdown that comes
 * back, or shows its blocks with their captions. Nothing is stored, so the form has no number. */

static struct err *
paste(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *html = console_sent(v, "html");
	struct pasted pasted;
	struct buf read;
	struct jwrite w;

	if (html == NULL)
		return refuse(c, ERR_INVALID, tr_mark("There is nothing to paste."));
	TRY(pasted_read(c, v->workspace, html, &pasted));
	console_json(reply);
	/* The other half has room for any text. */
	buf_init(&read, c->arena, reply->body.max / 2);
	TRY(write_blocks(c, v, pasted.markdown, &pasted.snapshot, &read));
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_text(&w, "text", pasted.markdown);
	jwrite_member_int(&w, "pictures_left_out", (int64_t)pasted.pictures_left_out);
	jwrite_name(&w, "read");
	jwrite_raw(&w, read.data, read.len);
	jwrite_object_end(&w);
	return NULL;
}

/* ---- the articles to which a link may lead */

#define TITLES_MAX 8
#define TITLES_SEARCH_MAX 200 /* characters */

/* Returns where readers open an article, or NULL: what was never published has no address yet. */
static const char *
address_of(struct ctx *c, const struct visit *v, const struct article *a, const char *home)
{
	const struct export_source *source;
	const char *address;

	if (a->version == 0)
		return NULL;
	source = stored_source(c, v->workspace, a, false);
	address = export_canonical(c, source);
	if (address == NULL && home != NULL)
		address = item_address(
		    c, v->workspace, home, source->snapshot->language, source->snapshot->slug);
	return address;
}

static const char *
state_of(const struct article *a)
{
	return a->status != ARTICLE_PUBLISHED ? tr("Draft")
	       : article_has_changes(a)	      ? tr("Changed")
					      : tr("Published");
}

static struct err *
titles(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct browsing b = { .workspace_id = v->workspace->id,
		.search = console_query(c, v, "search"),
		.titles = true,
		.limit = TITLES_MAX };
	struct jwrite w;
	const char *home;

	if (b.search != NULL && utf8_length(b.search) > TITLES_SEARCH_MAX)
		return refuse(c, ERR_INVALID,
		    tr_mark("A title to look for has at most %d characters."), TITLES_SEARCH_MAX);
	browsing_read(c, &b);
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_array(&w, "found");
	db_begin_read(c, DB_CONTENT);
	home = item_home(c, v->workspace);
	for (size_t i = 0; i < b.count; i++) {
		const struct article *a = &b.found[i].article;
		const char *address = address_of(c, v, a, home);

		jwrite_object(&w);
		jwrite_member_text(&w, "title", a->title);
		if (address != NULL)
			jwrite_member_text(&w, "address", address);
		else
			jwrite_member_null(&w, "address");
		jwrite_member_text(&w, "state", state_of(a));
		jwrite_object_end(&w);
	}
	db_rollback(c);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	return NULL;
}

SCREEN(editor_blocks) = {
	{ "GET", "/W/articles/titles", .need = RIGHT_WRITE, .title = tr_mark("Articles"),
	    .handler = titles },
	{ "POST", "/W/articles/blocks", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = blocks },
	{ "POST", "/W/articles/ID/blocks", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = blocks },
	{ "POST", "/W/articles/paste", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = paste },
	{ .method = NULL },
};
