#include "action/sign/start-code.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "system/instance.h"

#define PREFIX "ab_code_"
#define LETTERS 20
#define LENGTH (sizeof(PREFIX) - 1 + LETTERS)

static const char *
folder_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console");
}

const char *
start_code_path(struct ctx *c)
{
	return fileio_path(c->arena, folder_of(c), "code.txt");
}

/* Reads the good code; NULL: there is none. A file that others may read is none. */
static const char *
good_code(struct ctx *c)
{
	const char *path = start_code_path(c);
	int64_t now = clock_now(), made;
	struct stat st;
	char *text = fileio_read_own(c->arena, path, 200, &st);

	if (text == NULL || (st.st_mode & 077) != 0)
		return NULL;
	made = (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND;
	if (now - made >= CLOCK_DAY || made - now > CLOCK_DAY)
		return NULL;
	text[strcspn(text, "\r\n")] = '\0';
	return strlen(text) == LENGTH ? text : NULL;
}

bool
start_code_make(struct ctx *c)
{
	static const char letters[33] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char chance[LETTERS];
	char text[LENGTH + 2] = PREFIX;

	if (good_code(c) != NULL)
		return true;
	if (!fileio_make_folder(folder_of(c), 0700))
		return false;
	uuid_random_bytes(chance, sizeof(chance));
	for (size_t i = 0; i < LETTERS; i++)
		text[sizeof(PREFIX) - 1 + i] = letters[chance[i] % 32];
	text[LENGTH] = '\n';
	return fileio_replace(c->arena, start_code_path(c), text, LENGTH + 1, 0600);
}

bool
start_code_exists(struct ctx *c)
{
	return good_code(c) != NULL;
}

bool
start_code_is(struct ctx *c, const char *typed)
{
	const char *code = good_code(c);
	size_t len;

	typed += strspn(typed, " \t\r\n");
	len = strcspn(typed, " \t\r\n");
	return code != NULL && len == LENGTH && digest_compare(code, typed, LENGTH) == 0;
}

void
start_code_remove(struct ctx *c)
{
	if (unlink(start_code_path(c)) != 0 && errno != ENOENT)
		log_line("%s: %s: remove it: it was used", start_code_path(c), strerror(errno));
}
