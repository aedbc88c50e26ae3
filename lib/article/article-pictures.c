#include "article/article-pictures.h"

#include <string.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* ---- the list */

#define COLUMNS                                                                                    \
	"p.digest, p.alternative, p.added_at, p.person, m.type, m.width,"                          \
	" m.height, m.bytes"
#define JOINED "SELECT " COLUMNS " FROM picture p JOIN media m ON m.digest = p.digest"

static const char *
extension_of(const char *type)
{
	return strcmp(type, "image/jpeg") == 0 ? "jpg" : type + strlen("image/");
}

static void
from_row(struct ctx *c, struct stmt *q, struct picture_row *out)
{
	memcpy(out->digest, db_text(q, 0), MEDIA_DIGEST);
	out->alternative = db_text(q, 1);
	out->added_at = db_int(q, 2);
	out->person = db_text(q, 3);
	out->name = arena_printf(c->arena, "%s.%s", out->digest, extension_of(db_text(q, 4)));
	out->width = db_int(q, 5);
	out->height = db_int(q, 6);
	out->bytes = db_int(q, 7);
}

bool
picture_list_find(struct ctx *c, int64_t workspace_id, const char *digest, struct picture_row *out)
{
	struct stmt *q = db_prepare(c,
	    JOINED " WHERE p.workspace_id = :workspace AND p.digest = :digest AND p.added_at > 0",
	    db_i(":workspace", workspace_id), db_t(":digest", digest));
	bool found = db_row(q);

	if (found)
		from_row(c, q, out);
	db_reset(q);
	return found;
}

const char *
picture_list_name(struct ctx *c, int64_t workspace_id, const char *digest)
{
	const char *type = db_one_text(c, NULL,
	    "SELECT m.type FROM picture p JOIN media m ON m.digest = p.digest"
	    " WHERE p.workspace_id = :workspace AND p.digest = :digest AND p.added_at > 0",
	    db_i(":workspace", workspace_id), db_t(":digest", digest));

	return type != NULL ? arena_printf(c->arena, "%s.%s", digest, extension_of(type)) : NULL;
}

static size_t
read_all(struct ctx *c, struct stmt *q, struct picture_row *out)
{
	size_t count = 0;

	while (db_row(q))
		from_row(c, q, &out[count++]);
	return count;
}

size_t
picture_list_page(struct ctx *c, int64_t workspace_id, const struct picture_row *before,
    struct picture_row *out, size_t max)
{
	struct stmt *q = db_prepare(c,
	    JOINED " WHERE p.workspace_id = :workspace"
		   " AND p.added_at > 0 AND (p.added_at, p.digest) < (:at, :digest)"
		   " ORDER BY p.added_at DESC, p.digest DESC LIMIT :limit",
	    db_i(":workspace", workspace_id),
	    db_i(":at", before != NULL ? before->added_at : INT64_MAX),
	    db_t(":digest", before != NULL ? before->digest : ""), db_i(":limit", (int64_t)max));

	return read_all(c, q, out);
}

size_t
picture_list_back(struct ctx *c, int64_t workspace_id, const struct picture_row *after,
    struct picture_row *out, size_t max)
{
	struct stmt *q = db_prepare(c,
	    JOINED " WHERE p.workspace_id = :workspace"
		   " AND p.added_at > 0 AND (p.added_at, p.digest) > (:at, :digest)"
		   " ORDER BY p.added_at, p.digest LIMIT :limit",
	    db_i(":workspace", workspace_id), db_i(":at", after->added_at),
	    db_t(":digest", after->digest), db_i(":limit", (int64_t)max));
	size_t count;

	count = read_all(c, q, out);
	for (size_t i = 0; i < count / 2; i++) {
		struct picture_row kept = out[i];
		out[i] = out[count - 1 - i];
		out[count - 1 - i] = kept;
	}
	return count;
}

void
picture_list_add(struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative,
    const char *person)
{
	db_run(c,
	    "INSERT INTO picture AS p (workspace_id, digest, alternative, added_at, person)"
	    " VALUES (:workspace, :digest, :alternative, :now, :person)"
	    " ON CONFLICT (workspace_id, digest) DO UPDATE SET added_at = :now,"
	    " person = :person, alternative = CASE WHEN :alternative = ''"
	    " THEN p.alternative ELSE :alternative END",
	    db_i(":workspace", workspace_id), db_t(":digest", digest),
	    db_t(":alternative", alternative), db_i(":now", c->now), db_t(":person", person));
}

static bool
is_stored(struct ctx *c, const char *digest)
{
	return db_exists(c, "SELECT 1 FROM media WHERE digest = :digest", db_t(":digest", digest));
}

/* Adds a picture that an article shows, unless it is in the list or is no stored one. */
static void
picture_list_found(struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative)
{
	if (!is_stored(c, digest))
		return;
	db_run(c,
	    "INSERT INTO picture AS p (workspace_id, digest, alternative, added_at)"
	    " VALUES (:workspace, :digest, :alternative, :now)"
	    " ON CONFLICT (workspace_id, digest) DO UPDATE SET added_at = :now,"
	    " alternative = :alternative WHERE p.added_at = 0",
	    db_i(":workspace", workspace_id), db_t(":digest", digest),
	    db_t(":alternative", alternative), db_i(":now", c->now));
}

bool
picture_list_describe(
    struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative)
{
	return db_run_counted(c,
		   "UPDATE picture SET alternative = :alternative"
		   " WHERE workspace_id = :workspace AND digest = :digest AND added_at > 0",
		   db_i(":workspace", workspace_id), db_t(":digest", digest),
		   db_t(":alternative", alternative)) > 0;
}

