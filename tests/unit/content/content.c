/* suite: fast */
#include "content/content.h"

#include <sys/wait.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

static const char whole[] =
    "{\"summary\":\"Indoor composting works.[^r1]\",\"takeaways\":[\"Mix two parts.\",\"Turn the bin.\"],\"sections\":[{\"id\":\"s1\",\"heading\":\"Set up the bin\",\"body\":[{\"type\":\"paragraph\",\"text\":\"Choose a bin.\\nWith a lid.\"},{\"type\":\"table\",\"index\":0},{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"Cardboard\",\"ordered\":true,\"items\":[{\"text\":\"torn\",\"items\":[]}]},{\"text\":\"Straw\",\"items\":[]}]},{\"type\":\"quote\",\"text\":\"It does not smell.\",\"cite\":\"Dana\"},{\"type\":\"code\",\"language\":\"sh\",\"text\":\"make compost\"},{\"type\":\"image\",\"url\":\"https://cms.example.net/a.jpg\",\"alt\":\"Layers\",\"caption\":null,\"width\":800,\"height\":600},{\"type\":\"heading\",\"text\":\"Inside\"},{\"type\":\"callout\",\"index\":0},{\"type\":\"steps\"}],\"steps\":[{\"name\":\"Drill\",\"text\":\"Ten holes.\"}],\"tables\":[{\"caption\":\"What goes in\",\"columns\":[\"A\",\"B\"],\"rowHeader\":true,\"rows\":[[\"1\",\"2\"],[\"3\",\"4\"]]},{\"caption\":null,\"columns\":[\"C\"],\"rowHeader\":false,\"rows\":[]}],\"callouts\":[{\"kind\":\"tip\",\"title\":\"Tip\",\"text\":\"Freeze.\"},{\"kind\":\"todo\",\"title\":null,\"text\":\"Ask.\"}],\"subsections\":[{\"id\":\"s1-1\",\"heading\":\"Where\",\"body\":[{\"type\":\"paragraph\",\"text\":\"15 to 25 °C.[^r2]\"}],\"steps\":[],\"tables\":[],\"callouts\":[]}]}],\"faqs\":[{\"id\":\"q1\",\"question\":\"Does it smell?\",\"answer\":\"No.\"}],\"references\":[{\"id\":\"r1\",\"title\":\"Compost basics\",\"url\":\"https://www.example.org/basics\",\"publisher\":\"Institute\",\"published\":\"2025-03-04\",\"accessed\":\"2026-08-30\"},{\"id\":\"r2\",\"title\":\"Temperature\",\"url\":null,\"publisher\":null,\"published\":null,\"accessed\":null}],\"imageAlt\":\"A bin\",\"imageCaption\":\"Five litres.\",\"labels\":{\"takeaways\":\"Key takeaways\",\"faqs\":\"Frequently asked questions\",\"references\":\"References\"}}";

/* Reads `json`; returns the refusal's sentence, or NULL. */
static const char *
refusal(const char *json, struct content *out)
{
	json_t *root;
	struct err *err = jread_parse(&ctx, "content", json, strlen(json), &root);

	if (err != NULL)
		bail("a test's JSON is none: %s\n%s", err->message, json);
	err = content_from_json(&ctx, "content", root, "en", out);
	if (err == NULL)
		return NULL;
	if (strcmp(err->param, "content") != 0 || err->code != ERR_INVALID)
		return "not a refusal of the parameter content";
	return err->message;
}

static const char *
written(const struct content *content, const char *media_base)
{
	struct buf out;

	buf_init(&out, &arena, 8 * 1024 * 1024);
	content_to_json(content, media_base, &out);
	return buf_done(&out);
}

/* Returns `text` with the first `from` replaced. */
static const char *
replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (at == NULL)
		bail("\"%s\" is not in the test's JSON", from);
	return arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static const char *
repeated(const char *piece, size_t times)
{
	struct buf b;

	buf_init(&b, &arena, 8 * 1024 * 1024);
	while (times-- > 0)
		buf_add_text(&b, piece);
	return buf_done(&b);
}

static void
canonical_form_is_a_fixed_point(void)
{
	struct content content;

	is_text(refusal(whole, &content), NULL, "the whole form is read");
	is_text(written(&content, NULL), whole, "and written byte by byte");
	content_from_stored(&ctx, whole, "de", &content);
	is_text(written(&content, NULL), whole,
	    "from the database too, whatever the language's labels");
}

