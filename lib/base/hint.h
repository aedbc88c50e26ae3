#ifndef BASE_HINT_H
#define BASE_HINT_H
/*
 * What somebody can do about a refusal or a finding. No sentence of a floor below the skins
 * names a command, an option, a button or an address: it names a hint, and the skin of the one
 * who reads it has the words (terminal/hints.c for a shell, console/refusal.c for a browser). The
 * API has none. `about` of the comment is the id or text that the hint is about.
 */
enum hint {
	HINT_NONE,
	HINT_ACCOUNTS,
	HINT_ACCOUNT_RESUME, /* about: the account */
	HINT_ACCOUNT_VERIFY, /* about: the account */
	HINT_AGAIN,
	HINT_ANOTHER,
	HINT_ARTICLES,
	HINT_ARTICLE_DELETE, /* about: the article */
	HINT_ARTICLE_FIELDS,
	HINT_ARTICLE_UNDELETE, /* about: the article */
	HINT_CONFIG, /* about: KEY=VALUE */
	HINT_CONFIG_CHECK,
	HINT_CREDITS, /* about: the account */
	HINT_DOCTOR,
	HINT_EDITIONS, /* about: the article */
	HINT_EXPLAIN, /* about: the request */
	HINT_FIX,
	HINT_FORCE,
	HINT_FORCE_BACK,
	HINT_IMPORT_PRIVATE,
	HINT_IMPORT_SITE,
	HINT_IMPORT_UNFINISHED,
	HINT_INIT,
	HINT_INSTALL,
	HINT_INSTANCE,
	HINT_JOBS,
	HINT_KEYS,
	HINT_KEY_CREATE,
	HINT_KEY_FIND,
	HINT_LISTS,
	HINT_LIVE,
	HINT_MAIL_TEST,
	HINT_MAX,
	HINT_MIGRATE,
	HINT_MIGRATE_NOW,
	HINT_MOVE,
	HINT_NOTIFY,
	HINT_OWNER,
	HINT_PEOPLE,
	HINT_PEOPLE_STAY,
	HINT_PEOPLE_TAKE,
	HINT_PERSON_CREATE,
	HINT_PICTURE,
	HINT_REPAIR,
	HINT_RESEARCH,
	HINT_RESTORE,
	HINT_STALE, /* about: the article */
	HINT_STORE_BACK,
	HINT_STORE_COPY,
	HINT_TASK_RUNNER, /* about: the folder of programs */
	HINT_TOOL, /* about: the folder of the instance */
	HINT_UNFINISHED, /* about: the article */
	HINT_UPGRADE, /* about: the instance's name */
	HINT_VERIFY,
	HINT_WORKSPACES,
	HINT_WORKSPACE_CHOOSE,
	HINT_WORKSPACE_CREATE,
	HINT_WORKSPACE_FIELDS,
	HINT_COUNT
};

#endif
