/* When a certificate ends, for probe.h: curl -v tells. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "doctor/probe.h"

#define SAID_MAX ((size_t)256 * 1024)

static const char mark[] = "expire date: ";

/* "Feb 10 12:00:00 2027 GMT" */
static int64_t
read_date(const char *text)
{
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	if (strptime(text, "%b %d %H:%M:%S %Y", &tm) == NULL)
		return 0;
	return (int64_t)timegm(&tm) * CLOCK_SECOND;
}

/* Asks expired ones, too: when matters. */
static _Noreturn void
become_curl(const char *url, int out)
{
	dup2(out, STDERR_FILENO);
	execlp("curl", "curl", "-q", "-svk", "-o", "/dev/null", "--max-time",
	    "10", url, (char *)NULL);
	_exit(127);
}

int64_t
probe_certificate(struct ctx *c, const char *url)
{
	const char *said, *date;
	int ends[2];
	pid_t child;

	if (strncmp(url, "https://", 8) != 0 || pipe2(ends, O_CLOEXEC) != 0)
		return 0;
	child = fork();
	if (child == 0)
		become_curl(url, ends[1]);
	close(ends[1]);
	said = fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	date = said != NULL ? strstr(said, mark) : NULL;
	return date != NULL ? read_date(date + strlen(mark)) : 0;
}
