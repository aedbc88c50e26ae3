#include "provider/outline/compose.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "content/inline.h"
#include "provider/outline/title.h"

const char *
compose_literal(struct ctx *c, const char *text, size_t max)
{
	struct buf b;

	text = title_cut(c, text, max);
	buf_init(&b, c->arena, COMPOSE_BYTES_MAX);
	inline_escape(&b, text, strlen(text));
	return buf_done(&b);
}

/* Returns the address in a form that the target of a link may hold: parentheses that do
 * not balance would end the mark. */
static const char *
link_target(struct ctx *c, const char *url)
{
	struct buf b;
	int depth = 0;

	for (const char *p = url; *p != '\0' && depth >= 0; p++)
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
	if (depth == 0)
		return url;
	buf_init(&b, c->arena, 3 * strlen(url));
	for (const char *p = url; *p != '\0'; p++) {
		if (*p == '(')
			buf_lit(&b, "%28");
		else if (*p == ')')
			buf_lit(&b, "%29");
		else
			buf_add_char(&b, *p);
	}
	return buf_done(&b);
}

const char *
compose_link(struct ctx *c, const char *text, size_t max, const char *url)
{
	text = compose_literal(c, text, max);
	if (url == NULL)
		return text;
	return arena_printf(c->arena, "[%s](%s)", text, link_target(c, url));
}

struct section *
compose_section(struct ctx *c, struct content *content, const char *heading)
{
	struct section *s = &content->sections[content->section_count++];

	s->id = "";
	s->heading = compose_literal(c, heading, COMPOSE_HEADING_MAX);
	s->body = arena_array(c->arena, COMPOSE_BLOCKS, sizeof(*s->body));
	s->callouts = arena_array(c->arena, COMPOSE_CALLOUTS, sizeof(*s->callouts));
	return s;
}

static struct block *
add_block(struct section *s, enum block_type type, const char *text)
{
	struct block *block;

	if (s->body_count == COMPOSE_BLOCKS)
		BUG("a section of more than %d blocks", COMPOSE_BLOCKS);
	block = &s->body[s->body_count++];
	block->type = type;
	block->text = text;
	return block;
}

void
compose_paragraph(struct section *s, const char *text)
{
	add_block(s, BLOCK_PARAGRAPH, text);
}

struct list *
compose_list(struct ctx *c, struct section *s, size_t max)
{
	struct list *list = &add_block(s, BLOCK_LIST, "")->list;

	list->items = arena_array(c->arena, max, sizeof(*list->items));
	return list;
}

void
compose_item(struct list *list, const char *text)
{
	list->items[list->item_count++].text = text;
}

void
compose_todo(struct section *s, const char *title, const char *text)
{
	struct callout *callout;

	if (s->callout_count == COMPOSE_CALLOUTS)
		BUG("a section of more than %d callouts", COMPOSE_CALLOUTS);
	callout = &s->callouts[s->callout_count++];
	callout->kind = CALLOUT_TODO;
	callout->title = title;
	callout->text = text;
}
