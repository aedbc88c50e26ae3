#include "article/cover.h"

#include <string.h>

#include "content/snapshot.h"
#include "store/db.h"

/* Asks for the row of a stored picture; NULL: the address is of none. */
static struct stmt *
ask(struct ctx *c, const char *url)
{
	struct stmt *q;

	if (url == NULL || strncmp(url, "media:", 6) != 0)
		return NULL;
	q = db_prepare(c, "SELECT type, width, height FROM media"
			  " WHERE digest = :digest");
	db_bind_text_n(q, ":digest", url + 6, strcspn(url + 6, "."));
	return q;
}

void
cover_fit(struct ctx *c, struct snapshot *s)
{
	struct stmt *q = ask(c, s->image);

	if (q == NULL)
		return;
	if (db_row(q)) {
		s->image_type = db_text(q, 0);
		s->image_width = db_int(q, 1);
		s->image_height = db_int(q, 2);
	}
	db_reset(q);
}

static void
fit_blocks(struct ctx *c, struct section *s)
{
	for (size_t i = 0; i < s->body_count; i++) {
		struct image *image = &s->body[i].image;
		struct stmt *q =
		    s->body[i].type == BLOCK_IMAGE && image->width == 0 ? ask(c, image->url) : NULL;
		if (q == NULL)
			continue;
		if (db_row(q)) {
			image->width = db_int(q, 1);
			image->height = db_int(q, 2);
		}
		db_reset(q);
	}
	for (size_t i = 0; i < s->subsection_count; i++)
		fit_blocks(c, &s->subsections[i]);
}

void
cover_fit_text(struct ctx *c, struct content *content)
{
	for (size_t i = 0; i < content->section_count; i++)
		fit_blocks(c, &content->sections[i]);
}
