/* suite: fast */
#include "system/conf.h"

#include <errno.h>
#include <fcntl.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const char *path; /* of the file that a test reads */

static void
write_file(const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fwrite(text, 1, len, file) != len || fclose(file) != 0)
		bail("%s cannot be written", path);
}

/* Reads a file with this text; the refusal's sentence after the path, or
 * NULL. */
static const char *
refusal(const char *text, struct conf *conf)
{
	struct err *err;

	write_file(text, strlen(text));
	err = conf_read(&ctx, path, conf);
	if (err == NULL)
		return NULL;
	if (err->code != ERR_INTERNAL || strncmp(err->message, path, strlen(path)) != 0)
		return "a refusal of another kind";
	return err->message + strlen(path);
}

static void
an_empty_file_has_the_defaults(void)
{
	struct conf conf;

	is_text(refusal("", &conf), NULL, "an empty file is read");
	is_text(conf.public_url, "", "the address is not set");
	ok(conf.require_https, "https is required");
	is_int(conf.requests_per_minute, 120, "120 requests a minute");
	ok(!conf.requests_counted, "which are refused beyond");
	is_int(conf.jobs_per_hour, 20, "20 jobs an hour");
	is_int(conf.kept_answers, 4096, "4096 kept answers");
	is_int(conf.log_max_mib, 16, "logs of 16 MiB");
	is_int(conf.log_keep, 4, "and four of each");
	is_text(conf.provider, "outline", "the built-in provider");
	ok(!conf.allow_private_provider, "no private provider");
	ok(conf.sum == 0, "no sum");
}

static void
keys_are_read(void)
{
	static const char text[] = "# a comment = x\n"
				   "\n"
				   "  # another\r\n"
				   "public_url=https://cms.example.net/galley//\n"
				   "\trequire_https\t=\toff\r\n"
				   "trusted_proxies = 192.0.2.1 2001:db8::1  \n"
				   "requests_per_minute = count\n"
				   "jobs_per_hour = 0\n"
				   "openai_model = a = b # c\n"
				   "price_article = 7";
	struct conf conf, commented;

	is_text(refusal(text, &conf), NULL, "a file is read");
	is_text(conf.public_url, "https://cms.example.net/galley", "an address loses its slashes");
	ok(!conf.require_https, "spaces around a line's parts do not matter");
	is_text(conf.trusted_proxies, "192.0.2.1 2001:db8::1", "those inside a value do");
	ok(conf.requests_counted, "requests may be counted alone");
	is_int(conf.requests_per_minute, 120, "as if they were limited");
	is_int(conf.jobs_per_hour, 0, "0 is a number");
	is_text(conf.openai_model, "a = b # c", "a value is everything behind the first =");
	is_int(conf.price_article, 7, "the last line needs no end");
	is_text(refusal(arena_printf(&arena, "#\n%s", text), &commented), NULL,
	    "and one with a line more");
	ok(conf.sum != 0 && conf.sum != commented.sum,
	    "the sum tells them apart, whatever they mean");
}

static const struct {
	const char *text, *sentence;
} wrongs[] = {
	{ "\n\npublic_url\n", ", line 3: there is no = in it." },
	{ "colour = red\n", ", line 1: colour is not a known key." },
	{ "= red\n", ", line 1:  is not a known key." },
	{ "Provider = openai\n", ", line 1: Provider is not a known key; did you mean provider?" },
	{ "provider = a\n#\nprovider = a\n", ", line 3: provider stands here twice." },
	{ "require_https = yes\n", ", line 1: require_https must be on or off." },
	{ "require_https =\n", ", line 1: require_https must be on or off." },
	{ "requests_per_minute = 121\n",
	    ", line 1: requests_per_minute must be a number from 0 to 120, or count." },
	{ "requests_per_minute = -1\n",
	    ", line 1: requests_per_minute must be a number from 0 to 120, or count." },
	{ "jobs_per_hour = count\n",
	    ", line 1: jobs_per_hour must be a number from 0 to 1000000." },
	{ "jobs_per_hour = 1e3\n", ", line 1: jobs_per_hour must be a number from 0 to 1000000." },
	{ "jobs_per_hour = +1\n", ", line 1: jobs_per_hour must be a number from 0 to 1000000." },
	{ "jobs_per_hour = 99999999999999999999\n",
	    ", line 1: jobs_per_hour must be a number from 0 to 1000000." },
	{ "runner_seconds = 0\n", ", line 1: runner_seconds must be a number from 1 to 3600." },
	{ "public_url = cms.example.net\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "public_url = https://\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "public_url = https:///a\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "public_url = https://a.example/?b\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "public_url = https://a.example/b c\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "public_url = javascript:alert(1)\n",
	    ", line 1: public_url must be an http or https address without a query." },
	{ "provider = a\rb\n", ", line 1: provider must be one line." },
	{ "provider = \xFF\n", " is not UTF-8 text." },
};

