/* Checks what becomes of readers' hits, and who writes down who sent them, for doctor.h. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>

#include "access/day-key.h"
#include "access/sites.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "stats/hit.h"
#include "system/conf/pages-address.h"
#include "system/instance.h"

#define WAITING (30 * 60 * CLOCK_SECOND)
#define LATELY_S 60
#define LOG_LAST ((off_t)64 * 1024) /* bytes of a log that are read */

/* ---- hits that wait */

static const char *
unwritable(struct ctx *c)
{
	const char *const folders[] = { segment_folder(c), day_key_folder(c), sites_folder(c) };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (access(folders[i], F_OK) == 0 && access(folders[i], R_OK | W_OK | X_OK) != 0)
			return folders[i];
	}
	return NULL;
}

/* Returns when the first hit of run/hits/open was taken; 0: there is none. */
static int64_t
first_of_open(struct ctx *c)
{
	char bytes[2 * SEGMENT_LINE_MAX + 1];
	int fd =
	    fileio_open(fileio_path(c->arena, segment_folder(c), "open"), O_RDONLY | O_NOFOLLOW);
	ssize_t got = fd >= 0 ? read(fd, bytes, sizeof(bytes) - 1) : 0;
	struct hit hit;
	char *line;
	size_t len;

	if (fd >= 0)
		close(fd);
	bytes[got > 0 ? got : 0] = '\0';
	line = bytes + strspn(bytes, "\n");
	len = strcspn(line, "\n");
	return hit_read(c->arena, line, len, &hit) ? hit.at : 0;
}

/* Returns the time since which hits wait to be counted; 0: none do. */
static int64_t
waiting_since(struct ctx *c)
{
	int64_t oldest = first_of_open(c);
	size_t count;
	const char **names = segment_list(c, &count);
	struct stat st;

	for (size_t i = 0; i < count; i++) {
		int64_t at;
		if (stat(fileio_path(c->arena, segment_folder(c), names[i]), &st) != 0)
			continue;
		at = st.st_mtim.tv_sec * CLOCK_SECOND;
		oldest = oldest == 0 || at < oldest ? at : oldest;
	}
	return oldest;
}

/* ---- logs of others */

/* Returns whether the end of a file has the text. */
static bool
ends_with(struct ctx *c, const char *path, const char *text)
{
	struct stat st;
	char *bytes;
	ssize_t got = 0;
	int fd;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_mtim.tv_sec < clock_now() / CLOCK_SECOND - LATELY_S)
		return false;
	fd = fileio_open(path, O_RDONLY | O_NOCTTY);
	if (fd < 0)
		return false;
	bytes = arena_alloc(c->arena, (size_t)LOG_LAST);
	got = pread(fd, bytes, (size_t)LOG_LAST, st.st_size > LOG_LAST ? st.st_size - LOG_LAST : 0);
	close(fd);
	return got > 0 && memmem(bytes, (size_t)got, text, strlen(text)) != NULL;
}

static const char *
find_in_folder(struct ctx *c, const char *folder, const char *text)
{
	DIR *dir = opendir(folder);
	const char *path, *found = NULL;
	struct dirent *e;

	while (dir != NULL && found == NULL && (e = readdir(dir)) != NULL) {
		path = fileio_path(c->arena, folder, e->d_name);
		found = e->d_name[0] != '.' && ends_with(c, path, text) ? path : NULL;
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* Looks where web servers and hosts keep logs that this user may read. Returns the path of one
 * that has the text, or NULL. */
static const char *
find_log(struct ctx *c, const char *text)
{
	static const char *const of_home[] = { "logs", "log", "access-logs" };
	const char *home = getenv("HOME"), *found = NULL;
	const char *folders[] = { fileio_path(c->arena, c->instance->run, "apache"),
		"/var/log/apache2", "/var/log/httpd", "/var/log/nginx", NULL, NULL, NULL };

	for (size_t i = 0; i < 3 && home != NULL && home[0] == '/'; i++)
		folders[4 + i] = fileio_path(c->arena, home, of_home[i]);
	for (size_t i = 0; i < 7 && found == NULL; i++)
		found = folders[i] != NULL ? find_in_folder(c, folders[i], text) : NULL;
	return found;
}

/* Asks the collector for something that a log would name, and looks for that. */
static const char *
find_writer(struct ctx *c)
{
	const char *pages = c->conf != NULL ? pages_address(c) : NULL, *found;
	const struct timespec pause = { 0, 100 * 1000 * 1000 };
	struct doctor_answer a;
	char id[UUID_TEXT];

	if (pages == NULL)
		return NULL;
	uuid_random(id);
	doctor_ask(c,
	    arena_printf(c->arena, "%.*s/collect?doctor=%s",
		(int)(strlen(pages) - strlen("/pages")), pages, id),
	    (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return NULL;
	found = find_log(c, id);
	if (found != NULL)
		return found;
	/* A server may write its line behind the answer. */
	nanosleep(&pause, NULL);
	return find_log(c, id);
}

struct doctor_finding
doctor_hits(struct ctx *c)
{
	const char *path = unwritable(c);
	int64_t since;

	if (path != NULL)
		return doctor_bad(
		    arena_printf(c->arena, "%s cannot be written: readers' hits are refused", path),
		    arena_printf(c->arena, "give %s to the user whom the programs run as", path));
	since = waiting_since(c);
	if (since != 0 && clock_now() - since > WAITING)
		return doctor_bad(arena_printf(c->arena,
				      "hits of %" PRId64 " minutes ago are not"
				      " counted",
				      (clock_now() - since) / CLOCK_SECOND / 60),
		    arena_printf(c->arena,
			"let cron run the task runner every minute: * * * * * %s/bin/task-runner; or see log/",
			c->instance->programs));
	path = find_writer(c);
	if (path != NULL)
		return doctor_warn(arena_printf(c->arena,
				       "%s names who sent each hit, and from which address", path),
		    "leave /collect out of that log, as the lines in apache-conf/ do; or say in the privacy notice that the host keeps addresses, and how long");
	return doctor_good("hits are counted, and no log that can be read names who sent them");
}
