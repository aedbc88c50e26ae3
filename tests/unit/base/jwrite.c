/* suite: fast */
#include "base/jwrite.h"

#include <jansson.h>

#include "base/arena.h"
#include "base/clock.h"
#include "tests/tap.h"

static struct arena arena;
static struct buf out;
static struct jwrite w;

static void
begin(void)
{
	buf_init(&out, &arena, 1024 * 1024);
	jwrite_init(&w, &out);
}

static void
values_are_separated(void)
{
	begin();
	jwrite_object(&w);
	jwrite_member_text(&w, "a", "b");
	jwrite_member_text(&w, "none", NULL);
	jwrite_member_text_if(&w, "left out", NULL);
	jwrite_member_text_if(&w, "left out", "");
	jwrite_member_text_if(&w, "c", "d");
	jwrite_member_int(&w, "least", INT64_MIN);
	jwrite_member_int(&w, "most", INT64_MAX);
	jwrite_member_bool(&w, "yes", true);
	jwrite_member_bool(&w, "no", false);
	jwrite_member_null(&w, "null");
	jwrite_member_time(&w, "at", 1 * CLOCK_DAY + 1);
	jwrite_member_array(&w, "list");
	jwrite_int(&w, 1);
	jwrite_text(&w, NULL);
	jwrite_array(&w);
	jwrite_array_end(&w);
	jwrite_object(&w);
	jwrite_object_end(&w);
	jwrite_raw(&w, "{\"x\":1}  ", 7);
	jwrite_bool(&w, true);
	jwrite_null(&w);
	jwrite_time(&w, 0);
	jwrite_array_end(&w);
	jwrite_member_object(&w, "inner");
	jwrite_name(&w, "n");
	jwrite_raw(&w, "[]", 2);
	jwrite_object_end(&w);
	jwrite_object_end(&w);
	is_text(buf_done(&out),
	    "{\"a\":\"b\",\"none\":null,\"c\":\"d\",\"least\":-9223372036854775808,\"most\":9223372036854775807,\"yes\":true,\"no\":false,\"null\":null,\"at\":\"1970-01-02T00:00:00.000001Z\",\"list\":[1,null,[],{},{\"x\":1},true,null,\"1970-01-01T00:00:00.000000Z\"],\"inner\":{\"n\":[]}}",
	    "commas and colons are in their places");
}

static const struct {
	const char *text, *json, *safe; /* safe NULL: the same */
} texts[] = {
	{ "", "\"\"", NULL },
	{ "plain ü € \xF0\x9F\x98\x80", "\"plain ü € \xF0\x9F\x98\x80\"", NULL },
	{ "\"\\/", "\"\\\"\\\\/\"", NULL },
	{ "\n\t\r\b\f\x01\x1F", "\"\\n\\t\\r\\u0008\\u000c\\u0001\\u001f\"", NULL },
	{ "\x7F", "\"\\u007f\"", NULL },
	{ "a\xE2\x80\xA8z\xE2\x80\xA9", "\"a\\u2028z\\u2029\"", NULL },
	{ "\xE2\x80\xA7\xE2\x80\xAA", "\"\xE2\x80\xA7\xE2\x80\xAA\"", NULL },
	{ "</script><!--&'", "\"</script><!--&'\"", "\"\\u003c/script\\u003e\\u003c!--\\u0026'\"" },
};

static void
texts_are_escaped(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *safe = texts[i].safe;
		begin();
		jwrite_text(&w, texts[i].text);
		is_text(buf_done(&out), texts[i].json, "case %zu", i);
		begin();
		w.html_safe = true;
		jwrite_text(&w, texts[i].text);
		is_text(buf_done(&out), safe != NULL ? safe : texts[i].json,
		    "and inside a script element");
	}
	begin();
	w.html_safe = true;
	jwrite_object(&w);
	jwrite_member_int(&w, "<\n", 1);
	jwrite_object_end(&w);
	is_text(buf_done(&out), "{\"\\u003c\\n\":1}", "names are escaped too");
}

/* An independent parser reads every character back, in both forms. */
static void
every_character_comes_back(void)
{
	uint32_t wrong = 0;

	for (uint32_t cp = 1; cp <= 0xFFFF && wrong == 0; cp++) {
		struct buf text;
		json_t *back;
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		if (cp % 128 == 0)
			arena_reset(&arena);
		buf_init(&text, &arena, 16);
		buf_add_char(&text, 'a');
		buf_add_code_point(&text, cp);
		begin();
		w.html_safe = cp % 2 == 0;
		jwrite_text(&w, text.data);
		back = json_loads(buf_done(&out), JSON_DECODE_ANY, NULL);
		if (back == NULL || strcmp(json_string_value(back), text.data) != 0)
			wrong = cp;
		json_decref(back);
	}
	is_int(wrong, 0, "every character comes back");
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	values_are_separated();
	texts_are_escaped();
	every_character_comes_back();
	return done_testing();
}
