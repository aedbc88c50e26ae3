/* In the order in which `galley help` shows them. */
#include "command/command-list.h"

#include <stddef.h>

const struct command *const command_list[] = {
	command_init,
	command_account,
	command_workspace,
	command_workspace_use,
	command_workspace_delete,
	command_key,
	command_key_rotate,
	command_key_find,
	command_article_import,
	command_article_addresses,
	command_article_list,
	command_article_show,
	command_article_history,
	command_article_check,
	command_article,
	command_article_edit,
	command_article_move,
	command_article_purge,
	command_credits,
	command_job,
	command_provider,
	command_export,
	command_check,
	command_explain,
	command_verify_page,
	command_backup,
	command_dump,
	command_demo,
	command_config,
	command_fix,
	command_help,
	NULL,
};
