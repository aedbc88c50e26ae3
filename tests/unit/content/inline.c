/* suite: fast */
#include "content/inline.h"

#include <ctype.h>
#include <time.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "base/watch.h"
#include "tests/tap.h"

static struct arena arena;

/* The tokens in a form that is easy to read: <b> strong, <i> emphasis, <c>
 * code, <a=ADDRESS> link, <r=ID> citation, "|" between two texts. */
static const char *
shown(const char *text)
{
	size_t count;
	struct inline_token *t = inline_parse(&arena, text, &count);
	struct buf out;

	buf_init(&out, &arena, 10 * strlen(text) + 100);
	for (size_t i = 0; i < count; i++) {
		int len = (int)t[i].len;
		if (i > 0 && t[i].event == INLINE_TEXT && t[i - 1].event == INLINE_TEXT)
			buf_add_char(&out, '|');
		switch (t[i].event) {
		case INLINE_TEXT:
			buf_add(&out, t[i].text, t[i].len);
			break;
		case INLINE_CODE:
			buf_printf(&out, "<c>%.*s</c>", len, t[i].text);
			break;
		case INLINE_CITE:
			buf_printf(&out, "<r=%.*s>", len, t[i].text);
			break;
		case INLINE_STRONG:
			buf_lit(&out, "<b>");
			break;
		case INLINE_STRONG_END:
			buf_lit(&out, "</b>");
			break;
		case INLINE_EMPHASIS:
			buf_lit(&out, "<i>");
			break;
		case INLINE_EMPHASIS_END:
			buf_lit(&out, "</i>");
			break;
		case INLINE_LINK:
			buf_printf(&out, "<a=%.*s>", len, t[i].text);
			break;
		case INLINE_LINK_END:
			buf_lit(&out, "</a>");
			break;
		}
	}
	return buf_done(&out);
}

