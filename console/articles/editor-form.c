/* The form of the editor (docs/console.md §5.1): its fields and what they say; the text as a file
 * ("Text from a file", for hosts that limit what a text field may send, and "Download as
 * Markdown"); the cover: one of the workspace's pictures, an address, or a file that is sent with
 * the form. */
#include <string.h>

#include "../all.h"
#include "action/article/article-actions.h"
#include "action/article/article-writing.h"
#include "action/article/block-facts.h"
#include "article/article-list.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/utf8.h"
#include "console/answer.h"
#include "content/lang.h"
#include "editor-screen.h"
#include "export/export.h"
#include "import/markdown/body.h"
#include "import/markdown/markdown.h"
#include "screen/tr.h"

#define TEXT_BYTES ((size_t)8 * 1024 * 1024)

static const struct field fields[] = {
	{ .name = "base", .kind = FIELD_HIDDEN },
	{ .name = "was-address", .kind = FIELD_HIDDEN, .max = 8000 },
	{ .name = "was-date", .kind = FIELD_HIDDEN },
	/* When its base was shown first. Several saves have one base if only their texts differ. */
	{ .name = "shown", .kind = FIELD_HIDDEN },
	/* The visual view fills it (action/article/block-facts.h). */
	{ .name = "facts", .kind = FIELD_HIDDEN, .max = 2 * BLOCK_FACTS_MAX },
	{ .name = "title",
	    .label = tr_mark("Title"),
	    .kind = FIELD_TEXT,
	    .max = 4000,
	    .rows = 1,
	    .required = true },
	{ .name = "text",
	    .label = tr_mark("Text"),
	    .kind = FIELD_AREA,
	    .max = TEXT_BYTES,
	    .rows = 24,
	    .hint = tr_mark("Markdown: ## begins a section, an empty line a paragraph.") },
	{ .name = "slug",
	    .label = tr_mark("Slug"),
	    .kind = FIELD_TEXT,
	    .dir = "ltr",
	    .hint = tr_mark("The end of its address. Left empty, it is made of the title.") },
	{ .name = "description",
	    .label = tr_mark("Description"),
	    .kind = FIELD_TEXT,
	    .max = 8000,
	    .rows = 3,
	    .hint = tr_mark("One or two sentences for search engines.") },
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_TEXT,
	    .dir = "ltr",
	    .hint = tr_mark("A language tag. Examples: en, pt-BR") },
	{ .name = "tags",
	    .label = tr_mark("Tags"),
	    .kind = FIELD_TEXT,
	    .max = 50000,
	    .hint = tr_mark("With commas between them.") },
	{ .name = "section", .label = tr_mark("Section"), .kind = FIELD_TEXT },
	{ .name = "author", .label = tr_mark("Author"), .kind = FIELD_TEXT },
	{ .name = "author-address",
	    .label = tr_mark("Author's address"),
	    .kind = FIELD_TEXT,
	    .max = 8000,
	    .dir = "ltr",
	    .inputmode = "url" },
	{ .name = "cover",
	    .label = tr_mark("Cover"),
	    .kind = FIELD_SELECT,
	    .max = 8000,
	    .hint = tr_mark("The newest pictures of this workspace.") },
	{ .name = "cover-file",
	    .label = tr_mark("New picture"),
	    .kind = FIELD_FILE,
	    .accept = PICTURES_ACCEPT,
	    .hint = tr_mark("It becomes the cover. JPEG, PNG, WebP or GIF, at most 32 MiB.") },
	{ .name = "cover-address",
	    .label = tr_mark("Another picture"),
	    .kind = FIELD_TEXT,
	    .max = 8000,
	    .dir = "ltr",
	    .inputmode = "url",
	    .hint = tr_mark(
		"An address that begins with https://, or the short name of a picture of this workspace: media:…") },
	{ .name = "cover-alternative",
	    .label = tr_mark("Alternative text"),
	    .kind = FIELD_TEXT,
	    .max = 40000,
	    .hint = tr_mark(
		"What the cover shows. Another cover brings its own text, unless you change this one.") },
	{ .name = "cover-caption", .label = tr_mark("Caption"), .kind = FIELD_TEXT, .max = 40000 },
	{ .name = "published-address",
	    .label = tr_mark("Published address"),
	    .kind = FIELD_TEXT,
	    .max = 8000,
	    .dir = "ltr",
	    .inputmode = "url",
	    .hint = tr_mark("Where the site shows it. It counts at once.") },
	{ .name = "noindex", .label = tr_mark("Hide from search engines"), .kind = FIELD_CHECKBOX },
	{ .name = "date",
	    .label = tr_mark("Date"),
	    .kind = FIELD_DATE,
	    .hint = tr_mark("It orders the list of articles, and counts at once.") },
	{ .name = "comment",
	    .label = tr_mark("Comment"),
	    .kind = FIELD_AREA,
	    .max = COMMENT_MAX,
	    .rows = 3,
	    .hint = tr_mark("For the people who work on this article.") },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "preview", .label = tr_mark("Preview"), .kind = FIELD_SUBMIT },
	{ .name = "check", .label = tr_mark("Check"), .kind = FIELD_SUBMIT },
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "unpublish", .label = tr_mark("Unpublish"), .kind = FIELD_SUBMIT },
	{ .name = "hand-in", .label = tr_mark("Hand in for review"), .kind = FIELD_SUBMIT },
	{ .name = "hand-back", .label = tr_mark("Hand back"), .kind = FIELD_SUBMIT },
	{ .name = "take-back", .label = tr_mark("Take back"), .kind = FIELD_SUBMIT },
	{ .name = "say", .label = tr_mark("Add comment"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

const char *const editor_names[WRITE_FIELDS] = { "title", "slug", "description", "language", "tags",
	"section", "author", "author-address", "noindex", "cover", "cover-alternative",
	"cover-caption", "published-address", "date" };

/* ---- the form */

/* A writer may not change what acts at once (docs/console.md §2.1). */
static bool
is_readonly(const struct visit *v, const struct article *a, const char *name)
{
	if (strcmp(name, "comment") == 0)
		return false;
	if (!console_may(v, RIGHT_WRITE))
		return true;
	if (console_may(v, RIGHT_PUBLISH))
		return false;
	return strcmp(name, "published-address") == 0 || strcmp(name, "date") == 0 ||
	       (strcmp(name, "slug") == 0 && a != NULL && a->version > 0);
}

bool
editor_has_field(const char *name)
{
	for (size_t i = 0; fields[i].name != NULL; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Whether this person may do an act of the review now (docs/console.md §2.1). Who publishes
 * has no need to hand in what was never saved. */
static bool
has_review(const struct visit *v, const struct article *a, const struct handed *h, const char *name)
{
	bool own = review_is_own(h, v->person->uuid);

	if (console_rests(v))
		return false;
	if (a == NULL)
		return strcmp(name, "hand-in") == 0 && console_may(v, RIGHT_WRITE) &&
		       !console_may(v, RIGHT_PUBLISH);
	/* It saves first: then there is something to hand in. */
	if (strcmp(name, "hand-in") == 0)
		return console_may(v, RIGHT_WRITE) && h->at == 0;
	if (strcmp(name, "take-back") == 0)
		return console_may(v, RIGHT_WRITE) && own;
	if (strcmp(name, "hand-back") == 0)
		return console_may(v, RIGHT_PUBLISH) && h->at != 0 && !own;
	return true;
}

static bool
has_button(const struct visit *v, const struct article *a, const struct handed *h, const char *name)
{
	if (strcmp(name, "say") == 0 || strstr(name, "hand-") == name ||
	    strcmp(name, "take-back") == 0)
		return has_review(v, a, h, name);
	if (strcmp(name, "save") == 0 || strcmp(name, "preview") == 0 || strcmp(name, "check") == 0)
		return console_may(v, RIGHT_WRITE);
	if (!console_may(v, RIGHT_PUBLISH) || (a == NULL && strcmp(name, "publish") != 0))
		return false;
	return strcmp(name, "unpublish") != 0 || (a != NULL && a->status == ARTICLE_PUBLISHED);
}

void
editor_form(struct ctx *c, const struct visit *v, const struct article *a, const struct handed *h,
    struct form *f)
{
	static const struct handed none;
	size_t count = sizeof(fields) / sizeof(fields[0]), n = 0;
	struct field *own = arena_array(c->arena, count, sizeof(*own));

	for (size_t i = 0; fields[i].name != NULL; i++) {
		if (fields[i].kind == FIELD_SUBMIT &&
		    !has_button(v, a, h != NULL ? h : &none, fields[i].name))
			continue;
		if (strcmp(fields[i].name, "comment") == 0 &&
		    !has_review(v, a, &none, a == NULL ? "hand-in" : "say"))
			continue;
		own[n] = fields[i];
		if (fields[i].kind != FIELD_SUBMIT && fields[i].kind != FIELD_HIDDEN)
			own[n].readonly = is_readonly(v, a, fields[i].name);
		/* The script makes a draft of a text alone. */
		if (own[n].required && v->by_script && a == NULL)
			own[n].required = false;
		n++;
	}
	form_init(f, "article", own);
	f->closed = console_rests(v);
}

void
editor_fill(struct ctx *c, struct form *f, const struct write_view *view)
{
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (i == WRITE_NOINDEX)
			form_tick(f, editor_names[i], view->values[i][0] != '\0');
		else
			form_fill(f, editor_names[i], view->values[i]);
	}
	form_fill(f, "text", view->text);
	form_fill(f, "base", view->base);
	form_fill(f, "shown", arena_printf(c->arena, "%lld", (long long)view->shown_at));
	form_fill(f, "was-address", view->values[WRITE_PUBLISHED_URL]);
	form_fill(f, "was-date", view->values[WRITE_CREATED_AT]);
}

/* ---- suggestions */

#define SUGGESTED_AFTER 300 /* bytes of tags that are there */

static bool
has_tag(struct ctx *c, const char *tags, const char *tag)
{
	const char *list = arena_printf(c->arena, ",%s,", lang_fold(c->arena, tags));
	const char *found = list;
	size_t len;

	tag = lang_fold(c->arena, tag);
	len = strlen(tag);
	while ((found = strstr(found, tag)) != NULL) {
		const char *before = found - 1, *behind = found + len;
		while (*before == ' ')
			before--;
		behind += strspn(behind, " ");
		if (*before == ',' && *behind == ',')
			return true;
		found++;
	}
	return false;
}

/* A browser puts a suggestion in the place of all that is in the field, so each begins with the
 * tags that are there: who types a comma and a letter is offered what can follow. */
static void
suggest_tags(struct ctx *c, struct form *f, const struct browse_words *words)
{
	const char *present = form_text(f, "tags");
	struct field_choice *choices =
	    arena_array(c->arena, words->tag_count + 1, sizeof(*choices));
	size_t n = 0;

	if (present != NULL && strlen(present) > SUGGESTED_AFTER)
		return;
	for (size_t i = 0; i < words->tag_count; i++) {
		const char *tag = words->tags[i];
		if (strchr(tag, ',') != NULL || (present != NULL && has_tag(c, present, tag)))
			continue;
		choices[n++].value =
		    present == NULL ? tag : arena_printf(c->arena, "%s, %s", present, tag);
	}
	form_choices(f, "tags", n > 0 ? choices : NULL);
}

void
editor_suggest(struct ctx *c, const struct visit *v, struct form *f)
{
	struct browse_words words;
	struct field_choice *languages;

	if (!console_may(v, RIGHT_WRITE))
		return;
	browse_words(c, v->workspace->id, &words);
	languages = arena_array(c->arena, words.language_count + 1, sizeof(*languages));
	for (size_t i = 0; i < words.language_count; i++)
		languages[i].value = words.languages[i];
	form_choices(f, "language", words.language_count > 0 ? languages : NULL);
	suggest_tags(c, f, &words);
}

bool
editor_has(const struct form *f, const char *name)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, name) == 0)
			return true;
	}
	return false;
}

