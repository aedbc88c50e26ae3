#ifndef SITE_PAGE_H
#define SITE_PAGE_H
/*
 * A web page as search engines and screen readers take it: what it says of
 * itself, wherever it stands, however often. compare.h compares two.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

struct page_texts {
	const char **list;
	size_t count;
};

/* Adds a text, which must live in the arena. */
void page_texts_add(struct ctx *c, struct page_texts *texts, const char *text);
/* Whether a text is there; letters' case is no difference. */
bool page_texts_have(const struct page_texts *texts, const char *text);

struct page_meta {
	const char *name; /* of name or property, as it is written */
	const char *content;
};

/* Texts are in the arena; runs of blanks in them are one space, but in JSON. */
struct page {
	struct page_texts titles;
	struct page_texts canonicals; /* href of link elements, as they are */
	struct page_texts headings;   /* of level 1 */
	struct page_texts json_ld;    /* texts of script elements */
	struct page_texts strays;     /* what belongs in the head, and stands in
					 the body: "title", "canonical" … */
	struct page_meta *metas;
	size_t meta_count;
	size_t articles;              /* elements of the class ab-article */
	const char *language;         /* of html; NULL: not given */
	const char *direction;        /* of html, else body; NULL: not given */
	const char *heading_language; /* that the first H1 has from the nearest
					 element; NULL: none */
	const char *heading_direction;
};

/* Takes a page apart, as browsers do: every text is a page. It must be valid
 * UTF-8. Dies of a page that would take more than the arena. */
void page_read(struct ctx *c, const char *html, size_t len, struct page *out);

/* The n-th content (from 0) of a meta element of this name, or NULL. */
const char *page_meta(const struct page *p, const char *name, size_t n);

#endif
