/* GET /pricing: what jobs may cost at most (docs/contract.md §4.5). */
#include "base/ctx.h"
#include "job/job.h"
#include "system/conf.h"
#include "web/serve.h"

static route_handler show;

static const struct route routes[] = {
	{ .method = "GET",
	    .pattern = "",
	    .scope = SCOPE_GENERATE,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY,
	    .handler = show },
	{ .method = NULL },
};

static struct err *
show(struct ctx *c, struct req *r, struct reply *reply)
{
	struct jwrite *w = &reply->json;
	struct digest d;

	jwrite_object(w);
	jwrite_member_text(w, "billing", "usage_based");
	jwrite_member_int(w, "article", price_reservation(c->conf, JOB_ARTICLE, false));
	jwrite_member_int(w, "article_with_image", price_reservation(c->conf, JOB_ARTICLE, true));
	jwrite_member_int(w, "research", price_reservation(c->conf, JOB_RESEARCH, false));
	jwrite_member_text(w, "description",
	    "The most that a job can cost, in credits, reserved when it is ordered. When it is completed it is charged by what it used, and the rest is returned; a failed job costs nothing.");
	jwrite_object_end(w);
	/* The answer is so small that its tag is made of its bytes. */
	etag_begin(&d, r);
	digest_bytes(&d, reply->body.data, reply->body.len);
	reply_unchanged(r, reply, &d);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "pricing", routes);
}
