/* suite: fast */
#include "import/markdown/frontmatter.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/fields.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

/* Returns a head as JSON, or its refusal. */
static const char *
read_head(const char *text, size_t *body, unsigned *body_line)
{
	struct front_value root;
	struct buf out;
	struct err *err = frontmatter_read(&ctx, text, strlen(text), &root, body, body_line);

	if (err != NULL)
		return err->message;
	buf_init(&out, &arena, 1024 * 1024);
	frontmatter_json(&out, &root);
	return out.data;
}

static const struct {
	const char *name, *text, *json;
} heads[] = {
	{ "a document without head has none", "Text\n", "{}" },
	{ "a rule later on is no head", "Text\n---\na: b\n---\n", "{}" },
	{ "an empty head has no keys", "---\n---\nText\n", "{}" },
	{ "YAML ends with three dots, too", "---\na: b\n...\nText\n", "{\"a\":\"b\"}" },
	{ "spaces may follow the fences", "---  \na: b\n---\t\nText\n", "{\"a\":\"b\"}" },
	{ "YAML has numbers, booleans and nothing",
	    "---\na: 12\nb: true\nc: ~\nd:\ne: 1.5\nf: '12'\n---\n",
	    "{\"a\":12,\"b\":true,\"c\":null,\"d\":null,\"e\":1.5,\"f\":\"12\"}" },
	{ "YAML has lists and tables, in lines and in one line",
	    "---\na:\n  - b\n  - c: d\ne: [f, {g: h}]\n---\n",
	    "{\"a\":[\"b\",{\"c\":\"d\"}],\"e\":[\"f\",{\"g\":\"h\"}]}" },
	{ "YAML has texts of many lines", "---\na: >-\n  one\n  two\nb: |\n  x\n  y\n---\n",
	    "{\"a\":\"one two\",\"b\":\"x\\ny\\n\"}" },
	{ "YAML has escapes and any script", "---\na: \"\\u00e9\\n\"\nb: العنوان\n---\n",
	    "{\"a\":\"é\\n\",\"b\":\"العنوان\"}" },
	{ "a leading zero is no number", "---\na: 012\n---\n", "{\"a\":\"012\"}" },
	{ "galley on one line is JSON, not YAML",
	    "---\ngalley: {\"a\":\"\\ud83d\\ude42 \\/\",\"b\":1}\nc: d\n---\n",
	    "{\"galley\":\"{\\\"a\\\":\\\"\\\\ud83d\\\\ude42 \\\\/\\\",\\\"b\\\":1}\",\"c\":\"d\"}" },
	{ "TOML has its kinds of values",
	    "+++\na = \"x\"\nb = 12\nc = true\nd = 2026-09-01\n"
	    "e = 2026-09-01T08:00:00Z\nf = 1_000\ng = 0x1F\nh = -1.5e3\n+++\n",
	    "{\"a\":\"x\",\"b\":12,\"c\":true,\"d\":\"2026-09-01\",\"e\":\"2026-09-01T08:00:00Z\",\"f\":1000,\"g\":\"0x1F\",\"h\":-1.5e3}" },
	{ "TOML has four kinds of texts",
	    "+++\na = \"q\\\"\\u00e9\\t\"\nb = 'C:\\x'\n"
	    "c = \"\"\"\none \\\n   two\"\"\"\nd = '''\n\\x'y''''\n+++\n",
	    "{\"a\":\"q\\\"é\\t\",\"b\":\"C:\\\\x\",\"c\":\"one two\",\"d\":\"\\\\x'y'\"}" },
	{ "TOML has lists over lines, with comments",
	    "+++\na = [ # one\n  'b', # two\n  'c',\n]\n+++\n", "{\"a\":[\"b\",\"c\"]}" },
	{ "TOML has tables, dotted names and lists of tables",
	    "+++\na.b = 1\n[c]\nd = 2\n[c.e]\nf = 3\n[[g]]\nh = 4\n[[g]]\n"
	    "h = 5\n+++\n",
	    "{\"a\":{\"b\":1},\"c\":{\"d\":2,\"e\":{\"f\":3}},\"g\":[{\"h\":4},{\"h\":5}]}" },
	{ "TOML has tables in one line and quoted names",
	    "+++\n\"a b\" = { c = 1, d.e = 'x' }\n+++\n",
	    "{\"a b\":{\"c\":1,\"d\":{\"e\":\"x\"}}}" },
	{ "numbers are those of JSON, and nothing else is",
	    "---\na: 1.\nb: 1e+5\nc: 1e\nd: -0.5E-3\ne: +1\nf: .5\n---\n",
	    "{\"a\":\"1.\",\"b\":1e+5,\"c\":\"1e\",\"d\":-0.5E-3,\"e\":\"+1\",\"f\":\".5\"}" },
	{ "dashes with a text behind them begin no head", "--- a\nb: c\n---\n", "{}" },
	{ "TOML has numbers that JSON has not",
	    "+++\na = inf\nb = -nan\nc = +1e+5\nd = 0b101\ne = 0o17\n+++\n",
	    "{\"a\":\"inf\",\"b\":\"-nan\",\"c\":\"+1e+5\",\"d\":\"0b101\",\"e\":\"0o17\"}" },
	{ "TOML has a space between a date and its time",
	    "+++\na = 2026-09-01 08:00:00\nb = 08:00:00\n+++\n",
	    "{\"a\":\"2026-09-01 08:00:00\",\"b\":\"08:00:00\"}" },
	{ "TOML has tables in the last table of a list",
	    "+++\n[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3\n+++\n",
	    "{\"a\":[{\"b\":1},{\"b\":2,\"c\":{\"d\":3}}]}" },
};

