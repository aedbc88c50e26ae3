#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "content/content-id.h"
#include "content/content-read.h"
#include "content/inline.h"

/* A date has at most so many characters; a text in its place is kept as given. */
#define DATE_MAX 60

static const char *
read_id(struct jread *r, json_t *json, enum jread_need need)
{
	return content_text_line(r, json, "id", need, CONTENT_ID_MAX);
}

static struct section *
read_sections(struct jread *r, json_t *object, const char *name, bool nested, size_t *count);

/* Reads a section, or a subsection if it is nested. If `headed`, its heading must
 * not be empty. */
static void
read_section(struct jread *r, json_t *json, bool nested, bool headed, struct section *s)
{
	jread_only(r, json,
	    nested ? "id heading body steps tables callouts"
		   : "id heading body steps tables callouts subsections");
	s->id = read_id(r, json, JREAD_ANY);
	s->heading = headed
			 ? content_text_heading(r, json, "heading")
			 : content_text_line(r, json, "heading", JREAD_NEEDED, CONTENT_HEADING_MAX);
	content_block_flow(r, json, s);
	if (!nested)
		s->subsections = read_sections(r, json, "subsections", true, &s->subsection_count);
}

/* Reads sections or subsections. Only the first section may have an empty
 * heading: it is the beginning of the article. */
static struct section *
read_sections(struct jread *r, json_t *object, const char *name, bool nested, size_t *count)
{
	json_t *array = jread_array(r, object, name, nested ? JREAD_OPTIONAL : JREAD_NEEDED,
	    nested ? CONTENT_SUBSECTIONS_MAX : CONTENT_SECTIONS_MAX);
	struct section *sections;

	*count = json_array_size(array);
	sections = arena_array(r->c->arena, *count, sizeof(*sections));
	jread_enter(r, name);
	for (size_t i = 0; i < *count; i++) {
		jread_enter_element(r, i);
		read_section(r, jread_element_object(r, json_array_get(array, i)), nested,
		    nested || i > 0, &sections[i]);
		jread_leave(r);
	}
	jread_leave(r);
	return sections;
}

