/* galley article addresses */
#include <stddef.h>
#include <string.h>

#include "action/article/addresses.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/command-list.h"
#include "terminal/csv.h"
#include "command/pick.h"

struct redirects {
	struct ctx *c;
	struct call *call;
	void (*write)(struct redirects *l, const struct article *a,
	    const char *old, const char *new);
	struct buf late; /* rules that follow the others */
};

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
write_apache(struct redirects *l, const struct article *a, const char *old,
    const char *new)
{
	const char *path = addresses_path(old), *query = strchr(path, '?');
	const char *rule;

	(void)a;
	rule = arena_printf(l->c->arena,
	    "RewriteRule \"^%s/?$\" \"%s\" [R=301,L,NE%s]\n",
	    pattern(l->c, path), target(l->c, new, true),
	    query != NULL ? ",QSD" : "");
	if (query != NULL) {
		const char *asked = arena_text_n(
		    l->c->arena, query + 1, strcspn(query + 1, "#"));
		buf_printf(&l->call->out,
		    "RewriteCond \"%%{QUERY_STRING}\" \"=%s\"\n%s", asked,
		    rule);
	} else {
		buf_add_text(&l->late, rule);
	}
}

static void
write_nginx(struct redirects *l, const struct article *a, const char *old,
    const char *new)
{
	const char *path = addresses_path(old);
	size_t len = strcspn(path, "#");

	(void)a;
	buf_printf(&l->call->out, "\t\"%s%.*s\" \"%s\";\n",
	    path[0] == '?' ? "/" : "", (int)len, path,
	    target(l->c, new, false));
}

static void
write_csv(struct redirects *l, const struct article *a, const char *old,
    const char *new)
{
	const char *const cells[] = { old, new, article_status_name(a->status),
		a->uuid };

	csv_row(&l->call->out, cells, 4);
}

static void
write_json(struct redirects *l, const struct article *a, const char *old,
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

static void
each(void *arg, const struct article *a, const char *old, const char *new)
{
	struct redirects *l = arg;

	l->write(l, a, old, new);
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
		return err_param(c, "as",
		    "With --json there is only --as"
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
		buf_lit(out,
		    "# In http { }; in the old site's server { }:\n"
		    "#\tif ($galley_moved) { return 301 $galley_moved; }\n"
		    "map $request_uri $galley_moved {\n"
		    "\tdefault \"\";\n");
	else
		jwrite_array(&call->json);
}

static struct err *
addresses(struct ctx *c, struct call *call)
{
	static void (*const writers[])(struct redirects *,
	    const struct article *, const char *, const char *) = { write_csv,
		write_apache, write_nginx, write_json };
	struct redirects l = { .c = c, .call = call };
	struct addresses asked = { .each = each, .arg = &l };
	enum form form;
	struct err *err = form_of(c, call, &form);

	if (err != NULL)
		return err;
	l.write = writers[form];
	buf_init(&l.late, c->arena, (size_t)1 << 30);
	asked.place = pick_place(c, call, call_option(call, "workspace"));
	asked.moved_only = form == APACHE || form == NGINX;
	begin(call, form);
	err = addresses_list(c, &asked);
	if (err != NULL)
		return err;
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
	{ .name = "as",
	    .value = "FORM",
	    .help = "csv (as it is without), apache, nginx or json" },
	{ .name = NULL },
};

const struct command command_article_addresses[] = {
	{ .noun = "article",
	    .verb = "addresses",
	    .operands = "",
	    .options = addresses_options,
	    .flags = COMMAND_DB,
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
