#include "doctor/verify-page.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/url.h"
#include "store/db.h"

/* ---- the way to the page */

#define PAGE_VISIT_TIME (30 * CLOCK_SECOND)
#define SPACES " \t"
#define CHARSET_NEAR 1024 /* the charset must be named within this many bytes (HTML) */

/* Returns the n-th value (from 0) of a header field, in the arena, or NULL. */
static const char *
header(const struct page_visit *v, const char *name, size_t n)
{
	return remote_header(v->c, &v->answer, name, n);
}

/* Returns the status if it is a redirect, else 0. */
static int
redirect_of(const struct page_visit *v)
{
	int status = v->answer.status;

	return (status >= 301 && status <= 303) || status == 307 || status == 308 ? status : 0;
}

/* Returns where an address is asked for: with `origin`, the site of the canonical address is asked
 * at the origin. */
static const char *
place_of(const struct page_visit *v, const char *address)
{
	size_t len;

	if (v->origin == NULL || v->canonical == NULL)
		return address;
	len = strcspn(strstr(v->canonical, "://") + 3, "/?") +
	      (size_t)(strstr(v->canonical, "://") + 3 - v->canonical);
	if (strncmp(address, v->canonical, len) != 0 || strchr("/?", address[len]) == NULL)
		return address;
	return arena_printf(v->c->arena, "%s%s", v->origin, address + len);
}

static bool
was_here(const struct page_visit *v, const char *address)
{
	bool was = strcmp(address, v->asked) == 0;

	for (size_t i = 0; i < v->hop_count && !was; i++)
		was = strcmp(address, v->hops[i].to) == 0;
	return was;
}

/* Returns whether an address may be asked: with `only`, whether it is of that origin. */
static bool
may_ask(const struct page_visit *v, const char *address)
{
	size_t len = v->only == NULL ? 0 : strlen(v->only);

	return v->only == NULL ||
	       (strncmp(address, v->only, len) == 0 && strchr("/?#", address[len]) != NULL);
}

/* Follows the redirect in the answer. Returns false if it leads nowhere. */
static bool
follow(struct page_visit *v, struct page_report *r)
{
	const char *location = header(v, "Location", 0);
	const char *to = location == NULL ? NULL : url_resolve(v->c->arena, v->address, location);

	to = to == NULL ? NULL : url_clean_web(v->c->arena, to);
	if (to == NULL || was_here(v, to) || v->hop_count == PAGE_VISIT_HOPS) {
		compare_tell(r, "redirect", "the page",
		    arena_printf(v->c->arena, "%s redirects to %s%s", v->address,
			compare_quote(v->c, location),
			to == NULL	  ? ""
			: was_here(v, to) ? ", in a circle"
					  : ", without end"),
		    "have the web server lead it straight to the page");
		return false;
	}
	if (!may_ask(v, to)) {
		compare_tell(r, "redirect", "the page",
		    arena_printf(v->c->arena, "%s redirects to %s, which is another website",
			v->address, to),
		    "have the web server lead it straight to the page");
		return false;
	}
	v->hops[v->hop_count].status = redirect_of(v);
	v->hops[v->hop_count++].to = to;
	v->address = to;
	return true;
}

/* Notes redirects: even if they end at the page, they may harm. */
static void
check_redirects(const struct page_visit *v, struct page_report *r)
{
	const char *way = "";

	for (size_t i = 0; i < v->hop_count; i++)
		way = arena_printf(v->c->arena, "%s%s%d to %s", way, i > 0 ? ", " : "",
		    v->hops[i].status, v->hops[i].to);
	if (v->hop_count == 0)
		return;
	if (v->canonical != NULL && strcmp(v->asked, v->canonical) == 0)
		compare_tell(r, "redirect", "the page, at its canonical address", way,
		    "set the workspace's website and address_pattern, or the article's published_url, to where the page is; or take the redirect away");
	else if (v->hop_count > 1)
		compare_tell(r, "redirect", "one redirect", way,
		    "lead the first address straight to the last");
	else if (v->hops[0].status != 301 && v->hops[0].status != 308)
		compare_tell(r, "redirect", "301 or 308", way,
		    "an address that moved for good should say so");
}

