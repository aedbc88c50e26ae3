#ifndef ACTION_BLOCK_FACTS_H
#define ACTION_BLOCK_FACTS_H
/*
 * What a person changed in the visual view that Markdown has no form for (docs/console.md §5.4):
 * the caption of a table and whether its first column heads the rows, the title of a note, who said
 * a quote, whether a numbered list is steps, the day on which a source was read. Each names its
 * block by the line in which that begins, and only what is named changes.
 *
 * [{"line": 11, "kind": "table", "caption": "…", "rowHeader": true},
 *  {"line": 20, "kind": "list", "steps": true}, {"line": 31, "kind": "callout", "title": "…"},
 *  {"line": 40, "kind": "quote", "cite": "…"}, {"line": 52, "kind": "source", "accessed": "…"}]
 *
 * A member that is absent stays as the text's base has it; "", null or false takes it away. Of two
 * for one line the last counts. Refusals have the param "text".
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/settings.h"
#include "base/err.h"
#include "content/snapshot.h"

#define BLOCK_FACTS_MAX ((size_t)64 * 1024) /* bytes of JSON */

struct placed_text;

struct block_facts {
	struct block_fact *list;
	size_t count;
};

/* Reads them; NULL and "" give none. Refuses what is not of this form, and more than 64 KiB. */
MAY_REFUSE struct err *block_facts_read(struct ctx *c, const char *json, struct block_facts *out);

/* Reads a text as body_read() does, and sets them in the content. `was`: the text of `base` (NULL:
 * there is none): a block that kept its lines keeps what was said of it, wherever it is. Refuses
 * a line in which no such block begins, a block that has no place for it (in an answer, in a list),
 * and a second list of steps in a section; what takes away is taken where there is nothing, too. */
MAY_REFUSE struct err *block_facts_set(struct ctx *c, const struct settings *settings,
    const struct snapshot *base, const char *was, const char *title, const char *text,
    const struct block_facts *facts, struct content *out);

/* What a form showed, and what was saved meanwhile, with their texts. */
struct block_facts_sides {
	const struct snapshot *base, *theirs;
	const char *was, *their_text;
	bool is_own; /* the same person saved it, before an answer came: the last word counts */
};

/* Makes their lines those of `merged`, a text that was made of `typed` and of what was saved
 * meanwhile. Refuses (ERR_CONFLICT) where that has the blocks no more, and where somebody else gave
 * the same block another caption, title or name. */
MAY_REFUSE struct err *block_facts_move(struct ctx *c, const struct settings *settings,
    const struct block_facts_sides *sides, const char *typed, const char *merged,
    struct block_facts *facts);

/* The reader finds what it knows of a block by its number in its section, and then a table that
 * comes before another one has its caption. Gives each block of `now` what was said of it in `was`:
 * a block is known by its lines; one with others is the next of its kind that no other one is. */
void block_facts_carry(struct ctx *c, const struct placed_text *was, struct placed_text *now);

/* Checks a content that was changed by hand as one that a provider sends, and reads it. Refuses one
 * of more than CONTENT_BYTES_MAX. The refusals have no param. */
MAY_REFUSE struct err *block_facts_check(
    struct ctx *c, const struct content *changed, const char *language, struct content *out);

#endif