static void
gaps_are_filled(void)
{
	struct content content;
	const char *heading;

	is_text(refusal("{\"sections\":[{\"heading\":\"A\",\"body\":[]}]}", &content), NULL,
	    "what may be left out is filled in");
	is_text(written(&content, NULL),
	    "{\"summary\":\"\",\"takeaways\":[],\"sections\":[{\"id\":\"s1\",\"heading\":\"A\",\"body\":[],\"steps\":[],\"tables\":[],\"callouts\":[],\"subsections\":[]}],\"faqs\":[],\"references\":[],\"imageAlt\":null,\"imageCaption\":null,\"labels\":{\"takeaways\":\"Key takeaways\",\"faqs\":\"Frequently asked questions\",\"references\":\"References\"}}",
	    "with all keys");
	content_init(&content, "de-AT");
	heading = strstr(written(&content, NULL), "\"labels\"");
	is_text(heading,
	    "\"labels\":{\"takeaways\":\"Das Wichtigste in Kürze\",\"faqs\":\"Häufig gestellte Fragen\",\"references\":\"Quellen\"}}",
	    "an empty article has its language's labels");
}

static void
ids_are_made(void)
{
	struct content content;

	is_text(
	    refusal(
		"{\"sections\":[{\"heading\":\"A\",\"body\":[]},{\"id\":\"s1\",\"heading\":\"B\",\"body\":[],\"subsections\":[{\"heading\":\"C\",\"body\":[]},{\"id\":\"s1-1\",\"heading\":\"D\",\"body\":[]},{\"id\":null,\"heading\":\"E\",\"body\":[]}]},{\"id\":\"\",\"heading\":\"F\",\"body\":[]}],\"faqs\":[{\"question\":\"G\",\"answer\":\"\"}],\"references\":[{\"id\":\"q1\",\"title\":\"H\"}]}",
		&content),
	    NULL, "ids may be missing, null or empty");
	is_text(content.sections[0].id, "s2", "the first free one is taken");
	is_text(content.sections[1].id, "s1", "one that is there stays");
	is_text(content.sections[1].subsections[0].id, "s1-2",
	    "a subsection's begins with its section's");
	is_text(content.sections[1].subsections[1].id, "s1-1", "and stays when it is there");
	is_text(content.sections[1].subsections[2].id, "s1-3", "and goes on counting");
	is_text(content.sections[2].id, "s3", "sections go on counting too");
	is_text(content.faqs[0].id, "q2", "a question's is none that a reference has");
}

