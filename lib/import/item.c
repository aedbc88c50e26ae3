#include "import/item.h"

#include "article/article.h"

const char *
import_action_name(enum import_action action)
{
	static const char *const names[] = { "created", "updated", "unchanged" };

	return names[action];
}

void
import_result_set(struct import_result *r, const struct article *a, bool fresh, bool touched)
{
	r->id = a->uuid;
	r->slug = a->slug;
	r->status = article_status_name(a->status);
	r->action = fresh ? IMPORT_CREATED : touched ? IMPORT_UPDATED : IMPORT_UNCHANGED;
}
