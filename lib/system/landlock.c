#include "system/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int
landlock_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);

	return version > 0 ? (int)version : 0;
}

int
landlock_rules(uint64_t handled, uint64_t scopes)
{
	/* The rights for files, for the network, and the scopes. A kernel refuses
	 * rights that it does not know. */
	const uint64_t wanted[3] = { handled, 0, scopes };

	return (int)syscall(
	    CREATE_RULESET, wanted, scopes != 0 ? sizeof(wanted) : sizeof(wanted[0]), 0);
}

bool
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

bool
landlock_restrict(int rules)
{
	bool done = syscall(RESTRICT_SELF, rules, 0) == 0;

	close(rules);
	return done;
}
