/* What a process gives up (harden.h), by the kernel's own interfaces: the numbers and structures
 * are here because not every C library has them. */
#include "system/harden.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fileio.h"
#include "system/successor.h"

/*
 * ---- Landlock
 *
 * A ruleset handles some rights. A process that it restricts has a handled right only below the
 * paths that were allowed with it, and its children have no more. A restricted process cannot look
 * into a process outside of the restriction either (ptrace, and what of /proc asks the same
 * question).
 */

/* Rights, as bits. */
#define LANDLOCK_EXECUTE (UINT64_C(1) << 0)
#define LANDLOCK_WRITE_FILE (UINT64_C(1) << 1)
#define LANDLOCK_READ_FILE (UINT64_C(1) << 2)
#define LANDLOCK_READ_DIR (UINT64_C(1) << 3)
#define LANDLOCK_REMOVE_DIR (UINT64_C(1) << 4)
#define LANDLOCK_REMOVE_FILE (UINT64_C(1) << 5)
#define LANDLOCK_MAKE_DIR (UINT64_C(1) << 7)
#define LANDLOCK_MAKE_REG (UINT64_C(1) << 8)
#define LANDLOCK_MAKE_FIFO (UINT64_C(1) << 10)
#define LANDLOCK_MAKE_SYM (UINT64_C(1) << 12)
#define LANDLOCK_REFER (UINT64_C(1) << 13)
#define LANDLOCK_TRUNCATE (UINT64_C(1) << 14)
/* All rights of a version of the interface: of Linux 5.13, 5.19, 6.2. */
#define LANDLOCK_ALL_1 ((UINT64_C(1) << 13) - 1)
#define LANDLOCK_ALL_2 ((UINT64_C(1) << 14) - 1)
#define LANDLOCK_ALL_3 ((UINT64_C(1) << 15) - 1)
/* Abstract sockets, and signals to processes outside: from version 6 on (Linux
 * 6.12). */
#define LANDLOCK_SCOPES UINT64_C(3)
#define LANDLOCK_SCOPES_SINCE 6

#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define RULE_PATH_BENEATH 1
#define TELL_VERSION 1U

#define OF_FILES (LANDLOCK_EXECUTE | LANDLOCK_WRITE_FILE | LANDLOCK_READ_FILE | LANDLOCK_TRUNCATE)

struct path_beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

/* The version of the interface, from 1 on; 0: there is none. */
static int
landlock_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);

	return version > 0 ? (int)version : 0;
}

/* A ruleset that handles these rights and scopes: a descriptor, or -1. */
static int
landlock_rules(uint64_t handled, uint64_t scopes)
{
	/* The rights for files, for the network, and the scopes. A kernel refuses
	 * rights that it does not know. */
	const uint64_t wanted[3] = { handled, 0, scopes };

	return (int)syscall(
	    CREATE_RULESET, wanted, scopes != 0 ? sizeof(wanted) : sizeof(wanted[0]), 0);
}

/* Allows rights (those that are handled) at a file, or a folder with all below it.
 * False with errno set; what does not exist is left out. */
static bool
landlock_allow(int rules, uint64_t handled, const char *path, uint64_t rights)
{
	/* Behind open() musl sets O_CLOEXEC once more. */
	struct path_beneath rule = { .allowed = rights,
		.parent = openat(AT_FDCWD, path, O_PATH | O_CLOEXEC) };
	bool added;

	if (rule.parent < 0)
		return false;
	rule.allowed &= handled;
	added = syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) == 0;
	/* To ask whether it is a file costs each request more than the kernel's refusal
	 * of a folder's rights. */
	if (!added && errno == EINVAL) {
		rule.allowed &= OF_FILES;
		added = syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) == 0;
	}
	close(rule.parent);
	return added;
}

/* Restricts this process, which can gain no privileges any more, for the rest of its
 * life; closes the ruleset. */
static bool
landlock_restrict(int rules)
{
	bool done = syscall(RESTRICT_SELF, rules, 0) == 0;

	close(rules);
	return done;
}

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

