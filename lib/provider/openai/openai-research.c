#include "provider/openai/openai.h"

#include <string.h>

#include "base/utf8.h"
#include "provider/openai/model-text.h"
#include "provider/openai/prompt.h"

enum { LISTED_MAX = 80 }; /* own articles that the model is shown */
enum { /* code points */
	LINE_CHARS = 300,
	TEXT_CHARS = 3000,
	SUMMARY_SHOWN = 160
};
enum { ELEMENTS_MAX = 40, PARTS_MAX = 20 };

static void
check_part(struct jread *r, json_t *part)
{
	openai_check_filled(r, part, "heading", LINE_CHARS);
	openai_check_texts(r, part, "points", 0, ELEMENTS_MAX, LINE_CHARS);
}

static void
check(struct jread *r, json_t *answer)
{
	openai_check_filled(r, answer, "topic", LINE_CHARS);
	openai_check_filled(r, answer, "summary", TEXT_CHARS);
	jread_text(r, answer, "angle", JREAD_NEEDED, TEXT_CHARS);
	jread_text(r, answer, "audience", JREAD_NEEDED, TEXT_CHARS);
	openai_check_objects(r, answer, "outline", 1, PARTS_MAX, check_part);
	openai_check_texts(r, answer, "questions", 0, ELEMENTS_MAX, LINE_CHARS);
	openai_check_texts(r, answer, "keywords", 0, ELEMENTS_MAX, LINE_CHARS);
	jread_array(r, answer, "articles", JREAD_NEEDED, ASSIGNMENT_ARTICLES_MAX);
}

static void
write_prompt(struct openai *oa, struct openai_prompt *p)
{
	const struct assignment *assignment = oa->assignment;
	struct buf list;

	openai_prompt_begin(oa, p);
	openai_prompt_say(p,
	    "Task: prepare the research brief for one article. topic: one line. summary: two to four sentences on what the article must explain. angle: what makes it worth reading. audience: who it is for. outline: four to eight parts, each with two to five points. questions: what readers ask about it, three to eight. keywords: five to twelve. articles: the numbers of those of the publication's own articles that belong to the topic, [] for none.");
	if (assignment->topic[0] == '\0')
		openai_prompt_say(p,
		    "No topic was ordered: choose one that suits the publication's own articles and that they do not cover.");
	openai_prompt_task(oa, p);
	buf_init(&list, oa->c->arena, (size_t)256 * 1024);
	for (size_t i = 0; i < assignment->article_count && i < LISTED_MAX; i++) {
		const struct assignment_article *article = &assignment->articles[i];
		const char *summary = assignment_clean(oa->c, article->summary, true);
		buf_printf(&list, "%zu. ", i + 1);
		buf_add(&list, article->title, utf8_prefix(article->title, LINE_CHARS));
		buf_lit(&list, ": ");
		buf_add(&list, summary, utf8_prefix(summary, SUMMARY_SHOWN));
		buf_add_char(&list, '\n');
	}
	openai_prompt_quote(p, "The publication's own articles, numbered", list.data, list.len);
}

static void
plain_list(struct ctx *c, const char **list, size_t *count)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		const char *text = openai_text_plain(c, list[i], LINE_CHARS);
		if (text[0] != '\0')
			list[kept++] = text;
	}
	*count = kept;
}

/* Removes marks and HTML from the texts of the answer. */
static void
clean(struct ctx *c, struct brief *b)
{
	b->topic = openai_text_plain(c, b->topic, LINE_CHARS);
	b->summary = openai_text_plain(c, b->summary, TEXT_CHARS);
	b->angle = openai_text_plain(c, b->angle, TEXT_CHARS);
	b->audience = openai_text_plain(c, b->audience, TEXT_CHARS);
	for (size_t i = 0; i < b->outline_count; i++) {
		struct brief_part *part = &b->outline[i];
		part->heading = openai_text_plain(c, part->heading, LINE_CHARS);
		plain_list(c, part->points, &part->point_count);
	}
	plain_list(c, b->questions, &b->question_count);
	plain_list(c, b->keywords, &b->keyword_count);
}

static bool
is_related(const struct brief *b, const char *id)
{
	for (size_t i = 0; i < b->related_count; i++) {
		if (strcmp(b->related[i], id) == 0)
			return true;
	}
	return false;
}

static void
add_source(struct openai *oa, const struct assignment_article *article, struct brief *b)
{
	struct brief_source *source = &b->sources[b->source_count];
	const char *publisher = oa->assignment->workspace.publisher_name;

	if (publisher == NULL)
		publisher = oa->assignment->workspace.name;
	b->source_count++;
	source->id = arena_printf(oa->c->arena, "r%zu", b->source_count);
	source->title = article->title;
	source->url = article->url;
	source->publisher = publisher;
	source->published = NULL;
}

/* Takes the articles that the answer names by the numbers that the model was shown.
 * Those with an address become sources. */
static void
take_articles(struct openai *oa, json_t *numbers, struct brief *b)
{
	const struct assignment *assignment = oa->assignment;
	size_t max = json_array_size(numbers), i;
	json_t *value;

	b->related = arena_array(oa->c->arena, max + 1, sizeof(*b->related));
	b->sources = arena_array(oa->c->arena, max + 1, sizeof(*b->sources));
	b->related_count = b->source_count = 0;
	json_array_foreach(numbers, i, value) {
		json_int_t n = json_integer_value(value);
		const struct assignment_article *article;
		if (n < 1 || n > LISTED_MAX || (size_t)n > assignment->article_count)
			continue;
		article = &assignment->articles[n - 1];
		if (is_related(b, article->id))
			continue;
		b->related[b->related_count++] = article->id;
		if (article->url != NULL && article->title[0] != '\0')
			add_source(oa, article, b);
	}
}

bool
openai_research(struct openai *oa, struct brief *out)
{
	struct openai_prompt prompt;
	struct openai_question question = {
		.step = "research",
		.name = "research",
		.schema = openai_schema_research,
		.check = check,
	};
	json_t *answer;

	protocol_stage(oa->c, "research");
	write_prompt(oa, &prompt);
	question.system = prompt.system;
	question.user = buf_done(&prompt.user);
	if (!openai_ask(oa, &question, &answer))
		return false;
	/* A model must not add these members itself. */
	json_object_del(answer, "sources");
	json_object_del(answer, "related");
	if (assignment_brief(oa->c, "research", answer, out) != NULL)
		return openai_fail(
		    oa, PROTOCOL_INVALID_OUTPUT, false, "The model did not give a usable brief.");
	clean(oa->c, out);
	take_articles(oa, json_object_get(answer, "articles"), out);
	return true;
}
