/* A file becomes a workspace (workspace-file.h): it is read twice, first to look at all of it. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "access/sites.h"
#include "article/media.h"
#include "article/moved-article.h"
#include "article/stored.h"
#include "backup/tar.h"
#include "backup/workspace-file.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "content/content-read.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/work.h"
#include "system/zone.h"

#define SCRATCH_MAX ((size_t)1 << 30) /* one article, or one picture */
#define VALUE_MAX 8000 /* of a setting, in characters */
#define SITE_DIGITS 36 /* of the id by which the collector knows it */

enum kind { KIND_SETTINGS, KIND_PICTURE, KIND_ARTICLE, KIND_EDITION };

struct entry {
	enum kind kind;
	const char *name;
	int64_t bytes;
	char digest[MEDIA_DIGEST];
};

/* A picture of the file. */
struct given {
	struct media media;
	bool placed; /* its file got its name from us */
};

struct reading {
	struct ctx *c;
	const struct work *work;
	struct workspace_file *out;
	const char *path;
	int fd;
	const char *account;
	bool placing; /* the second time, in the writing transaction */
	const struct workspace_visitor *visitor; /* or NULL: a workspace is made */
	struct entry *entries;
	size_t count;
	int64_t bytes;
	struct workspace w; /* as the file has it; the second time the one that is made */
	const char *time_zone;
	const char *look[8]; /* by pages_look_fields */
	json_t *listed; /* pictures of the list */
	struct given *pictures;
	size_t picture_count;
	char (*ids)[UUID_TEXT]; /* of articles */
	int64_t *lengths; /* of their finished bytes */
	size_t article_count;
	struct moved_article m; /* the article whose editions follow */
	bool is_open; /* there is one */
	struct arena article, scratch; /* of that article, of one other file */
};

static struct err *
refuse_file(struct reading *x, const char *why)
{
	return refuse(x->c, ERR_INVALID, "%s %s Nothing was changed.", x->path, why);
}

/* ---- its list */

/* Takes "DIGEST  NAME BYTES". False where the line, or its place, is wrong: settings, pictures,
 * articles by number, each with its editions. */
static bool
take_line(struct reading *x, char *line)
{
	struct ctx *c = x->c;
	struct entry *e = &x->entries[x->count];
	size_t hex = strspn(line, "0123456789abcdef");
	char *name = line + MEDIA_DIGEST + 1, *bytes, *end;
	bool first = x->count == 0;

	if (hex != MEDIA_DIGEST - 1 || line[hex] != ' ' || line[hex + 1] != ' ' ||
	    (bytes = strchr(name, ' ')) == NULL || !isdigit((unsigned char)bytes[1]))
		return false;
	*bytes++ = '\0';
	errno = 0;
	e->bytes = strtoll(bytes, &end, 10);
	memcpy(e->digest, line, MEDIA_DIGEST - 1);
	e->name = name;
	if (errno != 0 || *end != '\0')
		return false;
	if (strcmp(name, "1") == 0) {
		e->kind = KIND_SETTINGS;
		return first && e->bytes <= (int64_t)WORKSPACE_FILE_TEXT_MAX;
	}
	if (media_digest_of(c, name) != NULL) {
		e->kind = KIND_PICTURE;
		x->picture_count++;
		/* They are in order, each once. */
		return !first && x->article_count == 0 && strncmp(name, e->digest, hex) == 0 &&
		       (x->picture_count == 1 || strcmp(e[-1].digest, e->digest) < 0) &&
		       e->bytes <= (int64_t)PICTURE_BYTES_MAX;
	}
	e->kind = strchr(name, '.') != NULL ? KIND_EDITION : KIND_ARTICLE;
	x->article_count += e->kind == KIND_ARTICLE;
	end = arena_printf(c->arena, "%zu", x->article_count + 1);
	if (e->kind == KIND_EDITION)
		end = arena_printf(
		    c->arena, "%s.%lld", end, strtoll(strchr(name, '.') + 1, NULL, 10));
	return !first && x->article_count > 0 && strcmp(name, end) == 0 &&
	       e->bytes <= (int64_t)WORKSPACE_FILE_TEXT_MAX;
}

