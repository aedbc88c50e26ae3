#include "article/listed.h"

#include <string.h>

#include "article/article-row.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* ---- lists */

#define COLUMNS "l.article_id, l.uuid, l.created_at, l.modified_at"
#define OF                                                                                         \
	" FROM listed l WHERE l.workspace_id = :workspace AND l.kind = :kind"                      \
	" AND l.value = :value"

static const char *const kinds[] = { "all", "language", "tag", "section" };

const char *
listed_language(struct ctx *c, const char *tag)
{
	char *text = arena_text(c->arena, tag);

	for (char *p = text; *p != '\0'; p++)
		*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
	return text;
}

/* The value of a list as the rows have it. */
static const char *
value_of(struct ctx *c, const struct listed_of *of)
{
	const char *value = of->value == NULL ? "" : of->value;

	return of->kind == LISTED_LANGUAGE ? listed_language(c, value) : value;
}

/* The values of OF. */
#define OF_VALUES(c, of)                                                                           \
	db_i(":workspace", (of)->workspace_id), db_t(":kind", kinds[(of)->kind]),                  \
	    db_t(":value", value_of(c, of))

static void
from_row(struct stmt *q, struct listed *out)
{
	out->article_id = db_int(q, 0);
	out->uuid = db_text(q, 1);
	out->created_at = db_int(q, 2);
	out->modified_at = db_int(q, 3);
}

size_t
listed_page(struct ctx *c, const struct listed_of *of, int64_t before, const char *before_uuid,
    struct listed *out, size_t max, bool *more)
{
	struct stmt *q =
	    before_uuid == NULL
		? db_prepare(c,
		      "SELECT " COLUMNS OF " ORDER BY l.created_at DESC, l.uuid DESC LIMIT :limit",
		      OF_VALUES(c, of), db_i(":limit", (int64_t)max + 1))
		: db_prepare(c,
		      "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) < (:created, :uuid)"
		      " ORDER BY l.created_at DESC, l.uuid DESC LIMIT :limit",
		      OF_VALUES(c, of), db_i(":limit", (int64_t)max + 1), db_i(":created", before),
		      db_t(":uuid", before_uuid));
	size_t count = 0;

	while (count < max && db_row(q))
		from_row(q, &out[count++]);
	if (more != NULL)
		*more = count == max && db_row(q);
	db_reset(q);
	return count;
}

#define SECTIONS_SEEN 64
#define SECTION_COUNTED 200

/* Returns how many articles the section has; of more SECTION_COUNTED. */
static size_t
count_section(struct ctx *c, int64_t workspace_id, const char *section)
{
	struct stmt *q = db_prepare(c,
	    "SELECT 1 FROM listed WHERE workspace_id = :workspace AND kind = 'section'"
	    " AND value = :value LIMIT :max",
	    db_i(":workspace", workspace_id), db_t(":value", section),
	    db_i(":max", SECTION_COUNTED));
	size_t count = 0;

	while (db_row(q))
		count++;
	return count;
}

size_t
listed_sections(struct ctx *c, int64_t workspace_id, const char **out, size_t max)
{
	size_t articles[SECTIONS_SEEN] = { 0 }, count = 0;
	const char *section = "";

	for (size_t seen = 0; seen < SECTIONS_SEEN; seen++) {
		size_t many, i;
		/* The next one of the index: a list of all rows would read each article. */
		section = db_one_text(c, NULL,
		    "SELECT value FROM listed WHERE workspace_id = :workspace AND kind = 'section'"
		    " AND value > :last ORDER BY value LIMIT 1",
		    db_i(":workspace", workspace_id), db_t(":last", section));
		if (section == NULL)
			break;
		many = count_section(c, workspace_id, section);
		if (count == max && articles[max - 1] >= many)
			continue;
		for (i = count < max ? count++ : max - 1; i > 0 && articles[i - 1] < many; i--) {
			articles[i] = articles[i - 1];
			out[i] = out[i - 1];
		}
		articles[i] = many;
		out[i] = section;
	}
	return count;
}

