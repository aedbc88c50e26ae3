#include "article/cover.h"

#include <string.h>

#include "content/snapshot.h"
#include "store/db.h"

void
cover_fit(struct ctx *c, struct snapshot *s)
{
	struct stmt *q;

	if (s->image == NULL || strncmp(s->image, "media:", 6) != 0)
		return;
	q = db_prepare(c, "SELECT type, width, height FROM media"
	    " WHERE digest = :digest");
	db_bind_text_n(q, ":digest", s->image + 6, strcspn(s->image + 6, "."));
	if (db_row(q)) {
		s->image_type = db_text(q, 0);
		s->image_width = db_int(q, 1);
		s->image_height = db_int(q, 2);
	}
	db_reset(q);
}
