#include "pages/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"

/* The language of the present page, as tr_tag() is that of po/; each page sets both. */
static const struct words *spoken = words_table;

/* Returns whether the tag is this language, or one of its regions. */
static bool
is_of(const char *tag, const char *language)
{
	size_t len = strlen(language);

	return strncasecmp(tag, language, len) == 0 && (tag[len] == '\0' || tag[len] == '-');
}

/* Returns whether Chinese of this tag is written in traditional characters. */
static bool
is_traditional(const char *tag)
{
	static const char *const marks[] = { "-hant", "-tw", "-hk", "-mo" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (strcasestr(tag, marks[i]) != NULL)
			return is_of(tag, "zh") && strcasestr(tag, "-hans") == NULL;
	}
	return false;
}

/* Returns the row that names the tag best, or NULL. */
static const struct words *
find(const char *tag)
{
	const struct words *best = NULL;

	if (is_traditional(tag))
		tag = "zh-Hant";
	else if (is_of(tag, "no") || is_of(tag, "nn"))
		tag = "nb";
	for (const struct words *row = words_table; row->tag != NULL; row++) {
		if (is_of(tag, row->tag) && (best == NULL || strlen(row->tag) > strlen(best->tag)))
			best = row;
	}
	return best;
}

void
words_begin(struct ctx *c, const char *language)
{
	tr_begin(c, tr_accept(language)->tag);
	spoken = find(language);
	if (spoken == NULL)
		spoken = find(tr_tag());
	if (spoken == NULL)
		spoken = words_table;
}

static const void *
fits(const char *tag, size_t len)
{
	char text[36];

	if (len >= sizeof(text))
		return NULL;
	memcpy(text, tag, len);
	text[len] = '\0';
	return find(text);
}

const char *
words_begin_reader(struct ctx *c, const char *accept_language)
{
	const struct words *wanted = tr_wanted(accept_language, fits);

	words_begin(c, wanted != NULL ? wanted->tag : words_table->tag);
	return spoken->tag;
}

/* Returns a text in the page's language, and the language that it is in. */
static const char *
said(const char *english, const char **tag)
{
	for (size_t i = 0; i < WORDS_TEXTS; i++) {
		if (spoken->texts[i] != NULL && strcmp(words_english[i], english) == 0) {
			*tag = spoken->tag;
			return spoken->texts[i];
		}
	}
	*tag = tr_tag();
	return tr(english);
}

const char *
words_said(const char *english)
{
	const char *tag;

	return said(english, &tag);
}

/* Returns whether both tags begin with the same language. */
static bool
is_same(const char *a, const char *b)
{
	size_t len = strcspn(a, "-");

	return len == strcspn(b, "-") && strncasecmp(a, b, len) == 0;
}

/* Writes a text that is in the language `tag`. */
static void
write_in(struct hwrite *w, const char *around, const char *tag, const char *text)
{
	if (is_same(around, tag)) {
		hwrite_text(w, text);
		return;
	}
	hwrite_open(w, H_SPAN);
	hwrite_language(w, tag);
	hwrite_text(w, text);
	hwrite_close(w, H_SPAN);
}

void
words_text(struct hwrite *w, const char *around, const char *english)
{
	const char *tag, *text = said(english, &tag);

	write_in(w, around, tag, text);
}

void
words_element(struct hwrite *w, enum hwrite_element e, const char *class, const char *around,
    const char *english)
{
	const char *tag, *text = said(english, &tag);

	hwrite_open(w, e);
	hwrite_attr(w, A_CLASS, class);
	if (e == H_SPAN && !is_same(around, tag)) {
		hwrite_language(w, tag);
		around = tag;
	}
	write_in(w, around, tag, text);
	hwrite_close(w, e);
}

/* Writes a date's part: the day, the year, or the month in words or numbers. */
static void
add_part(struct buf *out, char part, const char *date)
{
	const char *month = spoken->months;
	int number = (date[5] - '0') * 10 + date[6] - '0';

	if (part == 'y') {
		buf_printf(out, "%.4s", date);
	} else if (part == 'd') {
		buf_printf(out, "%d", (date[8] - '0') * 10 + date[9] - '0');
	} else if (month == NULL) {
		buf_printf(out, "%d", number);
	} else {
		while (--number > 0)
			month = strchr(month, '|') + 1;
		buf_add(out, month, strcspn(month, "|"));
	}
}

void
words_date(struct ctx *c, struct hwrite *w, const char *around, int64_t at)
{
	char date[CLOCK_TEXT];
	struct buf out;

	clock_format_date(date, at);
	buf_init(&out, c->arena, 200);
	for (const char *p = spoken->date; *p != '\0'; p++) {
		if (*p == '%')
			add_part(&out, *++p, date);
		else
			buf_add_char(&out, *p);
	}
	hwrite_open(w, H_TIME);
	hwrite_attr(w, A_DATETIME, date);
	write_in(w, around, spoken->tag, buf_done(&out));
	hwrite_close(w, H_TIME);
}

void
words_minutes(struct ctx *c, struct hwrite *w, const char *around, int64_t minutes)
{
	const char *at, *tag = spoken->tag, *text;

	if (spoken->minutes != NULL) {
		at = strstr(spoken->minutes, "%lld");
		text = arena_printf(c->arena, "%.*s%lld%s", (int)(at - spoken->minutes),
		    spoken->minutes, (long long)minutes, at + 4);
	} else {
		tag = tr_tag();
		text = arena_printf(c->arena,
		    tr_count("%lld minute to read", "%lld minutes to read", minutes),
		    (long long)minutes);
	}
	hwrite_open(w, H_SPAN);
	if (!is_same(around, tag))
		hwrite_language(w, tag);
	hwrite_text(w, text);
	hwrite_close(w, H_SPAN);
}
