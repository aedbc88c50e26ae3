#ifndef WEB_SERVE_POOL_H
#define WEB_SERVE_POOL_H
/*
 * Several FastCGI processes behind one listening socket, if the service manager
 * (systemd) starts only one. With GALLEY_PROCESSES=N in its environment a program
 * answers nothing itself but keeps N processes of the same program, which share its
 * standard input. A process that ends is replaced by the program that is at its path
 * at that time, so an upgrade needs no restart. The socket stays open, so that
 * requests wait in its queue and none is lost. Private to this floor.
 */

/* Returns how many processes are wanted, or 0: this process must answer itself. */
int serve_pool_size(void);

/*
 * Keeps `size` processes of the program at `path` until SIGTERM. Then each process
 * ends after the request that it answers, and this function returns.
 */
__attribute__((cold)) void serve_pool(const char *path, int size);

#endif
