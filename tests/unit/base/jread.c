/* suite: fast */
#include "base/jread.h"

#include <sys/wait.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

static json_t *
parsed(const char *text)
{
	json_t *root;
	struct err *err = jread_parse(&ctx, "body", text, strlen(text), &root);

	if (err != NULL)
		bail("a test's JSON is none: %s", err->message);
	return root;
}

static const char *const accepted[] = { "{}", "[]", "null", "\"a\"", "1",
	" {\"a\":[1,-2.5e3,true,null,\"\\u00e4\\ud83d\\ude00\"]} \n\t",
	"{\"a\":{\"a\":{\"b\":1},\"b\":2}}", "9223372036854775807", "-9223372036854775808",
	"\"[[[[{{{{\"", "\"\\\"[\\\\\"", "[\"\\\\\",[]]" };

static const char *const refused[] = { "", " ", "{", "}", "{}{}", "{} x", "[1,]", "{\"a\":1,}",
	"{a:1}", "{'a':1}", "[1 2]", "// c\n{}", "01", "+1", ".5", "1.", "NaN", "Infinity", "-",
	"True", "nul", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}",
	"[{\"b\":{\"c\":1,\"c\":1}}]", "\"\\u0000\"", "{\"a\\u0000b\":1}", "\"\\ud800\"",
	"\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud83dx\"", "\"\xFF\"", "\"\xC3\"",
	"\"\xED\xA0\x80\"", "\"\xC0\x80\"", "{\"\xFF\":1}", "\xEF\xBB\xBF{}", "\"a\nb\"",
	"\"\x01\"", "\"a", "\"\\x41\"", "\"\\u00e\"", "9223372036854775808", "1e999",
	"[\"\\\",[]]" };

static void
parsing_is_strict(void)
{
	json_t *root;
	struct err *err;

	for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++) {
		err = jread_parse(&ctx, "body", accepted[i], strlen(accepted[i]), &root);
		ok(err == NULL && root != NULL, "%zu is JSON", i);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		err = jread_parse(&ctx, "body", refused[i], strlen(refused[i]), &root);
		ok(err != NULL && err->code == ERR_INVALID && strcmp(err->param, "body") == 0 &&
			utf8_valid(err->message, strlen(err->message)),
		    "%zu is refused in a valid sentence", i);
	}
	err = jread_parse(&ctx, "body", "{}\0", 3, &root);
	ok(err != NULL, "a NUL after the document is refused");
	err = jread_parse(&ctx, "body", "[\"a\0b\"]", 7, &root);
	ok(err != NULL, "a NUL in a text is refused");
	err = jread_parse(&ctx, "body", "[1,2]xxx", 5, &root);
	ok(err == NULL, "only the given bytes are looked at");
}

static const char *
nested(int depth, const char *open, const char *close)
{
	struct buf b;

	buf_init(&b, &arena, 4 * 1024 * 1024);
	for (int i = 0; i < depth; i++)
		buf_add_text(&b, open);
	buf_lit(&b, "1");
	for (int i = 0; i < depth; i++)
		buf_add_text(&b, close);
	return buf_done(&b);
}

static bool
is_parsed(const char *text)
{
	json_t *root;

	return jread_parse(&ctx, "body", text, strlen(text), &root) == NULL;
}

static void
nesting_has_an_end(void)
{
	ok(is_parsed(nested(64, "[", "]")), "arrays nest 64 deep");
	ok(!is_parsed(nested(65, "[", "]")), "and no deeper");
	ok(is_parsed(nested(64, "{\"a\":", "}")), "objects too");
	ok(!is_parsed(nested(65, "{\"a\":", "}")), "and no deeper");
	ok(!is_parsed(nested(100000, "[", "]")), "nor very deep");
	ok(is_parsed(nested(100, "[\"[[[[\"],", "")) == false, "many documents are not one");
	ok(is_parsed(nested(1,
	       "[\"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\",",
	       "]")),
	    "brackets in a text do not count");
	arena_reset(&arena);
}

/* One reader and one member of a document: what the sentence must be, NULL for
 * none. */
