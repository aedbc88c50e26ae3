/* GET /connection: validates access and identifies the workspace (docs/contract.md §4.1). */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "web/serve.h"

static route_handler show;

static const struct route routes[] = {
	{ .method = "GET",
	    .pattern = "",
	    .scope = SCOPE_READ,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY,
	    .handler = show,
	    .cached = true },
	{ .method = NULL },
};

static void
write_scopes(struct jwrite *w, unsigned scopes)
{
	jwrite_member_array(w, "scopes");
	for (unsigned s = SCOPE_READ; s <= SCOPE_GENERATE; s <<= 1) {
		if ((scopes & s) != 0)
			jwrite_text(w, scope_name((enum scope)s));
	}
	jwrite_array_end(w);
}

static void
write_analytics(struct ctx *c, struct jwrite *w, const struct workspace *ws)
{
	const char *origin = ws->analytics_origins;

	if (!ws->analytics_enabled) {
		jwrite_member_null(w, "analytics");
		return;
	}
	jwrite_member_object(w, "analytics");
	jwrite_member_text(w, "site_id", ws->analytics_site_id);
	jwrite_member_bool(w, "consent_required", true);
	jwrite_member_array(w, "allowed_origins");
	while (*origin != '\0') {
		size_t len = strcspn(origin, " ");
		jwrite_text(w, arena_text_n(c->arena, origin, len));
		origin += len + (origin[len] != '\0');
	}
	jwrite_array_end(w);
	jwrite_object_end(w);
}

static void
write_connection(struct ctx *c, const struct req *r, struct jwrite *w)
{
	const struct workspace *ws = workspace_of(c, r->access.workspace.id);

	jwrite_object(w);
	jwrite_member_text(w, "api_version", "1.0");
	jwrite_member_object(w, "workspace");
	jwrite_member_text(w, "id", ws->uuid);
	jwrite_member_text(w, "name", ws->settings.name);
	jwrite_member_text(w, "language", ws->settings.language);
	jwrite_object_end(w);
	write_scopes(w, r->access.scopes);
	write_analytics(c, w, ws);
	jwrite_object_end(w);
}

static struct err *
show(struct ctx *c, struct req *r, struct reply *reply)
{
	struct digest d;

	/* The answer is so small that its tag is made of its bytes. */
	write_connection(c, r, &reply->json);
	etag_begin(&d, r);
	digest_bytes(&d, reply->body.data, reply->body.len);
	reply_unchanged(r, reply, &d);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "connection", routes);
}
