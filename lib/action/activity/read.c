/* Takes a line of log/operator.log apart (activity.h). */
#include <stdlib.h>
#include <string.h>

#include "action/activity/activity.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"

#define LINE 4200 /* a longer line is of something else */
#define WORDS 64 /* of an act: "article publish --at never" */

static const char *
uuid_of(struct ctx *c, const char *text)
{
	char uuid[UUID_TEXT];

	return uuid_parse(text, uuid) ? arena_text(c->arena, uuid) : NULL;
}

/* Returns what follows `name` in the word, or NULL. */
static const char *
value_of(const char *word, const char *name)
{
	size_t len = strlen(name);

	return word != NULL && strncmp(word, name, len) == 0 ? word + len : NULL;
}

static void
add_word(char words[WORDS], const char *word)
{
	size_t have = strlen(words), len = strlen(word);

	if (have + len + 2 > WORDS)
		return;
	if (have > 0)
		words[have++] = ' ';
	memcpy(words + have, word, len + 1);
}

static void
add_id(struct ctx *c, struct activity_raw *out, const char *word)
{
	const char *id = uuid_of(c, word);

	if (id != NULL && out->id_count < sizeof(out->ids) / sizeof(out->ids[0]))
		out->ids[out->id_count++] = id;
}

/* A line of a screen, or of a date: person= account= words, ids [workspace=]. `word` is the
 * value of the first one. */
static bool
take_screen(struct ctx *c, const char *word, char **rest, struct activity_raw *out)
{
	char words[WORDS] = "";

	out->person = uuid_of(c, word);
	word = strtok_r(NULL, " ", rest);
	if (value_of(word, "account=") == NULL)
		return false;
	out->account = uuid_of(c, value_of(word, "account="));
	while ((word = strtok_r(NULL, " ", rest)) != NULL) {
		if (value_of(word, "workspace=") != NULL)
			out->workspace = uuid_of(c, value_of(word, "workspace="));
		else if (strlen(word) == UUID_TEXT - 1)
			add_id(c, out, word);
		else if (word[strspn(word, "0123456789")] == '\0')
			out->credits = strtoll(word, NULL, 10);
		else if (strlen(word) < 24) /* not the digest of a picture */
			add_word(words, word);
	}
	out->words = arena_text(c->arena, words);
	return words[0] != '\0';
}

/* A line of the tool: USER, or "root (USER)", then the command, "; changed: " and ids. The
 * command holds what an operator typed, of which only noun and verb are taken. */
static bool
take_tool(struct ctx *c, char *command, struct activity_raw *out)
{
	char *changed = NULL, *next = command, *rest = NULL, *word;
	char words[WORDS] = "";

	while ((next = strstr(next, "; changed: ")) != NULL)
		changed = next++;
	if (changed == NULL)
		return false;
	*changed = '\0';
	for (word = strtok_r(changed + strlen("; changed: "), " ;", &rest);
	     word != NULL && strlen(word) == UUID_TEXT - 1; word = strtok_r(NULL, " ;", &rest))
		add_id(c, out, word);
	word = strtok_r(command, " ", &rest); /* the user */
	word = word != NULL ? strtok_r(NULL, " ", &rest) : NULL;
	if (word != NULL && word[0] == '(')
		word = strtok_r(NULL, " ", &rest);
	if (word != NULL)
		add_word(words, word);
	word = word != NULL ? strtok_r(NULL, " ", &rest) : NULL;
	if (word != NULL)
		add_word(words, word);
	word = word != NULL ? strtok_r(NULL, " ", &rest) : NULL;
	if (word != NULL && strcmp(word, "--at") == 0)
		add_word(words, word);
	out->words = arena_text(c->arena, words);
	out->tool = true;
	return out->id_count > 0;
}

bool
activity_take_apart(struct ctx *c, const char *line, size_t len, struct activity_raw *out)
{
	char text[LINE], *word, *rest = NULL;
	bool tool;

	memset(out, 0, sizeof(*out));
	if (len >= sizeof(text))
		return false;
	memcpy(text, line, len);
	text[len] = '\0';
	word = strtok_r(text, " ", &rest);
	if (word == NULL || !clock_parse(word, &out->at))
		return false;
	word = strtok_r(NULL, " ", &rest); /* PROGRAM[PROCESS] */
	if (word == NULL)
		return false;
	tool = strncmp(word, "galley[", 7) == 0;
	if (tool)
		return rest != NULL && take_tool(c, rest, out);
	/* The id of a request, where there is one. */
	word = strtok_r(NULL, " ", &rest);
	if (word != NULL && value_of(word, "person=") == NULL)
		word = strtok_r(NULL, " ", &rest);
	if (value_of(word, "person=") == NULL)
		return false;
	return take_screen(c, value_of(word, "person="), &rest, out);
}