/* ---- words of the filter programs that the kernel runs before each system call (seccomp).
 * ARCHITECTURE is not defined where this file writes none. */

#if defined(__x86_64__)
#define ARCHITECTURE UINT32_C(0xC000003E)
#elif defined(__aarch64__)
#define ARCHITECTURE UINT32_C(0xC00000B7)
#endif

struct instruction {
	uint16_t code;
	uint8_t if_true, if_false; /* how many to skip */
	uint32_t value;
};

enum { LOAD = 0x20, EQUALS = 0x15, AT_LEAST = 0x35, AND = 0x54, RETURN = 0x06 };

/* The offsets of a call's words that LOAD takes. */
enum { NUMBER_AT = 0, ARCHITECTURE_AT = 4 };

#define ARGUMENT(n) (16 + 8 * (n))
#define UPPER_HALF(n) (20 + 8 * (n))
/* Verdicts: the call fails with an errno, or is made. */
#define FAILS(error) (UINT32_C(0x00050000) | (uint32_t)(error))

#define ALLOWED UINT32_C(0x7FFF0000)
/* ---- harden_confine(): files */

#define READS (LANDLOCK_READ_FILE | LANDLOCK_READ_DIR)
#define WRITES                                                                                     \
	(READS | LANDLOCK_WRITE_FILE | LANDLOCK_REMOVE_DIR | LANDLOCK_REMOVE_FILE |                \
	    LANDLOCK_MAKE_DIR | LANDLOCK_MAKE_REG | LANDLOCK_TRUNCATE)

