#ifndef EXPORT_CHECK_H
#define EXPORT_CHECK_H
/* The result of one publishing check (docs/export.md §6). */
#include <stdbool.h>

#define EXPORT_CHECKS 24
struct export_check {
	const char *label;
	bool passed;
	const char *reason; /* what fails and where (which heading, which
			       link), or NULL; for editors, never exported */
};

#endif
