/* Checks how this instance sends mails, for doctor.h, and sends a test. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "doctor/doctor.h"
#include "notify/mail.h"
#include "notify/postman.h"
#include "people/person.h"
#include "system/conf/console-conf.h"

static const char *
command_of(struct ctx *c)
{
	struct console_conf own;

	console_conf_read(c, &own);
	return own.mail_command;
}

/* Looks at the program itself. False: *out says what is wrong. */
static bool
look_at_program(struct ctx *c, const char *path, struct doctor_finding *out)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || access(path, X_OK) != 0)
		*out =
		    doctor_bad(arena_printf(c->arena, "mail_command: %s cannot be started", path),
			hint_say(c, "set mail_command to a program that is there, or to nothing",
			    HINT_CONFIG, "mail_command=…"));
	else if ((st.st_mode & 022) != 0 || (st.st_uid != 0 && st.st_uid != geteuid()))
		*out = doctor_bad(
		    arena_printf(c->arena, "mail_command: %s may be written by others", path),
		    arena_printf(c->arena,
			"chmod go-w %s, and let root or the owner of this instance own it", path));
	else
		return true;
	return false;
}

struct doctor_finding
doctor_mail(struct ctx *c)
{
	const char *command = command_of(c), *fault;
	struct doctor_finding found;
	struct postman p;
	struct err *err;

	if (command[0] == '\0')
		return doctor_good("mail_command is not set: no mail is sent");
	err = postman_read(c, command, &p);
	if (err != NULL)
		return doctor_bad(err->message,
		    hint_say(c, "correct mail_command", HINT_CONFIG, "mail_command=…"));
	if (!look_at_program(c, p.words[0], &found))
		return found;
	if (c->conf == NULL || letter_console(c) == NULL)
		return doctor_warn("mail_command is set, and public_url is not: no mail is sent",
		    hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
			"public_url=https://…"));
	fault = mail_fault_read(c);
	if (fault != NULL)
		return doctor_warn(
		    arena_printf(c->arena, "the last mail could not be sent: %s", fault),
		    hint_say(c, "send a test, and see what happens", HINT_MAIL_TEST, NULL));
	return doctor_good(arena_printf(c->arena, "mails are sent by %s", p.words[0]));
}

struct err *
doctor_send_test(struct ctx *c, const char *address, const char **said)
{
	struct letter l = { .test = true, .path = "/" };
	char uuid[UUID_TEXT], why[POSTMAN_WHY];
	const char *login;
	struct postman p;
	struct err *err = person_read_email(c, address, &l.to, &login);

	if (err == NULL && command_of(c)[0] == '\0')
		err = err_hint(c, refuse(c, ERR_CONFLICT, "mail_command is not set."), HINT_CONFIG,
		    "mail_command=…");
	if (err == NULL)
		err = postman_read(c, command_of(c), &p);
	l.console = letter_console(c);
	if (err == NULL && l.console == NULL)
		err = err_hint(c, refuse(c, ERR_CONFLICT, "public_url is not set."), HINT_CONFIG,
		    "public_url=https://…");
	if (err != NULL)
		return err;
	uuid_random(uuid);
	l.uuid = uuid;
	l.from = p.from;
	c->now = clock_now();
	if (postman_send(c, &p, l.to, letter_write(c, &l), NULL, why) != POSTMAN_SENT)
		return refuse(c, ERR_UNAVAILABLE, "%s.", why);
	mail_fault_note(c, NULL);
	*said = arena_printf(
	    c->arena, "%s took a test for %s. Look whether it arrives.", p.words[0], l.to);
	return NULL;
}
