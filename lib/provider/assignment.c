#include "provider/assignment.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/url.h"

#define ASSIGNMENT_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define LIST_MAX ((size_t)1000) /* elements of any list of a brief */

static bool
is_line_end(uint32_t cp)
{
	return cp == '\n' || cp == '\r' || cp == 0x2028 || cp == 0x2029;
}

static bool
is_space(uint32_t cp)
{
	return cp == ' ' || cp == '\t' || is_line_end(cp);
}

/* Returns the text that replaces the run of white space at *p, and moves *p past the
 * run. */
static const char *
space_run(const char **p, bool one_line)
{
	const char *next = *p;
	int lines = 0;
	uint32_t cp, before = 0;

	for (cp = utf8_next(&next); is_space(cp); cp = utf8_next(&next)) {
		if (is_line_end(cp) && !(cp == '\n' && before == '\r'))
			lines++;
		before = cp;
		*p = next;
	}
	if (one_line || lines == 0)
		return " ";
	return lines == 1 ? "\n" : "\n\n";
}

const char *
assignment_clean(struct ctx *c, const char *text, bool one_line)
{
	const char *gap = "", *p, *next;
	char one[8];
	struct buf b;

	buf_init(&b, c->arena, 2 * strlen(text) + 8);
	for (p = text; *p != '\0'; p = next) {
		next = p;
		if (is_space(utf8_next(&next))) {
			next = p;
			gap = space_run(&next, one_line);
			continue;
		}
		memcpy(one, p, (size_t)(next - p));
		one[next - p] = '\0';
		if (utf8_forbidden(one, true) != NULL)
			continue;
		if (b.len > 0)
			buf_add_text(&b, gap);
		gap = "";
		buf_add_text(&b, one);
	}
	return lang_nfc(c->arena, b.data);
}

/* Returns a text member; NULL if it is absent, null or not a text. */
static const char *
text(struct jread *r, json_t *object, const char *name, bool one_line)
{
	json_t *value = json_object_get(object, name);

	if (value == NULL || json_is_null(value))
		return NULL;
	if (!json_is_string(value)) {
		jread_refuse(r, name, "must be a string.");
		return NULL;
	}
	return assignment_clean(r->c, json_string_value(value), one_line);
}

static const char *
line(struct jread *r, json_t *object, const char *name)
{
	const char *value = text(r, object, name, true);

	return value != NULL ? value : "";
}

static const char *
line_or_null(struct jread *r, json_t *object, const char *name)
{
	const char *value = line(r, object, name);

	return value[0] != '\0' ? value : NULL;
}

static const char *
needed_line(struct jread *r, json_t *object, const char *name)
{
	const char *value = line(r, object, name);

	if (value[0] == '\0')
		jread_refuse(r, name, "is missing.");
	return value;
}

static const char *
address(struct jread *r, json_t *object, const char *name)
{
	const char *value = line_or_null(r, object, name);

	return value == NULL ? NULL : url_clean_web(r->c->arena, value);
}

/* Returns the texts of an array, without empty ones. */
static const char **
lines(struct jread *r, json_t *object, const char *name, size_t *count)
{
	json_t *array = jread_array(r, object, name, JREAD_ANY, LIST_MAX);
	const char **list;

	*count = 0;
	list = arena_array(r->c->arena, json_array_size(array) + 1, sizeof(*list));
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *value = json_string_value(json_array_get(array, i));
		if (value == NULL) {
			jread_refuse(r, name, "must hold strings only.");
			break;
		}
		value = assignment_clean(r->c, value, true);
		if (value[0] != '\0')
			list[(*count)++] = value;
	}
	return list;
}

/* Enters element `i` of an array and returns it. It must be an object. */
static json_t *
enter(struct jread *r, json_t *array, size_t i)
{
	jread_enter_element(r, i);
	return jread_element_object(r, json_array_get(array, i));
}