static const struct {
	const char *text, *shown;
} cases[] = {
	{ "", "" },
	{ "plain _text_ <b> & ~~more~~", "plain _text_ <b> & ~~more~~" },
	{ "a\nb", "a\nb" },

	/* Strong and emphasis, by CommonMark's flanking rules. */
	{ "**strong** *emphasis*", "<b>strong</b> <i>emphasis</i>" },
	{ "***both***", "<i><b>both</b></i>" },
	{ "**a *b* c**", "<b>a <i>b</i> c</b>" },
	{ "*a **b** c*", "<i>a <b>b</b> c</i>" },
	{ "*a **b***", "<i>a <b>b</b></i>" },
	{ "***a** b*", "<i><b>a</b> b</i>" },
	{ "***a* b**", "<b><i>a</i> b</b>" },
	{ "in*tra*word", "in<i>tra</i>word" },
	{ "in**tra**word", "in<b>tra</b>word" },
	{ "2 * 3 * 4", "2 * 3 * 4" },
	{ "2*3", "2*3" },
	{ "a * b*", "a * b*" },
	{ "*a *", "*a *" },
	{ "** a**", "** a**" },
	{ "a*\"b\"*", "a*\"b\"*" },
	{ "*(*a*)*", "<i>(<i>a</i>)</i>" },
	{ "**a*", "*<i>a</i>" },
	{ "*a**", "<i>a</i>*" },
	{ "*a**b*", "<i>a**b</i>" },
	{ "**a*b**", "<b>a*b</b>" },
	{ "*a **b*", "*a *<i>b</i>" },
	{ "a**b*c***", "a<b>b<i>c</i></b>" },
	{ "*a***b**", "<i>a</i><b>b</b>" },
	{ "****a****", "<b><b>a</b></b>" },
	{ "****", "****" },
	{ "**", "**" },
	{ "*a\xC2\xA0*", "*a\xC2\xA0*" },
	{ "**「強調」**です", "**「強調」**です" },
	{ "これは**強調**です", "これは<b>強調</b>です" },
	{ "*a* *", "<i>a</i> *" },
	{ "a***b***c", "a<i><b>b</b></i>c" },
	{ "**b*ba****.c", "<b>b<i>ba</i></b>*.c" },
	{ "x.**e*b*e* x", "x.*<i>e<i>b</i>e</i> x" },
	{ "x* **.*(*.b**** x", "x* <b>.<i>(</i>.b</b>** x" },

	/* Code: no escapes inside; one space at each end belongs to the mark. */
	{ "`code`", "<c>code</c>" },
	{ "`a\\`b`", "<c>a\\</c>b`" },
	{ "``a`b``", "<c>a`b</c>" },
	{ "`` `a` ``", "<c>`a`</c>" },
	{ "`  `", "<c>  </c>" },
	{ "` a`", "<c> a</c>" },
	{ "`a\nb`", "<c>a b</c>" },
	{ "`**a**`", "<c>**a**</c>" },
	{ "*a `b* c`", "*a <c>b* c</c>" },
	{ "``a`", "``a`" },
	{ "`a``", "`a``" },
	{ "\\`a`", "`a`" },
	{ "\\``a`", "`<c>a</c>" },
	{ "`[a](https://x.org)`", "<c>[a](https://x.org)</c>" },
	{ "[a`](https://x.org)`", "[a<c>](https://x.org)</c>" },

	/* A backslash makes the next character literal. */
	{ "\\*a\\*", "*a*" },
	{ "\\\\*a*", "\\<i>a</i>" },
	{ "\\a\\ü", "aü" },
	{ "a\\", "a\\" },
	{ "\\[a](https://x.org)", "[a](https://x.org)" },
	{ "*a\\*", "*a*" },

	/* Links. */
	{ "[a](https://x.org)", "<a=https://x.org>a</a>" },
	{ "[a](http://x.org/b?c#d)", "<a=http://x.org/b?c#d>a</a>" },
	{ "[a](mailto:b@x.org)", "<a=mailto:b@x.org>a</a>" },
	{ "[a](#s1)", "<a=#s1>a</a>" },
	{ "[**a** `b`](https://x.org)", "<a=https://x.org><b>a</b> <c>b</c></a>" },
	{ "**[a](https://x.org)**", "<b><a=https://x.org>a</a></b>" },
	{ "*a [b* c](https://x.org)", "*a <a=https://x.org>b* c</a>" },
	{ "*a [b](https://x.org) c*", "<i>a <a=https://x.org>b</a> c</i>" },
	{ "[*a](https://x.org)*", "<a=https://x.org>*a</a>*" },
	{ "[a](https://x.org/b_(c))", "<a=https://x.org/b_(c)>a</a>" },
	{ "[a](https://x.org/b)c)", "<a=https://x.org/b>a</a>c)" },
	{ "[a](https://x.org/\\(b)", "<a=https://x.org/(b>a</a>" },
	{ "[a](https://x.org/b*c) *d*", "<a=https://x.org/b*c>a</a> <i>d</i>" },
	{ "[a](HTTPS://X.org/ü)", "<a=https://x.org/%C3%BC>a</a>" },
	{ "[](https://x.org)", "<a=https://x.org></a>" },
	{ "[[a]](https://x.org)", "<a=https://x.org>[a]</a>" },
	{ "[a [b](https://x.org) c](https://y.org)",
	    "[a <a=https://x.org>b</a> c](https://y.org)" },
	{ "[a [^r1] c](https://y.org)", "[a <r=r1> c](https://y.org)" },
	{ "![a](https://x.org)", "!<a=https://x.org>a</a>" },
	{ "[a] (https://x.org)", "[a] (https://x.org)" },
	{ "[a](javascript:alert(1))", "[a](javascript:alert(1))" },
	{ "[a](data:text/html,b)", "[a](data:text/html,b)" },
	{ "[a](//x.org)", "[a](//x.org)" },
	{ "[a](/b)", "[a](/b)" },
	{ "[a](<https://x.org>)", "[a](<https://x.org>)" },
	{ "[a](https://x.org \"t\")", "[a](https://x.org \"t\")" },
	{ "[a](https://x.org", "[a](https://x.org" },
	{ "[*a*](b)", "[<i>a</i>](b)" },
	{ "[a]", "[a]" },
	{ "]](https://x.org)[", "]](https://x.org)[" },

	/* Citations. */
	{ "a.[^r1] b", "a.<r=r1> b" },
	{ "[^a-1][^B2]", "<r=a-1><r=B2>" },
	{ "[^a b]", "[^a b]" },
	{ "[^]", "[^]" },
	{ "[^ü]", "[^ü]" },
	{ "[^r1", "[^r1" },
	{ "\\[^r1]", "[^r1]" },
	{ "*a[^r1]*", "<i>a<r=r1></i>" },
	{ "[^r1](https://x.org)", "<r=r1>(https://x.org)" },
};

static void
marks_are_understood(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_text(shown(cases[i].text), cases[i].shown, "%s",
		    arena_printf(&arena, "marks of \"%s\"",
			strchr(cases[i].text, '\n') != NULL ? "two lines" : cases[i].text));
}

