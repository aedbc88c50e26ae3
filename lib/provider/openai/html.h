#ifndef PROVIDER_OPENAI_HTML_H
#define PROVIDER_OPENAI_HTML_H
/* The HTML that models write into plain text. */
#include <stddef.h>

/*
 * The bytes of the tag or comment at `p` (a "<"), 0 when it is none: only the
 * names of elements count, so that "a <b and c" and "List<String>" stay text.
 * A script or style is one tag, with what is in it. *gap becomes what stands
 * for it: " " for elements that break a line, else "".
 */
size_t openai_html_tag(const char *p, const char **gap);

/* The bytes of the entity at `p` (a "&"), one of the usual ones, and the
 * character it means; 0 when it is none. */
size_t openai_html_entity(const char *p, char *means);

#endif
