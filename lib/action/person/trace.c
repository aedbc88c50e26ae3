#include "action/person/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "logs/logs.h"

#define BYTES ((int64_t)4 * 1024 * 1024) /* of a log that are read */
#define LINE 512 /* a longer line is of something else */
#define UUID 36
#define MINUTE (60 * CLOCK_SECOND)

/* A line of either log, taken apart; the pointers are into `text`. */
struct line {
	char text[LINE];
	int64_t at;
	const char *kind; /* the second word */
	const char *person; /* NULL: nobody */
	const char *account; /* NULL: the line names none */
	const char *address; /* NULL: the line names none */
	int64_t again; /* 0: the line is no sum */
};

/* Takes a line apart. Returns false for one that is no line of a person. */
static bool
take_apart(const char *line, size_t len, struct line *out)
{
	char *word, *rest = NULL;

	if (len >= sizeof(out->text))
		return false;
	memcpy(out->text, line, len);
	out->text[len] = '\0';
	out->kind = out->person = out->account = out->address = NULL;
	out->again = 0;
	word = strtok_r(out->text, " ", &rest);
	if (word == NULL || !clock_parse(word, &out->at))
		return false;
	while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
		if (out->kind == NULL)
			out->kind = word;
		else if (out->person == NULL && strncmp(word, "person=", 7) == 0)
			out->person = word + 7;
		else if (out->account == NULL && strncmp(word, "account=", 8) == 0)
			out->account = word + 8;
		else if (out->address == NULL && strncmp(word, "address=", 8) == 0)
			out->address = word + 8;
		else if (strncmp(word, "again=", 6) == 0)
			out->again = strtoll(word + 6, NULL, 10);
	}
	return out->person != NULL && strlen(out->person) == UUID;
}

/* ---- the events of one person */

struct events {
	const char *person;
	struct trace_event *list; /* oldest first */
	size_t count;
};

/* Adds a sum to the event that it is about. Returns false if that is not there. */
static bool
add_sum(struct events *e, const struct line *l)
{
	for (size_t i = e->count; i > 0; i--) {
		struct trace_event *event = &e->list[i - 1];

		if (event->at / MINUTE == l->at / MINUTE && strcmp(event->kind, l->kind) == 0 &&
		    strcmp(event->address, l->address) == 0) {
			event->times += l->again;
			return true;
		}
	}
	return false;
}

static void
copy(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
}

static void
keep_event(void *arg, const char *line, size_t len)
{
	struct events *e = arg;
	struct trace_event *event;
	struct line l;

	if (memmem(line, len, e->person, UUID) == NULL || !take_apart(line, len, &l) ||
	    strcmp(l.person, e->person) != 0 || l.address == NULL ||
	    (l.again > 0 && add_sum(e, &l)))
		return;
	if (e->count == TRACE_EVENTS)
		memmove(e->list, e->list + 1, --e->count * sizeof(*e->list));
	event = &e->list[e->count++];
	event->at = l.at;
	event->times = l.again > 0 ? l.again : 1;
	copy(event->kind, sizeof(event->kind), l.kind);
	copy(event->address, sizeof(event->address), l.address);
}

size_t
trace_events(struct ctx *c, const char *person, struct trace_event out[TRACE_EVENTS])
{
	struct events e = { .person = person, .list = out };

	logs_tail(c, "sign-in.log", BYTES, keep_event, &e);
	for (size_t i = 0; i < e.count / 2; i++) {
		struct trace_event other = out[i];

		out[i] = out[e.count - 1 - i];
		out[e.count - 1 - i] = other;
	}
	return e.count;
}

/* ---- the last ones of several people */

struct last {
	const char *account; /* NULL: sign-ins are looked for */
	struct trace *list;
	size_t count;
};

/* Returns whether an event of this kind begins a session. */
static bool
is_sign_in(const char *kind)
{
	static const char *const kinds[] = { "sign-in", "joined", "reset-by-link", "reset-by-code",
		"first-operator" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i], kind) == 0)
			return true;
	}
	return false;
}

static void
note_last(void *arg, const char *line, size_t len)
{
	const struct last *last = arg;
	struct line l;

	if (!take_apart(line, len, &l) ||
	    (last->account != NULL ? l.account == NULL || strcmp(l.account, last->account) != 0
				   : l.again > 0 || !is_sign_in(l.kind)))
		return;
	/* Somebody can be in the list several times, once for each membership. */
	for (size_t i = 0; i < last->count; i++) {
		struct trace *t = &last->list[i];
		int64_t *at = last->account != NULL ? &t->act_at : &t->sign_in_at;

		if (l.at > *at && strcmp(t->person, l.person) == 0)
			*at = l.at;
	}
}

void
trace_acts(struct ctx *c, const char *account, struct trace *list, size_t count)
{
	struct last last = { .account = account, .list = list, .count = count };

	logs_tail(c, "operator.log", BYTES, note_last, &last);
}

void
trace_sign_ins(struct ctx *c, struct trace *list, size_t count)
{
	struct last last = { .list = list, .count = count };

	logs_tail(c, "sign-in.log", BYTES, note_last, &last);
}
