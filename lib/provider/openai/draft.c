#include "provider/openai/draft.h"

#include <string.h>

#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "provider/openai/section.h"
#include "provider/openai/text.h"

enum { TAG_MAX = 60 }; /* code points; a longer text is no tag */

static const char *
marked(struct openai *oa, struct openai_answers *answers, const char *text)
{
	return openai_text_marked(oa->c, &answers->sources, text, CONTENT_TEXT_MAX);
}

static void
write_takeaways(struct openai *oa, struct openai_answers *answers, struct jwrite *w)
{
	json_t *list = json_object_get(answers->closing, "takeaways"), *value;
	size_t i;

	jwrite_member_array(w, "takeaways");
	json_array_foreach(list, i, value)
		jwrite_text(w, marked(oa, answers, json_string_value(value)));
	jwrite_array_end(w);
}

static void
write_sections(struct openai *oa, struct openai_answers *answers, struct jwrite *w)
{
	json_t *parts = json_object_get(answers->outline, "sections");

	jwrite_member_array(w, "sections");
	for (size_t i = 0; i < answers->section_count; i++)
		openai_section_write(oa->c, &answers->sources,
		    openai_text_member(json_array_get(parts, i), "heading"), answers->sections[i],
		    w);
	jwrite_array_end(w);
}

static void
write_faqs(struct openai *oa, struct openai_answers *answers, struct jwrite *w)
{
	json_t *list = json_object_get(answers->closing, "faqs"), *faq;
	size_t i;

	jwrite_member_array(w, "faqs");
	json_array_foreach(list, i, faq) {
		jwrite_object(w);
		jwrite_member_text(w, "question",
		    openai_text_escaped(
			oa->c, openai_text_member(faq, "question"), OPENAI_HEADING_MAX));
		jwrite_member_text(
		    w, "answer", marked(oa, answers, openai_text_member(faq, "answer")));
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

/* Writes the content in the order in which it is read, so that references are numbered
 * in that order. The references come last. */
static void
write_content(struct openai *oa, struct openai_answers *answers, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(
	    &w, "summary", marked(oa, answers, openai_text_member(answers->closing, "summary")));
	write_takeaways(oa, answers, &w);
	write_sections(oa, answers, &w);
	write_faqs(oa, answers, &w);
	jwrite_name(&w, "references");
	openai_source_references(&answers->sources, &w);
	jwrite_object_end(&w);
}

static bool
make_content(struct openai *oa, struct openai_answers *answers, struct content *out)
{
	struct ctx *c = oa->c;
	struct err *err;
	struct buf text;
	json_t *json;

	buf_init(&text, c->arena, CONTENT_BYTES_MAX);
	write_content(oa, answers, &text);
	if (buf_full(&text))
		return openai_fail(oa, PROTOCOL_INVALID_OUTPUT, false,
		    "The model wrote more than an article may hold.");
	err = jread_parse(c, "content", text.data, text.len, &json);
	if (err == NULL)
		err = content_from_json(c, "content", json, oa->task->workspace.language, out);
	if (err == NULL)
		return true;
	log_line("content: %s", err->message);
	return openai_fail(
	    oa, PROTOCOL_INVALID_OUTPUT, false, "What the model wrote does not make an article.");
}

static const char *
tag(struct openai *oa, const char *text)
{
	text = openai_text_plain(oa->c, text, TAG_MAX + 1);
	return text[0] != '\0' && utf8_length(text) <= TAG_MAX ? text : NULL;
}

static void
take_tags(struct openai *oa, json_t *list, struct draft *out)
{
	json_t *value;
	size_t i;

	out->tags = arena_array(oa->c->arena, json_array_size(list) + 1, sizeof(*out->tags));
	json_array_foreach(list, i, value) {
		const char *text = tag(oa, json_string_value(value));
		if (text != NULL)
			out->tags[out->tag_count++] = text;
	}
}

bool
openai_draft(struct openai *oa, struct openai_answers *answers, struct draft *out)
{
	struct content *content = arena_alloc(oa->c->arena, sizeof(*content));
	json_t *closing = answers->closing;

	memset(out, 0, sizeof(*out));
	if (!make_content(oa, answers, content))
		return false;
	out->content = content;
	out->title = openai_text_plain(
	    oa->c, openai_text_member(answers->outline, "title"), OPENAI_TITLE_MAX);
	out->description = openai_text_plain(
	    oa->c, openai_text_member(closing, "description"), OPENAI_DESCRIPTION_MAX);
	out->section = tag(oa, openai_text_member(closing, "section"));
	take_tags(oa, json_object_get(closing, "tags"), out);
	return true;
}
