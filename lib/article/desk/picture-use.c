#include "article/desk/picture-use.h"

#include <string.h>

#include "article/desk/picture-list.h"
#include "article/media.h"
#include "base/arena.h"
#include "store/db.h"

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

/* ---- what is noted */

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
	struct stmt *q =
	    db_prepare(n->c, "INSERT INTO picture_use"
			     " (article_id, published, digest, workspace_id)"
			     " VALUES (:article, :published, :digest, :workspace)"
			     " ON CONFLICT (article_id, published, digest) DO NOTHING");

	db_bind_int(q, ":article", text->article_id);
	db_bind_int(q, ":published", text->published);
	db_bind_text(q, ":digest", digest);
	db_bind_int(q, ":workspace", text->workspace_id);
	if (db_run_counted(q) > 0 && !text->published)
		picture_list_found(
		    n->c, text->workspace_id, digest, alternative_of(text->snapshot, digest));
}

void
picture_use_note(struct ctx *c, const struct picture_use_text *text)
{
	struct noting n = { .c = c, .text = text };
	const char *image = text->snapshot->image;
	struct stmt *q = db_prepare(c, "DELETE FROM picture_use"
				       " WHERE article_id = :article AND published = :published");

	db_bind_int(q, ":article", text->article_id);
	db_bind_int(q, ":published", text->published);
	db_run(q);
	if (image != NULL)
		picture_use_in(image, strlen(image), note, &n);
	picture_use_in(text->json, text->json_len, note, &n);
}

void
picture_use_delete(struct ctx *c, int64_t article_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM picture_use"
				       " WHERE article_id = :article");

	db_bind_int(q, ":article", article_id);
	db_run(q);
}

/* ---- what is asked */

size_t
picture_use_list(struct ctx *c, int64_t workspace_id, const char *digest, struct picture_use *out,
    size_t max, bool *more)
{
	struct stmt *q = db_prepare(c, "SELECT a.uuid, a.title, a.status, u.published"
				       " FROM picture_use u JOIN article a ON a.id = u.article_id"
				       " WHERE u.digest = :digest AND u.workspace_id = :workspace"
				       " ORDER BY u.article_id, u.published LIMIT :limit");
	size_t count = 0;

	db_bind_text(q, ":digest", digest);
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":limit", (int64_t)(2 * max + 1));
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
	struct stmt *q = db_prepare(c, "SELECT 1 FROM picture_use"
				       " WHERE digest = :digest LIMIT 1");
	bool known;

	db_bind_text(q, ":digest", digest);
	known = db_row(q);
	db_reset(q);
	return known;
}