/* Changes of `whole` that make it wrong, and a part of the refusal's sentence. */
static const struct {
	const char *name, *from, *to, *sentence;
} wrongs[] = {
	{ "an unknown member", "\"summary\"", "\"sumary\"", "content.sumary is not known here" },
	{ "an unknown member of a block", "\"type\":\"steps\"", "\"type\":\"steps\",\"index\":0",
	    "content.sections[0].body[8].index is not known here" },
	{ "an unknown block", "\"type\":\"quote\"", "\"type\":\"video\"",
	    "content.sections[0].body[3].type must be paragraph" },
	{ "a block that is no object", "{\"type\":\"steps\"}", "7",
	    "content.sections[0].body[8] must be an object" },
	{ "a text that is none", "\"text\":\"Ten holes.\"", "\"text\":[]",
	    "content.sections[0].steps[0].text must be a string" },
	{ "an empty heading of a subsection", "\"Where\"", "\" \"",
	    "content.sections[0].subsections[0].heading must not be empty" },
	{ "a heading of marks alone", "\"Inside\"", "\"[^r1]\"",
	    "content.sections[0].body[6].text must not be empty" },
	{ "a heading of two lines", "\"Inside\"", "\"In\\nside\"",
	    "content.sections[0].body[6].text holds the character U+000A" },
	{ "an override of direction", "\"Straw\"", "\"\\u202estraw\"",
	    "holds the character U+202E" },
	{ "a table that is not there", "\"table\",\"index\":0", "\"table\",\"index\":2",
	    "content.sections[0].body[1].index must be below 2" },
	{ "a table placed twice", "{\"type\":\"steps\"}", "{\"type\":\"table\",\"index\":0}",
	    "content.sections[0].body[8] is placed by body[1] already" },
	{ "steps placed twice", "{\"type\":\"callout\",\"index\":0}", "{\"type\":\"steps\"}",
	    "content.sections[0].body[8] is placed by body[7] already" },
	{ "steps that are not there", "\"steps\":[{\"name\":\"Drill\",\"text\":\"Ten holes.\"}]",
	    "\"steps\":[]", "content.sections[0].body[8] places steps, but there are none" },
	{ "a row that is too short", "[\"3\",\"4\"]", "[\"3\"]",
	    "content.sections[0].tables[0].rows[1] must be an array of 2" },
	{ "a table without columns", "[\"C\"]", "[]",
	    "content.sections[0].tables[1].columns must not be empty" },
	{ "a callout of no kind", "\"tip\"", "\"hint\"",
	    "content.sections[0].callouts[0].kind must be note" },
	{ "an id twice", "\"id\":\"s1-1\"", "\"id\":\"q1\"", "The id \"q1\" stands twice" },
	{ "an id of a wrong form", "\"id\":\"s1-1\"", "\"id\":\"s_1\"", "The id \"s_1\" must be" },
	{ "the id of a caption", "\"id\":\"s1-1\"", "\"id\":\"t12\"",
	    "The id \"t12\" is one that rendering makes" },
	{ "the id of a step", "\"id\":\"s1-1\"", "\"id\":\"s1-step1\"",
	    "The id \"s1-step1\" is one that rendering makes" },
	{ "the id of a fixed part", "\"id\":\"s1-1\"", "\"id\":\"faq\"",
	    "The id \"faq\" is one that rendering makes" },
	{ "a citation without reference", "Choose a bin.", "A bin[^r9].",
	    "content: [^r9] in section \"Set up the bin\" cites" },
	{ "a citation in the cover's caption", "Five litres.", "Five[^s1].",
	    "content: [^s1] in imageCaption cites" },
	{ "a picture's script address", "https://cms.example.net/a.jpg", "javascript:alert(1)",
	    "content.sections[0].body[5].url must be an https or http" },
	{ "media of a wrong name", "https://cms.example.net/a.jpg", "media:12.png",
	    "content.sections[0].body[5].url must be an https or http" },
	{ "a picture with half a size", "\"height\":600", "\"height\":null",
	    "content.sections[0].body[5] must have width and height" },
	{ "a picture of no width", "\"width\":800,\"height\":600", "\"width\":0,\"height\":null",
	    "content.sections[0].body[5].width must be an integer" },
	{ "a picture of no pixels", "\"height\":600", "\"height\":0",
	    "content.sections[0].body[5].height must be an integer" },
	{ "a reference's mail address", "https://www.example.org/basics", "mailto:a@example.org",
	    "content.references[0].url must be an https or http address." },
	{ "a reference without title", "\"Temperature\"", "\"\"",
	    "content.references[1].title must not be empty" },
	{ "a reference without id", "\"id\":\"r2\"", "\"id\":\"\"",
	    "content.references[1].id must not be empty" },
	{ "a language of two words", "\"sh\"", "\"sh x\"",
	    "content.sections[0].body[4].language must be one word" },
	{ "a label of no part", "\"labels\":{", "\"labels\":{\"x\":\"\",",
	    "content.labels.x is not known" },
};

static void
wrong_content_is_refused(void)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		struct content content;
		const char *json = replaced(whole, wrongs[i].from, wrongs[i].to);
		const char *got = refusal(json, &content);
		if (!ok(got != NULL && strstr(got, wrongs[i].sentence) != NULL, "%s is refused",
			wrongs[i].name))
			printf("#  got: %s\n# want: %s\n", got == NULL ? "no refusal" : got,
			    wrongs[i].sentence);
	}
}

static const char *
nested_list(int depth)
{
	return arena_printf(&arena,
	    "{\"sections\":[{\"heading\":\"A\",\"body\":[],\"subsections\":[{\"heading\":\"B\",\"body\":[{\"type\":\"list\",\"items\":[%s{\"text\":\"x\"}%s]}]}]}]}",
	    repeated("{\"text\":\"x\",\"items\":[", (size_t)depth - 1),
	    repeated("]}", (size_t)depth - 1));
}

/* Returns content with `count` elements of one kind. */
static const char *
many(const char *before, const char *element, size_t count, const char *after)
{
	const char *others = arena_printf(&arena, ",%s", element);

	return arena_printf(&arena, "%s%s%s%s", before, count > 0 ? element : "",
	    count > 0 ? repeated(others, count - 1) : "", after);
}

