#ifndef COMMAND_PERSON_PRINT_H
#define COMMAND_PERSON_PRINT_H
/* How people, their sessions and their links are printed (docs/console.md §2.5). */
#include "action/person/create.h"
#include "action/person/look.h"
#include "command/call.h"

/* Writes a person as a JSON object. */
void person_print_json(struct jwrite *w, const struct person_view *view);

/* Prints a person for people, line by line. */
void person_print_lines(struct ctx *c, struct call *call, const struct person_view *view);

/* Returns what a membership allows, in a word or a few: "owner", "write and publish". */
const char *person_print_role(struct ctx *c, const struct membership *m);

/* Refuses to make a link as long as the console has no address. */
MAY_REFUSE struct err *person_print_needs_address(struct ctx *c);

/* Prints a link that was made, the one time that it is shown, and clears it. */
void
person_print_link(struct ctx *c, struct call *call, const char *what, struct person_link *made);

/* Returns lines, each with its end, about the links that a person made: the open ones, which end
 * with the person's removal, or those that ended since a time (person_links()). */
const char *person_print_ended(struct ctx *c, const char *who, int64_t since);

#endif
