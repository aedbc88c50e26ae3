#include "import/galley/extra.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jread.h"
#include "content/inline.h"
#include "content/lang.h"

const char *
extra_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

int64_t
extra_int(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

bool
extra_bool(const json_t *object, const char *name)
{
	return json_is_true(json_object_get(object, name));
}

const char *
extra_digest(struct ctx *c, const char *text, size_t len)
{
	char hex[DIGEST_HEX];
	struct digest d;

	digest_begin(&d, 8, "galley-text");
	digest_bytes(&d, text, len);
	digest_end_hex(&d, hex);
	return arena_text(c->arena, hex);
}

/* Returns the part that the member "part" names; PART_NONE for another name. */
static enum part
part_named(const char *name)
{
	if (name == NULL)
		return PART_NONE;
	return strcmp(name, "takeaways") == 0	 ? PART_TAKEAWAYS
	       : strcmp(name, "faqs") == 0	 ? PART_FAQS
	       : strcmp(name, "references") == 0 ? PART_REFERENCES
						 : PART_NONE;
}

/* Reads the sections' objects in order. Elements that are not objects are
 * ignored. */
static void
read_sections(struct ctx *c, struct extra *x)
{
	json_t *array = json_object_get(x->root, "sections");
	size_t count = json_array_size(array);

	x->sections = arena_array(c->arena, count, sizeof(*x->sections));
	for (size_t i = 0; i < count; i++) {
		struct extra_section *s = &x->sections[x->count];
		s->json = json_array_get(array, i);
		if (!json_is_object(s->json))
			continue;
		s->id = extra_text(s->json, "id");
		s->heading = extra_text(s->json, "heading");
		if (s->heading == NULL)
			s->heading = "";
		s->sub = extra_bool(s->json, "sub");
		s->part = part_named(extra_text(s->json, "part"));
		x->count++;
	}
	x->lead = x->count > 0 && x->sections[0].heading[0] == '\0' && !x->sections[0].sub &&
		  x->sections[0].part == PART_NONE;
}

/* Reads the ids of the references in their order. */
static void
read_references(struct ctx *c, struct extra *x)
{
	json_t *array = json_object_get(x->root, "references");
	size_t count = json_array_size(array);

	x->references = arena_array(c->arena, count, sizeof(*x->references));
	for (size_t i = 0; i < count; i++) {
		const char *id = extra_text(json_array_get(array, i), "id");
		if (id != NULL)
			x->references[x->reference_count++] = id;
	}
}

struct err *
extra_read(struct ctx *c, const char *text, unsigned line, struct extra *out)
{
	struct err *err;

	memset(out, 0, sizeof(*out));
	out->line = line;
	if (text == NULL)
		return NULL;
	err = jread_parse(c, "galley", text, strlen(text), &out->root);
	if (err != NULL)
		return refuse(c, ERR_INVALID, "line %u: galley: %s", line, err->message);
	if (!json_is_object(out->root))
		return refuse(c, ERR_INVALID, "line %u: \"galley\" must be one JSON object.", line);
	read_sections(c, out);
	read_references(c, out);
	return NULL;
}

/* The document's sections and subsections in one list. */
struct row {
	struct cut **cuts;
	const char **headings;
	bool *subs;
	size_t count;
};

/* Returns a heading without marks and without case, for comparison. */
static const char *
folded(struct ctx *c, const char *heading)
{
	return lang_fold(c->arena, inline_plain(c->arena, heading));
}

static void
row_add(struct ctx *c, struct row *row, struct cut *cut, bool sub)
{
	row->cuts[row->count] = cut;
	row->headings[row->count] = cut->heading == NULL ? "" : folded(c, cut->heading->text);
	row->subs[row->count] = sub;
	row->count++;
}

/* Puts each section before its subsections: the document's order. */
static void
row_of(struct ctx *c, struct cuts *cuts, struct row *row)
{
	size_t count = cuts->count;

	for (size_t i = 0; i < cuts->count; i++)
		count += cuts->list[i].sub_count;
	row->count = 0;
	row->cuts = arena_array(c->arena, count, sizeof(*row->cuts));
	row->headings = arena_array(c->arena, count, sizeof(*row->headings));
	row->subs = arena_array(c->arena, count, sizeof(*row->subs));
	for (size_t i = 0; i < cuts->count; i++) {
		row_add(c, row, &cuts->list[i], false);
		for (size_t j = 0; j < cuts->list[i].sub_count; j++)
			row_add(c, row, &cuts->list[i].subs[j], true);
	}
}

/* Returns the lengths of the longest common subsequences behind each pair of
 * places. */
static unsigned *
lengths(struct ctx *c, const struct row *row, const struct extra *x, const char *const *headings)
{
	size_t width = x->count + 1;
	unsigned *table = arena_array(c->arena, (row->count + 1) * width, sizeof(*table));

	for (size_t i = row->count; i-- > 0;) {
		for (size_t j = x->count; j-- > 0;) {
			unsigned down = table[(i + 1) * width + j];
			unsigned right = table[i * width + j + 1];
			bool same = row->subs[i] == x->sections[j].sub &&
				    strcmp(row->headings[i], headings[j]) == 0;
			table[i * width + j] = same	      ? table[(i + 1) * width + j + 1] + 1
					       : down > right ? down
							      : right;
		}
	}
	return table;
}

/* Pairs the headings between two pairs that were found: if there are equally many
 * on both sides, they are the same sections with new headings. */
static void
pair_gap(struct row *row, struct extra *x, size_t i, size_t j, size_t to_i, size_t to_j)
{
	if (to_i - i != to_j - j)
		return;
	for (; i < to_i; i++, j++) {
		if (row->subs[i] == x->sections[j].sub && row->headings[i][0] != '\0' &&
		    x->sections[j].heading[0] != '\0') {
			row->cuts[i]->extra = &x->sections[j];
			x->sections[j].found = true;
		}
	}
}

/* Pairs the document's headings with those of the objects: those of the longest
 * common subsequence are the same, and pair_gap() decides between two of them. */
static void
pair(struct ctx *c, struct row *row, struct extra *x)
{
	const char **headings = arena_array(c->arena, x->count, sizeof(*headings));
	size_t i = 0, j = 0, gap_i = 0, gap_j = 0, width = x->count + 1;
	unsigned *table;

	for (size_t k = 0; k < x->count; k++)
		headings[k] = folded(c, x->sections[k].heading);
	table = lengths(c, row, x, headings);
	while (i < row->count && j < x->count) {
		if (row->subs[i] == x->sections[j].sub &&
		    strcmp(row->headings[i], headings[j]) == 0) {
			pair_gap(row, x, gap_i, gap_j, i, j);
			row->cuts[i]->extra = &x->sections[j];
			x->sections[j].found = true;
			gap_i = ++i;
			gap_j = ++j;
		} else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
			i++;
		} else {
			j++;
		}
	}
	pair_gap(row, x, gap_i, gap_j, row->count, x->count);
}

void
extra_find(struct ctx *c, struct extra *x, struct cuts *cuts, struct losses *losses)
{
	struct row row;

	if (x->root == NULL)
		return;
	row_of(c, cuts, &row);
	/* An honest document has a few thousand pairs to compare. */
	if (row.count * x->count <= 16 * 1000 * 1000)
		pair(c, &row, x);
	for (size_t i = 0; i < x->count; i++) {
		if (!x->sections[i].found && x->sections[i].heading[0] != '\0')
			losses_add(losses, x->line,
			    "the section \"%s\" is gone; what the line \"galley\" says of it is not used",
			    losses_excerpt(c, x->sections[i].heading, 60));
	}
}