bool
picture_list_remove(struct ctx *c, int64_t workspace_id, const char *digest)
{
	return db_run_counted(c,
		   "UPDATE picture SET added_at = 0, person = NULL, alternative = ''"
		   " WHERE workspace_id = :workspace AND digest = :digest AND added_at > 0",
		   db_i(":workspace", workspace_id), db_t(":digest", digest)) > 0;
}

void
picture_list_remove_all(struct ctx *c, int64_t workspace_id)
{
	db_run(c, "DELETE FROM picture WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
}

void
picture_list_forget(struct ctx *c)
{
	db_run(c, "DELETE FROM picture WHERE digest NOT IN (SELECT digest FROM media) /*scan*/");
}

int64_t
picture_list_bytes(struct ctx *c, int64_t account_id)
{
	return db_one_int(c, 0,
	    "SELECT coalesce(sum(m.bytes), 0)"
	    " FROM workspace w JOIN picture p ON p.workspace_id = w.id"
	    " JOIN media m ON m.digest = p.digest WHERE w.account_id = :account /*scan*/",
	    db_i(":account", account_id));
}

/* ---- where they are shown */

#define HEX (MEDIA_DIGEST - 1)

static bool
is_digest(const char *text)
{
	size_t i = 0;

	while (i < HEX && text[i] != '\0' && strchr("0123456789abcdef", text[i]) != NULL)
		i++;
	return i == HEX;
}

void
picture_use_in(const char *text, size_t len, void (*each)(void *arg, const char *digest), void *arg)
{
	const char *end = text + len;

	while ((text = memmem(text, (size_t)(end - text), "media", 5)) != NULL) {
		text += 5;
		if ((size_t)(end - text) > HEX && (*text == ':' || *text == '/') &&
		    is_digest(text + 1))
			each(arg, text + 1);
	}
}

struct noting {
	struct ctx *c;
	const struct picture_use_text *text;
};

/* Returns the alternative text that the article gives to a picture, or "". */
static const char *
text_in_blocks(const struct section *s, const char *digest)
{
	for (size_t i = 0; i < s->body_count; i++) {
		const struct block *b = &s->body[i];
		if (b->type == BLOCK_IMAGE && strstr(b->image.url, digest) != NULL &&
		    b->image.alt[0] != '\0')
			return b->image.alt;
	}
	for (size_t i = 0; i < s->subsection_count; i++) {
		const char *found = text_in_blocks(&s->subsections[i], digest);
		if (found[0] != '\0')
			return found;
	}
	return "";
}

static const char *
alternative_of(const struct snapshot *s, const char *digest)
{
	const char *found = "";

	if (s->image != NULL && strstr(s->image, digest) != NULL && s->content.image_alt != NULL)
		return s->content.image_alt;
	for (size_t i = 0; i < s->content.section_count && found[0] == '\0'; i++)
		found = text_in_blocks(&s->content.sections[i], digest);
	return found;
}

static void
note(void *arg, const char *at)
{
	const struct noting *n = arg;
	const struct picture_use_text *text = n->text;
	const char *digest = arena_text_n(n->c->arena, at, HEX);

	if (db_run_counted(n->c,
		"INSERT INTO picture_use (article_id, published, digest, workspace_id)"
		" VALUES (:article, :published, :digest, :workspace)"
		" ON CONFLICT (article_id, published, digest) DO NOTHING",
		db_i(":article", text->article_id), db_i(":published", text->published),
		db_t(":digest", digest), db_i(":workspace", text->workspace_id)) > 0 &&
	    !text->published)
		picture_list_found(
		    n->c, text->workspace_id, digest, alternative_of(text->snapshot, digest));
}

void
picture_use_note(struct ctx *c, const struct picture_use_text *text)
{
	struct noting n = { .c = c, .text = text };
	const char *image = text->snapshot->image;

	db_run(c, "DELETE FROM picture_use WHERE article_id = :article AND published = :published",
	    db_i(":article", text->article_id), db_i(":published", text->published));
	if (image != NULL)
		picture_use_in(image, strlen(image), note, &n);
	picture_use_in(text->json, text->json_len, note, &n);
}

void
picture_use_delete(struct ctx *c, int64_t article_id)
{
	db_run(
	    c, "DELETE FROM picture_use WHERE article_id = :article", db_i(":article", article_id));
}

size_t
picture_use_list(struct ctx *c, int64_t workspace_id, const char *digest, struct picture_use *out,
    size_t max, bool *more)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.uuid, a.title, a.status, u.published"
	    " FROM picture_use u JOIN article a ON a.id = u.article_id"
	    " WHERE u.digest = :digest AND u.workspace_id = :workspace"
	    " ORDER BY u.article_id, u.published LIMIT :limit",
	    db_t(":digest", digest), db_i(":workspace", workspace_id),
	    db_i(":limit", (int64_t)(2 * max + 1)));
	size_t count = 0;

	*more = false;
	while (!*more && db_row(q)) {
		const char *uuid = db_text(q, 0);
		bool same = count > 0 && strcmp(out[count - 1].article, uuid) == 0;
		*more = !same && count == max;
		if (*more)
			break;
		if (!same)
			out[count++] = (struct picture_use) { .article = uuid,
				.title = db_text(q, 1),
				.trashed = strcmp(db_text(q, 2), "deleted") == 0 };
		if (db_int(q, 3) != 0)
			out[count - 1].published = true;
		else
			out[count - 1].draft = true;
	}
	db_reset(q);
	return count;
}

bool
picture_use_is_known(struct ctx *c, const char *digest)
{
	return db_exists(
	    c, "SELECT 1 FROM picture_use WHERE digest = :digest LIMIT 1", db_t(":digest", digest));
}
