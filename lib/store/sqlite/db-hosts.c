/* What PostgreSQL's hosts share (hosts.h, lease.h): here there is one host. */
#include <stddef.h>

#include "base/ctx.h"
#include "store/hosts.h"
#include "store/lease.h"
#include "system/harden.h"

bool
db_read_was_lost(void)
{
	return false;
}

bool
db_has_hosts(void)
{
	return false;
}

void
db_confine(struct ctx *c, const struct harden_path *paths, size_t count)
{
	(void)c;
	(void)harden_confine(paths, count, false);
}

void
db_picture_put(struct ctx *c, const char *digest, const void *bytes, size_t len)
{
	(void)c;
	(void)digest;
	(void)bytes;
	(void)len;
}

bool
db_picture_is_there(struct ctx *c, const char *digest)
{
	(void)c;
	(void)digest;
	return false;
}

const void *
db_picture_find(struct ctx *c, const char *digest, const char *type, size_t *len)
{
	(void)c;
	(void)digest;
	(void)type;
	(void)len;
	return NULL;
}

void
db_pictures_hold(struct ctx *c, bool alone)
{
	(void)c;
	(void)alone;
}

void
db_pictures_add(struct ctx *c)
{
	(void)c;
}

void
db_day_key_share(struct ctx *c, int64_t day, unsigned char *key, size_t len)
{
	(void)c;
	(void)day;
	(void)key;
	(void)len;
}

void
db_day_keys_forget(struct ctx *c, int64_t first)
{
	(void)c;
	(void)first;
}

void
db_people_secret_changes(struct ctx *c)
{
	(void)c;
}

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

bool
task_lease_take(struct ctx *c, int64_t task_id, char holder[TASK_LEASE_HOLDER])
{
	(void)c;
	(void)task_id;
	holder[0] = '\0';
	return true;
}

bool
task_lease_keep(struct ctx *c, int64_t task_id, const char *holder)
{
	(void)c;
	(void)task_id;
	(void)holder;
	return true;
}

void
task_lease_end(struct ctx *c, int64_t task_id, const char *holder)
{
	(void)c;
	(void)task_id;
	(void)holder;
}

size_t
task_lease_others(struct ctx *c, int64_t **ids)
{
	(void)c;
	*ids = NULL;
	return 0;
}