bool
editor_pressed(const struct form *f, const char *name)
{
	return editor_has(f, name) && form_is_on(f, name);
}

/* ---- the cover */

#define OFFERED 50

static bool
is_offered(const struct field_choice *choices, const char *value)
{
	while (choices->value != NULL && strcmp(choices->value, value) != 0)
		choices++;
	return choices->value != NULL;
}

void
editor_cover_offer(struct ctx *c, const struct visit *v, struct form *f, const char *present)
{
	struct picture_page page = { .limit = OFFERED, .bare = true };
	struct field_choice *choices = arena_array(c->arena, OFFERED + 4, sizeof(*choices));
	const char *sent = console_sent(v, "cover");
	size_t n = 0;

	choices[n++] = (struct field_choice) { "", tr("No cover") };
	picture_page_look(c, v->workspace, &page);
	for (size_t i = 0; i < page.count; i++) {
		const struct picture_row *row = &page.list[i].picture;
		choices[n++] =
		    (struct field_choice) { arena_printf(c->arena, "media:%s", row->name),
			    pictures_label(c, row) };
	}
	if (present != NULL && !is_offered(choices, present))
		choices[n++] = (struct field_choice) { present, tr("The present cover") };
	/* The action decides about one that is offered no more. */
	if (sent != NULL && !is_offered(choices, sent))
		choices[n++] = (struct field_choice) { sent, sent };
	form_choices(f, "cover", choices);
}

