/*
 * The codes of an authenticator: the vectors of RFC 6238 and RFC 4226, and what is shown
 * of the secret.
 *
 * suite: fast
 */
#include "people/factor.h"

#include "base/arena.h"
#include "base/clock.h"
#include "tests/tap.h"

static const unsigned char secret[TOTP_SECRET] = "12345678901234567890";

static struct arena arena;

/* RFC 6238, appendix B: the last six digits of the SHA-1 column. */
static void
the_vectors_of_the_rfc(void)
{
	static const struct {
		int64_t s;
		uint32_t code;
	} rows[] = {
		{ 59, 287082 },
		{ 1111111109, 81804 },
		{ 1111111111, 50471 },
		{ 1234567890, 5924 },
		{ 2000000000, 279037 },
		{ INT64_C(20000000000), 353130 },
	};
	/* RFC 4226, appendix D */
	static const uint32_t counted[] = { 755224, 287082, 359152, 969429, 338314, 254676, 287922,
		162583, 399871, 520489 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(totp_code(secret, totp_step(rows[i].s * CLOCK_SECOND)), rows[i].code,
		    "the code at %lld s", (long long)rows[i].s);
	for (int i = 0; i < 10; i++)
		is_int(totp_code(secret, i), counted[i], "the code of step %d", i);
}

static void
what_is_typed_is_checked(void)
{
	int64_t at = INT64_C(1111111109) * CLOCK_SECOND, step = totp_step(at);
	static const struct {
		const char *typed;
		int64_t spent, found;
		const char *name;
	} rows[] = {
		{ "081804", 0, 0, "the code of now" },
		{ "081 804", 0, 0, "with a space" },
		{ " 081-804 ", 0, 0, "with a hyphen" },
		{ "050471", 0, 1, "of the next step" },
		{ "081804", -1, 0, "where the step before was spent" },
	};
	static const char *const wrong[] = { "", "81804", "0081804", "08180x", "081805",
		"\xd9\xa0\xd9\xa8\xd9\xa1\xd9\xa8\xd9\xa0\xd9\xa4" };
	char text[20];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(totp_check(
			   secret, at, step + rows[i].spent - (rows[i].spent == 0), rows[i].typed),
		    step + rows[i].found, "%s", rows[i].name);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		is_int(totp_check(secret, at, 0, wrong[i]), 0, "“%s” is no code of now", wrong[i]);
	for (int i = -2; i <= 2; i++) {
		snprintf(text, sizeof(text), "%06u", (unsigned)totp_code(secret, step + i));
		is_int(totp_check(secret, at, 0, text), i < -1 || i > 1 ? 0 : step + i,
		    "the code of %+d steps", i);
	}
	is_int(totp_check(secret, at, step, "081804"), 0, "a spent code works no more");
	is_int(totp_check(secret, at, step + 1, "081804"), 0, "nor an older one");
}

static void
the_secret_is_shown(void)
{
	is_text(totp_base32(&arena, secret, TOTP_SECRET), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
	    "the secret as base32");
	is_text(totp_grouped(&arena, "ABCDEFGHIJ"), "ABCD EFGH IJ", "groups of four");
	is_text(totp_grouped(&arena, ""), "", "of nothing, nothing");
	is_text(totp_address(&arena, secret, "A & B: news", "d\xc3\xa4na+x@example.com"),
	    "otpauth://totp/A%20%26%20B%3A%20news:d%C3%A4na%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%26%20B%3A%20news&algorithm=SHA1&digits=6&period=30",
	    "its address has every text escaped");
}

/* Draws the path into a grid again, and looks for what every QR code has. */
static void
the_picture_is_a_code(void)
{
	static char dark[200][200];
	int size, x, y, run, back, moved, rows = 0;
	const char *path =
	    totp_qr(&arena, totp_address(&arena, secret, "Galley", "dana@example.com"), &size);

	ok(size > 29 && size < 100 && (size - 8 - 17) % 4 == 0, "its size is one of a code: %d",
	    size);
	while (sscanf(path, "M%d %dh%dv1h-%dz%n", &x, &y, &run, &back, &moved) == 4) {
		if (run != back || x < 4 || y < 4 || x + run > size - 4 || y > size - 5)
			bail("a run is outside: %.20s", path);
		memset(&dark[y][x], 1, (size_t)run);
		path += moved;
		rows++;
	}
	ok(*path == '\0' && rows > 100, "the path is %d runs of dark modules", rows);
	for (int corner = 0; corner < 3; corner++) {
		int left = corner == 1 ? size - 11 : 4, top = corner == 2 ? size - 11 : 4;
		bool good = true;
		for (int i = 0; i < 7; i++) {
			good = good && dark[top][left + i] && dark[top + 6][left + i] &&
			       dark[top + i][left] && dark[top + i][left + 6];
			good = good && !(i > 0 && i < 6 && dark[top + 1][left + i]);
			good = good && !(i > 1 && i < 5 && !dark[top + 3][left + i]);
		}
		ok(good, "finder pattern %d is there", corner + 1);
	}
}

int
main(void)
{
	arena_init(&arena, (size_t)16 << 20);
	the_vectors_of_the_rfc();
	what_is_typed_is_checked();
	the_secret_is_shown();
	the_picture_is_a_code();
	arena_release(&arena);
	return done_testing();
}
