/* suite: fast */
#include "backup/tar.h"

#include <fcntl.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static char path[] = "/tmp/galley-tar-XXXXXX";

static int
fresh_file(void)
{
	int fd = open(path, O_RDWR | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		bail("%s cannot be opened", path);
	return fd;
}

/* Runs a command of the shell, with the archive's path in $F; what it prints,
 * lines ended by |. */
static const char *
shell(const char *command)
{
	static char text[4096];
	FILE *pipe;
	size_t len;

	setenv("F", path, 1);
	pipe = popen(command, "r");
	if (pipe == NULL)
		bail("no shell");
	len = fread(text, 1, sizeof(text) - 1, pipe);
	text[len] = '\0';
	pclose(pipe);
	for (char *p = text; *p != '\0'; p++) {
		if (*p == '\n')
			*p = '|';
	}
	return text;
}

static const size_t sizes[] = { 0, 1, 511, 512, 513, 70000 };

static void
fill(char *bytes, size_t len, size_t seed)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = (char)(i * 31 + seed);
}

static void
write_archive(int fd)
{
	static char bytes[70000];
	struct tar t;

	tar_init(&t, &ctx, fd, path);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fill(bytes, sizes[i], i);
		if (tar_add(&t, arena_printf(&arena, "f%zu", i), bytes, sizes[i], 0) != NULL)
			bail("a file was not added");
	}
	if (tar_end(&t) != NULL)
		bail("the end was not written");
}

static void
what_is_written_is_read(void)
{
	static char want[70000], got[70001];
	int fd = fresh_file();
	size_t files = 0, len, part;
	struct err *err;
	struct tar t;
	bool more;

	write_archive(fd);
	lseek(fd, 0, SEEK_SET);
	tar_init(&t, &ctx, fd, path);
	for (;;) {
		err = tar_next(&t, &more);
		if (err != NULL || !more)
			break;
		is_int(t.size, (int64_t)sizes[files], "size of %s", t.name);
		fill(want, sizes[files], files);
		for (len = 0;; len += part) {
			err = tar_read(&t, got + len, 1000, &part);
			if (err != NULL || part == 0)
				break;
		}
		ok(len == sizes[files] && memcmp(want, got, len) == 0, "bytes of %s", t.name);
		files++;
	}
	ok(err == NULL, "the archive is read to its end");
	is_int((int64_t)files, 6, "every file is met");
	close(fd);
}

static void
files_may_be_passed_over(void)
{
	int fd = fresh_file();
	struct tar t;
	bool more = true;
	char byte;
	size_t got;
	int files = 0;

	write_archive(fd);
	lseek(fd, 0, SEEK_SET);
	tar_init(&t, &ctx, fd, path);
	while (tar_next(&t, &more) == NULL && more) {
		files++;
		ok(tar_read(&t, &byte, 1, &got) == NULL, "a byte of %s", t.name);
	}
	is_int(files, 6, "files that are not read to their end are passed over");
	close(fd);
}

static void
tar_unpacks_it(void)
{
	int fd = fresh_file();

	write_archive(fd);
	close(fd);
	is_text(shell("tar tf $F 2>&1"), "f0|f1|f2|f3|f4|f5|", "tar(1) lists it");
	is_text(shell("tar xOf $F f4 | wc -c"), "513|", "tar(1) unpacks it");
}

/* A name of more than 100 bytes is divided at a slash. */
static void
a_long_name_comes_back(void)
{
	static const char *const folders[] = { "dump/of/an/instance/whose/name/is/long",
		"0123456789012345678901234567890123456789012345678901234567890123456789" };
	const char *name = arena_printf(&arena, "%s/%s/%s.md", folders[0], folders[1], folders[1]);
	const char *short_name = arena_printf(&arena, "%s/%s", folders[1], "012345678901234567890");
	int fd = fresh_file();
	struct tar t;
	bool more;

	tar_init(&t, &ctx, fd, path);
	if (tar_add(&t, name, "a", 1, 0) != NULL || tar_add(&t, short_name, "b", 1, 0) != NULL ||
	    tar_end(&t) != NULL)
		bail("the archive was not written");
	is_text(shell("tar tf $F 2>&1"), arena_printf(&arena, "%s|%s|", name, short_name),
	    "tar(1) lists names of more than 100 bytes");
	lseek(fd, 0, SEEK_SET);
	tar_init(&t, &ctx, fd, path);
	for (int i = 0; i < 2; i++) {
		ok(tar_next(&t, &more) == NULL && more, "a file");
		is_text(t.name, i == 0 ? name : short_name, "its name");
	}
	close(fd);
}

