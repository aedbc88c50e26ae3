#ifndef ACTION_TWIN_H
#define ACTION_TWIN_H
/*
 * Refuses a name that another account or workspace has. Two things of one name are seldom
 * intended, and the name finds neither of them.
 */
#include <stdbool.h>

#include "base/err.h"

/* What has the name already. */
struct twin {
	const char *article, *noun; /* "a", "workspace" */
	const char *name, *uuid; /* not read if `many` */
	const char *about; /* what tells it from others: "created at …" */
	bool many; /* several have the name */
};

/* Makes the refusal. */
MAY_REFUSE struct err *twin_refuse(struct ctx *c, const struct twin *twin);

#endif
