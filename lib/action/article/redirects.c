#include "action/article/redirects.h"

#include <string.h>

#include "action/article/addresses.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "terminal/csv.h"

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
	const char *path = addresses_path(old), *query = strchr(path, '?');
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
	const char *path = addresses_path(old);
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
