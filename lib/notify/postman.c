#include "notify/postman.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "people/person.h"

#define POSTMAN_SECONDS 20

#define STOP (5 * CLOCK_SECOND) /* what a program has left when the runner must stop */
#define PAUSE_MS 50

/* Returns the sender that the words name. */
static const char *
sender_of(const struct postman *p)
{
	for (size_t i = 1; i < p->count; i++) {
		if (strcmp(p->words[i], "-f") == 0 && i + 1 < p->count)
			return p->words[i + 1];
		if (strncmp(p->words[i], "-f", 2) == 0 && strchr(p->words[i], '@') != NULL)
			return p->words[i] + 2;
	}
	return NULL;
}

struct err *
postman_read(struct ctx *c, const char *command, struct postman *out)
{
	char *text = arena_text(c->arena, command), *word, *rest = NULL;
	const char *email, *login;

	*out = (struct postman) { .count = 0 };
	for (word = strtok_r(text, " \t", &rest); word != NULL;
	     word = strtok_r(NULL, " \t", &rest)) {
		if (out->count == POSTMAN_WORDS)
			return refuse(
			    c, ERR_INVALID, "mail_command has more than %d words.", POSTMAN_WORDS);
		out->words[out->count++] = word;
	}
	if (out->count == 0 || out->words[0][0] != '/')
		return refuse(c, ERR_INVALID,
		    "mail_command must begin with an absolute path, such as /usr/sbin/sendmail.");
	out->from = sender_of(out);
	if (out->from != NULL && person_read_email(c, out->from, &email, &login) != NULL)
		return refuse(c, ERR_INVALID, "mail_command names no e-mail address after -f.");
	return NULL;
}

/* ---- the program */

struct running {
	pid_t pid;
	int in, out; /* -1: closed */
	const char *message;
	size_t left; /* bytes of it */
	char *why;
	size_t why_len;
};

static char **
environment(struct ctx *c)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *name = user != NULL ? user->pw_name : "galley";
	char **env = arena_array(c->arena, 5, sizeof(*env));

	env[0] = arena_text(c->arena, "PATH=/usr/sbin:/usr/bin:/sbin:/bin");
	env[1] = arena_printf(c->arena, "HOME=%s", user != NULL ? user->pw_dir : "/");
	env[2] = arena_printf(c->arena, "USER=%s", name);
	env[3] = arena_printf(c->arena, "LOGNAME=%s", name);
	return env;
}

static _Noreturn void
become(const struct postman *p, char **env, int in, int out)
{
	sigset_t none;

	/* Without the terminal: another program of the instance's user could type into it. */
	(void)setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	if (chdir("/") == 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
		execve(p->words[0], (char *const *)p->words, env);
	dprintf(2, "%s", strerror(errno));
	_exit(127);
}

/* Starts it. False with errno set. */
static bool
start(struct ctx *c, const struct postman *p, struct running *r)
{
	char **env = environment(c);
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) != 0)
		return false;
	if (pipe2(out, O_CLOEXEC) != 0) {
		close(in[0]);
		close(in[1]);
		return false;
	}
	r->pid = fork();
	if (r->pid == 0)
		become(p, env, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	r->in = in[1];
	r->out = out[0];
	(void)fcntl(r->in, F_SETFL, O_NONBLOCK);
	(void)fcntl(r->out, F_SETFL, O_NONBLOCK);
	return r->pid > 0;
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
write_some(struct running *r)
{
	ssize_t n = write(r->in, r->message, r->left);

	if (n > 0) {
		r->message += n;
		r->left -= (size_t)n;
	}
	if (r->left == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&r->in);
}

/* Reads what the program printed, and keeps the beginning. */
static void
read_some(struct running *r)
{
	char bytes[4096];
	ssize_t n = read(r->out, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < n && r->why_len + 1 < POSTMAN_WHY; i++)
		r->why[r->why_len++] = bytes[i] < ' ' && bytes[i] >= 0 ? ' ' : bytes[i];
	r->why[r->why_len] = '\0';
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&r->out);
}

static void
exchange(struct running *r)
{
	struct pollfd fds[2] = { { .fd = r->in, .events = POLLOUT },
		{ .fd = r->out, .events = POLLIN } };

	(void)poll(fds, 2, PAUSE_MS);
	if (fds[0].revents != 0)
		write_some(r);
	if (fds[1].revents != 0)
		read_some(r);
}

/* Returns the seconds that a program has. */
static int
seconds(void)
{
#ifdef GALLEY_TEST
	const char *text = getenv("GALLEY_POSTMAN");

	if (text != NULL)
		return atoi(text);
#endif
	return POSTMAN_SECONDS;
}

/* Waits for its end. False: its time was over. */
static bool
wait_for(struct running *r, bool (*must_stop)(void), int *status)
{
	int64_t until = clock_boot() + seconds() * CLOCK_SECOND;
	bool told = false;

	while (waitpid(r->pid, status, WNOHANG) == 0) {
		if (!told && must_stop != NULL && must_stop()) {
			told = true;
			if (until > clock_boot() + STOP)
				until = clock_boot() + STOP;
		}
		if (clock_boot() >= until) {
			(void)kill(-r->pid, SIGKILL);
			(void)kill(r->pid, SIGKILL);
			while (waitpid(r->pid, status, 0) < 0 && errno == EINTR)
				continue;
			return false;
		}
		exchange(r);
	}
	/* What a process that it left in the background still prints is nobody's. */
	if (r->out >= 0)
		read_some(r);
	return true;
}

/* Replaces the recipient's address, which a mail system may repeat. */
static void
hide(char *text, const char *to)
{
	char *at;

	while ((at = strstr(text, to)) != NULL)
		memset(at, '*', strlen(to));
}

static enum postman_result
say(char why[POSTMAN_WHY], const struct postman *p, bool ended, int status, const char *to)
{
	char said[POSTMAN_WHY];

	if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		why[0] = '\0';
		return POSTMAN_SENT;
	}
	hide(why, to);
	snprintf(said, sizeof(said), "%s", why);
	if (!ended)
		snprintf(why, POSTMAN_WHY, "%.100s did not end within %d seconds", p->words[0],
		    seconds());
	else if (!WIFEXITED(status))
		snprintf(why, POSTMAN_WHY, "%.100s was ended by signal %d", p->words[0],
		    WTERMSIG(status));
	else
		snprintf(why, POSTMAN_WHY, "%.100s ended with status %d%s%.150s", p->words[0],
		    WEXITSTATUS(status), said[0] != '\0' ? ": " : "", said);
	return ended && WIFEXITED(status) ? POSTMAN_FAILED : POSTMAN_UNKNOWN;
}

enum postman_result
postman_send(struct ctx *c, const struct postman *p, const char *to, const char *message,
    bool (*must_stop)(void), char why[POSTMAN_WHY])
{
	struct running r = {
		.in = -1, .out = -1, .message = message, .left = strlen(message), .why = why
	};
	struct postman words = *p;
	int status = SIGKILL; /* not known: the kernel may not keep it */
	bool ended;

	words.words[words.count] = "--";
	words.words[words.count + 1] = to;
	words.words[words.count + 2] = NULL;
	why[0] = '\0';
	if (!start(c, &words, &r)) {
		snprintf(why, POSTMAN_WHY, "%.100s: %s", p->words[0], strerror(errno));
		close_end(&r.in);
		close_end(&r.out);
		return POSTMAN_FAILED;
	}
	ended = wait_for(&r, must_stop, &status);
	close_end(&r.in);
	close_end(&r.out);
	return say(why, p, ended, status, to);
}
