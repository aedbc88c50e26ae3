#ifndef SCREENS_H
#define SCREENS_H
/* The tables of the screens, one for each file, and functions of one screen that others call. */
#include "action/person/signing.h"
#include "console/answer.h"

extern const struct console_row activity_screens[];
extern const struct console_row articles_screens[];
extern const struct console_row articles_many_screens[];
extern const struct console_row me_screens[];
extern const struct console_row credits_screens[];
extern const struct console_row customers_screens[];
extern const struct console_row editor_file_screens[];
extern const struct console_row editor_blocks_screens[];
extern const struct console_row editor_screens[];
extern const struct console_row held_screens[];
extern const struct console_row exports_screens[];
extern const struct console_row history_screens[];
extern const struct console_row home_screens[];
extern const struct console_row instance_screens[];
extern const struct console_row instance_logs_screens[];
extern const struct console_row instance_tasks_screens[];
extern const struct console_row backups_screens[];
extern const struct console_row backup_screens[];
extern const struct console_row invite_screens[];
extern const struct console_row keys_screens[];
extern const struct console_row made_keys_screens[];
extern const struct console_row order_screens[];
extern const struct console_row orders_screens[];
extern const struct console_row people_screens[];
extern const struct console_row member_screens[];
extern const struct console_row pictures_screens[];
extern const struct console_row piece_screens[];
extern const struct console_row preview_screens[];
extern const struct console_row publish_screens[];
extern const struct console_row pings_screens[];
extern const struct console_row settings_screens[];
extern const struct console_row sign_in_screens[];
extern const struct console_row sites_screens[];
extern const struct console_row statistics_screens[];
extern const struct console_row start_screens[];
extern const struct console_row moving_screens[];
extern const struct console_row uploads_screens[];
extern const struct console_row workspace_screens[];
extern const struct console_row verification_screens[];

/* ---- what one screen gives to others */

/* Who signs in, as far as the request says it (sign-in.c). */
struct sign_order sign_order_of(const struct visit *v);

/* Sends a browser that was signed in to a path below the root, with its cookies, and
 * clears `in` (sign-in.c). `notice` may be NULL. */
void sign_go_on(struct ctx *c, struct visit *v, struct reply *reply, struct signed_in *in,
    const char *then, const char *notice);

/* Returns what a key may do, in words (arena; keys.c). */
struct apikey;
const char *key_may(struct ctx *c, const struct apikey *key);

/* Writes how a site is, in one or some words (sites-screen.c). */
struct site;
void sites_write_state(struct hwrite *w, const struct site *s);

/* Writes how the account gets verified, on a page that needs that: an owner gets the button, or
 * what became of it; all others learn whom to ask. Nothing where it is verified or suspended.
 * It is its own transaction (account/verification.c). */
void verification_write(struct hwrite *w, struct ctx *c, const struct visit *v);

#endif