static void
wrong_files_are_refused(void)
{
	struct conf conf;
	struct err *err;
	char *large;

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++)
		is_text(
		    refusal(wrongs[i].text, &conf), wrongs[i].sentence, "case %zu is refused", i);
	write_file("provider = a\0b\n", 15);
	err = conf_read(&ctx, path, &conf);
	ok(err != NULL && strstr(err->message, "not UTF-8") != NULL, "a NUL is refused");
	large = arena_alloc(&arena, 70001);
	memset(large, '#', 70000);
	write_file(large, 70000);
	err = conf_read(&ctx, path, &conf);
	ok(err != NULL && strstr(err->message, strerror(EFBIG)) != NULL,
	    "a file of more than 64 KiB is refused");
	remove(path);
	err = conf_read(&ctx, path, &conf);
	ok(err != NULL && strstr(err->message, strerror(ENOENT)) != NULL,
	    "a missing file is refused, with the system's reason");
}

static void
keys_are_set_one_by_one(void)
{
	struct conf conf;

	conf_defaults(&conf);
	ok(conf_set(&ctx, &conf, "public_url", "http://127.0.0.1:8080/") == NULL, "a key is set");
	is_text(conf.public_url, "http://127.0.0.1:8080", "as from a file");
	ok(conf_set(&ctx, &conf, "public_url", "") == NULL && conf.public_url[0] == '\0',
	    "an empty value clears it");
	ok(conf_set(&ctx, &conf, "requests_per_minute", "count") == NULL &&
		conf_set(&ctx, &conf, "requests_per_minute", "60") == NULL,
	    "a key may be set again");
	ok(!conf.requests_counted && conf.requests_per_minute == 60,
	    "nothing of its old value stays");
	ok(conf_set(&ctx, &conf, "text", "a") != NULL, "what is no key is refused");
	ok(conf_set(&ctx, &conf, "provider", "a\nprice_article = 1") != NULL,
	    "a value of two lines is refused");
}

static const char *
written(const struct conf *conf)
{
	struct buf out;

	buf_init(&out, &arena, 64 * 1024);
	conf_write(&out, conf);
	return buf_done(&out);
}

/* Returns whether every line is empty, a comment, or key = value. */
static bool
is_tidy(const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		if (len > 0 && text[0] != '#' && memmem(text, len, " = ", 3) == NULL)
			return false;
		if (len > 80)
			return false;
		text += len + (text[len] == '\n');
	}
	return true;
}

static void
what_is_written_is_read(void)
{
	struct conf conf, back;
	const char *text;

	conf_defaults(&conf);
	conf.public_url = "https://cms.example.net";
	conf.requests_counted = true;
	conf.require_https = false;
	conf.credits_per_image = 0;
	conf.openai_model = "large-1";
	text = written(&conf);
	ok(is_tidy(text), "a written file has comments and keys");
	is_text(refusal(text, &back), NULL, "and is read");
	is_text(written(&back), text, "with the same values");
	conf_defaults(&conf);
	is_text(refusal(written(&conf), &back), NULL, "the defaults too");
	is_text(written(&back), written(&conf), "with the same values");
}

static const char *
remembered(struct conf_memory *memory)
{
	struct conf conf;

	arena_reset(&arena);
	if (conf_read_changed(&ctx, path, memory, &conf) != NULL)
		return "a refusal";
	return arena_text(&arena, conf.openai_model);
}

static void
changes_are_seen_at_once(void)
{
	struct timespec past[2] = { { 1000, 0 }, { 1000, 0 } };
	struct conf_memory memory = { .usable = false };
	struct conf conf;

	refusal("openai_model = a", &conf);
	is_text(remembered(&memory), "a", "a process that lasts reads the file");
	refusal("openai_model = b", &conf);
	is_text(remembered(&memory), "b", "of the same size, at once: again");
	ok(!memory.usable, "a file of this second is not believed");
	utimensat(AT_FDCWD, path, past, 0);
	is_text(remembered(&memory), "b", "nor one that says it is old");
	ok(!memory.usable, "since anybody can say so");
	memory.st.st_ctim.tv_sec -= 10;
	memory.usable = true;
	is_text(remembered(&memory), "b", "another time: again");
	stat(path, &memory.st);
	memory.usable = true;
	memory.conf.openai_model = "kept";
	is_text(remembered(&memory), "kept", "the same time and size: not again");
	refusal("openai_model = ccc", &conf);
	is_text(remembered(&memory), "ccc", "another size: again");
	refusal("openai_model", &conf);
	is_text(remembered(&memory), "a refusal", "a wrong file is refused");
	is_text(remembered(&memory), "a refusal", "each time");
	arena_release(&memory.arena);
}

int
main(void)
{
	char template[] = "/tmp/galley-conf-XXXXXX";
	int fd = mkstemp(template);

	if (fd < 0)
		bail("mkstemp: %s", strerror(errno));
	close(fd);
	path = template;
	arena_init(&arena, 16 * 1024 * 1024);
	an_empty_file_has_the_defaults();
	keys_are_read();
	wrong_files_are_refused();
	keys_are_set_one_by_one();
	what_is_written_is_read();
	changes_are_seen_at_once();
	unlink(path);
	return done_testing();
}
