#include "import/ghost.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "import/markdown/fields.h"

#define GHOST_BYTES_MAX ((size_t)128 * 1024 * 1024)

#define MILLISECONDS_MAX INT64_C(253402300799999) /* the end of 9999 */

static const char ghost_url[] = "__GHOST_URL__";

__attribute__((format(printf, 2, 3))) static void
wrong(struct ghost *g, const char *format, ...)
{
	va_list args;

	if (g->err != NULL)
		return;
	va_start(args, format);
	g->err =
	    refuse(g->c, ERR_INVALID, "%s: %s.", g->path, arena_vprintf(g->c->arena, format, args));
	va_end(args);
}

/* Returns a member as text; an id may be a number. Returns NULL if it is absent,
 * null or "". */
static const char *
text(struct ghost *g, const json_t *row, const char *table, size_t n, const char *name)
{
	const json_t *value = json_object_get(row, name);
	const char *found;

	if (value == NULL || json_is_null(value))
		return NULL;
	if (json_is_integer(value))
		return arena_printf(g->c->arena, "%lld", (long long)json_integer_value(value));
	if (!json_is_string(value)) {
		wrong(g, "%s[%zu].%s must be a text", table, n, name);
		return NULL;
	}
	found = json_string_value(value);
	return found[0] != '\0' ? found : NULL;
}

/* Reads "2024-05-06T07:08:09.000Z", "2024-05-06 07:08:09" (UTC), or milliseconds. */
static int64_t
time_of(struct ghost *g, const json_t *post, size_t n, const char *name)
{
	const json_t *value = json_object_get(post, name);
	const char *written;
	int64_t at = 0;

	if (json_is_integer(value) && json_integer_value(value) >= 0 &&
	    json_integer_value(value) <= MILLISECONDS_MAX)
		return json_integer_value(value) * 1000;
	written = text(g, post, "posts", n, name);
	if (written != NULL && !fields_date(g->c, written, &at))
		wrong(g, "posts[%zu].%s must be a date and time, not \"%.40s\"", n, name, written);
	return at;
}

/* Returns whether a member is true. Ghost writes true or, in older exports, a
 * number. */
static bool
is_true(const json_t *row, const char *name)
{
	const json_t *value = json_object_get(row, name);

	return json_is_true(value) || (json_is_integer(value) && json_integer_value(value) != 0);
}

/* Compares ids as texts: Ghost writes them as numbers or as strings. */
static bool
same_id(struct ghost *g, const json_t *row, const char *name, const char *id)
{
	const char *found = text(g, row, "row", 0, name);

	return found != NULL && id != NULL && strcmp(found, id) == 0;
}

/* Returns the row of a table whose member `name` is the id, or NULL. */
static const json_t *
find(struct ghost *g, const json_t *table, const char *name, const char *id)
{
	for (size_t i = 0; i < json_array_size(table); i++) {
		const json_t *row = json_array_get(table, i);
		if (same_id(g, row, name, id))
			return row;
	}
	return NULL;
}

/* Returns a post's rows of a table of links, in their order. */
static size_t
links(struct ghost *g, const json_t *table, const char *post, const json_t **out, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(table) && count < max; i++) {
		const json_t *row = json_array_get(table, i);
		json_int_t order = json_integer_value(json_object_get(row, "sort_order"));
		size_t at = count;
		if (!same_id(g, row, "post_id", post))
			continue;
		for (; at > 0 &&
		       json_integer_value(json_object_get(out[at - 1], "sort_order")) > order;
		     at--)
			out[at] = out[at - 1];
		out[at] = row;
		count++;
	}
	return count;
}

/* The first author of a post is kept; more of them are a loss. */
static void
read_author(struct ghost *g, const json_t *post, size_t n, const char *id, struct notes *notes,
    struct post *out)
{
	const json_t *rows[20], *user;
	size_t count = links(g, g->posts_authors, id, rows, 20);
	const char *author = count > 0 ? text(g, rows[0], "posts_authors", 0, "author_id")
				       : text(g, post, "posts", n, "author_id");

	if (count > 1)
		notes_add(notes, "only the first of %zu authors was kept.", count);
	user = find(g, g->users, "id", author);
	out->author_name = text(g, user, "users", 0, "name");
	out->author_url = text(g, user, "users", 0, "website");
}

/* The tags are the post's, in order. Tags that begin with "#" are internal in
 * Ghost and are dropped (a loss). */
