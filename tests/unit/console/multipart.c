/*
 * The reader of forms: what browsers send is read to the byte, and what is not whole is
 * refused.
 *
 * suite: fast
 */
#include "console/multipart.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

#define TYPE "multipart/form-data; boundary=b"
#define PART(name, value)                                                                          \
	"--b\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };
static struct multipart m;

static struct err *
read_n(const char *type, const char *body, size_t len)
{
	char *copy = arena_alloc(&arena, len + 1);

	memcpy(copy, body, len);
	return multipart_read(&c, type, copy, len, &m);
}

static struct err *
read_text(const char *type, const char *body)
{
	return read_n(type, body, strlen(body));
}

static void
is_value(size_t i, const char *name, const char *text)
{
	if (!ok(i < m.count, "there is value %zu", i))
		return;
	is_text(m.values[i].name, name, "value %zu has its name", i);
	is_text(m.values[i].text, text, "and its text");
	is_int((int64_t)m.values[i].len, (int64_t)strlen(text), "of that length");
}

static void
refuses(const char *type, const char *body, const char *why)
{
	struct err *err = read_text(type, body);

	ok(err != NULL && err->code == ERR_INVALID, "refused: %s", why);
}

static void
forms(void)
{
	ok(read_text(TYPE, PART("title", "A title") PART("text", "one\r\ntwo") "--b--\r\n") == NULL,
	    "a form is read");
	is_int((int64_t)m.count, 2, "two values");
	is_int((int64_t)m.file_count, 0, "no file");
	is_value(0, "title", "A title");
	is_value(1, "text", "one\r\ntwo");
	ok(read_text(TYPE, PART("a", "") PART("b", "\r\n") "--b--") == NULL,
	    "empty values are read");
	is_value(0, "a", "");
	is_value(1, "b", "\r\n");
	ok(read_text(TYPE,
	       "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n"
	       "--b\r\nContent-Disposition: form-data; name=b\r\n\r\nx\r\n--b--") == NULL,
	    "a part may end with its head");
	is_value(0, "a", "");
	is_value(1, "b", "x");
	ok(read_text(TYPE, "--b--") == NULL, "a form without fields is whole");
	is_int((int64_t)m.count, 0, "and has none");
	ok(read_text(TYPE, PART("a", "x--b\r\n-b--b") "--b--") == NULL,
	    "what looks like a boundary inside a line is text");
	is_value(0, "a", "x--b\r\n-b--b");
}

static void
types(void)
{
	ok(multipart_is("multipart/form-data; boundary=b"), "the type is known");
	ok(multipart_is("Multipart/Form-Data"), "in any case");
	ok(!multipart_is("multipart/form-database"), "as a whole word");
	ok(!multipart_is("application/x-www-form-urlencoded"), "others are not it");
	ok(!multipart_is(NULL), "none is not it");
	ok(read_text("multipart/form-data; charset=\"a;boundary=x\"; boundary=\"b\"",
	       PART("a", "x") "--b--") == NULL,
	    "a boundary may be quoted");
	is_value(0, "a", "x");
	refuses("multipart/form-data", "--\r\n", "no boundary");
	refuses("multipart/form-data; boundary=", "--\r\n", "an empty boundary");
	refuses(
	    "multipart/form-data; boundary=12345678901234567890123456789012345678901234567890123456789012345678901",
	    "--b--", "a boundary of 71 characters");
	refuses("application/x-www-form-urlencoded; boundary=b", "--b--", "another type");
}

static void
names(void)
{
	ok(read_text(TYPE, "--b\r\n"
			   "Content-Type: text/plain\r\n"
			   "content-disposition: form-data ;  NAME=\"a;b=c\"\r\n"
			   "\r\n"
			   "x\r\n"
			   "--b--") == NULL,
	    "names may be quoted and hold what separates");
	is_value(0, "a;b=c", "x");
	ok(read_text(TYPE, "--b\r\n"
			   "Content-Disposition: form-data; x=\"; name=no\"; name=yes\r\n"
			   "\r\n"
			   "x\r\n"
			   "--b--") == NULL,
	    "a name in another value is none");
	is_value(0, "yes", "x");
	refuses(TYPE, "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--", "no name");
	refuses(TYPE, "--b\r\n\r\nx\r\n--b--", "no head");
}

