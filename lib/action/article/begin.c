#include "action/article/begin.h"

#include "action/action.h"
#include "action/find.h"
#include "base/ctx.h"

/* Reads which workspace the article is in. This must be known before the
 * transaction that changes the workspace begins. */
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
begin_article(struct ctx *c, const char *id, struct workspace **w, struct article **a)
{
	struct err *err = read_workspace_of(c, id, w);

	if (err == NULL)
		err = workspace_begin(c, *w, w);
	if (err == NULL)
		err = find_article_id(c, id, a);
	return err;
}
