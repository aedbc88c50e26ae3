#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/url.h"
#include "export/checks/checks.h"
#include "export/html-text.h"
#include "export/invisible.h"

const char *
checks_two_references(const struct checks *k)
{
	size_t count = k->f->content->reference_count;

	if (count >= 2)
		return NULL;
	return count == 0 ? tr_for(k->c, "There are no references.")
			  : tr_for(k->c, "There is one reference.");
}

static bool
is_reference(const struct content *content, const char *id, size_t len)
{
	for (size_t i = 0; i < content->reference_count; i++) {
		if (strlen(content->references[i].id) == len &&
		    memcmp(content->references[i].id, id, len) == 0)
			return true;
	}
	return false;
}

/* Check 18, for one text: each citation must name a reference of the list. */
static const char *
check_citations(const struct checks *k, const char *raw, const char *place)
{
	struct inline_token *tokens;
	size_t count;

	if (strstr(raw, "[^") == NULL)
		return NULL;
	tokens = inline_parse(k->arena, raw, &count);
	for (size_t i = 0; i < count; i++) {
		if (tokens[i].event == INLINE_CITE &&
		    !is_reference(k->f->content, tokens[i].text, tokens[i].len))
			return arena_printf(k->arena,
			    tr_for(k->c, "[^%.*s] in %s cites no listed reference."),
			    (int)tokens[i].len, tokens[i].text, place);
	}
	return NULL;
}

/* A check of one text with inline marks. */
typedef const char *text_check(const struct checks *k, const char *raw, const char *place);

/* Calls `check` for every text but code, and for the cover's caption, until one
 * fails. */
static const char *
each_text(const struct checks *k, text_check *check)
{
	const char *caption = k->f->content->image_caption;
	const char *reason = NULL;

	for (size_t i = 0; i < k->text_count && reason == NULL; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			reason = check(k, k->texts[i].raw, k->texts[i].place);
		if (reason != NULL)
			*k->text = i + 1;
	}
	if (reason == NULL && caption != NULL)
		reason = check(k, caption, "the cover's caption");
	return reason;
}

const char *
checks_citations(const struct checks *k)
{
	return each_text(k, check_citations);
}

static const char *
name_of(const struct checks *k, const struct reference *reference)
{
	return arena_printf(
	    k->arena, "%s ([^%s])", checks_excerpt(k, reference->title), reference->id);
}

const char *
checks_cited(const struct checks *k)
{
	const struct content *content = k->f->content;

	for (size_t i = 0; i < content->reference_count; i++) {
		if (k->h->numbers[i] == 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The reference %s is cited nowhere."),
			    name_of(k, &content->references[i]));
	}
	return NULL;
}

/* A reference, and host and path of its address. */
struct target {
	const char *key;
	const struct reference *reference;
};

/* Orders by key, then as they are listed: the order of equal ones must not depend
 * on the C library. */
static int
by_key(const void *a, const void *b)
{
	const struct target *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	if (order != 0)
		return order;
	return x->reference < y->reference ? -1 : x->reference > y->reference;
}

/* Returns host and path of an address. Two references have one address if these
 * are equal: scheme, query, fragment and slashes at the end do not count. */
static const char *
key_of(struct arena *a, const char *url)
{
	const char *host = strstr(url, "//");
	size_t len;

	host = host == NULL ? url : host + 2;
	len = strcspn(host, "?#");
	while (len > 0 && host[len - 1] == '/')
		len--;
	return arena_text_n(a, host, len);
}

const char *
checks_references_unique(const struct checks *k)
{
	const struct content *content = k->f->content;
	struct target *targets = arena_array(k->arena, content->reference_count, sizeof(*targets));
	size_t count = 0;

	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		if (r->url == NULL)
			continue;
		if (strncmp(r->url, "https:", 6) != 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The reference %s does not use https."), name_of(k, r));
		targets[count].reference = r;
		targets[count++].key = key_of(k->arena, r->url);
	}
	if (count > 0)
		qsort(targets, count, sizeof(*targets), by_key);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(targets[i - 1].key, targets[i].key) == 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The references %s and %s have one address."),
			    name_of(k, targets[i - 1].reference), name_of(k, targets[i].reference));
	}
	return NULL;
}

/* Returns whether a link that url_clean() made has a public host: a name with a
 * dot, or an IPv6 address in brackets. A mailto: link passes, too. */
