#include "import/notes.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/ctx.h"

static void
add(struct notes *n, const char *line)
{
	/* The array doubles at powers of two. */
	if ((n->count & (n->count - 1)) == 0)
		n->lines = arena_grow(n->c->arena, n->lines, n->count * sizeof(*n->lines),
		    (n->count > 0 ? 2 * n->count : 1) * sizeof(*n->lines));
	n->lines[n->count++] = line;
}

void
notes_add(struct notes *n, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(n, arena_vprintf(n->c->arena, format, args));
	va_end(args);
}

void
notes_add_hint(struct notes *n, enum hint hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(n, hint_say(n->c, arena_vprintf(n->c->arena, format, args), hint, NULL));
	va_end(args);
}
