#ifndef CONSOLE_HEAD_H
#define CONSOLE_HEAD_H
/* The headers of every answer, and redirects. Private to this floor. */

struct reply;

/* Adds the headers of docs/console.md §3.11. `cache` NULL: Cache-Control is there already. */
void head_add(struct reply *reply, const char *cache);

/* Answers with a redirect to an address. */
void head_go(struct reply *reply, int status, const char *address);

#endif
