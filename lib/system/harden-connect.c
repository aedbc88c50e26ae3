/* Which ports a process may reach: Landlock's rule for TCP, from version 4 on (Linux 6.7). The
 * numbers are written out as in landlock.c, whose rules are about files. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/harden.h"
#include "system/landlock.h"

#define CREATE_RULESET 444
#define ADD_RULE 445
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
