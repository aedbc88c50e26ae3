#include "action/workspace-actions.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "access/sites.h"
#include "access/workspace.h"
#include "action/action.h"
#include "article/article-pictures.h"
#include "article/article.h"
#include "article/content-state.h"
#include "article/desk.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "notify/notify-url.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/zone.h"
#include "web/cache-space.h"

static const struct action_scope scope = { .change = DB_CHANGES_ALL };

static struct err *
check_name(struct ctx *c, const char *name)
{
	bool many;
	const struct workspace *w = workspace_find(c, name, &many);
	struct twin twin = { .article = "a", .noun = "workspace", .name = name, .many = many };

	if (many)
		return twin_refuse(c, &twin);
	if (w == NULL)
		return NULL;
	twin.uuid = w->uuid;
	twin.about =
	    arena_printf(c->arena, "of the account %s", account_of(c, w->account_id)->name);
	return twin_refuse(c, &twin);
}

/* A name that is looked for among the workspaces of an account. */
struct own_name {
	int64_t account_id;
	const char *name;
	bool found;
};

static bool
compare_name(void *arg, const struct workspace_brief *w)
{
	struct own_name *own = arg;

	own->found = w->account_id == own->account_id && strlen(own->name) == w->name_len &&
		     memcmp(own->name, w->name, w->name_len) == 0;
	return !own->found;
}

static struct err *
check_own_name(struct ctx *c, const struct account *a, const char *name)
{
	struct own_name own = { .account_id = a->id, .name = name };

	workspace_walk(c, 0, compare_name, &own);
	return own.found ? refuse(c, ERR_CONFLICT,
			       tr_mark("This account has a workspace of this name already."))
			 : NULL;
}

static struct err *
set_website(struct ctx *c, const char *website, struct workspace *w)
{
	if (website == NULL || website[0] == '\0')
		return NULL;
	return workspace_set(c, w, "website", website);
}

/* ---- the time zone, as people type it. zone.c goes into the API's programs, whose pages are
 * counted; this does not. */

/* Returns the zone of an offset such as "+2", "UTC-5" or "GMT+05:00" (arena), or NULL: only those
 * of whole hours have one. */
static const char *
of_offset(struct ctx *c, const char *typed)
{
	int hours, minutes = 0, end = 0;

	if (strncasecmp(typed, "UTC", 3) == 0 || strncasecmp(typed, "GMT", 3) == 0)
		typed += 3;
	if (typed[0] == '\0')
		return "UTC";
	if ((typed[0] != '+' && typed[0] != '-') ||
	    sscanf(typed + 1, "%2d%n:%2d%n", &hours, &end, &minutes, &end) < 1 ||
	    typed[1 + end] != '\0' || minutes != 0 || typed[1] < '0' || typed[1] > '9')
		return NULL;
	/* The database counts these to the west. */
	return hours == 0
		   ? "UTC"
		   : arena_printf(c->arena, "Etc/GMT%c%d", typed[0] == '+' ? '-' : '+', hours);
}

/* Returns the name of a city as the database writes it: "new york" is "New_York" (arena). */
static const char *
as_city(struct ctx *c, const char *typed)
{
	char *name = arena_text(c->arena, typed);

	for (char *p = name; *p != '\0'; p++) {
		bool begins = p == name || strchr("_/-", p[-1]) != NULL;
		if (*p == ' ')
			*p = '_';
		else if (begins && *p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
	}
	return name;
}

/* Returns the name of the time zone that a person means (arena): by its name, by a city ("new york"), or
 * by a whole offset ("+2", "UTC-5"). NULL: nobody knows it. */
static const char *
zone_meant(struct ctx *c, const char *typed)
{
	static const char *const areas[] = { "", "Europe/", "America/", "Asia/", "Africa/",
		"Australia/", "Pacific/", "Atlantic/", "Indian/" };
	const char *name, **names;
	struct zone zone;
	size_t len;

	typed += strspn(typed, " ");
	len = strlen(typed);
	while (len > 0 && typed[len - 1] == ' ')
		len--;
	typed = arena_text_n(c->arena, typed, len);
	name = of_offset(c, typed);
	if (name != NULL)
		return zone_load(c, name, &zone) ? name : NULL;
	typed = as_city(c, typed);
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
		name = arena_printf(c->arena, "%s%s", areas[i], typed);
		if (zone_load(c, name, &zone))
			return name;
	}
	/* Some names have more parts, or capitals elsewhere. */
	names = zone_names(c);
	for (; *names != NULL; names++) {
		const char *city = strrchr(*names, '/');
		if (strcasecmp(*names, typed) == 0 ||
		    (city != NULL && strcasecmp(city + 1, typed) == 0))
			return *names;
	}
	return NULL;
}

