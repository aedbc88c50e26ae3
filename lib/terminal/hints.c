#include "terminal/hints.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"

/* What follows a sentence after "; ". `after` is NULL where nothing is said of `about`. */
static const struct {
	const char *before, *after;
} words[HINT_COUNT] = {
	[HINT_ACCOUNTS] = { "galley account list shows them", NULL },
	[HINT_ACCOUNT_RESUME] = { "galley account resume ", " ends that" },
	[HINT_ACCOUNT_VERIFY] = { "galley account verify ", " does that" },
	[HINT_AGAIN] = { "then any galley command goes on with it", NULL },
	[HINT_ANOTHER] = { "--another makes one more of this name; then all are named by their ids",
	    NULL },
	[HINT_ARTICLES] = { "galley article list shows them", NULL },
	[HINT_ARTICLE_DELETE] = { "galley article delete ", " puts it there" },
	[HINT_ARTICLE_FIELDS] = { "galley help article set lists them", NULL },
	[HINT_ARTICLE_UNDELETE] = { "galley article undelete ", " takes it out" },
	[HINT_CONFIG] = { "galley config set ", " does that" },
	[HINT_CONFIG_CHECK] = { "galley config check names every fault; galley config set KEY=VALUE changes a line",
	    NULL },
	[HINT_CREDITS] = { "galley credits grant ", " grants more" },
	[HINT_DOCTOR] = { "galley doctor tells more", NULL },
	[HINT_EDITIONS] = { "galley article history ", " lists its editions" },
	[HINT_EXPLAIN] = { "galley explain ", " tells of the last one" },
	[HINT_FIX] = { "galley fix corrects it", NULL },
	[HINT_FORCE] = { "--force overwrites it", NULL },
	[HINT_FORCE_BACK] = { "--force brings it back", NULL },
	[HINT_IMPORT_PRIVATE] = { "--allow-private lets this one through", NULL },
	[HINT_IMPORT_SITE] = { "--site https://… does that", NULL },
	[HINT_IMPORT_UNFINISHED] = { "--unfinished publishes it", NULL },
	[HINT_INIT] = { "galley init makes an instance", NULL },
	[HINT_INSTALL] = { "make install and galley init make a new one", NULL },
	[HINT_INSTANCE] = { "name one with --instance, or make one with galley init", NULL },
	[HINT_JOBS] = { "galley job list shows them", NULL },
	[HINT_KEYS] = { "galley key list shows them", NULL },
	[HINT_KEY_CREATE] = { "galley key create makes a new one", NULL },
	[HINT_KEY_FIND] = { "galley key list shows the ids, and galley key find finds keys that begin or end like a damaged one",
	    NULL },
	[HINT_LISTS] = { "see galley key list, galley account list, galley article list, galley workspace list",
	    NULL },
	[HINT_LIVE] = { "galley live, or \"This instance is live\" on Instance, does that", NULL },
	[HINT_MAIL_TEST] = { "galley doctor --mail ADDRESS does that", NULL },
	[HINT_MAX] = { "--max allows more", NULL },
	[HINT_MIGRATE] = { "galley migrate makes it", NULL },
	[HINT_MIGRATE_NOW] = { "say galley migrate", NULL },
	[HINT_MOVE] = { "say --move if that is meant", NULL },
	[HINT_NOTIFY] = { "galley workspace notify makes it", NULL },
	[HINT_OWNER] = { "name another with --owner", NULL },
	[HINT_PEOPLE] = { "galley person list shows all", NULL },
	[HINT_PEOPLE_STAY] = { "restore without --people", NULL },
	[HINT_PEOPLE_TAKE] = { "galley restore --people takes them, disabled", NULL },
	[HINT_PERSON_CREATE] = { "galley person create makes people", NULL },
	[HINT_PICTURE] = { "galley article set ID image=FILE gives it again, or an import of its article",
	    NULL },
	[HINT_REPAIR] = { "galley verify --repair does that", NULL },
	[HINT_RESEARCH] = { "it is the file of --research", NULL },
	[HINT_RESTORE] = { "galley restore brings a backup back", NULL },
	[HINT_STALE] = { "galley article show ",
	    " --as markdown shows what it is now, and --force overwrites it" },
	[HINT_STORE_BACK] = { "galley store copy --back opens it again", NULL },
	[HINT_STORE_COPY] = { "see galley store copy --help", NULL },
	[HINT_TASK_RUNNER] = { "say ", "/bin/task-runner --once" },
	[HINT_TOOL] = { "say its bin/galley --instance ", "" },
	[HINT_UNFINISHED] = { "galley article edit ",
	    " opens it to write them;\n"
	    "--unfinished publishes it without them and hidden from search engines" },
	[HINT_UPGRADE] = { "as root, galley-instance upgrade ",
	    " goes on with it, and so does the next start of a container" },
	[HINT_VERIFY] = { "galley verify reads all", NULL },
	[HINT_WORKSPACES] = { "galley workspace list shows them", NULL },
	[HINT_WORKSPACE_CHOOSE] = { "galley workspace list shows them, and galley\n"
				    "workspace use chooses one for all commands",
	    NULL },
	[HINT_WORKSPACE_CREATE] = { "galley workspace create makes one", NULL },
	[HINT_WORKSPACE_FIELDS] = { "galley help workspace set lists them", NULL },
};

/* After a list the words are a line of their own, and after a question a sentence. */
const char *
hints_tell(struct ctx *c, const char *sentence, enum hint hint, const char *about)
{
	size_t len = strlen(sentence);
	char last = len > 0 ? sentence[len - 1] : '\0';
	const char *before = words[hint].before, *after = words[hint].after;

	if (before == NULL || (after == NULL) != (about == NULL))
		BUG("hint %d has no words", (int)hint);
	if (after == NULL)
		about = after = "";
	if (last == '.')
		len--;
	return arena_printf(c->arena, "%.*s%s%s%s%s%s", (int)len, sentence,
	    strstr(sentence, "\n  - ") != NULL ? "\n"
	    : last == '?'		       ? " "
					       : "; ",
	    before, about, after,
	    last == '.' || last == '?' || strchr(sentence, '\n') != NULL ? "." : "");
}