/* Every cut and every changed byte of the headers is refused or harmless. */
static void
damage_is_refused(void)
{
	static char bytes[200000], spare[4096];
	int fd = fresh_file();
	ssize_t len;
	int refused = 0;

	write_archive(fd);
	len = pread(fd, bytes, sizeof(bytes), 0);
	for (ssize_t cut = len - 1; cut > 0; cut -= 509) {
		struct err *err = NULL;
		bool more = true;
		struct tar t;
		size_t got = 1;
		if (ftruncate(fd, cut) != 0)
			bail("truncate");
		lseek(fd, 0, SEEK_SET);
		tar_init(&t, &ctx, fd, path);
		while (err == NULL && more) {
			err = tar_next(&t, &more);
			for (got = 1; err == NULL && more && got > 0;)
				err = tar_read(&t, spare, sizeof(spare), &got);
		}
		/* What is cut of the second empty block alone is whole. */
		if (err == NULL && cut < len - 512)
			ok(false, "cut at %zd is refused", cut);
		refused += err != NULL;
	}
	ok(refused > 100, "archives that were cut are refused");
	for (int i = 0; i < 512; i += 3) {
		bool more;
		struct tar t;
		char saved = bytes[i];
		bytes[i] ^= 0x41;
		if (pwrite(fd, bytes, (size_t)len, 0) != len)
			bail("write");
		bytes[i] = saved;
		lseek(fd, 0, SEEK_SET);
		tar_init(&t, &ctx, fd, path);
		if (tar_next(&t, &more) == NULL) {
			ok(false, "a header with byte %d changed is refused", i);
			close(fd);
			return;
		}
	}
	ok(true, "a header with any byte changed is refused");
	close(fd);
}

/* Archives that tar(1) packed: a folder, a link, its large sizes. */
static void
others_pack_too(void)
{
	struct tar t;
	bool more;
	int fd;

	shell(
	    "cd /tmp && d=$(mktemp -d) && cd $d && mkdir in && echo x >in/a && tar cf $F in && rm -r $d");
	fd = open(path, O_RDONLY);
	tar_init(&t, &ctx, fd, path);
	ok(tar_next(&t, &more) == NULL && more, "folders are passed over");
	is_text(t.name, "in/a", "the file in it is met");
	close(fd);
	shell(
	    "cd /tmp && d=$(mktemp -d) && cd $d && ln -s /etc/passwd a && tar cf $F a && rm -r $d");
	fd = open(path, O_RDONLY);
	tar_init(&t, &ctx, fd, path);
	ok(tar_next(&t, &more) != NULL, "links are refused");
	close(fd);
	shell(
	    "cd /tmp && d=$(mktemp -d) && cd $d && truncate -s 9G a && tar cf - a | head -c 512 >$F; rm -r $d");
	fd = open(path, O_RDONLY);
	tar_init(&t, &ctx, fd, path);
	ok(tar_next(&t, &more) == NULL && more, "a large file is met");
	is_int(t.size, INT64_C(9) << 30, "with its size");
	close(fd);
}

/* The checksum of a header has its own eight bytes as spaces. */
static void
write_sum(char block[TAR_BLOCK])
{
	unsigned sum = 0;

	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum & 0777777);
}

/* Makes the header of the first file say this of its type and size, and cuts the
 * archive to `len` bytes. */
