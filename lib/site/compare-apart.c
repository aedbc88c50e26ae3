#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "site/compare.h"
#include "system/harden.h"

#define CPU_S 5 /* seconds; a page of 4 MiB takes one or two */
#define FOUND_MAX ((size_t)1024 * 1024)

/* Runs in the child: reads the page, compares, and writes each finding as four
 * texts, each with a NUL at its end. */
static _Noreturn void
compare_and_tell(struct ctx *c, const struct page *expected, const char *html, size_t len,
    const struct page_header *header, int out)
{
	const struct rlimit cpu = { CPU_S, CPU_S }, core = { 0, 0 };
	struct page_report report = { .c = c };
	struct page found;
	bool told = true;

	if (setrlimit(RLIMIT_CPU, &cpu) != 0 || setrlimit(RLIMIT_CORE, &core) != 0)
		_exit(1);
	/* A stranger made the page. */
	(void)harden_confine(NULL, 0);
	page_read(c, html, len, &found);
	compare_page(&report, expected, &found, header);
	for (size_t i = 0; i < report.count && told; i++) {
		const struct page_finding *f = &report.findings[i];
		const char *texts[] = { f->check, f->expected, f->found, f->fix };
		for (size_t t = 0; t < 4 && told; t++)
			told = fileio_write_all(out, texts[t], strlen(texts[t]) + 1);
	}
	_exit(told ? 0 : 1);
}

/* Returns the next text that the child wrote; "" at the end. */
static const char *
next_text(const char **p, const char *end)
{
	const char *text = *p;

	*p += strlen(text);
	if (*p < end)
		(*p)++;
	return text;
}

static void
read_all(int fd, struct buf *out)
{
	char block[4096];
	ssize_t got;

	while ((got = read(fd, block, sizeof(block))) != 0) {
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0)
			buf_add(out, block, (size_t)got);
	}
}

void
compare_apart(struct page_report *r, const struct page *expected, const char *html, size_t len,
    const struct page_header *header)
{
	const char *p, *end;
	int ends[2], status;
	struct buf out;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		die("pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child == 0)
		compare_and_tell(r->c, expected, html, len, header, ends[1]);
	close(ends[1]);
	buf_init(&out, r->c->arena, FOUND_MAX);
	read_all(ends[0], &out);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	end = out.data + out.len;
	for (p = out.data; p < end && status == 0;) {
		const char *check = next_text(&p, end);
		const char *should = next_text(&p, end);
		const char *is = next_text(&p, end);
		compare_tell(r, check, should, is, next_text(&p, end));
	}
	if (status != 0)
		compare_tell(r, "answer", "a page that can be read",
		    "one that takes too long, or too much memory",
		    "are its elements nested without end?");
}