/* What an asterisk before any ASCII character is. */
static void
flanks_are_recognised(void)
{
	int wrong = 0;

	for (int ch = 1; ch < 0x7F; ch++) {
		char text[] = { 'x', '*', (char)ch, 'y', '*', '\0' };
		bool opens = isalnum(ch) || (ch < ' ' && !isspace(ch));
		bool shows = strstr(shown(text), "<i>") != NULL;
		if (strchr("*`[]\\", ch) == NULL && opens != shows) {
			wrong++;
			printf("# after U+%04X\n", (unsigned)ch);
		}
	}
	is_int(wrong, 0, "only letters and digits continue a word");
}

static const struct {
	const char *text, *plain;
} plains[] = {
	{ "a **b** *c* `d*` [e](https://x.org)[^r1] \\*", "a b c d* e *" },
	{ "nothing to do", "nothing to do" },
	{ "[^r1]", "" },
	{ "", "" },
};

static void
marks_can_be_taken_away(void)
{
	for (size_t i = 0; i < sizeof(plains) / sizeof(plains[0]); i++)
		is_text(inline_plain(&arena, plains[i].text), plains[i].plain,
		    "\"%s\" without its marks", plains[i].text);
}

static const char *
repeated(const char *piece, size_t bytes)
{
	struct buf b;

	buf_init(&b, &arena, bytes + 100);
	while (b.len < bytes)
		buf_add_text(&b, piece);
	return buf_done(&b);
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Sanitizers look at every string that a function of the C library reads. */
#define LONG_S (WATCH_GAP > 0 ? 10.0 : 0.5)

/* What would be quadratic in a careless parser. */
static const char *const hostile[] = { "[", "]", "*", "`", "\\", "[a](", "[](", "*a ", "**a ",
	"a* ", "a** ", "*a**", "a**b*", "[*a](", "[^", "[^a", "[^a]", "`a``", "`` ` ", "](",
	"[a](https://x.org/", "[a](https://x.org)", "((", "*a_`[]", "\\`", "[*](https://x.org)",
	"** *", "***a ", "a***b*", "[[[]]](#a)", " *", "*「" };

static void
ids_have_an_end(void)
{
	size_t count;
	const char *id = repeated("a", 64);
	struct inline_token *t = inline_parse(&arena, arena_printf(&arena, "[^%s]", id), &count);

	ok(count == 1 && t[0].event == INLINE_CITE && t[0].len == 64,
	    "an id has at most 64 characters");
	t = inline_parse(&arena, arena_printf(&arena, "[^%sa]", id), &count);
	ok(count == 1 && t[0].event == INLINE_TEXT, "a longer one is text");
}

static void
hostile_texts_take_no_long_time(void)
{
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		size_t count;
		double begin;
		const char *text = repeated(hostile[i], 10000);
		inline_parse(&arena, text, &count);
		arena_reset(&arena);
		/* Fifty times the longest text: a quadratic parser would need
		 * minutes for it. */
		text = repeated(hostile[i], 500000);
		begin = seconds();
		inline_parse(&arena, text, &count);
		ok(seconds() - begin < LONG_S, "\"%s\" again and again", hostile[i]);
		arena_reset(&arena);
	}
}

static const char *
run_lengths(void)
{
	struct buf b;

	buf_init(&b, &arena, 600000);
	for (size_t n = 1; n < 1000; n++) {
		for (size_t i = 0; i < n; i++)
			buf_add_char(&b, '`');
		buf_add_char(&b, 'a');
	}
	return buf_done(&b);
}

static void
backticks_of_every_length_take_no_long_time(void)
{
	size_t count;
	const char *text = run_lengths();
	double begin = seconds();

	inline_parse(&arena, text, &count);
	ok(seconds() - begin < LONG_S, "backtick runs of a thousand lengths");
	is_int((int64_t)count, 1, "are one text");
}

/* A generator of our own: a failure can be repeated by its seed. */
static uint64_t state;

