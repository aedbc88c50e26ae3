#include "action/twin.h"

#include "base/ctx.h"

struct err *
twin_refuse(struct ctx *c, const struct twin *twin)
{
	if (twin->many)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "More than one %s is called %s already.", twin->noun,
			twin->name),
		    HINT_ANOTHER, NULL);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT, "There is %s %s %s already: %s, %s. Nothing was made.",
		twin->article, twin->noun, twin->name, twin->uuid, twin->about),
	    HINT_ANOTHER, NULL);
}