static struct err *
take_list(struct reading *x, char *text, size_t len)
{
	char *line = text + strlen(WORKSPACE_FILE_FORMAT), *end;
	size_t lines = 0;

	if (strncmp(text, WORKSPACE_FILE_FORMAT, strlen("Galley workspace ")) != 0)
		return refuse_file(x, "is no workspace of Galley.");
	if (strncmp(text, WORKSPACE_FILE_FORMAT, strlen(WORKSPACE_FILE_FORMAT)) != 0)
		return refuse_file(
		    x, "was written by another release, which this one cannot read.");
	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	if (lines < 3 || lines - 2 > WORKSPACE_FILE_COUNT_MAX || strlen(text) != len)
		return refuse_file(x, "has a list that is damaged, or too many files.");
	x->entries = arena_array(x->c->arena, lines, sizeof(*x->entries));
	line += strcspn(line, "\n") + 1;
	for (; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		if (end == NULL)
			return refuse_file(x, "has a list that is damaged.");
		*end = '\0';
		if (!take_line(x, line) || x->bytes > WORKSPACE_FILE_BYTES_MAX)
			return refuse_file(x, "has a list that no Galley has written.");
		x->bytes += x->entries[x->count++].bytes;
	}
	return NULL;
}

static struct err *
read_list(struct reading *x, struct tar *t)
{
	struct err *err = NULL;
	size_t got = 0;
	char *text;
	bool more;

	TRY(tar_next(t, &more));
	if (!more || strcmp(t->name, "0") != 0)
		return refuse_file(x, "is no workspace of Galley.");
	if (x->placing)
		return NULL;
	if (t->size > (int64_t)WORKSPACE_FILE_LIST_MAX)
		return refuse_file(x, "has a list that is too long.");
	text = arena_alloc(x->c->arena, (size_t)t->size + 1);
	err = tar_read(t, text, (size_t)t->size, &got);
	return err != NULL ? err : take_list(x, text, got);
}

/* ---- settings */

static void
read_listed(struct jread *r, json_t *list)
{
	json_t *it;
	size_t i;

	jread_enter(r, "pictures");
	json_array_foreach(list, i, it) {
		const char *digest;
		jread_enter_element(r, i);
		it = jread_element_object(r, it);
		digest = jread_line(r, it, "digest", JREAD_NEEDED, MEDIA_DIGEST - 1);
		if (digest != NULL && strspn(digest, "0123456789abcdef") != MEDIA_DIGEST - 1)
			jread_refuse(r, "digest", "must be a digest.");
		(void)content_text_line(r, it, "alternative", JREAD_NEEDED, CONTENT_TEXT_MAX);
		(void)jread_int(r, it, "added_at", JREAD_NEEDED, 1, INT64_MAX, 1);
		jread_only(r, it, "digest alternative added_at");
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads the settings as if somebody typed them. */
static struct err *
check_settings(struct reading *x, struct jread *r, json_t *o)
{
	struct ctx *c = x->c;
	struct zone zone;

	for (size_t i = 0; workspace_fields[i] != NULL; i++) {
		const char *value = jread_line(r, o, workspace_fields[i], JREAD_ANY, VALUE_MAX);
		TRY(jread_end(r));
		TRY(workspace_set(c, &x->w, workspace_fields[i], value != NULL ? value : ""));
	}
	x->time_zone = jread_line(r, o, "time_zone", JREAD_NEEDED, VALUE_MAX);
	TRY(jread_end(r));
	if (!zone_load(c, x->time_zone, &zone))
		return err_param(c, "time_zone", "There is no time zone %s.", x->time_zone);
	for (size_t i = 0; pages_look_fields[i] != NULL; i++) {
		const char *value = jread_line(r, o, pages_look_fields[i], JREAD_NEEDED, VALUE_MAX);
		TRY(jread_end(r));
		TRY(pages_look_check(c, pages_look_fields[i], value, &x->look[i]));
	}
	return NULL;
}

static struct err *
read_settings(struct reading *x, const char *text, size_t len)
{
	struct ctx *c = x->c;
	char *uuid = arena_alloc(c->arena, UUID_TEXT);
	const char *id, *site;
	struct jread r;
	json_t *o;

	TRY(jread_parse(c, "workspace", text, len, &o));
	jread_begin(&r, c, "workspace");
	o = jread_element_object(&r, o);
	id = jread_line(&r, o, "id", JREAD_NEEDED, UUID_TEXT - 1);
	site = jread_line(&r, o, "analytics_site_id", JREAD_NEEDED, SITE_DIGITS);
	if (id != NULL && !uuid_parse(id, uuid))
		jread_refuse(&r, "id", "must be a UUID.");
	if (site != NULL && strspn(site, "0123456789abcdef") != SITE_DIGITS)
		jread_refuse(
		    &r, "analytics_site_id", "must be %d hexadecimal digits.", SITE_DIGITS);
	x->listed = jread_array(&r, o, "pictures", JREAD_NEEDED, WORKSPACE_FILE_COUNT_MAX);
	read_listed(&r, x->listed);
	jread_only(&r, o,
	    "id analytics_site_id name language website address_pattern publisher_name"
	    " publisher_logo_url author_name author_url analytics_enabled analytics_origins"
	    " embed_origins time_zone pages_title pages_accent pages_font pages_width pictures");
	TRY(jread_end(&r));
	x->w.uuid = x->w.settings.workspace_id = uuid;
	x->w.analytics_site_id = site;
	x->w.settings.public_url = x->visitor == NULL ? c->conf->public_url : "";
	return check_settings(x, &r, o);
}

static struct err *
find_account(struct reading *x, struct account **out)
{
	struct ctx *c = x->c;
	bool many = false;

	*out = account_find(c, x->account, &many);
	if (*out != NULL)
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_NOT_FOUND,
		many ? "Several accounts are called %s: name one by its id."
		     : "There is no account %s.",
		x->account),
	    HINT_ACCOUNTS, NULL);
}