static void
tell_no_answer(struct page_visit *v, struct page_report *r, const struct err *err)
{
	size_t len = strlen(err->message);
	bool guarded = strstr(err->message, "not allowed") != NULL;

	if (v->only != NULL) {
		compare_tell(r, "answer", "a page",
		    arena_printf(v->c->arena, "none from %s", v->address), "try it in a browser");
		return;
	}
	compare_tell(r, "answer", "a page",
	    arena_printf(v->c->arena, "none from %s: %.*s", place_of(v, v->address),
		(int)(err->message[len - 1] == '.' ? len - 1 : len), err->message),
	    guarded
		? hint_say(v->c, "it is an address of one's own network", HINT_IMPORT_PRIVATE, NULL)
		: "try it in a browser");
}

/* Visits the page; the caller has set `c` to `origin`. Returns false if the page is not
 * reached. Adds the findings about the way in both cases. */
static bool
visit_page(struct page_visit *v, struct page_report *r)
{
	int64_t until = clock_boot() + PAGE_VISIT_TIME;
	struct err *err;

	v->address = v->asked;
	for (;;) {
		if (v->only != NULL && clock_boot() > until)
			err = refuse(v->c, ERR_UNAVAILABLE, "it takes too long.");
		else
			err = remote_get(v->c, v->remote, place_of(v, v->address), &v->answer);
		if (err != NULL) {
			tell_no_answer(v, r, err);
			return false;
		}
		if (redirect_of(v) == 0)
			break;
		if (!follow(v, r))
			return false;
	}
	check_redirects(v, r);
	return true;
}

/* ---- the answer */

/* Returns the charset that a Content-Type or the beginning of a page names, or
 * NULL. */
static const char *
charset_in(struct ctx *c, const char *text)
{
	const char *p = text == NULL ? NULL : strcasestr(text, "charset");

	if (p == NULL)
		return NULL;
	p += strlen("charset");
	p += strspn(p, SPACES);
	if (*p++ != '=')
		return NULL;
	p += strspn(p, " \t\"'");
	return arena_text_n(c->arena, p, strcspn(p, " \t\"';/>\r\n"));
}

static bool
is_ascii(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)bytes[i] >= 0x80)
			return false;
	}
	return true;
}

/* Checks the charset. A byte order mark, the header and the page itself may name
 * it, in this order (HTML §13.2.3.2). */
static bool
check_charset(struct page_visit *v, struct page_report *r)
{
	static const char fix[] =
	    "send Content-Type: text/html; charset=utf-8, and have the page be that: HTML allows no other";
	const char *body = v->answer.body;
	size_t len = v->answer.body_len;
	const char *named = charset_in(v->c, header(v, "Content-Type", 0));
	bool valid = utf8_valid(body, len);

	if (named == NULL)
		named = charset_in(
		    v->c, arena_text_n(v->c->arena, body, len < CHARSET_NEAR ? len : CHARSET_NEAR));
	if (len >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0) {
		named = "utf-8";
		/* The byte order mark is not text of the page: as text it would
		 * end the head. */
		v->answer.body += 3;
		v->answer.body_len -= 3;
	}
	if (valid && (is_ascii(body, len) || (named != NULL && strcasecmp(named, "utf-8") == 0)))
		return true;
	if (!valid)
		compare_tell(r, "charset", "a page in UTF-8",
		    arena_printf(v->c->arena, "bytes that are none; it says charset %s",
			compare_quote(v->c, named)),
		    fix);
	else
		compare_tell(r, "charset", "charset \"utf-8\"", compare_quote(v->c, named), fix);
	return valid;
}

/* Returns whether the answer is a page of text in UTF-8, and adds a finding if it is not.
 * Removes a byte order mark. */
static bool
is_page(struct page_visit *v, struct page_report *r)
{
	const char *type = header(v, "Content-Type", 0);

	if (v->answer.status != 200) {
		compare_tell(r, "answer", "status 200",
		    arena_printf(v->c->arena, "status %d from %s", v->answer.status, v->address),
		    "is the page there, and for everyone? Does the site's sync run?");
		return false;
	}
	if (type == NULL || (strncasecmp(type, "text/html", 9) != 0 &&
				strncasecmp(type, "application/xhtml+xml", 21) != 0)) {
		compare_tell(r, "answer", "Content-Type \"text/html\"", compare_quote(v->c, type),
		    "correct the address, or have the web server name the type");
		return false;
	}
	return check_charset(v, r);
}

/* ---- its head */

