/* The console's program: the tables of all screens. */
#include <stddef.h>

#include "all.h"
#include "console/request.h"

const struct console_row *const console_screens[] = {
	activity_screens,
	articles_screens,
	articles_many_screens,
	me_screens,
	credits_screens,
	customers_screens,
	editor_file_screens,
	editor_blocks_screens,
	editor_screens,
	held_screens,
	exports_screens,
	history_screens,
	home_screens,
	instance_screens,
	instance_logs_screens,
	instance_tasks_screens,
	backups_screens,
	backup_screens,
	invite_screens,
	keys_screens,
	made_keys_screens,
	orders_screens,
	order_screens,
	people_screens,
	member_screens,
	pictures_screens,
	piece_screens,
	preview_screens,
	publish_screens,
	pings_screens,
	settings_screens,
	sign_in_screens,
	sites_screens,
	statistics_screens,
	start_screens,
	moving_screens,
	uploads_screens,
	workspace_screens,
	verification_screens,
	NULL,
};

int
main(int argc, char **argv)
{
	return console_main(argc, argv);
}