static struct err *
refuse_known(struct reading *x, const char *kind, const char *id)
{
	return refuse(x->c, ERR_CONFLICT,
	    "This instance has, or had, %s with the id %s: the workspace cannot be moved here. Nothing was changed.",
	    kind, id);
}

static struct err *
check_workspace(struct reading *x, struct account **account)
{
	TRY(find_account(x, account));
	if (workspace_is_known(x->c, x->w.uuid, x->w.analytics_site_id))
		return refuse_known(x, "a workspace", x->w.uuid);
	return NULL;
}

static struct err *
look_at_settings(struct reading *x, const char *text, size_t len)
{
	struct account *account;
	struct err *err;

	db_begin_read(x->c, DB_CONTENT);
	err = read_settings(x, text, len);
	if (err == NULL)
		err = check_workspace(x, &account);
	db_rollback(x->c);
	return err;
}

/* Makes the workspace, with its settings and pictures. */
static struct err *
place_settings(struct reading *x)
{
	struct ctx *c = x->c;
	const struct workspace w = x->w;
	struct account *account;
	struct workspace *made;
	json_t *it;
	size_t i;

	TRY(check_workspace(x, &account));
	TRY(workspace_insert(c, account->id, w.settings.name, w.settings.language, &made));
	workspace_set_ids(c, made, w.uuid, w.analytics_site_id);
	made = workspace_of(c, made->id);
	made->settings = w.settings;
	made->analytics_enabled = w.analytics_enabled;
	made->analytics_origins = w.analytics_origins;
	made->embed_origins = w.embed_origins;
	(void)workspace_update(c, made);
	time_zone_set(c, made->id, x->time_zone);
	for (i = 0; pages_look_fields[i] != NULL; i++)
		pages_look_set(c, made->id, pages_look_fields[i], x->look[i]);
	x->w = *workspace_of(c, made->id);
	for (i = 0; i < x->picture_count; i++)
		media_insert(c, &x->pictures[i].media);
	json_array_foreach(x->listed, i, it) {
		int64_t at = json_integer_value(json_object_get(it, "added_at"));
		moved_insert_picture(c, &x->w, json_string_value(json_object_get(it, "digest")),
		    json_string_value(json_object_get(it, "alternative")),
		    at < c->now ? at : c->now);
	}
	(void)workspace_find(c, w.settings.name, &x->out->many);
	return NULL;
}

/* ---- pictures */

/* Looks at a picture, and writes its file under another name: what may still be refused is not for
 * readers. */
static struct err *
take_picture(struct reading *x, const struct entry *e, const void *bytes, struct media *out)
{
	struct ctx *c = x->c;
	struct arena *kept = c->arena;
	struct picture_clean clean;
	struct err *err;

	c->arena = &x->scratch;
	err = picture_clean(c, bytes, (size_t)e->bytes, &clean);
	c->arena = kept;
	if (err != NULL)
		return err;
	if (clean.changed || strcmp(clean.is.extension, strchr(e->name, '.') + 1) != 0)
		return refuse(c, ERR_INVALID,
		    "This picture is of another kind than its name says, or holds what Galley removes.");
	return media_stage(c, bytes, (size_t)e->bytes, &clean, out);
}

