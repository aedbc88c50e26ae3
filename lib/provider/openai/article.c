#include "provider/openai/article.h"

#include <string.h>

#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "provider/openai/ask.h"
#include "provider/openai/prompt.h"
#include "provider/openai/schema.h"
#include "provider/openai/section.h"
#include "provider/openai/draft.h"
#include "provider/openai/text.h"

enum { SECTIONS_MIN = 2, POINTS_MAX = 20 };
enum { TAKEAWAYS_MAX = 12, FAQS_MAX = 12, TAGS_MAX = 12 };
enum { /* code points */
	POINT_MAX = 500,
	ALT_MAX = 250,
	LISTING_MAX = 20000,
	EXCERPT_MAX = 1500 /* of one section, for the closing call */
};
/* The lengths that the publishing checks ask for (docs/export.md §6, 1 and 2). */
enum { TITLE_FROM = 20, TITLE_TO = 70, DESCRIPTION_FROM = 70, DESCRIPTION_TO = 160 };

/* An article that is being written. */
struct work {
	struct openai *oa;
	const struct brief *brief;
	struct openai_answers answers;
};

static const char *
heading_of(const struct work *w, size_t i)
{
	json_t *sections = json_object_get(w->answers.outline, "sections");

	return openai_text_member(json_array_get(sections, i), "heading");
}

static bool
ask(struct work *w, struct openai_question *question, struct openai_prompt *prompt, json_t **out)
{
	question->system = prompt->system;
	question->user = buf_done(&prompt->user);
	return openai_ask(w->oa, question, out);
}

static void
quote_sources(struct work *w, struct openai_prompt *p)
{
	struct buf list;

	buf_init(&list, w->oa->c->arena, (size_t)256 * 1024);
	openai_source_list(&w->answers.sources, &list);
	openai_prompt_quote(p, "Sources, numbered", list.data, LISTING_MAX);
	if (list.len == 0)
		openai_prompt_say(p, "There are no sources: cite nothing.");
}

static void
check_part(struct jread *r, json_t *part)
{
	openai_check_filled(r, part, "heading", OPENAI_HEADING_MAX);
	openai_check_texts(r, part, "points", 0, POINTS_MAX, POINT_MAX);
}

static void
check_outline(struct jread *r, json_t *answer)
{
	openai_check_filled(r, answer, "title", OPENAI_TITLE_MAX);
	openai_check_objects(r, answer, "sections", SECTIONS_MIN, OPENAI_SECTIONS_MAX, check_part);
}

static bool
ask_outline(struct work *w)
{
	struct openai_question question = { .step = "outline",
		.name = "outline",
		.schema = openai_schema_outline,
		.check = check_outline };
	struct openai_prompt p;

	protocol_stage(w->oa->c, "outline");
	openai_prompt_begin(w->oa, &p);
	openai_prompt_say(&p,
	    "Task: outline one article from the research brief. title: 20 to 70 characters, says what the reader gets, no site name. sections: four to eight, in an order that builds up, each with a heading that no other repeats and two to five points that it makes. No section for an introduction, a summary, questions or references: those are made apart.");
	openai_prompt_task(w->oa, &p);
	openai_prompt_brief(w->oa, &p, w->brief);
	quote_sources(w, &p);
	if (!ask(w, &question, &p, &w->answers.outline))
		return false;
	w->answers.section_count = json_array_size(json_object_get(w->answers.outline, "sections"));
	return true;
}

/* Quotes the outline with its points. */
static void
quote_outline(struct work *w, struct openai_prompt *p)
{
	json_t *sections = json_object_get(w->answers.outline, "sections");
	json_t *part, *point;
	struct buf b;
	size_t i, k;

	buf_init(&b, w->oa->c->arena, (size_t)256 * 1024);
	buf_printf(&b, "%s\n", openai_text_member(w->answers.outline, "title"));
	json_array_foreach(sections, i, part) {
		buf_printf(&b, "%zu. %s\n", i + 1, openai_text_member(part, "heading"));
		json_array_foreach(json_object_get(part, "points"), k, point)
			buf_printf(&b, "   - %s\n", json_string_value(point));
	}
	openai_prompt_quote(p, "Outline of the article", b.data, LISTING_MAX);
}

