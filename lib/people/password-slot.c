#include "people/password-slot.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "screen/tr.h"
#include "system/filelock.h"
#include "system/instance.h"

/* The first is for known askers, who take the others, too. */
#define SLOTS 4
#define RETRY_AFTER_S 2
#define LOGIN_TIME CLOCK_SECOND

struct err *
password_slot_refuse(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr("Too many people are signing in at this moment. Try again."));

	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

static struct err *
refuse_unusable(struct ctx *c, const char *path)
{
	log_line("%s: %s; no password can be hashed", path, strerror(errno));
	return password_slot_refuse(c);
}

/* Returns where a login has a byte of its own, however many logins there are. */
static off_t
byte_of(const char *login)
{
	struct digest d;
	uint64_t number;

	digest_begin(&d, sizeof(number), "galley hashing 1");
	digest_text(&d, login);
	digest_end(&d, &number);
	return (off_t)(number >> 2);
}

/* Takes the login. */
static struct err *
take_login(struct ctx *c, const char *folder, const char *login, struct password_slot *out)
{
	const char *path = fileio_path(c->arena, folder, "hashing-logins");
	const struct timespec between = { .tv_nsec = 10 * 1000 * 1000 };
	int64_t until = clock_boot() + LOGIN_TIME;
	off_t at = byte_of(login);

	while ((out->login = filelock_take_byte(path, at)) < 0) {
		if (errno != EAGAIN)
			return refuse_unusable(c, path);
		if (clock_boot() >= until)
			return password_slot_refuse(c);
		(void)nanosleep(&between, NULL);
	}
	return NULL;
}

struct err *
password_slot_take(struct ctx *c, const char *login, bool is_known, struct password_slot *out)
{
	const char *folder = arena_printf(c->arena, "%s/console", c->instance->run);
	struct err *err;

	if (!fileio_make_folder(folder, 0700))
		return refuse_unusable(c, folder);
	err = take_login(c, folder, login, out);
	for (int i = is_known ? 0 : 1; err == NULL && i < SLOTS; i++) {
		const char *path = arena_printf(c->arena, "%s/hashing-%d", folder, i);
		pid_t holder;

		out->slot = filelock_take(path, &holder);
		if (out->slot >= 0)
			return NULL;
		if (holder == 0)
			err = refuse_unusable(c, path);
	}
	if (err == NULL) {
		filelock_release(out->login);
		err = password_slot_refuse(c);
	}
	return err;
}

void
password_slot_release(const struct password_slot *slot)
{
	filelock_release(slot->slot);
	filelock_release(slot->login);
}
