#include "action/order/orders.h"

#include <stddef.h>

#include "access/apikey.h"
#include "action/action.h"
#include "article/article.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/person.h"
#include "people/secret.h"
#include "store/db.h"

#define TOPIC_CHARS 100

/* ---- who ordered */

static void
orderer_of_key(struct ctx *c, int64_t id, struct orders_orderer *out)
{
	const struct apikey *key = apikey_of(c, id);

	*out = (struct orders_orderer) { .by = ORDERS_BY_KEY, .name = "", .label = "" };
	if (key == NULL)
		return;
	out->uuid = key->uuid;
	out->name = key->display;
	out->label = key->label;
}

/* No user name has the form of a UUID: it is too long for one. */
static void
look(struct ctx *c, const struct job *job, struct orders_orderer *out)
{
	struct job_orderer by;
	char uuid[UUID_TEXT];

	job_orderer(c, job->id, &by);
	*out = (struct orders_orderer) { .by = ORDERS_BY_OPERATOR, .name = by.ordered_by };
	if (by.ordered_by == NULL)
		orderer_of_key(c, by.key_id, out);
	else if (uuid_parse(by.ordered_by, uuid))
		*out = (struct orders_orderer) { .by = ORDERS_BY_PERSON, .uuid = by.ordered_by };
}

struct naming {
	struct orders_orderer *by;
	size_t count;
};

/* Names the people among them. */
static struct err *
name_people(struct ctx *c, void *arg)
{
	const struct naming *n = arg;

	for (size_t i = 0; i < n->count; i++) {
		struct orders_orderer *by = &n->by[i];
		const struct person *p =
		    by->by == ORDERS_BY_PERSON ? person_find(c, by->uuid) : NULL;
		if (p != NULL)
			by->name = p->name;
	}
	return NULL;
}

static void
name_all(struct ctx *c, struct orders_orderer *by, size_t count)
{
	struct naming n = { .by = by, .count = count };

	if (secret_exists(c) && db_aside(c, DB_CONSOLE, name_people, &n) != NULL)
		BUG("people were refused");
}

void
orders_orderer(struct ctx *c, const struct job *job, struct orders_orderer *out)
{
	look(c, job, out);
	name_all(c, out, 1);
}

/* ---- reading */

void
orders_list(struct ctx *c, struct orders_list *list)
{
	struct job_browse *b = &list->browse;

	db_begin_read(c, DB_CONTENT);
	job_browse(c, b);
	for (size_t i = 0; i < b->count; i++)
		look(c, b->found[i], &list->by[i]);
	name_all(c, list->by, b->count);
	db_rollback(c);
}

static void
read_more(struct ctx *c, struct orders_one *out)
{
	const struct job *job = out->job;
	const struct article *a = NULL;

	orders_orderer(c, job, &out->by);
	if (job->research_id != 0)
		out->brief = job_topic_line(c, job_of(c, job->research_id), TOPIC_CHARS);
	if (job->status == JOB_COMPLETED && job->article_uuid != NULL)
		a = article_find(c, job->workspace_id, job->article_uuid);
	out->article = a != NULL;
	out->title = a != NULL ? a->title : NULL;
}

struct err *
orders_read(struct ctx *c, const struct workspace *w, const char *id, struct orders_one *out)
{
	struct err *err = NULL;

	*out = (struct orders_one) { .job = NULL };
	db_begin_read(c, DB_CONTENT);
	out->job = job_find(c, w->id, id);
	if (out->job == NULL)
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no such order."));
	else
		read_more(c, out);
	return action_end(c, err);
}
