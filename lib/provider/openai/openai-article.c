#include "provider/openai/openai.h"

#include <jansson.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/content.h"
#include "provider/openai/model-text.h"
#include "provider/openai/prompt.h"

/* The longest heading, in code points: escaped it still fits a heading. */
#define OPENAI_HEADING_MAX 150

/* The longest text: with its marks it still fits a text. */
#define OPENAI_TEXT_MAX 3000

#define OPENAI_SECTIONS_MAX 12
#define OPENAI_TITLE_MAX 150 /* code points */
#define OPENAI_DESCRIPTION_MAX 500
/* The answers, which passed their checks. */
struct openai_answers {
	struct openai_sources sources;
	json_t *outline;
	json_t *sections[OPENAI_SECTIONS_MAX];
	size_t section_count;
	json_t *closing;
};

/* ---- one section of the content, from the model's answer */

enum {
	BLOCKS_MAX = 60,
	ITEMS_MAX = 60,
	STEPS_MAX = 40,
	TABLES_MAX = 6,
	ROWS_MAX = 100,
	CALLOUTS_MAX = 6,
	SUBSECTIONS_MAX = 10,
	CELL_MAX = 500 /* code points */
};

static bool
is_type(json_t *block, const char *type)
{
	const char *own = json_string_value(json_object_get(block, "type"));

	return own != NULL && strcmp(own, type) == 0;
}

static bool
is_list(json_t *block)
{
	return is_type(block, "list") || is_type(block, "numbered_list");
}

static void
check_block(struct jread *r, json_t *block)
{
	if (is_list(block))
		openai_check_texts(r, block, "items", 1, ITEMS_MAX, OPENAI_TEXT_MAX);
	else if (is_type(block, "paragraph"))
		openai_check_filled(r, block, "text", OPENAI_TEXT_MAX);
	else if (is_type(block, "code"))
		jread_text(r, block, "text", JREAD_NEEDED, OPENAI_TEXT_MAX);
	else
		jread_refuse(r, "type", "must be paragraph, list, numbered_list or code.");
}

static void
check_step(struct jread *r, json_t *step)
{
	openai_check_filled(r, step, "name", OPENAI_HEADING_MAX);
	openai_check_filled(r, step, "text", OPENAI_TEXT_MAX);
}

static void
check_cells(struct jread *r, json_t *cells, size_t columns)
{
	if (json_array_size(cells) != columns)
		jread_refuse(r, NULL, "must have as many cells as there are columns.");
	for (size_t i = 0; i < json_array_size(cells); i++)
		jread_element_text(r, json_array_get(cells, i), CELL_MAX);
}

