#include "stats/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define FIRST_SIZE 1024

void
sums_init(struct sums *t, struct arena *a)
{
	*t = (struct sums) { .arena = a };
}

/* FNV-1a. A stranger who makes keys meet makes a chunk slow, which has some thousand lines. */
static uint64_t
mix(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
hash_of(const struct sums_key *k)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = mix(hash, &k->place, sizeof(k->place));
	hash = mix(hash, &k->kind, sizeof(k->kind));
	hash = mix(hash, &k->day, sizeof(k->day));
	hash = mix(hash, k->article, strlen(k->article) + 1);
	hash = mix(hash, k->label, strlen(k->label));
	return hash ^ hash >> 29;
}

static int
compare(const struct sums_key *a, const struct sums_key *b)
{
	int order;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->day != b->day)
		return a->day < b->day ? -1 : 1;
	order = strcmp(a->article, b->article);
	return order != 0 ? order : strcmp(a->label, b->label);
}

/* Returns the place of a key: its row, or the free one where it belongs. */
static struct sums_row *
find(const struct sums *t, const struct sums_key *key, uint64_t hash)
{
	size_t i = (size_t)hash & (t->size - 1);

	while (t->rows[i].count != 0 &&
	       (t->rows[i].hash != hash || compare(&t->rows[i].key, key) != 0))
		i = (i + 1) & (t->size - 1);
	return &t->rows[i];
}

static void
grow(struct sums *t)
{
	struct sums old = *t;

	t->size = old.size == 0 ? FIRST_SIZE : 2 * old.size;
	t->rows = arena_array(t->arena, t->size, sizeof(*t->rows));
	for (size_t i = 0; i < old.size; i++) {
		const struct sums_row *row = &old.rows[i];
		if (row->count != 0)
			*find(t, &row->key, row->hash) = *row;
	}
}

void
sums_add(struct sums *t, const struct sums_key *key)
{
	uint64_t hash = hash_of(key);
	struct sums_row *row;

	if (2 * t->count >= t->size)
		grow(t);
	row = find(t, key, hash);
	if (row->count == 0) {
		row->key = *key;
		row->hash = hash;
		t->count++;
	}
	row->count++;
}

static int
by_key(const void *a, const void *b)
{
	return compare(&((const struct sums_row *)a)->key, &((const struct sums_row *)b)->key);
}

struct sums_row *
sums_sorted(struct sums *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->size; i++) {
		if (t->rows[i].count != 0)
			t->rows[n++] = t->rows[i];
	}
	if (n > 0)
		qsort(t->rows, n, sizeof(*t->rows), by_key);
	return t->rows;
}
