#ifndef WEB_LINGER_H
#define WEB_LINGER_H
/*
 * Connections of a FastCGI process whose request was answered before all of its body
 * had come. If the process closed one at once, the web server would fail to send the
 * rest, and would drop the answer. If it read the rest at once, a client that sends
 * slowly would keep the process from all others. So the process goes on, and drops what
 * comes on such a connection beside its other work, until the web server closes the
 * connection or its time is over. Private to this floor.
 */
#include <stdbool.h>
#include <stddef.h>

/* Takes a connection whose answer was sent, and adds it to what `waiter` (epoll)
 * watches, as an event with its descriptor. It is closed when `max` bytes have come: more
 * than a web server that is set up as INSTALL.md says ever sends. If there are too many,
 * closes the oldest. */
void linger_add(int waiter, int fd, size_t max);

/* Drops what has come on the connection; closes it if nothing more can come. */
void linger_read(int fd);

/* Closes the connections whose time is over. Returns after how many milliseconds it must
 * be called again; -1: there is no such connection. */
int linger_next_ms(void);

/* Waits a second for the connections that are left, and closes them: for a process
 * that ends. */
void linger_end(void);

#endif
