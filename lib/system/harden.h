#ifndef SYSTEM_HARDEN_H
#define SYSTEM_HARDEN_H
/*
 * What a process gives up before it meets a stranger's bytes (docs/platform.md §7).
 *
 * harden_process() is cheap and comes first in main(). harden_limit() follows in a
 * program that answers requests, before it opens the database or reads a body: a
 * kept answer, which needs neither, is sent without. harden_confine() takes away,
 * for the rest of the process's life, every file but those named (Landlock) and the
 * system calls that no answer needs: programs, processes (but successor.h's), sockets,
 * others' memory, mounts, the machine's own settings and what loads code into the
 * kernel (seccomp; they fail with EPERM). Both are best effort: an old kernel or a host
 * that forbids them changes nothing but what harden_confine() returns.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Seconds that the process of one request may live. */
#define HARDEN_LIFE_S 120

enum harden_kind {
	HARDEN_CGI, /* answers one request */
	HARDEN_FCGI, /* answers many, may start others of its kind */
	/* The same of the console (docs/console.md §3.13): they read forms and pictures,
	 * and hash passwords. */
	HARDEN_CONSOLE,
	HARDEN_CONSOLE_FCGI,
	HARDEN_TOOL /* a program that people or cron run */
};

/*
 * Standard descriptors are open, later ones closed; no core file, no debugger;
 * SIGPIPE is ignored. A program that answers requests keeps of its environment
 * what a request is made of; where it answers once, its life is limited. A tool's
 * tables of addresses are sealed, and what it starts leaves no core files either.
 */
void harden_process(enum harden_kind kind);

/*
 * For programs that answer requests: tables of addresses are sealed, files are made
 * for the owner alone, no privileges can be gained; memory, descriptors and, where
 * it answers once, processor time and children are limited. The size of files never
 * is: a database larger than such a limit could not be written any more.
 */
void harden_limit(enum harden_kind kind);

/* Counts the life of a request from now, with so many seconds more. */
void harden_life(unsigned more_s);

/* What is made, empty, where there is nothing at the path: a confined process could not. */
enum harden_make { HARDEN_MAKE_NOTHING, HARDEN_MAKE_FILE, HARDEN_MAKE_FOLDER };

struct harden_path {
	const char *path; /* a file, or a folder with all below it */
	bool writes; /* may be written, made and removed too */
	enum harden_make make;
};

/* What harden_confine() could put on, as bits. */
#define HARDEN_FILES 1U
#define HARDEN_CALLS 2U

/* Confines this process to `paths`; what does not exist is left out. A file that another
 * one replaces later is not granted: fileio_is_shut_out() tells that one was met. Descriptors
 * that are open stay usable. Only where it `connects` may it open sockets and connect them: to a
 * store on another machine (db_confine()). In test builds it does nothing unless
 * GALLEY_HARDEN is "on", since faults and coverage write files of their own. */
unsigned harden_confine(const struct harden_path *paths, size_t count, bool connects);

/* Lets this process connect by TCP to these ports alone, of any host. Returns
 * whether the kernel has such a rule (Linux 6.7). In test builds as harden_confine(). */
bool harden_connect(const uint16_t *ports, size_t count);

/* ---- a program that is not ours, before it is started */

enum harden_access {
	HARDEN_READ,
	HARDEN_RUN, /* read and started */
	HARDEN_DEVICE, /* read and written, never made or removed */
	HARDEN_OWN /* everything */
};

struct harden_place {
	const char *path; /* a file, or a folder with all below it */
	enum harden_access access;
};

/* Other processes of the user get no signal of it. */
#define HARDEN_SIGNALS 4U

/*
 * Confines this process and all that it will start to `places`. It keeps the Internet, may
 * start programs and signal what it started, and cannot: look into other processes or
 * change their limits; use sockets that have a name; set its own limits; change modes,
 * owners, times or lengths of files by their names (chmod() and utime() do nothing); enter
 * other namespaces; set up the machine. `kept` are at most four processes, groups negative,
 * that get no signal of it where the kernel does not know HARDEN_SIGNALS. Returns the bits
 * that could be put on. In test builds it does nothing unless GALLEY_HARDEN is "on", and
 * returns all of them.
 */
unsigned harden_stranger(
    const struct harden_place *places, size_t count, const pid_t *kept, size_t kept_count);

/* The bits that this machine has for it: a child tries. */
unsigned harden_stranger_possible(void);

/* The most important thing that a provider can do where these bits are all, in words,
 * with its reason; NULL where nothing is missing. */
const char *harden_stranger_lacks(unsigned done);

#endif
