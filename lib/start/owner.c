#include "start/owner.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "base/utf8.h"

#define USUAL_OWNER "www-data"

const char *
owner_name(struct ctx *c, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	if (user != NULL)
		return arena_text(c->arena, user->pw_name);
	return arena_printf(c->arena, "%lu", (unsigned long)uid);
}

const char *
owner_caller(struct ctx *c)
{
	const char *name = owner_name(c, getuid());
	const char *behind = getenv("SUDO_USER");

	if (getuid() != 0 || behind == NULL || behind[0] == '\0' || strlen(behind) > 32 ||
	    !utf8_valid(behind, strlen(behind)))
		return name;
	return arena_printf(c->arena, "%s (%s)", name, behind);
}

struct err *
owner_find(struct ctx *c, const char *name, uid_t *uid, gid_t *gid)
{
	const struct passwd *user;

	if (name == NULL)
		name = USUAL_OWNER;
	user = getpwnam(name);
	if (user == NULL)
		return err_hint(c, refuse(c, ERR_INVALID, "This system has no user %s.", name),
		    HINT_OWNER, NULL);
	*uid = user->pw_uid;
	*gid = user->pw_gid;
	return NULL;
}

static struct err *
become(struct ctx *c, uid_t uid, gid_t gid)
{
	const struct passwd *user = getpwuid(uid);
	int result, why;

	if (user != NULL)
		result = initgroups(user->pw_name, gid);
	else
		result = setgroups(1, &gid);
	if (result == 0 && setgid(gid) == 0 && setuid(uid) == 0)
		return NULL;
	why = errno; /* asking for the name changes errno */
	return refuse(c, ERR_INTERNAL, "Cannot become %s: %s.", owner_name(c, uid), strerror(why));
}

/* Refuses an instance whose database belongs to root and whose other parts do not
 * all belong to root: another owner could lead root through them. */
static struct err *
check_roots_own(struct ctx *c)
{
	const struct instance *i = c->instance;
	const char *const paths[] = { i->run, i->log, i->conf, i->media, conf_good_folder(c) };
	struct stat st;

	for (size_t n = 0; n < sizeof(paths) / sizeof(paths[0]); n++) {
		if (lstat(paths[n], &st) != 0 || st.st_uid == 0)
			continue;
		return refuse(c, ERR_FORBIDDEN,
		    "%s belongs to %s, and the database to root: give both to one user (chown -h).",
		    paths[n], owner_name(c, st.st_uid));
	}
	return NULL;
}

/* Decides for root which user to become, by the owner of `folder` and the users
 * who can change the way to it. */
static struct err *
choose(struct ctx *c, const char *folder, struct stat *st)
{
	struct err *err;
	uid_t leader;

	err = owner_leader(c, folder, &leader);
	if (err != NULL)
		return err;
	if (stat(folder, st) != 0)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", folder, strerror(errno));
	if (leader != 0 && leader != st->st_uid)
		return refuse(c, ERR_FORBIDDEN,
		    "%s may change where %s is, which belongs to %s: root does nothing there. Say this as %s, or give all to one user.",
		    owner_name(c, leader), folder, owner_name(c, st->st_uid),
		    owner_name(c, leader));
	return st->st_uid == 0 ? check_roots_own(c) : NULL;
}

struct err *
owner_become_user(struct ctx *c, uid_t uid, gid_t gid)
{
	return uid == geteuid() ? NULL : become(c, uid, gid);
}

struct err *
owner_of(struct ctx *c, uid_t *uid, gid_t *gid)
{
	const char *folder = arena_printf(c->arena, "%s/db", c->instance->home);
	struct err *err = NULL;
	struct stat st;

	if (stat(folder, &st) != 0)
		return err_hint(c,
		    refuse(c, ERR_NOT_FOUND, "%s is no instance: %s: %s.", c->instance->home,
			folder, strerror(errno)),
		    HINT_INSTANCE, NULL);
	if (geteuid() == 0)
		err = choose(c, folder, &st);
	*uid = st.st_uid;
	*gid = st.st_gid;
	if (err != NULL || geteuid() == 0 || st.st_uid == geteuid())
		return err;
	return refuse(c, ERR_FORBIDDEN,
	    "The instance %s belongs to %s, and you are %s: say sudo -u %s galley …, or use root.",
	    c->instance->home, owner_name(c, st.st_uid), owner_name(c, geteuid()),
	    owner_name(c, st.st_uid));
}

struct err *
owner_become(struct ctx *c)
{
	struct err *err;
	uid_t uid;
	gid_t gid;

	err = owner_of(c, &uid, &gid);
	return err != NULL ? err : owner_become_user(c, uid, gid);
}