/* Returns the address or short name that the form says, or "". */
static const char *
editor_cover_of(const struct form *f)
{
	const char *address = form_text(f, "cover-address");
	const char *chosen = form_text(f, "cover");

	return address != NULL ? address : chosen != NULL ? chosen : "";
}

bool
editor_cover_begin(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const struct write_view *view, struct write *w)
{
	const char *typed = w->values[WRITE_IMAGE_ALT];
	struct upload *u;
	size_t len;

	if (!console_may(v, RIGHT_WRITE) || console_file(v, "cover-file", &len) == NULL)
		return true;
	u = arena_alloc(c->arena, sizeof(*u));
	/* Words that were there before are those of another cover. */
	u->alternative =
	    view != NULL && strcmp(typed, view->values[WRITE_IMAGE_ALT]) == 0 ? "" : typed;
	if (!pictures_take(c, v, reply, f, "cover-file", u))
		return false;
	w->upload = u;
	w->values[WRITE_IMAGE] = u->media.url;
	return true;
}

void
editor_cover_end(struct ctx *c, const struct visit *v, struct write *w, bool kept)
{
	if (w->upload == NULL)
		return;
	upload_end(c, w->upload, kept);
	if (kept)
		console_journal(c, v, "picture upload %s", w->upload->media.digest);
}

