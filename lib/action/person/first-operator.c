#include "action/person/first-operator.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/workspace.h"
#include "action/action.h"
#include "action/person/signing.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/factor.h"
#include "people/membership.h"
#include "people/password.h"
#include "people/throttle.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf-edit.h"
#include "system/conf.h"
#include "system/instance.h"

/* ---- the code */

#define PREFIX "ab_code_"
#define LETTERS 20
#define LENGTH (sizeof(PREFIX) - 1 + LETTERS)

static const char *
folder_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console");
}

const char *
start_code_path(struct ctx *c)
{
	return fileio_path(c->arena, folder_of(c), "code.txt");
}

/* Reads the good code; NULL: there is no good code. A file that others may read does not count. */
static const char *
good_code(struct ctx *c)
{
	const char *path = start_code_path(c);
	int64_t now = clock_now(), made;
	struct stat st;
	char *text = fileio_read_own(c->arena, path, 200, &st);

	if (text == NULL || (st.st_mode & 077) != 0)
		return NULL;
	made = (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND;
	if (now - made >= CLOCK_DAY || made - now > CLOCK_DAY)
		return NULL;
	text[strcspn(text, "\r\n")] = '\0';
	return strlen(text) == LENGTH ? text : NULL;
}

bool
start_code_make(struct ctx *c)
{
	static const char letters[33] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char chance[LETTERS];
	char text[LENGTH + 2] = PREFIX;

	if (good_code(c) != NULL)
		return true;
	if (!fileio_make_folder(folder_of(c), 0700))
		return false;
	uuid_random_bytes(chance, sizeof(chance));
	for (size_t i = 0; i < LETTERS; i++)
		text[sizeof(PREFIX) - 1 + i] = letters[chance[i] % 32];
	text[LENGTH] = '\n';
	return fileio_replace(c->arena, start_code_path(c), text, LENGTH + 1, 0600);
}

bool
start_code_exists(struct ctx *c)
{
	return good_code(c) != NULL;
}

/* Returns whether this is the good code; spaces around it do not count. */
static bool
start_code_is(struct ctx *c, const char *typed)
{
	const char *code = good_code(c);
	size_t len;

	typed += strspn(typed, " \t\r\n");
	len = strcspn(typed, " \t\r\n");
	return code != NULL && len == LENGTH && digest_compare(code, typed, LENGTH) == 0;
}

/* Removes the code, which was used. */
static void
start_code_remove(struct ctx *c)
{
	if (unlink(start_code_path(c)) != 0 && errno != ENOENT)
		log_line("%s: %s: remove it: it was used", start_code_path(c), strerror(errno));
}

struct err *
start_check(struct ctx *c, const char *code, const char *address)
{
	struct throttle t = { .address = address };

	/* The stores may be of another release: no transaction can be begun then. */
	c->now = clock_now();
	TRY(throttle_take(c, &t));
	if (start_code_is(c, code)) {
		throttle_return(c, &t, true);
		return NULL;
	}
	sign_log(c, "wrong-start-code", NULL, address);
	return err_param(c, "code", "%s",
	    tr("This is not the code that is in the file. A code is good for 24 hours."));
}

/* ---- the operators */

struct operators {
	struct ctx *c;
	void (*each)(void *arg, const struct person *p);
	void *arg;
};

static void
add_operator(void *arg, const struct membership *m)
{
	const struct operators *o = arg;
	const struct person *p = person_of(o->c, m->person_id);

	if (m->kind == MEMBERSHIP_INSTANCE && m->begun_at != 0 && p->password != NULL &&
	    p->disabled_at == 0)
		o->each(o->arg, p);
}

void
start_operators(struct ctx *c, void (*each)(void *arg, const struct person *p), void *arg)
{
	struct operators o = { .c = c, .each = each, .arg = arg };

	db_begin_read(c, DB_CONSOLE);
	membership_list_account(c, "", add_operator, &o);
	db_rollback(c);
}

/* Gives a person the instance, whatever the person was before. */
static void
make_operator(struct ctx *c, int64_t person_id)
{
	const struct membership *found = membership_find(c, person_id, "");
	struct membership m = { .person_id = person_id,
		.kind = MEMBERSHIP_INSTANCE,
		.place = "",
		.account = "",
		.rights = RIGHT_ALL,
		.invited_name = "",
		.invited_email = "",
		.invited_by = "" };

	if (found != NULL)
		membership_set(c, found->id, RIGHT_ALL);
	else
		membership_insert(c, &m);
	membership_begin(c, found != NULL ? found->id : m.id);
}

static struct err *
find_first(struct ctx *c, const struct start_order *order, struct person **out)
{
	const char *email, *login, *name;
	struct err *err = NULL;

	TRY(person_read_email(c, order->email, &email, &login));
	TRY(person_read_name(c, order->name, &name));
	if (person_operator_exists(c))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("There is an operator already. Type the code again."));
	*out = person_find(c, login);
	if (*out != NULL) {
		person_disable(c, (*out)->id, false);
	} else {
		struct person p = {
			.email = email, .login = login, .name = name, .language = "en"
		};
		err = person_insert(c, &p);
		if (err == NULL)
			*out = person_of(c, p.id);
	}
	if (err == NULL)
		make_operator(c, (*out)->id);
	return err;
}

