/*
 * fcgi-once PROGRAM [WORD...]   runs a program of cgi-bin/ by FastCGI for one request, and looks
 * from outside like the program under CGI: the request is in the environment and on standard
 * input, the answer comes on standard output, and it ends as the program ended. A program of the
 * build STORE=pg refuses to run under CGI; the tests that start one for each request start this
 * in its place (tests/lib/Galley/Process.pm).
 *
 * Of the environment the program itself has what no request sets. It listens at a socket that
 * has no name in a folder, and ends with this process.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BEGIN_REQUEST = 1, END_REQUEST = 3, PARAMS = 4, INPUT = 5, OUTPUT = 6, ERRORS = 7 };

extern char **environ;

static pid_t program;

static _Noreturn void
fail(const char *what)
{
	fprintf(stderr, "fcgi-once: %s: %s\n", what, strerror(errno));
	_exit(127);
}

/* Stops when the program stops, and lets it go on when this process goes on. */
static void
on_child(int number)
{
	int status, kept = errno;

	(void)number;
	if (waitpid(program, &status, WNOHANG | WUNTRACED | WNOWAIT) == program &&
	    WIFSTOPPED(status)) {
		raise(SIGSTOP);
		kill(program, SIGCONT);
	}
	errno = kept;
}

static void
write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t done = write(fd, at, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return;
		at += done;
		len -= (size_t)done;
	}
}

static bool
read_all(int fd, void *bytes, size_t len)
{
	char *at = bytes;

	while (len > 0) {
		ssize_t done = read(fd, at, len);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		len -= (size_t)done;
	}
	return true;
}

/* What was not sent yet. A body has ten seconds from the first record on, so what is there goes in
 * one write: between two this process may be kept waiting. */
static struct {
	char bytes[128 * 1024];
	size_t len;
} waiting;

static void
send_waiting(int fd)
{
	write_all(fd, waiting.bytes, waiting.len);
	waiting.len = 0;
}

static void
send_record(int fd, unsigned char type, const void *bytes, size_t len)
{
	const unsigned char head[8] = { 1, type, 0, 1, (unsigned char)(len >> 8),
		(unsigned char)len, 0, 0 };

	if (waiting.len + sizeof(head) + len > sizeof(waiting.bytes))
		send_waiting(fd);
	memcpy(waiting.bytes + waiting.len, head, sizeof(head));
	if (len > 0)
		memcpy(waiting.bytes + waiting.len + sizeof(head), bytes, len);
	waiting.len += sizeof(head) + len;
}

static size_t
put_length(unsigned char *out, size_t len)
{
	const unsigned char four[4] = { (unsigned char)(len >> 24 | 0x80),
		(unsigned char)(len >> 16), (unsigned char)(len >> 8), (unsigned char)len };

	if (len >= 128) {
		memcpy(out, four, sizeof(four));
		return sizeof(four);
	}
	*out = (unsigned char)len;
	return 1;
}

/* Sends one variable in records of its own: the reader puts them together. */
static void
send_variable(int fd, const char *variable)
{
	const char *sign = strchr(variable, '=');
	unsigned char lengths[8];
	size_t name, value, n;

	if (sign == NULL)
		return;
	name = (size_t)(sign - variable);
	value = strlen(sign + 1);
	n = put_length(lengths, name);
	n += put_length(lengths + n, value);
	send_record(fd, PARAMS, lengths, n);
	if (name > 0)
		send_record(fd, PARAMS, variable, name);
	for (const char *at = sign + 1; value > 0;) {
		size_t len = value < 65535 ? value : 65535;
		send_record(fd, PARAMS, at, len);
		at += len;
		value -= len;
	}
}

static void
send_request(int fd)
{
	static const unsigned char begin[8] = { 0, 1 };
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char some[16384];
	ssize_t got;

	send_record(fd, BEGIN_REQUEST, begin, sizeof(begin));
	for (char **v = environ; *v != NULL; v++)
		send_variable(fd, *v);
	send_record(fd, PARAMS, NULL, 0);
	while ((got = read(STDIN_FILENO, some, sizeof(some))) > 0) {
		send_record(fd, INPUT, some, (size_t)got);
		if (poll(&input, 1, 0) == 0)
			send_waiting(fd);
	}
	send_record(fd, INPUT, NULL, 0);
	send_waiting(fd);
}

static void
take_answer(int fd)
{
	unsigned char head[8];
	static char content[65535 + 255];

	while (read_all(fd, head, sizeof(head))) {
		size_t len = (size_t)(head[4] << 8 | head[5]);

		if (!read_all(fd, content, len + head[6]) || head[1] == END_REQUEST)
			return;
		if (head[1] == OUTPUT)
			write_all(STDOUT_FILENO, content, len);
		else if (head[1] == ERRORS)
			write_all(STDERR_FILENO, content, len);
	}
}

static bool
is_of_request(const char *variable)
{
	static const char *const own[] = { "GALLEY_", "PATH=", "HOME=", "TMPDIR=", "ASAN_",
		"UBSAN_", "LLVM_" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strncmp(variable, own[i], strlen(own[i])) == 0)
			return false;
	}
	return true;
}

static _Noreturn void
become_program(int listening, char **words)
{
	char **kept = environ;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (char **v = environ; *v != NULL; v++) {
		if (!is_of_request(*v))
			*kept++ = *v;
	}
	*kept = NULL;
	if (dup2(listening, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		fail("dup2");
	close(listening);
	execv(words[0], words);
	fail(words[0]);
}

int
main(int argc, char **argv)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(name);
	const struct sigaction child = { .sa_handler = on_child, .sa_flags = SA_RESTART };
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), fd = socket(AF_UNIX, SOCK_STREAM, 0);
	pid_t sender;
	int status;

	if (argc < 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	if (bind(listening, (struct sockaddr *)&name, sizeof(name.sun_family)) != 0 ||
	    listen(listening, 1) != 0 ||
	    getsockname(listening, (struct sockaddr *)&name, &len) != 0 ||
	    connect(fd, (struct sockaddr *)&name, len) != 0)
		fail("socket");
	program = fork();
	if (program == 0) {
		close(fd);
		signal(SIGPIPE, SIG_DFL);
		become_program(listening, argv + 1);
	}
	close(listening);
	sender = fork();
	if (program < 0 || sender < 0)
		fail("fork");
	if (sender == 0) {
		send_request(fd);
		_exit(0);
	}
	sigaction(SIGCHLD, &child, NULL);
	on_child(0);
	take_answer(fd);
	kill(sender, SIGKILL);
	waitpid(sender, &status, 0);
	close(fd);
	kill(program, SIGTERM);
	while (waitpid(program, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		kill(getpid(), WTERMSIG(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