void
editor_cover_again(const struct visit *v, struct form *f)
{
	size_t len, i = 0;

	if (console_file(v, "cover-file", &len) == NULL)
		return;
	while (strcmp(f->fields[i].name, "cover-file") != 0)
		i++;
	if (f->entry[i].error == NULL)
		form_refuse(f, "cover-file",
		    tr("Choose the file again: a form that comes back cannot hold it."));
}

void
editor_write_cover(struct hwrite *w, const struct editing *e)
{
	const char *chosen = form_text(e->form, "cover");
	struct picture_view view;
	const char *digest = chosen != NULL && strncmp(chosen, "media:", 6) == 0
				 ? media_digest_of(e->c, chosen + 6)
				 : NULL;

	if (digest == NULL || picture_look(e->c, e->v->workspace, digest, &view) != NULL)
		return;
	@ <p>{!pictures_write(w, e->c, e->v, &view.picture, tr("The cover"))}</p>
}

/* ---- what was sent */

/* Whether this is what the form may show in a field that nobody could change: what it showed when
 * it was made, though somebody else changed that since. */
static bool
was_shown(const struct visit *v, const struct form *f, const char *name, const char *sent,
    const char *shown)
{
	const char *base = console_sent(v, "base"), *now = form_text(f, "base"), *was = NULL;

	if (strcmp(sent, shown) == 0)
		return true;
	if (strcmp(name, "published-address") == 0)
		was = console_sent(v, "was-address");
	else if (strcmp(name, "date") == 0)
		was = console_sent(v, "was-date");
	else
		return base != NULL && strcmp(base, now != NULL ? now : "") != 0;
	return was != NULL && strcmp(sent, was) == 0;
}

struct err *
editor_check_readonly(struct ctx *c, const struct visit *v, const struct form *f)
{
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		const char *sent = console_sent(v, f->fields[i].name);
		const char *shown = f->entry[i].text != NULL ? f->entry[i].text : "";
		if (!f->fields[i].readonly || sent == NULL || f->fields[i].kind == FIELD_AREA ||
		    (f->fields[i].kind == FIELD_CHECKBOX
			    ? f->entry[i].on
			    : was_shown(v, f, f->fields[i].name, sent, shown)))
			continue;
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark(
			"Your role here does not allow you to change %s, so nothing was saved."),
		    tr(f->fields[i].label));
	}
	return NULL;
}

