#ifndef DOCTOR_PAGE_COMPARE_H
#define DOCTOR_PAGE_COMPARE_H
/*
 * Compares a customer's page with the export of its article (galley verify-page): whether it says
 * what the expected page says, and says it once; the same for its structured data. The expected
 * page is made of the bytes that the API serves (head_html and html), and read by the same reader.
 */
#include <stddef.h>

struct ctx;

struct page_texts {
	const char **list;
	size_t count;
};

struct page_meta {
	const char *name; /* the value of `name` or `property`, as written */
	const char *content;
};

/* A web page as search engines and screen readers read it: what it says of itself, at any place,
 * any number of times. Texts are in the arena. A run of white space in a text is one space, except
 * in JSON. */
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

/* One difference from the export. Its texts are short, on one line and without control
 * characters, since strangers write the pages. */
struct page_finding {
	const char *check; /* "title", "canonical" … */
	const char *expected; /* what the export says */
	const char *found;
	const char *fix; /* what to do */
};

#define PAGE_FINDINGS_MAX 40 /* more are not kept */

struct page_report {
	struct ctx *c;
	struct page_finding findings[PAGE_FINDINGS_MAX];
	size_t count;
};

/* Adds a finding. */
void compare_tell(struct page_report *r, const char *check, const char *expected, const char *found,
    const char *fix);

/* Returns a text of a page in quotes, shortened; "none" for NULL. In the arena. */
const char *compare_quote(struct ctx *c, const char *text);

/* Splits the directives for robots at their commas and adds them to *out; `text` may be
 * NULL. */
void compare_split(struct ctx *c, const char *text, struct page_texts *out);

/* What the head of the answer says of the page. */
struct page_header {
	const char *address; /* of the page; relative addresses in it begin there */
	const char *canonical; /* of the field Link, or NULL */
	struct page_texts robots; /* directives of X-Robots-Tag, one by one */
};

/* Reads the page and compares it, in a child process with a time limit, since some pages
 * keep any parser busy. If the process reaches the limit, that is the one finding. */
void compare_apart(struct page_report *r, const struct page *expected, const char *html, size_t len,
    const struct page_header *header);

#endif
