/* Confines a program that is not ours: Landlock, and a filter of system calls
 * that such a program can work with. The numbers of calls that not every C
 * library knows are written out; from 424 on they are those of every
 * architecture. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/harden.h"
#include "system/landlock.h"
#include "system/seccomp.h"

/* ---- files */

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
confine_files(const struct harden_place *places, size_t count)
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

/* ---- system calls */

#ifdef ARCHITECTURE

/* The call does nothing and returns 0. */
#define NOTHING FAILS(0)

struct refused {
	uint16_t number;
	uint32_t verdict;
};

static const struct refused refused[] = {
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
	(32 + 2 * COUNT(refused) + SIZE_MAX_OF_CHECK * (COUNT(checks) + SENDERS * (KEPT_MAX + 1)))

struct filter {
	struct instruction at[INSTRUCTIONS];
	uint16_t count;
};

static void
add(struct filter *f, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value)
{
	f->at[f->count++] = (struct instruction) { code, if_true, if_false, value };
}

/* Adds the checks of one call. A call that no check refuses is allowed. */
static void
add_checks(struct filter *f, const struct check *first, size_t count)
{
	add(f, EQUALS, 0, (uint8_t)(3 * count + 1), first->number);
	for (size_t i = 0; i < count; i++) {
		const struct check *one = &first[i];
		add(f, LOAD, 0, 0, one->word);
		add(f, EQUALS, !one->if_equal, one->if_equal, one->value);
		add(f, RETURN, 0, 0, one->verdict);
	}
	add(f, RETURN, 0, 0, ALLOWED);
}

static void
add_tables(struct filter *f)
{
	for (size_t i = 0; i < COUNT(refused); i++) {
		add(f, EQUALS, 0, 1, refused[i].number);
		add(f, RETURN, 0, 0, refused[i].verdict);
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
add_signals(struct filter *f, const pid_t *kept, size_t count)
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
add_sockets(struct filter *f)
{
	add(f, EQUALS, 0, 6, SYS_socket);
	add(f, LOAD, 0, 0, ARGUMENT(0));
	add(f, EQUALS, 3, 0, AF_INET);
	add(f, EQUALS, 2, 0, AF_INET6);
	add(f, EQUALS, 1, 0, AF_NETLINK);
	add(f, RETURN, 0, 0, FAILS(EACCES));
	add(f, RETURN, 0, 0, ALLOWED);
	add(f, EQUALS, 0, 6, SYS_socketpair);
	add(f, LOAD, 0, 0, ARGUMENT(1));
	add(f, AND, 0, 0, KINDS_OF_SOCKET);
	add(f, EQUALS, 2, 0, SOCK_STREAM);
	add(f, EQUALS, 1, 0, SOCK_SEQPACKET);
	add(f, RETURN, 0, 0, FAILS(EACCES));
	add(f, RETURN, 0, 0, ALLOWED);
}

/* A process is made in the namespaces of its maker only. clone3() fails as
 * unknown, because a filter cannot see its arguments; C libraries then use
 * clone(). */
static void
add_rooms(struct filter *f)
{
	add(f, EQUALS, 0, 5, SYS_clone);
	add(f, LOAD, 0, 0, ARGUMENT(0));
	add(f, AND, 0, 0, OTHER_ROOMS);
	add(f, EQUALS, 1, 0, 0);
	add(f, RETURN, 0, 0, FAILS(EPERM));
	add(f, RETURN, 0, 0, ALLOWED);
}

static bool
confine_calls(const pid_t *kept, size_t count)
{
	struct filter f;
	struct {
		unsigned short count;
		const struct instruction *first;
	} program;

	f.count = 0;
	add(&f, LOAD, 0, 0, ARCHITECTURE_AT);
	add(&f, EQUALS, 1, 0, ARCHITECTURE);
	add(&f, RETURN, 0, 0, FAILS(EPERM));
	add(&f, LOAD, 0, 0, NUMBER_AT);
	/* Calls of the x32 interface have other numbers. */
	add(&f, AT_LEAST, 0, 1, UINT32_C(0x40000000));
	add(&f, RETURN, 0, 0, FAILS(ENOSYS));
	add_tables(&f);
	add_signals(&f, kept, count);
	add_sockets(&f);
	add_rooms(&f);
	add(&f, RETURN, 0, 0, ALLOWED);
	program.count = f.count;
	program.first = f.at;
	return prctl(PR_SET_SECCOMP, 2, &program, 0, 0) == 0;
}

#else

static bool
confine_calls(const pid_t *kept, size_t count)
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
	done = confine_files(places, count);
	if (confine_calls(kept, kept_count))
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
