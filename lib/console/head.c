#include "console/head.h"

#include <stddef.h>

#include "base/ctx.h"
#include "web/reply.h"

void
head_add(struct reply *reply, const char *cache)
{
	if (cache != NULL)
		reply_header(reply, "Cache-Control", "%s", cache);
	reply_header(reply, "Content-Security-Policy",
	    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'"
	    " data:; connect-src 'self'; form-action 'self'; frame-src 'self';"
	    " frame-ancestors 'none'; base-uri 'none'");
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	reply_header(reply, "Referrer-Policy", "same-origin");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
	reply_header(reply, "Cross-Origin-Resource-Policy", "same-origin");
	reply_header(reply, "Vary", "Cookie");
	reply_header(reply, "X-Robots-Tag", "noindex");
}

void
head_go(struct reply *reply, int status, const char *address)
{
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	reply_header(reply, "Location", "%s", address);
	head_add(reply, "no-store");
}
