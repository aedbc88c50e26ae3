#include "import/markdown/fields.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "content/slug.h"
#include "content/url.h"

const char *
fields_line(struct ctx *c, struct losses *losses, unsigned line, const char *text)
{
	struct buf out;
	bool dropped = false;
	size_t spaces = 0;

	text = lang_nfc(c->arena, text);
	buf_init(&out, c->arena, strlen(text));
	while (*text != '\0') {
		const char *from = text;
		uint32_t cp = utf8_next(&text);
		char bytes[5] = { 0 };
		memcpy(bytes, from, (size_t)(text - from));
		if (cp == ' ' || cp == '\t' || cp == '\n' || cp == 0x2028 || cp == 0x2029)
			spaces++;
		else if (utf8_forbidden(bytes, true) != NULL) {
			dropped = true;
		} else {
			for (; spaces > 0; spaces--)
				buf_add(&out, " ", out.len > 0 ? 1 : 0);
			buf_add_text(&out, bytes);
		}
	}
	if (dropped)
		losses_add(losses, line,
		    "characters that cannot be stored were dropped (controls, bidi overrides)");
	return out.len > 0 ? out.data : NULL;
}

/* Copies bytes of `set`, at most `max`, and moves *p past them. Returns how
 * many. */
static size_t
take(const char **p, char *out, const char *set, size_t max)
{
	size_t n = strspn(*p, set);

	n = n < max ? n : max;
	memcpy(out, *p, n);
	out[n] = '\0';
	*p += n;
	return n;
}

bool
fields_date(struct ctx *c, const char *text, int64_t *at)
{
	char date[11], time[32], zone[8] = "Z";
	const char *p = text;

	if (take(&p, date, "0123456789-", 10) != 10)
		return false;
	if (*p == '\0')
		return clock_parse_date(date, at);
	if (*p != 'T' && *p != 't' && *p != ' ')
		return false;
	p++;
	if (take(&p, time, "0123456789:.", 30) < 5)
		return false;
	if (strlen(time) == 5)
		strcat(time, ":00");
	p += *p == ' ';
	if (*p == 'Z' || *p == 'z') {
		p++;
	} else if (*p == '+' || *p == '-') {
		/* "+02:00", "+0200", "+02" */
		size_t n = take(&p, zone, "+-:0123456789", 6);
		if (n == 5 && zone[3] != ':')
			memcpy(zone + 3, (char[]) { ':', zone[3], zone[4], 0 }, 4);
		else if (n == 3)
			strcat(zone, ":00");
	}
	return *p == '\0' && clock_parse(arena_printf(c->arena, "%sT%s%s", date, time, zone), at);
}

enum { TOKEN_MAX = 128 };

struct reader {
	struct ctx *c;
	struct losses *losses;
	struct document *out;
	struct fields *fields;
	struct err *err; /* the first refusal, or NULL */
};

__attribute__((format(printf, 3, 4))) static void
refuse_at(struct reader *r, const struct front_value *v, const char *format, ...)
{
	va_list args;

	if (r->err != NULL)
		return;
	va_start(args, format);
	r->err = refuse(r->c, ERR_INVALID, tr_mark("line %u: %s %s."), v->line,
	    v->name == NULL ? "an element" : v->name, arena_vprintf(r->c->arena, format, args));
	va_end(args);
}

/* Returns the value as one line of at most `max` characters, or NULL if it shows
 * nothing. */
static const char *
text_of(struct reader *r, const struct front_value *v, size_t max)
{
	const char *text;

	if (v->kind == FRONT_NULL || r->err != NULL)
		return NULL;
	if (v->kind != FRONT_SCALAR) {
		refuse_at(r, v, "must be a text");
		return NULL;
	}
	text = fields_line(r->c, r->losses, v->line, v->text);
	if (text != NULL && utf8_length(text) > max)
		refuse_at(
		    r, v, "has %zu characters; at most %zu are allowed", utf8_length(text), max);
	return text;
}

/* Returns a boolean: true, yes or on; false, no or off; in any case. */
static bool
bool_of(struct reader *r, const struct front_value *v)
{
	static const char *const words[] = { "true", "yes", "on", "false", "no", "off" };

	if (v->kind == FRONT_NULL)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (v->kind == FRONT_SCALAR && strcasecmp(v->text, words[i]) == 0)
			return i < 3;
	}
	refuse_at(r, v, "must be true or false");
	return false;
}

/* Reads a date. Refuses a text that is not a date. */
static void
read_date(struct reader *r, const struct front_value *v, int64_t *at)
{
	const char *text = text_of(r, v, TOKEN_MAX);

	if (text != NULL && !fields_date(r->c, text, at))
		refuse_at(
		    r, v, "must be a date (2026-09-01, or 2026-09-01T08:00:00Z), not %s", text);
}

