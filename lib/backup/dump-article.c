/* Writes articles as Markdown and JSON, for dump.h. */
#include <string.h>

#include "article/article-row.h"
#include "article/article.h"
#include "article/content-state.h"
#include "backup/dump.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "import/markdown/markdown.h"

#define ARTICLE_MEMORY ((size_t)2 << 30) /* for one article with all its editions */
#define DIGITS 64 /* hexadecimal digits in the name of a stored image */

struct walk {
	struct dump *d;
	const struct workspace *w;
	struct arena scratch; /* for one article */
	const struct article *article;
	struct jwrite *json;
};

/* Returns whether an image's name follows: 64 hexadecimal digits and a dot. */
static bool
is_media(const char *text)
{
	return strspn(text, "0123456789abcdef") == DIGITS && text[DIGITS] == '.';
}

/* Copies the text. The addresses of stored images become paths to the dump's
 * media folder, where an import finds them. The line `galley:` keeps the names
 * under which they are stored. */
static void
with_paths(const char *text, struct buf *out)
{
	static const char name[] = "media:", path[] = "../../../media/";
	bool ours = false;

	for (const char *p = text; *p != '\0';) {
		if (p == text || p[-1] == '\n')
			ours = strncmp(p, "galley: ", 8) == 0;
		if (!ours && strncmp(p, name, strlen(name)) == 0 && is_media(p + strlen(name))) {
			buf_add_text(out, path);
			p += strlen(name);
			continue;
		}
		buf_add_char(out, *p++);
	}
}

static void
write_text(struct walk *walk, const struct snapshot *s, const char *name)
{
	struct dump *d = walk->d;
	struct buf text, out;

	dump_begin(d, &text);
	dump_begin(d, &out);
	markdown_write_article(d->c, walk->article, s, &text);
	with_paths(buf_done(&text), &out);
	dump_file(d, arena_printf(d->c->arena, "workspaces/%s/%s.md", walk->w->uuid, name), &out);
}

static void
write_content(struct walk *walk, const struct snapshot *s)
{
	struct buf text;

	dump_begin(walk->d, &text);
	content_to_json(&s->content, NULL, &text);
	jwrite_name(walk->json, "content");
	jwrite_raw(walk->json, text.data, text.len);
}

static void
add_edition(void *arg, const struct edition *edition)
{
	struct walk *walk = arg;
	struct ctx *c = walk->d->c;
	const struct snapshot *s = article_edition(c, walk->article, edition->version);
	struct jwrite *j = walk->json;

	jwrite_object(j);
	jwrite_member_int(j, "version", edition->version);
	jwrite_member_time(j, "published_at", edition->published_at);
	jwrite_member_text(j, "title", s->title);
	jwrite_member_text(j, "slug", s->slug);
	jwrite_member_text(j, "language", s->language);
	jwrite_member_int(j, "unfinished", s->unfinished);
	write_content(walk, s);
	jwrite_object_end(j);
	write_text(walk, s,
	    arena_printf(
		c->arena, "editions/%s-%lld", walk->article->uuid, (long long)edition->version));
}

/* Writes the article's Markdown into the folder of the article's state. */
static void
write_state(struct walk *walk, const struct snapshot *working)
{
	static const char *const folders[] = {
		[ARTICLE_DRAFT] = "drafts",
		[ARTICLE_PUBLISHED] = "changes",
		[ARTICLE_DELETED] = "trash",
	};
	const struct article *a = walk->article;
	struct ctx *c = walk->d->c;

	if (a->status == ARTICLE_PUBLISHED)
		write_text(walk, article_edition(c, a, a->version),
		    arena_printf(c->arena, "published/%s", a->uuid));
	if (a->status != ARTICLE_PUBLISHED || article_has_changes(a))
		write_text(
		    walk, working, arena_printf(c->arena, "%s/%s", folders[a->status], a->uuid));
}

static void
write_article(struct walk *walk)
{
	const struct article *a = walk->article;
	struct dump *d = walk->d;
	struct ctx *c = d->c;
	const struct snapshot *working = article_working_copy(c, a);
	struct jwrite json;
	struct buf text;

	dump_begin(d, &text);
	jwrite_init(&json, &text);
	walk->json = &json;
	jwrite_object(&json);
	jwrite_name(&json, "article");
	article_state_write(&json, a, article_unfinished(c, a));
	write_content(walk, working);
	jwrite_member_array(&json, "editions");
	edition_list(c, a, add_edition, walk);
	jwrite_array_end(&json);
	jwrite_object_end(&json);
	buf_add_char(&text, '\n');
	dump_file(d,
	    arena_printf(c->arena, "workspaces/%s/articles/%s.json", walk->w->uuid, a->uuid),
	    &text);
	write_state(walk, working);
}

static void
add_article(void *arg, const struct article *a)
{
	struct walk *walk = arg;
	struct dump *d = walk->d;
	struct arena *mine = d->c->arena;

	if (d->err != NULL)
		return;
	d->c->arena = &walk->scratch;
	walk->article = a;
	d->articles++;
	write_article(walk);
	d->c->arena = mine;
	/* A refusal is in this memory. */
	if (d->err == NULL)
		arena_reset(&walk->scratch);
}

void
dump_articles(struct dump *d, const struct workspace *w)
{
	static const char *const folders[] = { "published", "drafts", "changes", "trash",
		"editions", "articles" };
	struct ctx *c = d->c;
	struct walk *walk = arena_alloc(c->arena, sizeof(*walk));

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		dump_folder(d, arena_printf(c->arena, "workspaces/%s/%s", w->uuid, folders[i]));
	walk->d = d;
	walk->w = w;
	arena_init(&walk->scratch, ARTICLE_MEMORY);
	article_list(c, w->id, ARTICLE_PUBLISHED, INT64_MAX, add_article, walk);
	article_list(c, w->id, ARTICLE_DRAFT, INT64_MAX, add_article, walk);
	article_list(c, w->id, ARTICLE_DELETED, INT64_MAX, add_article, walk);
	/* With its param, which says whether the work was stopped. */
	if (d->err != NULL) {
		const char *param = d->err->param;
		d->err = refuse(c, d->err->code, "%s", d->err->message);
		d->err->param = param;
	}
	arena_release(&walk->scratch);
}
