#include "provider/openai/openai.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "system/instance.h"
#include "base/log.h"

#define SCRATCH_MAX ((size_t)160 * 1024 * 1024)

bool
openai_fail(struct openai *oa, enum protocol_code code, bool retry, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	oa->failure.sentence = arena_vprintf(oa->c->arena, format, args);
	va_end(args);
	oa->failure.code = code;
	oa->failure.retry = retry;
	return false;
}

int64_t
openai_left_ms(const struct openai *oa)
{
	int64_t left = (oa->ends_at - clock_boot()) / 1000;

	return left > 0 ? left : 0;
}

void
openai_wait(const struct openai *oa, int64_t ms)
{
	int64_t left = openai_left_ms(oa);

	poll(NULL, 0, (int)(ms < left ? ms : left));
}

struct ctx
openai_scratch(struct openai *oa)
{
	struct ctx c = *oa->c;

	c.arena = &oa->scratch;
	return c;
}

/* Tells the customer that the operator must act, and the log what the operator must do. */
static bool
fail_configuration(struct openai *oa, const char *why)
{
	log_line("%s", why);
	return openai_fail(oa, PROTOCOL_NOT_CONFIGURED, false,
	    "The model service is not configured; the operator has to do that first.");
}

/* Takes the key from the bytes of the key file, without white space at its ends. False
 * if a character is not fit for a header. */
static bool
take_key(struct openai *oa, char *bytes, ssize_t len)
{
	ssize_t from = 0;

	while (len > 0 && strchr(" \t\r\n", bytes[len - 1]) != NULL)
		len--;
	while (from < len && strchr(" \t\r\n", bytes[from]) != NULL)
		from++;
	for (ssize_t i = from; i < len; i++) {
		if (bytes[i] <= ' ' || bytes[i] > '~')
			return false;
	}
	if (len - from <= 0 || len - from > OPENAI_KEY_MAX)
		return false;
	memcpy(oa->key, bytes + from, (size_t)(len - from));
	return true;
}

static bool
read_key(struct openai *oa, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char bytes[OPENAI_KEY_MAX + 64];
	bool taken = false, open_to_others = false;
	struct stat st;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st) != 0)
		return fail_configuration(oa,
		    arena_printf(oa->c->arena, "openai_key_file: %s: %s", path, strerror(errno)));
	open_to_others = (st.st_mode & 077) != 0;
	if (S_ISREG(st.st_mode) && !open_to_others) {
		len = read(fd, bytes, sizeof(bytes));
		taken = take_key(oa, bytes, len);
		explicit_bzero(bytes, sizeof(bytes));
	}
	close(fd);
	if (open_to_others)
		return fail_configuration(oa,
		    arena_printf(oa->c->arena,
			"openai_key_file: %s is open to other users; say chmod 600 on it.", path));
	return taken ||
	       fail_configuration(
		   oa, arena_printf(oa->c->arena,
			   "openai_key_file: %s holds no key: one line of at most %d characters.",
			   path, OPENAI_KEY_MAX));
}

static bool
check_conf(struct openai *oa)
{
	const struct conf *conf = &oa->conf;

	if (conf->openai_url[0] == '\0' || conf->openai_model[0] == '\0' ||
	    conf->openai_key_file[0] == '\0')
		return fail_configuration(
		    oa, "openai_url, openai_model and openai_key_file must be set in galley.conf.");
	if (strchr(conf->openai_url, '@') != NULL)
		return fail_configuration(oa, "openai_url must not hold a user name.");
	if (strncmp(conf->openai_url, "https://", 8) != 0 && !conf->allow_private_provider)
		return fail_configuration(
		    oa, "openai_url must begin with https:// unless allow_private_provider is on.");
	return true;
}

/* Reads the settings and the key. A relative openai_key_file is relative to the
 * instance, because the working directory is a new one at each try. */
static bool
configure(struct openai *oa)
{
	struct instance instance;
	struct err *err = instance_find(oa->c, NULL, &instance);
	const char *path;

	if (err == NULL)
		err = conf_read(oa->c, instance.conf, &oa->conf);
	if (err != NULL)
		return fail_configuration(oa, err->message);
	if (!check_conf(oa))
		return false;
	path = oa->conf.openai_key_file;
	if (path[0] != '/')
		path = arena_printf(oa->c->arena, "%s/%s", instance.home, path);
	return read_key(oa, path);
}

/* Begins the budget of time. A tenth of the deadline, at most five seconds, is kept for
 * the last line. */
static void
begin_budget(struct openai *oa)
{
	int64_t whole_ms = oa->task->deadline_s * 1000;
	int64_t margin_ms = whole_ms / 10 < 5000 ? whole_ms / 10 : 5000;

	oa->ends_at = clock_boot() + (whole_ms - margin_ms) * 1000;
	oa->request_ms = whole_ms / 3;
	oa->pause_ms = whole_ms < 60000 ? whole_ms / 60 : 1000;
}

bool
openai_open(struct openai *oa, struct ctx *c, const struct task *task)
{
	memset(oa, 0, sizeof(*oa));
	oa->c = c;
	oa->task = task;
	arena_init(&oa->scratch, SCRATCH_MAX);
	begin_budget(oa);
	if (!configure(oa))
		return false;
	/* The key is in memory from here on: no core dump, no tracer. */
	prctl(PR_SET_DUMPABLE, 0);
	oa->http = http_open(c->arena);
	return true;
}

void
openai_close(struct openai *oa)
{
	explicit_bzero(oa->key, sizeof(oa->key));
	if (oa->http != NULL)
		http_close(oa->http);
	arena_release(&oa->scratch);
}
