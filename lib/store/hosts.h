#ifndef STORE_HOSTS_H
#define STORE_HOSTS_H
/*
 * What the hosts of an instance share beside the tables of its schemas (docs/postgres.md §6). With
 * SQLite there is one host: its pictures are files, and so are the keys of its days; only
 * db_confine() does anything then.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;
struct harden_path;

/* Returns whether other hosts may work with the same stores. The files of this host are then only
 * copies of what the store holds. */
bool db_has_hosts(void);

/* Calls harden_confine() with these paths, and leaves the process its way to the store: the names
 * of the database's hosts are looked up before, and it may connect to their ports alone. */
void db_confine(struct ctx *c, const struct harden_path *paths, size_t count);

/* Returns whether this process dies because it lost the connection to its server while it was
 * reading, before the time of that read was over: the same may then be read once more. */
bool db_read_was_lost(void);

/* ---- bytes of pictures; each belongs to a row of table media, and goes with it */

/* Holds all pictures until the end of the writing transaction of the content: alone who removes
 * those that nothing names, together who will name one. Writers of other workspaces are at work
 * beside this one, and what they name is not seen before they commit. With SQLite there is one
 * writer. No lock but that of db_pictures_add() is taken after this one. */
void db_pictures_hold(struct ctx *c, bool alone);

/* Lets no other transaction add pictures until this one ends: call it after db_pictures_hold() and
 * before the row of a picture that is not there yet. Two transactions that add the same pictures,
 * each in its own order, would wait for each other. No lock is taken after this one. */
void db_pictures_add(struct ctx *c);

/* Keeps the bytes, in place of others that are there. In a writing transaction of the content,
 * after the row was inserted. */
void db_picture_put(struct ctx *c, const char *digest, const void *bytes, size_t len);

/* Returns whether the bytes are there. The content must be open; if a transaction of it is open,
 * this is part of it. db_picture_find(): the same. */
bool db_picture_is_there(struct ctx *c, const char *digest);

/* Returns the bytes of the picture of this digest whose type is `type` (NULL: of any type), in the
 * arena; NULL if there are none. */
const void *db_picture_find(struct ctx *c, const char *digest, const char *type, size_t *len);

/* ---- the keys of days (access/day-key.h) */

/* Makes `key` that of all hosts: that of the store, or this one if the store has none. In a
 * writing transaction of the counts. */
void db_day_key_share(struct ctx *c, int64_t day, unsigned char *key, size_t len);

/* Forgets the keys of all days before this one. In the same transaction. */
void db_day_keys_forget(struct ctx *c, int64_t first);

/* ---- the secret of the people (people/secret) */

/* Says that another secret takes the place of the one that this host has, because people come who
 * are keyed with it, and nobody is there yet. Until they are, no host compares its own. The content
 * must be open, and no transaction. */
void db_people_secret_changes(struct ctx *c);

#endif