static void
read_outline(struct jread *r, json_t *json, struct brief *b)
{
	json_t *array = jread_array(r, json, "outline", JREAD_ANY, LIST_MAX);

	b->outline_count = json_array_size(array);
	b->outline = arena_array(r->c->arena, b->outline_count + 1, sizeof(*b->outline));
	jread_enter(r, "outline");
	for (size_t i = 0; i < b->outline_count; i++) {
		struct brief_part *part = &b->outline[i];
		json_t *object = enter(r, array, i);
		part->heading = line(r, object, "heading");
		part->points = lines(r, object, "points", &part->point_count);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
read_sources(struct jread *r, json_t *json, struct brief *b)
{
	json_t *array = jread_array(r, json, "sources", JREAD_ANY, LIST_MAX);

	b->source_count = json_array_size(array);
	b->sources = arena_array(r->c->arena, b->source_count + 1, sizeof(*b->sources));
	jread_enter(r, "sources");
	for (size_t i = 0; i < b->source_count; i++) {
		struct brief_source *source = &b->sources[i];
		json_t *object = enter(r, array, i);
		source->id = line(r, object, "id");
		if (source->id[0] == '\0')
			source->id = arena_printf(r->c->arena, "r%zu", i + 1);
		source->title = line(r, object, "title");
		source->url = address(r, object, "url");
		source->publisher = line_or_null(r, object, "publisher");
		source->published = line_or_null(r, object, "published");
		jread_leave(r);
	}
	jread_leave(r);
}

struct err *
assignment_brief(struct ctx *c, const char *what, json_t *json, struct brief *out)
{
	struct jread r;
	const char *summary;

	memset(out, 0, sizeof(*out));
	jread_begin(&r, c, what);
	json = jread_element_object(&r, json);
	out->topic = line(&r, json, "topic");
	summary = text(&r, json, "summary", false);
	out->summary = summary != NULL ? summary : "";
	out->angle = line(&r, json, "angle");
	out->audience = line(&r, json, "audience");
	read_outline(&r, json, out);
	out->questions = lines(&r, json, "questions", &out->question_count);
	out->keywords = lines(&r, json, "keywords", &out->keyword_count);
	read_sources(&r, json, out);
	out->related = lines(&r, json, "related", &out->related_count);
	return jread_end(&r);
}

static void
read_job(struct jread *r, json_t *json, struct assignment *o)
{
	json_t *job = jread_object(r, json, "job", JREAD_NEEDED);
	const char *kind, *topic;

	jread_enter(r, "job");
	o->job_id = needed_line(r, job, "id");
	kind = needed_line(r, job, "kind");
	if (strcmp(kind, "research") == 0)
		o->kind = ASSIGNMENT_RESEARCH;
	else if (strcmp(kind, "article") != 0)
		jread_refuse(r, "kind", "must be article or research.");
	topic = text(r, job, "topic", false);
	o->topic = topic != NULL ? topic : "";
	o->image = jread_bool(r, job, "image", JREAD_ANY, false) && o->kind == ASSIGNMENT_ARTICLE;
	o->attempt = jread_int(r, job, "attempt", JREAD_ANY, 1, 1000000, 1);
	o->deadline_s = jread_int(r, job, "deadline_s", JREAD_ANY, 1, 1000000, 600);
	jread_leave(r);
}

static void
read_workspace(struct jread *r, json_t *json, struct assignment *o)
{
	json_t *object = jread_object(r, json, "workspace", JREAD_NEEDED);
	const char *tag;

	jread_enter(r, "workspace");
	o->workspace.name = line(r, object, "name");
	tag = lang_clean(r->c->arena, line(r, object, "language"));
	o->workspace.language = tag != NULL ? tag : "en";
	o->workspace.website = address(r, object, "website");
	o->workspace.publisher_name = line_or_null(r, object, "publisher_name");
	jread_leave(r);
}

static void
read_articles(struct jread *r, json_t *json, struct assignment *o)
{
	json_t *array = jread_array(r, json, "articles", JREAD_ANY, ASSIGNMENT_ARTICLES_MAX);

	o->article_count = json_array_size(array);
	o->articles = arena_array(r->c->arena, o->article_count + 1, sizeof(*o->articles));
	jread_enter(r, "articles");
	for (size_t i = 0; i < o->article_count; i++) {
		struct assignment_article *article = &o->articles[i];
		json_t *object = enter(r, array, i);
		const char *summary = text(r, object, "summary", false);
		article->id = needed_line(r, object, "id");
		article->title = line(r, object, "title");
		article->summary = summary != NULL ? summary : "";
		article->url = address(r, object, "url");
		jread_leave(r);
	}
	jread_leave(r);
}

static struct err *
read_brief(struct ctx *c, json_t *json, struct assignment *o)
{
	json_t *object = json_object_get(json, "brief");
	struct brief *brief;

	if (object == NULL || json_is_null(object))
		return NULL;
	brief = arena_alloc(c->arena, sizeof(*brief));
	o->brief = brief;
	return assignment_brief(c, "brief", object, brief);
}

static struct err *
read_members(struct ctx *c, json_t *json, struct assignment *o)
{
	struct jread r;

	jread_begin(&r, c, "");
	json = jread_element_object(&r, json);
	jread_int(&r, json, "protocol", JREAD_NEEDED, ASSIGNMENT_PROTOCOL, ASSIGNMENT_PROTOCOL, 0);
	read_job(&r, json, o);
	read_workspace(&r, json, o);
	read_articles(&r, json, o);
	o->steps = jread_object(&r, json, "steps", JREAD_ANY);
	TRY(jread_end(&r));
	if (o->steps == NULL)
		o->steps = json_object();
	return read_brief(c, json, o);
}

struct err *
assignment_read(struct ctx *c, int fd, struct assignment *out)
{
	size_t len;
	char *bytes = fileio_read_fd(c->arena, fd, ASSIGNMENT_BYTES_MAX, &len);
	json_t *json;

	memset(out, 0, sizeof(*out));
	if (bytes == NULL && errno == EFBIG)
		return refuse(
		    c, ERR_TOO_LARGE, "The order is longer than %zu bytes.", ASSIGNMENT_BYTES_MAX);
	if (bytes == NULL)
		return refuse(c, ERR_INVALID, "The order cannot be read: %s.", strerror(errno));
	TRY(jread_parse(c, "order", bytes, len, &json));
	return read_members(c, json, out);
}

json_t *
assignment_step(const struct assignment *assignment, const char *name)
{
	return json_object_get(assignment->steps, name);
}

const struct assignment_article *
assignment_article_find(const struct assignment *assignment, const char *id)
{
	for (size_t i = 0; i < assignment->article_count; i++) {
		if (strcmp(assignment->articles[i].id, id) == 0)
			return &assignment->articles[i];
	}
	return NULL;
}