/* Checks a table. A first column without a name holds the headings of the rows. */
static void
check_table(struct jread *r, json_t *table)
{
	json_t *columns, *rows;
	size_t count;

	jread_text(r, table, "caption", JREAD_NEEDED, CELL_MAX);
	columns = jread_array(r, table, "columns", JREAD_NEEDED, CONTENT_COLUMNS_MAX);
	count = json_array_size(columns);
	if (columns != NULL && count == 0)
		jread_refuse(r, "columns", "must not be empty.");
	jread_enter(r, "columns");
	check_cells(r, columns, count);
	jread_leave(r);
	rows = jread_array(r, table, "rows", JREAD_NEEDED, ROWS_MAX);
	jread_enter(r, "rows");
	for (size_t i = 0; i < json_array_size(rows); i++) {
		jread_enter_element(r, i);
		check_cells(r, json_array_get(rows, i), count);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
check_callout(struct jread *r, json_t *callout)
{
	const char *name = jread_text(r, callout, "kind", JREAD_NEEDED, 20);
	enum callout_kind kind;

	if (name != NULL && (!content_callout_kind(name, &kind) || kind == CALLOUT_TODO))
		jread_refuse(r, "kind", "must be note, tip, important or warning.");
	jread_text(r, callout, "title", JREAD_NEEDED, OPENAI_HEADING_MAX);
	openai_check_filled(r, callout, "text", OPENAI_TEXT_MAX);
}

static void
check_subsection(struct jread *r, json_t *subsection)
{
	openai_check_filled(r, subsection, "heading", OPENAI_HEADING_MAX);
	openai_check_objects(r, subsection, "blocks", 1, BLOCKS_MAX, check_block);
}

/* Whether an answer to the schema "section" can be used. */
static void
openai_section_check(struct jread *r, json_t *answer)
{
	openai_check_objects(r, answer, "blocks", 1, BLOCKS_MAX, check_block);
	openai_check_objects(r, answer, "steps", 0, STEPS_MAX, check_step);
	openai_check_objects(r, answer, "tables", 0, TABLES_MAX, check_table);
	openai_check_objects(r, answer, "callouts", 0, CALLOUTS_MAX, check_callout);
	openai_check_objects(r, answer, "subsections", 0, SUBSECTIONS_MAX, check_subsection);
}

/* The state that the functions for writing share. */
struct writing {
	struct ctx *c;
	struct openai_sources *sources;
	struct jwrite *w;
};

static const char *
marked(struct writing *to, const char *text)
{
	return openai_text_marked(to->c, to->sources, text, CONTENT_TEXT_MAX);
}

static void
write_paragraph(struct writing *to, const char *text)
{
	text = marked(to, text);
	if (text[0] == '\0')
		return;
	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "paragraph");
	jwrite_member_text(to->w, "text", text);
	jwrite_object_end(to->w);
}

/* Writes a text as paragraphs: an empty line begins a new one. */
static void
write_paragraphs(struct writing *to, const char *text)
{
	const char *end;

	for (; (end = strstr(text, "\n\n")) != NULL; text = end + 2)
		write_paragraph(to, arena_text_n(to->c->arena, text, (size_t)(end - text)));
	write_paragraph(to, text);
}

static void
write_list(struct writing *to, json_t *block)
{
	json_t *items = json_object_get(block, "items"), *item;
	size_t i;

	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "list");
	jwrite_member_bool(to->w, "ordered", is_type(block, "numbered_list"));
	jwrite_member_array(to->w, "items");
	json_array_foreach(items, i, item) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "text", marked(to, json_string_value(item)));
		jwrite_member_array(to->w, "items");
		jwrite_array_end(to->w);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
	jwrite_object_end(to->w);
}

static void
write_code(struct writing *to, json_t *block)
{
	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "code");
	jwrite_member_null(to->w, "language");
	jwrite_member_text(to->w, "text", openai_text_member(block, "text"));
	jwrite_object_end(to->w);
}

static void
write_body(struct writing *to, json_t *object)
{
	json_t *blocks = json_object_get(object, "blocks"), *block;
	size_t i;

	jwrite_member_array(to->w, "body");
	json_array_foreach(blocks, i, block) {
		if (is_list(block))
			write_list(to, block);
		else if (is_type(block, "code"))
			write_code(to, block);
		else
			write_paragraphs(to, openai_text_member(block, "text"));
	}
	jwrite_array_end(to->w);
}

static void
write_steps(struct writing *to, json_t *answer)
{
	json_t *steps = json_object_get(answer, "steps"), *step;
	size_t i;

	jwrite_member_array(to->w, "steps");
	json_array_foreach(steps, i, step) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "name",
		    openai_text_escaped(
			to->c, openai_text_member(step, "name"), OPENAI_HEADING_MAX));
		jwrite_member_text(to->w, "text", marked(to, openai_text_member(step, "text")));
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

/* Returns whether the cells of the first column are the headings of the rows: the
 * column has no name. */
static bool
heads_rows(json_t *table)
{
	json_t *columns = json_object_get(table, "columns");
	const char *first = json_string_value(json_array_get(columns, 0));

	return first != NULL && first[strspn(first, " ")] == '\0';
}

static void
write_cells(struct writing *to, json_t *cells)
{
	json_t *cell;
	size_t i;

	jwrite_array(to->w);
	json_array_foreach(cells, i, cell)
		jwrite_text(to->w, marked(to, json_string_value(cell)));
	jwrite_array_end(to->w);
}

