/* suite: fast */
#include "command/call.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "command/help.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

#define WORDS_MAX 16

/* Parses words separated by spaces; returns the refusal's sentence, or NULL. */
static const char *
parse(const char *text, struct call *call)
{
	char *argv[WORDS_MAX + 1] = { (char *)"galley" };
	char *copy = arena_text(&arena, text);
	struct err *err;
	int argc = 1;

	for (char *p = copy; *p != '\0' && argc < WORDS_MAX;) {
		argv[argc++] = p;
		p += strcspn(p, " ");
		if (*p != '\0')
			*p++ = '\0';
	}
	call_init(call, &ctx);
	err = call_parse(&ctx, call, argc, argv);
	if (err == NULL)
		return NULL;
	if (!call_is_usage(err))
		return "a refusal that is no usage error";
	return err->message;
}

static void
options_stand_anywhere(void)
{
	static const char *const forms[] = {
		"--json --instance /i article publish A B",
		"article --json publish --instance=/i A B",
		"article publish A --instance /i B --json",
	};
	struct call call;

	for (size_t i = 0; i < 3; i++) {
		is_text(parse(forms[i], &call), NULL, "%s", forms[i]);
		ok(call.as_json, "json");
		is_text(call.instance, "/i", "the instance");
		is_int((int64_t)call.operand_count, 2, "two operands");
		is_text(call.operands[1], "B", "in their order");
	}
}

static void
values_are_taken(void)
{
	struct call call;

	is_text(parse("key create --scope articles:read --label=a=b --scope drafts:read", &call),
	    NULL, "an option may be given many times");
	is_text(call_option_at(&call, "scope", 1), "drafts:read", "the second");
	is_text(call_option_at(&call, "scope", 2), NULL, "no third");
	is_text(call_option(&call, "label"), "a=b", "a value may hold =");
	is_text(call_option(&call, "workspace"), NULL, "absent");
	is_text(parse("article import --publish -- --odd-name.md", &call), NULL,
	    "what follows -- is an operand");
	is_text(call.operands[0], "--odd-name.md", "whatever it looks like");
	ok(call_has(&call, "publish") && !call_has(&call, "force"), "switches");
}

static void
usage_errors_name_the_word(void)
{
	static const struct {
		const char *words, *sentence;
	} cases[] = {
		{ "", "Say what to do." },
		{ "--frob",
		    "galley has no option --frob; options of a command come after its name." },
		{ "article publish", "galley article publish needs ID…." },
		{ "article show A B", "galley article show: B is one word too many." },
		{ "article show A --as", "--as needs a value: FORM." },
		{ "article import --publish=yes x", "--publish takes no value." },
		{ "article show A --as json --as html", "--as is given twice." },
		{ "article show A --frob", "galley article show has no option --frob." },
		{ "article show A --jsno",
		    "galley article show has no option --jsno; did you mean --json?" },
		{ "article import A --pub",
		    "galley article import has no option --pub; did you mean --publish?" },
		{ "article show A -x",
		    "-x is no option: options begin with two hyphens; for an operand write -- before it." },
		{ "key create", "galley key create needs --scope SCOPE." },
		{ "--instance", "--instance needs the folder of an instance." },
		{ "article",
		    "galley article needs a second word; galley help article lists them." },
		{ "article zzzzzz",
		    "galley article has no command zzzzzz; galley help article lists what it has." },
		{ "zzzzzz", "galley has no command zzzzzz; galley help lists what it has." },
		{ "acount lst",
		    "galley has no command acount lst; did you mean galley account list?" },
		{ "article unpub",
		    "galley has no command article unpub; did you mean galley article unpublish?" },
		{ "docter", "galley has no command docter; did you mean galley doctor?" },
	};
	struct call call;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_text(parse(cases[i].words, &call), cases[i].sentence, "\"%s\"", cases[i].words);
}

static void
help_is_asked_for_anywhere(void)
{
	static const char *const forms[] = { "--help", "article --help", "--instance --help",
		"article import --help", "--json article import x -h",
		"--instance /x article import --help", "article --instance /x import y -h",
		"article import --help --instance /x" };
	struct call call;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		is_text(parse(forms[i], &call), NULL, "%s", forms[i]);
		is_text(call.command->verb, "help", "is help");
		if (i >= 3)
			is_text(call.operands[1], "import", "about the command");
	}
	is_text(parse("article import -- --help", &call), NULL, "but not behind --");
	is_text(call.command->verb, "import", "is the command");
}

/* Properties of rows that parsing and help rely on. */
static void
rows_are_whole(void)
{
	struct buf out;

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			const char *name = call_name(&ctx, row);
			ok(row->run != NULL && row->summary != NULL && row->operands != NULL,
			    "%s has what a row needs", name);
			ok(call_find(row->noun, row->verb) == row, "%s is found by its words",
			    name);
			buf_init(&out, &arena, 65536);
			help_of_command(&ctx, row, &out);
			ok(strstr(out.data, row->summary) != NULL, "%s has a help text", name);
		}
	}
}

int
main(void)
{
	arena_init(&arena, (size_t)64 << 20);
	options_stand_anywhere();
	values_are_taken();
	usage_errors_name_the_word();
	help_is_asked_for_anywhere();
	rows_are_whole();
	return done_testing();
}
