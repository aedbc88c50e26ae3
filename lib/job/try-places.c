/* Lists where a provider may read and write (SECURITY.md): its scratch folder, what
 * every program of this system needs, its own program and what is beside it, and what
 * the operator added. The folder of the instance is never part of the list. The folders
 * of other instances that are in one of these places are left out, too: most of them
 * belong to the same user. */
#include <dirent.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "job/try.h"

#define PLACES_MAX 4096
#define DEPTH_MAX 16 /* of nested folders that hold an instance */

/* Programs, their libraries and their data. */
static const char *const programs[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/libx32", "/opt", "/nix/store", "/gnu/store", "/snap", "/run/current-system" };

/* Data on names, addresses, certificates, users, fonts and the machine. */
static const char *const knowledge[] = { "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup",
	"/sys/kernel/mm/transparent_hugepage", "/var/cache/fontconfig",
	"/var/lib/ca-certificates" };

/* The beginnings of the names in /etc that a provider may read. The rest may hold
 * secrets of other programs. */
static const char *const of_etc[] = { "ImageMagick", "alternatives", "bash.bashrc",
	"ca-certificates", "crypto-policies", "fonts", "gai.conf", "group", "host.conf", "hostname",
	"hosts", "inputrc", "java", "ld.so", "ld-musl", "locale", "localtime", "machine-id",
	"magic", "mime.types", "networks", "nsswitch.conf", "openssl", "os-release", "pango",
	"passwd", "perl", "php", "pki", "protocols", "python", "resolv.conf", "ruby", "services",
	"ssl", "timezone" };

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom" };

struct list {
	struct ctx *c;
	struct try_places *out;
	const char *home; /* of the instance */
	/* of all instances that were found; no place is in them */
	const char **homes;
	size_t home_count;
};

static void
add(struct list *l, const char *path, enum harden_access access)
{
	struct try_places *out = l->out;
	size_t size = sizeof(*out->at);

	if (out->count >= PLACES_MAX)
		return;
	out->at = arena_grow(l->c->arena, out->at, out->count * size, (out->count + 1) * size);
	out->at[out->count++] = (struct harden_place) { path, access };
}

/* Returns whether `path` is `folder` or in it. */
static bool
is_within(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (len == 1)
		return true;
	return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* Returns the path without symbolic links; NULL if there is no such file. */
static const char *
real(struct list *l, const char *path)
{
	char resolved[PATH_MAX];

	return realpath(path, resolved) != NULL ? arena_text(l->c->arena, resolved) : NULL;
}

/* Calls a function for each name in a folder. */
static void
each_name(struct list *l, const char *folder,
    void (*each)(struct list *l, const char *path, const char *name, void *arg), void *arg)
{
	DIR *names = opendir(folder);
	struct dirent *entry;

	while (names != NULL && (entry = readdir(names)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			each(
			    l, fileio_path(l->c->arena, folder, entry->d_name), entry->d_name, arg);
	}
	if (names != NULL)
		closedir(names);
}

static void
add_home(struct list *l, const char *home)
{
	size_t size = sizeof(*l->homes);

	l->homes =
	    arena_grow(l->c->arena, l->homes, l->home_count * size, (l->home_count + 1) * size);
	l->homes[l->home_count++] = home;
}

static void
add_if_instance(struct list *l, const char *path, const char *name, void *arg)
{
	(void)name;
	(void)arg;
	path = real(l, path);
	if (path != NULL && access(fileio_path(l->c->arena, path, "db/pepper"), F_OK) == 0)
		add_home(l, path);
}

/* Finds the instance, those beside it, and those in /opt and /usr/local, where people
 * put programs of their own. */
static void
find_instances(struct list *l)
{
	l->home = real(l, l->c->instance->home);
	if (l->home == NULL)
		l->home = l->c->instance->home;
	add_home(l, l->home);
	each_name(l, fileio_folder(l->c->arena, l->home), add_if_instance, NULL);
	each_name(l, "/opt", add_if_instance, NULL);
	each_name(l, "/usr/local", add_if_instance, NULL);
}

/* Returns the folder of the instance that `path` is or is in; NULL if there is none. */
static const char *
home_of(const struct list *l, const char *path)
{
	for (size_t i = 0; i < l->home_count; i++) {
		if (is_within(path, l->homes[i]))
			return l->homes[i];
	}
	return NULL;
}

static bool
holds_instance(const struct list *l, const char *path)
{
	for (size_t i = 0; i < l->home_count; i++) {
		if (is_within(l->homes[i], path))
			return true;
	}
	return false;
}

struct around {
	enum harden_access access;
	int depth;
};

/* Adds a place that exists. If an instance is in it, adds everything in the place
 * except the instance. Symbolic links there are skipped: what they point to must be
 * allowed by its own path. */
static void
add_around(struct list *l, const char *path, const char *name, void *arg)
{
	const struct around *a = arg;
	struct around deeper = { a->access, a->depth + 1 };
	struct stat st;

	(void)name;
	if (home_of(l, path) != NULL || lstat(path, &st) != 0 || S_ISLNK(st.st_mode))
		return;
	if (!holds_instance(l, path))
		add(l, path, a->access);
	else if (a->depth < DEPTH_MAX)
		each_name(l, path, add_around, &deeper);
}

static void
add_place(struct list *l, const char *path, enum harden_access access)
{
	const char *place = real(l, path);
	struct around a = { access, 0 };

	if (place != NULL)
		add_around(l, place, "", &a);
}

static void
add_places(struct list *l, const char *const *paths, size_t count, enum harden_access access)
{
	for (size_t i = 0; i < count; i++)
		add_place(l, paths[i], access);
}

static void
add_of_etc(struct list *l, const char *path, const char *name, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof(of_etc) / sizeof(of_etc[0]); i++) {
		if (strncmp(name, of_etc[i], strlen(of_etc[i])) == 0) {
			add_place(l, path, HARDEN_READ);
			return;
		}
	}
}

/* Adds a plain file that is not hidden and not in an instance. */
static void
add_file(struct list *l, const char *path, const char *name, void *arg)
{
	struct stat st;

	(void)arg;
	if (name[0] != '.' && lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    home_of(l, path) == NULL)
		add(l, path, HARDEN_RUN);
}

static bool
is_home_of_user(const char *folder)
{
	const struct passwd *user = getpwuid(geteuid());
	char resolved[PATH_MAX];

	return user != NULL && user->pw_dir != NULL && realpath(user->pw_dir, resolved) != NULL &&
	       strcmp(resolved, folder) == 0;
}

/* Returns whether `folder`, which is in the instance `home`, may be a program's
 * own folder: it is neither the instance itself nor one of the instance's data
 * folders. */
static bool
is_own_in_home(const char *home, const char *folder)
{
	static const char *const kept[] = { "db", "run", "log", "good", "people", "stats" };
	const char *within = folder + strlen(home);

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (is_within(within + (within[0] == '/'), kept[i]))
			return false;
	}
	return within[0] != '\0';
}

/* Adds the folder of a program. If the folder also holds an instance or is the home of
 * its user, it holds much else: then only the files that are directly in it are added. */
static void
add_beside(struct list *l, const char *folder)
{
	const char *home = home_of(l, folder);

	if (home != NULL) {
		if (is_own_in_home(home, folder))
			add(l, folder, HARDEN_RUN);
	} else if (holds_instance(l, folder) || is_home_of_user(folder)) {
		each_name(l, folder, add_file, NULL);
	} else {
		add(l, folder, HARDEN_RUN);
	}
}

static void
add_program(struct list *l, const char *program)
{
	const char *place = real(l, program), *named;

	if (place == NULL)
		return;
	add(l, place, HARDEN_RUN);
	add_beside(l, fileio_folder(l->c->arena, place));
	/* If the program is a link, its settings may be beside the link or beside the
	 * program. */
	named = real(l, fileio_folder(l->c->arena, program));
	if (named != NULL)
		add_beside(l, named);
}

/* Adds the settings and the key of provider-openai. */
static void
add_openai(struct list *l)
{
	const char *key = l->c->conf->openai_key_file;

	add(l, l->c->instance->conf, HARDEN_READ);
	if (key[0] == '/')
		add(l, key, HARDEN_READ);
	else if (key[0] != '\0')
		add(l, fileio_path(l->c->arena, l->c->instance->home, key), HARDEN_READ);
}

/* Adds the paths of `provider_reads` in galley.conf, which are separated by spaces. */
static void
add_wished(struct list *l, const char *wishes)
{
	while (*wishes != '\0') {
		size_t len = strcspn(wishes, " \t");
		if (wishes[0] == '/')
			add_place(l, arena_text_n(l->c->arena, wishes, len), HARDEN_RUN);
		wishes += len;
		wishes += strspn(wishes, " \t");
	}
}

void
try_places(struct ctx *c, const char *program, const char *scratch, struct try_places *out)
{
	struct list l = { .c = c, .out = out };
	const char *openai = fileio_path(c->arena, c->instance->programs, "bin/provider-openai");

	memset(out, 0, sizeof(*out));
	find_instances(&l);
	add(&l, scratch, HARDEN_OWN);
	add_places(&l, programs, sizeof(programs) / sizeof(programs[0]), HARDEN_RUN);
	add_places(&l, knowledge, sizeof(knowledge) / sizeof(knowledge[0]), HARDEN_READ);
	each_name(&l, "/etc", add_of_etc, NULL);
	add_places(&l, devices, sizeof(devices) / sizeof(devices[0]), HARDEN_DEVICE);
	add_program(&l, program);
	if (strcmp(program, openai) == 0)
		add_openai(&l);
	add_wished(&l, c->conf->provider_reads);
}
