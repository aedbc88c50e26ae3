#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "export/checks/checks.h"

/* Phrases that no published text may contain, in any language. They are in lower
 * case and separated by "|". */
static const char everywhere[] =
    "lorem ipsum|dolor sit amet|[insert |[your |[placeholder|[todo|[tbd|[company name|{{";

/* Returns the phrases of both lists, folded; NULL ends them. */
static const char **
phrases_of(struct arena *a, const char *list, const char *more)
{
	char *text = arena_text(a, lang_fold(a, arena_printf(a, "%s|%s", list, more)));
	const char **phrases = arena_array(a, strlen(text) + 2, sizeof(*phrases));
	size_t count = 0;

	while (text != NULL) {
		char *bar = strchr(text, '|');
		if (bar != NULL)
			*bar = '\0';
		if (text[0] != '\0')
			phrases[count++] = text;
		text = bar == NULL ? NULL : bar + 1;
	}
	return phrases;
}

/* Returns whether the found text is a word: no letter or digit touches either end
 * of it. */
static bool
is_word_at(const char *text, const char *at, size_t len)
{
	const char *before = at, *after = at + len;

	if (at > text) {
		do
			before--;
		while (before > text && ((unsigned char)*before & 0xC0) == 0x80);
		if (lang_is_word(utf8_next(&before)))
			return false;
	}
	return !lang_is_word(utf8_next(&after));
}

/* Finds a mark of unfinished work: TODO, FIXME or TBD as a word of its own, in
 * capitals. In Spanish and Portuguese, where "todo" is a word that a headline may
 * write in capitals, ":" or "(" must follow it. */
static const char *
marker_in(const struct checks *k, const char *text)
{
	static const char *const markers[] = { "TODO", "FIXME", "TBD" };
	bool careful =
	    strncmp(k->f->language, "es", 2) == 0 || strncmp(k->f->language, "pt", 2) == 0;

	for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++) {
		size_t len = strlen(markers[i]);
		const char *p = text;
		while ((p = strstr(p, markers[i])) != NULL) {
			if (is_word_at(text, p, len) &&
			    (!careful || p[len] == ':' || p[len] == '('))
				return markers[i];
			p += len;
		}
	}
	return NULL;
}

/* Check 12, for one text: it must contain no marker as it is spelled, and no
 * placeholder phrase in any case. */
static const char *
placeholder_in(const struct checks *k, const char **phrases, const char *text, const char *place)
{
	const char *found = marker_in(k, text);
	const char *folded = lang_fold(k->arena, text);

	for (; found == NULL && *phrases != NULL; phrases++) {
		if (strstr(folded, *phrases) != NULL)
			found = *phrases;
	}
	if (found == NULL)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "There is \"%s\" in %s."), found, place);
}

/* Check 12 fails for an edition that was published with to-dos. They were left
 * out, so that its content does not show them. */
static const char *
left_out(const struct checks *k)
{
	int64_t count = k->f->snapshot->unfinished;

	if (!k->f->source->published || count == 0)
		return NULL;
	return arena_printf(k->arena,
	    tr_count_for(k->c, "%lld place had something to do when it was published.",
		"%lld places had something to do when it was published.", count),
	    (long long)count);
}

/* Check 12 fails if there is a callout of kind todo. */
static const char *
todo_in(const struct checks *k, const struct section *sections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		const char *reason;
		for (size_t j = 0; j < s->callout_count; j++) {
			if (s->callouts[j].kind != CALLOUT_TODO)
				continue;
			checks_at(k, s->callouts[j].text);
			return arena_printf(k->arena,
			    tr_for(k->c, "There is something to do in %s: %s."),
			    s->heading[0] == '\0' ? tr_for(k->c, "the beginning") : s->heading,
			    checks_excerpt(k, s->callouts[j].text));
		}
		reason = todo_in(k, s->subsections, s->subsection_count);
		if (reason != NULL)
			return reason;
	}
	return NULL;
}

/* Check 12, for the texts beside the flow of the content. */
static const char *
placeholder_beside(const struct checks *k, const char **phrases)
{
	const struct content *content = k->f->content;
	const struct {
		const char *text, *place;
	} others[] = {
		{ k->f->snapshot->title, tr_mark("the title") },
		{ k->f->description, tr_mark("the meta description") },
		{ content->image_alt, tr_mark("the cover's alternative text") },
		{ content->image_caption, tr_mark("the cover's caption") },
	};
	const char *reason = NULL;

	for (size_t i = 0; i < 4 && reason == NULL; i++) {
		if (others[i].text != NULL)
			reason = placeholder_in(
			    k, phrases, others[i].text, tr_for(k->c, others[i].place));
	}
	return reason;
}

const char *
checks_placeholders(const struct checks *k)
{
	int language = checks_words_find(k->f->language);
	const char *own = language < 0 ? "" : checks_words[language].placeholders;
	const char *english = checks_words[checks_words_find("en")].placeholders;
	const char **phrases =
	    phrases_of(k->arena, everywhere, arena_printf(k->arena, "%s|%s", english, own));
	const struct content *content = k->f->content;
	const char *reason = left_out(k);

	if (reason == NULL)
		reason = todo_in(k, content->sections, content->section_count);
	for (size_t i = 0; i < k->text_count && reason == NULL; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			reason = placeholder_in(
			    k, phrases, checks_prose(k, &k->texts[i]), k->texts[i].place);
		if (reason != NULL)
			*k->text = i + 1;
	}
	return reason != NULL ? reason : placeholder_beside(k, phrases);
}
