#ifndef COMMAND_COMMAND_LIST_H
#define COMMAND_COMMAND_LIST_H
/* The arrays of commands, one for each file that is named as a command. To add a file: a
 * line here and a line in command-list.c. */
#include "command/command.h"

extern const struct command command_account[];
extern const struct command command_article_addresses[];
extern const struct command command_article_check[];
extern const struct command command_article_create[];
extern const struct command command_article_diff[];
extern const struct command command_article_edit[];
extern const struct command command_article_history[];
extern const struct command command_article_import[];
extern const struct command command_article_list[];
extern const struct command command_article_publish[];
extern const struct command command_article_purge[];
extern const struct command command_article_revert[];
extern const struct command command_article_set[];
extern const struct command command_article_share[];
extern const struct command command_article_show[];
extern const struct command command_backup[];
extern const struct command command_config[];
extern const struct command command_credits[];
extern const struct command command_demo[];
extern const struct command command_doctor[];
extern const struct command command_dump[];
extern const struct command command_explain[];
extern const struct command command_export[];
extern const struct command command_fix[];
extern const struct command command_live[];
extern const struct command command_help[];
extern const struct command command_init[];
extern const struct command command_job[];
extern const struct command command_job_create[];
extern const struct command command_stats_erase[];
extern const struct command command_key[];
extern const struct command command_key_find[];
extern const struct command command_key_rotate[];
extern const struct command command_migrate[];
extern const struct command command_person[];
extern const struct command command_person_invite[];
extern const struct command command_task[];
extern const struct command command_provider[];
extern const struct command command_restore[];
extern const struct command command_stats[];
extern const struct command command_store[];
extern const struct command command_verify[];
extern const struct command command_verify_page[];
extern const struct command command_workspace[];
extern const struct command command_workspace_notify[];
extern const struct command command_workspace_use[];
extern const struct command command_workspace_delete[];

#endif
