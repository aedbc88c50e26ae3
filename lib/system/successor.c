#include "system/successor.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/watch.h"

#ifdef SUCCESSOR_CLONE

/* Not every C library's headers have it. */
#define FUTEX_WAIT 0

/* Returns whether the standard output is a named socket. A server that accepts at
 * a named socket starts many programs, and does not wait for one child by its id:
 * mod_cgid ignores the ends of its children; inetd and systemd wait for any
 * child. With a pipe it is not known which process would collect the successor. */
static bool
is_awaited_by_looking(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNSPEC };
	socklen_t len = sizeof(name);

	return getsockname(STDOUT_FILENO, (struct sockaddr *)&name, &len) == 0 &&
	       name.sun_family == AF_UNIX && len > offsetof(struct sockaddr_un, sun_path);
}

/* Returns true in the successor, which owns this stack from now on: the
 * predecessor must not touch the stack again, not even to return. Returns false
 * if no successor could be made. */
static bool
go_on(void)
{
	register long third __asm__("r10") = 0;
	register long fourth __asm__("r8") = 0;
	long child;

	__asm__ volatile("syscall\n"
			 "	test %%rax, %%rax\n"
			 "	jle 1f\n"
			 "	xor %%edi, %%edi\n"
			 "	mov %[end], %%eax\n"
			 "	syscall\n"
			 "1:\n"
			 : "=a"(child)
			 : "0"((long)SYS_clone), "D"((long)SUCCESSOR_CLONE), "S"(0L), "d"(0L),
			 "r"(third), "r"(fourth), [end] "i"(SYS_exit_group)
			 : "rcx", "r11", "memory", "cc");
	return child == 0;
}

void
successor_begin(unsigned life_s)
{
	/* When the process that registered this address has released its memory,
	 * the kernel sets it to 0 and wakes the process that waits for it. */
	static int predecessor;

	if (watch_is_on() || !is_awaited_by_looking())
		return;
	predecessor = 1;
	(void)syscall(SYS_set_tid_address, &predecessor);
	if (!go_on())
		return;
	(void)alarm(life_s);
	while (__atomic_load_n(&predecessor, __ATOMIC_SEQ_CST) != 0)
		(void)syscall(SYS_futex, &predecessor, FUTEX_WAIT, 1, NULL, NULL, 0);
}

#else

void
successor_begin(unsigned life_s)
{
	(void)life_s;
}

#endif
