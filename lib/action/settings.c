#include "action/settings.h"

#include <string.h>

#include "access/account.h"
#include "access/pages-look.h"
#include "access/sites.h"
#include "access/time-zone.h"
#include "access/word.h"
#include "action/action.h"
#include "article/article.h"
#include "article/workspace-state.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/zone/zone.h"
#include "tell/notify.h"

struct err *
settings_read(struct ctx *c, const struct find_place *place, struct settings_change *out)
{
	struct workspace *w;
	struct err *err = read_workspace(c, place, &w);

	if (err != NULL)
		return err;
	*out = (struct settings_change) { .read = w, .tried = *w };
	db_begin_read(c, DB_CONTENT);
	out->time_zone = time_zone_of(c, w->id);
	out->notify_url = notify_url_of(c, w->id);
	return action_end(c, NULL);
}

static bool
is_time_zone(const char *field)
{
	return strcmp(field, SETTINGS_TIME_ZONE) == 0;
}

static bool
is_notify_url(const char *field)
{
	return strcmp(field, SETTINGS_NOTIFY_URL) == 0;
}

static bool
is_look(const char *field)
{
	for (size_t i = 0; pages_look_fields[i] != NULL; i++) {
		if (strcmp(pages_look_fields[i], field) == 0)
			return true;
	}
	return false;
}

static bool
is_word(const char *field)
{
	return strcmp(field, SETTINGS_PAGES) == 0;
}

/* Returns whether the field is no column of the table of workspaces. */
static bool
is_more(const char *field)
{
	return is_time_zone(field) || is_notify_url(field) || is_word(field) || is_look(field);
}

static struct err *
check_time_zone(struct ctx *c, const char **value)
{
	struct zone zone;

	if ((*value)[0] == '\0')
		*value = "UTC";
	if (zone_load(c, *value, &zone))
		return NULL;
	return err_param(c, SETTINGS_TIME_ZONE,
	    tr_mark("There is no time zone %s: write a name such as Europe/Berlin."), *value);
}

/* Refuses a wrong value; *value becomes the one that is stored. */
static struct err *
check_field(struct ctx *c, struct settings_change *change, const char *field, const char **value)
{
	if (is_time_zone(field))
		return check_time_zone(c, value);
	if (is_notify_url(field))
		return notify_address_check(c, *value, value);
	if (is_word(field))
		return word_check(c, *value);
	if (is_look(field))
		return pages_look_check(c, field, *value, value);
	return workspace_set(c, &change->tried, field, *value);
}

struct err *
settings_field(struct ctx *c, struct settings_change *change, const char *field, const char *value)
{
	struct settings_pair pair = { .field = field };
	size_t size = sizeof(pair);
	struct err *err = check_field(c, change, field, &value);

	if (err != NULL)
		return err;
	pair.value = value;
	change->pairs =
	    arena_grow(c->arena, change->pairs, change->count * size, (change->count + 1) * size);
	change->pairs[change->count++] = pair;
	return NULL;
}

struct err *
settings_field_seen(struct ctx *c, struct settings_change *change, const char *field,
    const char *seen, const char *value)
{
	struct err *err = settings_field(c, change, field, value);

	if (err == NULL)
		change->pairs[change->count - 1].seen = seen;
	return err;
}

static const char *
look_value(struct ctx *c, const struct workspace *w, const char *field)
{
	struct pages_look look;

	pages_look_of(c, w->id, &look);
	return pages_look_value(c, &look, field);
}

const char *
settings_value(struct ctx *c, const struct workspace *w, const char *field)
{
	const struct settings *s = &w->settings;
	const struct {
		const char *field, *value;
	} values[] = {
		{ "name", s->name },
		{ "language", s->language },
		{ "website", s->website },
		{ "address_pattern", s->address_pattern },
		{ "publisher_name", s->publisher_name },
		{ "publisher_logo_url", s->publisher_logo_url },
		{ "author_name", s->author_name },
		{ "author_url", s->author_url },
		{ "analytics_enabled", w->analytics_enabled ? "true" : "false" },
		{ "analytics_origins", w->analytics_origins },
		{ "embed_origins", w->embed_origins },
	};

	if (is_time_zone(field))
		return time_zone_of(c, w->id);
	if (is_notify_url(field))
		return notify_url_of(c, w->id);
	if (is_word(field))
		return word_of(c, w->id);
	if (is_look(field))
		return look_value(c, w, field);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strcmp(values[i].field, field) == 0 && values[i].value != NULL)
			return arena_text(c->arena, values[i].value);
	}
	return "";
}

