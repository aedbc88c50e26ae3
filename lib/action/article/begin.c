#include "action/article/begin.h"

#include "action/action.h"
#include "action/find.h"
#include "base/ctx.h"

/* Which workspace the article is in must be known before the transaction that changes
 * it begins. */
static struct err *
read_workspace_of(struct ctx *c, const char *id, struct workspace **w)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err == NULL)
		*w = workspace_of(c, a->workspace_id);
	return action_end(c, err);
}

struct err *
begin_article(
    struct ctx *c, const char *id, struct workspace **w, struct article **a)
{
	struct err *err = read_workspace_of(c, id, w);

	if (err == NULL)
		err = workspace_begin(c, *w, w);
	if (err == NULL)
		err = find_article_id(c, id, a);
	return err;
}
