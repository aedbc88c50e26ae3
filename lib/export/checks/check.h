#ifndef EXPORT_CHECK_H
#define EXPORT_CHECK_H
/* The result of one publishing check (docs/export.md §6). */
#include <stdbool.h>
#include <stddef.h>

#define EXPORT_CHECKS 24

/* What a check is about: where an editor can do something. */
enum export_about {
	EXPORT_TITLE,
	EXPORT_DESCRIPTION,
	EXPORT_TEXT,
	EXPORT_COVER,
	EXPORT_AUTHOR,
	EXPORT_SETTINGS
};

struct export_check {
	const char *label;
	bool passed;
	const char *reason; /* what fails and where (which heading, which
			       link), or NULL; for editors, never exported */
	size_t text; /* the text of content_walk() that fails, from 1; 0: no
			certain one */
};

/* Returns what the check with this label is about. */
enum export_about export_check_about(const char *label);

#endif
