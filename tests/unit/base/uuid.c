/* suite: fast */
#include "base/uuid.h"

#include "tests/tap.h"

/* NULL: refused. */
static const struct {
	const char *text, *uuid;
} forms[] = {
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55", "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55" },
	{ "3F2A9C10-5B7E-4C8D-9A41-6F0D2E7B8C55", "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55" },
	{ "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000" },
	{ "ffffffff-ffff-1fff-ffff-ffffffffffff", "ffffffff-ffff-1fff-ffff-ffffffffffff" },
	{ "", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c5", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c555", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55 ", NULL },
	{ "3f2a9c105b7e4c8d9a416f0d2e7b8c55", NULL },
	{ "{3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55}", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41_6f0d2e7b8c55", NULL },
	{ "3f2a9c1-05b7e-4c8d-9a41-6f0d2e7b8c55", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c5g", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c5`", NULL },
	{ "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c5\xC3\xA4", NULL },
	{ "urn:uuid:3f2a9c10-5b7e-4c8d-9a41-6f0d2", NULL },
};

static void
forms_are_checked(void)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char uuid[UUID_TEXT] = "untouched";
		bool valid = uuid_parse(forms[i].text, uuid);
		is_text(uuid, forms[i].uuid == NULL ? "untouched" : forms[i].uuid,
		    "\"%s\" is %s UUID", forms[i].text, forms[i].uuid == NULL ? "no" : "a");
		is_int(uuid_parse(forms[i].text, NULL), valid, "asked without wanting it too");
	}
}

static void
random_uuids_have_their_form(void)
{
	char first[UUID_TEXT], other[UUID_TEXT];
	int wrong = 0, varied = 0;

	uuid_random(first);
	for (int i = 0; i < 1000; i++) {
		char lower[UUID_TEXT];
		uuid_random(other);
		if (!uuid_parse(other, lower) || strcmp(lower, other) != 0 || other[14] != '4' ||
		    strchr("89ab", other[19]) == NULL || strcmp(first, other) == 0)
			wrong++;
		varied += other[19] != first[19];
	}
	is_int(wrong, 0, "a random UUID has version 4, its variant, lower case");
	ok(varied > 0, "the bits beside the variant are random");
}

/* Whether two digits of random UUIDs are always the same. */
static bool
are_tied(size_t i, size_t j)
{
	for (int n = 0; n < 40; n++) {
		char uuid[UUID_TEXT];
		uuid_random(uuid);
		if (uuid[i] != uuid[j])
			return false;
	}
	return true;
}

static void
random_digits_are_independent(void)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	int tied = 0;

	for (size_t i = 0; i < UUID_TEXT - 1; i++) {
		for (size_t j = i + 1; j < UUID_TEXT - 1; j++) {
			bool dashes = form[i] == '-' && form[j] == '-';
			tied += !dashes && are_tied(i, j);
		}
	}
	is_int(tied, 0, "no digit of a random UUID repeats another");
}

static void
random_bytes_fill_what_is_asked(void)
{
	unsigned char bytes[1024] = { 0 };
	int zeros = 0;

	uuid_random_bytes(bytes, 1000);
	for (int i = 0; i < 1000; i++)
		zeros += bytes[i] == 0;
	ok(zeros < 50, "random bytes are random");
	zeros = 0;
	for (int i = 1000; i < 1024; i++)
		zeros += bytes[i] == 0;
	is_int(zeros, 24, "and no more than asked for");
	uuid_random_bytes(bytes, 0);
}

int
main(void)
{
	forms_are_checked();
	random_uuids_have_their_form();
	random_digits_are_independent();
	random_bytes_fill_what_is_asked();
	return done_testing();
}