/* Refuses what is no time zone; *value becomes the name of the one that is meant. */
static struct err *
check_time_zone(struct ctx *c, const char *field, const char **value)
{
	const char *typed = *value != NULL && (*value)[0] != '\0' ? *value : "UTC";

	*value = zone_meant(c, typed);
	if (*value != NULL)
		return NULL;
	return err_param(c, field,
	    tr_mark(
		"There is no time zone %s. Type a city, such as Berlin, or an offset, such as UTC+2."),
	    typed);
}

static struct err *
insert_workspace(struct ctx *c, const struct workspace_order *order, const struct account *a,
    struct workspace **out)
{
	TRY(workspace_insert(c, a->id, order->name, order->language, out));
	TRY(set_website(c, order->website, *out));
	if (order->website != NULL)
		workspace_update(c, *out);
	if (order->time_zone != NULL)
		time_zone_set(c, (*out)->id, order->time_zone);
	workspace_take_public_url(c, c->conf->public_url);
	return NULL;
}

struct err *
workspace_create(struct ctx *c, const struct workspace_order *order, struct workspace **out)
{
	struct workspace_order meant = *order;
	struct account *a;

	if (order->time_zone != NULL)
		TRY(check_time_zone(c, "time-zone", &meant.time_zone));
	ACTION(c, action_begin(c, &scope));
	TRY(find_account(c, order->account, &a));
	if (!order->another)
		TRY(order->within ? check_own_name(c, a, order->name) : check_name(c, order->name));
	TRY(insert_workspace(c, &meant, a, out));
	gate_leave(c);
	return action_commit(c);
}

struct err *
workspace_show(struct ctx *c, const struct find_place *place,
    void (*show)(void *arg, const struct workspace *workspace), void *arg)
{
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &w));
	show(arg, w);
	return action_commit(c);
}

void
workspace_show_all(
    struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg)
{
	const struct workspace *w;

	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		each(arg, w);
	db_commit(c);
}

struct err *
workspace_check_site(struct ctx *c, const struct first_site *site)
{
	struct workspace w = { .id = 0 };
	struct err *err = workspace_set(c, &w, "name", site->name);

	if (err == NULL)
		err = workspace_set(c, &w, "language", site->language);
	return err != NULL ? err : set_website(c, site->website, &w);
}

static struct err *
create_site(struct ctx *c, struct first_site *s)
{
	TRY(account_insert(c, s->name, true, &s->account));
	TRY(workspace_insert(c, s->account->id, s->name, s->language, &s->workspace));
	TRY(set_website(c, s->website, s->workspace));
	workspace_update(c, s->workspace);
	workspace_take_public_url(c, c->conf->public_url);
	return apikey_insert(c, s->workspace->id, SCOPE_READ, s->label, 0, s->key, &s->apikey);
}

struct err *
workspace_create_site(struct ctx *c, struct first_site *site)
{
	ACTION(c, action_begin(c, &scope));
	TRY(create_site(c, site));
	return action_commit(c);
}

/* ---- settings */

