#include "provider/outline/theme.h"

#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "provider/task.h"
#include "provider/outline/title.h"
#include "provider/outline/words.h"

enum {
	/* of the newest articles: they show what the workspace is about now */
	TITLES_MAX = 50,
	TITLE_WORDS = 20,
	PHRASE_WORDS = 3,
	WHOLE_TITLE_MAX = 60, /* code points of a title without a word */
	CJK_MIN = 2, /* characters of a phrase in Han or Katakana */
	CJK_MAX = 6,
	CJK_RUN_MAX = 24 /* characters of a run that are examined */
};

struct titles {
	const char *text[TITLES_MAX];
	struct words words[TITLES_MAX];
	size_t count;
};

struct theme {
	const char *text; /* "" for none */
	/* titles that hold it, times its length in words or characters of CJK */
	size_t score;
};

static void
read_titles(struct ctx *c, const struct task *task, struct titles *t)
{
	for (size_t i = 0; i < task->article_count && i < TITLES_MAX; i++) {
		t->text[i] = task->articles[i].title;
		words_split(c, task->workspace.language, t->text[i], TITLE_WORDS, &t->words[i]);
		t->count++;
	}
}

/* Returns whether the words [at, at + len) are one phrase: they are joined, and
 * neither the first nor the last is a stop word or a run of Han or Katakana. */
static bool
is_phrase(const struct words *w, size_t at, size_t len)
{
	if (at + len > w->count || w->list[at].stop || w->list[at].cjk ||
	    w->list[at + len - 1].stop || w->list[at + len - 1].cjk)
		return false;
	for (size_t i = at + 1; i < at + len; i++) {
		if (!w->list[i].joined)
			return false;
	}
	return true;
}

/* Returns the phrase as the title writes it. */
static const char *
phrase_text(struct ctx *c, const struct titles *t, size_t title, size_t at, size_t len)
{
	const struct word *list = t->words[title].list;

	return arena_text_n(
	    c->arena, t->text[title] + list[at].at, list[at + len - 1].end - list[at].at);
}

static bool
has_phrase(const struct words *w, const struct word *phrase, size_t len)
{
	for (size_t at = 0; at + len <= w->count; at++) {
		size_t same = 0;
		while (same < len && words_same(&w->list[at + same], &phrase[same]))
			same++;
		if (same == len)
			return true;
	}
	return false;
}

/* Takes a phrase as the theme if it is better than the best one. A phrase of one title
 * only is no theme. A longer phrase says more, so fewer titles may hold it. */
static void
consider(struct theme *best, const char *text, size_t titles, size_t length)
{
	if (titles < 2 || titles * length <= best->score)
		return;
	best->text = text;
	best->score = titles * length;
}

static void
consider_phrases(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count; at++) {
		for (size_t len = 1; len <= PHRASE_WORDS; len++) {
			size_t titles = 0;
			if (!is_phrase(w, at, len))
				continue;
			for (size_t i = 0; i < t->count; i++)
				titles += has_phrase(&t->words[i], &w->list[at], len);
			consider(best, phrase_text(c, t, title, at, len), titles, len);
		}
	}
}

/* Returns how many titles hold `text`. */
static size_t
titles_with(const struct titles *t, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++)
		count += strstr(t->text[i], text) != NULL;
	return count;
}

/* Considers the parts of a run of Han or Katakana. */
static void
consider_run(struct ctx *c, const struct titles *t, const struct word *run, struct theme *best)
{
	const char *p = run->text;

	for (int i = 0; *p != '\0' && i < CJK_RUN_MAX; i++, utf8_next(&p)) {
		for (size_t len = CJK_MIN; len <= CJK_MAX; len++) {
			size_t bytes = utf8_prefix(p, len);
			char *part = arena_text_n(c->arena, p, bytes);
			if (utf8_length(part) == len)
				consider(best, part, titles_with(t, part), len);
		}
	}
}

static const char *
with_capital(struct ctx *c, const char *text)
{
	const char *p = text;
	struct buf b;

	while (*p != '\0' && *p != ' ') {
		if (utf8proc_category((utf8proc_int32_t)utf8_next(&p)) == UTF8PROC_CATEGORY_LU)
			return text;
	}
	p = text;
	buf_init(&b, c->arena, strlen(text) + 8);
	buf_add_code_point(&b, (uint32_t)utf8proc_totitle((utf8proc_int32_t)utf8_next(&p)));
	buf_add_text(&b, p);
	return b.data;
}

/* Takes the longest of the phrases that begin first in a title. */
static void
first_phrase(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count && best->text[0] == '\0'; at++) {
		size_t len = PHRASE_WORDS;
		while (len > 0 && !is_phrase(w, at, len))
			len--;
		if (w->list[at].cjk && !w->list[at].stop)
			best->text = w->list[at].text;
		else if (len > 0)
			best->text = phrase_text(c, t, title, at, len);
	}
}

const char *
theme_find(struct ctx *c, const struct task *task)
{
	struct titles *t = arena_alloc(c->arena, sizeof(*t));
	struct theme best = { "", 0 };

	read_titles(c, task, t);
	for (size_t i = 0; i < t->count; i++) {
		consider_phrases(c, t, i, &best);
		for (size_t k = 0; k < t->words[i].count; k++) {
			if (t->words[i].list[k].cjk)
				consider_run(c, t, &t->words[i].list[k], &best);
		}
	}
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++)
		first_phrase(c, t, i, &best);
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++) {
		if (!title_is_blank(t->text[i]))
			best.text = title_cut(c, t->text[i], WHOLE_TITLE_MAX);
	}
	return best.text[0] != '\0' ? with_capital(c, best.text) : NULL;
}
