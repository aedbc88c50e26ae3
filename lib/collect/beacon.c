#include "collect/beacon.h"

#include <string.h>

#include <jansson.h>

#include "base/ctx.h"
#include "base/jread.h"

/* The slots of the members that are strings. */
static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{ "site_id", offsetof(struct beacon, site_id) },
	{ "path", offsetof(struct beacon, path) },
	{ "article", offsetof(struct beacon, article) },
	{ "referrer", offsetof(struct beacon, referrer) },
	{ "width", offsetof(struct beacon, width) },
	{ "utm_source", offsetof(struct beacon, source) },
	{ "utm_medium", offsetof(struct beacon, medium) },
	{ "utm_campaign", offsetof(struct beacon, campaign) },
};

/* Returns the slot of a member, or NULL. */
static const char **
slot_of(struct beacon *beacon, const char *name)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].name, name) == 0)
			return (const char **)(void *)((char *)beacon + members[i].offset);
	}
	return NULL;
}

static struct err *
read_member(struct ctx *c, struct beacon *out, const char *name, const json_t *value)
{
	const char **slot;

	if (strcmp(name, "consent") == 0) {
		out->consent = json_is_true(value);
		return json_is_boolean(value) ? NULL : err_param(c, name, "consent must be true.");
	}
	slot = slot_of(out, name);
	if (slot == NULL)
		return err_param(c, "body",
		    "A hit has no other members than site_id, path, article, referrer, width, consent, utm_source, utm_medium and utm_campaign.");
	*slot = json_string_value(value);
	return *slot != NULL ? NULL : err_param(c, name, "%s must be a text.", name);
}

static bool
is_width(const char *text)
{
	static const char *const widths[] = { "xs", "s", "m", "l", "xl" };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (strcmp(widths[i], text) == 0)
			return true;
	}
	return false;
}

static struct err *
check(struct ctx *c, const struct beacon *beacon)
{
	if (beacon->site_id == NULL)
		return err_param(c, "site_id", "A hit needs its site_id.");
	if (beacon->path == NULL || beacon->path[0] != '/')
		return err_param(c, "path", "A hit needs its path, which begins with a slash.");
	if (beacon->width != NULL && !is_width(beacon->width))
		return err_param(c, "width", "width must be xs, s, m, l or xl.");
	return NULL;
}

struct err *
beacon_read(struct ctx *c, const char *body, size_t len, struct beacon *out)
{
	json_t *object = NULL, *value;
	const char *name;
	struct err *err = jread_parse(c, "body", body, len, &object);

	memset(out, 0, sizeof(*out));
	if (err != NULL)
		return err;
	if (!json_is_object(object))
		return err_param(c, "body", "A hit is a JSON object.");
	json_object_foreach(object, name, value) {
		err = read_member(c, out, name, value);
		if (err != NULL)
			return err;
	}
	return check(c, out);
}