static bool
is_public(const struct checks *k, const char *url)
{
	const char *host = url_host(k->arena, url);

	return host == NULL ? strncmp(url, "mailto:", 7) == 0 : strpbrk(host, ".[") != NULL;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the ids in the rendered article, without their prefix, sorted. */
static const char **
ids_of(const struct checks *k, size_t *count)
{
	const char *mark = arena_printf(k->arena, " id=\"%s-", k->f->prefix);
	const char *p = k->h->out.data, *end = p + k->h->out.len;
	const char **ids = NULL;
	size_t cap = 0;

	*count = 0;
	while ((p = memmem(p, (size_t)(end - p), mark, strlen(mark))) != NULL) {
		if (*count == cap) {
			ids = arena_grow(
			    k->arena, ids, cap * sizeof(*ids), (2 * cap + 64) * sizeof(*ids));
			cap = 2 * cap + 64;
		}
		p += strlen(mark);
		ids[(*count)++] = arena_text_n(k->arena, p, strcspn(p, "\""));
	}
	if (*count > 0)
		qsort(ids, *count, sizeof(*ids), by_id);
	return ids;
}

static bool
has_target(const struct checks *k, const char *fragment)
{
	return k->id_count > 0 &&
	       bsearch(&fragment, k->ids, k->id_count, sizeof(*k->ids), by_id) != NULL;
}

/* Check 21, for one link: it must have a text that shows something. A link to a
 * fragment needs an element with that id; another link needs a public host. */
static const char *
check_link(const struct checks *k, const struct inline_token *token, const char *place)
{
	const char *url = arena_text_n(k->arena, token->text, token->len);
	bool empty = true;

	for (const struct inline_token *t = token; t->event != INLINE_LINK_END; t++) {
		if (t->event == INLINE_TEXT || t->event == INLINE_CODE)
			empty = empty && invisible_text(t->text, t->len);
	}
	if (empty)
		return arena_printf(
		    k->arena, tr_for(k->c, "The link to %s in %s has no text."), url, place);
	if (url[0] == '#' && !has_target(k, url + 1))
		return arena_printf(k->arena,
		    tr_for(k->c,
			"The link to %s in %s leads nowhere: no section, question or reference has this id."),
		    url, place);
	if (url[0] != '#' && !is_public(k, url))
		return arena_printf(
		    k->arena, tr_for(k->c, "The link to %s in %s has no public host."), url, place);
	return NULL;
}

/* Returns whether a text contains a "](" that no backslash before it makes plain
 * text: the author meant a link there. */
static bool
means_link(const char *raw)
{
	for (const char *p = raw; (p = strstr(p, "](")) != NULL; p += 2) {
		if (p == raw || p[-1] != '\\')
			return true;
	}
	return false;
}

/* Check 21, for one text: all of its links must pass, and no text may look like a
 * link whose address was refused. */
static const char *
check_links(const struct checks *k, const char *raw, const char *place)
{
	struct inline_token *tokens;
	const char *reason = NULL;
	size_t count;

	if (!means_link(raw))
		return NULL;
	tokens = inline_parse(k->arena, raw, &count);
	for (size_t i = 0; i < count && reason == NULL; i++) {
		if (tokens[i].event == INLINE_LINK)
			reason = check_link(k, &tokens[i], place);
		else if (tokens[i].event == INLINE_TEXT &&
			 memmem(tokens[i].text, tokens[i].len, "](", 2) != NULL)
			reason = arena_printf(k->arena,
			    tr_for(k->c,
				"A link in %s is shown as text, because its address is none: %s."),
			    place,
			    checks_excerpt(
				k, arena_text_n(k->arena, tokens[i].text, tokens[i].len)));
	}
	return reason;
}

const char *
checks_links(const struct checks *k)
{
	const struct content *content = k->f->content;
	struct checks with_ids = *k;
	const char *reason;

	with_ids.ids = ids_of(k, &with_ids.id_count);
	reason = each_text(&with_ids, check_links);
	for (size_t i = 0; i < content->reference_count && reason == NULL; i++) {
		const struct reference *r = &content->references[i];
		if (r->url != NULL && !is_public(k, r->url))
			reason = arena_printf(k->arena,
			    tr_for(k->c, "The reference %s has no public host."), name_of(k, r));
	}
	return reason;
}
