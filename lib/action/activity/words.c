/* What lines of the log say, in words for people (activity.h). A test asks that each change of a
 * screen has its sentence here. */
#include <stddef.h>
#include <string.h>

#include "action/activity/activity.h"

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

const char *
activity_words(const char *words)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (strcmp(sentences[i].words, words) == 0)
			return sentences[i].sentence;
	}
	return tr_mark("Another change");
}