static void
read_tags(struct ghost *g, const char *id, struct notes *notes, struct post *out)
{
	const json_t *rows[200];
	size_t count = links(g, g->posts_tags, id, rows, 200);

	out->tags = arena_array(g->c->arena, count + 1, sizeof(*out->tags));
	for (size_t i = 0; i < count; i++) {
		const json_t *tag =
		    find(g, g->tags, "id", text(g, rows[i], "posts_tags", i, "tag_id"));
		const char *name = text(g, tag, "tags", i, "name");
		if (name == NULL)
			continue;
		if (name[0] == '#')
			notes_add(notes, "the internal tag \"%s\" was dropped.", name);
		else
			out->tags[out->tag_count++] = name;
	}
}

/* A post is a draft by its status. A post is not for everyone if it is neither
 * draft nor published, if its visibility is not public, or if it was sent by
 * e-mail only. */
static void
read_status(struct ghost *g, const json_t *post, const json_t *meta, size_t n, struct post *out)
{
	const char *status = text(g, post, "posts", n, "status");
	const char *visibility = text(g, post, "posts", n, "visibility");

	if (status == NULL || strcmp(status, "draft") == 0)
		out->draft = true;
	else if (strcmp(status, "published") != 0)
		out->private = arena_printf(g->c->arena, "status %s", status);
	if (visibility != NULL && strcmp(visibility, "public") != 0)
		out->private = arena_printf(g->c->arena, "visibility %s", visibility);
	else if (is_true(meta, "email_only"))
		out->private = "sent by e-mail only";
}

/* Returns an address with the site's address in place of Ghost's mark. */
static const char *
with_site(struct ghost *g, const char *from)
{
	const char *p = from, *at;
	struct buf out;

	if (from == NULL || strstr(from, ghost_url) == NULL)
		return from;
	buf_init(&out, g->c->arena, 64 * strlen(from) + 4096);
	while ((at = strstr(p, ghost_url)) != NULL) {
		buf_add(&out, p, (size_t)(at - p));
		buf_add_text(&out, g->site == NULL ? "" : g->site);
		p = at + strlen(ghost_url);
	}
	buf_add_text(&out, p);
	return out.data;
}

/* Returns the html without the comments that Ghost puts around its cards. */
static const char *
html_of(struct ghost *g, const char *from)
{
	char *html, *p, *end;

	if (from == NULL)
		return NULL;
	html = arena_text(g->c->arena, with_site(g, from));
	for (p = html; (p = strstr(p, "<!--")) != NULL;) {
		end = strstr(p, "-->");
		if (end != NULL &&
		    (strncmp(p + 4, "kg-card-", 8) == 0 || strncmp(p + 4, "members-only", 12) == 0))
			memmove(p, end + 3, strlen(end + 3) + 1);
		else
			p += 4;
	}
	return html;
}

/* Returns a member of the post's row in posts_meta, or else of the post itself. */
static const char *
either(struct ghost *g, const json_t *meta, const json_t *post, size_t n, const char *name)
{
	const char *found = text(g, meta, "posts_meta", 0, name);

	return found != NULL ? found : text(g, post, "posts", n, name);
}

/* The language is the post's own, or else the site's setting locale, lang or
 * default_locale. */
static const char *
language_of(struct ghost *g, const json_t *post, size_t n)
{
	static const char *const keys[] = { "locale", "lang", "default_locale" };
	const char *found = text(g, post, "posts", n, "locale");

	for (size_t i = 0; i < 3 && found == NULL; i++)
		found = text(g, find(g, g->settings, "key", keys[i]), "settings", 0, "value");
	return found;
}

/* Reads the other fields of a post. The date is that of publication, or else of
 * creation. */
static void
read_fields(struct ghost *g, const json_t *post, const json_t *meta, size_t n, struct post *out)
{
	out->title = text(g, post, "posts", n, "title");
	out->slug = text(g, post, "posts", n, "slug");
	out->html = html_of(g, text(g, post, "posts", n, "html"));
	out->line = 1;
	out->language = language_of(g, post, n);
	out->created_at = time_of(g, post, n, "published_at");
	if (out->created_at == 0)
		out->created_at = time_of(g, post, n, "created_at");
	out->modified_at = time_of(g, post, n, "updated_at");
	out->excerpt = text(g, post, "posts", n, "custom_excerpt");
	out->cover = with_site(g, text(g, post, "posts", n, "feature_image"));
	out->cover_alt = text(g, meta, "posts_meta", n, "feature_image_alt");
	out->cover_caption = text(g, meta, "posts_meta", n, "feature_image_caption");
	out->meta_title = either(g, meta, post, n, "meta_title");
	out->meta_description = either(g, meta, post, n, "meta_description");
	out->canonical = with_site(g, text(g, post, "posts", n, "canonical_url"));
}

