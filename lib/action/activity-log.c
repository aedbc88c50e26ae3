#include "action/activity-log.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "action/action.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "store/db.h"

#define ACTIVITY_BYTES ((int64_t)4 * 1024 * 1024) /* of the log that a page reads */
#define ACTIVITY_CHOICES 200

/* A line of the log, taken apart. Texts are in the arena. */
struct activity_raw {
	int64_t at;
	const char *person, *account, *workspace; /* UUIDs, or NULL */
	bool tool; /* of the tool: it names no account */
	const char *words; /* "article publish" */
	const char *ids[4];
	size_t id_count;
	int64_t credits;
};

/* ---- what an id names */

/* Finds what a UUID names; kind is THING_NONE if nothing does. Needs an open transaction of
 * the content. */
static void
thing_find(struct ctx *c, const char *id, struct thing *out)
{
	/* The numbers are those of enum thing_kind. A UUID names one thing at most. */
	struct stmt *q;

	memset(out, 0, sizeof(*out));
	q = db_prepare(c,
	    "SELECT 1, t.uuid, t.title, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM article t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 2, t.uuid, CASE WHEN t.label = '' THEN t.display"
	    " ELSE t.label END, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM api_key t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 3, t.uuid, t.topic, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM job t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 4, w.uuid, w.name, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM workspace w JOIN account c ON c.id = w.account_id WHERE w.uuid = :id"
	    " UNION ALL SELECT 5, c.uuid, c.name, c.uuid, NULL, NULL, NULL"
	    " FROM account c WHERE c.uuid = :id"
	    " UNION ALL SELECT 6, t.uuid, t.title, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM share s JOIN article t ON t.id = s.article_id"
	    " JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE s.uuid = :id",
	    db_t(":id", id));
	if (db_row(q)) {
		bool deleted = !db_is_null(q, 6);

		out->kind = (enum thing_kind)db_int(q, 0);
		out->id = db_text(q, 1);
		out->name = db_text(q, 2);
		out->account = db_text(q, 3);
		out->workspace = deleted ? NULL : db_text(q, 4);
		out->place = db_text(q, 5);
	}
	db_reset(q);
}

/* ---- what each line says
 *
 * A test asks that each change of a screen has its sentence here. */

static const struct {
	const char *words, *sentence;
} sentences[] = {
	{ "article create", tr_mark("An article was created") },
	{ "article save", tr_mark("An article was saved") },
	{ "article edit", tr_mark("An article was edited") },
	{ "article set", tr_mark("An article's details were changed") },
	{ "article import", tr_mark("Articles were imported") },
	{ "article revert", tr_mark("An older text was brought back") },
	{ "article publish", tr_mark("An article was published") },
	{ "article publish --at", tr_mark("A date of publishing was set") },
	{ "article publish --at never", tr_mark("A date of publishing was cancelled") },
	{ "article publish suspended", tr_mark("A date of publishing was suspended") },
	{ "article unpublish", tr_mark("An article was unpublished") },
	{ "article delete", tr_mark("An article was moved to the trash") },
	{ "article undelete", tr_mark("An article was restored from the trash") },
	{ "article purge", tr_mark("An article was deleted for good") },
	{ "article hand-in", tr_mark("An article was handed in for review") },
	{ "article hand-back", tr_mark("An article was handed back") },
	{ "article take-back", tr_mark("An article was taken back from review") },
	{ "article comment", tr_mark("A comment was added") },
	{ "article share", tr_mark("A preview was shared") },
	{ "article unshare", tr_mark("The link to a preview was ended") },
	{ "picture upload", tr_mark("A picture was uploaded") },
	{ "picture describe", tr_mark("A picture's alternative text was changed") },
	{ "picture remove", tr_mark("A picture was removed") },
	{ "job create", tr_mark("An article was ordered") },
	{ "job cancel", tr_mark("An order was cancelled") },
	{ "key create", tr_mark("A key was created") },
	{ "key rotate", tr_mark("A key was rotated") },
	{ "key revoke", tr_mark("A key was revoked") },
	{ "moving try", tr_mark("A dry run of an import was begun") },
	{ "moving begin", tr_mark("An import was begun") },
	{ "moving remove", tr_mark("A file that was sent was removed") },
	{ "moving stop", tr_mark("An import was stopped") },
	{ "workspace create", tr_mark("A workspace was created") },
	{ "workspace set", tr_mark("Settings were changed") },
	{ "workspace notify", tr_mark("A secret of pings was created") },
	{ "workspace delete", tr_mark("A workspace was deleted") },
	{ "workspace export", tr_mark("The workspace was written to a file") },
	{ "workspace import", tr_mark("The workspace came from another instance") },
	{ "restore --workspace", tr_mark("The workspace came back from a backup") },
	{ "restore --article", tr_mark("An article came back from a backup") },
	{ "site verify", tr_mark("The pages of the website were verified") },
	{ "export refresh", tr_mark("Exports were refreshed") },
	{ "account create", tr_mark("The account was created") },
	{ "account ask", tr_mark("An owner asked to have the account verified") },
	{ "account decline", tr_mark("The request to verify the account was declined") },
	{ "account verify", tr_mark("The account was verified") },
	{ "account suspend", tr_mark("The account was suspended") },
	{ "account resume", tr_mark("The account was resumed") },
	{ "credits grant", tr_mark("Credits were granted") },
	{ "credits revoke", tr_mark("Credits were revoked") },
	{ "person create", tr_mark("A person was invited") },
	{ "person invite", tr_mark("A person was invited") },
	{ "person role", tr_mark("A person's role was changed") },
	{ "person end", tr_mark("A membership was ended") },
	{ "person change", tr_mark("A person's name or e-mail was changed") },
	{ "person reset", tr_mark("A person's sign-in was reset") },
	{ "person sessions", tr_mark("A person's sessions were ended") },
	{ "person disable", tr_mark("A person was disabled") },
	{ "person enable", tr_mark("A person was enabled") },
	{ "person remove", tr_mark("A person was removed") },
	{ "person cannot-sign-in", tr_mark("A person said that they cannot sign in") },
	{ "person helped", tr_mark("A person who could not sign in was helped") },
	{ "instance backup", tr_mark("A backup was asked for") },
	{ "instance dump", tr_mark("A dump was asked for") },
	{ "instance doctor", tr_mark("A check of the installation was asked for") },
	{ "instance verify", tr_mark("A check of the data was asked for") },
	{ "instance provider", tr_mark("A test of the provider was asked for") },
	{ "instance restore", tr_mark("A restore was asked for") },
	{ "instance download", tr_mark("A backup or a dump was downloaded") },
	{ "instance remove-backup", tr_mark("A backup or a dump was removed") },
	{ "instance live", tr_mark("The instance was made live") },
	{ "task end", tr_mark("A task was ended") },
	{ "held discard", tr_mark("A text that was kept was discarded") },
};

