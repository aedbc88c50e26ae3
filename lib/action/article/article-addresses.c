#include "action/article/article-addresses.h"

#include <string.h>

#include "action/action.h"
#include "article/article-name.h"
#include "article/article-row.h"
#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/utf8.h"
#include "content/url.h"
#include "export/export.h"
#include "pages/page-item.h"
#include "terminal/csv.h"

struct walk {
	struct ctx *c;
	const struct addresses *asked;
	const struct workspace *workspace;
	const char *home; /* of its pages, or NULL */
	const char **left; /* addresses that articles left here, each once */
	size_t left_count;
	size_t left_room;
};

/* Returns path and query of an address; "/" if it has none. */
static const char *
path_of(const char *url)
{
	const char *p = strstr(url, "://");

	p = p == NULL ? url : p + 3 + strcspn(p + 3, "/?#");
	return *p == '\0' ? "/" : p;
}

static bool
is_moved(struct ctx *c, const struct article *a, const char *old, const char *new)
{
	const char *from = url_host(c->arena, old);
	const char *to = new == NULL ? NULL : url_host(c->arena, new);

	if (a->status != ARTICLE_PUBLISHED || from == NULL || to == NULL)
		return false;
	return strcmp(from, to) != 0 || strcmp(path_of(old), path_of(new)) != 0;
}

/* Returns where readers find the article: on the website, else on its page here; or NULL. */
static const char *
present_address(struct walk *l, const struct article *a)
{
	const struct export_source *source =
	    stored_source(l->c, l->workspace, a, a->status != ARTICLE_PUBLISHED);
	const char *website = export_canonical(l->c, source);

	if (website != NULL || l->home == NULL || a->status != ARTICLE_PUBLISHED)
		return website;
	return item_address(
	    l->c, l->workspace, l->home, source->snapshot->language, source->snapshot->slug);
}

/* Tells of one address. Each article has memory of its own. */
static void
tell_address(void *arg, const struct article *a, const char *old)
{
	struct walk *l = arg;
	struct arena scratch, *kept = l->c->arena;
	const char *new;

	arena_init(&scratch, (size_t)1 << 30);
	l->c->arena = &scratch;
	new = present_address(l, a);
	if (!l->asked->moved_only || is_moved(l->c, a, old, new))
		l->asked->each(l->asked->arg, a, old, new);
	l->c->arena = kept;
	arena_release(&scratch);
}

/* Returns whether another article left the same address, and notes it. Of two
 * redirects from one address a server would use neither. */
static bool
was_left(struct walk *l, const char *old)
{
	for (size_t i = 0; i < l->left_count; i++) {
		if (strcmp(l->left[i], old) == 0)
			return true;
	}
	if (l->left_count == l->left_room) {
		size_t room = l->left_room == 0 ? 16 : 2 * l->left_room;
		l->left = arena_grow(
		    l->c->arena, l->left, l->left_room * sizeof(*l->left), room * sizeof(*l->left));
		l->left_room = room;
	}
	l->left[l->left_count++] = old;
	return false;
}

/* Tells of an article that was shown here under another slug. An article with a
 * published URL is not at the address that its slug gives. */
static void
tell_moved(void *arg, const struct article *a, const char *slug)
{
	struct walk *l = arg;
	const char *old = moved_address(l->c, l->workspace, a, slug);

	if (old != NULL && a->published_url == NULL && !was_left(l, old))
		tell_address(l, a, old);
}

struct err *
addresses_list(struct ctx *c, const struct addresses *asked)
{
	struct walk walk = { .c = c, .asked = asked };
	struct workspace *w;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, &asked->place, &w));
	walk.workspace = w;
	walk.home = item_home(c, w);
	origin_list(c, w->id, tell_address, &walk);
	edition_list_moved(c, w->id, tell_moved, &walk);
	return action_commit(c);
}

/* ---- redirects */

#define LATE_MAX ((size_t)1 << 30)

/* Returns the path without query and without a slash at its end, decoded, as a
 * regular expression. Bytes that cannot be text stay percent-encoded. */
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

/* Returns the target of a redirect, escaped. Both servers replace variables at a
 * "$", and Apache also at a "%". */
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
write_apache(struct redirects *r, const char *old, const char *new)
{
	const char *path = path_of(old), *query = strchr(path, '?');
	const char *rule;

	rule = arena_printf(r->c->arena, "RewriteRule \"^%s/?$\" \"%s\" [R=301,L,NE%s]\n",
	    pattern(r->c, path), target(r->c, new, true), query != NULL ? ",QSD" : "");
	if (query != NULL) {
		const char *asked = arena_text_n(r->c->arena, query + 1, strcspn(query + 1, "#"));
		buf_printf(r->out, "RewriteCond \"%%{QUERY_STRING}\" \"=%s\"\n%s", asked, rule);
	} else {
		buf_add_text(&r->late, rule);
	}
}

static void
write_nginx(struct redirects *r, const char *old, const char *new)
{
	const char *path = path_of(old);
	size_t len = strcspn(path, "#");

	buf_printf(r->out, "\t\"%s%.*s\" \"%s\";\n", path[0] == '?' ? "/" : "", (int)len, path,
	    target(r->c, new, false));
}

bool
redirects_moved_only(enum redirects_form form)
{
	return form != REDIRECTS_CSV;
}

void
redirects_begin(struct redirects *r, struct ctx *c, enum redirects_form form, struct buf *out)
{
	*r = (struct redirects) { .c = c, .form = form, .out = out };
	buf_init(&r->late, c->arena, LATE_MAX);
	if (form == REDIRECTS_CSV)
		buf_lit(out, "old,new,status,id\r\n");
	else if (form == REDIRECTS_APACHE)
		buf_lit(out, "# In the old site's <VirtualHost>.\n"
			     "RewriteEngine On\n");
	else
		buf_lit(out, "# In http { }; in the old site's server { }:\n"
			     "#\tif ($galley_moved) { return 301 $galley_moved; }\n"
			     "map $request_uri $galley_moved {\n"
			     "\tdefault \"\";\n");
}

void
redirects_add(struct redirects *r, const struct article *a, const char *old, const char *new)
{
	const char *const cells[] = { old, new, article_status_name(a->status), a->uuid };

	if (r->form == REDIRECTS_CSV)
		csv_row(r->out, cells, 4);
	else if (r->form == REDIRECTS_APACHE)
		write_apache(r, old, new);
	else
		write_nginx(r, old, new);
}

void
redirects_end(struct redirects *r)
{
	buf_add(r->out, r->late.data, r->late.len);
	if (r->form == REDIRECTS_NGINX)
		buf_lit(r->out, "}\n");
}
