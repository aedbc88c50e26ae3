#include "people/password-slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* Locks the byte of a file that is this login's alone, however many logins there are. */
static bool
lock_login(int fd, const char *login)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	const struct timespec while_waiting = { .tv_nsec = 10 * 1000 * 1000 };
	int64_t until = clock_boot() + LOGIN_TIME;
	struct digest d;
	uint64_t number;

	digest_begin(&d, sizeof(number), "galley hashing 1");
	digest_text(&d, login);
	digest_end(&d, &number);
	lock.l_start = (off_t)(number >> 2);
	while (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return false;
		if (clock_boot() >= until) {
			errno = 0;
			return false;
		}
		(void)nanosleep(&while_waiting, NULL);
	}
	return true;
}

/* Takes the login; out->login is -1 where that is refused. */
static struct err *
take_login(struct ctx *c, const char *folder, const char *login, struct password_slot *out)
{
	const char *path = fileio_path(c->arena, folder, "hashing-logins");
	struct err *err;

	out->login = fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
	if (out->login < 0)
		return refuse_unusable(c, path);
	if (lock_login(out->login, login))
		return NULL;
	err = errno == 0 ? password_slot_refuse(c) : refuse_unusable(c, path);
	close(out->login);
	return err;
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
		close(out->login);
		err = password_slot_refuse(c);
	}
	return err;
}

void
password_slot_release(const struct password_slot *slot)
{
	filelock_release(slot->slot);
	close(slot->login);
}
