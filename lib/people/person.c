#include "people/person.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "people/link.h"
#include "screen/tr.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"id, uuid, email, login, name, language, password,"                                        \
	" CASE WHEN factor IS NULL THEN 0 ELSE 1 END, seen_at, created_at,"                        \
	" disabled_at, mails"

static struct person *
from_row(struct ctx *c, struct stmt *q)
{
	struct person *p = arena_alloc(c->arena, sizeof(*p));

	p->id = db_int(q, 0);
	p->uuid = db_text(q, 1);
	p->email = db_text(q, 2);
	p->login = db_text(q, 3);
	p->name = db_text(q, 4);
	p->language = db_text(q, 5);
	p->password = db_text(q, 6);
	p->has_factor = db_int(q, 7) != 0;
	p->seen_at = db_int(q, 8);
	p->created_at = db_int(q, 9);
	p->disabled_at = db_int(q, 10);
	p->mails = db_int(q, 11) != 0;
	return p;
}

/* Returns the text in the form of these options (utf8proc), in the arena. */
static const char *
transform(struct ctx *c, const char *text, unsigned options)
{
	utf8proc_uint8_t *made = NULL;
	const char *out;

	if (utf8proc_map((const utf8proc_uint8_t *)text, 0, &made,
		(utf8proc_option_t)(options | UTF8PROC_NULLTERM | UTF8PROC_STABLE |
				    UTF8PROC_COMPOSE)) < 0)
		die("utf8proc_map: a valid text was refused");
	out = arena_text(c->arena, (const char *)made);
	free(made);
	return out;
}

/* A character of an atom (RFC 5322 §3.2.3), or a letter of any other script
 * (RFC 6532). */
static bool
is_atom(unsigned char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       ch >= 0x80 || (ch != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", ch) != NULL);
}

/* Returns whether the bytes are atoms with one dot between two of them. */
static bool
is_dot_atom(const char *text, size_t len)
{
	bool begun = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' ? !begun : !is_atom((unsigned char)text[i]))
			return false;
		begun = text[i] != '.';
	}
	return begun;
}

/* A domain has letters, digits, hyphens and dots; no label begins or ends with a
 * hyphen. */
static bool
is_domain(const char *text)
{
	if (!is_dot_atom(text, strlen(text)) || strchr(text, '.') == NULL)
		return false;
	for (const char *p = text; *p != '\0'; p++) {
		bool first = p == text || p[-1] == '.';
		bool last = p[1] == '\0' || p[1] == '.';
		if ((unsigned char)*p < 0x80 && *p != '.' && *p != '-' &&
		    strchr("!#$%&'*+/=?^_`{|}~", *p) != NULL)
			return false;
		if (*p == '-' && (first || last))
			return false;
	}
	return true;
}

struct err *
person_read_email(struct ctx *c, const char *text, const char **email, const char **login)
{
	const char *at;

	text += strspn(text, " \t");
	text = arena_text_n(c->arena, text, strcspn(text, " \t\r\n"));
	at = strrchr(text, '@');
	if (!utf8_valid(text, strlen(text)) || utf8_forbidden(text, true) != NULL || at == NULL ||
	    strlen(text) > PERSON_EMAIL_MAX || !is_dot_atom(text, (size_t)(at - text)) ||
	    !is_domain(at + 1))
		return err_param(
		    c, "email", tr_mark("An e-mail address such as dana@example.com is needed."));
	*email = transform(c, text, 0);
	*login = transform(c, text, UTF8PROC_CASEFOLD | UTF8PROC_COMPAT);
	if (strlen(*email) > PERSON_EMAIL_MAX || strlen(*login) > PERSON_EMAIL_MAX)
		return err_param(c, "email", tr_mark("An e-mail address has at most %d bytes."),
		    PERSON_EMAIL_MAX);
	return NULL;
}

struct err *
person_read_language(struct ctx *c, const char *text, const char **language)
{
	const struct language *found = tr_find(text), *l = tr_languages();
	const char *tag;
	struct buf known;

	if (found != NULL) {
		*language = found->tag;
		return NULL;
	}
	TRY(subtag_read(c, "language", text, NULL, &tag));
	buf_init(&known, c->arena, 1000);
	for (; l->tag != NULL; l++)
		buf_printf(&known, "%s%s", known.len > 0 ? ", " : "", l->tag);
	return err_param(c, "language",
	    tr_mark("The console does not have the language %s; it has %s."), text,
	    buf_done(&known));
}

