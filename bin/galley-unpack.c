/* Unpacks a zip archive of a stranger (docs/console.md §4.11); the task runner starts it. Before
 * the first byte is read it gives up all files but the folder that it fills, and the calls that it
 * does not need. It is a program of its own because libarchive is large. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "system/disk.h"
#include "system/harden.h"
#include "system/program.h"

#define ENTRIES_MAX INT64_C(100000)
#define BYTES_MAX ((int64_t)8 << 30) /* of all files */
#define TIMES_MAX 100 /* as many bytes as the archive has */
#define SPARED ((int64_t)1024 * 1024) /* a small archive may have so much in any case */
#define MEMORY_MAX ((rlim_t)1 << 30)
#define NAME_BYTES_MAX 800
#define DEPTH_MAX 20
#define FOLDER_BYTES INT64_C(4096)
#define LOOK_AT_DISK ((int64_t)16 * 1024 * 1024)

static const char usage[] =
    "usage: galley-unpack FOLDER FROM BYTES SECONDS <ARCHIVE\n"
    "\n"
    "Unpacks the documents and pictures of a zip archive into FOLDER; the task\n"
    "runner starts it. FROM entries are passed over, which were unpacked before\n"
    "into BYTES bytes. It writes \"done ENTRIES BYTES\", \"more ENTRIES BYTES\" when\n"
    "the seconds are over, or \"no REASON\".\n";

struct unpacking {
	struct archive *archive;
	const char *folder;
	int64_t from, entries; /* entries: so many were looked at */
	int64_t bytes, bytes_max; /* that were written, and may be */
	int64_t until; /* boot clock */
};

static _Noreturn void
end(const char *said)
{
	_exit(fileio_write_all(STDOUT_FILENO, said, strlen(said)) ? 0 : 1);
}

static _Noreturn void
end_at(const char *word, const struct unpacking *u)
{
	char said[100];

	snprintf(said, sizeof(said), "%s %" PRId64 " %" PRId64 "\n", word, u->entries, u->bytes);
	end(said);
}

/* ---- names */

/* Returns whether an import may need such a file: archives in archives and programs never
 * come out. */
static bool
is_wanted(const char *name)
{
	static const char *const wanted[] = { "xml", "json", "md", "markdown", "jpg", "jpeg", "png",
		"gif", "webp" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (strcasecmp(dot + 1, wanted[i]) == 0)
			return true;
	}
	return false;
}

/* Returns whether each part of the name is one that a file here may have. Hidden ones, "." and
 * ".." among them, are none. */
static bool
is_good(const char *name)
{
	size_t depth = 0, len = strlen(name);

	if (len == 0 || len > NAME_BYTES_MAX || !utf8_valid(name, len))
		return false;
	for (const char *part = name; part != NULL && *part != '\0'; depth++) {
		size_t n = strcspn(part, "/");
		if (n == 0 || n > 200 || part[0] == '.')
			return false;
		part += n;
		if (*part == '/' && part[1] == '\0')
			return false;
		part += *part == '/';
	}
	for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p++) {
		if (*p < ' ' || *p == 0x7F || *p == '\\')
			return false;
	}
	return depth <= DEPTH_MAX && strncmp(name, "__MACOSX/", 9) != 0;
}

/* ---- files */

/* Makes the folders above the file, which count as a block of a disk each. Nothing here is a
 * link: none is ever made. */
static bool
make_folders(struct unpacking *u, int at, const char *name)
{
	char path[NAME_BYTES_MAX + 1];

	for (const char *p = strchr(name, '/'); p != NULL; p = strchr(p + 1, '/')) {
		memcpy(path, name, (size_t)(p - name));
		path[p - name] = '\0';
		if (mkdirat(at, path, 0700) == 0)
			u->bytes += FOLDER_BYTES;
		else if (errno != EEXIST)
			return false;
	}
	return true;
}