static bool
ask_section(struct work *w, size_t i)
{
	struct arena *a = w->oa->c->arena;
	struct openai_question question = {
		.name = "section", .schema = openai_schema_section, .check = openai_section_check
	};
	struct openai_prompt p;

	openai_prompt_begin(w->oa, &p);
	openai_prompt_say(&p,
	    arena_printf(a,
		"Task: write section %zu of the outlined article, and nothing of the other sections. 120 to 300 words. blocks: what is read in order, mostly paragraphs of two to five sentences; text for paragraph and code, items for the two lists, the other one empty. steps: only where the reader does something in order. tables: only where values are compared; as many cells in each row as there are columns. callouts: at most one. subsections: only in a long section. Empty arrays for what is not needed. Do not repeat the heading.",
		i + 1));
	openai_prompt_task(w->oa, &p);
	openai_prompt_quote(&p, "Audience", w->brief->audience, POINT_MAX);
	openai_prompt_quote(&p, "Angle", w->brief->angle, POINT_MAX);
	quote_outline(w, &p);
	openai_prompt_quote(&p, "The section to write", heading_of(w, i), OPENAI_HEADING_MAX);
	quote_sources(w, &p);
	question.step = arena_printf(a, "section-%zu", i + 1);
	return ask(w, &question, &p, &w->answers.sections[i]);
}

static bool
ask_sections(struct work *w)
{
	protocol_stage(w->oa->c, "writing");
	for (size_t i = 0; i < w->answers.section_count; i++) {
		if (!ask_section(w, i))
			return false;
	}
	return true;
}

static void
check_faq(struct jread *r, json_t *faq)
{
	openai_check_filled(r, faq, "question", OPENAI_HEADING_MAX);
	openai_check_filled(r, faq, "answer", OPENAI_TEXT_MAX);
}

static void
check_closing(struct jread *r, json_t *answer)
{
	openai_check_filled(r, answer, "summary", OPENAI_TEXT_MAX);
	openai_check_texts(r, answer, "takeaways", 0, TAKEAWAYS_MAX, POINT_MAX);
	openai_check_objects(r, answer, "faqs", 0, FAQS_MAX, check_faq);
	openai_check_filled(r, answer, "description", OPENAI_DESCRIPTION_MAX);
	jread_text(r, answer, "section", JREAD_NEEDED, POINT_MAX);
	openai_check_texts(r, answer, "tags", 0, TAGS_MAX, POINT_MAX);
	jread_text(r, answer, "image_prompt", JREAD_NEEDED, OPENAI_TEXT_MAX);
	jread_text(r, answer, "image_alt", JREAD_NEEDED, POINT_MAX);
	jread_text(r, answer, "image_caption", JREAD_NEEDED, POINT_MAX);
}

/* Quotes the sections that are written, shortened. */
static void
quote_article(struct work *w, struct openai_prompt *p)
{
	struct buf all, one;

	buf_init(&all, w->oa->c->arena, (size_t)256 * 1024);
	for (size_t i = 0; i < w->answers.section_count; i++) {
		buf_printf(&all, "%s\n", heading_of(w, i));
		buf_init(&one, w->oa->c->arena, (size_t)1024 * 1024);
		openai_section_excerpt(w->oa->c, w->answers.sections[i], &one);
		buf_add(&all, one.data, utf8_prefix(one.data, EXCERPT_MAX));
		buf_add_char(&all, '\n');
	}
	openai_prompt_quote(p, "The article", all.data, LISTING_MAX);
}

static void
quote_questions(struct work *w, struct openai_prompt *p)
{
	struct buf b;

	buf_init(&b, w->oa->c->arena, (size_t)256 * 1024);
	for (size_t i = 0; i < w->brief->question_count; i++)
		buf_printf(&b, "%s\n", w->brief->questions[i]);
	openai_prompt_quote(p, "Questions that readers ask", b.data, EXCERPT_MAX);
}