static __attribute__((noinline, cold)) bool
make(const struct harden_path *p)
{
	int fd;

	if (p->make == HARDEN_MAKE_FOLDER)
		return mkdir(p->path, 0700) == 0;
	if (p->make != HARDEN_MAKE_FILE)
		return false;
	fd = fileio_open(p->path, O_RDWR | O_CREAT | O_NOFOLLOW);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
confine_files(const struct harden_path *paths, size_t count)
{
	uint64_t handled = LANDLOCK_ALL_3;
	int rules = landlock_rules(handled, 0);

	if (rules < 0) {
		handled = LANDLOCK_ALL_1;
		rules = landlock_rules(handled, 0);
	}
	if (rules < 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t allowed = paths[i].writes ? WRITES : READS;
		if (!landlock_allow(rules, handled, paths[i].path, allowed) && make(&paths[i]))
			(void)landlock_allow(rules, handled, paths[i].path, allowed);
	}
#ifdef SANITIZE_REPORTS
	/* A sanitizer writes its reports here, and reads about its process in
	 * /proc. */
	(void)landlock_allow(rules, handled, SANITIZE_REPORTS, WRITES);
	(void)landlock_allow(rules, handled, "/proc", READS);
#endif
	return landlock_restrict(rules);
}

/* ---- harden_confine(): system calls */

#ifdef ARCHITECTURE

#define REFUSED FAILS(EPERM)

/* The calls that are refused; numbers from 424 on are those of every
 * architecture. A list of refused calls outlives new C libraries; a list of
 * allowed calls would not. */
static const uint16_t refused[] = {
	/* These two come first: a process that may connect has them. */
	SYS_socket,
	SYS_connect,
	/* programs and processes */
	SYS_execve,
	SYS_execveat,
	SYS_clone,
	435 /* clone3 */,
#ifdef __x86_64__
	SYS_fork,
	SYS_vfork,
#endif
	SYS_kill,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	424 /* pidfd_send_signal */,
	434 /* pidfd_open */,
	438 /* pidfd_getfd */,
	/* the network; what is already open may be read and written */
	SYS_socketpair,
	SYS_bind,
	SYS_listen,
	/* other ways to files, and namespaces */
	SYS_chroot,
	SYS_pivot_root,
	SYS_mount,
	SYS_umount2,
	SYS_unshare,
	SYS_setns,
	SYS_open_by_handle_at,
	SYS_personality,
	428 /* open_tree */,
	429 /* move_mount */,
	430,
	431,
	432,
	433 /* fsopen to fspick */,
	/* the kernel itself */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_kcmp,
	425,
	426,
	427 /* io_uring */,
	/* the machine */
	SYS_acct,
	SYS_settimeofday,
	SYS_swapon,
	SYS_swapoff,
	SYS_reboot,
	SYS_sethostname,
	SYS_setdomainname,
#ifdef __x86_64__
	SYS_iopl,
	SYS_ioperm,
#endif
};

#define REFUSED_COUNT (sizeof(refused) / sizeof(refused[0]))
#define CONNECTING 2 /* the first rows, which a process that may connect has */

/* The program that looks up a call: a beginning, a node for each number at which
 * a run of allowed calls ends or begins, and the two verdicts. */
#define BEGINNING 7
#define VERDICTS 2

#ifdef SUCCESSOR_CLONE
#define CLONE_CHECK 3
#else
#define CLONE_CHECK 0
#endif

struct filter {
	struct instruction at[BEGINNING + CLONE_CHECK + 2 * REFUSED_COUNT + VERDICTS];
	uint8_t count;
	uint8_t verdicts; /* places of the verdicts: allowed, refused */
	uint16_t borders[2 * REFUSED_COUNT]; /* the numbers at which runs of refused
	                                      * calls begin and end */
	uint8_t border_count;
};

static void
add(struct filter *f, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value)
{
	f->at[f->count++] = (struct instruction) { code, if_true, if_false, value };
}

/* Returns how many instructions to skip from `place` to the verdict for a number
 * after `passed` borders. */
static uint8_t
to_verdict(const struct filter *f, uint8_t place, uint8_t passed)
{
	return (uint8_t)(f->verdicts + passed % 2 - place - 1);
}

/* Adds a binary search of the borders from `from` to before `to`: a call needs
 * few steps, and the program that the kernel compiles is short. */
static void
add_search(struct filter *f, uint8_t from, uint8_t to)
{
	uint8_t middle = (uint8_t)((from + to) / 2), place = f->count;

	add(f, AT_LEAST, to_verdict(f, place, (uint8_t)(middle + 1)), to_verdict(f, place, middle),
	    f->borders[middle]);
	if (from < middle) {
		f->at[place].if_false = 0;
		add_search(f, from, middle);
	}
	if (middle + 1 < to) {
		f->at[place].if_true = (uint8_t)(f->count - place - 1);
		add_search(f, (uint8_t)(middle + 1), to);
	}
}

/* Allows one form of clone(). */
static void
add_clone_check(struct filter *f)
{
#ifdef SUCCESSOR_CLONE
	add(f, EQUALS, 0, 2, SYS_clone);
	add(f, LOAD, 0, 0, ARGUMENT(0));
	add(f, EQUALS, to_verdict(f, f->count, 0), to_verdict(f, f->count, 1), SUCCESSOR_CLONE);
#else
	(void)f;
#endif
}

static void
sort(uint16_t *numbers, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint16_t number = numbers[i];
		size_t place = i;
		for (; place > 0 && numbers[place - 1] > number; place--)
			numbers[place] = numbers[place - 1];
		numbers[place] = number;
	}
}

static void
find_borders(struct filter *f, bool connects)
{
	const size_t first = connects ? CONNECTING : 0, count = REFUSED_COUNT - first;
	uint16_t numbers[REFUSED_COUNT];

	memcpy(numbers, refused + first, count * sizeof(numbers[0]));
	sort(numbers, count);
	f->border_count = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || numbers[i] != numbers[i - 1] + 1)
			f->borders[f->border_count++] = numbers[i];
		if (i + 1 == count || numbers[i + 1] != numbers[i] + 1)
			f->borders[f->border_count++] = (uint16_t)(numbers[i] + 1);
	}
}