/* Reads an address. Refuses one that is not http or https. */
static void
read_address(struct reader *r, const struct front_value *v, const char **out)
{
	const char *text = text_of(r, v, CONTENT_URL_MAX);

	if (text == NULL)
		return;
	*out = url_clean_web(r->c->arena, text);
	if (*out == NULL)
		refuse_at(r, v, "must be an http or https address");
}

/* Adds a tag, as one line. A tag without text is ignored. */
static void
add_tag(struct reader *r, const struct front_value *v, const char *tag)
{
	struct snapshot *s = &r->out->snapshot;

	tag = fields_line(r->c, r->losses, v->line, tag);
	if (tag == NULL)
		return;
	if (s->tag_count == SNAPSHOT_TAGS_MAX)
		refuse_at(r, v, "holds more than %d tags", SNAPSHOT_TAGS_MAX);
	else if (utf8_length(tag) > SNAPSHOT_NAME_MAX)
		refuse_at(r, v, "holds a tag of %zu characters; at most %d are allowed",
		    utf8_length(tag), SNAPSHOT_NAME_MAX);
	else
		s->tags[s->tag_count++] = tag;
}

/* Reads tags: a list, or one text with commas. */
static void
read_tags(struct reader *r, const struct front_value *v)
{
	const char *p, *comma;

	r->out->snapshot.tags =
	    arena_array(r->c->arena, SNAPSHOT_TAGS_MAX, sizeof(*r->out->snapshot.tags));
	for (size_t i = 0; v->kind == FRONT_LIST && i < v->count; i++) {
		if (v->items[i].kind == FRONT_SCALAR)
			add_tag(r, v, v->items[i].text);
		else if (v->items[i].kind != FRONT_NULL)
			refuse_at(r, v, "must be a list of texts");
	}
	if (v->kind == FRONT_TABLE)
		refuse_at(r, v, "must be a list of texts");
	if (v->kind != FRONT_SCALAR)
		return;
	for (p = v->text;; p = comma + 1) {
		comma = strchr(p, ',');
		if (comma == NULL)
			break;
		add_tag(r, v, arena_text_n(r->c->arena, p, (size_t)(comma - p)));
	}
	add_tag(r, v, p);
}

/* Reads the author: a name, or a table of name and url. */
static void
read_author(struct reader *r, const struct front_value *v)
{
	struct snapshot *s = &r->out->snapshot;

	if (v->kind != FRONT_TABLE) {
		s->author_name = text_of(r, v, SNAPSHOT_NAME_MAX);
		return;
	}
	for (size_t i = 0; i < v->count; i++) {
		const struct front_value *item = &v->items[i];
		if (strcmp(item->name, "name") == 0)
			s->author_name = text_of(r, item, SNAPSHOT_NAME_MAX);
		else if (strcmp(item->name, "url") == 0)
			read_address(r, item, &s->author_url);
		else
			losses_add(
			    r->losses, item->line, "the author's %s is not used", item->name);
	}
}

/* Reads the slug. One that is not valid becomes a valid one (a loss). */
static void
read_slug(struct reader *r, const struct front_value *v)
{
	const char *slug = text_of(r, v, SNAPSHOT_SLUG_MAX);

	if (slug == NULL)
		return;
	if (!slug_is_valid(r->c->arena, slug)) {
		const char *made = slug_make(r->c->arena, slug);
		losses_add(r->losses, v->line, "the slug \"%s\" became \"%s\"", slug, made);
		slug = made;
	}
	r->out->snapshot.slug = slug;
	r->out->has_slug = true;
}

/* Reads the language. Refuses a text that is not a language tag. */
static void
read_language(struct reader *r, const struct front_value *v)
{
	const char *text = text_of(r, v, TOKEN_MAX), *tag;

	if (text == NULL)
		return;
	tag = lang_clean(r->c->arena, text);
	if (tag == NULL)
		refuse_at(r, v, "must be a language tag (%s), not %s",
		    subtag_meant(r->c->arena, text) != NULL ? subtag_meant(r->c->arena, text)
							    : "en, ar, pt-BR",
		    text);
	else
		r->out->snapshot.language = tag;
	r->out->language_line = v->line;
}

/* Reads the id. One that is not a UUID is not used (a loss). */
static void
read_id(struct reader *r, const struct front_value *v)
{
	const char *text = text_of(r, v, CONTENT_TEXT_MAX);
	char uuid[UUID_TEXT];

	if (text == NULL)
		return;
	if (uuid_parse(text, uuid))
		r->out->id = arena_text(r->c->arena, uuid);
	else
		losses_add(r->losses, v->line, "the id %s is not used: it is no article's",
		    losses_excerpt(r->c, text, 60));
}