static struct err *
place_pictures(struct reading *x)
{
	struct ctx *c = x->c;

	for (size_t i = 0; i < x->picture_count; i++) {
		struct given *g = &x->pictures[i];
		const char *path;
		if (g->media.staged == NULL)
			continue;
		path = media_path(c, g->media.url + strlen("media:"));
		if (!fileio_place(c->arena, g->media.staged, path))
			return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
		g->media.staged = NULL;
		g->placed = true;
	}
	return NULL;
}

/* Removes the files of pictures that we wrote, unless others show them by now. */
static void
drop_pictures(struct reading *x)
{
	struct ctx *c = x->c;
	int held = media_hold(c, true);

	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	/* There are none of a list that was refused. */
	for (size_t i = 0; x->pictures != NULL && i < x->picture_count; i++) {
		struct given *g = &x->pictures[i];
		if (g->media.staged != NULL)
			(void)unlink(g->media.staged);
		else if (g->placed)
			(void)media_remove(c, g->media.url + strlen("media:"));
	}
	db_rollback(c);
	if (held >= 0)
		filelock_release(held);
}

/* ---- articles */

static int
by_digest(const void *name, const void *given)
{
	return strncmp(name, ((const struct given *)given)->media.digest, MEDIA_DIGEST - 1);
}

/* Gives a cover that is in the file the size of that picture. Others keep what they have, or get
 * what a picture here has. */
static void
fit(struct reading *x, struct snapshot *s)
{
	const struct given *g;

	cover_fit(x->c, s);
	if (s->image == NULL || strncmp(s->image, "media:", strlen("media:")) != 0 ||
	    x->picture_count == 0)
		return;
	g = bsearch(
	    s->image + strlen("media:"), x->pictures, x->picture_count, sizeof(*g), by_digest);
	if (g == NULL)
		return;
	s->image_type = g->media.type;
	s->image_width = g->media.width;
	s->image_height = g->media.height;
}

/* What came of an article; NULL, too, where the visitor goes on without it. */
static struct err *
came(struct reading *x, struct err *err)
{
	if (err == NULL || x->visitor == NULL)
		return err;
	x->is_open = false;
	return x->visitor->refused(x->visitor->arg, &x->m, err);
}

static struct err *
end_whole(struct reading *x)
{
	if (x->m.version != x->m.a.version)
		return refuse(
		    x->c, ERR_INVALID, "The article %s lacks its last edition.", x->m.a.uuid);
	if (x->visitor != NULL)
		return x->visitor->end(x->visitor->arg, &x->m);
	return x->placing ? moved_insert_state(x->c, &x->w, &x->m) : NULL;
}

/* Ends the article whose editions were read, with its memory. */
static struct err *
end_article(struct reading *x)
{
	struct ctx *c = x->c;
	struct arena *kept = c->arena;
	struct err *err;

	if (!x->is_open)
		return NULL;
	x->is_open = false;
	c->arena = &x->article;
	err = came(x, end_whole(x));
	c->arena = kept;
	return err != NULL ? refuse(c, err->code, "%s", err->message) : NULL;
}

static struct err *
measure(struct reading *x, const struct article *a, struct snapshot *s)
{
	fit(x, s);
	return stored_measure(x->c, &x->w, a, s, &x->lengths[x->article_count - 1]);
}

static struct err *
read_article(struct reading *x, const char *text, size_t len)
{
	struct article draft;

	TRY(moved_read_article(x->c, text, len, &x->m));
	if (article_find(x->c, 0, x->m.a.uuid) != NULL)
		return refuse_known(x, "an article", x->m.a.uuid);
	x->is_open = true;
	if (x->placing)
		return moved_insert_article(x->c, &x->w, &x->m, x->lengths[x->article_count++]);
	memcpy(x->ids[x->article_count++], x->m.a.uuid, UUID_TEXT);
	x->out->published += x->m.a.status == ARTICLE_PUBLISHED;
	draft = x->m.a;
	draft.status = ARTICLE_DRAFT;
	return measure(x, &draft, &x->m.working);
}

static struct err *
read_edition(struct reading *x, const char *text, size_t len)
{
	struct moved_article *m = &x->m;

	TRY(moved_read_edition(x->c, text, len, m));
	if (x->placing)
		return moved_insert_edition(x->c, &x->w, m);
	return m->version == m->a.version && m->a.status == ARTICLE_PUBLISHED
		   ? measure(x, &m->a, &m->edition)
		   : NULL;
}

/* ---- for a visitor */