static bool
confine_calls(bool connects)
{
	struct filter f;
	struct {
		unsigned short count;
		const struct instruction *first;
	} program;

	find_borders(&f, connects);
	f.count = 0;
	/* When a filter is installed, the kernel tries it with every number, to
	 * remember the calls that are always allowed. For a process that makes
	 * sixty calls that takes longer than compiling the filter. The kernel
	 * does not try a filter that looks at an argument, so this one does,
	 * although it needs none. */
	add(&f, LOAD, 0, 0, ARGUMENT(0));
	f.verdicts = (uint8_t)(BEGINNING + CLONE_CHECK + f.border_count);
	add(&f, LOAD, 0, 0, ARCHITECTURE_AT);
	add(&f, EQUALS, 1, 0, ARCHITECTURE);
	add(&f, RETURN, 0, 0, REFUSED);
	add(&f, LOAD, 0, 0, NUMBER_AT);
	/* Calls of the x32 interface have other numbers. */
	add(&f, AT_LEAST, 0, 1, UINT32_C(0x40000000));
	add(&f, RETURN, 0, 0, REFUSED);
	add_clone_check(&f);
	add_search(&f, 0, f.border_count);
	add(&f, RETURN, 0, 0, ALLOWED);
	add(&f, RETURN, 0, 0, REFUSED);
	program.count = f.count;
	program.first = f.at;
	return prctl(PR_SET_SECCOMP, 2, &program, 0, 0) == 0;
}

#else

static bool
confine_calls(bool connects)
{
	(void)connects;
	return false;
}

#endif

unsigned
harden_confine(const struct harden_path *paths, size_t count, bool connects)
{
	unsigned done = 0;

#ifdef GALLEY_TEST
	const char *wanted = getenv("GALLEY_HARDEN");
	if (wanted == NULL || strcmp(wanted, "on") != 0)
		return 0;
#endif
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0;
	if (confine_files(paths, count))
		done |= HARDEN_FILES;
	if (confine_calls(connects))
		done |= HARDEN_CALLS;
	return done;
}

/* ---- harden_stranger(): files */

static const uint64_t rights[] = {
	[HARDEN_READ] = LANDLOCK_READ_FILE | LANDLOCK_READ_DIR,
	[HARDEN_RUN] = LANDLOCK_READ_FILE | LANDLOCK_READ_DIR | LANDLOCK_EXECUTE,
	[HARDEN_DEVICE] = LANDLOCK_READ_FILE | LANDLOCK_WRITE_FILE,
	[HARDEN_OWN] = LANDLOCK_READ_FILE | LANDLOCK_READ_DIR | LANDLOCK_EXECUTE |
		       LANDLOCK_WRITE_FILE | LANDLOCK_REMOVE_DIR | LANDLOCK_REMOVE_FILE |
		       LANDLOCK_MAKE_DIR | LANDLOCK_MAKE_REG | LANDLOCK_MAKE_FIFO |
		       LANDLOCK_MAKE_SYM | LANDLOCK_REFER | LANDLOCK_TRUNCATE,
};