struct err *
person_read_name(struct ctx *c, const char *text, const char **name)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
		len--;
	text = arena_text_n(c->arena, text, len);
	if (len == 0 || len > PERSON_NAME_MAX || !utf8_valid(text, len) ||
	    utf8_forbidden(text, true) != NULL)
		return err_param(
		    c, "name", tr_mark("A name is one line of 1 to %d bytes."), PERSON_NAME_MAX);
	if (!utf8_is_seen(text))
		return err_param(c, "name",
		    tr_mark("A name must have a visible character, and no invisible ones."));
	*name = transform(c, text, 0);
	return NULL;
}

const char *
person_state(const struct person *p)
{
	if (p->disabled_at != 0)
		return "disabled";
	return p->password != NULL ? "active" : "invited";
}

/* Returns the person of the statement's row, or NULL, and ends the statement. */
static struct person *
first(struct ctx *c, struct stmt *q)
{
	struct person *found = db_row(q) ? from_row(c, q) : NULL;

	db_reset(q);
	return found;
}

struct person *
person_of(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM person WHERE id = :id", db_i(":id", id));

	return first(c, q);
}

static struct person *
find_login(struct ctx *c, const char *login)
{
	struct stmt *q = db_prepare(
	    c, "SELECT " COLUMNS " FROM person WHERE login = :login", db_t(":login", login));

	return first(c, q);
}

struct person *
person_find(struct ctx *c, const char *name)
{
	struct stmt *q;
	const char *email, *login;
	char uuid[UUID_TEXT];

	if (!uuid_parse(name, uuid))
		return person_read_email(c, name, &email, &login) == NULL ? find_login(c, login)
									  : NULL;
	q = db_prepare(c, "SELECT " COLUMNS " FROM person WHERE uuid = :uuid", db_t(":uuid", uuid));
	return first(c, q);
}

struct err *
person_get(struct ctx *c, const char *name, struct person **out)
{
	*out = person_find(c, name);
	if (*out != NULL)
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_NOT_FOUND, tr_mark("No person has the id or e-mail address %s."), name),
	    HINT_PEOPLE, NULL);
}

void
person_list(struct ctx *c, void (*each)(void *arg, const struct person *p), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM person /*scan*/ /*sort*/ ORDER BY name, id");

	while (db_row(q))
		each(arg, from_row(c, q));
}

bool
person_operator_exists(struct ctx *c)
{
	return db_exists(c,
	    "SELECT 1 FROM membership JOIN person ON person.id = membership.person_id"
	    " WHERE membership.place = '' AND membership.begun_at IS NOT NULL"
	    " AND person.password IS NOT NULL AND person.disabled_at IS NULL LIMIT 1");
}

static struct err *
refuse_twin(struct ctx *c, const struct person *p)
{
	const struct person *other = find_login(c, p->login);

	if (other == NULL || other->id == p->id)
		return NULL;
	return refuse(
	    c, ERR_CONFLICT, tr_mark("Another person has the e-mail address %s."), p->email);
}

struct err *
person_insert(struct ctx *c, struct person *p)
{
	struct err *err = refuse_twin(c, p);
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	if (err != NULL)
		return err;
	uuid_random(uuid);
	p->uuid = uuid;
	p->created_at = c->now;
	db_run(c,
	    "INSERT INTO person (uuid, email, login, name, language, created_at)"
	    " VALUES (:uuid, :email, :login, :name, :language, :created_at)",
	    db_t(":uuid", p->uuid), db_t(":email", p->email), db_t(":login", p->login),
	    db_t(":name", p->name), db_t(":language", p->language),
	    db_i(":created_at", p->created_at));
	p->id = find_login(c, p->login)->id;
	return NULL;
}

struct err *
person_update(struct ctx *c, const struct person *p)
{
	TRY(refuse_twin(c, p));
	db_run(c,
	    "UPDATE person SET email = :email,"
	    " login = :login, name = :name, language = :language WHERE id = :id",
	    db_t(":email", p->email), db_t(":login", p->login), db_t(":name", p->name),
	    db_t(":language", p->language), db_i(":id", p->id));
	return NULL;
}

void
person_set_password(struct ctx *c, int64_t id, const char *phc)
{
	db_run(c, "UPDATE person SET password = :password WHERE id = :id", db_t(":password", phc),
	    db_i(":id", id));
	link_end_resets(c, id);
}

void
person_set_mails(struct ctx *c, int64_t id, bool mails)
{
	db_run(c, "UPDATE person SET mails = :mails WHERE id = :id", db_i(":mails", mails),
	    db_i(":id", id));
}

