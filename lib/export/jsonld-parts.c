#include "export/jsonld-parts.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "export/facts.h"
#include "export/html-text.h"

#define STEPS_MIN 2 /* a HowTo needs so many steps, docs/export.md §4 */

const char *
jsonld_parts_plain(struct jsonld *j, const char *text)
{
	if (text == NULL)
		return NULL;
	text = inline_plain(j->facts->c->arena, text);
	return invisible_text(text, strlen(text)) ? NULL : text;
}

void
jsonld_parts_init(struct jsonld *j, const struct facts *f, const struct html *h, struct buf *out)
{
	const struct content *content = f->content;

	memset(j, 0, sizeof(*j));
	jwrite_init(&j->w, out);
	j->facts = f;
	j->html = h;
	j->questions = arena_array(f->c->arena, content->faq_count, sizeof(*j->questions));
	for (size_t i = 0; i < content->faq_count; i++) {
		struct jsonld_question *q = &j->questions[j->question_count];

		q->id = content->faqs[i].id;
		q->name = jsonld_parts_plain(j, content->faqs[i].question);
		q->answer = jsonld_parts_plain(j, content->faqs[i].answer);
		if (q->name != NULL && q->answer != NULL)
			j->question_count++;
	}
}

static const char *
join(struct jsonld *j, const char *base, const char *fragment)
{
	return arena_printf(j->facts->c->arena, "%s%s", base, fragment);
}

void
jsonld_parts_id(struct jsonld *j, const char *base, const char *fragment)
{
	jwrite_member_text(&j->w, "@id", join(j, base, fragment));
}

void
jsonld_parts_ref(struct jsonld *j, const char *name, const char *base, const char *fragment)
{
	if (name != NULL)
		jwrite_name(&j->w, name);
	jwrite_object(&j->w);
	jsonld_parts_id(j, base, fragment);
	jwrite_object_end(&j->w);
}

/* Returns "#prefix-id", the place of an element in html. */
static const char *
place(struct jsonld *j, const char *id)
{
	return arena_printf(j->facts->c->arena, "#%s-%s", j->facts->prefix, id);
}

/* Writes the address of a place. There is one only on a page that has an address. */
static void
place_url(struct jsonld *j, const char *id)
{
	if (j->facts->canonical != NULL)
		jwrite_member_text(&j->w, "url", join(j, j->facts->canonical, place(j, id)));
}

void
jsonld_parts_main_entity(struct jsonld *j)
{
	if (j->question_count == 0)
		return;
	jwrite_member_array(&j->w, "mainEntity");
	for (size_t i = 0; i < j->question_count; i++)
		jsonld_parts_ref(j, NULL, j->facts->base, place(j, j->questions[i].id));
	jwrite_array_end(&j->w);
}

/* Writes a reference as a CreativeWork with the members that are known. Its date
 * is as given. */
static void
citation(struct jsonld *j, const struct reference *r)
{
	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "CreativeWork");
	jwrite_member_text_if(&j->w, "name", r->title);
	jwrite_member_text_if(&j->w, "url", r->url);
	if (r->publisher != NULL && r->publisher[0] != '\0') {
		jwrite_member_object(&j->w, "publisher");
		jwrite_member_text(&j->w, "@type", "Organization");
		jwrite_member_text(&j->w, "name", r->publisher);
		jwrite_object_end(&j->w);
	}
	jwrite_member_text_if(&j->w, "datePublished", r->published);
	jwrite_object_end(&j->w);
}

void
jsonld_parts_citations(struct jsonld *j)
{
	if (j->html->cited_count == 0)
		return;
	jwrite_member_array(&j->w, "citation");
	for (size_t i = 0; i < j->html->cited_count; i++)
		citation(j, j->html->cited[i]);
	jwrite_array_end(&j->w);
}

/* Writes a Question with one accepted answer. */
static void
question(struct jsonld *j, size_t i)
{
	const struct jsonld_question *q = &j->questions[i];
	struct jwrite *w = &j->w;

	jwrite_object(w);
	jwrite_member_text(w, "@type", "Question");
	jsonld_parts_id(j, j->facts->base, place(j, q->id));
	place_url(j, q->id);
	jwrite_member_text(w, "name", q->name);
	jwrite_member_int(w, "position", (int64_t)i + 1);
	jwrite_member_int(w, "answerCount", 1);
	jwrite_member_object(w, "acceptedAnswer");
	jwrite_member_text(w, "@type", "Answer");
	jwrite_member_text(w, "text", q->answer);
	jwrite_member_text(w, "inLanguage", j->facts->language);
	jwrite_object_end(w);
	jwrite_member_text(w, "inLanguage", j->facts->language);
	jwrite_object_end(w);
}

void
jsonld_parts_questions(struct jsonld *j)
{
	for (size_t i = 0; i < j->question_count; i++)
		question(j, i);
}

/* A step shows something if its name or its text does. */
static bool
step_shows(struct jsonld *j, const struct step *step)
{
	return jsonld_parts_plain(j, step->name) != NULL ||
	       jsonld_parts_plain(j, step->text) != NULL;
}

/* Writes the steps. Positions count the steps that show something; addresses keep
 * the step's own number. */
static void
how_to_steps(struct jsonld *j, const struct section *section)
{
	struct arena *a = j->facts->c->arena;
	int64_t position = 0;

	jwrite_member_array(&j->w, "step");
	for (size_t i = 0; i < section->step_count; i++) {
		const struct step *step = &section->steps[i];

		if (!step_shows(j, step))
			continue;
		jwrite_object(&j->w);
		jwrite_member_text(&j->w, "@type", "HowToStep");
		jwrite_member_int(&j->w, "position", ++position);
		jwrite_member_text_if(&j->w, "name", jsonld_parts_plain(j, step->name));
		jwrite_member_text_if(&j->w, "text", jsonld_parts_plain(j, step->text));
		place_url(j, arena_printf(a, "%s-step%zu", section->id, i + 1));
		jwrite_object_end(&j->w);
	}
	jwrite_array_end(&j->w);
}

/* Writes a HowTo. Its name is the section's heading, or the article's title if
 * the section has none. */
static void
how_to(struct jsonld *j, const struct section *section, size_t number)
{
	const char *name = jsonld_parts_plain(j, section->heading);

	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "HowTo");
	jsonld_parts_id(j, j->facts->base, arena_printf(j->facts->c->arena, "#howto-%zu", number));
	jwrite_member_text(&j->w, "name", name != NULL ? name : j->facts->heading);
	how_to_steps(j, section);
	jwrite_member_text(&j->w, "inLanguage", j->facts->language);
	jsonld_parts_ref(j, "mainEntityOfPage", j->facts->base, "#webpage");
	jwrite_object_end(&j->w);
}

/* Writes a HowTo for each section with two or more steps that show something.
 * Subsections follow their section. */
static void
how_tos(struct jsonld *j, const struct section *sections, size_t count, size_t *number)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		size_t shown = 0;

		for (size_t k = 0; k < s->step_count; k++)
			shown += step_shows(j, &s->steps[k]);
		if (shown >= STEPS_MIN)
			how_to(j, s, ++*number);
		how_tos(j, s->subsections, s->subsection_count, number);
	}
}

void
jsonld_parts_how_tos(struct jsonld *j)
{
	size_t number = 0;

	how_tos(j, j->facts->content->sections, j->facts->content->section_count, &number);
}