struct err *
settings_read(struct ctx *c, const struct find_place *place, struct settings_change *out)
{
	struct workspace *w;

	TRY(read_workspace(c, place, &w));
	*out = (struct settings_change) { .read = w, .tried = *w };
	ACTION(c, action_reading(c, DB_CONTENT));
	out->time_zone = time_zone_of(c, w->id);
	out->notify_url = notify_url_of(c, w->id);
	return action_commit(c);
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

/* Refuses a wrong value; *value becomes the one that is stored. */
static struct err *
check_field(struct ctx *c, struct settings_change *change, const char *field, const char **value)
{
	if (is_time_zone(field))
		return check_time_zone(c, SETTINGS_TIME_ZONE, value);
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

	TRY(check_field(c, change, field, &value));
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
	TRY(settings_field(c, change, field, value));
	change->pairs[change->count - 1].seen = seen;
	return NULL;
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
	ACTION(c, action_reading(c, DB_CONTENT));
	*out = (struct settings_effect) { .reaches = !workspace_is_sound(&change->tried) };
	if (out->reaches) {
		out->announced = article_count(c, change->tried.id, ARTICLE_PUBLISHED);
		out->before = workspace_state_sample(c, change->read);
		out->after = workspace_state_sample(c, &change->tried);
	}
	return action_commit(c);
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

	ACTION(c, has_pages(change) ? workspace_begin_all(c, change->read, &w)
				    : workspace_begin(c, change->read, &w));
	TRY(write_fields(c, change, w));
	action_commit(c);
	sites_write(c);
	return NULL;
}

/* ---- deletion */

#define SLICE 50 /* articles that are destroyed in one transaction */
#define SLICE_MEMORY ((size_t)1 << 30)

struct slice {
	struct ctx *c;
	struct article *articles[SLICE]; /* the articles to destroy next */
	size_t count;
};

static int64_t
count_articles(struct ctx *c, const struct workspace *w)
{
	int64_t count = 0;

	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		count += article_count(c, w->id, s);
	return count;
}

struct err *
deletion_find(struct ctx *c, const struct find_place *place, struct deletion *d)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, place, &d->workspace));
	d->account = account_of(c, d->workspace->account_id);
	d->found = count_articles(c, d->workspace);
	return action_commit(c);
}

struct closing {
	struct ctx *c;
	struct deletion *d;
};

static void
keep_job(void *arg, const struct job *job)
{
	struct closing *closing = arg;
	struct deletion *d = closing->d;

	d->jobs = arena_grow(closing->c->arena, d->jobs, d->job_count * sizeof(*d->jobs),
	    (d->job_count + 1) * sizeof(*d->jobs));
	d->jobs[d->job_count++] = job->uuid;
	d->credits += job->reserved_credits;
	if (d->cancelled != NULL)
		d->cancelled(d->arg, job->uuid);
}

static void
close_off(struct ctx *c, struct deletion *d)
{
	struct closing closing = { .c = c, .d = d };

	d->keys += apikey_revoke_all(c, d->workspace->id);
	(void)share_end_workspace(c, d->workspace->id);
	notify_set_url(c, d->workspace->id, "");
	job_end_all(c, d->workspace->id, "The workspace was deleted.", keep_job, &closing);
}

static void
keep_article(struct slice *slice, const struct article *a)
{
	struct article *kept = arena_alloc(slice->c->arena, sizeof(*kept));

	if (slice->count == SLICE)
		return;
	*kept = *a;
	slice->articles[slice->count++] = kept;
}

static struct err *
destroy(struct ctx *c, struct workspace *w, struct article *a)
{
	struct purge_media later; /* all pictures; they are looked at in the end */
	struct err *err = NULL;

	purge_media_init(&later, c);
	if (a->status != ARTICLE_DELETED)
		err = article_delete(c, w, a);
	return err != NULL ? err : purge_article(c, w, a, &later);
}

