#ifndef WEB_LINGER_H
#define WEB_LINGER_H
/*
 * Connections of a FastCGI process whose request was answered before all of its body
 * had come. Closed at once, the web server would fail at sending the rest, and throw the
 * answer away. Read to its end at once, a client that sends slowly would keep the
 * process from all others. So the process goes on, and drops what comes here beside
 * its other work, until the web server closes the connection or its time is over.
 * Private to this floor.
 */
#include <stdbool.h>

/* Takes the connection, whose answer was sent, and adds it to what `waiter` (epoll)
 * watches, as an event with its descriptor. Of too many the oldest is closed. */
void linger_add(int waiter, int fd);

/* Drops what has come on the connection; closes it where that was all. */
void linger_read(int fd);

/* Closes those whose time is over. Returns in how many milliseconds this is to be
 * called again; -1: there is no such connection. */
int linger_next_ms(void);

/* For a process that ends: waits a second for those that are left, and closes them. */
void linger_end(void);

#endif