/* Returns what these words of the log say, marked for translators. */
static const char *
sentence_of(const char *words)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (strcmp(sentences[i].words, words) == 0)
			return sentences[i].sentence;
	}
	return tr_mark("Another change");
}

/* ---- a line taken apart */

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

/* Takes a line apart. Returns false for one that tells of no change. */
static bool
take_apart(struct ctx *c, const char *line, size_t len, struct activity_raw *out)
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

/* ---- a page of them */

/* A reading. */
struct reading {
	struct ctx *c;
	struct activity *a;
	struct names names;
	struct member {
		const char *person, *name;
	} * members;
	size_t member_count;
};

/* ---- the members of the account */

#define MEMBERS_MAX 1000

/* Somebody can be in the account several times, once for each membership. The name is the one
 * that was typed until the invitation is opened (docs/console.md §2.2). */
static void
keep_member(void *arg, const struct person *p, const struct person_membership *m)
{
	struct reading *r = arg;

	for (size_t i = 0; i < r->member_count; i++) {
		if (strcmp(r->members[i].person, p->uuid) == 0) {
			if (m->m->begun_at != 0)
				r->members[i].name = p->name;
			return;
		}
	}
	if (r->member_count < MEMBERS_MAX)
		r->members[r->member_count++] =
		    (struct member) { p->uuid, m->m->begun_at != 0 ? p->name : m->m->invited_name };
}

static struct err *
read_members(struct ctx *c, const char *account, struct reading *r)
{
	r->members = arena_array(c->arena, MEMBERS_MAX, sizeof(*r->members));
	return person_show_account(c, account, keep_member, r);
}

static const char *
member_name(const struct reading *r, const char *person)
{
	for (size_t i = 0; i < r->member_count; i++) {
		if (strcmp(r->members[i].person, person) == 0)
			return r->members[i].name;
	}
	return NULL;
}

/* ---- lines */

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Returns whether a thing is of the account that is asked for. */
static bool
is_here(const struct reading *r, const struct thing *thing)
{
	return r->a->account == NULL || same(thing->account, r->a->account);
}

/* Finds what the line is about, in this account. */
static void
find_thing(struct reading *r, const struct activity_raw *raw, struct thing *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < raw->id_count; i++) {
		thing_find(r->c, raw->ids[i], out);
		if (out->kind != THING_NONE && is_here(r, out))
			return;
	}
	memset(out, 0, sizeof(*out));
}

/* Of a person's act the thing has no place any more if it is gone; its workspace is in the
 * line. */