static struct err *
find_operator(struct ctx *c, const struct start_order *order, struct person **out)
{
	const struct membership *m = NULL;

	*out = person_find(c, order->person);
	if (*out != NULL)
		m = membership_find(c, (*out)->id, "");
	if (m == NULL || m->begun_at == 0 || (*out)->disabled_at != 0)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This person is not an operator any more. Type the code again."));
	return NULL;
}

static struct err *
make_or_reset(
    struct ctx *c, const struct start_order *order, const char *hash, struct signed_in *out)
{
	struct person *p = NULL;

	TRY(order->person != NULL ? find_operator(c, order, &p) : find_first(c, order, &p));
	person_set_password(c, p->id, hash);
	factor_remove(c, p->id);
	session_delete_all(c, p->id, 0);
	held_delete_all(c, p->id);
	device_delete_all(c, p->id, 0);
	sign_begin(c, p, false, &order->from, out);
	return NULL;
}

/* Returns the e-mail address and the name of who is reset: a password must not be one of
 * them. */
static void
words_of(struct ctx *c, const struct start_order *order, const char *names[2])
{
	const struct person *p;

	names[0] = order->email;
	names[1] = order->name;
	if (order->person == NULL)
		return;
	db_begin_read(c, DB_CONSOLE);
	p = person_find(c, order->person);
	db_rollback(c);
	names[0] = p != NULL ? p->email : "";
	names[1] = p != NULL ? p->name : "";
}

struct err *
start_finish(struct ctx *c, const struct start_order *order, struct signed_in *out)
{
	const char *names[2], *password, *hash;

	memset(out, 0, sizeof(*out));
	TRY(start_check(c, order->code, order->from.address));
	words_of(c, order, names);
	TRY(password_read(c, order->password, false, names, 2, &password));
	TRY(password_hash(c, password, (struct password_asker) { .login = "" }, &hash));
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	ACTION(c, gate_pass(c));
	/* Nobody uses it twice: it is looked at again under the lock. */
	if (!start_code_is(c, order->code))
		return refuse(c, ERR_CONFLICT, "%s", tr("This code was used."));
	TRY(make_or_reset(c, order, hash, out));
	start_code_remove(c);
	action_commit(c);
	throttle_forgive(c, out->person->login);
	sign_log(c, order->person != NULL ? "reset-by-code" : "first-operator", out->person->uuid,
	    order->from.address);
	return NULL;
}

/* ---- the address */

bool
start_address_is_good(struct ctx *c, const char *url)
{
	return strncmp(url, "https://", 8) == 0 || !c->conf->require_https;
}

/* Makes the new text. The file is looked at again under its lock. */
static struct err *
edit_conf(struct ctx *c, const char **text, const char *url)
{
	size_t len = strlen(*text);
	struct conf_fault *faults;
	struct conf now;
	int line;

	if (conf_faults(c, *text, &faults) > 0)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("galley.conf has a fault, so nothing was changed. Correct it first."));
	if (conf_parse(c, arena_text(c->arena, *text), len, &now, &line) == NULL &&
	    now.public_url[0] != '\0')
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This instance has an address now. Open this page there."));
	return conf_edit(c, text, "public_url", url);
}

static struct err *
change_address(struct ctx *c, const char *url)
{
	struct conf_file file;
	struct err *err;
	const char *text;

	TRY(conf_file_lock(c, &file));
	text = file.text;
	err = edit_conf(c, &text, url);
	if (err == NULL)
		err = conf_file_replace(c, &file, text);
	conf_file_release(&file);
	return err;
}

/* Gives the address to the workspaces, so that pictures have one at once, and not only when cron
 * has come. Where that is refused, the job runner does it. */
static void
take_over(struct ctx *c)
{
	if (db_release(c) != DB_RELEASE_SAME)
		return;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	if (gate_pass(c) == NULL) {
		(void)workspace_take_public_url(c, c->conf->public_url);
		db_commit(c);
	} else {
		db_rollback(c);
	}
}

struct err *
start_address(struct ctx *c, const char *code, const char *address, const char *url)
{
	struct conf *conf = arena_alloc(c->arena, sizeof(*conf));

	TRY(start_check(c, code, address));
	if (conf_address_check(c, "public_url", url) != NULL)
		return refuse(c, ERR_INVALID, "%s",
		    tr("This is not an address that a browser can open, so it was not used."));
	if (!start_address_is_good(c, url))
		return refuse(c, ERR_INVALID, "%s",
		    tr("This address begins with http://, so it was not used."));
	TRY(change_address(c, url));
	TRY(conf_read(c, c->instance->conf, conf));
	c->conf = conf;
	take_over(c);
	sign_log(c, "address-set", NULL, address);
	log_into(arena_printf(c->arena, "%s/operator.log", c->instance->log),
	    arena_printf(c->arena, "person=- account=- config set public_url=%s", url));
	return NULL;
}
