#include "import/notes.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/ctx.h"

void
notes_add(struct notes *n, const char *format, ...)
{
	va_list args;

	/* The array doubles at powers of two. */
	if ((n->count & (n->count - 1)) == 0)
		n->lines = arena_grow(n->c->arena, n->lines,
		    n->count * sizeof(*n->lines),
		    (n->count > 0 ? 2 * n->count : 1) * sizeof(*n->lines));
	va_start(args, format);
	n->lines[n->count++] = arena_vprintf(n->c->arena, format, args);
	va_end(args);
}