static void
test_heads(void)
{
	unsigned line;
	size_t body;

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		is_text(read_head(heads[i].text, &body, &line), heads[i].json, "%s", heads[i].name);
	read_head("---\na: b\n---\nText\n", &body, &line);
	is_int((int64_t)body, 13, "the body begins behind the head");
	is_int(line, 4, "and its line is known");
	arena_reset(&arena);
}

static const struct {
	const char *name, *text, *refusal; /* as it begins */
} refusals[] = {
	{ "a head without end", "---\na: b\nText\n", "line 1: front matter begins here" },
	{ "TOML without end", "+++\na = 1\n", "line 1: front matter begins" },
	{ "YAML that is none", "---\na: b\nc: d: e\n---\n",
	    "line 3: the front matter is not YAML" },
	{ "a tab as indentation", "---\na:\n\tb: c\n---\n", "line 3: " },
	{ "a key given twice", "---\na: b\na: c\n---\n", "line 3: a is given twice" },
	{ "a list for a head", "---\n- a\n---\n", "line 2: the front matter" },
	{ "a text for a head", "---\nhello\n---\n", "line 2: the front matter" },
	{ "an alias", "---\na: &x 1\nb: *x\n---\n", "line 3: aliases" },
	{ "a name that is a list", "---\n[a]: b\n---\n", "line 2: " },
	{ "YAML nested too deeply", "---\na: [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\n---\n",
	    "line 2: the front matter is nested too deeply" },
	{ "TOML without quotes", "+++\na = hello\n+++\n",
	    "line 2: the front matter is not TOML: a value is none of TOML's" },
	{ "TOML without value", "+++\na =\n+++\n", "line 2: " },
	{ "TOML without name", "+++\n= 1\n+++\n", "line 2: " },
	{ "a TOML key given twice", "+++\na = 1\na = 2\n+++\n",
	    "line 3: the front matter is not TOML: a is given twice" },
	{ "a TOML table given twice", "+++\n[a]\nb = 1\n[a]\n+++\n", "line 4: " },
	{ "a TOML table over a value", "+++\na = 1\n[a]\nb = 2\n+++\n", "line 3: " },
	{ "a TOML text that is not closed", "+++\na = \"b\n+++\n", "line 2: " },
	{ "a long TOML text that is not closed", "+++\na = \"\"\"b\n+++\n", "line " },
	{ "a TOML list that is not closed", "+++\na = [1,\n+++\n", "line " },
	{ "a wrong TOML escape", "+++\na = \"\\q\"\n+++\n", "line 2: " },
	{ "a TOML escape of half a pair", "+++\na = \"\\ud83d\"\n+++\n", "line 2: " },
	{ "two TOML values in a line", "+++\na = 1 b = 2\n+++\n", "line 2: " },
	{ "TOML nested too deeply", "+++\na = [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\n+++\n",
	    "line 2: the front matter is not TOML: it is nested too deeply" },
	{ "a TOML number that is none", "+++\na = 1__0\n+++\n", "line 2: " },
	{ "a wrong TOML number of an escape", "+++\na = \"\\u00g0\"\n+++\n",
	    "line 2: the front matter is not TOML: an escape is wrong" },
	{ "a TOML table in one line that is not closed", "+++\na = { b = 1 c = 2 }\n+++\n",
	    "line 2: the front matter is not TOML: a table is not closed" },
	{ "a TOML number of wrong digits", "+++\na = 0b12\n+++\n",
	    "line 2: the front matter is not TOML: a value is none" },
	{ "a TOML number that ends in its point", "+++\na = 1.\n+++\n",
	    "line 2: the front matter is not TOML: a value is none" },
	{ "a TOML number with letters", "+++\na = 1x\n+++\n",
	    "line 2: the front matter is not TOML: a value is none" },
	{ "a TOML name without equals sign", "+++\na 1\n+++\n",
	    "line 2: the front matter is not TOML: \"=\" is missing" },
	{ "a TOML header that is not closed", "+++\n[a\nb = 1\n+++\n",
	    "line 2: the front matter is not TOML: \"]\" is missing" },
	{ "a TOML header of a list that is half closed", "+++\n[[a]\nb = 1\n+++\n",
	    "line 2: the front matter is not TOML: \"]]\" is missing" },
	{ "a TOML header without name", "+++\n[=]\n+++\n", "line 2: " },
	{ "a TOML list of tables over a value", "+++\na = 1\n[[a]]\n+++\n",
	    "line 3: the front matter is not TOML: a is given twice" },
	{ "a TOML list of tables over a list", "+++\na = [1]\n[[a]]\n+++\n",
	    "line 3: the front matter is not TOML: a is given twice" },
	{ "TOML names nested too deeply", "+++\na.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n+++\n",
	    "line 2: the front matter is not TOML: it is nested too deeply" },
	{ "TOML headers nested too deeply", "+++\n[a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]\n+++\n",
	    "line 2: the front matter is not TOML: it is nested too deeply" },
	{ "a NUL in YAML", "---\na: \"b\\0c\"\n---\n", "line 2: a value holds a NUL" },
	{ "a NUL in a YAML name", "---\n\"a\\0b\": c\n---\n", "line 2: a name holds a NUL" },
};