static void
write_tables(struct writing *to, json_t *answer)
{
	json_t *tables = json_object_get(answer, "tables"), *table, *row;
	size_t i, k;

	jwrite_member_array(to->w, "tables");
	json_array_foreach(tables, i, table) {
		const char *caption = marked(to, openai_text_member(table, "caption"));
		jwrite_object(to->w);
		jwrite_member_text(to->w, "caption", caption[0] != '\0' ? caption : NULL);
		jwrite_name(to->w, "columns");
		write_cells(to, json_object_get(table, "columns"));
		jwrite_member_bool(to->w, "rowHeader", heads_rows(table));
		jwrite_member_array(to->w, "rows");
		json_array_foreach(json_object_get(table, "rows"), k, row)
			write_cells(to, row);
		jwrite_array_end(to->w);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

static void
write_callouts(struct writing *to, json_t *answer)
{
	json_t *callouts = json_object_get(answer, "callouts"), *callout;
	size_t i;

	jwrite_member_array(to->w, "callouts");
	json_array_foreach(callouts, i, callout) {
		const char *title = openai_text_escaped(
		    to->c, openai_text_member(callout, "title"), OPENAI_HEADING_MAX);
		enum callout_kind kind = CALLOUT_NOTE;

		content_callout_kind(openai_text_member(callout, "kind"), &kind);
		jwrite_object(to->w);
		jwrite_member_text(to->w, "kind", content_callout_name(kind));
		jwrite_member_text(to->w, "title", title[0] != '\0' ? title : NULL);
		jwrite_member_text(to->w, "text", marked(to, openai_text_member(callout, "text")));
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

static void
write_subsections(struct writing *to, json_t *answer)
{
	json_t *list = json_object_get(answer, "subsections"), *subsection;
	size_t i;

	jwrite_member_array(to->w, "subsections");
	json_array_foreach(list, i, subsection) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "heading",
		    openai_text_escaped(
			to->c, openai_text_member(subsection, "heading"), OPENAI_HEADING_MAX));
		write_body(to, subsection);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

/* Writes the section as an element of the content's sections (docs/export.md §5). The
 * answer must have passed the check. */
static void
openai_section_write(struct ctx *c, struct openai_sources *sources, const char *heading,
    json_t *answer, struct jwrite *w)
{
	struct writing to = { c, sources, w };

	jwrite_object(w);
	jwrite_member_text(w, "heading", openai_text_escaped(c, heading, OPENAI_HEADING_MAX));
	write_body(&to, answer);
	write_steps(&to, answer);
	write_tables(&to, answer);
	write_callouts(&to, answer);
	write_subsections(&to, answer);
	jwrite_object_end(w);
}

/* Appends the paragraphs of the section as plain text, for the prompt that asks for a
 * summary. */
static void
openai_section_excerpt(struct ctx *c, json_t *answer, struct buf *out)
{
	json_t *blocks = json_object_get(answer, "blocks"), *block;
	size_t i;

	json_array_foreach(blocks, i, block) {
		if (!is_type(block, "paragraph"))
			continue;
		buf_add_text(
		    out, openai_text_plain(c, openai_text_member(block, "text"), OPENAI_TEXT_MAX));
		buf_add_char(out, '\n');
	}
}

/* ---- the draft that is delivered, from the answers of an article's steps */

enum { TAG_MAX = 60 }; /* code points; a longer text is no tag */

static const char *
draft_marked(struct openai *oa, struct openai_answers *answers, const char *text)
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
		jwrite_text(w, draft_marked(oa, answers, json_string_value(value)));
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
		    w, "answer", draft_marked(oa, answers, openai_text_member(faq, "answer")));
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
	jwrite_member_text(&w, "summary",
	    draft_marked(oa, answers, openai_text_member(answers->closing, "summary")));
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
		err =
		    content_from_json(c, "content", json, oa->assignment->workspace.language, out);
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

/*
 * Makes the draft, without image. content_from_json() read its content, so the content
 * is checked. Notes in answers->sources which sources were cited. False if
 * openai_fail() was called.
 */
static bool
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
	openai_source_collect(oa->c, oa->assignment, brief, &w->answers.sources);
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
