/* There is one host. */
#include "store/db-hosts.h"

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
db_before_confinement(struct ctx *c)
{
	(void)c;
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
