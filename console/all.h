#ifndef SCREENS_H
#define SCREENS_H
/* The tables of the screens, one for each file of this folder. */
#include "action/person/credentials.h"
#include "action/person/signing.h"
#include "console/answer.h"

extern const struct console_row activity_screens[];
extern const struct console_row articles_screens[];
extern const struct console_row articles_many_screens[];
extern const struct console_row authenticator_screens[];
extern const struct console_row credits_screens[];
extern const struct console_row customers_screens[];
extern const struct console_row editor_file_screens[];
extern const struct console_row editor_paste_screens[];
extern const struct console_row editor_screens[];
extern const struct console_row held_screens[];
extern const struct console_row exports_screens[];
extern const struct console_row history_screens[];
extern const struct console_row home_screens[];
extern const struct console_row instance_screens[];
extern const struct console_row instance_live_screens[];
extern const struct console_row instance_logs_screens[];
extern const struct console_row instance_settings_screens[];
extern const struct console_row instance_tasks_screens[];
extern const struct console_row backups_screens[];
extern const struct console_row backup_screens[];
extern const struct console_row provider_screens[];
extern const struct console_row restore_screens[];
extern const struct console_row invite_screens[];
extern const struct console_row keys_screens[];
extern const struct console_row made_keys_screens[];
extern const struct console_row me_screens[];
extern const struct console_row brief_screens[];
extern const struct console_row order_new_screens[];
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
extern const struct console_row pages_screens[];
extern const struct console_row site_screens[];
extern const struct console_row sites_screens[];
extern const struct console_row statistics_screens[];
extern const struct console_row start_screens[];
extern const struct console_row moving_addresses_screens[];
extern const struct console_row moving_screens[];
extern const struct console_row moving_task_screens[];
extern const struct console_row uploads_screens[];
extern const struct console_row workspace_screens[];
extern const struct console_row verification_screens[];

/* Who changes the own sign-in (me.c). */
struct self self_of(const struct visit *v);

/* The first step of Start: where the code is, and its form (start.c). */
extern const struct field start_code_fields[];
void
start_write_code(struct hwrite *w, struct ctx *c, const struct visit *v, const struct form *code);

/* Start while the database is of an older release (upgrade.c). */
MAY_REFUSE struct err *upgrade_show(struct ctx *c, struct visit *v, struct reply *reply);
MAY_REFUSE struct err *upgrade_post(struct ctx *c, struct visit *v, struct reply *reply);

/* Who signs in, as far as the request says it (sign-in.c). */
struct sign_order sign_order_of(const struct visit *v);

/* Sends a browser that was signed in to a path below the root, with its cookies, and
 * clears `in` (sign-in.c). `notice` may be NULL. */
void sign_go_on(struct ctx *c, struct visit *v, struct reply *reply, struct signed_in *in,
    const char *then, const char *notice);

#endif
