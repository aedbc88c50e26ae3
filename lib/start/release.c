#include "start/release.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/instance.h"

#define SEGMENTS_MAX 64
#define NOTES_MAX 4096
#define ALIGNED(n) (((size_t)(n) + 3) & ~(size_t)3)

static bool
read_at(int fd, void *out, size_t len, uint64_t at)
{
	return at < INT32_MAX && pread(fd, out, len, (off_t)at) == (ssize_t)len;
}

/* Searches one segment of notes. Each note has a head, a name and bytes. */
static bool
look_in(const char *notes, size_t size, char out[RELEASE_ID])
{
	while (size >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		size_t name, len;

		memcpy(&note, notes, sizeof(note));
		notes += sizeof(note);
		size -= sizeof(note);
		name = ALIGNED(note.n_namesz);
		len = ALIGNED(note.n_descsz);
		if (name > size || len > size - name)
			return false;
		if (note.n_namesz == 7 && memcmp(notes, "Galley", 7) == 0 &&
		    note.n_descsz == RELEASE_ID - 1) {
			memcpy(out, notes + name, RELEASE_ID - 1);
			out[RELEASE_ID - 1] = '\0';
			return strspn(out, "0123456789abcdef") == RELEASE_ID - 1;
		}
		notes += name + len;
		size -= name + len;
	}
	return false;
}

static bool
look_at(int fd, char out[RELEASE_ID])
{
	ElfW(Ehdr) head;
	char notes[NOTES_MAX];

	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_phentsize != sizeof(ElfW(Phdr)) || head.e_phnum > SEGMENTS_MAX)
		return false;
	for (size_t i = 0; i < head.e_phnum; i++) {
		ElfW(Phdr) s;

		if (!read_at(fd, &s, sizeof(s), head.e_phoff + i * sizeof(s)))
			return false;
		if (s.p_type == PT_NOTE && s.p_filesz <= sizeof(notes) &&
		    read_at(fd, notes, s.p_filesz, s.p_offset) && look_in(notes, s.p_filesz, out))
			return true;
	}
	return false;
}

bool
release_of(const char *path, char out[RELEASE_ID])
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool found = fd >= 0 && look_at(fd, out);

	if (fd >= 0)
		close(fd);
	return found;
}

/* The head of this program in memory; the linker defines the symbol. A process that nobody may
 * look into cannot open its own file in /proc. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

void
release_own(char out[RELEASE_ID])
{
	const char *file = (const char *)&__ehdr_start;
	const char *base = __ehdr_start.e_type == ET_DYN ? file : NULL;

	for (size_t i = 0; i < __ehdr_start.e_phnum; i++) {
		ElfW(Phdr) s;

		memcpy(&s, file + __ehdr_start.e_phoff + i * sizeof(s), sizeof(s));
		if (s.p_type == PT_NOTE && look_in(base + s.p_vaddr, s.p_memsz, out))
			return;
	}
	memcpy(out, "unknown", sizeof("unknown"));
}

bool
release_is_installed(struct ctx *c)
{
	char own[RELEASE_ID], there[RELEASE_ID];

	release_own(own);
	return release_of(
		   arena_printf(c->arena, "%s/bin/task-runner", c->instance->programs), there) &&
	       strcmp(own, there) == 0;
}

static bool
is_young(const struct stat *st)
{
	int64_t now = clock_now() / CLOCK_SECOND;

	/* FTP may keep the times of a file; nobody can set when it changed. */
	return now - st->st_ctim.tv_sec < RELEASE_REST_S &&
	       st->st_ctim.tv_sec - now < RELEASE_REST_S;
}

static struct err *
check_program(struct ctx *c, const char *path, const char *own)
{
	char id[RELEASE_ID];
	struct stat st;
	struct err *err;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || (st.st_mode & 0111) == 0)
		return NULL;
	if (!release_of(path, id) || strcmp(id, own) != 0)
		return refuse(c, ERR_CONFLICT,
		    "%s is of another release than bin/task-runner: upload all programs of the release.",
		    path);
	if (!is_young(&st))
		return NULL;
	err = refuse(c, ERR_UNAVAILABLE,
	    "%s has changed within the last minute: the upload may not be over.", path);
	err->retry_after_s = RELEASE_REST_S;
	return err;
}

struct err *
release_check(struct ctx *c)
{
	static const char *const folders[] = { "bin", "cgi-bin" };
	struct err *err = NULL;
	char own[RELEASE_ID];

	release_own(own);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && err == NULL; i++) {
		const char *folder =
		    arena_printf(c->arena, "%s/%s", c->instance->programs, folders[i]);
		const struct dirent *entry;
		DIR *dir = opendir(folder);

		if (dir == NULL)
			return refuse(c, ERR_CONFLICT, "%s cannot be read.", folder);
		while (err == NULL && (entry = readdir(dir)) != NULL)
			err = check_program(
			    c, arena_printf(c->arena, "%s/%s", folder, entry->d_name), own);
		closedir(dir);
	}
	return err;
}