static bool
ask_closing(struct work *w)
{
	struct openai_question question = { .step = "closing",
		.name = "closing",
		.schema = openai_schema_closing,
		.check = check_closing };
	struct openai_prompt p;

	openai_prompt_begin(w->oa, &p);
	openai_prompt_say(&p,
	    "Task: write what stands around the finished article. summary: one paragraph of two to four sentences that opens it. takeaways: three to five sentences to remember. faqs: three to five questions that readers still have, with answers of one to three sentences. description: 70 to 160 characters for search results, not the title again. section: the rubric, one or two words. tags: three to six. image_prompt: in English, what a photograph or illustration for the article shows; no text in it, no real persons, no brands. image_alt: what the picture shows, 5 to 150 characters. image_caption: one sentence, or empty.");
	openai_prompt_task(w->oa, &p);
	openai_prompt_quote(
	    &p, "Title", openai_text_member(w->answers.outline, "title"), OPENAI_HEADING_MAX);
	quote_article(w, &p);
	quote_questions(w, &p);
	quote_sources(w, &p);
	return ask(w, &question, &p, &w->answers.closing);
}

static bool
is_within(const char *text, size_t from, size_t to)
{
	size_t len = utf8_length(text);

	return len >= from && len <= to;
}

static bool
title_fits(const char *title)
{
	return is_within(title, TITLE_FROM, TITLE_TO);
}

static bool
description_fits(const struct draft *draft, const char *description)
{
	return is_within(description, DESCRIPTION_FROM, DESCRIPTION_TO) &&
	       strcmp(description, draft->title) != 0;
}

static void
check_checks(struct jread *r, json_t *answer)
{
	openai_check_filled(r, answer, "title", OPENAI_TITLE_MAX);
	openai_check_filled(r, answer, "description", OPENAI_DESCRIPTION_MAX);
}

static bool
ask_checks(struct work *w, const struct draft *draft, json_t **out)
{
	struct openai_question question = { .step = "checks",
		.name = "checks",
		.schema = openai_schema_checks,
		.check = check_checks };
	struct openai_prompt p;

	openai_prompt_begin(w->oa, &p);
	openai_prompt_say(&p,
	    "Task: mend the title and the description of an article, changing as little as possible. title: 20 to 70 characters. description: 70 to 160 characters, for search results, not the title again. No source numbers.");
	openai_prompt_quote(&p, "Title", draft->title, OPENAI_TITLE_MAX);
	openai_prompt_quote(&p, "Description", draft->description, OPENAI_DESCRIPTION_MAX);
	quote_article(w, &p);
	return ask(w, &question, &p, out);
}

/*
 * Asks once more for a title and a description of the right length, if they need it: a
 * customer's page shows them first, and models count badly. The article is delivered
 * even if this call fails.
 */
static void
refine(struct work *w, struct draft *draft)
{
	struct ctx *c = w->oa->c;
	const char *title, *description;
	json_t *answer;

	protocol_stage(c, "checks");
	if (title_fits(draft->title) && description_fits(draft, draft->description))
		return;
	if (!ask_checks(w, draft, &answer)) {
		log_line("checks: left as they are: %s", w->oa->failure.sentence);
		return;
	}
	title = openai_text_plain(c, openai_text_member(answer, "title"), OPENAI_TITLE_MAX);
	description =
	    openai_text_plain(c, openai_text_member(answer, "description"), OPENAI_DESCRIPTION_MAX);
	if (!title_fits(draft->title) && title_fits(title))
		draft->title = title;
	if (!description_fits(draft, draft->description) && description_fits(draft, description))
		draft->description = description;
}

bool
openai_article(struct openai *oa, const struct brief *brief, struct openai_article *out)
{
	struct work *w = arena_alloc(oa->c->arena, sizeof(*w));
	const char *caption;

	memset(out, 0, sizeof(*out));
	w->oa = oa;
	w->brief = brief;
	openai_source_collect(oa->c, oa->task, brief, &w->answers.sources);
	if (!ask_outline(w) || !ask_sections(w) || !ask_closing(w) ||
	    !openai_draft(oa, &w->answers, &out->draft))
		return false;
	refine(w, &out->draft);
	out->image_prompt = openai_text_plain(
	    oa->c, openai_text_member(w->answers.closing, "image_prompt"), OPENAI_TEXT_MAX);
	out->image_alt =
	    openai_text_plain(oa->c, openai_text_member(w->answers.closing, "image_alt"), ALT_MAX);
	caption = openai_text_escaped(
	    oa->c, openai_text_member(w->answers.closing, "image_caption"), ALT_MAX);
	out->image_caption = caption[0] != '\0' ? caption : NULL;
	return true;
}