static int
open_file(struct unpacking *u, const char *name)
{
	int at = open(u->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;

	if (at < 0)
		return -1;
	if (make_folders(u, at, name))
		fd = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	close(at);
	return fd;
}

/* Writes the file of the present entry. What it claims to be long does not count. */
static void
unpack(struct unpacking *u, const char *name)
{
	static char piece[65536];
	int64_t looked = -LOOK_AT_DISK;
	int fd = open_file(u, name);
	la_ssize_t got;

	if (fd < 0 && (errno == ENOTDIR || errno == EISDIR || errno == ENAMETOOLONG))
		return;
	if (fd < 0)
		end("no disk\n");
	if (u->bytes > u->bytes_max)
		end("no bytes\n");
	while ((got = archive_read_data(u->archive, piece, sizeof(piece))) > 0) {
		u->bytes += got;
		if (u->bytes > u->bytes_max)
			end("no bytes\n");
		if (u->bytes - looked >= LOOK_AT_DISK) {
			looked = u->bytes;
			if (!disk_has_room(u->folder, LOOK_AT_DISK))
				end("no disk\n");
		}
		if (!fileio_write_all(fd, piece, (size_t)got))
			end("no disk\n");
	}
	if (got < 0)
		end("no whole\n");
	close(fd);
}

static void
take(struct unpacking *u, struct archive_entry *e)
{
	const char *name = archive_entry_pathname(e);

	if (archive_entry_is_encrypted(e))
		end("no encrypted\n");
	if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e) != NULL ||
	    archive_entry_symlink(e) != NULL)
		return;
	if (name != NULL && is_good(name) && is_wanted(name))
		unpack(u, name);
}

static _Noreturn void
unpack_all(struct unpacking *u)
{
	struct archive_entry *e;
	int found;

	while ((found = archive_read_next_header(u->archive, &e)) == ARCHIVE_OK ||
	       found == ARCHIVE_WARN) {
		if (++u->entries > ENTRIES_MAX)
			end("no entries\n");
		if (u->entries <= u->from)
			continue;
		take(u, e);
		if (clock_boot() >= u->until)
			end_at("more", u);
	}
	if (found != ARCHIVE_EOF)
		end("no whole\n");
	end_at("done", u);
}

/* ---- the process */

static void
confine(const char *folder)
{
	const struct rlimit memory = { MEMORY_MAX, MEMORY_MAX };
	const struct harden_path paths[] = { { .path = folder, .writes = true } };

	setrlimit(RLIMIT_AS, &memory);
	(void)harden_confine(paths, 1, false);
}

static int64_t
number(const char *text)
{
	char *rest;
	int64_t n = strtoll(text, &rest, 10);

	if (n < 0 || *text == '\0' || *rest != '\0')
		usage_refuse(usage);
	return n;
}

int
main(int argc, char **argv)
{
	struct unpacking u = { .bytes_max = BYTES_MAX };
	struct stat st;

	harden_process(HARDEN_TOOL);
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		usage_print(usage);
	if (argc != 5)
		usage_refuse(usage);
	u.folder = argv[1];
	u.from = number(argv[2]);
	u.bytes = number(argv[3]);
	u.until = clock_boot() + number(argv[4]) * CLOCK_SECOND;
	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		usage_refuse(usage);
	if (st.st_size < (BYTES_MAX - SPARED) / TIMES_MAX)
		u.bytes_max = st.st_size * TIMES_MAX + SPARED;
	/* libarchive gives names in the locale's letters. */
	(void)setlocale(LC_CTYPE, "C.UTF-8");
	u.archive = archive_read_new();
	confine(u.folder);
	if (u.archive == NULL ||
	    archive_read_support_format_zip_seekable(u.archive) != ARCHIVE_OK ||
	    archive_read_open_fd(u.archive, STDIN_FILENO, 65536) != ARCHIVE_OK)
		end("no whole\n");
	unpack_all(&u);
}
