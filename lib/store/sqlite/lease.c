#include "store/lease.h"

#include <stddef.h>

bool
lease_is_shared(void)
{
	return false;
}

int64_t
lease_now(const struct ctx *c)
{
	(void)c;
	return clock_boot();
}

bool
lease_place(struct ctx *c, char out[LEASE_PLACE])
{
	(void)c;
	if (clock_boot_id(out))
		return true;
	out[0] = '\0';
	return false;
}

const char *
lease_database(struct ctx *c)
{
	(void)c;
	return NULL;
}
