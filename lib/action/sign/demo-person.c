#include "action/sign/demo-person.h"

#include <string.h>

#include "action/action.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "people/factor.h"
#include "people/membership.h"
#include "people/password.h"
#include "people/person.h"
#include "people/session.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

#define GROUP 4 /* letters between two hyphens */

/* Returns whether only this machine reaches the console. */
static bool
is_local(struct ctx *c)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost", "[::1]" };
	struct console_conf own;
	const char *url, *host;

	console_conf_read(c, &own);
	url = own.url[0] != '\0' ? own.url : c->conf->public_url;
	host = strstr(url, "://");
	for (size_t i = 0; host != NULL && i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		size_t len = strlen(hosts[i]);
		if (strncmp(host + 3, hosts[i], len) == 0 && strchr("/:", host[3 + len]) != NULL)
			return true;
	}
	return false;
}

/* 16 letters of 32: 80 bits. */
static void
make_password(char out[DEMO_PASSWORD])
{
	static const char letters[33] = "abcdefghijkmnopqrstuvwxyz2345679";
	unsigned char chance[DEMO_PASSWORD];

	uuid_random_bytes(chance, sizeof(chance));
	for (size_t i = 0; i < DEMO_PASSWORD - 1; i++)
		out[i] = i % (GROUP + 1) == GROUP ? '-' : letters[chance[i] % 32];
	out[DEMO_PASSWORD - 1] = '\0';
	explicit_bzero(chance, sizeof(chance));
}

static struct err *
find_or_insert(struct ctx *c, struct person **out)
{
	struct person fresh = { .email = DEMO_PERSON_EMAIL,
		.login = DEMO_PERSON_EMAIL,
		.name = "Demo",
		.language = "en" };
	struct err *err;

	*out = person_find(c, DEMO_PERSON_EMAIL);
	if (*out != NULL)
		return NULL;
	err = person_insert(c, &fresh);
	if (err == NULL)
		*out = person_of(c, fresh.id);
	return err;
}

static void
make_operator(struct ctx *c, const struct person *p)
{
	const struct membership *found = membership_find(c, p->id, "");
	struct membership m = { .person_id = p->id,
		.kind = MEMBERSHIP_INSTANCE,
		.place = "",
		.account = "",
		.rights = RIGHT_ALL,
		.invited_name = "",
		.invited_email = "",
		.invited_by = "" };

	if (found == NULL)
		membership_insert(c, &m);
	else
		membership_set(c, found->id, RIGHT_ALL);
	membership_begin(c, found == NULL ? m.id : found->id);
}

struct err *
demo_person(struct ctx *c, char password[DEMO_PASSWORD])
{
	static const char *const names[] = { DEMO_PERSON_EMAIL };
	const char *good, *hash;
	struct person *p = NULL;
	struct err *err;

	if (!is_local(c))
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark(
			    "The demo's person signs in on this machine alone, and the address of this console is another or not set: public_url and console_url must begin with http://127.0.0.1 or http://localhost.")),
		    HINT_PERSON_CREATE, NULL);
	make_password(password);
	err = password_read(c, password, false, names, 1, &good);
	if (err == NULL)
		err = password_hash(
		    c, good, (struct password_asker) { .login = DEMO_PERSON_EMAIL }, &hash);
	if (err != NULL)
		return err;
	err = action_begin_console(c);
	if (err == NULL)
		err = find_or_insert(c, &p);
	if (err == NULL) {
		make_operator(c, p);
		person_disable(c, p->id, false);
		person_set_password(c, p->id, hash);
		factor_remove(c, p->id);
		session_delete_all(c, p->id, 0);
		device_delete_all(c, p->id, 0);
	}
	return action_end(c, err);
}