int64_t
person_steps_hidden_at(struct ctx *c, int64_t id)
{
	return db_one_int(
	    c, 0, "SELECT steps_hidden_at FROM person WHERE id = :id", db_i(":id", id));
}

void
person_hide_steps(struct ctx *c, int64_t id)
{
	db_run(c, "UPDATE person SET steps_hidden_at = :now WHERE id = :id", db_i(":now", c->now),
	    db_i(":id", id));
}

void
person_disable(struct ctx *c, int64_t id, bool disabled)
{
	db_run(c, "UPDATE person SET disabled_at = :disabled_at WHERE id = :id",
	    disabled ? db_i(":disabled_at", c->now) : db_null(":disabled_at"), db_i(":id", id));
}

void
person_forget(struct ctx *c, int64_t id, bool erase)
{
	db_run(c, "DELETE FROM device WHERE person_id = :id", db_i(":id", id));
	db_run(c, "DELETE FROM recovery WHERE person_id = :id", db_i(":id", id));
	db_run(c, "DELETE FROM held WHERE person_id = :id", db_i(":id", id));
	db_run(c,
	    "UPDATE person SET password = NULL, factor = NULL,"
	    " factor_step = 0, factor_failures = 0, factor_since = 0,"
	    " factor_wait_until = 0 WHERE id = :id",
	    db_i(":id", id));
	if (!erase)
		return;
	db_run(c, "DELETE FROM link WHERE person_id = :id OR made_by = :id", db_i(":id", id));
	db_run(c, "DELETE FROM mail WHERE person = (SELECT uuid FROM person WHERE id = :id)",
	    db_i(":id", id));
	db_run(c, "DELETE FROM person WHERE id = :id", db_i(":id", id));
}

int64_t
person_count(struct ctx *c)
{
	return db_one_int(c, 0, "SELECT count(*) FROM person /*scan*/");
}

void
person_settle(struct ctx *c, bool disable)
{
	db_run(c, "DELETE FROM session /*scan*/");
	db_run(c, "DELETE FROM device /*scan*/");
	db_run(c, "DELETE FROM link /*scan*/");
	db_run(c, "DELETE FROM held /*scan*/");
	db_run(c, "DELETE FROM form /*scan*/");
	db_run(c, "DELETE FROM moving_loss /*scan*/");
	db_run(c, "DELETE FROM moving_item /*scan*/");
	db_run(c, "DELETE FROM moving /*scan*/");
	db_run(c, "DELETE FROM visited_page /*scan*/");
	db_run(c, "DELETE FROM task /*scan*/");
	db_run(c, "DELETE FROM upload /*scan*/");
	db_run(c, "DELETE FROM mail /*scan*/");
	db_run(c, "DELETE FROM ping_result /*scan*/");
	db_run(c, "DELETE FROM ping /*scan*/");
	if (!disable)
		return;
	db_run(c, "UPDATE person SET disabled_at = :disabled_at WHERE disabled_at IS NULL /*scan*/",
	    db_i(":disabled_at", c->now));
}

void
person_seen(struct ctx *c, int64_t id, int64_t at)
{
	db_run(c, "UPDATE person SET seen_at = :seen_at WHERE id = :id AND seen_at < :seen_at",
	    db_i(":seen_at", at), db_i(":id", id));
}

/* ---- people who cannot sign in */

void
locked_out_note(struct ctx *c, int64_t person_id)
{
	db_run(c, "UPDATE person SET locked_out_at = :now WHERE id = :id AND locked_out_at IS NULL",
	    db_i(":now", c->now), db_i(":id", person_id));
}

void
locked_out_end(struct ctx *c, int64_t person_id)
{
	db_run(c, "UPDATE person SET locked_out_at = NULL WHERE id = :id", db_i(":id", person_id));
}

void
locked_out_list(struct ctx *c, int64_t max,
    void (*each)(
	void *arg, const struct person *p, int64_t at, const char *account, const char *membership),
    void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT p.id, p.locked_out_at, m.account, m.uuid"
	    " FROM person p LEFT JOIN membership m ON m.id = (SELECT min(n.id)"
	    " FROM membership n WHERE n.person_id = p.id AND n.account <> ''"
	    " AND n.begun_at IS NOT NULL)"
	    " WHERE p.locked_out_at > 0 /*sort*/ ORDER BY p.created_at, p.id LIMIT :max",
	    db_i(":max", max));

	while (db_row(q))
		each(arg, person_of(c, db_int(q, 0)), db_int(q, 1), db_text(q, 2), db_text(q, 3));
}