/* Keeps the key galley as JSON. extra.h reads it. */
static void
read_galley(struct reader *r, const struct front_value *v)
{
	struct buf json;

	r->fields->galley_line = v->line;
	if (v->kind == FRONT_SCALAR) {
		r->fields->galley = v->text;
	} else if (v->kind == FRONT_TABLE) {
		buf_init(&json, r->c->arena, 8 * (size_t)FRONT_BYTES_MAX);
		frontmatter_json(&json, v);
		r->fields->galley = json.data;
	} else if (v->kind == FRONT_LIST) {
		refuse_at(r, v, "must be one JSON object");
	}
}

/* Keeps the address of the picture as it is written. The document stores the
 * picture later. */
static void
read_image(struct reader *r, const struct front_value *v)
{
	r->fields->image = text_of(r, v, CONTENT_URL_MAX);
	r->fields->image_line = v->line;
}

enum key {
	TITLE,
	SLUG,
	DESCRIPTION,
	DATE,
	LASTMOD,
	LANGUAGE,
	IMAGE,
	IMAGE_ALT,
	IMAGE_CAPTION,
	TAGS,
	SECTION,
	AUTHOR,
	NOINDEX,
	CANONICAL,
	DRAFT,
	ID,
	BASE,
	GALLEY
};

static const struct {
	const char *name;
	enum key key;
} keys[] = {
	{ "title", TITLE },
	{ "slug", SLUG },
	{ "description", DESCRIPTION },
	{ "date", DATE },
	{ "lastmod", LASTMOD },
	{ "lang", LANGUAGE },
	{ "language", LANGUAGE },
	{ "image", IMAGE },
	{ "imageAlt", IMAGE_ALT },
	{ "imageCaption", IMAGE_CAPTION },
	{ "tags", TAGS },
	{ "section", SECTION },
	{ "author", AUTHOR },
	{ "noindex", NOINDEX },
	{ "canonical", CANONICAL },
	{ "published_url", CANONICAL },
	{ "draft", DRAFT },
	{ "id", ID },
	{ "base", BASE },
	{ "galley", GALLEY },
};

static void
read_key(struct reader *r, enum key key, const struct front_value *v)
{
	struct document *d = r->out;
	struct snapshot *s = &d->snapshot;

	switch (key) {
	case TITLE:
		s->title = text_of(r, v, SNAPSHOT_TITLE_MAX);
		break;
	case SLUG:
		read_slug(r, v);
		break;
	case DESCRIPTION:
		s->meta_description = text_of(r, v, SNAPSHOT_META_DESCRIPTION_MAX);
		break;
	case DATE:
		read_date(r, v, &d->date);
		break;
	case LASTMOD:
		read_date(r, v, &d->lastmod);
		break;
	case LANGUAGE:
		read_language(r, v);
		break;
	case IMAGE:
		read_image(r, v);
		break;
	case IMAGE_ALT:
		s->content.image_alt = text_of(r, v, CONTENT_TEXT_MAX);
		break;
	case IMAGE_CAPTION:
		s->content.image_caption = text_of(r, v, CONTENT_TEXT_MAX);
		break;
	case TAGS:
		read_tags(r, v);
		break;
	case SECTION:
		s->section = text_of(r, v, SNAPSHOT_NAME_MAX);
		break;
	case AUTHOR:
		read_author(r, v);
		break;
	case NOINDEX:
		s->noindex = bool_of(r, v);
		break;
	case CANONICAL:
		read_address(r, v, &d->published_url);
		break;
	case DRAFT:
		d->draft = bool_of(r, v);
		break;
	case ID:
		read_id(r, v);
		break;
	case BASE:
		d->base = text_of(r, v, TOKEN_MAX);
		break;
	case GALLEY:
		read_galley(r, v);
		break;
	}
}

struct err *
fields_read(struct ctx *c, const struct front_value *root, const char *language,
    struct losses *losses, struct document *out, struct fields *fields)
{
	struct reader r = { c, losses, out, fields, NULL };
	size_t count = sizeof(keys) / sizeof(keys[0]);

	out->snapshot.slug = "";
	out->snapshot.language = language;
	for (size_t i = 0; i < root->count && r.err == NULL; i++) {
		const struct front_value *v = &root->items[i];
		size_t k = 0;
		while (k < count && strcmp(keys[k].name, v->name) != 0)
			k++;
		if (k < count)
			read_key(&r, keys[k].key, v);
		else
			losses_add(losses, v->line, "the key %s is not used",
			    losses_excerpt(c, v->name, 60));
	}
	if (out->base != NULL && out->id == NULL && r.err == NULL) {
		losses_add(losses, 0, "base without an id is not used");
		out->base = NULL;
	}
	return r.err;
}
