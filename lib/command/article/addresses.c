/* galley article addresses */
#include <stddef.h>
#include <string.h>

#include "article/article.h"
#include "article/edition.h"
#include "article/moved.h"
#include "article/origin.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/command-list.h"
#include "terminal/csv.h"
#include "command/pick.h"
#include "content/url.h"
#include "export/export.h"
#include "store/db.h"

struct addresses {
	struct ctx *c;
	struct call *call;
	const struct workspace *workspace;
	void (*write)(struct addresses *l, const struct article *a,
	    const char *old, const char *new);
	bool moved; /* only published ones whose address is another now */
	const char **left; /* addresses that articles left here: each once */
	size_t left_count, left_room;
	struct buf late; /* rules that come after the others */
};

/* The path and query of an address; "/" where there is none. */
static const char *
path_of(const char *url)
{
	const char *p = strstr(url, "://");

	p = p == NULL ? url : p + 3 + strcspn(p + 3, "/?#");
	return *p == '\0' ? "/" : p;
}

/* The path without query and slash at its end, decoded, as a pattern of regular
 * expressions; bytes that no text has stay escaped as they are. */
static const char *
pattern(struct ctx *c, const char *path)
{
	size_t len = strcspn(path, "?#");
	struct buf text, out;

	buf_init(&text, c->arena, len + 1);
	for (size_t i = 0; i < len; i++) {
		int byte = percent_byte(path + i, path + len);
		if (byte >= ' ') {
			buf_add_char(&text, (char)byte);
			i += 2;
		} else {
			buf_add_char(&text, path[i]);
		}
	}
	if (!utf8_valid(text.data, text.len)) {
		buf_reset(&text);
		buf_add(&text, path, len);
	}
	while (text.len > 0 && text.data[text.len - 1] == '/')
		text.data[--text.len] = '\0';
	buf_init(&out, c->arena, 2 * text.len + 1);
	for (const char *p = text.data; *p != '\0'; p++) {
		if (strchr("\\^$.|?*+()[]{}\"", *p) != NULL)
			buf_add_char(&out, '\\');
		buf_add_char(&out, *p);
	}
	return out.data;
}

/* The target of a redirect. Both servers put variables where a $ stands, and
 * Apache where a % does. */
static const char *
target(struct ctx *c, const char *url, bool apache)
{
	struct buf out;

	buf_init(&out, c->arena, 4 * strlen(url) + 1);
	for (; *url != '\0'; url++) {
		if (apache && (*url == '%' || *url == '$'))
			buf_add_char(&out, '\\');
		if (!apache && *url == '$')
			buf_lit(&out, "%24");
		else
			buf_add_char(&out, *url);
	}
	return out.data;
}

static void
write_apache(struct addresses *l, const struct article *a, const char *old,
    const char *new)
{
	const char *path = path_of(old), *query = strchr(path, '?');
	const char *rule;

	(void)a;
	rule = arena_printf(l->c->arena,
	    "RewriteRule \"^%s/?$\" \"%s\" [R=301,L,NE%s]\n",
	    pattern(l->c, path), target(l->c, new, true),
	    query != NULL ? ",QSD" : "");
	if (query != NULL) {
		const char *asked = arena_text_n(l->c->arena, query + 1,
		    strcspn(query + 1, "#"));
		buf_printf(&l->call->out,
		    "RewriteCond \"%%{QUERY_STRING}\" \"=%s\"\n%s", asked,
		    rule);
	} else {
		buf_add_text(&l->late, rule);
	}
}

static void
write_nginx(struct addresses *l, const struct article *a, const char *old,
    const char *new)
{
	const char *path = path_of(old);
	size_t len = strcspn(path, "#");

	(void)a;
	buf_printf(&l->call->out, "\t\"%s%.*s\" \"%s\";\n",
	    path[0] == '?' ? "/" : "", (int)len, path,
	    target(l->c, new, false));
}

static void
write_csv(struct addresses *l, const struct article *a, const char *old,
    const char *new)
{
	const char *const cells[] = { old, new, article_status_name(a->status),
		a->uuid };

	csv_row(&l->call->out, cells, 4);
}

static void
write_json(struct addresses *l, const struct article *a, const char *old,
    const char *new)
{
	struct jwrite *j = &l->call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "status", article_status_name(a->status));
	jwrite_member_text(j, "old", old);
	jwrite_member_text(j, "new", new);
	jwrite_object_end(j);
}

static bool
is_moved(struct ctx *c, const struct article *a, const char *old,
    const char *new)
{
	const char *from = url_host(c->arena, old);
	const char *to = new == NULL ? NULL : url_host(c->arena, new);

	if (a->status != ARTICLE_PUBLISHED || from == NULL || to == NULL)
		return false;
	return strcmp(from, to) != 0 || strcmp(path_of(old), path_of(new)) != 0;
}