static void
find_place(struct reading *r, const struct activity_raw *raw, struct thing *thing)
{
	struct thing place;

	if (thing->place != NULL || raw->workspace == NULL)
		return;
	thing_find(r->c, raw->workspace, &place);
	if (place.kind != THING_WORKSPACE || !is_here(r, &place))
		return;
	thing->workspace = place.workspace;
	thing->place = place.name;
}

static bool
is_asked(const struct activity *a, const struct activity_raw *raw)
{
	if (!raw->tool && a->account != NULL && !same(raw->account, a->account))
		return false;
	if (a->person == NULL)
		return true;
	return a->person[0] == '\0' ? raw->person == NULL : same(a->person, raw->person);
}

/* Returns the name of whom an act on a person is about, as far as the reader may know it. */
static const char *
whom(struct reading *r, const struct activity_raw *raw)
{
	if (raw->id_count == 0)
		return NULL;
	return r->a->account != NULL ? member_name(r, raw->ids[0])
				     : names_of(r->c, &r->names, raw->ids[0]);
}

/* Returns the name of the account that a line of the whole instance is about, or NULL. */
static const char *
account_name(struct ctx *c, const struct activity_raw *raw, const struct thing *thing)
{
	const char *id = thing->account != NULL ? thing->account : raw->account;
	const struct account *a;
	bool many;

	if (id == NULL)
		return NULL;
	a = account_find(c, id, &many);
	return a != NULL ? a->name : NULL;
}

static bool
keep_line(void *arg, const char *text, size_t len)
{
	struct reading *r = arg;
	struct activity *a = r->a;
	struct activity_line *line = &a->lines[a->count];
	struct activity_raw raw;

	if (!take_apart(r->c, text, len, &raw) || !is_asked(a, &raw))
		return true;
	find_thing(r, &raw, &line->thing);
	if (raw.tool && line->thing.kind == THING_NONE && a->account != NULL)
		return true;
	find_place(r, &raw, &line->thing);
	if (a->workspace != NULL && !same(line->thing.workspace, a->workspace))
		return true;
	line->at = raw.at;
	line->person = raw.person;
	line->by = raw.person != NULL ? names_of(r->c, &r->names, raw.person) : NULL;
	line->what = sentence_of(raw.words);
	line->credits = raw.credits;
	line->whom = line->thing.kind == THING_NONE ? whom(r, &raw) : NULL;
	line->account = a->account == NULL ? account_name(r->c, &raw, &line->thing) : NULL;
	a->count++;
	return a->count < a->max;
}

struct err *
activity_read(struct ctx *c, struct activity *a)
{
	struct reading r = { .c = c, .a = a };

	if (a->account != NULL)
		TRY(read_members(c, a->account, &r));
	a->lines = arena_array(c->arena, a->max + 1, sizeof(*a->lines));
	a->count = 0;
	ACTION(c, action_reading(c, DB_CONTENT));
	a->more = logs_back(
	    c, "operator.log", &a->place, a->bytes != 0 ? a->bytes : ACTIVITY_BYTES, keep_line, &r);
	return action_commit(c);
}

/* ---- what a page is filtered by */

struct places {
	int64_t account_id;
	int64_t ids[ACTIVITY_CHOICES]; /* of workspaces, the newest first */
	size_t count;
};

static bool
keep_workspace(void *arg, const struct workspace_brief *w)
{
	struct places *p = arg;

	if (w->account_id == p->account_id)
		p->ids[p->count++] = w->id;
	return p->count < ACTIVITY_CHOICES;
}

static struct err *
read_workspaces(struct ctx *c, const char *account, struct activity_choices *out)
{
	struct places p = { .count = 0 };
	struct account *found;

	out->workspaces = arena_array(c->arena, ACTIVITY_CHOICES, sizeof(*out->workspaces));
	out->workspace_count = 0;
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_account(c, account, &found));
	p.account_id = found->id;
	workspace_walk(c, 0, keep_workspace, &p);
	for (size_t i = 0; i < p.count; i++) {
		const struct workspace *w = workspace_of(c, p.ids[i]);
		out->workspaces[i] = (struct activity_choice) { w->uuid, w->settings.name };
	}
	out->workspace_count = p.count;
	return action_commit(c);
}

struct err *
activity_choices(struct ctx *c, const char *account, struct activity_choices *out)
{
	struct reading r = { .c = c };

	TRY(read_members(c, account, &r));
	out->people = arena_array(c->arena, ACTIVITY_CHOICES, sizeof(*out->people));
	for (size_t i = 0; i < r.member_count && i < ACTIVITY_CHOICES; i++)
		out->people[out->person_count++] =
		    (struct activity_choice) { r.members[i].person, r.members[i].name };
	return read_workspaces(c, account, out);
}
