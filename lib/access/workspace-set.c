/* The fields of a workspace that an operator sets, and what each may hold. */
#include <stddef.h>
#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "system/near.h"
#include "base/utf8.h"
#include "content/origin.h"
#include "content/subtag.h"
#include "content/url.h"

#define NAME_MAX_CHARS 200
#define PATTERN_MAX_BYTES 500
#define ORIGINS_MAX_BYTES 4000

typedef struct err *setter(struct ctx *c, struct workspace *w, const char *name, const char *value);

/* Returns NULL for "": empty settings are NULL. */
static const char *
or_null(struct ctx *c, const char *value)
{
	return value[0] == '\0' ? NULL : arena_text(c->arena, value);
}

static struct err *
check_line(struct ctx *c, const char *name, const char *value)
{
	if (utf8_length(value) > NAME_MAX_CHARS)
		return err_param(
		    c, name, tr_mark("%s has at most %d characters."), name, NAME_MAX_CHARS);
	if (utf8_forbidden(value, true) != NULL)
		return err_param(
		    c, name, tr_mark("%s must be one line without control characters."), name);
	return NULL;
}

static struct err *
set_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	struct err *err;

	if (value[0] == '\0')
		return err_param(c, name, tr_mark("A workspace needs a name."));
	err = check_line(c, name, value);
	/* An older name stays as it is. */
	if (err == NULL && !utf8_is_seen(value) &&
	    (w->settings.name == NULL || strcmp(w->settings.name, value) != 0))
		err = err_param(c, name,
		    tr_mark("A name has something that can be seen, and no characters that hide."));
	w->settings.name = arena_text(c->arena, value);
	return err;
}

static struct err *
set_language(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return subtag_read(c, name, value, w->settings.language, &w->settings.language);
}

static struct err *
set_website(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.website = NULL;
	if (value[0] == '\0')
		return NULL;
	w->settings.website = url_clean_origin(c->arena, value);
	if (w->settings.website == NULL)
		return err_param(c, name,
		    tr_mark(
			"The website is an https address without a path, such as https://www.example.com; a path belongs into address_pattern."));
	return NULL;
}

/* Returns whether the value is a pattern: a path with one {slug} and no character
 * that a path cannot contain. */
static bool
is_pattern(const char *value)
{
	const char *slug = strstr(value, "{slug}");

	if (value[0] != '/' || value[1] == '/' || slug == NULL ||
	    strstr(slug + 1, "{slug}") != NULL || strlen(value) > PATTERN_MAX_BYTES)
		return false;
	for (const char *p = value; *p != '\0'; p++) {
		if (p == slug)
			p += strlen("{slug}");
		if (*p == '\0')
			break;
		if ((unsigned char)*p <= 0x20 || *p == 0x7F || strchr("?#{}\\\"'<>^`|", *p) != NULL)
			return false;
	}
	return true;
}

static struct err *
set_address_pattern(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.address_pattern = or_null(c, value);
	if (value[0] != '\0' && !is_pattern(value))
		return err_param(c, name,
		    tr_mark(
			"The address pattern is a path that holds {slug} once, such as /blog/{slug}/."));
	return NULL;
}

static struct err *
set_publisher_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.publisher_name = or_null(c, value);
	return check_line(c, name, value);
}

static struct err *
set_author_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.author_name = or_null(c, value);
	return check_line(c, name, value);
}

static struct err *
web_address(struct ctx *c, const char **slot, const char *name, const char *value)
{
	*slot = NULL;
	if (value[0] == '\0')
		return NULL;
	*slot = url_clean_web(c->arena, value);
	if (*slot == NULL)
		return err_param(
		    c, name, tr_mark("%s must be an absolute https or http address."), name);
	return NULL;
}

static struct err *
set_publisher_logo_url(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return web_address(c, &w->settings.publisher_logo_url, name, value);
}

static struct err *
set_author_url(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return web_address(c, &w->settings.author_url, name, value);
}

static struct err *
set_analytics_enabled(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	bool on = strcmp(value, "true") == 0 || strcmp(value, "on") == 0;

	w->analytics_enabled = on;
	if (!on && value[0] != '\0' && strcmp(value, "false") != 0 && strcmp(value, "off") != 0)
		return err_param(c, name, tr_mark("%s must be true or false."), name);
	return NULL;
}

/* Reads origins separated by commas or spaces; they are stored as browsers write them, each once,
 * with one space between them. */
static struct err *
origins(struct ctx *c, const char **slot, const char *name, const char *value, bool local)
{
	struct buf b;

	buf_init(&b, c->arena, ORIGINS_MAX_BYTES);
	while (*value != '\0') {
		size_t len = strcspn(value, ", ");
		const char *text = arena_text_n(c->arena, value, len);
		const char *origin = origin_clean(c->arena, text, local);
		if (len > 0 && origin == NULL)
			return err_param(c, name,
			    tr_mark(
				"%s is not an origin: write https://host, several separated by commas."),
			    text);
		if (len > 0)
			buf_printf(&b, "%s%s", b.len > 0 ? " " : "", origin);
		value += len + (value[len] != '\0');
	}
	if (buf_full(&b))
		return err_param(c, name, tr_mark("%s has too many origins."), name);
	*slot = origin_clean_list(c->arena, b.data, local);
	return NULL;
}

static struct err *
set_analytics_origins(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return origins(c, &w->analytics_origins, name, value, false);
}

static struct err *
set_embed_origins(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return origins(c, &w->embed_origins, name, value, true);
}

const char *const workspace_fields[] = { "name", "language", "website", "address_pattern",
	"publisher_name", "publisher_logo_url", "author_name", "author_url", "analytics_enabled",
	"analytics_origins", "embed_origins", NULL };

static setter *const setters[] = { set_name, set_language, set_website, set_address_pattern,
	set_publisher_name, set_publisher_logo_url, set_author_name, set_author_url,
	set_analytics_enabled, set_analytics_origins, set_embed_origins };

struct err *
workspace_set(struct ctx *c, struct workspace *w, const char *field, const char *value)
{
	if (!utf8_valid(value, strlen(value)))
		return err_param(c, field, tr_mark("The value is not UTF-8 text."));
	for (size_t i = 0; workspace_fields[i] != NULL; i++) {
		if (strcmp(workspace_fields[i], field) == 0)
			return setters[i](c, w, field, value);
	}
	return err_hint(c,
	    err_param(c, field, tr_mark("A workspace has no field %s%s"), field,
		near_question(c->arena, near_among(field, workspace_fields))),
	    HINT_WORKSPACE_FIELDS, NULL);
}
