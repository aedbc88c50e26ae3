#include "site/verify-page.h"

#include <string.h>

#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

#define PAGE_MEMORY ((size_t)1 << 30) /* for one page */

/* ---- one article */

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

	if (!page_visit_is_page(visit, report))
		return;
	page_visit_header(visit, &header);
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
	struct err *err = read_subject(c, id, &s);

	if (err != NULL)
		return err;
	visit.asked = url != NULL ? url : s.canonical;
	visit.canonical = s.canonical;
	if (visit.asked == NULL) {
		compare_tell(&report, "address", "an address of its page", "none",
		    "set the workspace's website and address_pattern, or the article's published_url");
		v->homeless++;
	} else if (!page_visit_may(&visit, visit.asked)) {
		compare_tell(&report, "address", arena_printf(c->arena, "a page of %s", visit.only),
		    visit.asked, "only pages of the workspace's website are looked at");
	} else if (page_visit(&visit, &report)) {
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
keep_some(void *arg, const struct article *a)
{
	struct sample *s = arg;
	int64_t at = s->seen++;

	if (at >= s->total || at * s->wanted / s->total == (at + 1) * s->wanted / s->total)
		return;
	s->ids[s->count++] = arena_text(s->c->arena, a->uuid);
}

static void
draw(struct ctx *c, const struct workspace *w, int64_t wanted, struct sample *out)
{
	*out = (struct sample) { .c = c };
	db_begin_read(c, DB_CONTENT);
	out->total = article_count(c, w->id, ARTICLE_PUBLISHED);
	out->wanted = wanted < out->total ? wanted : out->total;
	out->ids = arena_array(c->arena, (size_t)out->wanted + 1, sizeof(*out->ids));
	article_list(c, w->id, ARTICLE_PUBLISHED, out->total, keep_some, out);
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