/* Each article has memory of its own. */
static void
each(void *arg, const struct article *a, const char *old)
{
	struct addresses *l = arg;
	struct arena scratch, *kept = l->c->arena;
	const char *new;

	arena_init(&scratch, (size_t)1 << 30);
	l->c->arena = &scratch;
	new = export_canonical(l->c, stored_source(l->c, l->workspace, a,
	    a->status != ARTICLE_PUBLISHED));
	if (!l->moved || is_moved(l->c, a, old, new))
		l->write(l, a, old, new);
	l->c->arena = kept;
	arena_release(&scratch);
}

/* Whether another article left the same address: of two redirects a server
 * takes neither. */
static bool
was_left(struct addresses *l, const char *old)
{
	for (size_t i = 0; i < l->left_count; i++) {
		if (strcmp(l->left[i], old) == 0)
			return true;
	}
	if (l->left_count == l->left_room) {
		size_t room = l->left_room == 0 ? 16 : 2 * l->left_room;
		l->left = arena_grow(l->c->arena, l->left,
		    l->left_room * sizeof(*l->left),
		    room * sizeof(*l->left));
		l->left_room = room;
	}
	l->left[l->left_count++] = old;
	return false;
}

/* An article that was shown here under another slug. One with a published URL
 * is not where its slug says. */
static void
each_moved(void *arg, const struct article *a, const char *slug)
{
	struct addresses *l = arg;
	const char *old = moved_address(l->c, l->workspace, a, slug);

	if (old != NULL && a->published_url == NULL && !was_left(l, old))
		each(l, a, old);
}

enum form { CSV, APACHE, NGINX, JSON };

static struct err *
form_of(struct ctx *c, const struct call *call, enum form *out)
{
	static const char *const names[] = { "csv", "apache", "nginx", "json" };
	const char *given = call_option(call, "as");

	*out = call->as_json ? JSON : CSV;
	for (size_t i = 0; given != NULL && i < 4; i++) {
		*out = (enum form)i;
		if (strcmp(given, names[i]) == 0)
			break;
		if (i == 3)
			return err_param(c, "as",
			    "--as must be csv, apache, nginx or json, not %s.",
			    given);
	}
	if (call->as_json && *out != JSON)
		return err_param(c, "as", "With --json there is only --as"
		    " json.");
	return NULL;
}

static void
begin(struct call *call, enum form form)
{
	struct buf *out = &call->out;

	if (form == CSV)
		buf_lit(out, "old,new,status,id\r\n");
	else if (form == APACHE)
		buf_lit(out, "# In the old site's <VirtualHost>.\n"
		    "RewriteEngine On\n");
	else if (form == NGINX)
		buf_lit(out, "# In http { }; in the old site's server { }:\n"
		    "#\tif ($galley_moved) { return 301 $galley_moved; }\n"
		    "map $request_uri $galley_moved {\n"
		    "\tdefault \"\";\n");
	else
		jwrite_array(&call->json);
}

static struct err *
addresses(struct ctx *c, struct call *call)
{
	static void (*const writers[])(struct addresses *,
	    const struct article *, const char *, const char *) = {
		write_csv, write_apache, write_nginx, write_json };
	struct addresses l = { .c = c, .call = call };
	struct workspace *w;
	enum form form;
	struct err *err = form_of(c, call, &form);

	if (err != NULL)
		return err;
	db_begin_read(c);
	err = pick_workspace(c, call, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	l.workspace = w;
	l.write = writers[form];
	l.moved = form == APACHE || form == NGINX;
	buf_init(&l.late, c->arena, (size_t)1 << 30);
	begin(call, form);
	origin_list(c, w->id, each, &l);
	edition_list_moved(c, w->id, each_moved, &l);
	db_commit(c);
	buf_add(&call->out, l.late.data, l.late.len);
	if (form == NGINX)
		buf_lit(&call->out, "}\n");
	if (form == JSON)
		jwrite_array_end(&call->json);
	if (form == JSON && !call->as_json)
		buf_add_char(&call->out, '\n');
	return NULL;
}

static const struct command_option addresses_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "as", .value = "FORM",
	    .help = "csv (as it is without), apache, nginx or json" },
	{ .name = NULL },
};

const struct command command_article_addresses[] = {
	{ .noun = "article", .verb = "addresses", .operands = "",
	    .options = addresses_options, .flags = COMMAND_DB,
	    .run = addresses,
	    .summary = "where articles were, and where they are now",
	    .text = "For articles that came from WordPress or Ghost (galley"
		    " article import --from), and for\npublished ones whose"
		    " slug was changed. csv and json list all of them; apache"
		    " and nginx\nwrite redirects for those that are published"
		    " under another address than they had.\n\n"
		    "--json: [{id, status, old, new}]." },
	{ .verb = NULL },
};
