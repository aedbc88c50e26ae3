#ifndef CONSOLE_MULTIPART_H
#define CONSOLE_MULTIPART_H
/*
 * The reader of multipart/form-data (RFC 7578), which forms are sent in
 * (docs/console.md §3.6). It reads strangers' bytes; tests/fuzz has a target for it.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "screen/form.h"

#define MULTIPART_PARTS_MAX 400

/* What was sent. Text parts and file parts are apart; the names of files are ignored. */
struct multipart {
	struct form_value *values;
	size_t count;
	struct form_value *files; /* their bytes; an input without a file is left out */
	size_t file_count;
};

/* Returns whether this Content-Type (or NULL) is multipart/form-data. */
bool multipart_is(const char *type);

/*
 * Reads `len` bytes at `body`, which must be followed by one more byte and are written
 * over: the parts are inside them, each with a NUL after it. `type` is the
 * Content-Type. Refuses with ERR_INVALID what is not whole, a type without a
 * boundary, a part whose head has more than 16 KiB, and more than MULTIPART_PARTS_MAX
 * parts.
 */
MAY_REFUSE struct err *
multipart_read(struct ctx *c, const char *type, char *body, size_t len, struct multipart *out);

#endif
