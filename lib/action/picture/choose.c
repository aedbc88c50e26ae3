#include "action/picture/choose.h"

#include <string.h>

#include "action/picture-actions.h"
#include "article/article-pictures.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"
#include "screen/tr.h"
#include "store/db.h"

/* Returns the alternative text of a picture of the workspace, or NULL if it has no such
 * picture. In a transaction. */
static const char *
find(struct ctx *c, const struct workspace *w, const char *name)
{
	struct picture_row row;
	const char *digest = media_digest_of(c, name);

	return digest != NULL && picture_list_find(c, w->id, digest, &row) &&
		       strcmp(row.name, name) == 0
		   ? row.alternative
		   : NULL;
}

static struct err *
no_picture(struct ctx *c)
{
	return err_param(c, "image",
	    tr_mark(
		"This is no picture of this workspace, and no address that begins with https://."));
}

static struct err *
set_cover(struct ctx *c, const struct workspace *w, struct set *set, const char *value,
    const struct upload *upload)
{
	struct snapshot *s = set->snapshot;
	const char *alternative = upload != NULL ? upload->alternative : NULL;

	if (upload != NULL)
		value = upload->media.url;
	else if (value[0] == '\0' ||
		 (strncmp(value, "https://", 8) == 0 && url_clean_web(c->arena, value) != NULL)) {
		s->content.image_alt = NULL;
		return set_field(c, set, "image", value);
	} else if (strncmp(value, "media:", 6) == 0) {
		db_begin_read(c, DB_CONTENT);
		alternative = find(c, w, value + 6);
		db_rollback(c);
	}
	if (alternative == NULL)
		return no_picture(c);
	s->image = arena_text(c->arena, value);
	/* Its row says the rest (article/media.h). */
	s->image_type = NULL;
	s->image_width = s->image_height = 0;
	s->image_generated = false;
	s->content.image_alt = alternative[0] != '\0' ? alternative : NULL;
	return NULL;
}

static struct err *
set_words(struct ctx *c, struct set *set, const char *field, const char *value)
{
	if (value[0] != '\0' && set->snapshot->image == NULL)
		return err_param(c, field,
		    tr_mark(
			"There is no cover that this could be about. Choose one, or leave this empty."));
	return set_field(c, set, field, value);
}

struct err *
choose_field(struct ctx *c, const struct workspace *w, struct set *set, const char *field,
    const char *value, const struct upload *upload)
{
	if (strcmp(field, "image") == 0)
		return set_cover(c, w, set, value, upload);
	if (strcmp(field, "image_alt") == 0 || strcmp(field, "image_caption") == 0)
		return set_words(c, set, field, value);
	return set_field(c, set, field, value);
}

struct err *
choose_check(struct ctx *c, const struct workspace *w, const struct snapshot *s, const char *now)
{
	if (s->image == NULL || strncmp(s->image, "media:", 6) != 0 ||
	    (now != NULL && strcmp(now, s->image) == 0) || find(c, w, s->image + 6) != NULL)
		return NULL;
	return no_picture(c);
}
