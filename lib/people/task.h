#ifndef PEOPLE_TASK_H
#define PEOPLE_TASK_H
/* Work outside requests that people want (docs/console.md §1.3). This file owns the table
 * task of the console's store. */
struct ctx;

/* Ends the tasks of a person (a UUID) that are not over. Needs a transaction of
 * DB_CONSOLE. */
void task_end_all(struct ctx *c, const char *person);

#endif
