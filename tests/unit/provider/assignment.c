/* suite: fast */
#include "provider/assignment.h"

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
	{ "\xE2\x80\xAEover\xE2\x81\xA6ride\xEF\xBB\xBF", "override", "override" },
	{ "bell\x07 \x7F\xC2\x85nel", "bell nel", "bell nel" },
	{ "e\xCC\x81", "\xC3\xA9", "\xC3\xA9" },
	{ "\x01\n\x02", "", "" },
	{ "", "", "" },
};

static void
texts_are_cleaned(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		is_text(assignment_clean(&c, texts[i].text, true), texts[i].line,
		    "text %zu in one line", i);
		is_text(
		    assignment_clean(&c, texts[i].text, false), texts[i].lines, "and in several");
	}
}

static struct err *
read_text(const char *json, struct assignment *out)
{
	int fd = memfd_create("task", 0);
	struct err *err;

	if (fd < 0 || write(fd, json, strlen(json)) != (ssize_t)strlen(json) ||
	    lseek(fd, 0, SEEK_SET) != 0)
		bail("memfd");
	err = assignment_read(&c, fd, out);
	close(fd);
	return err;
}

static void
a_task_is_read(void)
{
	struct assignment assignment;
	struct err *err = read_text(
	    "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"research\",\"topic\":\"A\\nB\",\"image\":true,\"attempt\":2,\"deadline_s\":60,\"new\":1},\"workspace\":{\"name\":\" N \",\"language\":\"EN-gb\",\"website\":\"https://Example.com\",\"publisher_name\":null},\"brief\":{\"topic\":\"T\",\"sources\":[{\"title\":\"S\",\"url\":\"javascript:x\"}],\"keywords\":[\"\",\"k\"]},\"articles\":[{\"id\":\"a\",\"title\":\"x\\ty\",\"summary\":null,\"url\":\"https://e.example/ \"}],\"steps\":{\"s\":[1]},\"new\":1}",
	    &assignment);

	if (!ok(err == NULL, "a task is read"))
		return;
	is_int(assignment.kind, ASSIGNMENT_RESEARCH, "its kind");
	ok(!assignment.image, "research never has a cover");
	is_int(assignment.attempt, 2, "the try");
	is_int(assignment.deadline_s, 60, "the deadline");
	is_text(assignment.topic, "A\nB", "the topic keeps its lines");
	is_text(assignment.workspace.name, "N", "names are trimmed");
	is_text(assignment.workspace.language, "en-GB", "the tag is clean");
	ok(assignment.workspace.publisher_name == NULL, "null is NULL");
	is_text(assignment.articles[0].title, "x y", "titles have one line");
	is_text(assignment.articles[0].summary, "", "no summary is empty");
	is_text(assignment.articles[0].url, "https://e.example/", "a clean address");
	ok(assignment_article_find(&assignment, "a") == &assignment.articles[0], "found by id");
	ok(assignment_article_find(&assignment, "b") == NULL, "or not");
	ok(json_is_array(assignment_step(&assignment, "s")), "a stored step");
	ok(assignment_step(&assignment, "t") == NULL, "or none");
	is_text(assignment.brief->sources[0].id, "r1", "sources get numbers");
	ok(assignment.brief->sources[0].url == NULL, "and lose bad addresses");
	is_int((int64_t)assignment.brief->keyword_count, 1, "empty texts go");
	is_text(assignment.brief->angle, "", "what is absent is empty");
}

static const struct {
	const char *json, *message;
} broken[] = {
	{ "{\"protocol\":2}", "protocol must be an integer between 1 and 1." },
	{ "{\"protocol\":1}", "job is missing." },
	{ "{\"protocol\":1,\"job\":{\"kind\":\"article\"}}", "job.id is missing." },
	{ "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"article\"},\"workspace\":{},\"articles\":[{\"title\":\"x\"}]}",
	    "articles[0].id is missing." },
	{ "{\"protocol\":1,\"job\":{\"id\":\"j\",\"kind\":\"article\"},\"workspace\":{},\"brief\":{\"outline\":[{\"points\":[1]}]}}",
	    "brief.outline[0].points must hold strings only." },
	{ "7", "The JSON must be an object." },
};

static void
the_place_of_a_fault_is_named(void)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct assignment assignment;
		struct err *err = read_text(broken[i].json, &assignment);
		is_text(
		    err == NULL ? NULL : err->message, broken[i].message, "task %zu is refused", i);
	}
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	texts_are_cleaned();
	a_task_is_read();
	the_place_of_a_fault_is_named();
	return done_testing();
}