static const struct {
	const char *json;
	char reader; /* t text, l line, i int, b bool, a array, o object */
	enum jread_need need;
	const char *sentence;
} members[] = {
	{ "{\"m\":\"12345\"}", 't', JREAD_NEEDED, NULL },
	{ "{\"m\":\"ÄÖÜßé\"}", 't', JREAD_NEEDED, NULL },
	{ "{\"m\":\"\"}", 't', JREAD_NEEDED, NULL },
	{ "{\"m\":\"123456\"}", 't', JREAD_NEEDED, "root.m must have at most 5 characters." },
	{ "{\"m\":7}", 't', JREAD_NEEDED, "root.m must be a string." },
	{ "{\"m\":[\"a\"]}", 't', JREAD_NEEDED, "root.m must be a string." },
	{ "{}", 't', JREAD_NEEDED, "root.m is missing." },
	{ "{}", 't', JREAD_NULLABLE, "root.m is missing." },
	{ "{}", 't', JREAD_OPTIONAL, NULL },
	{ "{}", 't', JREAD_ANY, NULL },
	{ "{\"m\":null}", 't', JREAD_NEEDED, "root.m must not be null." },
	{ "{\"m\":null}", 't', JREAD_NULLABLE, NULL },
	{ "{\"m\":null}", 't', JREAD_OPTIONAL, "root.m must not be null." },
	{ "{\"m\":null}", 't', JREAD_ANY, NULL },
	{ "{\"m\":\"a\\nb\\t\"}", 't', JREAD_NEEDED, NULL },
	{ "{\"m\":\"a\\nb\"}", 'l', JREAD_NEEDED,
	    "root.m holds the character U+000A, which is not allowed." },
	{ "{\"m\":\"a\\u001bb\"}", 't', JREAD_NEEDED,
	    "root.m holds the character U+001B, which is not allowed." },
	{ "{\"m\":\"a\\u202eb\"}", 't', JREAD_NEEDED,
	    "root.m holds the character U+202E, which is not allowed." },
	{ "{\"m\":\"a\\ud83f\\udfff\"}", 't', JREAD_NEEDED,
	    "root.m holds the character U+1FFFF, which is not allowed." },
	{ "{\"m\":-3}", 'i', JREAD_NEEDED, NULL },
	{ "{\"m\":10}", 'i', JREAD_NEEDED, NULL },
	{ "{\"m\":-4}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{\"m\":11}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{\"m\":1.0}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{\"m\":1e0}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{\"m\":\"1\"}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{\"m\":true}", 'i', JREAD_NEEDED, "root.m must be an integer between -3 and 10." },
	{ "{}", 'i', JREAD_OPTIONAL, NULL },
	{ "{\"m\":true}", 'b', JREAD_NEEDED, NULL },
	{ "{\"m\":false}", 'b', JREAD_NEEDED, NULL },
	{ "{\"m\":1}", 'b', JREAD_NEEDED, "root.m must be true or false." },
	{ "{\"m\":\"true\"}", 'b', JREAD_NEEDED, "root.m must be true or false." },
	{ "{}", 'b', JREAD_ANY, NULL },
	{ "{\"m\":[1,2]}", 'a', JREAD_NEEDED, NULL },
	{ "{\"m\":[1,2,3]}", 'a', JREAD_NEEDED, "root.m must have at most 2 elements." },
	{ "{\"m\":{}}", 'a', JREAD_NEEDED, "root.m must be an array." },
	{ "{\"m\":{}}", 'o', JREAD_NEEDED, NULL },
	{ "{\"m\":[]}", 'o', JREAD_NEEDED, "root.m must be an object." },
	{ "{}", 'o', JREAD_NEEDED, "root.m is missing." },
	{ "[]", 't', JREAD_NEEDED, "root.m is missing." },
};

static struct err *
read_member(size_t i)
{
	json_t *root = parsed(members[i].json);
	enum jread_need need = members[i].need;
	struct jread r;

	jread_begin(&r, &ctx, "root");
	switch (members[i].reader) {
	case 't':
		jread_text(&r, root, "m", need, 5);
		break;
	case 'l':
		jread_line(&r, root, "m", need, 5);
		break;
	case 'i':
		jread_int(&r, root, "m", need, -3, 10, 0);
		break;
	case 'b':
		jread_bool(&r, root, "m", need, false);
		break;
	case 'a':
		jread_array(&r, root, "m", need, 2);
		break;
	default:
		jread_object(&r, root, "m", need);
	}
	return jread_end(&r);
}

static void
members_are_read(void)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct err *err = read_member(i);
		is_text(err == NULL ? NULL : err->message, members[i].sentence, "%s read as %c",
		    members[i].json, members[i].reader);
	}
}