/* Returns the language of the edition that is shown (arena); NULL if none is. */
static const char *
shown_language(struct ctx *c, const struct article *a)
{
	const char *language;

	if (a->status != ARTICLE_PUBLISHED)
		return NULL;
	language = db_one_text(c, NULL,
	    "SELECT language FROM edition WHERE article_id = :article AND version = :version",
	    db_i(":article", a->id), db_i(":version", a->version));
	return language;
}

static bool
neighbour(struct stmt *q, struct listed *out)
{
	bool found = db_row(q);

	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

bool
listed_newer(struct ctx *c, const struct article *a, struct listed *out)
{
	const struct listed_of of = { a->workspace_id, LISTED_LANGUAGE, shown_language(c, a) };

	return of.value != NULL &&
	       neighbour(
		   db_prepare(c,
		       "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) > (:created, :uuid)"
		       " ORDER BY l.created_at, l.uuid LIMIT 1",
		       OF_VALUES(c, &of), db_i(":created", a->created_at), db_t(":uuid", a->uuid)),
		   out);
}

bool
listed_older(struct ctx *c, const struct article *a, struct listed *out)
{
	const struct listed_of of = { a->workspace_id, LISTED_LANGUAGE, shown_language(c, a) };

	return of.value != NULL &&
	       neighbour(
		   db_prepare(c,
		       "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) < (:created, :uuid)"
		       " ORDER BY l.created_at DESC, l.uuid DESC LIMIT 1",
		       OF_VALUES(c, &of), db_i(":created", a->created_at), db_t(":uuid", a->uuid)),
		   out);
}

int64_t
listed_modified_at(struct ctx *c, const struct listed_of *of)
{
	return db_one_int(c, 0, "SELECT max(l.modified_at)" OF, OF_VALUES(c, of));
}

/* ---- slugs */

/* Returns the article that is shown with the slug (its UUID, arena), or NULL. */
static const char *
shown_with(struct ctx *c, int64_t workspace_id, const char *slug)
{
	return db_one_text(c, NULL,
	    "SELECT a.uuid FROM article_name n"
	    " JOIN article a ON a.id = n.article_id JOIN edition e ON e.id = a.edition_id"
	    " WHERE n.workspace_id = :workspace AND n.kind = 'slug' AND n.name = :slug"
	    " AND a.status = 'published' AND e.slug = :slug",
	    db_i(":workspace", workspace_id), db_t(":slug", slug));
}

enum listed_slug
listed_find_slug(struct ctx *c, int64_t workspace_id, const char *slug, const char **uuid)
{
	enum listed_slug found = SLUG_UNKNOWN;
	struct stmt *q;

	*uuid = shown_with(c, workspace_id, slug);
	if (*uuid != NULL)
		return SLUG_SHOWN;
	/* A slug was rarely that of more than one article. */
	q = db_prepare(c,
	    "SELECT a.uuid, a.status = 'published' FROM public_slug p"
	    " JOIN article a ON a.id = p.article_id"
	    " WHERE p.workspace_id = :workspace AND p.slug = :slug"
	    " ORDER BY p.published_at DESC, p.article_id DESC LIMIT 1 /*sort*/",
	    db_i(":workspace", workspace_id), db_t(":slug", slug));
	if (db_row(q)) {
		*uuid = db_text(q, 0);
		found = db_int(q, 1) != 0 ? SLUG_MOVED : SLUG_GONE;
	}
	db_reset(q);
	return found;
}

bool
listed_had(struct ctx *c, const struct article *a, const char *slug, const char *language)
{
	return db_exists(c,
	    "SELECT 1 FROM public_slug"
	    " WHERE workspace_id = :workspace AND slug = :slug AND article_id = :article"
	    " AND language = :language",
	    db_i(":workspace", a->workspace_id), db_t(":slug", slug), db_i(":article", a->id),
	    db_t(":language", listed_language(c, language)));
}

/* ---- writing the rows of what is published */

#define SCRATCH_MAX ((size_t)64 * 1024 * 1024)

/* A row without what it has of the article. */
struct place {
	const char *kind, *value;
};

/* Adds a row to those of an article, each once. */
static void
add(struct place *places, size_t *count, const char *kind, const char *value)
{
	if (value == NULL)
		return;
	for (size_t i = 0; i < *count; i++) {
		if (strcmp(places[i].kind, kind) == 0 && strcmp(places[i].value, value) == 0)
			return;
	}
	places[(*count)++] = (struct place) { kind, value };
}

/* Returns the rows that a published article with these fields must have (arena). */
static struct place *
places_with(struct ctx *c, const struct snapshot *s, size_t *count)
{
	struct place *places = arena_array(c->arena, s->tag_count + 3, sizeof(*places));

	*count = 0;
	add(places, count, "all", "");
	add(places, count, "language", listed_language(c, s->language));
	add(places, count, "section", s->section);
	for (size_t i = 0; i < s->tag_count; i++)
		add(places, count, "tag", s->tags[i]);
	return places;
}

/* Returns the rows that an article must have (arena): none unless it is published. */
static struct place *
places_of(struct ctx *c, const struct article *a, size_t *count)
{
	struct place *places = NULL;
	struct snapshot s;
	struct stmt *q;

	*count = 0;
	if (a->status != ARTICLE_PUBLISHED)
		return NULL;
	q = db_prepare(
	    c, "SELECT " ROW_FIELDS " FROM edition WHERE id = :id", db_i(":id", a->edition_id));
	if (db_row(q)) {
		row_fields(c, q, 0, &s);
		places = places_with(c, &s, count);
	}
	db_reset(q);
	return places;
}

static void
insert_place(struct ctx *c, const struct article *a, const struct place *p)
{
	db_run(c,
	    "INSERT INTO listed (workspace_id, kind, value, created_at,"
	    " uuid, article_id, modified_at) VALUES (:workspace, :kind, :value, :created, :uuid,"
	    " :article, :modified)",
	    db_i(":workspace", a->workspace_id), db_t(":kind", p->kind), db_t(":value", p->value),
	    db_i(":created", a->created_at), db_t(":uuid", a->uuid), db_i(":article", a->id),
	    db_i(":modified", a->modified_at));
}

/* Notes the slugs and languages of the article's editions from this number on. */
static void
note_slugs(struct ctx *c, const struct article *a, int64_t version)
{
	db_run(c,
	    "INSERT INTO public_slug (workspace_id, slug, article_id,"
	    " language, published_at) SELECT a.workspace_id, e.slug, a.id, lower(e.language),"
	    " max(e.published_at) FROM edition e JOIN article a ON a.id = e.article_id"
	    " WHERE a.id = :article AND a.workspace_id = :workspace AND e.version >= :version"
	    " GROUP BY a.workspace_id, e.slug, a.id, lower(e.language)"
	    " ON CONFLICT (workspace_id, slug, article_id, language)"
	    " DO UPDATE SET published_at = excluded.published_at /*sort*/",
	    db_i(":workspace", a->workspace_id), db_i(":article", a->id),
	    db_i(":version", version));
}

static void
delete_places(struct ctx *c, int64_t article_id)
{
	db_run(c, "DELETE FROM listed WHERE article_id = :article", db_i(":article", article_id));
}

static void
delete_slugs(struct ctx *c, int64_t article_id)
{
	db_run(
	    c, "DELETE FROM public_slug WHERE article_id = :article", db_i(":article", article_id));
}

void
listed_note(struct ctx *c, const struct article *a)
{
	size_t count;
	const struct place *places = places_of(c, a, &count);

	delete_places(c, a->id);
	for (size_t i = 0; i < count; i++)
		insert_place(c, a, &places[i]);
	if (a->status == ARTICLE_PUBLISHED)
		note_slugs(c, a, a->version);
}

void
listed_delete(struct ctx *c, int64_t article_id)
{
	delete_places(c, article_id);
	delete_slugs(c, article_id);
}

void
listed_repair(struct ctx *c, const struct article *a)
{
	listed_note(c, a);
	delete_slugs(c, a->id);
	note_slugs(c, a, 1);
}

/* ---- comparing */

/* Two answers are read side by side, both in the order of articles: articles, and their rows. */
struct compare {
	struct ctx *c;
	struct stmt *articles, *rows;
	bool has_row; /* `rows` is at a row */
};

/* The slugs are right if every edition's slug and language has its row, and no row is without
 * one. */
static void
compare_begin(struct compare *k)
{
	k->articles = db_prepare(k->c,
	    "SELECT " ROW_HEAD ", CASE WHEN EXISTS"
	    " (SELECT 1 FROM edition e WHERE e.article_id = a.id"
	    " AND NOT EXISTS (SELECT 1 FROM public_slug p WHERE p.workspace_id = a.workspace_id"
	    " AND p.slug = e.slug AND p.article_id = e.article_id"
	    " AND p.language = lower(e.language)))"
	    " OR EXISTS (SELECT 1 FROM public_slug p WHERE p.article_id = a.id"
	    " AND (p.workspace_id <> a.workspace_id OR NOT EXISTS (SELECT 1 FROM edition e"
	    " WHERE e.article_id = p.article_id AND e.slug = p.slug"
	    " AND lower(e.language) = p.language))) THEN 0 ELSE 1 END, "
	    "o.id, " ROW_FIELDS_OF("o.") " FROM article a LEFT JOIN edition o"
					 " ON o.id = a.edition_id ORDER BY a.id /*scan*/ /*many*/");
	k->rows =
	    db_prepare(k->c, "SELECT workspace_id, kind, value, created_at, uuid, modified_at,"
			     " article_id FROM listed ORDER BY article_id /*scan*/ /*many*/");
	k->has_row = db_row(k->rows);
}

/* Returns whether the row at which `rows` is, is one that the article must have. */
static bool
is_right(struct stmt *q, const struct article *a, const struct place *places, size_t count)
{
	if (db_int(q, 0) != a->workspace_id || db_int(q, 3) != a->created_at ||
	    strcmp(db_text(q, 4), a->uuid) != 0 || db_int(q, 5) != a->modified_at)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(places[i].kind, db_text(q, 1)) == 0 &&
		    strcmp(places[i].value, db_text(q, 2)) == 0)
			return true;
	}
	return false;
}