static const struct {
	const char *name, *before, *element, *after;
	size_t max;
} limits[] = {
	{ "sections", "{\"sections\":[", "{\"heading\":\"A\",\"body\":[]}", "]}", 60 },
	{ "subsections", "{\"sections\":[{\"heading\":\"\",\"body\":[],\"subsections\":[",
	    "{\"heading\":\"A\",\"body\":[]}", "]}]}", 30 },
	{ "blocks", "{\"sections\":[{\"heading\":\"\",\"body\":[",
	    "{\"type\":\"paragraph\",\"text\":\"\"}", "]}]}", 500 },
	{ "columns",
	    "{\"sections\":[{\"heading\":\"\",\"body\":[],\"tables\":[{\"rows\":[],\"columns\":[",
	    "\"\"", "]}]}]}", 12 },
	{ "rows",
	    "{\"sections\":[{\"heading\":\"\",\"body\":[],\"tables\":[{\"columns\":[\"\"],\"rows\":[",
	    "[\"\"]", "]}]}]}", 500 },
	{ "questions", "{\"sections\":[],\"faqs\":[", "{\"question\":\"A\",\"answer\":\"\"}", "]}",
	    100 },
	{ "takeaways", "{\"sections\":[],\"takeaways\":[", "\"a\"", "]}", 500 },
};

static void
limits_hold(void)
{
	struct content content;
	const char *text;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		is_text(refusal(many(limits[i].before, limits[i].element, limits[i].max,
				    limits[i].after),
			    &content),
		    NULL, "%zu %s are allowed", limits[i].max, limits[i].name);
		ok(refusal(many(limits[i].before, limits[i].element, limits[i].max + 1,
			       limits[i].after),
		       &content) != NULL,
		    "and no more");
	}
	text = repeated("ß", 10000);
	is_text(refusal(replaced(whole, "Indoor composting works.", text), &content),
	    "content.summary must have at most 10000 characters.",
	    "a text has at most 10,000 code points, marks included");
	text = repeated("ß", 9995);
	is_text(refusal(replaced(whole, "Indoor composting works.", text), &content), NULL,
	    "counted in code points, not bytes");
	is_text(
	    refusal(nested_list(8), &content), NULL, "lists nest eight deep, in a subsection too");
	ok(refusal(nested_list(9), &content) != NULL, "and no deeper");
	text =
	    arena_printf(&arena, "{\"type\":\"paragraph\",\"text\":\"%s\"}", repeated("x", 10000));
	is_text(refusal(many("{\"sections\":[{\"heading\":\"\",\"body\":[", text, 220, "]}]}"),
		    &content),
	    "content is longer than 2097152 bytes.", "all together have at most 2 MiB");
	arena_reset(&arena);
}

static void
texts_are_normalised(void)
{
	struct content content;
	const char *json = replaced(whole, "Five litres.", "u\xCC\x88 ber");

	json = replaced(json, "make compost", "u\xCC\x88 ber");
	json = replaced(json, "Where", "Here\xE2\x80\xA8there…");
	json = replaced(json, "https://www.example.org/basics", "HTTPS://WWW.Example.org/ü");
	json = replaced(json, "\"caption\":null", "\"caption\":\" \"");
	is_text(refusal(json, &content), NULL, "odd forms are read");
	is_text(content.image_caption, "ü ber", "texts are NFC");
	is_text(content.sections[0].body[4].text, "u\xCC\x88 ber", "code stays as it is");
	is_text(content.sections[0].subsections[0].heading, "Here there…",
	    "a line separator in one line is a space");
	is_text(
	    content.references[0].url, "https://www.example.org/%C3%BC", "addresses are cleaned");
	is_text(content.sections[0].body[5].image.caption, NULL,
	    "an empty text is null where null is allowed");
}

static void
odd_forms_are_read(void)
{
	struct content content;
	const char *json = replaced(whole, "make compost", "a[^r9] = b[^r8]");
	const char *id = repeated("i", 64);

	is_text(refusal(json, &content), NULL, "code cites nothing");
	json = replaced(whole, "\"width\":800,\"height\":600", "\"width\":null,\"height\":null");
	is_text(refusal(json, &content), NULL, "a picture needs no size");
	is_text(written(&content, NULL), json, "which stays null");
	is_text(refusal(replaced(whole, "\"s1-1\"", arena_printf(&arena, "\"%s\"", id)), &content),
	    NULL, "an id may have 64 characters");
	json = replaced(whole, "\"type\":\"list\",\"ordered\":false,", "\"type\":\"list\",");
	json = replaced(json, "\"rowHeader\":true,", "");
	is_text(refusal(json, &content), NULL, "order and row headers may be left out");
	ok(!content.sections[0].body[2].list.ordered && !content.sections[0].tables[0].row_header,
	    "which means no");
	ok(content.sections[0].body[2].list.items[0].list.ordered,
	    "a list in it has its own order");
	json = replaced(whole, "\"ordered\":true,", "");
	is_text(refusal(json, &content), NULL, "which may be left out too");
	ok(!content.sections[0].body[2].list.items[0].list.ordered, "and means no");
}

