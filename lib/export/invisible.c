#include "export/invisible.h"

#include <stdint.h>

#include <utf8proc.h>

#include "base/utf8.h"

/* Returns whether the character shows nothing: spaces, separators, controls and
 * formatting characters. */
static bool
is_invisible(uint32_t cp)
{
	utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)cp);

	return kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_CF;
}

bool
invisible_text(const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		if (!is_invisible(utf8_next(&p)))
			return false;
	}
	return true;
}
