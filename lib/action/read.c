#include "action/read.h"

#include "action/action.h"
#include "base/ctx.h"

struct err *
read_workspace(struct ctx *c, const struct find_place *place, struct workspace **out)
{
	db_begin_read(c, DB_CONTENT);
	return action_end(c, find_workspace(c, place, out));
}

struct err *
read_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out)
{
	return read_articles(c, place, &name, 1, out);
}

struct err *
read_articles(struct ctx *c, const struct find_place *place, const char *const *names, size_t count,
    struct article **out)
{
	struct err *err = NULL;

	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < count && err == NULL; i++)
		err = find_article(c, place, names[i], &out[i]);
	return action_end(c, err);
}

struct err *
read_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out)
{
	db_begin_read(c, DB_CONTENT);
	return action_end(c, find_edition(c, a, version, out));
}
