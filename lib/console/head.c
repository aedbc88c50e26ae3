#include "console/head.h"

#include <stddef.h>

#include "base/ctx.h"
#include "web/reply.h"

static void
add(struct reply *reply, const char *policy, const char *resource)
{
	reply_header(reply, "Content-Security-Policy", "%s", policy);
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	reply_header(reply, "Referrer-Policy", "same-origin");
	reply_header(reply, "Cross-Origin-Resource-Policy", "%s", resource);
	reply_header(reply, "Vary", "Cookie");
	reply_header(reply, "X-Robots-Tag", "noindex");
}

static const char page_policy[] =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'";

#define FRAME_POLICY                                                                               \
	"default-src 'none'; img-src 'self' https: data:; style-src 'self';"                       \
	" frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox"

void
head_add(struct reply *reply, const char *cache)
{
	if (cache != NULL)
		reply_header(reply, "Cache-Control", "%s", cache);
	add(reply, page_policy, "same-origin");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
}

void
head_add_asset(struct reply *reply, bool framed)
{
	reply_header(reply, "Cache-Control", "public, max-age=31536000, immutable");
	add(reply, page_policy, framed ? "cross-origin" : "same-origin");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
}

/* Browsers show no sandboxed document in a window of its own if it has a policy about its
 * opener. */
void
head_add_frame(struct reply *reply, bool scrolled)
{
	reply_header(reply, "Cache-Control", "no-store");
	add(reply, scrolled ? FRAME_POLICY " allow-same-origin" : FRAME_POLICY, "same-origin");
}

void
head_go(struct reply *reply, int status, const char *address)
{
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	reply_header(reply, "Location", "%s", address);
	head_add(reply, "no-store");
}
