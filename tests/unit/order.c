/* suite: fast */
#include "provider/order.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena };

static const struct {
	const char *text, *line, *lines;
} texts[] = {
	{ "plain", "plain", "plain" },
	{ "  two  \t words ", "two words", "two words" },
	{ "a\r\nb\rc\n\n\n\nd", "a b c d", "a\nb\nc\n\nd" },
	{ "a \n b", "a b", "a\nb" },
	{ "a\xE2\x80\xA8z", "a z", "a\nz" },
	{ "\xE2\x80\xAEover\xE2\x81\xA6ride\xEF\xBB\xBF", "override",
	    "override" },
	{ "bell\x07 \x7F\xC2\x85nel", "bell nel", "bell nel" },
	{ "e\xCC\x81", "\xC3\xA9", "\xC3\xA9" },
	{ "\x01\n\x02", "", "" },
	{ "", "", "" },
};

static void
texts_are_cleaned(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		is_text(order_clean(&c, texts[i].text, true), texts[i].line,
		    "text %zu in one line", i);
		is_text(order_clean(&c, texts[i].text, false), texts[i].lines,
		    "and in several");
	}
}

static struct err *
read_text(const char *json, struct order *out)
{
	int fd = memfd_create("order", 0);
	struct err *err;

	if (fd < 0 || write(fd, json, strlen(json)) != (ssize_t)strlen(json) ||
	    lseek(fd, 0, SEEK_SET) != 0)
		bail("memfd");
	err = order_read(&c, fd, out);
	close(fd);
	return err;
}

static void
an_order_is_read(void)
{
	struct order order;
	struct err *err = read_text(
	    "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"research\","
	    "\"topic\":\"A\\nB\",\"image\":true,\"attempt\":2,"
	    "\"deadline_s\":60,\"new\":1},\"workspace\":{\"name\":\" N \","
	    "\"language\":\"EN-gb\",\"website\":\"https://Example.com\","
	    "\"publisher_name\":null},\"brief\":{\"topic\":\"T\",\"sources\":"
	    "[{\"title\":\"S\",\"url\":\"javascript:x\"}],\"keywords\":"
	    "[\"\",\"k\"]},\"articles\":[{\"id\":\"a\",\"title\":\"x\\ty\","
	    "\"summary\":null,\"url\":\"https://e.example/ \"}],"
	    "\"steps\":{\"s\":[1]},\"new\":1}",
	    &order);

	if (!ok(err == NULL, "an order is read"))
		return;
	is_int(order.kind, ORDER_RESEARCH, "its kind");
	ok(!order.image, "research never has a cover");
	is_int(order.attempt, 2, "the try");
	is_int(order.deadline_s, 60, "the deadline");
	is_text(order.topic, "A\nB", "the topic keeps its lines");
	is_text(order.workspace.name, "N", "names are trimmed");
	is_text(order.workspace.language, "en-GB", "the tag is clean");
	ok(order.workspace.publisher_name == NULL, "null is NULL");
	is_text(order.articles[0].title, "x y", "titles have one line");
	is_text(order.articles[0].summary, "", "no summary is empty");
	is_text(order.articles[0].url, "https://e.example/", "a clean address");
	ok(order_article_find(&order, "a") == &order.articles[0],
	    "found by id");
	ok(order_article_find(&order, "b") == NULL, "or not");
	ok(json_is_array(order_step(&order, "s")), "a stored step");
	ok(order_step(&order, "t") == NULL, "or none");
	is_text(order.brief->sources[0].id, "r1", "sources get numbers");
	ok(order.brief->sources[0].url == NULL, "and lose bad addresses");
	is_int((int64_t)order.brief->keyword_count, 1, "empty texts go");
	is_text(order.brief->angle, "", "what is absent is empty");
}

static const struct {
	const char *json, *message;
} broken[] = {
	{ "{\"protocol\":2}", "protocol must be an integer between 1 and 1." },
	{ "{\"protocol\":1}", "job is missing." },
	{ "{\"protocol\":1,\"job\":{\"kind\":\"article\"}}",
	    "job.id is missing." },
	{ "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"article\"},"
	  "\"workspace\":{},\"articles\":[{\"title\":\"x\"}]}",
	    "articles[0].id is missing." },
	{ "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"article\"},"
	  "\"workspace\":{},\"brief\":{\"outline\":[{\"points\":[1]}]}}",
	    "brief.outline[0].points must hold strings only." },
	{ "7", "The JSON must be an object." },
};

static void
the_place_of_a_fault_is_named(void)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct order order;
		struct err *err = read_text(broken[i].json, &order);
		is_text(err == NULL ? NULL : err->message, broken[i].message,
		    "order %zu is refused", i);
	}
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	texts_are_cleaned();
	an_order_is_read();
	the_place_of_a_fault_is_named();
	return done_testing();
}
