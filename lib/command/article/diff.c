/* galley article diff */
#include "action/past/past.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "command/article/article-lines.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/textdiff.h"

#define TEXT_MAX (9 * (size_t)CONTENT_BYTES_MAX)
#define LINES_AROUND 1

static const char *
lines_of(struct ctx *c, const struct snapshot *s)
{
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	article_lines_write(c, s, &out);
	return buf_done(&out);
}

static void
diff_to_json(struct jwrite *j, const struct article *a, const struct edition *e, bool same,
    const struct textdiff *diff)
{
	static const char *const changes[] = { "kept", "removed", "added" };

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "changed", !same);
	jwrite_member_array(j, "lines");
	for (size_t i = 0; i < diff->count; i++) {
		jwrite_object(j);
		jwrite_member_text(j, "change", changes[diff->lines[i].change]);
		jwrite_member_text(j, "text", diff->lines[i].text);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

/* Returns how many lines from `at` on changed in the same way. */
static size_t
run_of(const struct textdiff *diff, size_t at, enum textdiff_change change)
{
	size_t end = at;

	while (end < diff->count && diff->lines[end].change == change &&
	       diff->lines[end].hunk == diff->lines[at].hunk)
		end++;
	return end - at;
}

/* Prints removed lines and as many added ones, from `at` on. Each pair is one
 * line if that is shorter to read. */
static void
say_pairs(struct call *call, const struct textdiff_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *both =
		    textdiff_words(call->out.arena, lines[i].text, lines[count + i].text);
		if (both != NULL)
			call_say(call, "~ %s", both);
		else
			call_say(call, "- %s\n+ %s", lines[i].text, lines[count + i].text);
	}
}

static void
say_diff(struct call *call, const struct textdiff *diff)
{
	static const char signs[] = " -+";
	const struct textdiff_line *lines = diff->lines;
	size_t removed, added;

	for (size_t i = 0; i < diff->count; i++) {
		if (i > 0 && lines[i].hunk != lines[i - 1].hunk)
			call_say(call, "  …");
		removed = run_of(diff, i, TEXTDIFF_REMOVED);
		added = run_of(diff, i + removed, TEXTDIFF_ADDED);
		if (removed > 0 && removed == added) {
			say_pairs(call, lines + i, removed);
			i += 2 * removed - 1;
			continue;
		}
		call_say(call, lines[i].text[0] != '\0' ? "%c %s" : "%c", signs[lines[i].change],
		    lines[i].text);
	}
}

static void
say_difference(struct call *call, const struct edition *e, bool same, const struct textdiff *diff)
{
	char at[CLOCK_TEXT];

	clock_format_seconds(at, e->published_at);
	if (same) {
		call_say(
		    call, "The working copy is edition %" PRId64 ", published %s.", e->version, at);
		return;
	}
	call_say(call,
	    "From edition %" PRId64 ", published %s, to the working"
	    " copy:\n",
	    e->version, at);
	say_diff(call, diff);
	if (diff->count == 0)
		call_say(call,
		    "They differ in what a text does not show: names of sections, fixed headings, sizes of\n"
		    "pictures. galley article show --as json has them.");
}

static struct err *
diff(struct ctx *c, struct call *call)
{
	struct past past;
	struct textdiff diff;
	struct article *a;
	int64_t version;
	struct err *err;

	err = pick_one_article(c, call, 0, &a);
	if (err == NULL)
		err = pick_version(c, call, &version);
	if (err == NULL)
		err = past_compare(c, a->uuid, version, &past);
	if (err != NULL)
		return err;
	textdiff_make(
	    c->arena, lines_of(c, past.before), lines_of(c, past.after), LINES_AROUND, &diff);
	if (call->as_json)
		diff_to_json(&call->json, past.article, &past.edition, past.same, &diff);
	else
		say_difference(call, &past.edition, past.same, &diff);
	return NULL;
}

static const struct command_option diff_options[] = {
	{ .name = "edition", .value = "N", .help = "from this edition; else from the last one" },
	{ .name = NULL },
};

const struct command command_article_diff[] = {
	{ .noun = "article",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .verb = "diff",
	    .options = diff_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = diff,
	    .summary = "what changed since it was published",
	    .text =
		"Compares what publishing would make of the working copy with an edition: fields, then the\n"
		"text as Markdown. A line begins with - (it was), + (it is), or ~: in it [-this was-] and\n"
		"{+this is+}.\n\n"
		"--json: {id, version, published_at, changed, lines: [{change, text}]}; change is kept,\n"
		"removed or added." },
	{ .verb = NULL },
};
