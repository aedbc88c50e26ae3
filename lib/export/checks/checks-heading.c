#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "export/checks/checks.h"

/* A heading of the rendered html. */
struct heading {
	int level;
	const char *text; /* as readers see it */
	const char *folded; /* NULL until it is needed */
	const char *at; /* in the html */
};

/* Returns the place behind the next `mark`, or NULL if there is none before
 * `end`. */
static const char *
behind(const char *p, const char *end, const char *mark)
{
	const char *at = memmem(p, (size_t)(end - p), mark, strlen(mark));

	return at == NULL ? NULL : at + strlen(mark);
}

/* Adds the character that an entity means. The entity ends with ";". Returns
 * the place behind it. */
static const char *
add_entity(struct buf *out, const char *p)
{
	size_t len = strcspn(p, ";") + 1;

	buf_add_char(out, strncmp(p, "&lt;", 4) == 0   ? '<'
			  : strncmp(p, "&gt;", 4) == 0 ? '>'
						       : '&');
	return p + len;
}

/* Returns the text between two tags, without elements. The number of a citation
 * does not belong to it. */
static const char *
seen_text(struct arena *a, const char *p, const char *end)
{
	struct buf out;

	buf_init(&out, a, (size_t)(end - p));
	while (p < end) {
		if (strncmp(p, "<sup", 4) == 0)
			p = behind(p, end, "</sup>");
		else if (*p == '<')
			p = behind(p, end, ">");
		else if (*p == '&')
			p = add_entity(&out, p);
		else
			buf_add_char(&out, *p++);
		if (p == NULL)
			break;
	}
	return buf_done(&out);
}

/* Finds the next heading of the html from *p on. Returns false if there is none.
 * In html every "<" is markup. */
static bool
next_heading(const struct checks *k, const char **p, struct heading *heading)
{
	const char *end = k->h->out.data + k->h->out.len;
	const char *from, *to;

	while ((*p = behind(*p, end, "<h")) != NULL) {
		if (**p < '1' || **p > '6')
			continue;
		from = behind(*p, end, ">");
		if (from == NULL)
			return false;
		to = memmem(from, (size_t)(end - from), "</h", 3);
		if (to == NULL)
			return false;
		heading->level = **p - '0';
		heading->text = seen_text(k->arena, from, to);
		heading->folded = NULL;
		heading->at = from;
		*p = to;
		return true;
	}
	return false;
}

const char *
checks_one_h1(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading heading;
	int count = 0;

	while (next_heading(k, &p, &heading))
		count += heading.level == 1;
	if (count == 1)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "There are %d h1 headings."), count);
}

const char *
checks_levels(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading heading;
	int last = 0;

	while (next_heading(k, &p, &heading)) {
		if (heading.level > last + 1)
			return arena_printf(k->arena, tr_for(k->c, "%s is an h%d after an h%d."),
			    checks_excerpt(k, heading.text), heading.level, last);
		last = heading.level;
	}
	return NULL;
}

/* Orders by text, then by place: the order of equal headings must not depend on
 * the C library. */
static int
by_text(const void *a, const void *b)
{
	const struct heading *x = a, *y = b;
	int order = strcmp(x->folded, y->folded);

	if (order != 0)
		return order;
	return x->at < y->at ? -1 : x->at > y->at;
}

const char *
checks_headings_differ(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading *headings = NULL;
	size_t count = 0, cap = 0;
	struct heading heading;

	while (next_heading(k, &p, &heading)) {
		if (count == cap) {
			headings = arena_grow(k->arena, headings, cap * sizeof(heading),
			    (2 * cap + 64) * sizeof(heading));
			cap = 2 * cap + 64;
		}
		heading.folded = lang_fold(k->arena, heading.text);
		headings[count++] = heading;
	}
	if (count > 0)
		qsort(headings, count, sizeof(*headings), by_text);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(headings[i - 1].folded, headings[i].folded) == 0)
			return arena_printf(k->arena, tr_for(k->c, "The heading %s stands twice."),
			    checks_excerpt(k, headings[i].text));
	}
	return NULL;
}
