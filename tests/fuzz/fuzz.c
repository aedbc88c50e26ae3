#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system/instance.h"
#include "base/log.h"
#include "base/utf8.h"

#define MEMORY_MAX ((size_t)512 * 1024 * 1024)

static struct arena arena;
static struct instance instance;
static char pepper[] = "/tmp/galley-fuzz-XXXXXX";

/* No input may lead to a failure of the machine, or to a bug. */
static void
dies(bool passing, int retry_after_s)
{
	(void)passing;
	(void)retry_after_s;
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct ctx c = { .arena = &arena, .request_id = "" };
	char *text = malloc(len + 1);

	if (text == NULL)
		return 0;
	if (arena.max == 0) {
		arena_init(&arena, MEMORY_MAX);
		log_on_death(dies);
	}
	memcpy(text, bytes, len);
	text[len] = '\0';
	fuzz(&c, text, len);
	arena_release(&arena);
	free(text);
	return 0;
}

const char *
fuzz_file(struct ctx *c, const char *text, size_t len)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", 0);
	MUST(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, text, len, 0) == (ssize_t)len);
	return arena_printf(c->arena, "/proc/self/fd/%d", fd);
}

static void
remove_pepper(void)
{
	unlink(pepper);
}

void
fuzz_instance(struct ctx *c)
{
	static const char secret[32] = "not a secret at all";

	if (instance.pepper == NULL) {
		int fd = mkstemp(pepper);
		MUST(fd >= 0 && write(fd, secret, 32) == 32);
		close(fd);
		atexit(remove_pepper);
		instance.pepper = pepper;
	}
	c->instance = &instance;
}

bool
fuzz_is_text(const char *text, size_t len)
{
	return strlen(text) == len && utf8_valid(text, len);
}

#ifdef REPLAY

/* Runs every file of a folder; each is a test. */
int
main(int argc, char **argv)
{
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
	static char bytes[1024 * 1024];
	struct dirent *entry;
	int count = 0;

	if (folder == NULL) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	while ((entry = readdir(folder)) != NULL) {
		int fd = openat(dirfd(folder), entry->d_name, O_RDONLY);
		ssize_t len = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : -1;
		close(fd);
		if (entry->d_name[0] == '.' || len < 0)
			continue;
		LLVMFuzzerTestOneInput((const uint8_t *)bytes, (size_t)len);
		printf("ok %d - %s\n", ++count, entry->d_name);
		fflush(stdout);
	}
	printf("1..%d\n", count);
	return count == 0;
}

#endif
