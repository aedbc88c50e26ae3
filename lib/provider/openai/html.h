#ifndef PROVIDER_OPENAI_HTML_H
#define PROVIDER_OPENAI_HTML_H
/* Recognises the HTML that models write into plain text. */
#include <stddef.h>

/*
 * Returns the bytes of the tag or comment at `p` (a "<"); 0 if there is none. Only
 * names of elements make a tag, so that "a <b and c" and "List<String>" stay text. A
 * script or style with its content is one tag. *gap becomes the replacement of the tag:
 * " " for elements that break a line, else "".
 */
size_t openai_html_tag(const char *p, const char **gap);

/* Returns the bytes of the entity at `p` (a "&"), if it is one of the usual ones, and
 * sets *means to its character; 0 if there is none. */
size_t openai_html_entity(const char *p, char *means);

#endif
