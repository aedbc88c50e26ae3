#ifndef ACTION_DEMO_ACTIONS_H
#define ACTION_DEMO_ACTIONS_H
/*
 * The demo: two workspaces to look at, and a person.
 *
 * demo_make() makes two workspaces, with articles, keys, and an order in each: a work
 * (system/work.h). A second run keeps workspaces and articles, revokes the demo keys of
 * the run before, and makes new ones.
 *
 * The articles are db/demo/LANGUAGE/NAME.md, their pictures db/demo/NAME.png; both are
 * embedded when the tool is built (db/demo/embed.sh).
 */
#include "access/apikey.h"
#include "access/workspace.h"
#include "base/err.h"
#include "import/import.h"

struct ctx;
struct work;

struct demo_document {
	const char *language; /* NULL ends the list */
	const char *name; /* of the file */
	const char *text; /* Markdown with front matter */
};
extern const struct demo_document demo_documents[];
extern const struct import_embedded demo_pictures[];

#define DEMO_WORKSPACES 2

/* What was made of one workspace. */
struct demo_made {
	struct workspace *workspace; /* NULL: not yet */
	char read_key[APIKEY_LENGTH + 1];
	char drafts_key[APIKEY_LENGTH + 1];
	char generate_key[APIKEY_LENGTH + 1];
	int64_t generate_key_id;
	const char *article_id; /* of a published one, or NULL */
	int revoked; /* keys of earlier runs */
};

/* Makes both. Refuses names that several accounts or workspaces have, an article that
 * cannot be imported, and when it must stop. Members of `out` are filled as far as it
 * came; the keys in them are the only copies. */
MAY_REFUSE struct err *
demo_make(struct ctx *c, const struct work *work, struct demo_made out[DEMO_WORKSPACES]);

/*
 * ---- The person of the demo
 *
 * For `galley demo --console`: an operator whose password is made
 * here, by chance, and told once. No two demos have the same one.
 */
#define DEMO_PERSON_EMAIL "demo@example.com"
#define DEMO_PASSWORD 20 /* with its NUL */

/*
 * Makes the person, or gives the person a new password: the one of the run before, a second
 * factor and all sessions end. Writes the password, which the caller must clear. Refuses
 * (ERR_CONFLICT) an instance whose console has an address beyond this machine.
 */
MAY_REFUSE struct err *demo_person(struct ctx *c, char password[DEMO_PASSWORD]);

#endif