static void
test_refusals(void)
{
	unsigned line;
	size_t body;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const char *got = read_head(refusals[i].text, &body, &line);
		if (!ok(strncmp(got, refusals[i].refusal, strlen(refusals[i].refusal)) == 0,
			"%s is refused", refusals[i].name))
			printf("# %s\n", got);
	}
	arena_reset(&arena);
}

static void
test_bounds(void)
{
	struct buf text;
	unsigned line;
	size_t body;

	buf_init(&text, &arena, 1024 * 1024);
	buf_lit(&text, "---\na: ");
	while (text.len < FRONT_BYTES_MAX + 10)
		buf_lit(&text, "0123456789");
	buf_lit(&text, "\n---\n");
	ok(strstr(read_head(text.data, &body, &line), "longer than") != NULL,
	    "a head that is too long is refused");
	buf_reset(&text);
	buf_lit(&text, "---\ngalley: {\"a\":\"");
	while (text.len < FRONT_BYTES_MAX + 10)
		buf_lit(&text, "0123456789");
	buf_lit(&text, "\"}\n---\n");
	ok(read_head(text.data, &body, &line)[0] == '{', "galley may be longer");
	buf_reset(&text);
	buf_lit(&text, "---\na: [");
	for (int i = 0; i < 25000; i++)
		buf_lit(&text, "1,");
	buf_lit(&text, "]\n---\n");
	ok(strstr(read_head(text.data, &body, &line),
	       "line 2: the front matter holds too many values") != NULL,
	    "YAML of too many values is refused");
	buf_reset(&text);
	buf_lit(&text, "+++\na = [");
	for (int i = 0; i < 25000; i++)
		buf_lit(&text, "1,");
	buf_lit(&text, "]\n+++\n");
	ok(strstr(read_head(text.data, &body, &line),
	       "line 2: the front matter is not TOML: a list is too long") != NULL,
	    "so is a list of TOML");
	arena_reset(&arena);
}

static const struct {
	const char *text;
	int64_t seconds; /* -1: it is none */
} dates[] = {
	{ "2026-09-01", 1788220800 },
	{ "2026-09-01T08:00:00Z", 1788249600 },
	{ "2026-09-01 08:00:00", 1788249600 },
	{ "2026-09-01T10:00:00+02:00", 1788249600 },
	{ "2026-09-01 10:00:00 +0200", 1788249600 },
	{ "2026-09-01T10:00+02", 1788249600 },
	{ "2026-09-01t08:00:00.5z", 1788249600 },
	{ "2026-9-1", -1 },
	{ "2026-02-30", -1 },
	{ "2026-09-01T25:00:00Z", -1 },
	{ "2026-09-01T08:00:00Zx", -1 },
	{ "2026-09-01x08:00:00Z", -1 },
	{ "2026-09-01T8Z", -1 },
	{ "2026-09-01T00000000000000000000000000000000000000Z", -1 },
	{ "2026-09-01T08:00:00+2:00", -1 },
	{ "tomorrow", -1 },
	{ "1 September 2026", -1 },
	{ "", -1 },
};

static void
test_dates(void)
{
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		int64_t at = 0;
		bool read = fields_date(&ctx, dates[i].text, &at);
		is_int(read ? at / 1000000 : -1, dates[i].seconds,
		    "the date \"%s\" is read, or none", dates[i].text);
	}
	arena_reset(&arena);
}

int
main(void)
{
	arena_init(&arena, (size_t)64 * 1024 * 1024);
	test_heads();
	test_refusals();
	test_bounds();
	test_dates();
	arena_release(&arena);
	return done_testing();
}
