#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "export/checks/checks.h"

/* Two paragraphs repeat each other if at least four fifths of the runs of three words
 * that one or both of them have are in both. Where words are not separated, runs of
 * three characters count.
 *
 * Not all pairs are compared. Let the shingles of every paragraph be sorted: two
 * paragraphs with four fifths in common must share one among the first fifth of them.
 * Only paragraphs that share one there are compared. */
#define SHINGLE 3
/* A word counts 2, a CJK character 1. A short answer may appear twice. */
#define LENGTH_MIN 12
/* The most comparisons of one paragraph: paragraphs that all begin alike must not take
 * square time. */
#define COMPARISONS_MAX 128

struct paragraph {
	const struct checks_text *text;
	uint64_t *shingles; /* hashes, ascending, each once */
	size_t count;
	const struct paragraph *last; /* the last one that it was compared with */
	int comparisons;
};

/* This paragraph has this shingle among the first fifth of its shingles. */
struct meeting {
	uint64_t shingle;
	size_t paragraph;
};

static uint64_t
mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_value(const void *a, const void *b)
{
	return compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int
by_shingle(const void *a, const void *b)
{
	const struct meeting *x = a, *y = b;
	int order = compare(x->shingle, y->shingle);

	return order != 0 ? order : compare(x->paragraph, y->paragraph);
}

/* Returns the hash of the next word or CJK character of a folded text, or 0 at
 * its end. Adds its weight to *length. */
static uint64_t
next_word(const char **p, size_t *length)
{
	uint64_t hash = 0;

	while (**p != '\0') {
		const char *at = *p;
		uint32_t cp = utf8_next(p);
		bool cjk = lang_is_cjk(cp);
		if (hash != 0 && (cjk || !lang_is_word(cp))) {
			*p = at;
			break;
		}
		if (!cjk && !lang_is_word(cp))
			continue;
		hash = mixed(hash + 1, cp);
		if (cjk) {
			*length += 1;
			return hash | 1;
		}
	}
	if (hash == 0)
		return 0;
	*length += 2;
	return hash | 1;
}

static size_t
without_doubles(uint64_t *values, size_t count)
{
	size_t kept = 0;

	qsort(values, count, sizeof(*values), by_value);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || values[kept - 1] != values[i])
			values[kept++] = values[i];
	}
	return kept;
}

/* Fills the shingles. Returns false if the paragraph is too short to count. */
static bool
shingle(struct arena *a, struct paragraph *paragraph)
{
	const char *folded = lang_fold(a, paragraph->text->plain), *p = folded;
	uint64_t window[SHINGLE] = { 0 }, word;
	size_t length = 0, words = 0, count = 0;

	paragraph->shingles = arena_array(a, strlen(folded) + 1, sizeof(uint64_t));
	while ((word = next_word(&p, &length)) != 0) {
		memmove(window, window + 1, sizeof(window) - sizeof(*window));
		window[SHINGLE - 1] = word;
		if (++words >= SHINGLE)
			paragraph->shingles[count++] =
			    mixed(mixed(mixed(1, window[0]), window[1]), window[2]);
	}
	if (length < LENGTH_MIN || count == 0)
		return false;
	paragraph->count = without_doubles(paragraph->shingles, count);
	return true;
}

/* Check 11, for two paragraphs: they repeat each other if at least four fifths of the
 * shingles that one or both of them have are in both. */
static bool
is_repeated(const struct paragraph *a, const struct paragraph *b)
{
	size_t i = 0, j = 0, common = 0;

	/* With such a difference in length they cannot have four fifths in
	 * common. */
	if (5 * a->count < 4 * b->count || 5 * b->count < 4 * a->count)
		return false;
	while (i < a->count && j < b->count) {
		int order = compare(a->shingles[i], b->shingles[j]);
		common += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	return 5 * common >= 4 * (a->count + b->count - common);
}

/* Returns how many of the first shingles must be looked at: two paragraphs with
 * four fifths in common share at least one of these. */
static size_t
first_fifth(const struct paragraph *paragraph)
{
	return paragraph->count - (4 * paragraph->count + 4) / 5 + 1;
}

/* Returns the first fifths of all paragraphs, ordered by shingle, so that
 * paragraphs that share one are neighbours. */
static struct meeting *
meetings_of(
    struct arena *a, const struct paragraph *paragraphs, size_t count, size_t *meeting_count)
{
	struct meeting *meetings;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += first_fifth(&paragraphs[i]);
	meetings = arena_array(a, n, sizeof(*meetings));
	*meeting_count = n;
	n = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t s = 0; s < first_fifth(&paragraphs[i]); s++) {
			meetings[n].shingle = paragraphs[i].shingles[s];
			meetings[n++].paragraph = i;
		}
	}
	if (n > 0)
		qsort(meetings, n, sizeof(*meetings), by_shingle);
	return meetings;
}

static const char *
repeat_reason(
    const struct checks *k, const struct checks_text *first, const struct checks_text *second)
{
	checks_at(k, second->raw);
	return arena_printf(k->arena,
	    tr_for(k->c, "The paragraph %s in %s says nearly the same as one in %s."),
	    checks_excerpt(k, second->plain), second->place, first->place);
}

/* Returns an earlier paragraph with the shingle of `meetings[i]` that its
 * paragraph repeats, or NULL. */
static const struct paragraph *
repeated_at(struct paragraph *all, const struct meeting *meetings, size_t i)
{
	struct paragraph *second = &all[meetings[i].paragraph];

	while (i-- > 0 && meetings[i].shingle == meetings[i + 1].shingle) {
		const struct paragraph *first = &all[meetings[i].paragraph];
		if (first == second->last)
			continue;
		if (second->comparisons == COMPARISONS_MAX)
			break;
		second->comparisons++;
		second->last = first;
		if (is_repeated(first, second))
			return first;
	}
	return NULL;
}

const char *
checks_repeats(const struct checks *k)
{
	struct paragraph *all = arena_array(k->arena, k->text_count, sizeof(*all));
	size_t count = 0, meeting_count;
	struct meeting *meetings;

	for (size_t i = 0; i < k->text_count; i++) {
		if (k->texts[i].kind != CONTENT_IS_PARAGRAPH &&
		    k->texts[i].kind != CONTENT_IS_SUMMARY)
			continue;
		all[count].text = &k->texts[i];
		count += shingle(k->arena, &all[count]);
	}
	meetings = meetings_of(k->arena, all, count, &meeting_count);
	for (size_t i = 1; i < meeting_count; i++) {
		const struct paragraph *first = repeated_at(all, meetings, i);
		if (first != NULL)
			return repeat_reason(k, first->text, all[meetings[i].paragraph].text);
	}
	return NULL;
}