static struct err *
visit_settings(struct reading *x, const char *text, size_t len)
{
	struct err *err;

	db_begin_read(x->c, DB_CONTENT);
	err = read_settings(x, text, len);
	db_rollback(x->c);
	return err != NULL ? err
			   : x->visitor->workspace(x->visitor->arg, &x->w, x->time_zone, x->look);
}

static struct err *
visit_picture(struct reading *x, const struct entry *e, const char *bytes)
{
	struct ctx *c = x->c;
	struct given *g = &x->pictures[x->picture_count++];

	TRY(take_picture(x, e, bytes, &g->media));
	TRY(place_pictures(x));
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	media_insert(c, &g->media);
	db_commit(c);
	return NULL;
}

static struct err *
visit_article(struct reading *x, const char *text, size_t len)
{
	struct err *err = moved_read_article(x->c, text, len, &x->m);

	x->is_open = true;
	return err != NULL ? err : x->visitor->article(x->visitor->arg, &x->m);
}

static struct err *
visit_edition(struct reading *x, const char *text, size_t len)
{
	struct err *err;

	if (!x->is_open)
		return NULL;
	err = moved_read_edition(x->c, text, len, &x->m);
	return err != NULL ? err : x->visitor->edition(x->visitor->arg, &x->m);
}

static struct err *
visit(struct reading *x, const struct entry *e, const char *text)
{
	size_t len = (size_t)e->bytes;

	switch (e->kind) {
	case KIND_SETTINGS:
		return visit_settings(x, text, len);
	case KIND_PICTURE:
		return visit_picture(x, e, text);
	case KIND_ARTICLE:
		return came(x, visit_article(x, text, len));
	case KIND_EDITION:
		return came(x, visit_edition(x, text, len));
	}
	return NULL;
}

/* ---- the file */

static struct err *
take(struct reading *x, const struct entry *e, char *text)
{
	size_t len = (size_t)e->bytes;

	if (x->visitor != NULL)
		return visit(x, e, text);
	switch (e->kind) {
	case KIND_SETTINGS:
		return x->placing ? place_settings(x) : look_at_settings(x, text, len);
	case KIND_PICTURE:
		return x->placing
			   ? NULL
			   : take_picture(x, e, text, &x->pictures[x->picture_count++].media);
	case KIND_ARTICLE:
		if (!x->placing && x->article_count == 0)
			db_begin_read(x->c, DB_CONTENT);
		return read_article(x, text, len);
	case KIND_EDITION:
		return read_edition(x, text, len);
	}
	return NULL;
}

/* Takes one file, with memory of its own: what follows an article belongs to it. */
static struct err *
read_entry(struct reading *x, struct tar *t, const struct entry *e)
{
	struct ctx *c = x->c;
	struct arena *kept = c->arena, *own = e->kind == KIND_ARTICLE ? &x->article : &x->scratch;
	char digest[MEDIA_DIGEST], *text;
	struct err *err;
	size_t got;
	bool more;

	TRY(tar_next(t, &more));
	if (!more || strcmp(t->name, e->name) != 0 || t->size != e->bytes)
		return refuse_file(x, "does not hold what its list says.");
	if (e->kind == KIND_ARTICLE)
		TRY(end_article(x));
	arena_reset(own);
	text = arena_alloc(own, (size_t)e->bytes + 1);
	TRY(tar_read(t, text, (size_t)e->bytes, &got));
	workspace_file_digest(text, got, digest);
	if (strcmp(digest, e->digest) != 0)
		return refuse_file(x, "is damaged: it does not hold what its list says.");
	/* What settings and pictures leave lives as long as the work. */
	if (e->kind == KIND_ARTICLE || e->kind == KIND_EDITION)
		c->arena = own;
	err = take(x, e, text);
	c->arena = kept;
	if (err == NULL)
		return NULL;
	if (err->code != ERR_INVALID || x->visitor != NULL)
		return refuse(c, err->code, "%s", err->message);
	return refuse(c, ERR_INVALID, "%s, file %s in it: %s Nothing was changed.", x->path,
	    e->name, err->message);
}