static const char *const no_media[] = { "media:%s.svg", "media:%s.jpeg", "media:%s",
	"media:%s0.png", "media:0%s.png", "medix:%s.png", "Media:%s.png", "media:x%s.png",
	"%s.png" };

static void
media_names_are_checked(void)
{
	static const char *const kinds[] = { "png", "jpg", "webp", "gif" };
	struct content content;

	for (size_t i = 0; i < 4; i++)
		is_text(
		    refusal(replaced(whole, "https://cms.example.net/a.jpg",
				arena_printf(&arena, "media:%s.%s", repeated("0a", 32), kinds[i])),
			&content),
		    NULL, "a stored picture may be %s", kinds[i]);
	for (size_t i = 0; i < sizeof(no_media) / sizeof(*no_media); i++) {
		const char *at = strstr(no_media[i], "%s");
		const char *name = arena_printf(&arena, "%.*s%s%s", (int)(at - no_media[i]),
		    no_media[i], repeated("0a", 32), at + 2);
		ok(refusal(replaced(whole, "https://cms.example.net/a.jpg", name), &content) !=
			NULL,
		    "%s is no name of one", no_media[i]);
	}
}

static void
media_get_an_address(void)
{
	const char *name = arena_printf(&arena, "media:%s.webp", repeated("0a", 32));
	struct content content;

	is_text(refusal(replaced(whole, "https://cms.example.net/a.jpg", name), &content), NULL,
	    "a stored picture has a name of its own");
	ok(strstr(written(&content, NULL), name) != NULL, "which is what is stored");
	ok(strstr(written(&content, "https://cms.example.net/media/"),
	       arena_printf(&arena, "\"https://cms.example.net/media/%s.webp\"",
		   repeated("0a", 32))) != NULL,
	    "and an address where one is wanted");
	is_text(refusal(whole, &content), NULL, "other pictures");
	is_text(written(&content, "https://cms.example.net/media/"), whole, "have their own");
}

static void
note(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	static const char letters[] = "STHPsC";

	buf_printf(arg, "%c %s: %s\n", letters[kind], place, text);
}

static void
texts_are_walked_in_reading_order(void)
{
	struct content content;
	struct buf seen;
	const char *json = replaced(whole, "Where", repeated("long ", 20));

	buf_init(&seen, &arena, 10000);
	is_text(refusal(json, &content), NULL, "content is read");
	content_walk(&content, note, &seen);
	is_text(buf_done(&seen),
	    "S summary: Indoor composting works.[^r1]\n"
	    "T takeaways: Mix two parts.\n"
	    "T takeaways: Turn the bin.\n"
	    "H section \"Set up the bin\": Set up the bin\n"
	    "P section \"Set up the bin\": Choose a bin.\nWith a lid.\n"
	    "s section \"Set up the bin\": What goes in\n"
	    "s section \"Set up the bin\": A\n"
	    "s section \"Set up the bin\": B\n"
	    "s section \"Set up the bin\": 1\n"
	    "s section \"Set up the bin\": 2\n"
	    "s section \"Set up the bin\": 3\n"
	    "s section \"Set up the bin\": 4\n"
	    "s section \"Set up the bin\": Cardboard\n"
	    "s section \"Set up the bin\": torn\n"
	    "s section \"Set up the bin\": Straw\n"
	    "P section \"Set up the bin\": It does not smell.\n"
	    "s section \"Set up the bin\": Dana\n"
	    "C section \"Set up the bin\": make compost\n"
	    "H section \"Set up the bin\": Inside\n"
	    "s section \"Set up the bin\": Tip\n"
	    "P section \"Set up the bin\": Freeze.\n"
	    "s section \"Set up the bin\": Drill\n"
	    "P section \"Set up the bin\": Ten holes.\n"
	    "s section \"Set up the bin\": C\n"
	    "P section \"Set up the bin\": Ask.\n"
	    "H subsection \"long long long long long long long long long long long long …\": long long long long long long long long long long long long long long long long long long long long \n"
	    "P subsection \"long long long long long long long long long long long long …\": 15 to 25 °C.[^r2]\n"
	    "H question 1: Does it smell?\n"
	    "P question 1: No.\n",
	    "every text is seen once, with its kind and place");
}