static int
archive_of_size(char type, const char field[12], off_t len)
{
	char block[TAR_BLOCK] = "";
	int fd = fresh_file();
	struct tar t;

	tar_init(&t, &ctx, fd, path);
	if (tar_add(&t, "first", "x", 1, 0) != NULL ||
	    pread(fd, block, sizeof(block), 0) != sizeof(block))
		bail("no archive");
	block[156] = type;
	memcpy(block + 124, field, 12);
	write_sum(block);
	if (pwrite(fd, block, sizeof(block), 0) != sizeof(block) || ftruncate(fd, len) != 0)
		bail("no header");
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
a_size_is_one_or_refused(void)
{
	static const struct {
		const char *name, *field;
		char type;
		bool good;
	} sizes_of[] = {
		{ "spaces before a size", "         1\0", '0', true },
		{ "a size of letters", "0000000000x", '0', false },
		{ "a binary size", "\x80\0\0\0\0\0\0\0\0\0\0\1", '0', true },
		{ "one of more bits than a number has", "\x80\0\0\1\0\0\0\0\0\0\0\0", '0', false },
		{ "one of the largest number", "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", '0',
		    false },
		{ "records that are cut off", "00000000777", 'x', false },
		{ "records without end", "77777777777", 'x', false },
		{ "records of no size", "0000000000x", 'x', false },
	};

	for (size_t i = 0; i < sizeof(sizes_of) / sizeof(*sizes_of); i++) {
		int fd = archive_of_size(sizes_of[i].type, sizes_of[i].field, TAR_BLOCK + 100);
		bool more;
		struct tar t;
		tar_init(&t, &ctx, fd, path);
		ok((tar_next(&t, &more) == NULL) == sizes_of[i].good, "%s: %s", sizes_of[i].name,
		    sizes_of[i].good ? "taken" : "refused");
		if (sizes_of[i].good)
			is_int(t.size, 1, "as what it is");
		close(fd);
	}
}

/* Writes a pax header with the `records`, then the header of an empty file. */
static int
archive_with(const char *records)
{
	char block[TAR_BLOCK] = "";
	int fd = fresh_file();
	struct tar t;

	tar_init(&t, &ctx, fd, path);
	memcpy(block, records, strlen(records));
	if (tar_add(&t, "pax", block, strlen(records), 0) != NULL ||
	    tar_add(&t, "short", "", 0, 0) != NULL ||
	    pread(fd, block, sizeof(block), 0) != sizeof(block))
		bail("no archive");
	block[156] = 'x';
	write_sum(block);
	if (pwrite(fd, block, sizeof(block), 0) != sizeof(block))
		bail("no header");
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
a_record_is_taken_whole_or_refused(void)
{
	static const char *const broken[] = { "3 path=other\n", "11 path=a\n", "7 path=other\n",
		"999 path=other\n", "path=other\n", "11 size=-1\n", "12 size=1x\n", "11 size=a\n",
		"8 size=\n", "28 size=9223372036854775807\n", "29 size=99999999999999999999\n" };
	char record[TAR_BLOCK];
	struct tar t;
	bool more;
	int fd;

	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		fd = archive_with(broken[i]);
		tar_init(&t, &ctx, fd, path);
		ok(tar_next(&t, &more) != NULL, "%.*s is refused", (int)strlen(broken[i]) - 1,
		    broken[i]);
		close(fd);
	}
	for (int len = 255; len <= 256; len++) {
		snprintf(record, sizeof(record), "%d path=%0*d\n", len + 10, len, 7);
		fd = archive_with(record);
		tar_init(&t, &ctx, fd, path);
		ok((tar_next(&t, &more) == NULL) == (len == 255), "a name of %d bytes is %s", len,
		    len == 255 ? "taken" : "refused, not cut short");
		if (len == 255)
			is_int((int64_t)strlen(t.name), len, "whole");
		close(fd);
	}
}

/* Files of 8 GiB have a pax header; the bytes themselves are a hole. */
static void
large_files_have_their_size(void)
{
	int64_t size = INT64_C(9) << 30;
	struct tar t;
	bool more;
	int fd, null;

	fd = fresh_file();
	null = open("/dev/null", O_RDONLY);
	tar_init(&t, &ctx, fd, path);
	/* Refused for the missing bytes, after the headers were written. */
	ok(tar_add_fd(&t, "large", null, size, 0) != NULL, "a file that became shorter is refused");
	lseek(fd, 0, SEEK_SET);
	tar_init(&t, &ctx, fd, path);
	ok(tar_next(&t, &more) == NULL && more, "its header is read");
	is_text(t.name, "large", "its name");
	is_int(t.size, size, "its size");
	close(null);
	close(fd);
}

int
main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		bail("no temporary file");
	close(fd);
	arena_init(&arena, (size_t)64 << 20);
	what_is_written_is_read();
	files_may_be_passed_over();
	tar_unpacks_it();
	a_long_name_comes_back();
	damage_is_refused();
	large_files_have_their_size();
	a_size_is_one_or_refused();
	a_record_is_taken_whole_or_refused();
	others_pack_too();
	unlink(path);
	return done_testing();
}