/* A field that somebody else has changed meanwhile is not written over. */
static struct err *
check_seen(struct ctx *c, const struct settings_pair *pair, const struct workspace *present,
    const struct workspace *tried)
{
	const char *now = settings_value(c, present, pair->field);
	const char *then =
	    is_more(pair->field) ? pair->value : settings_value(c, tried, pair->field);
	struct err *err;

	if (pair->seen == NULL || strcmp(now, pair->seen) == 0 || strcmp(now, then) == 0)
		return NULL;
	err = refuse(c, ERR_CONFLICT,
	    tr_mark(
		"Somebody has changed this meanwhile: it is “%s” now. Save again to replace that."),
	    now);
	err->param = pair->field;
	return err;
}

struct err *
settings_effect(struct ctx *c, const struct settings_change *change, struct settings_effect *out)
{
	db_begin_read(c, DB_CONTENT);
	*out = (struct settings_effect) { .reaches = !workspace_is_sound(&change->tried) };
	if (out->reaches) {
		out->announced = article_count(c, change->tried.id, ARTICLE_PUBLISHED);
		out->before = workspace_state_sample(c, change->read);
		out->after = workspace_state_sample(c, &change->tried);
	}
	return action_end(c, NULL);
}

/* Sets the address that is told of changes. It is of an account that an operator knows: a
 * stranger must not choose where Galley connects to. */
static struct err *
set_notify_url(struct ctx *c, const struct workspace *w, const struct settings_pair *pair)
{
	if (pair->value[0] != '\0' && !account_of(c, w->account_id)->verified)
		return err_param(c, SETTINGS_NOTIFY_URL,
		    tr_mark("Only the workspaces of a verified account tell of their changes."));
	notify_set_url(c, w->id, pair->value);
	return NULL;
}

/* Sets a field that is no column of the table of workspaces. */
static struct err *
set_more(struct ctx *c, struct settings_change *change, const struct workspace *w,
    const struct settings_pair *pair)
{
	if (is_notify_url(pair->field))
		return set_notify_url(c, w, pair);
	if (is_word(pair->field)) {
		change->word_is_left = word_is_left(c, pair->value);
		return word_set(c, w, pair->value, change->take);
	}
	if (is_look(pair->field))
		pages_look_set(c, w->id, pair->field, pair->value);
	else
		time_zone_set(c, w->id, pair->value);
	return NULL;
}

/* Writes the fields, inside the transaction. */
static struct err *
write_fields(struct ctx *c, struct settings_change *change, struct workspace *w)
{
	const char *name = w->settings.name;
	struct err *err = NULL;

	change->sample = workspace_state_sample(c, w);
	for (size_t i = 0; i < change->count && err == NULL; i++) {
		err = check_seen(c, &change->pairs[i], w, &change->tried);
		if (err == NULL && is_more(change->pairs[i].field))
			err = set_more(c, change, w, &change->pairs[i]);
		else if (err == NULL)
			err = workspace_set(c, w, change->pairs[i].field, change->pairs[i].value);
	}
	if (err != NULL)
		return err;
	change->announced = workspace_update(c, w);
	if (strcmp(name, w->settings.name) != 0)
		(void)workspace_find(c, w->settings.name, &change->renamed_as_another);
	change->changed = w;
	return NULL;
}

/* Returns whether the change is one of pages. */
static bool
has_pages(const struct settings_change *change)
{
	for (size_t i = 0; i < change->count; i++) {
		if (is_word(change->pairs[i].field) || is_look(change->pairs[i].field))
			return true;
	}
	return false;
}

struct err *
settings_write(struct ctx *c, struct settings_change *change)
{
	struct workspace *w;
	struct err *err = has_pages(change) ? workspace_begin_all(c, change->read, &w)
					    : workspace_begin(c, change->read, &w);

	if (err == NULL)
		err = write_fields(c, change, w);
	err = action_end(c, err);
	if (err == NULL)
		sites_write(c);
	return err;
}
