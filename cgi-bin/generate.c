/* POST /generate: orders an article or a research brief (docs/contract.md §4.6). */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "job/job.h"
#include "store/remote-store.h"
#include "system/fault.h"
#include "web/serve.h"

#define CREDITS_MAX 1000000

static route_handler create;

static const struct route routes[] = {
	{ .method = "POST",
	    .pattern = "",
	    .scope = SCOPE_GENERATE,
	    .mode = ROUTE_WRITE,
	    .reads = ROUTE_READS_KEY " job",
	    .handler = create,
	    .body = true,
	    .change = DB_CHANGES_NOTHING },
	{ .method = NULL },
};

/* Reads a text member, or returns `absent`. Every character that JSON can hold is
 * allowed. */
static const char *
read_text(struct jread *r, json_t *body, const char *name, const char *absent)
{
	json_t *value = json_object_get(body, name);

	if (value == NULL)
		return absent;
	if (!json_is_string(value)) {
		jread_refuse(r, name, "must be a string.");
		return absent;
	}
	return json_string_value(value);
}

static void
read_kind(struct jread *r, json_t *body, struct job_order *order)
{
	const char *name = read_text(r, body, "kind", "article");

	if (strcmp(name, job_kind_name(JOB_ARTICLE)) == 0)
		order->kind = JOB_ARTICLE;
	else if (strcmp(name, job_kind_name(JOB_RESEARCH)) == 0)
		order->kind = JOB_RESEARCH;
	else
		jread_refuse(r, "kind", "must be \"article\" or \"research\".");
}

static void
read_research_id(struct jread *r, json_t *body, struct job_order *order)
{
	const char *text = read_text(r, body, "researchId", NULL);
	char *uuid;

	if (text == NULL)
		return;
	uuid = arena_alloc(r->c->arena, UUID_TEXT);
	if (!uuid_parse(text, uuid))
		jread_refuse(r, "researchId", "must be the UUID of a completed research job.");
	order->research_uuid = uuid;
}

/* Reads the order in the body (docs/design.md §4.22). */
static struct err *
read_order(struct ctx *c, const struct req *r, struct job_order *order)
{
	struct jread j;
	json_t *body;

	memset(order, 0, sizeof(*order));
	if (r->body_err != NULL)
		return r->body_err;
	jread_begin(&j, c, "");
	body = jread_element_object(&j, r->body);
	order->topic = read_text(&j, body, "topic", "");
	if (utf8_length(order->topic) > JOB_TOPIC_MAX)
		jread_refuse(&j, "topic", "must have at most %d characters.", JOB_TOPIC_MAX);
	order->image = jread_bool(&j, body, "image", JREAD_OPTIONAL, true);
	order->auto_publish = jread_bool(&j, body, "autoPublish", JREAD_OPTIONAL, false);
	read_kind(&j, body, order);
	read_research_id(&j, body, order);
	order->max_credits = jread_int(&j, body, "maxCredits", JREAD_OPTIONAL, 1, CREDITS_MAX, 0);
	jread_only(&j, body, "topic image autoPublish kind researchId maxCredits");
	return jread_end(&j);
}

static struct err *
create(struct ctx *c, struct req *r, struct reply *reply)
{
	char uuid[UUID_TEXT];
	struct job_order order;
	struct job *job;

	if (STORE_IS_REMOTE && r->idempotency_key != NULL)
		job_order_prefetch(c, &r->access, r->idempotency_key);
	TRY(job_order_check_account(c, &r->access));
	TRY(job_order_check_key(c, r->idempotency_key));
	job_order_id(&r->access, r->idempotency_key, uuid);
	job = job_find(c, r->access.workspace.id, uuid);
	(void)FAULT("order-looked-up");
	/* An existing job is the answer whatever else is wrong (docs/design.md §4.17). */
	if (job != NULL) {
		reply_header(reply, "Idempotent-Replayed", "true");
	} else {
		TRY(read_order(c, r, &order));
		TRY(job_order(c, &r->access, uuid, &order, &job));
	}
	if (job->settled_at == 0)
		reply_header(reply, "Retry-After", "%d", JOB_POLL_S);
	job_to_json(&reply->json, job);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "generate", routes);
}
