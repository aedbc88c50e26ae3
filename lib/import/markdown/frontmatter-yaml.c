#include "import/markdown/frontmatter.h"

#include <string.h>

#include <yaml.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"

enum { NODES_MAX = 10000 };

struct reader {
	struct ctx *c;
	yaml_parser_t parser;
	unsigned line; /* of the text's first line, in the document */
	size_t nodes;
	struct err *err; /* the first refusal, or NULL */
};

static unsigned
line_of(const struct reader *r, const yaml_mark_t *mark)
{
	return r->line + (unsigned)mark->line;
}

static void
refuse_at(struct reader *r, const yaml_mark_t *mark, const char *why)
{
	if (r->err == NULL)
		r->err = refuse(r->c, ERR_INVALID, tr_mark("line %u: %s."), line_of(r, mark), why);
}

/* Reads the next event. Returns false after a refusal. The caller must delete the
 * event. */
static bool
next(struct reader *r, yaml_event_t *event)
{
	const char *problem;

	if (yaml_parser_parse(&r->parser, event))
		return true;
	problem = r->parser.problem != NULL ? r->parser.problem : "it stops";
	refuse_at(r, &r->parser.problem_mark,
	    arena_printf(r->c->arena,
		"the front matter is not YAML: %s (a text that holds a colon needs quotes)",
		problem));
	return false;
}

/* Returns whether the value is null: null, ~, or an empty scalar without quotes. */
static bool
is_null(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
		   strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0);
}

/* Returns a copy of the text of a value or a name. Refuses a text with a NUL
 * ("\0"). */
static const char *
text_of(struct reader *r, const yaml_event_t *event, const char *what)
{
	const char *text = (const char *)event->data.scalar.value;

	if (!utf8_valid(text, event->data.scalar.length))
		refuse_at(
		    r, &event->start_mark, arena_printf(r->c->arena, "a %s holds a NUL", what));
	return arena_text(r->c->arena, text);
}

/* Reads a scalar. It counts as quoted if it has quotes, is a block, or has the
 * tag !!str: then it is always a text, and never null. */
static void
scalar(struct reader *r, const yaml_event_t *event, struct front_value *out)
{
	const char *tag = (const char *)event->data.scalar.tag;

	out->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
		      (tag != NULL && strcmp(tag, YAML_STR_TAG) == 0);
	out->kind = !out->quoted && is_null(event) ? FRONT_NULL : FRONT_SCALAR;
	out->text = text_of(r, event, "value");
}

static void value(struct reader *r, const yaml_event_t *event, struct front_value *out, int depth);

static void
list(struct reader *r, struct front_value *out, int depth)
{
	yaml_event_t event;
	struct front_value item;

	out->kind = FRONT_LIST;
	while (r->err == NULL && next(r, &event)) {
		bool over = event.type == YAML_SEQUENCE_END_EVENT;
		if (!over) {
			unsigned line = line_of(r, &event.start_mark);
			memset(&item, 0, sizeof(item));
			item.line = line;
			value(r, &event, &item, depth + 1);
			*frontmatter_add(r->c, out, NULL, line) = item;
		}
		yaml_event_delete(&event);
		if (over)
			return;
	}
}

/* Returns the name of the next member of `out`, or NULL at its end or after a
 * refusal. */
static const char *
member_name(struct reader *r, const struct front_value *out, unsigned *line)
{
	const char *name = NULL;
	yaml_event_t event;

	if (!next(r, &event))
		return NULL;
	*line = line_of(r, &event.start_mark);
	if (event.type == YAML_SCALAR_EVENT) {
		name = text_of(r, &event, "name");
		if (frontmatter_find(out, name) != NULL)
			refuse_at(r, &event.start_mark,
			    arena_printf(r->c->arena, "%s is given twice", name));
	} else if (event.type != YAML_MAPPING_END_EVENT) {
		refuse_at(r, &event.start_mark, "a name must be a text");
	}
	yaml_event_delete(&event);
	return r->err == NULL ? name : NULL;
}

static void
table(struct reader *r, struct front_value *out, int depth)
{
	struct front_value item;
	yaml_event_t event;
	const char *name;
	unsigned line;

	out->kind = FRONT_TABLE;
	while ((name = member_name(r, out, &line)) != NULL && next(r, &event)) {
		memset(&item, 0, sizeof(item));
		value(r, &event, &item, depth + 1);
		item.name = name;
		item.line = line;
		*frontmatter_add(r->c, out, name, line) = item;
		yaml_event_delete(&event);
	}
}

/* Reads the value that begins with `event`. The caller deletes the event. */
static void
value(struct reader *r, const yaml_event_t *event, struct front_value *out, int depth)
{
	if (depth > FRONT_DEPTH_MAX)
		refuse_at(r, &event->start_mark, "the front matter is nested too deeply");
	else if (++r->nodes > NODES_MAX)
		refuse_at(r, &event->start_mark, "the front matter holds too many values");
	else if (event->type == YAML_SCALAR_EVENT)
		scalar(r, event, out);
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		list(r, out, depth);
	else if (event->type == YAML_MAPPING_START_EVENT)
		table(r, out, depth);
	else
		refuse_at(
		    r, &event->start_mark, "aliases (*name) are not read; write the value out");
}

/* Reads the root: a mapping, or nothing at all. */
static void
document(struct reader *r, struct front_value *root)
{
	yaml_event_t event;
	bool over = false;

	while (r->err == NULL && !over && next(r, &event)) {
		switch (event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			over = true;
			break;
		case YAML_MAPPING_START_EVENT:
			if (r->nodes == 0) {
				r->nodes = 1;
				table(r, root, 1);
				break;
			}
			/* fall through */
		default:
			if (event.type != YAML_SCALAR_EVENT || !is_null(&event))
				refuse_at(r, &event.start_mark,
				    "the front matter must be lines of the form \"name: value\"");
		}
		yaml_event_delete(&event);
	}
}

struct err *
frontmatter_yaml(
    struct ctx *c, const char *text, size_t len, unsigned line, struct front_value *root)
{
	struct reader r = { .c = c, .line = line };

	if (!yaml_parser_initialize(&r.parser))
		die("memory: libyaml has none");
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	document(&r, root);
	yaml_parser_delete(&r.parser);
	return r.err;
}