static void
read_faqs(struct jread *r, json_t *object, struct content *out)
{
	json_t *array = jread_array(r, object, "faqs", JREAD_OPTIONAL, CONTENT_FAQS_MAX);

	out->faq_count = json_array_size(array);
	out->faqs = arena_array(r->c->arena, out->faq_count, sizeof(*out->faqs));
	jread_enter(r, "faqs");
	for (size_t i = 0; i < out->faq_count; i++) {
		struct faq *faq = &out->faqs[i];
		json_t *json;
		jread_enter_element(r, i);
		json = jread_element_object(r, json_array_get(array, i));
		jread_only(r, json, "id question answer");
		faq->id = read_id(r, json, JREAD_ANY);
		faq->question = content_text_heading(r, json, "question");
		faq->answer = content_text(r, json, "answer", JREAD_NEEDED);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
read_reference(struct jread *r, json_t *json, struct reference *reference)
{
	jread_only(r, json, "id title url publisher published accessed");
	reference->id = read_id(r, json, JREAD_NEEDED);
	if (reference->id[0] == '\0')
		jread_refuse(r, "id", "must not be empty.");
	reference->title = content_text_line(r, json, "title", JREAD_NEEDED, CONTENT_TEXT_MAX);
	if (content_text_is_blank(reference->title))
		jread_refuse(r, "title", "must not be empty.");
	reference->url = content_text_address(r, json, "url", JREAD_ANY, false);
	reference->publisher = content_text_line_or_null(r, json, "publisher", CONTENT_HEADING_MAX);
	reference->published = content_text_line_or_null(r, json, "published", DATE_MAX);
	reference->accessed = content_text_line_or_null(r, json, "accessed", DATE_MAX);
}

static void
read_references(struct jread *r, json_t *object, struct content *out)
{
	json_t *array =
	    jread_array(r, object, "references", JREAD_OPTIONAL, CONTENT_REFERENCES_MAX);

	out->reference_count = json_array_size(array);
	out->references = arena_array(r->c->arena, out->reference_count, sizeof(*out->references));
	jread_enter(r, "references");
	for (size_t i = 0; i < out->reference_count; i++) {
		jread_enter_element(r, i);
		read_reference(
		    r, jread_element_object(r, json_array_get(array, i)), &out->references[i]);
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads a label. An empty one leaves the label of the article's language. */
static void
read_label(struct jread *r, json_t *labels, const char *name, const char **label)
{
	const char *text = content_text_line_or_null(r, labels, name, CONTENT_HEADING_MAX);

	if (text != NULL)
		*label = text;
}

static void
read_labels(struct jread *r, json_t *object, struct content *out)
{
	json_t *labels = jread_object(r, object, "labels", JREAD_OPTIONAL);

	if (labels == NULL)
		return;
	jread_enter(r, "labels");
	jread_only(r, labels, "takeaways faqs references");
	read_label(r, labels, "takeaways", &out->labels.takeaways);
	read_label(r, labels, "faqs", &out->labels.faqs);
	read_label(r, labels, "references", &out->labels.references);
	jread_leave(r);
}

static struct err *
read_content(
    struct ctx *c, const char *what, json_t *json, const char *language, struct content *out)
{
	struct jread r;

	content_init(out, language);
	jread_begin(&r, c, what);
	json = jread_element_object(&r, json);
	jread_only(
	    &r, json, "summary takeaways sections faqs references imageAlt imageCaption labels");
	out->summary = content_text(&r, json, "summary", JREAD_OPTIONAL);
	out->takeaways = content_text_array(
	    &r, json, "takeaways", JREAD_OPTIONAL, CONTENT_ITEMS_MAX, &out->takeaway_count);
	out->sections = read_sections(&r, json, "sections", false, &out->section_count);
	read_faqs(&r, json, out);
	read_references(&r, json, out);
	out->image_alt = content_text_line_or_null(&r, json, "imageAlt", CONTENT_TEXT_MAX);
	out->image_caption = content_text_or_null(&r, json, "imageCaption");
	read_labels(&r, json, out);
	return jread_end(&r);
}

struct cites {
	struct ctx *c;
	const char *what;
	struct content_ids references;
	struct err *err;
};

/* Refuses a citation, in any text but code, of an id that no reference has. */
static void
check_cites(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct cites *cites = arg;
	struct inline_token *tokens;
	size_t count;

	if (kind == CONTENT_IS_CODE || strstr(text, "[^") == NULL)
		return;
	tokens = inline_parse(cites->c->arena, text, &count);
	for (size_t i = 0; i < count && cites->err == NULL; i++) {
		const char *id = arena_text_n(cites->c->arena, tokens[i].text, tokens[i].len);
		if (tokens[i].event == INLINE_CITE && !content_ids_has(&cites->references, id))
			cites->err = err_param(cites->c, cites->what,
			    tr_mark(
				"%s: [^%s] in %s cites a reference that is not among the references."),
			    cites->what, id, place);
	}
}

static struct err *
check_references(struct ctx *c, const char *what, const struct content *content)
{
	struct content only = { .references = content->references,
		.reference_count = content->reference_count };
	struct cites cites = { .c = c, .what = what };

	content_ids_init(&cites.references, c->arena, &only);
	content_walk(content, check_cites, &cites);
	if (content->image_caption != NULL)
		check_cites(&cites, CONTENT_IS_SHORT, content->image_caption, "imageCaption");
	return cites.err;
}

/* Refuses content whose JSON is longer than CONTENT_BYTES_MAX. */
static struct err *
check_size(struct ctx *c, const char *what, const struct content *content)
{
	struct buf json;

	buf_init(&json, c->arena, CONTENT_BYTES_MAX);
	content_to_json(content, NULL, &json);
	if (buf_full(&json))
		return err_param(
		    c, what, tr_mark("%s is longer than %d bytes."), what, CONTENT_BYTES_MAX);
	return NULL;
}

struct err *
content_from_json(
    struct ctx *c, const char *what, json_t *json, const char *language, struct content *out)
{
	struct err *err = read_content(c, what, json, language, out);

	if (err == NULL) {
		content_ids_number(c, out);
		err = content_ids_check(c, what, out);
	}
	if (err == NULL)
		err = check_references(c, what, out);
	return err != NULL ? err : check_size(c, what, out);
}

void
content_from_stored(struct ctx *c, const char *json, const char *language, struct content *out)
{
	json_t *root;
	struct err *err = jread_parse(c, "content", json, strlen(json), &root);

	if (err == NULL)
		err = read_content(c, "content", root, language, out);
	if (err != NULL)
		die("stored content: %s", err->message);
}
