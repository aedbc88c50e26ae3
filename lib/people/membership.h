#ifndef PEOPLE_MEMBERSHIP_H
#define PEOPLE_MEMBERSHIP_H
/*
 * What a person may do, and where (docs/console.md §2.1). This file owns the table
 * membership of the console's store, and membership_rights() is the one place that
 * decides about a right.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* What a person may do. Bits of one number: more rights include no others. */
enum right {
	RIGHT_READ = 1, /* every member: read and comment */
	RIGHT_WRITE = 2, /* create and edit drafts, pictures */
	RIGHT_PUBLISH = 4, /* publish, unpublish, trash */
	RIGHT_MANAGE = 8, /* settings, keys, people, import, purge */
	RIGHT_OPERATE = 16 /* the instance's own: customers, credits, Instance */
};

#define RIGHT_ALL (RIGHT_READ | RIGHT_WRITE | RIGHT_PUBLISH | RIGHT_MANAGE | RIGHT_OPERATE)

enum membership_kind { MEMBERSHIP_INSTANCE, MEMBERSHIP_ACCOUNT, MEMBERSHIP_WORKSPACE };

struct membership {
	int64_t id;
	const char *uuid;
	int64_t person_id;
	enum membership_kind kind;
	const char *place; /* UUID of the account or workspace; "" for the instance */
	const char *account; /* UUID; of a workspace its account's; "" for the instance */
	unsigned rights; /* of enum right, RIGHT_READ among them */
	int64_t created_at;
	int64_t begun_at; /* 0: the invitation was not opened yet */
	const char *invited_name; /* as it was typed with the invitation */
	const char *invited_email; /* the same; an invitation is mailed to no other address */
	const char *invited_by; /* UUID of a person; "": galley, or not known */
	int64_t ended_at; /* the person got another address, so that it begins no more; 0: no */
};

/* A preset of switches: writer, reviewer, editor, owner, and operator of the instance. */
const char *membership_role(const struct membership *m); /* "" for any other mix */
/* Returns the rights of a role's name; 0: there is no such role. */
unsigned membership_role_rights(const char *role);

/*
 * Returns the rights that the person has now in a workspace, an account or the instance:
 * those of all begun memberships that reach it. `account` and `workspace` are UUIDs, or
 * NULL: with a workspace its account must be given, too; with both NULL only
 * the instance's membership counts. 0: not a member, or disabled.
 */
unsigned
membership_rights(struct ctx *c, int64_t person_id, const char *account, const char *workspace);

/* The same, and the rights in the account alone. */
unsigned membership_rights_both(struct ctx *c, int64_t person_id, const char *account,
    const char *workspace, unsigned *in_account);

/* Returns the membership of the person in that place, begun or not, or NULL. */
struct membership *membership_find(struct ctx *c, int64_t person_id, const char *place);
/* Returns the membership with this internal id, or NULL. */
struct membership *membership_of(struct ctx *c, int64_t id);

/* Calls `each` for the memberships of a person, or for those in an account (its own and
 * those of its workspaces); begun ones and others, oldest first. */
void membership_list(struct ctx *c, int64_t person_id,
    void (*each)(void *arg, const struct membership *m), void *arg);
void membership_list_account(struct ctx *c, const char *account,
    void (*each)(void *arg, const struct membership *m), void *arg);

/* Returns when somebody of the account signed in last (person_seen()); 0: never. */
int64_t membership_seen_at(struct ctx *c, const char *account);

/* Returns how many people who may sign in have that right in a place by a begun
 * membership of that place itself: for rules about the last operator and manager. */
int64_t membership_count(struct ctx *c, const char *place, enum right right);

/* Adds a membership that has not begun. Fills id, uuid, created_at. The person must have
 * none in that place. */
void membership_insert(struct ctx *c, struct membership *m);

/* Sets the rights of a membership. Where they rise, and where a membership begins, the open
 * reset of the person ends. */
void membership_set(struct ctx *c, int64_t id, unsigned rights);

/* Begins a membership, if it has not begun. */
void membership_begin(struct ctx *c, int64_t id);

/* Begins this membership, and the others of the same person and account that have not
 * begun and have not ended: one invitation may be for several workspaces. */
void membership_begin_with(struct ctx *c, int64_t id);

/* The person of a membership that has not begun has another address now: gives it that one, so
 * that it can begin, or, with NULL, ends it, because nobody sent an invitation there. */
void membership_move(struct ctx *c, int64_t id, const char *email);

/* Calls `each` for all that ended so, oldest first. */
void membership_list_ended(
    struct ctx *c, void (*each)(void *arg, const struct membership *m), void *arg);

/* Takes a membership away; its links go with it. */
void membership_delete(struct ctx *c, int64_t id);

#endif
