/* Uses Landlock, and seccomp by the kernel's own interface. The numbers and
 * structures are written out here because not every C library has them. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fileio.h"
#include "system/harden.h"
#include "system/landlock.h"
#include "system/seccomp.h"
#include "system/successor.h"

/* ---- files: Landlock */

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
		uint64_t rights = paths[i].writes ? WRITES : READS;
		if (!landlock_allow(rules, handled, paths[i].path, rights) && make(&paths[i]))
			(void)landlock_allow(rules, handled, paths[i].path, rights);
	}
#ifdef SANITIZE_REPORTS
	/* A sanitizer writes its reports here, and reads about its process in
	 * /proc. */
	(void)landlock_allow(rules, handled, SANITIZE_REPORTS, WRITES);
	(void)landlock_allow(rules, handled, "/proc", READS);
#endif
	return landlock_restrict(rules);
}

/* ---- system calls: seccomp */

#ifdef ARCHITECTURE

#define REFUSED FAILS(EPERM)

/* The calls that are refused; numbers from 424 on are those of every
 * architecture. A list of refused calls outlives new C libraries; a list of
 * allowed calls would not. */
static const uint16_t refused[] = {
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
#ifndef STORE_PG
	SYS_socket,
	SYS_connect,
#endif
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
 * behind `passed` borders. */
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
find_borders(struct filter *f)
{
	uint16_t numbers[REFUSED_COUNT];

	memcpy(numbers, refused, sizeof(numbers));
	sort(numbers, REFUSED_COUNT);
	f->border_count = 0;
	for (size_t i = 0; i < REFUSED_COUNT; i++) {
		if (i == 0 || numbers[i] != numbers[i - 1] + 1)
			f->borders[f->border_count++] = numbers[i];
		if (i + 1 == REFUSED_COUNT || numbers[i + 1] != numbers[i] + 1)
			f->borders[f->border_count++] = (uint16_t)(numbers[i] + 1);
	}
}

static bool
confine_calls(void)
{
	struct filter f;
	struct {
		unsigned short count;
		const struct instruction *first;
	} program;

	find_borders(&f);
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
confine_calls(void)
{
	return false;
}

#endif

unsigned
harden_confine(const struct harden_path *paths, size_t count)
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
	if (confine_calls())
		done |= HARDEN_CALLS;
	return done;
}
