/* galley key find: tells who owns a leaked key. */
#include <stddef.h>
#include <string.h>

#include "access/apikey.h"
#include "action/action.h"
#include "action/key-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command.h"
#include "command/key/key-print.h"
#include "terminal/terminal.h"

#define INPUT_MAX ((size_t)16 << 20)
#define KEYS_MAX 100 /* keys in one input */

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* A key that was given, and the keys that it may be. */
struct given {
	const char *text; /* as found in the input; never printed */
	const char *display; /* what is printed of it; NULL: nothing */
	const char *damage; /* what is wrong with it, or NULL */
	struct apikey *key; /* the key that it is, or NULL */
	const struct apikey **alike; /* keys with the same beginning or end */
	size_t alike_count;
};

struct search {
	struct ctx *c;
	struct call *call;
	const char *text; /* the input */
	struct given *given; /* the present one */
	const char *seen[KEYS_MAX]; /* texts of the ones before */
	size_t known, count;
};

/* Returns what is wrong with the text of a key, as the rest of "It is damaged:
 * …". */
static const char *
damage_of(struct ctx *c, const char *text)
{
	size_t len = strlen(text);

	if (apikey_is_whole(text))
		return NULL;
	if (strncmp(text, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) != 0)
		return "it does not begin with " APIKEY_PREFIX;
	if (len < APIKEY_LENGTH)
		return arena_printf(c->arena, "%zu of its %d characters are missing",
		    APIKEY_LENGTH - len, APIKEY_LENGTH);
	if (len > APIKEY_LENGTH)
		return arena_printf(
		    c->arena, "it has %zu characters too many", len - APIKEY_LENGTH);
	return "one or more of its characters are wrong";
}

static void
keep_alike(void *arg, const struct apikey *key)
{
	struct search *s = arg;
	struct given *g = s->given;

	if (!key_is_alike(g->text, key->display))
		return;
	g->alike = arena_grow(s->c->arena, g->alike, g->alike_count * sizeof(*g->alike),
	    (g->alike_count + 1) * sizeof(*g->alike));
	g->alike[g->alike_count++] = key;
}

static void
to_json(struct ctx *c, struct jwrite *j, const struct given *g)
{
	jwrite_object(j);
	jwrite_member_text(j, "display", g->display);
	jwrite_member_text(j, "damage", g->damage);
	jwrite_name(j, "key");
	if (g->key != NULL)
		key_print_json(c, j, g->key);
	else
		jwrite_null(j);
	jwrite_member_array(j, "alike");
	for (size_t i = 0; i < g->alike_count; i++)
		key_print_json(c, j, g->alike[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
say_mend(struct ctx *c, struct call *call, const struct apikey *key)
{
	if (strcmp(key_state(c, key), "good") != 0) {
		call_say(call, "It opens nothing any more.");
		return;
	}
	call_say(call, "To refuse it from now on:\n  galley key revoke %s", key->uuid);
	call_say(call,
	    "To give its owner another one first:\n"
	    "  galley key rotate %s",
	    key->uuid);
}

static void
say(struct ctx *c, struct call *call, const struct given *g)
{
	if (g->damage != NULL)
		call_say(call, "%s is damaged: %s.",
		    g->display != NULL ? g->display : "What was given", g->damage);
	if (g->key != NULL) {
		call_say(call, "%s is a key of this instance.", g->key->display);
		key_print_lines(c, call, g->key);
		say_mend(c, call, g->key);
		return;
	}
	if (g->damage == NULL)
		call_say(call, "%s is whole, and no key of this instance.", g->display);
	if (g->damage != NULL && g->alike_count == 0)
		call_say(call, "No key of this instance begins or ends like it.");
	for (size_t i = 0; i < g->alike_count; i++) {
		call_say(call, "It begins or ends like this one:");
		key_print_lines(c, call, g->alike[i]);
		say_mend(c, call, g->alike[i]);
	}
}

/* Returns what may be printed of it. Nothing may be printed of a word that is
 * perhaps not a key. */
static const char *
display_of(struct ctx *c, const char *text)
{
	if (strncmp(text, APIKEY_PREFIX, strlen(APIKEY_PREFIX)) != 0)
		return NULL;
	return apikey_display(c, text);
}

static void
look_up(struct search *s, const char *text)
{
	struct ctx *c = s->c;
	struct given g = {
		.text = text, .display = display_of(c, text), .damage = damage_of(c, text)
	};
	const char *start = arena_text_n(c->arena, text, strnlen(text, APIKEY_LENGTH));

	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->seen[i], text) == 0)
			return;
	}
	if (s->count > 0)
		call_say(s->call, "%s", "");
	s->seen[s->count++] = text;
	/* If something was pasted behind a whole key, it is still that key. */
	if (apikey_is_whole(start))
		g.key = apikey_find_whole(c, start);
	s->given = &g;
	if (g.key == NULL && g.damage != NULL)
		apikey_list_all(c, keep_alike, s);
	s->given = NULL;
	s->known += g.key != NULL;
	if (s->call->as_json)
		to_json(c, &s->call->json, &g);
	else
		say(c, s->call, &g);
}

/* Looks up every word that begins like a key, anywhere in the input: in a log
 * line, a configuration, a chat. If there is none, looks up the last word. */
static struct err *
look_up_all(void *arg)
{
	struct search *s = arg;
	const char *text = s->text;
	struct arena *a = s->c->arena;
	const char *p = text;
	size_t len, end = strlen(text);

	while (s->count < KEYS_MAX && (p = strstr(p, APIKEY_PREFIX)) != NULL) {
		len = strlen(APIKEY_PREFIX);
		len += strspn(p + len, letters);
		look_up(s, arena_text_n(a, p, len));
		p += len;
	}
	while (end > 0 && strchr(letters, text[end - 1]) == NULL)
		end--;
	for (len = 0; len < end && strchr(letters, text[end - len - 1]); len++)
		;
	if (s->count == 0 && len > 0)
		look_up(s, arena_text_n(a, text + end - len, len));
	return NULL;
}

static struct err *
find(struct ctx *c, struct call *call)
{
	struct search s = { .c = c, .call = call };
	struct err *err;
	char *text;

	err = unseen_read(c, "The key (it is not shown): ", INPUT_MAX, &text);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	s.text = text;
	err = action_read(c, look_up_all, &s);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (s.count == 0)
		return refuse(c, ERR_INVALID,
		    "There is no key in that: a key is " APIKEY_PREFIX
		    " and %d letters and digits.",
		    APIKEY_LENGTH - (int)strlen(APIKEY_PREFIX));
	if (s.count == KEYS_MAX)
		note_say("galley: only the first %d keys were looked up.", KEYS_MAX);
	key_print_note_unused(c);
	call->status = s.known == 0;
	return NULL;
}

const struct command command_key_find[] = {
	{ .noun = "key",
	    .verb = "find",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = find,
	    .summary = "whose a leaked key is: reads it from standard input",
	    .text =
		"Text around keys does no harm: the line of a log or a whole file may be given. The key is\n"
		"never printed, only its first 12 and last 4 characters, and it is never a word of the\n"
		"command, where others could see it. For a damaged key those that begin or end like it are\n"
		"shown.\n\n"
		"  galley key find < leaked.txt\n\n"
		"Exit 1 when none of them is a key of this instance." },
	{ .verb = NULL },
};