static void
files(void)
{
	static const char body[] =
	    "--b\r\n"
	    "Content-Disposition: form-data; name=\"cover\"; filename=\"../../etc/x.png\"\r\n"
	    "Content-Type: image/png\r\n"
	    "\r\n"
	    "\0\r\n"
	    "-\0\r\n"
	    "--b\r\n"
	    "Content-Disposition: form-data; name=\"none\"; filename=\"\"\r\n"
	    "\r\n"
	    "\r\n"
	    "--b--";

	ok(read_n(TYPE, body, sizeof(body) - 1) == NULL, "files are read");
	is_int((int64_t)m.count, 0, "no value");
	is_int((int64_t)m.file_count, 1, "a file that nobody chose is left out");
	is_text(m.files[0].name, "cover", "the file has the field's name");
	is_int((int64_t)m.files[0].len, 5, "all its bytes");
	ok(memcmp(m.files[0].text, "\0\r\n-\0", 6) == 0, "as they were, and a NUL");
}

static void
broken(void)
{
	static const char nul[] =
	    "--b\r\nContent-Disposition: form-data; name=\"a\0\"\r\n\r\nx\r\n--b--";
	static const char value[] =
	    "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\0y\r\n--b--";

	refuses(TYPE, "", "nothing");
	refuses(TYPE, "--", "half a boundary");
	refuses(TYPE, "--b", "a boundary alone");
	refuses(TYPE, "--b\r\n", "no part");
	refuses(TYPE, "--b-\r\n", "one hyphen");
	refuses(TYPE, "preamble\r\n" PART("a", "x") "--b--", "text before all");
	refuses(TYPE, PART("a", "x"), "no end");
	refuses(TYPE, PART("a", "x") "--b", "an end without its hyphens");
	refuses(TYPE, PART("a", "x\r\n--bc") "--b--", "a longer boundary inside");
	refuses(TYPE, "--b\r\nContent-Disposition: form-data; name=\"a\"", "half a head");
	refuses(
	    TYPE, "--b\nContent-Disposition: form-data; name=a\n\nx\n--b--", "lines without CR");
	ok(read_n(TYPE, nul, sizeof(nul) - 1) != NULL, "refused: a NUL in a head");
	ok(read_n(TYPE, value, sizeof(value) - 1) == NULL, "a NUL in a value is kept");
	is_int((int64_t)m.values[0].len, 3, "for the form to refuse");
}

/* Reads a part whose head has so many semicolons. */
static struct err *
read_long(size_t count)
{
	static const char head[] = "--b\r\nContent-Disposition: form-data; name=a";
	static const char end[] = "\r\n\r\nx\r\n--b--";
	char *body = arena_alloc(&arena, sizeof(head) + count + sizeof(end));

	memcpy(body, head, sizeof(head) - 1);
	memset(body + sizeof(head) - 1, ';', count);
	memcpy(body + sizeof(head) - 1 + count, end, sizeof(end));
	return read_text(TYPE, body);
}

static void
bounds(void)
{
	static const char part[] = PART("a", "");
	size_t len = sizeof(part) - 1;
	char *body = arena_alloc(&arena, 401 * len + 8);

	for (size_t i = 0; i < 401; i++)
		memcpy(body + i * len, part, len);
	memcpy(body + 400 * len, "--b--", 6);
	ok(read_text(TYPE, body) == NULL, "400 parts are read");
	is_int((int64_t)m.count, 400, "all of them");
	memcpy(body + 400 * len, part, len);
	memcpy(body + 401 * len, "--b--", 6);
	refuses(TYPE, body, "401 parts");
	body = arena_alloc(&arena, 300);
	snprintf(body, 300,
	    "--b\r\nContent-Disposition: form-data; name=\"%0101d\"\r\n\r\nx\r\n--b--", 1);
	refuses(TYPE, body, "a name of 101 bytes");
	ok(read_long(15000) == NULL, "a long head is read");
	ok(read_long(17000) != NULL, "refused: a head of more than 16 KiB");
}

int
main(void)
{
	arena_init(&arena, (size_t)64 << 20);
	forms();
	types();
	names();
	files();
	broken();
	bounds();
	return done_testing();
}