/* Returns whether "NAME: directives" of X-Robots-Tag is for one of the large
 * search engines. *rest is then what follows the name. A directive itself may contain a
 * colon. */
static bool
is_for_search(const char *value, const char **rest)
{
	static const char *const own[] = { "max-", "unavailable_after" };
	size_t len = strcspn(value, ":, ");

	*rest = value;
	if (value[len] != ':')
		return true;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strncasecmp(value, own[i], strlen(own[i])) == 0)
			return true;
	}
	*rest = value + len + 1;
	return strncasecmp(value, "googlebot", 9) == 0 || strncasecmp(value, "bingbot", 7) == 0;
}

/* Returns the address of a Link field with the relation canonical, or NULL. */
static const char *
canonical_in(struct ctx *c, const char *link)
{
	const char *end;

	for (; (link = strchr(link, '<')) != NULL; link = end) {
		end = strchr(link, '>');
		if (end == NULL)
			return NULL;
		if (memmem(end, strcspn(end, ","), "canonical", 9) != NULL)
			return arena_text_n(c->arena, link + 1, (size_t)(end - link - 1));
	}
	return NULL;
}

/* Fills *out with what the head of the answer says of the page. */
static void
read_header(struct page_visit *v, struct page_header *out)
{
	const char *value, *rest, *link;

	memset(out, 0, sizeof(*out));
	out->address = v->address;
	for (size_t n = 0; (value = header(v, "X-Robots-Tag", n)) != NULL; n++) {
		if (is_for_search(value, &rest))
			compare_split(v->c, rest, &out->robots);
	}
	for (size_t n = 0; (value = header(v, "Link", n)) != NULL; n++) {
		link = canonical_in(v->c, value);
		if (link != NULL)
			out->canonical = link;
	}
}

/* ---- one article */

#define PAGE_MEMORY ((size_t)1 << 30) /* for one page */

struct subject {
	const char *id;
	bool published;
	const char *canonical; /* or NULL */
	struct page expected; /* empty when it is not published */
};

/* Makes the page that consists only of the export. */
static void
read_expected(struct ctx *c, const struct export_source *source, struct page *out)
{
	struct buf html;

	buf_init(&html, c->arena, 2 * EXPORT_BYTES_MAX);
	buf_lit(&html, "<!DOCTYPE html><html><head>");
	export_head(c, source, &html);
	buf_lit(&html, "</head><body>");
	export_html(c, source, &html);
	buf_lit(&html, "</body></html>");
	page_read(c, buf_done(&html), html.len, out);
}

static struct err *
read_subject(struct ctx *c, const char *id, struct subject *out)
{
	const struct export_source *source;
	struct article *a;

	memset(out, 0, sizeof(*out));
	db_begin_read(c, DB_CONTENT);
	a = article_find(c, 0, id);
	if (a == NULL || a->version == 0) {
		db_rollback(c);
		return a == NULL
			   ? refuse(c, ERR_NOT_FOUND, "There is no article with the id %s.", id)
			   : refuse(c, ERR_CONFLICT,
				 "Article %s was never published: no page can show it.", id);
	}
	out->id = a->uuid;
	out->published = a->status == ARTICLE_PUBLISHED;
	source = stored_source(c, workspace_of(c, a->workspace_id), a, false);
	out->canonical = export_canonical(c, source);
	if (out->published)
		read_expected(c, source, &out->expected);
	db_commit(c);
	return NULL;
}

static void
check_page(struct page_visit *visit, const struct subject *s, struct page_report *report)
{
	struct page_header header;

	if (!is_page(visit, report))
		return;
	read_header(visit, &header);
	compare_apart(report, &s->expected, visit->answer.body, visit->answer.body_len, &header);
}

/* Checks that the page of an article that is not published is gone. */
static void
check_gone(const struct page_visit *visit, struct page_report *report)
{
	if (visit->answer.status != 404 && visit->answer.status != 410)
		compare_tell(report, "answer", "status 404 or 410: the article is not published",
		    arena_printf(
			visit->c->arena, "status %d from %s", visit->answer.status, visit->address),
		    "the site's next full scan removes it; run it now");
}

/* Verifies the page of an article. If `url` is NULL, the page is at the address
 * that the export names. */
