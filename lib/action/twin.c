#include "action/twin.h"

#include "base/ctx.h"

struct err *
twin_refuse(struct ctx *c, const struct twin *twin)
{
	if (twin->many)
		return refuse(c, ERR_CONFLICT,
		    "More than one %s is called %s already. --another makes one"
		    " more.", twin->noun, twin->name);
	return refuse(c, ERR_CONFLICT,
	    "There is %s %s %s already: %s, %s. Nothing was made. --another"
	    " makes a second one of the name; then both are named by their"
	    " ids.", twin->article, twin->noun, twin->name, twin->uuid,
	    twin->about);
}
