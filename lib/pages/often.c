#include "pages/often.h"

#include "access/address-limit.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/conf/console-conf.h"
#include "web/req.h"

struct err *
often_check(struct ctx *c, const struct req *r)
{
	struct console_conf own;
	struct err *err;
	int wait_s;

	console_conf_read(c, &own);
	if (address_limit_take(c,
		&(struct address_limit) { .file = ADDRESS_LIMIT_PAGES,
		    .per_minute = own.pages_per_minute,
		    .address = r->address,
		    .now = clock_now(),
		    .forwarded = forwarded_unknown(r) },
		&wait_s))
		return NULL;
	err = refuse(c, ERR_RATE_LIMITED,
	    tr_mark("Too many pages were asked for from your network. Try again in a minute."));
	err->retry_after_s = wait_s;
	return err;
}
