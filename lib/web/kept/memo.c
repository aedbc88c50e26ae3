#include "web/kept/memo.h"

#include <stdlib.h>
#include <string.h>

#define PLACES (MEMO_SETS * MEMO_WAYS)

/* Returns the first of the name's places. Names are digests: any of their bits are as
 * good as random. */
static unsigned
set_of(const unsigned char *name)
{
	return (name[0] | (unsigned)name[1] << 8) % MEMO_SETS * MEMO_WAYS;
}

static void
forget(struct memo *m, struct memo_place *place)
{
	free(place->bytes);
	m->used -= place->len;
	place->bytes = NULL;
	place->len = 0;
}

/* Returns the index of the name's place, or -1. */
static int
index_of(const struct memo *m, const unsigned char *name)
{
	unsigned first = set_of(name);

	if (m->places == NULL)
		return -1;
	for (unsigned i = first; i < first + MEMO_WAYS; i++) {
		if (m->places[i].bytes != NULL && memcmp(m->places[i].name, name, DIGEST_SIZE) == 0)
			return (int)i;
	}
	return -1;
}

void *
memo_find(const struct memo *m, const unsigned char name[DIGEST_SIZE], size_t *len)
{
	int found = index_of(m, name);

	if (found < 0)
		return NULL;
	*len = m->places[found].len;
	return m->places[found].bytes;
}

/* Returns a place for a name that has none: a free one, or the next by turns. */
static struct memo_place *
place_for(struct memo *m, const unsigned char *name)
{
	unsigned first = set_of(name);

	for (unsigned i = first; i < first + MEMO_WAYS; i++) {
		if (m->places[i].bytes == NULL)
			return &m->places[i];
	}
	m->hand = (m->hand + 1) % PLACES;
	return &m->places[first + m->hand % MEMO_WAYS];
}

void *
memo_put(struct memo *m, const unsigned char name[DIGEST_SIZE], size_t len)
{
	int found = index_of(m, name);
	struct memo_place *place;
	void *bytes;

	if (m->places == NULL)
		m->places = calloc(PLACES, sizeof(*m->places));
	if (m->places == NULL)
		return NULL;
	place = found >= 0 ? &m->places[found] : place_for(m, name);
	forget(m, place);
	if (len > m->max / 8)
		return NULL;
	for (; m->used + len > m->max; m->hand = (m->hand + 1) % PLACES)
		forget(m, &m->places[m->hand]);
	bytes = malloc(len > 0 ? len : 1);
	if (bytes == NULL)
		return NULL;
	memcpy(place->name, name, DIGEST_SIZE);
	place->bytes = bytes;
	place->len = len;
	m->used += len;
	return bytes;
}

void
memo_clear(struct memo *m)
{
	for (unsigned i = 0; m->places != NULL && i < PLACES; i++)
		forget(m, &m->places[i]);
}
