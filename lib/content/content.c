#include "content/content.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"

static const char *const block_names[] = { "paragraph", "heading", "list", "quote", "code", "image",
	"table", "callout", "steps", "rule" };
static const char *const callout_names[] = { "note", "tip", "important", "warning", "caution",
	"todo" };

#define CALLOUT_NAMES (sizeof(callout_names) / sizeof(callout_names[0]))

const char *
content_align_name(char align)
{
	return align == 'l' ? "left" : align == 'c' ? "center" : align == 'r' ? "right" : NULL;
}

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
