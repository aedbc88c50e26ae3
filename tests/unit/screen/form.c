/* suite: fast */
#include "screen/form.h"

#include <sys/wait.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena, .request_id = "" };
static struct form form;
static struct buf out;
static struct hwrite w;

static const char *
no_admin(struct ctx *c, const char *value)
{
	(void)c;
	return strcmp(value, "admin") == 0 ? "This name is taken." : NULL;
}

static const struct field_choice kinds[] = { { "a", "Article" }, { "b", "Research brief" },
	{ NULL, NULL } };

static const struct field fields[] = { { .name = "name",
					   .label = "Name",
					   .kind = FIELD_TEXT,
					   .max = 20,
					   .required = true,
					   .hint = "As readers see it.",
					   .check = no_admin,
					   .autocomplete = "name" },
	{ .name = "email", .label = "E-mail", .kind = FIELD_EMAIL },
	{ .name = "password",
	    .label = "Password",
	    .kind = FIELD_PASSWORD,
	    .required = true,
	    .missing = "Type your password." },
	{ .name = "text", .label = "Text", .kind = FIELD_AREA, .rows = 3 },
	{ .name = "kind", .label = "Kind", .kind = FIELD_SELECT, .choices = kinds },
	{ .name = "way", .label = "Way", .kind = FIELD_RADIO, .choices = kinds, .required = true },
	{ .name = "agree",
	    .label = "I agree",
	    .kind = FIELD_CHECKBOX,
	    .required = true,
	    .hint = "To all." },
	{ .name = "count", .label = "Count", .kind = FIELD_NUMBER, .least = 1, .most = 30 },
	{ .name = "day", .label = "Day", .kind = FIELD_DATE },
	{ .name = "base", .kind = FIELD_HIDDEN },
	{ .name = "slug", .label = "Slug", .kind = FIELD_TEXT, .readonly = true, .dir = "ltr" },
	{ .name = "save", .label = "Save", .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "remove", .label = "Remove", .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL } };

#define VALUE(name, literal)                                                                       \
	{                                                                                          \
		name, literal, sizeof(literal) - 1                                                 \
	}

static const struct form_value good[] = { VALUE("name", " Dana "),
	VALUE("email", "dana@example.com"), VALUE("password", " a b\tc "),
	VALUE("text", "one\r\ntwo\rx\n"), VALUE("kind", "b"), VALUE("way", "a"),
	VALUE("agree", "1"), VALUE("count", "30"), VALUE("day", "1970-01-02"), VALUE("base", "x1"),
	VALUE("slug", "sent-all-the-same"), VALUE("unknown", "?"), VALUE("save", "1") };

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Reads the good values with one of them replaced. */
static bool
read_with(struct form_value changed)
{
	struct form_value values[COUNT(good)];

	memcpy(values, good, sizeof(good));
	for (size_t i = 0; i < COUNT(good); i++) {
		if (strcmp(values[i].name, changed.name) == 0)
			values[i] = changed;
	}
	form_init(&form, "it", fields);
	return form_read(&ctx, &form, values, COUNT(good));
}

static const char *
error_of(const char *name)
{
	for (size_t i = 0; fields[i].name != NULL; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return form.entry[i].error;
	}
	return NULL;
}

static const char *
rendered(void)
{
	buf_init(&out, &arena, 64 * 1024);
	hwrite_init(&w, &out);
	form_write(
	    &w, &form, &(struct form_head) { .action = "/console/x", .token = "t", .number = "n" });
	hwrite_end(&w);
	return buf_done(&out);
}

static bool
shows(const char *part)
{
	return strstr(rendered(), part) != NULL;
}

static void
what_is_sent_is_read(void)
{
	ok(read_with(good[0]), "good values are taken");
	is_text(form_text(&form, "name"), "Dana", "a line without spaces around it");
	is_text(form_text(&form, "password"), " a b\tc ", "a password as typed");
	is_text(form_text(&form, "text"), "one\ntwo\nx\n", "lines with newlines");
	is_text(form_text(&form, "kind"), "b", "a choice");
	ok(form_is_on(&form, "agree") && form_is_on(&form, "save") && !form_is_on(&form, "remove"),
	    "a tick, and the button that was pressed");
	is_int(form_number(&form, "count"), 30, "a number");
	ok(read_with((struct form_value)VALUE("count", "1")), "the least number is taken");
	is_int(form_number(&form, "count"), 1, "as it is");
	is_int(form_number(&form, "day"), INT64_C(86400000000), "a date");
	is_text(form_text(&form, "base"), "x1", "a hidden value");
	is_text(form_text(&form, "slug"), NULL, "a field that is only shown is not read");
	ok(!shows("summary") && !shows("error"), "nothing is wrong with it");
	ok(read_with((struct form_value)VALUE("email", "")) && form_text(&form, "email") == NULL,
	    "an empty text is none");
	ok(read_with((struct form_value)VALUE("email", "e\u0301@example.com")),
	    "letters of any script are letters");
	is_text(form_text(&form, "email"), "\u00E9@example.com", "in NFC");
}