static const char *
value_of(const struct form *f, size_t i)
{
	const char *text;

	if (i == WRITE_NOINDEX)
		return form_is_on(f, editor_names[i]) ? "true" : "";
	if (i == WRITE_IMAGE)
		return editor_cover_of(f);
	text = form_text(f, editor_names[i]);
	return text != NULL ? text : "";
}

void
editor_take(const struct visit *v, const struct form *f, const struct article *a, struct write *w)
{
	for (size_t i = 0; i < WRITE_FIELDS; i++) {
		if (!is_readonly(v, a, editor_names[i]))
			w->values[i] = value_of(f, i);
	}
	if (w->values[WRITE_CREATED_AT] != NULL && w->values[WRITE_CREATED_AT][0] == '\0')
		w->values[WRITE_CREATED_AT] = NULL;
	/* An empty slug is made of the title, of a new article only. */
	if (a != NULL && w->values[WRITE_SLUG] != NULL && w->values[WRITE_SLUG][0] == '\0') {
		w->values[WRITE_SLUG] = NULL;
		w->slug_is_derived = true;
	}
	if (console_may(v, RIGHT_WRITE)) {
		w->text = text_or_empty(form_text(f, "text"));
		w->facts = form_text(f, "facts");
	}
	if (editor_has(f, "comment"))
		w->comment = form_text(f, "comment");
	if (w->comment != NULL && w->comment[strspn(w->comment, " \n\t")] == '\0')
		w->comment = NULL;
	w->base = text_or_empty(form_text(f, "base"));
	w->was[WRITE_PUBLISHED_URL] = text_or_empty(form_text(f, "was-address"));
	w->was[WRITE_CREATED_AT] = text_or_empty(form_text(f, "was-date"));
}

/* ---- the text as a file */

/* Returns the file that was sent, or NULL. */
static const struct form_value *
sent_file(const struct visit *v)
{
	for (size_t i = 0; i < v->sent.file_count; i++) {
		if (strcmp(v->sent.files[i].name, "file") == 0)
			return &v->sent.files[i];
	}
	return NULL;
}

bool
editor_has_file(const struct visit *v)
{
	return console_may(v, RIGHT_WRITE) && sent_file(v) != NULL;
}

struct err *
editor_take_file(struct ctx *c, struct visit *v)
{
	const struct form_value *file = sent_file(v);
	const char *text;
	struct err *err;

	if (file == NULL || !editor_has_file(v))
		return NULL;
	err = body_of_file(c, file->text, file->len, &text);
	if (err != NULL) {
		err->param = "text";
		return err;
	}
	for (size_t i = 0; i < v->sent.count; i++) {
		if (strcmp(v->sent.values[i].name, "text") == 0) {
			v->sent.values[i].text = text;
			v->sent.values[i].len = strlen(text);
		}
	}
	return NULL;
}

/* Returns the document of the working copy (docs/export.md §5), with the text that the editor
 * shows: what its author wrote, and readers do not see, comes back with it. */
static const char *
document_of(struct ctx *c, const struct article *a, const struct write_view *shown)
{
	const char *body = body_text(c, &shown->snapshot->content);
	size_t tail = strlen(body) + (body[0] != '\0' ? 1 : 0);
	struct buf whole;

	buf_init(&whole, c->arena, 4 * EXPORT_BYTES_MAX);
	markdown_write_article(c, a, shown->snapshot, &whole);
	return arena_printf(
	    c->arena, "%.*s\n%s", (int)(whole.len - tail), buf_done(&whole), shown->text);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct article *a;
	struct write_view shown;
	struct err *err = write_look(c, v->workspace, v->id, &a, &shown);

	if (err != NULL)
		return err;
	reply->type = "text/markdown; charset=utf-8";
	head_add(reply, "no-store");
	/* A slug may hold letters of any script: RFC 6266, RFC 8187. */
	reply_header(reply, "Content-Disposition",
	    "attachment; filename=\"article.md\"; filename*=UTF-8''%s.md",
	    percent_encode_path(c->arena, a->slug));
	reply->bytes = document_of(c, a, &shown);
	reply->bytes_len = strlen(reply->bytes);
	return NULL;
}

SCREEN(editor_file) = {
	{ "GET", "/W/articles/ID/markdown", .title = tr_mark("Download as Markdown"),
	    .handler = download },
	{ .method = NULL },
};