static void
what_is_not_placed_follows(void)
{
	struct content content;
	struct buf seen;

	buf_init(&seen, &arena, 10000);
	is_text(
	    refusal(
		"{\"sections\":[{\"heading\":\"\",\"body\":[{\"type\":\"callout\",\"index\":0},{\"type\":\"paragraph\",\"text\":\"p\"}],\"steps\":[{\"name\":\"n\",\"text\":\"s\"}],\"tables\":[{\"columns\":[\"t\"],\"rows\":[]}],\"callouts\":[{\"kind\":\"tip\",\"text\":\"c\"},{\"kind\":\"tip\",\"text\":\"d\"}]}]}",
		&content),
	    NULL, "a section is read");
	content_walk(&content, note, &seen);
	is_text(buf_done(&seen),
	    "P the beginning: c\nP the beginning: p\n"
	    "s the beginning: n\nP the beginning: s\n"
	    "s the beginning: t\nP the beginning: d\n",
	    "what no block places follows the body: steps, tables, callouts");
}

static void
names_are_known(void)
{
	enum callout_kind kind;

	is_text(content_block_name(BLOCK_STEPS), "steps", "blocks have names");
	ok(content_callout_kind("WARNING", &kind) && kind == CALLOUT_WARNING,
	    "a callout's kind is found in any case");
	ok(!content_callout_kind("hint", &kind), "no other word is one");
}

static void
damaged_stored_content_is_a_failure(void)
{
	struct content content;
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		fclose(stderr);
		content_from_stored(&ctx, "{\"sections\":7}", "en", &content);
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	    "stored content that does not fit ends the process");
}

static uint64_t state;

static uint32_t
below(uint32_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

/* `whole` with a piece taken out, doubled, or moved over another. */
static const char *
mutated(void)
{
	static const char *const bits[] = { "\"", "{", "}", "[", "]", ",", "[^r1]", "null", "0",
		"-1", "true", "\\u0000", "\\ud800", "\\u00e4", "u\xCC\x88", "*", "\"id\":\"s1\",",
		"{\"type\":\"steps\"},", "\"\"", "t1", " ", "\xFF" };
	size_t len = sizeof(whole) - 1;
	size_t at = below((uint32_t)len), cut = below(4) == 0 ? below(30) : 0;
	struct buf b;

	if (cut > len - at)
		cut = len - at;
	buf_init(&b, &arena, 100000);
	buf_add(&b, whole, at);
	if (below(3) > 0)
		buf_add_text(&b, bits[below(sizeof(bits) / sizeof(bits[0]))]);
	buf_add(&b, whole + at + cut, len - at - cut);
	return buf_done(&b);
}

/* Reads `json`; true when it is refused, or written in a form that is a fixed
 * point. */
static bool
is_refused_or_stable(const char *json, int *accepted)
{
	struct content content;
	const char *once;
	json_t *root;
	struct err *err = jread_parse(&ctx, "content", json, strlen(json), &root);

	if (err == NULL)
		err = content_from_json(&ctx, "content", root, "en", &content);
	if (err != NULL)
		return utf8_valid(err->message, strlen(err->message));
	(*accepted)++;
	once = written(&content, NULL);
	content_from_stored(&ctx, once, "de", &content);
	return strcmp(written(&content, NULL), once) == 0;
}

static void
damaged_content_is_refused_or_stable(void)
{
	int wrong = 0, accepted = 0;

	for (int i = 0; i < 6000 && wrong == 0; i++) {
		const char *json = mutated();
		if (!is_refused_or_stable(json, &accepted)) {
			wrong++;
			printf("# %s\n", json);
		}
		arena_reset(&arena);
	}
	is_int(wrong, 0, "damaged content is refused, or read and stable");
	ok(accepted > 200, "%d of them were read", accepted);
}

int
main(int argc, char **argv)
{
	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260901;
	printf("# seed %llu\n", (unsigned long long)state);
	arena_init(&arena, (size_t)256 * 1024 * 1024);
	canonical_form_is_a_fixed_point();
	gaps_are_filled();
	ids_are_made();
	wrong_content_is_refused();
	limits_hold();
	texts_are_normalised();
	odd_forms_are_read();
	media_names_are_checked();
	media_get_an_address();
	texts_are_walked_in_reading_order();
	what_is_not_placed_follows();
	names_are_known();
	damaged_stored_content_is_a_failure();
	damaged_content_is_refused_or_stable();
	return done_testing();
}