static uint32_t
below(uint32_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

static const char *
random_text(size_t pieces)
{
	static const char *const bits[] = { "*", "**", "***", "`", "``", "[", "]", "](", "(", ")",
		"\\", "[^", "^", "a", "b1", " ", "\n", ".", "ü", "。", "字", "https://x.org", "#s1",
		"-", "_", "!", "\t", "\xC2\xA0", "é", "\xF0\x9F\x98\x80" };
	struct buf b;

	buf_init(&b, &arena, 100000);
	while (pieces-- > 0)
		buf_add_text(&b, bits[below(sizeof(bits) / sizeof(bits[0]))]);
	return buf_done(&b);
}

/* Whether the tokens nest, texts are merged, links do not nest, and all text is
 * valid. */
static bool
is_sound(const struct inline_token *t, size_t count)
{
	enum inline_event stack[20000];
	size_t depth = 0;
	bool in_link = false;

	for (size_t i = 0; i < count; i++) {
		enum inline_event event = t[i].event;
		if (!utf8_valid(t[i].text, t[i].len))
			return false;
		if (event == INLINE_TEXT &&
		    (t[i].len == 0 || (i > 0 && t[i - 1].event == INLINE_TEXT)))
			return false;
		if (in_link && (event == INLINE_LINK || event == INLINE_CITE))
			return false;
		if (event == INLINE_LINK || event == INLINE_LINK_END)
			in_link = event == INLINE_LINK;
		if (event == INLINE_STRONG || event == INLINE_EMPHASIS || event == INLINE_LINK)
			stack[depth++] = event;
		else if (event == INLINE_STRONG_END || event == INLINE_EMPHASIS_END ||
			 event == INLINE_LINK_END) {
			if (depth == 0 || stack[--depth] + 1 != event)
				return false;
		}
	}
	return depth == 0;
}

static void
any_text_gives_sound_tokens(void)
{
	int wrong = 0;

	for (int i = 0; i < 40000 && wrong == 0; i++) {
		size_t count;
		const char *text = random_text(1 + below(40));
		struct inline_token *t = inline_parse(&arena, text, &count);
		if (!is_sound(t, count)) {
			wrong++;
			printf("# %s\n", text);
		}
		arena_reset(&arena);
	}
	is_int(wrong, 0, "random texts give sound tokens");
}

static void
escaped_text_comes_back(void)
{
	int wrong = 0;

	for (int i = 0; i < 40000 && wrong == 0; i++) {
		size_t count;
		const char *text = random_text(1 + below(30));
		struct inline_token *t;
		struct buf b;
		buf_init(&b, &arena, 100000);
		inline_escape(&b, text, strlen(text));
		t = inline_parse(&arena, b.data, &count);
		if (count != 1 || t[0].event != INLINE_TEXT || t[0].len != strlen(text) ||
		    memcmp(t[0].text, text, t[0].len) != 0) {
			wrong++;
			printf("# %s\n", text);
		}
		arena_reset(&arena);
	}
	is_int(wrong, 0, "an escaped text is one text again");
}

static void
escaped_code_and_addresses_come_back(void)
{
	int wrong = 0;

	for (int i = 0; i < 20000 && wrong == 0; i++) {
		size_t count;
		char *code = arena_text(&arena, random_text(1 + below(8)));
		struct inline_token *t;
		struct buf b;
		for (char *p = code; *p != '\0'; p++)
			*p = *p == '\n' ? ' ' : *p;
		buf_init(&b, &arena, 100000);
		buf_lit(&b, "[**");
		inline_escape_code(&b, code, strlen(code));
		buf_lit(&b, "**](");
		inline_escape_address(&b, "https://x.org/a)(b(");
		buf_lit(&b, ")");
		t = inline_parse(&arena, b.data, &count);
		if (count != 5 || t[2].event != INLINE_CODE || t[2].len != strlen(code) ||
		    memcmp(t[2].text, code, t[2].len) != 0 ||
		    t[0].len != strlen("https://x.org/a)(b(")) {
			wrong++;
			printf("# %s\n", b.data);
		}
		arena_reset(&arena);
	}
	is_int(wrong, 0, "escaped code and addresses come back");
}

static void
no_code_is_no_mark(void)
{
	struct buf b;

	buf_init(&b, &arena, 100);
	inline_escape_code(&b, "", 0);
	is_int((int64_t)b.len, 0, "code of no characters is left out");
	arena_reset(&arena);
}

int
main(int argc, char **argv)
{
	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260901;
	printf("# seed %llu\n", (unsigned long long)state);
	arena_init(&arena, (size_t)512 * 1024 * 1024);
	marks_are_understood();
	flanks_are_recognised();
	marks_can_be_taken_away();
	ids_have_an_end();
	hostile_texts_take_no_long_time();
	backticks_of_every_length_take_no_long_time();
	any_text_gives_sound_tokens();
	escaped_text_comes_back();
	escaped_code_and_addresses_come_back();
	no_code_is_no_mark();
	return done_testing();
}