static struct err *
verify_article(
    struct ctx *c, struct verify_page *v, struct remote *remote, const char *id, const char *url)
{
	struct page_report report = { .c = c };
	struct page_visit visit = {
		.c = c, .remote = remote, .origin = v->origin, .only = v->only
	};
	struct subject s;

	TRY(read_subject(c, id, &s));
	visit.asked = url != NULL ? url : s.canonical;
	visit.canonical = s.canonical;
	if (visit.asked == NULL) {
		compare_tell(&report, "address", "an address of its page", "none",
		    "set the workspace's website and address_pattern, or the article's published_url");
		v->homeless++;
	} else if (!may_ask(&visit, visit.asked)) {
		compare_tell(&report, "address", arena_printf(c->arena, "a page of %s", visit.only),
		    visit.asked, "only pages of the workspace's website are looked at");
	} else if (visit_page(&visit, &report)) {
		if (s.published)
			check_page(&visit, &s, &report);
		else
			check_gone(&visit, &report);
	}
	v->looked_at++;
	v->wrong += report.count > 0;
	v->each(v->arg, s.id, &visit, &report);
	return NULL;
}

struct err *
verify_page_one(struct ctx *c, struct verify_page *v, const char *article_id, const char *url)
{
	struct remote *remote = remote_open(c, &v->how);
	struct err *err = verify_article(c, v, remote, article_id, url);

	remote_close(remote);
	return err;
}

/* ---- a workspace */

struct sample {
	struct ctx *c;
	int64_t total, wanted; /* published articles; how many are asked */
	int64_t seen;
	const char **ids;
	size_t count;
};

/* Keeps articles at even distances, so that old and new ones are among them. */
static void
keep_some(struct sample *s, const struct article *a)
{
	int64_t at = s->seen++;

	if (at >= s->total || at * s->wanted / s->total == (at + 1) * s->wanted / s->total)
		return;
	s->ids[s->count++] = arena_text(s->c->arena, a->uuid);
}

static void
draw(struct ctx *c, const struct workspace *w, int64_t wanted, struct sample *out)
{
	struct article a;

	*out = (struct sample) { .c = c };
	db_begin_read(c, DB_CONTENT);
	out->total = article_count(c, w->id, ARTICLE_PUBLISHED);
	out->wanted = wanted < out->total ? wanted : out->total;
	out->ids = arena_array(c->arena, (size_t)out->wanted + 1, sizeof(*out->ids));
	for (struct stmt *q = article_list(c, w->id, ARTICLE_PUBLISHED, out->total);
	     article_next(q, &a);)
		keep_some(out, &a);
	db_commit(c);
}

const char **
verify_page_choose(struct ctx *c, const struct workspace *w, int64_t wanted, size_t *count)
{
	struct sample s;

	draw(c, w, wanted, &s);
	*count = s.count;
	return s.ids;
}

static struct err *
stopped(struct ctx *c, const struct verify_page *v, const struct sample *s)
{
	return work_stopped(c, "%zu of %zu pages were looked at.", v->looked_at, s->count);
}

/* Verifies the pages of all articles. Each has its own memory. An article that
 * was purged meanwhile has no page. */
static struct err *
verify_all(struct ctx *c, struct verify_page *v, struct remote *remote, const struct sample *s)
{
	struct arena one, *kept = c->arena;
	struct err *err = NULL;

	arena_init(&one, PAGE_MEMORY);
	c->arena = &one;
	work_begin(v->work, "Asking", WORK_PIECES, (int64_t)s->count);
	for (size_t i = 0; i < s->count && err == NULL; i++) {
		if (work_must_stop(v->work)) {
			err = stopped(c, v, s);
			break;
		}
		err = verify_article(c, v, remote, s->ids[i], NULL);
		if (err != NULL && err->code == ERR_NOT_FOUND)
			err = NULL;
		if (err == NULL)
			arena_reset(&one);
		work_step(v->work, 1);
	}
	work_end(v->work);
	c->arena = kept;
	if (err == NULL)
		arena_release(&one);
	return err;
}

struct err *
verify_page_some(struct ctx *c, struct verify_page *v, const struct workspace *w, int64_t wanted)
{
	struct remote *remote = remote_open(c, &v->how);
	struct sample s;
	struct err *err;

	draw(c, w, wanted, &s);
	v->total = s.total;
	err = verify_all(c, v, remote, &s);
	remote_close(remote);
	return err;
}
