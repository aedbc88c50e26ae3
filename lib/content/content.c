#include "content/content.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content-id.h"
#include "content/lang.h"

static const char *const block_names[] = { "paragraph", "heading", "list",
	"quote", "code", "image", "table", "callout", "steps" };
static const char *const callout_names[] = { "note", "tip", "important",
	"warning", "caution", "todo" };

#define CALLOUT_NAMES (sizeof(callout_names) / sizeof(callout_names[0]))

const char *
content_block_name(enum block_type type)
{
	return block_names[type];
}

const char *
content_callout_name(enum callout_kind kind)
{
	return callout_names[kind];
}

bool
content_callout_kind(const char *name, enum callout_kind *kind)
{
	for (size_t i = 0; i < CALLOUT_NAMES; i++) {
		if (strcasecmp(callout_names[i], name) == 0) {
			*kind = (enum callout_kind)i;
			return true;
		}
	}
	return false;
}

void
content_init(struct content *content, const char *language)
{
	memset(content, 0, sizeof(*content));
	content->summary = "";
	content->labels.takeaways = lang_label(language, LANG_TAKEAWAYS);
	content->labels.faqs = lang_label(language, LANG_FAQS);
	content->labels.references = lang_label(language, LANG_REFERENCES);
}

/* Gives an empty `*id` the first free name <stem><number>, with numbers from
 * *next on. Moves *next behind that number. */
static void
number(struct ctx *c, struct content_ids *ids, const char **id,
    const char *stem, size_t *next)
{
	const char *name;

	if (*id != NULL && (*id)[0] != '\0')
		return;
	do
		name = arena_printf(c->arena, "%s%zu", stem, (*next)++);
	while (!content_ids_add(ids, name));
	*id = name;
}

void
content_number(struct ctx *c, struct content *content)
{
	struct content_ids ids;
	size_t section = 1, question = 1;

	content_ids_init(&ids, c->arena, content);
	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		size_t subsection = 1;
		const char *stem;
		number(c, &ids, &s->id, "s", &section);
		stem = arena_printf(c->arena, "%s-", s->id);
		for (size_t j = 0; j < s->subsection_count; j++)
			number(
			    c, &ids, &s->subsections[j].id, stem, &subsection);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		number(c, &ids, &content->faqs[i].id, "q", &question);
}
