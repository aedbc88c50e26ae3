#include "system/harden.h"

#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A database of 256 MiB may be mapped, and an answer may have 40 MiB. */
#define MEMORY_MAX ((rlim_t)1024 * 1024 * 1024)
#define CPU_MAX_S 10
/* The merge and the small forms read a text several times: of 400 KB with many links they take more
 * than 300 MiB. What needs more than this is refused (413). */
#define CONSOLE_MEMORY_MAX ((rlim_t)640 * 1024 * 1024)
#define CONSOLE_CPU_MAX_S 30
/* The limit counts all processes of the user, and with them the threads of a web
 * server: a successor (successor.h) must find room, but a flood of processes must
 * not. */
#define PROCESSES_MAX 4096
#define FILES_MAX 64

/* Not every C library's headers have it. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static void
close_strays(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			_exit(1);
	}
	if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
		return;
	for (fd = 3; fd < 256; fd++)
		close(fd);
}

/* Returns whether a variable begins with a literal. */
#define BEGINS(variable, literal) (strncmp((variable), "" literal, sizeof(literal) - 1) == 0)

/* Returns whether a variable is kept. Most of what a web server passes is not
 * wanted, and the first letter says so. The console's Start also asks which folders are
 * served (doctor/probe.h). */
static bool
is_of_request(const char *v, bool of_console)
{
	switch (v[0]) {
	case 'C':
		return BEGINS(v, "CONTENT_LENGTH=") || BEGINS(v, "CONTENT_TYPE=") ||
		       (of_console && BEGINS(v, "CONTEXT_"));
	case 'D':
		return of_console && BEGINS(v, "DOCUMENT_ROOT=");
	case 'S':
		return of_console && BEGINS(v, "SCRIPT_");
	case 'G':
		return BEGINS(v, "GATEWAY_INTERFACE=") || BEGINS(v, "GALLEY_");
	case 'H':
		return (BEGINS(v, "HTTP_") && !BEGINS(v, "HTTP_PROXY=")) || BEGINS(v, "HTTPS=");
	case 'P':
		return BEGINS(v, "PATH_INFO=");
	case 'Q':
		return BEGINS(v, "QUERY_STRING=");
	case 'R':
		return BEGINS(v, "REQUEST_METHOD=") || BEGINS(v, "REQUEST_URI=") ||
		       BEGINS(v, "REMOTE_ADDR=") || BEGINS(v, "REDIRECT_HTTP_");
	default:
		return false;
	}
}

static void
keep_request(bool of_console)
{
	char **to = environ;

	for (char **from = environ; from != NULL && *from != NULL; from++) {
		if (is_of_request(*from, of_console))
			*to++ = *from;
	}
	if (to != NULL)
		*to = NULL;
}

static void
limit(int what, rlim_t most)
{
	const struct rlimit limits = { most, most };

	/* setrlimit() takes an int in one C library and an enum in another. */
	(void)syscall(SYS_prlimit64, 0, what, &limits, NULL);
}

#ifndef __GLIBC__
/* The head of the program in memory; the linker makes the symbol. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/* The tables of addresses are written when a program starts, and never after
 * that. glibc then makes them read-only; the start code of musl's static programs
 * does not. */
static void
seal_addresses(void)
{
	const uintptr_t page = 4096;
	uintptr_t program = (uintptr_t)&__ehdr_start;
	const ElfW(Phdr) *p = (const void *)(program + __ehdr_start.e_phoff);
	uintptr_t from, to;

	for (unsigned i = 0; i < __ehdr_start.e_phnum; i++) {
		if (p[i].p_type != PT_GNU_RELRO)
			continue;
		from = (program + p[i].p_vaddr) & ~(page - 1);
		to = (program + p[i].p_vaddr + p[i].p_memsz) & ~(page - 1);
		(void)mprotect((void *)from, to - from, PROT_READ);
	}
}
#else
#define seal_addresses() ((void)0)
#endif

void
harden_limit(enum harden_kind kind)
{
	seal_addresses();
	umask(077);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, FILES_MAX);
#ifndef __SANITIZE_ADDRESS__
	limit(RLIMIT_AS, kind >= HARDEN_CONSOLE ? CONSOLE_MEMORY_MAX : MEMORY_MAX);
#endif
	if (kind != HARDEN_CGI && kind != HARDEN_CONSOLE)
		return;
	limit(RLIMIT_CPU, kind == HARDEN_CONSOLE ? CONSOLE_CPU_MAX_S : CPU_MAX_S);
	limit(RLIMIT_NPROC, PROCESSES_MAX);
}

void
harden_process(enum harden_kind kind)
{
	close_strays();
	signal(SIGPIPE, SIG_IGN);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (kind == HARDEN_TOOL) {
		seal_addresses();
		/* The programs that it starts can be dumped again, but they
		 * inherit this limit. */
		limit(RLIMIT_CORE, 0);
		return;
	}
	keep_request(kind == HARDEN_CONSOLE);
	if (kind == HARDEN_CGI || kind == HARDEN_CONSOLE)
		alarm(HARDEN_LIFE_S);
}

void
harden_life(unsigned more_s)
{
	alarm(HARDEN_LIFE_S + more_s);
}