static const struct {
	struct form_value value;
	const char *error;
} wrong[] = {
	{ VALUE("name", "  "), "filled in" },
	{ VALUE("name", "admin"), "is taken" },
	{ VALUE("name", "123456789012345678901"), "21 bytes, and may have 20" },
	{ VALUE("name", "a\nb"), "cannot be kept" },
	{ VALUE("name", "a\x01"
			"b"),
	    "cannot be kept" },
	{ VALUE("name", "a\u202E"), "cannot be kept" },
	{ VALUE("name", "a\xFF"), "not text" },
	{ VALUE("name", "a\0b"), "not text" },
	{ VALUE("email", "dana"), "not an e-mail" },
	{ VALUE("email", "dana@host"), "not an e-mail" },
	{ VALUE("email", "@example.com"), "not an e-mail" },
	{ VALUE("email", "a@b@example.com"), "not an e-mail" },
	{ VALUE("email", "a..b@example.com"), "not an e-mail" },
	{ VALUE("email", "a b@example.com"), "not an e-mail" },
	{ VALUE("email", "a@example.com."), "not an e-mail" },
	{ VALUE("email", "a@exa_mple.com"), "not an e-mail" },
	{ VALUE("email", "\"a\"@example.com"), "not an e-mail" },
	{ VALUE("password", ""), "Type your password" },
	{ VALUE("kind", "c"), "not one of the choices" },
	{ VALUE("way", ""), "Choose one" },
	{ VALUE("count", "0"), "from 1 to 30" },
	{ VALUE("count", "31"), "from 1 to 30" },
	{ VALUE("count", "-1"), "from 1 to 30" },
	{ VALUE("count", "1e1"), "from 1 to 30" },
	{ VALUE("count", "99999999999999999999"), "from 1 to 30" },
	{ VALUE("day", "2026-02-30"), "not a date" },
	{ VALUE("day", "tomorrow"), "not a date" },
	{ VALUE("base", "\xC0"), "not text" },
};

static void
what_is_wrong_is_refused(void)
{
	for (size_t i = 0; i < COUNT(wrong); i++) {
		const char *error;
		ok(!read_with(wrong[i].value), "wrong value %zu is refused", i);
		error = error_of(wrong[i].value.name);
		ok(form.errors == 1 && error != NULL && strstr(error, wrong[i].error) != NULL,
		    "beside its field: %s", wrong[i].error);
		ok(strstr(rendered(), error) != NULL, "and the page says it");
	}
	form_init(&form, "it", fields);
	ok(!form_read(
	       &ctx, &form, (struct form_value[]) { VALUE("name", "a"), VALUE("name", "b") }, 2),
	    "a name that is sent twice is refused");
	is_int((int64_t)form.errors, 4, "as is all else that is wrong");
	ok(form_text(&form, "name") == NULL, "neither of the two counts");
	ok(shows("This must be ticked."), "a tick may be needed");
}

static void
what_cannot_be_kept_is_taken_out(void)
{
	read_with((struct form_value)VALUE("name", "a\u202Eb\nc\uFEFF"));
	is_text(form_text(&form, "name"), "ab c", "characters");
	ok(shows("value=\"ab c\"") && !shows("\uFFFD"), "the page shows what the next press sends");
	read_with((struct form_value)VALUE("text", "a\xFF\u2067b\nc\0d"));
	is_text(form_text(&form, "text"), "ab\ncd", "bytes, and characters among them");
	read_with((struct form_value)VALUE("email", "\u202E"));
	ok(form_text(&form, "email") == NULL && error_of("email") != NULL,
	    "what leaves nothing is refused, too");
	read_with((struct form_value)VALUE("name", "\uFFFD"));
	is_text(form_text(&form, "name"), "\uFFFD", "a replacement that somebody typed is kept");
}

