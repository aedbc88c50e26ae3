#include "content/subtag.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "system/near.h"

struct language {
	char tag[3];
	char three[4]; /* its code of three letters, which is no subtag */
	char library[4]; /* the one that libraries use, or "" */
	char name[20]; /* in English */
};

/* Codes of countries, and old codes, that people write in place of a language's. */
struct mistake {
	char wrong[10], right[6];
};

/*
 * The subtags that are registered, made of languages.txt: 8 KiB that no program of the API carries.
 *
 * subtag_two, subtag_three, subtag_region	languages of two and of three letters, regions of
 *						two: a bit for the last letter, found by those
 *						before it
 * subtag_scripts, subtag_parts			scripts, four letters each; parts of the world,
 *						three digits each
 * languages, mistakes				arrays of the structs above
 */
#include "subtags.gen.h"

#define LANGUAGE_COUNT (sizeof(languages) / sizeof(languages[0]))

/* Languages whose code is that of a country in which another language is spoken. */
static const struct {
	char tag[3], meant[6];
	char is[16], other[28];
} doubts[] = {
	{ "se", "sv", "Northern Sami", "Swedish" },
	{ "kr", "ko", "Kanuri", "Korean" },
	{ "br", "pt-BR", "Breton", "the Portuguese of Brazil" },
	{ "si", "sl", "Sinhala", "Slovenian" },
	{ "ee", "et", "Ewe", "Estonian" },
};

static bool
has_bit(uint32_t mask, char letter)
{
	return (mask >> ((letter | 0x20) - 'a') & 1) != 0;
}

static size_t
index_of(char letter)
{
	return (size_t)((letter | 0x20) - 'a');
}

/* Returns whether a language is registered. It consists of letters, because the
 * tag is well-formed. */
static bool
is_language(const char *p, size_t len)
{
	if (len == 2)
		return has_bit(subtag_two[index_of(p[0])], p[1]);
	if (len != 3)
		return false;
	/* qaa to qtz are for private use. */
	if (p[0] == 'q' && p[1] <= 't')
		return true;
	return has_bit(subtag_three[index_of(p[0])][index_of(p[1])], p[2]);
}

static bool
is_script(const char *p)
{
	/* Qaaa to Qabx are for private use. */
	if (strncasecmp(p, "Qaa", 3) == 0 ||
	    (strncasecmp(p, "Qab", 3) == 0 && (p[3] | 0x20) <= 'x'))
		return true;
	for (const char *s = subtag_scripts; *s != '\0'; s += 4) {
		if (strncasecmp(s, p, 4) == 0)
			return true;
	}
	return false;
}

/* Returns whether a region is registered. Numbers are for parts of the world;
 * countries have letters. */
static bool
is_region(const char *p)
{
	if (p[0] >= '0' && p[0] <= '9') {
		for (const char *s = subtag_parts; *s != '\0'; s += 3) {
			if (strncmp(s, p, 3) == 0)
				return true;
		}
		return false;
	}
	/* AA, QM to QZ, XA to XZ and ZZ are for private use. */
	if (p[0] == 'X' || (p[0] == 'Q' && p[1] >= 'M') || strncmp(p, "AA", 2) == 0 ||
	    strncmp(p, "ZZ", 2) == 0)
		return true;
	return has_bit(subtag_region[index_of(p[0])], p[1]);
}

/* Returns the tag that was probably meant by a language's name, its code of three
 * letters, or a country's code; NULL if none is known. */
static const char *
meant_by(const char *word, size_t len)
{
	struct near near;
	char text[24];
	size_t i;

	if (len == 0 || len >= sizeof(text))
		return NULL;
	memcpy(text, word, len);
	text[len] = '\0';
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		if (strcasecmp(mistakes[i].wrong, text) == 0)
			return mistakes[i].right;
	}
	for (i = 0; i < LANGUAGE_COUNT; i++) {
		const struct language *l = &languages[i];
		if (strcasecmp(l->three, text) == 0 || strcasecmp(l->library, text) == 0 ||
		    strcasecmp(l->name, text) == 0)
			return l->tag;
	}
	if (len < 5)
		return NULL;
	text[0] = (char)(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 32 : text[0]);
	near = near_to(text);
	for (i = 0; i < LANGUAGE_COUNT; i++)
		near_try(&near, languages[i].name);
	for (i = 0; i < LANGUAGE_COUNT && near.best != NULL; i++) {
		if (near.best == languages[i].name)
			return languages[i].tag;
	}
	return NULL;
}

/* Returns the first subtag that is not registered, or NULL if all are. *what
 * becomes its kind: "language", "script" or "region". */
static const char *
unregistered(const char *tag, const char **what)
{
	const char *script = lang_table_script(tag);
	const char *region = lang_table_region(tag);

	if (strncasecmp(tag, "x-", 2) == 0)
		return NULL;
	*what = "language";
	if (!is_language(tag, lang_table_primary(tag)))
		return tag;
	*what = "script";
	if (script != NULL && !is_script(script))
		return script;
	*what = "region";
	return region != NULL && !is_region(region) ? region : NULL;
}

const char *
subtag_meant(struct arena *a, const char *text)
{
	char *hyphens = arena_text_n(a, text, strcspn(text, ".@"));
	const char *clean, *what, *bad;
	size_t len;

	for (char *p = hyphens; *p != '\0'; p++) {
		if (*p == '_' || *p == ' ')
			*p = '-';
	}
	len = strcspn(hyphens, "-");
	clean = lang_clean(a, hyphens);
	bad = clean == NULL ? NULL : unregistered(clean, &what);
	if (clean != NULL && bad == NULL)
		return clean;
	if (bad != NULL && bad > clean && strncmp(bad, "UK", 3) == 0)
		return arena_printf(a, "%.*sGB", (int)(bad - clean), clean);
	return meant_by(hyphens, len);
}

/* Returns the end of a refusal: "; did you mean en-GB?", or examples of tags. */
static const char *
suggestion(struct arena *a, const char *text)
{
	const char *meant = subtag_meant(a, text);

	return meant == NULL ? ": write en, ar, pt-BR and the like." : near_question(a, meant);
}

struct err *
subtag_read(struct ctx *c, const char *param, const char *text, const char *old, const char **out)
{
	const char *clean = lang_clean(c->arena, text), *bad, *what;

	*out = NULL;
	if (clean == NULL)
		return err_param(c, param, tr_mark("%s is not a language tag%s"), text,
		    suggestion(c->arena, text));
	bad = old != NULL && strcmp(old, clean) == 0 ? NULL : unregistered(clean, &what);
	if (bad != NULL)
		return err_param(c, param,
		    tr_mark("%s is not a language tag: there is no %s %.*s%s"), text, what,
		    (int)strcspn(bad, "-"), bad, suggestion(c->arena, text));
	*out = clean;
	return NULL;
}

const char *
subtag_doubt(struct arena *a, const char *tag)
{
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		if (strcmp(tag, doubts[i].tag) == 0)
			return arena_printf(a, "%s is %s; %s is %s.", tag, doubts[i].is,
			    doubts[i].other, doubts[i].meant);
	}
	return NULL;
}