/* Destroys some articles in one transaction. *count is 0 if none was left. */
static struct err *
destroy_slice(struct ctx *c, struct deletion *d, size_t *count)
{
	struct slice slice = { .c = c };
	struct workspace *w;
	struct article a;

	ACTION(c, workspace_begin(c, d->workspace, &w));
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		for (struct stmt *q = article_list(c, w->id, s, SLICE); article_next(q, &a);)
			keep_article(&slice, &a);
	for (size_t i = 0; i < slice.count; i++)
		TRY(destroy(c, w, slice.articles[i]));
	action_commit(c);
	(void)FAULT("workspace-slice");
	*count = slice.count;
	d->articles += (int64_t)slice.count;
	work_step(d->work, (int64_t)slice.count);
	return NULL;
}

static struct err *
deletion_stopped(struct ctx *c, const struct deletion *d)
{
	return work_stopped(c,
	    "%" PRId64 " article%s destroyed, and no key opens the"
	    " workspace. The same command again does the rest.",
	    d->articles, d->articles == 1 ? " was" : "s were");
}

/* Destroys the articles slice by slice. Each slice has its own memory. */
static struct err *
destroy_articles(struct ctx *c, struct deletion *d)
{
	struct arena scratch, *kept = c->arena;
	struct err *err = NULL;
	size_t count = 1;

	arena_init(&scratch, SLICE_MEMORY);
	while (err == NULL && count > 0) {
		if (work_must_stop(d->work)) {
			err = deletion_stopped(c, d);
			break;
		}
		c->arena = &scratch;
		err = destroy_slice(c, d, &count);
		c->arena = kept;
		if (err != NULL)
			err = refuse(c, err->code, "%s", err->message);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return err;
}

/* Begins a transaction that changes keys, too. The workspace must be the one that was
 * found. */
static struct err *
deletion_begin(struct ctx *c, const struct deletion *d)
{
	const struct workspace *w;
	bool many;

	TRY(action_begin(c, &scope));
	w = workspace_find(c, d->workspace->uuid, &many);
	if (w != NULL && w->id == d->workspace->id && strcmp(w->epoch, d->workspace->epoch) == 0)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"The workspace was deleted by somebody else, or the database restored meanwhile."));
}

/* Marks the workspace as deleted if it is empty: what was added since the last slice is
 * destroyed by the next one. */
static struct err *
deletion_finish(struct ctx *c, struct deletion *d, struct purge_media *media, bool *done)
{
	*done = false;
	ACTION(c, deletion_begin(c, d));
	close_off(c, d);
	*done = count_articles(c, d->workspace) == 0;
	if (*done) {
		workspace_delete(c, d->workspace);
		picture_list_remove_all(c, d->workspace->id);
		purge_media_init(media, c);
		purge_media_add_all(media, c);
		purge_rows(c, media);
	}
	return action_commit(c);
}

static struct err *
close_workspace(struct ctx *c, struct deletion *d)
{
	ACTION(c, deletion_begin(c, d));
	close_off(c, d);
	return action_commit(c);
}

static struct err *
delete_workspace(struct ctx *c, struct deletion *d)
{
	struct purge_media media;
	bool done = false;

	TRY(close_workspace(c, d));
	(void)FAULT("workspace-closed");
	while (!done) {
		TRY(destroy_articles(c, d));
		TRY(deletion_finish(c, d, &media, &done));
	}
	cache_drop_workspace(c, d->workspace->id);
	sites_write(c);
	d->pictures = purge_files(c, &media);
	return NULL;
}

struct err *
deletion_confirm(struct ctx *c, const struct deletion *d, const char *typed)
{
	const char *name = d->workspace->settings.name;
	size_t before = strspn(name, " "), len = strlen(typed);

	/* A form loses the spaces around what is typed. */
	if (strcmp(typed, name) == 0 ||
	    (strncmp(name + before, typed, len) == 0 &&
		name[before + len + strspn(name + before + len, " ")] == '\0' && len > 0))
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark("That is not the name of the workspace, %s. Nothing was changed."), name);
}

struct err *
deletion_run(struct ctx *c, struct deletion *d)
{
	struct err *err;

	work_begin(d->work, "Destroying", WORK_PIECES, d->found);
	err = delete_workspace(c, d);
	work_end(d->work);
	return err;
}
