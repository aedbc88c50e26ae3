/* GET /jobs/{id}: the state of a job (docs/contract.md §4.7). */
#include "base/ctx.h"
#include "job/job.h"
#include "web/serve.h"

static route_handler show;

static const struct route routes[] = {
	{ .method = "GET",
	    .pattern = "/{id}",
	    .scope = SCOPE_GENERATE,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY " job",
	    .handler = show },
	{ .method = NULL },
};

static struct err *
show(struct ctx *c, struct req *r, struct reply *reply)
{
	const struct job *job = job_find(c, r->access.workspace.id, r->id);
	struct digest d;

	if (job == NULL)
		return refuse(
		    c, ERR_NOT_FOUND, "No job of this key's workspace has the id %s.", r->id);
	if (job->settled_at == 0)
		reply_header(reply, "Retry-After", "%d", JOB_POLL_S);
	job_to_json(&reply->json, job);
	/* The answer is one row without rendering: its tag is made of its bytes. */
	etag_begin(&d, r);
	digest_bytes(&d, reply->body.data, reply->body.len);
	reply_unchanged(r, reply, &d);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "jobs", routes);
}