static void
values_come_out(void)
{
	json_t *root =
	    parsed("{\"t\":\"ä\",\"i\":-7,\"b\":true,\"a\":[1],\"o\":{\"x\":1},\"n\":null}");
	struct jread r;

	jread_begin(&r, &ctx, "");
	is_text(jread_text(&r, root, "t", JREAD_NEEDED, 1), "ä", "a text");
	is_text(jread_text(&r, root, "n", JREAD_NULLABLE, 1), NULL, "null is NULL");
	is_text(jread_text(&r, root, "z", JREAD_OPTIONAL, 1), NULL, "so is what is absent");
	is_int(jread_int(&r, root, "i", JREAD_NEEDED, INT64_MIN, INT64_MAX, 0), -7, "an integer");
	is_int(jread_int(&r, root, "z", JREAD_ANY, 0, 1, 42), 42, "an integer that is absent");
	is_int(jread_int(&r, root, "n", JREAD_ANY, 0, 1, 42), 42, "or null");
	ok(jread_bool(&r, root, "b", JREAD_NEEDED, false), "a boolean");
	ok(jread_bool(&r, root, "z", JREAD_ANY, true), "an absent one");
	ok(jread_array(&r, root, "z", JREAD_OPTIONAL, 1) == NULL, "an array that is absent");
	is_int(
	    (int64_t)json_array_size(jread_array(&r, root, "a", JREAD_NEEDED, 1)), 1, "an array");
	is_int(
	    (int64_t)json_object_size(jread_object(&r, root, "o", JREAD_NEEDED)), 1, "an object");
	ok(jread_end(&r) == NULL, "without a refusal");

	jread_begin(&r, &ctx, "");
	ok(jread_array(&r, root, "i", JREAD_NEEDED, 1) == NULL &&
		jread_array(&r, root, "a", JREAD_NEEDED, 0) == NULL &&
		jread_object(&r, root, "a", JREAD_NEEDED) == NULL,
	    "what is refused does not come out");
	ok(jread_end(&r) != NULL, "and is refused");
}

/* content.sections[2].rows[1][0] is a number. */
static struct err *
refuse_in_the_depth(json_t *root)
{
	struct jread r;

	jread_begin(&r, &ctx, "content");
	jread_enter(&r, "sections");
	jread_enter_element(&r, 2);
	jread_enter(&r, "rows");
	jread_enter_element(&r, 1);
	jread_enter_element(&r, 0);
	jread_element_text(&r, json_object_get(root, "n"), 5);
	for (int i = 0; i < 5; i++)
		jread_leave(&r);
	jread_text(&r, root, "missing", JREAD_NEEDED, 5);
	return jread_end(&r);
}

static void
places_are_named(void)
{
	json_t *root = parsed("{\"n\":7}");
	struct err *err = refuse_in_the_depth(root);
	struct jread r;

	is_text(err->message, "content.sections[2].rows[1][0] must be a string.",
	    "a sentence names the place, and the first refusal stays");
	is_text(err->param, "content", "the parameter is the outermost name");
	jread_begin(&r, &ctx, "");
	jread_int(&r, root, "max", JREAD_NEEDED, 0, 1, 0);
	err = jread_end(&r);
	is_text(err->message, "max is missing.", "without a root too");
	is_text(err->param, "max", "where it is the member");
	jread_begin(&r, &ctx, "");
	jread_element_object(&r, json_object_get(root, "n"));
	err = jread_end(&r);
	is_text(
	    err->message, "The JSON must be an object.", "the whole document is called the JSON");
	is_text(err->param, "body", "and the parameter is the body");
	jread_begin(&r, &ctx, "");
	jread_enter(&r, "brief");
	jread_refuse(&r, "url", "is %s.", "odd");
	err = jread_end(&r);
	is_text(err->message, "brief.url is odd.", "a refusal of one's own");
	is_text(err->param, "brief", "has the outermost member");
}

static void
members_are_known(void)
{
	json_t *root = parsed("{\"heading\":1,\"body\":2}");
	struct jread r;
	struct err *err;

	jread_begin(&r, &ctx, "s");
	jread_only(&r, root, "id heading body");
	ok(jread_end(&r) == NULL, "known members pass");
	jread_only(&r, root, "id headings body");
	err = jread_end(&r);
	is_text(err == NULL ? NULL : err->message,
	    "s.heading is not known here; known are: id headings body.",
	    "others do not, whole words are compared");
	jread_begin(&r, &ctx, "s");
	jread_only(&r, parsed("{\"\\u001b[2J\":1}"), "id");
	err = jread_end(&r);
	is_text(err == NULL ? NULL : err->param, "s", "a name that a terminal obeys");
	ok(err != NULL && strchr(err->message, 0x1b) == NULL, "is not repeated");
	jread_begin(&r, &ctx, "s");
	jread_only(&r, root, "");
	ok(jread_end(&r) != NULL, "where none is known, none passes");
	jread_begin(&r, &ctx, "s");
	jread_only(&r, NULL, "");
	ok(jread_end(&r) == NULL, "what was refused has no members");
}

static void
entering_has_an_end(void)
{
	int status = 0;
	struct jread r;
	pid_t child;

	jread_begin(&r, &ctx, "a");
	for (int i = 1; i < JREAD_DEPTH; i++)
		jread_enter(&r, "a");
	jread_refuse(&r, NULL, "is deep.");
	ok(jread_end(&r) != NULL, "places nest %d deep", JREAD_DEPTH);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		jread_enter(&r, "a");
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "one deeper is a bug");
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	parsing_is_strict();
	nesting_has_an_end();
	members_are_read();
	values_come_out();
	places_are_named();
	members_are_known();
	entering_has_an_end();
	return done_testing();
}