/* Reads the whole file, the first time with its list. */
static struct err *
read_through(struct reading *x, struct tar *t)
{
	bool more;

	TRY(read_list(x, t));
	if (!x->placing) {
		if (!disk_has_room(x->c->instance->db, x->bytes))
			return refuse(x->c, ERR_UNAVAILABLE,
			    "The disk is too full for this. Remove something first.");
		x->pictures = arena_array(x->c->arena, x->picture_count + 1, sizeof(*x->pictures));
		x->ids = arena_array(x->c->arena, x->article_count + 1, sizeof(*x->ids));
		x->lengths = arena_array(x->c->arena, x->article_count + 1, sizeof(*x->lengths));
		x->picture_count = 0;
	}
	x->article_count = 0;
	for (size_t i = 0; i < x->count; i++) {
		if (work_must_stop(x->work))
			return work_stopped(x->c,
			    x->visitor != NULL
				? "what came back until then stays. The same again does the rest."
				: "nothing was changed.");
		TRY(read_entry(x, t, &x->entries[i]));
	}
	TRY(end_article(x));
	TRY(tar_next(t, &more));
	return more ? refuse_file(x, "holds more than its list says.") : NULL;
}

static struct err *
read_once(struct reading *x)
{
	struct ctx *c = x->c;
	struct err *err;
	struct stat st;
	const char *id;
	struct tar t;

	if (fstat(x->fd, &st) != 0 || lseek(x->fd, 0, SEEK_SET) != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", x->path, strerror(errno));
	tar_init(&t, c, x->fd, x->path);
	work_begin(x->work, x->placing ? "Storing" : "Reading", WORK_BYTES, st.st_size);
	t.work = x->work;
	err = read_through(x, &t);
	work_end(x->work);
	if (err == NULL && !x->placing && x->visitor == NULL && x->article_count > 0) {
		id = moved_find_ordered(c, x->ids, x->article_count);
		err = id != NULL ? refuse_known(x, "an order of an article", id) : NULL;
	}
	return err;
}

/* Makes the workspace, in one transaction. */
static struct err *
place_all(struct reading *x)
{
	struct ctx *c = x->c;
	struct err *err;

	x->placing = true;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	err = read_once(x);
	if (err == NULL)
		(void)workspace_take_public_url(c, c->conf->public_url);
	(void)FAULT("workspace-placed");
	if (err == NULL)
		db_commit(c);
	else
		db_rollback(c);
	return err;
}

static struct err *
read_file(struct reading *x)
{
	struct ctx *c = x->c;
	struct err *err = read_once(x);

	db_rollback(c);
	(void)FAULT("workspace-looked-at");
	if (err == NULL)
		err = place_pictures(x);
	if (err == NULL)
		err = place_all(x);
	if (err != NULL)
		drop_pictures(x);
	return err;
}

/* What is finished is made of sources now. The job runner does what is left of it. */
static void
render(struct reading *x)
{
	int64_t renewed;
	struct err *err;

	sites_write(x->c);
	err = refresh_run(x->c, x->work, x->w.id, &renewed);
	if (err != NULL)
		work_tell(x->work, "%s", err->message);
}

/* Opens a plain file. */
static struct err *
open_file(struct reading *x, struct stat *st)
{
	x->fd = open(x->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (x->fd < 0)
		return refuse(x->c, ERR_INTERNAL, "%s: %s.", x->path, strerror(errno));
	if (fstat(x->fd, st) != 0 || !S_ISREG(st->st_mode)) {
		close(x->fd);
		return refuse(x->c, ERR_INVALID, "%s is not a plain file.", x->path);
	}
	arena_init(&x->article, SCRATCH_MAX);
	arena_init(&x->scratch, SCRATCH_MAX);
	return NULL;
}

static void
close_file(struct reading *x)
{
	close(x->fd);
	arena_release(&x->article);
	arena_release(&x->scratch);
}

struct err *
workspace_import(struct ctx *c, const struct work *work, const char *path, const char *account,
    struct workspace_file *out)
{
	struct reading x = { .c = c, .work = work, .out = out, .path = path, .account = account };
	struct stat st;
	struct err *err;

	*out = (struct workspace_file) { .uuid = NULL };
	TRY(open_file(&x, &st));
	err = read_file(&x);
	close_file(&x);
	if (err != NULL)
		return err;
	out->uuid = x.w.uuid;
	out->name = x.w.settings.name;
	out->bytes = st.st_size;
	out->articles = (int64_t)x.article_count;
	out->pictures = (int64_t)x.picture_count;
	render(&x);
	return NULL;
}

struct err *
workspace_visit(struct ctx *c, const struct work *work, const char *path,
    const struct workspace_visitor *visitor)
{
	struct reading x = { .c = c, .work = work, .path = path, .visitor = visitor };
	struct stat st;
	struct err *err;

	TRY(open_file(&x, &st));
	err = read_once(&x);
	db_rollback(c);
	close_file(&x);
	return err;
}