/* Reads the rows of the article, and all before them, which are those of no article. */
static bool
has_its_places(struct compare *k, const struct article *a)
{
	const struct place *places = NULL;
	size_t count = 0, found = 0;
	struct snapshot s;
	bool right = true;

	if (a->status == ARTICLE_PUBLISHED && !db_is_null(k->articles, ROW_HEAD_COUNT + 1)) {
		row_fields(k->c, k->articles, ROW_HEAD_COUNT + 2, &s);
		places = places_with(k->c, &s, &count);
	}
	for (; k->has_row && db_int(k->rows, 6) <= a->id; k->has_row = db_row(k->rows)) {
		if (db_int(k->rows, 6) < a->id)
			continue;
		right = right && is_right(k->rows, a, places, count);
		found++;
	}
	/* A table has no row twice, so as many right ones are all of them. */
	return right && found == count;
}

void
listed_wrong(struct ctx *c, bool (*each)(void *arg, const struct article *a), void *arg)
{
	struct compare k = { .c = c };
	struct arena scratch, *kept = c->arena;
	bool more = true;
	struct article a;

	compare_begin(&k);
	arena_init(&scratch, SCRATCH_MAX);
	c->arena = &scratch;
	while (more && db_row(k.articles)) {
		row_head(k.articles, &a);
		if (!has_its_places(&k, &a) || db_int(k.articles, ROW_HEAD_COUNT) == 0) {
			c->arena = kept;
			more = each(arg, &a);
			c->arena = &scratch;
		}
		arena_reset(&scratch);
	}
	db_reset(k.articles);
	db_reset(k.rows);
	arena_release(&scratch);
	c->arena = kept;
}