static void
what_was_typed_is_shown_again(void)
{
	read_with((struct form_value)VALUE("email", "\"><script>x"));
	ok(shows("value=\"&quot;&gt;&lt;script&gt;x\""), "escaped");
	ok(shows("aria-describedby=\"it-email-error\" aria-invalid=\"true\""),
	    "the field names its error");
	ok(shows("<a href=\"#it-email\">E-mail</a>"), "the summary links to the field");
	ok(shows("<p class=\"error\" id=\"it-email-error\">This is not an"),
	    "the error is beside the field");
	ok(shows("<textarea rows=\"3\" id=\"it-text\" name=\"text\" dir=\"auto\">\n"
		 "one\ntwo\nx\n</textarea>"),
	    "lines");
	ok(shows("<option value=\"b\" selected>Research brief</option>"), "a choice");
	ok(shows("value=\"a\" checked required>"), "a radio button");
	ok(shows("value=\"1\" checked required aria-describedby=\"it-agree-hint\">") &&
		shows("id=\"it-agree-hint\">To all."),
	    "a tick, with its hint");
	ok(shows("aria-describedby=\"it-name-hint\""), "a hint is named, too");
	ok(shows("name=\"token\" value=\"t\"") && shows("name=\"number\" value=\"n\""),
	    "token and number are sent with it");
	ok(strstr(rendered(), "a b\tc") == NULL, "a password is never written");
	read_with((struct form_value)VALUE("name", ""));
	ok(shows("aria-describedby=\"it-name-hint it-name-error\""), "a hint and an error");
	read_with((struct form_value)VALUE("way", ""));
	ok(shows("<a href=\"#it-way-0\">Way</a>") && shows("id=\"it-way-0\""),
	    "an error of radio buttons leads to the first");
	ok(shows(
	       "<div class=\"buttons\"><button type=\"submit\" name=\"save\" value=\"1\" class=\"button primary\">Save</button><button"),
	    "buttons are in a row");
}

static void
an_action_refuses_too(void)
{
	form_init(&form, "it", fields);
	form_fill(&form, "name", "Dana");
	form_fill(&form, "email", NULL);
	form_tick(&form, "agree", true);
	form_choices(&form, "kind", (struct field_choice[]) { { "z", "<Zoo>" }, { NULL, NULL } });
	form_fill(&form, "kind", "z");
	ok(shows("value=\"Dana\"") && shows("selected>&lt;Zoo&gt;</option>"),
	    "what is stored is shown");
	form_fill(&form, "kind", "old");
	ok(shows("<option value=\"old\" selected>old</option></select>"),
	    "a value that is no choice any more is not changed by the page");
	form_refuse(&form, "name", "Taken.");
	form_refuse(&form, "name", "Taken again.");
	form_refuse(&form, NULL, "Try again.");
	form_refuse(&form, NULL, NULL);
	is_int((int64_t)form.errors, 2, "a field has one error");
	ok(shows("<li>Try again.</li>") && shows("</a> Taken again.</li>"),
	    "a form can be refused as a whole");
	ok(shows("Some things are wrong"), "the summary counts");
}

static const struct field few[] = { { .name = "find", .label = "Find", .kind = FIELD_SUBMIT },
	{ .name = "q", .label = "Title", .kind = FIELD_TEXT, .inputmode = "search" },
	{ .name = NULL } };

static void
a_form_is_written_in_parts(void)
{
	form_init(&form, "f", few);
	buf_init(&out, &arena, 64 * 1024);
	hwrite_init(&w, &out);
	form_write_begin(&w, &form, &(struct form_head) { .action = "?", .search = true });
	form_write_field(&w, &form, "q");
	hwrite_element(&w, H_P, "between");
	form_write_field(&w, &form, "find");
	form_write_end(&w);
	hwrite_end(&w);
	is_text(buf_done(&out),
	    "<form id=\"f\" method=\"get\" action=\"?\" class=\"form search\" novalidate><div class=\"field\"><label for=\"f-q\">Title <span class=\"optional\">optional</span></label><input type=\"text\" id=\"f-q\" name=\"q\" inputmode=\"search\" dir=\"auto\"></div><p>between</p><button type=\"submit\" name=\"find\" value=\"1\" class=\"button\">Find</button></form>",
	    "a search has no token, and a form can be written in parts");
	ok(shows("Find</button></div><div class=\"field\"><label"),
	    "a row of buttons ends before a field");
}

static void
an_unknown_name_is_a_bug(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		fclose(stderr);
		form_text(&form, "typo");
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
	    "a name that the table has not is a bug");
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	what_is_sent_is_read();
	what_is_wrong_is_refused();
	what_cannot_be_kept_is_taken_out();
	what_was_typed_is_shown_again();
	an_action_refuses_too();
	a_form_is_written_in_parts();
	an_unknown_name_is_a_bug();
	return done_testing();
}