static unsigned
confine_stranger_files(const struct harden_place *places, size_t count)
{
	int version = landlock_version();
	uint64_t handled = version >= 3	  ? LANDLOCK_ALL_3
			   : version == 2 ? LANDLOCK_ALL_2
					  : LANDLOCK_ALL_1;
	bool scoped = version >= LANDLOCK_SCOPES_SINCE;
	int rules;

	if (version == 0)
		return 0;
	rules = landlock_rules(handled, scoped ? LANDLOCK_SCOPES : 0);
	if (rules < 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		(void)landlock_allow(rules, handled, places[i].path, rights[places[i].access]);
#ifdef SANITIZE_REPORTS
	(void)landlock_allow(rules, handled, SANITIZE_REPORTS, rights[HARDEN_OWN]);
#endif
	if (!landlock_restrict(rules))
		return 0;
	return scoped ? HARDEN_FILES | HARDEN_SIGNALS : HARDEN_FILES;
}

/* ---- harden_stranger(): system calls that a program of others can work with. The numbers of calls
 * that not every C library knows are written out; from 424 on they are those of every
 * architecture. */

#ifdef ARCHITECTURE

/* The call does nothing and returns 0. */
#define NOTHING FAILS(0)

struct stranger_refused {
	uint16_t number;
	uint32_t verdict;
};

static const struct stranger_refused stranger_refused[] = {
	/* other processes of the user, on kernels where Landlock does not guard
	 * them */
	{ SYS_ptrace, FAILS(EPERM) },
	{ SYS_process_vm_readv, FAILS(EPERM) },
	{ SYS_process_vm_writev, FAILS(EPERM) },
	{ SYS_kcmp, FAILS(EPERM) },
	{ SYS_migrate_pages, FAILS(EPERM) },
	{ SYS_move_pages, FAILS(EPERM) },
	{ 438 /* pidfd_getfd */, FAILS(EPERM) },
	{ 440 /* process_madvise */, FAILS(EPERM) },
	{ 448 /* process_mrelease */, FAILS(EPERM) },
	/* fails as on a kernel without them: programs then use another way */
	{ 424 /* pidfd_send_signal */, FAILS(ENOSYS) },
	{ 434 /* pidfd_open */, FAILS(ENOSYS) },
	{ 425 /* io_uring_setup */, FAILS(ENOSYS) },
	{ 426 /* io_uring_enter */, FAILS(ENOSYS) },
	{ 427 /* io_uring_register */, FAILS(ENOSYS) },
	{ 435 /* clone3 */, FAILS(ENOSYS) },
	/* limits stay: one of them tells the runner which processes are its own */
	{ SYS_setrlimit, FAILS(EPERM) },
	/* files by their names: Landlock does not check these */
	{ SYS_truncate, FAILS(EPERM) },
	{ SYS_fchownat, FAILS(EPERM) },
	{ SYS_setxattr, FAILS(EPERM) },
	{ SYS_lsetxattr, FAILS(EPERM) },
	{ SYS_removexattr, FAILS(EPERM) },
	{ SYS_lremovexattr, FAILS(EPERM) },
	{ 463 /* setxattrat */, FAILS(EPERM) },
	{ 466 /* removexattrat */, FAILS(EPERM) },
	{ 469 /* file_setattr */, FAILS(EPERM) },
	/* the same; programs that copy files expect these to work */
	{ SYS_fchmodat, NOTHING },
	{ 452 /* fchmodat2 */, NOTHING },
#ifdef __x86_64__
	{ SYS_chown, FAILS(EPERM) },
	{ SYS_lchown, FAILS(EPERM) },
	{ SYS_chmod, NOTHING },
	{ SYS_utime, NOTHING },
	{ SYS_utimes, NOTHING },
	{ SYS_futimesat, NOTHING },
#endif
	/* other ways to files, and namespaces */
	{ SYS_open_by_handle_at, FAILS(EPERM) },
	{ SYS_chroot, FAILS(EPERM) },
	{ SYS_pivot_root, FAILS(EPERM) },
	{ SYS_mount, FAILS(EPERM) },
	{ SYS_umount2, FAILS(EPERM) },
	{ SYS_unshare, FAILS(EPERM) },
	{ SYS_setns, FAILS(EPERM) },
	{ 428 /* open_tree */, FAILS(EPERM) },
	{ 429 /* move_mount */, FAILS(EPERM) },
	{ 430 /* fsopen */, FAILS(EPERM) },
	{ 431 /* fsconfig */, FAILS(EPERM) },
	{ 432 /* fsmount */, FAILS(EPERM) },
	{ 433 /* fspick */, FAILS(EPERM) },
	{ 442 /* mount_setattr */, FAILS(EPERM) },
	/* the kernel itself, and the machine */
	{ SYS_bpf, FAILS(EPERM) },
	{ SYS_perf_event_open, FAILS(EPERM) },
	{ SYS_userfaultfd, FAILS(EPERM) },
	{ SYS_keyctl, FAILS(EPERM) },
	{ SYS_add_key, FAILS(EPERM) },
	{ SYS_request_key, FAILS(EPERM) },
	{ SYS_init_module, FAILS(EPERM) },
	{ SYS_finit_module, FAILS(EPERM) },
	{ SYS_delete_module, FAILS(EPERM) },
	{ SYS_kexec_load, FAILS(EPERM) },
	{ SYS_acct, FAILS(EPERM) },
	{ SYS_settimeofday, FAILS(EPERM) },
	{ SYS_clock_settime, FAILS(EPERM) },
	{ SYS_swapon, FAILS(EPERM) },
	{ SYS_swapoff, FAILS(EPERM) },
	{ SYS_reboot, FAILS(EPERM) },
	{ SYS_sethostname, FAILS(EPERM) },
	{ SYS_setdomainname, FAILS(EPERM) },
};

/* A call that is refused because of one word of its arguments. */
struct check {
	uint16_t number;
	uint8_t word; /* ARGUMENT() or UPPER_HALF() */
	bool if_equal; /* true: refused if the word has this value; false: refused if
	               * it has not */
	uint32_t value;
	uint32_t verdict;
};

/* The checks of one call are neighbours. */
static const struct check checks[] = {
	/* a process may ask its own limits, and never set them */
	{ SYS_prlimit64, ARGUMENT(0), false, 0, FAILS(EPERM) },
	{ SYS_prlimit64, ARGUMENT(2), false, 0, FAILS(EPERM) },
	{ SYS_prlimit64, UPPER_HALF(2), false, 0, FAILS(EPERM) },
	/* a process may set its own priority only */
	{ SYS_setpriority, ARGUMENT(0), false, PRIO_PROCESS, FAILS(EPERM) },
	{ SYS_setpriority, ARGUMENT(1), false, 0, FAILS(EPERM) },
	{ SYS_ioprio_set, ARGUMENT(0), false, 1 /* a process */, FAILS(EPERM) },
	{ SYS_ioprio_set, ARGUMENT(1), false, 0, FAILS(EPERM) },
	{ SYS_sched_setaffinity, ARGUMENT(0), false, 0, FAILS(EPERM) },
	{ SYS_sched_setscheduler, ARGUMENT(0), false, 0, FAILS(EPERM) },
	{ SYS_sched_setparam, ARGUMENT(0), false, 0, FAILS(EPERM) },
	{ SYS_sched_setattr, ARGUMENT(0), false, 0, FAILS(EPERM) },
	/* signals that are sent on behalf of another process */
	{ SYS_fcntl, ARGUMENT(1), true, 8 /* F_SETOWN */, FAILS(EPERM) },
	{ SYS_fcntl, ARGUMENT(1), true, 15 /* F_SETOWN_EX */, FAILS(EPERM) },
	{ SYS_ioctl, ARGUMENT(1), true, 0x8901 /* FIOSETOWN */, FAILS(EPERM) },
	{ SYS_ioctl, ARGUMENT(1), true, 0x8902 /* SIOCSPGRP */, FAILS(EPERM) },
	{ SYS_ioctl, ARGUMENT(1), true, 0x5412 /* TIOCSTI */, FAILS(EPERM) },
	/* the times of an open file may be set, those of a name may not */
	{ SYS_utimensat, ARGUMENT(1), false, 0, NOTHING },
	{ SYS_utimensat, UPPER_HALF(1), false, 0, NOTHING },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
/* The bits of a socket's type that are not flags. */
#define KINDS_OF_SOCKET 0xF
/* CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
#define OTHER_ROOMS UINT32_C(0x7E020000)
/* The calls that send signals, and the processes that no signal may reach. */
#define SENDERS 5
#define KEPT_MAX 4
#define SIZE_MAX_OF_CHECK 5
#define INSTRUCTIONS                                                                               \
	(32 + 2 * COUNT(stranger_refused) +                                                        \
	    SIZE_MAX_OF_CHECK * (COUNT(checks) + SENDERS * (KEPT_MAX + 1)))

struct stranger_filter {
	struct instruction at[INSTRUCTIONS];
	uint16_t count;
};

static void
stranger_add(
    struct stranger_filter *f, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value)
{
	f->at[f->count++] = (struct instruction) { code, if_true, if_false, value };
}

/* Adds the checks of one call. A call that no check refuses is allowed. */
static void
add_checks(struct stranger_filter *f, const struct check *first, size_t count)
{
	stranger_add(f, EQUALS, 0, (uint8_t)(3 * count + 1), first->number);
	for (size_t i = 0; i < count; i++) {
		const struct check *one = &first[i];
		stranger_add(f, LOAD, 0, 0, one->word);
		stranger_add(f, EQUALS, !one->if_equal, one->if_equal, one->value);
		stranger_add(f, RETURN, 0, 0, one->verdict);
	}
	stranger_add(f, RETURN, 0, 0, ALLOWED);
}

static void
add_tables(struct stranger_filter *f)
{
	for (size_t i = 0; i < COUNT(stranger_refused); i++) {
		stranger_add(f, EQUALS, 0, 1, stranger_refused[i].number);
		stranger_add(f, RETURN, 0, 0, stranger_refused[i].verdict);
	}
	for (size_t i = 0, same; i < COUNT(checks); i += same) {
		for (same = 1;
		     i + same < COUNT(checks) && checks[i + same].number == checks[i].number;
		     same++)
			continue;
		add_checks(f, &checks[i], same);
	}
}

/* Allows no signal to the processes of `kept`, and none to all processes. */
static void
add_signals(struct stranger_filter *f, const pid_t *kept, size_t count)
{
	static const uint16_t senders[SENDERS] = { SYS_kill, SYS_tkill, SYS_tgkill,
		SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo };
	struct check each[KEPT_MAX + 1];

	if (count > KEPT_MAX)
		count = KEPT_MAX;
	for (size_t s = 0; s < SENDERS; s++) {
		for (size_t i = 0; i <= count; i++)
			each[i] = (struct check) { senders[s], ARGUMENT(0), true,
				i < count ? (uint32_t)kept[i] : UINT32_MAX, FAILS(EPERM) };
		add_checks(f, each, count + 1);
	}
}

/* Allows sockets of the Internet, and those that ask the kernel for addresses.
 * Through a socket with a name in the file system, another program of the user
 * would do what this one may not. One socket of a pair could send to any name,
 * unless it stays connected. */
static void
add_sockets(struct stranger_filter *f)
{
	stranger_add(f, EQUALS, 0, 6, SYS_socket);
	stranger_add(f, LOAD, 0, 0, ARGUMENT(0));
	stranger_add(f, EQUALS, 3, 0, AF_INET);
	stranger_add(f, EQUALS, 2, 0, AF_INET6);
	stranger_add(f, EQUALS, 1, 0, AF_NETLINK);
	stranger_add(f, RETURN, 0, 0, FAILS(EACCES));
	stranger_add(f, RETURN, 0, 0, ALLOWED);
	stranger_add(f, EQUALS, 0, 6, SYS_socketpair);
	stranger_add(f, LOAD, 0, 0, ARGUMENT(1));
	stranger_add(f, AND, 0, 0, KINDS_OF_SOCKET);
	stranger_add(f, EQUALS, 2, 0, SOCK_STREAM);
	stranger_add(f, EQUALS, 1, 0, SOCK_SEQPACKET);
	stranger_add(f, RETURN, 0, 0, FAILS(EACCES));
	stranger_add(f, RETURN, 0, 0, ALLOWED);
}

/* A process is made in the namespaces of its maker only. clone3() fails as
 * unknown, because a filter cannot see its arguments; C libraries then use
 * clone(). */
static void
add_rooms(struct stranger_filter *f)
{
	stranger_add(f, EQUALS, 0, 5, SYS_clone);
	stranger_add(f, LOAD, 0, 0, ARGUMENT(0));
	stranger_add(f, AND, 0, 0, OTHER_ROOMS);
	stranger_add(f, EQUALS, 1, 0, 0);
	stranger_add(f, RETURN, 0, 0, FAILS(EPERM));
	stranger_add(f, RETURN, 0, 0, ALLOWED);
}

static bool
confine_stranger_calls(const pid_t *kept, size_t count)
{
	struct stranger_filter f;
	struct {
		unsigned short count;
		const struct instruction *first;
	} program;

	f.count = 0;
	stranger_add(&f, LOAD, 0, 0, ARCHITECTURE_AT);
	stranger_add(&f, EQUALS, 1, 0, ARCHITECTURE);
	stranger_add(&f, RETURN, 0, 0, FAILS(EPERM));
	stranger_add(&f, LOAD, 0, 0, NUMBER_AT);
	/* Calls of the x32 interface have other numbers. */
	stranger_add(&f, AT_LEAST, 0, 1, UINT32_C(0x40000000));
	stranger_add(&f, RETURN, 0, 0, FAILS(ENOSYS));
	add_tables(&f);
	add_signals(&f, kept, count);
	add_sockets(&f);
	add_rooms(&f);
	stranger_add(&f, RETURN, 0, 0, ALLOWED);
	program.count = f.count;
	program.first = f.at;
	return prctl(PR_SET_SECCOMP, 2, &program, 0, 0) == 0;
}

#else

static bool
confine_stranger_calls(const pid_t *kept, size_t count)
{
	(void)kept;
	(void)count;
	return false;
}

#endif

unsigned
harden_stranger(
    const struct harden_place *places, size_t count, const pid_t *kept, size_t kept_count)
{
	unsigned done = 0;

#ifdef GALLEY_TEST
	const char *wanted = getenv("GALLEY_HARDEN");
	if (wanted == NULL || strcmp(wanted, "on") != 0)
		return HARDEN_FILES | HARDEN_CALLS | HARDEN_SIGNALS;
#endif
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0;
	done = confine_stranger_files(places, count);
	if (confine_stranger_calls(kept, kept_count))
		done |= HARDEN_CALLS;
	return done;
}

unsigned
harden_stranger_possible(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit((int)harden_stranger(NULL, 0, NULL, 0));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return child > 0 && WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) : 0;
}

const char *
harden_stranger_lacks(unsigned done)
{
	if ((done & HARDEN_FILES) == 0)
		return "this kernel has no Landlock (Linux 5.13 and newer have it): a provider can read and write all files of the instance's user, the database and the pepper among them";
	if ((done & HARDEN_CALLS) == 0)
		return "this host allows no seccomp filter: a provider can change the modes of the instance's files and end its programs";
	if ((done & HARDEN_SIGNALS) == 0)
		return "this kernel is older than Linux 6.12: a provider can end other programs of the instance's user, but not the runner";
	return NULL;
}

/* ---- which ports a process may reach: Landlock's rule for TCP, from version 4 on (Linux 6.7) */

#define RULE_PORT 2
#define CONNECT_TCP (UINT64_C(1) << 1)

bool
harden_connect(const uint16_t *ports, size_t count)
{
	/* Rights for files, and for the network. */
	const uint64_t wanted[2] = { 0, CONNECT_TCP };
	int rules;

#ifdef GALLEY_TEST
	const char *on = getenv("GALLEY_HARDEN");
	if (on == NULL || strcmp(on, "on") != 0)
		return false;
#endif
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	/* An older kernel knows no second word, and refuses it. */
	rules = (int)syscall(CREATE_RULESET, wanted, sizeof(wanted), 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		/* What is allowed, and the port. */
		const uint64_t rule[2] = { CONNECT_TCP, ports[i] };

		(void)syscall(ADD_RULE, rules, RULE_PORT, rule, 0);
	}
	return landlock_restrict(rules);
}