const char *
ghost_post(struct ghost *g, size_t n, bool pages, struct notes *notes, struct post *out)
{
	const json_t *post = json_array_get(g->posts, n), *meta;
	const char *type = text(g, post, "posts", n, "type"), *key, *id;

	memset(out, 0, sizeof(*out));
	out->title = text(g, post, "posts", n, "title");
	out->page = is_true(post, "page") || (type != NULL && strcmp(type, "page") == 0);
	if (out->page && !pages)
		return "of type page";
	if (!out->page && type != NULL && strcmp(type, "post") != 0)
		return arena_printf(g->c->arena, "of type %s", type);
	id = text(g, post, "posts", n, "id");
	key = text(g, post, "posts", n, "uuid");
	if (id == NULL)
		wrong(g, "posts[%zu] has no id", n);
	out->key = arena_printf(g->c->arena, "ghost:%s", key != NULL ? key : id);
	meta = find(g, g->posts_meta, "post_id", id);
	read_fields(g, post, meta, n, out);
	read_status(g, post, meta, n, out);
	read_author(g, post, n, id, notes, out);
	read_tags(g, id, notes, out);
	if (g->site != NULL && out->slug != NULL && !out->draft)
		out->address = arena_printf(g->c->arena, "%s/%s/", g->site, out->slug);
	if (out->html == NULL && (text(g, post, "posts", n, "lexical") != NULL ||
				     text(g, post, "posts", n, "mobiledoc") != NULL))
		notes_add(notes,
		    "its text is in the editor's own form only, and was not read: save the post in Ghost once more.");
	return NULL;
}

size_t
ghost_count(const struct ghost *g)
{
	return json_array_size(g->posts);
}

static json_t *
table(struct ghost *g, json_t *data, const char *name, bool needed)
{
	json_t *found = json_object_get(data, name);

	if (found == NULL && !needed)
		return NULL;
	if (!json_is_array(found))
		wrong(g, "data.%s must be an array", name);
	for (size_t i = 0; i < json_array_size(found); i++) {
		if (!json_is_object(json_array_get(found, i)))
			wrong(g, "data.%s[%zu] must be an object", name, i);
	}
	return found;
}

/* Finds the tables: in db[0].data, or in data. Only posts must be there. */
static void
read_tables(struct ghost *g, json_t *root)
{
	json_t *db = json_object_get(root, "db"), *data;

	data = json_object_get(db == NULL ? root : json_array_get(db, 0), "data");
	if (!json_is_object(data)) {
		wrong(g, "%s must be an object: this is no Ghost export",
		    db == NULL ? "data" : "db[0].data");
		return;
	}
	g->posts = table(g, data, "posts", true);
	g->tags = table(g, data, "tags", false);
	g->posts_tags = table(g, data, "posts_tags", false);
	g->users = table(g, data, "users", false);
	g->posts_authors = table(g, data, "posts_authors", false);
	g->posts_meta = table(g, data, "posts_meta", false);
	g->settings = table(g, data, "settings", false);
}

/* Reads every post once, to report what is wrong in it. */
static void
check_posts(struct ghost *g)
{
	struct arena scratch, *kept = g->c->arena;

	arena_init(&scratch, GHOST_MEMORY);
	for (size_t i = 0; i < ghost_count(g) && g->err == NULL; i++) {
		struct notes notes = { .c = g->c };
		struct post post;
		g->c->arena = &scratch;
		(void)ghost_post(g, i, true, &notes, &post);
		g->c->arena = kept;
		if (g->err != NULL)
			g->err = refuse(g->c, ERR_INVALID, "%s", g->err->message);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

struct err *
ghost_open(struct ctx *c, const char *path, const char *site, struct ghost *out)
{
	json_t *root;
	struct err *err;
	size_t len;
	char *bytes;

	*out = (struct ghost) { .c = c, .path = path, .site = site };
	bytes = fileio_read(c->arena, path, GHOST_BYTES_MAX, &len);
	if (bytes == NULL && errno == EFBIG)
		return refuse(
		    c, ERR_INVALID, "%s is longer than %zu MiB.", path, GHOST_BYTES_MAX >> 20);
	if (bytes == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	if (site == NULL && strstr(bytes, ghost_url) != NULL)
		return err_hint(c,
		    err_param(c, "site",
			"%s has addresses that begin with %s: name the address where the blog was.",
			path, ghost_url),
		    HINT_IMPORT_SITE, NULL);
	err = jread_parse(c, "export", bytes, len, &root);
	if (err != NULL)
		return refuse(c, ERR_INVALID, "%s: %s", path, err->message);
	read_tables(out, root);
	if (out->err == NULL)
		check_posts(out);
	return out->err;
}
