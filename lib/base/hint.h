#ifndef BASE_HINT_H
#define BASE_HINT_H
/*
 * What somebody can do about a refusal or a finding. No sentence of a floor below the skins
 * names a command, an option, a button or an address: it names a hint, and the skin of the one
 * who reads it has the words (terminal/hints.c for a shell, console/hints.c for a browser). The
 * API has none. `about` of the comment is the id or text that the hint is about.
 */
#define HINT_TABLE(ROW)                                                        \
	ROW(HINT_ACCOUNTS, "accounts")                                         \
	ROW(HINT_ACCOUNT_RESUME, "account-resume") /* about: the account */    \
	ROW(HINT_ACCOUNT_VERIFY, "account-verify") /* about: the account */    \
	ROW(HINT_ANOTHER, "another")                                           \
	ROW(HINT_ARTICLES, "articles")                                         \
	ROW(HINT_ARTICLE_DELETE, "article-delete") /* about: the article */    \
	ROW(HINT_ARTICLE_FIELDS, "article-fields")                             \
	ROW(HINT_ARTICLE_UNDELETE, "article-undelete") /* about: the article */ \
	ROW(HINT_CREDITS, "credits") /* about: the account */                  \
	ROW(HINT_DOCTOR, "doctor")                                             \
	ROW(HINT_EDITIONS, "editions") /* about: the article */                \
	ROW(HINT_JOBS, "jobs")                                                 \
	ROW(HINT_KEYS, "keys")                                                 \
	ROW(HINT_KEY_CREATE, "key-create")                                     \
	ROW(HINT_KEY_FIND, "key-find")                                         \
	ROW(HINT_MAX, "max")                                                   \
	ROW(HINT_MIGRATE, "migrate")                                           \
	ROW(HINT_MOVE, "move")                                                 \
	ROW(HINT_NOTIFY, "notify")                                             \
	ROW(HINT_PEOPLE, "people")                                             \
	ROW(HINT_PERSON_CREATE, "person-create")                               \
	ROW(HINT_RESEARCH, "research")                                         \
	ROW(HINT_UNFINISHED, "unfinished") /* about: the article */            \
	ROW(HINT_WORKSPACES, "workspaces")                                     \
	ROW(HINT_WORKSPACE_CHOOSE, "workspace-choose")                         \
	ROW(HINT_WORKSPACE_CREATE, "workspace-create")                         \
	ROW(HINT_WORKSPACE_FIELDS, "workspace-fields")

enum hint {
	HINT_NONE,
#define HINT_ENUM(name, word) name,
	HINT_TABLE(HINT_ENUM)
#undef HINT_ENUM
	HINT_COUNT
};

#endif
