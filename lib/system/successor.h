#ifndef SYSTEM_SUCCESSOR_H
#define SYSTEM_SUCCESSOR_H
/*
 * Ending before the answer is sent.
 *
 * Apache's mod_cgid looks whether a program is dead as soon as it has its answer, and
 * when it is not, looks again after 10 ms. What a process does between its last write
 * and its death takes longer than Apache's look, most often: memory is given back, and
 * others are let go first. So a customer who asks for one article after the other waits
 * 12 ms for what takes one.
 *
 * The process that Apache knows ends first, therefore, and another sends the answer,
 * which has everything in common with it: its memory, its stack, its open files. Nothing
 * is copied, and what is to be given back is given back after the answer.
 *
 * `successor = off` in galley.conf: the process that Apache knows sends the answer.
 * docs/platform.md §1.2 names the versions of Apache that this was seen with.
 */
#include <stdbool.h>

/* How the successor is made: the one form of clone() that harden_confine() allows. It is
 * a child of mod_cgid's, as its predecessor was. */
#ifdef __x86_64__
#define SUCCESSOR_CLONE 0x00008f00U /* VM, FS, FILES, SIGHAND, PARENT */
#endif

/*
 * Where standard output is a connection to a socket with a name, as mod_cgid's is:
 * returns in another process, when this one has gone. Elsewhere, and where no process can
 * be made, it does nothing. The caller's process has no threads, no child, and no function
 * that a signal calls; its id and its alarm() are not those of the successor, which lives
 * `life_s` seconds at most. Who watches a process (watch.h) keeps it.
 */
void successor_begin(unsigned life_s);

#endif
