#ifndef SITE_PAGE_H
#define SITE_PAGE_H
/*
 * A web page as search engines and screen readers read it: what it says of itself, at
 * any place, any number of times. compare.h compares two pages.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

struct page_texts {
	const char **list;
	size_t count;
};

/* Adds a text, which must be in the arena. */
void page_texts_add(struct ctx *c, struct page_texts *texts, const char *text);
/* Returns whether a text is in the list; upper and lower case are equal. */
bool page_texts_have(const struct page_texts *texts, const char *text);

struct page_meta {
	const char *name; /* the value of `name` or `property`, as written */
	const char *content;
};

/* Texts are in the arena. A run of white space in a text is one space, except in JSON. */
struct page {
	struct page_texts titles;
	struct page_texts canonicals; /* href of link elements, as they are */
	struct page_texts headings; /* of level 1 */
	struct page_texts json_ld; /* texts of script elements */
	struct page_texts strays; /* what belongs in the head and is in the
					 body: "title", "canonical" … */
	struct page_meta *metas;
	size_t meta_count;
	size_t articles; /* elements of the class ab-article */
	const char *language; /* of html; NULL: not given */
	const char *direction; /* of html, else body; NULL: not given */
	const char *heading_language; /* of the first H1, from the nearest
					 element that has one; or NULL */
	const char *heading_direction;
};

/* Parses a page as browsers do: every text is a page. The text must be valid UTF-8. Dies
 * if the page needs more memory than the arena has. */
void page_read(struct ctx *c, const char *html, size_t len, struct page *out);

/* Returns the n-th content (from 0) of the meta elements with this name, or NULL. */
const char *page_meta(const struct page *p, const char *name, size_t n);

#endif
