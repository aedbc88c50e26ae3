#ifndef WEB_SERVE_POOL_H
#define WEB_SERVE_POOL_H
/*
 * Several FastCGI processes behind one listening socket, where whoever starts
 * them (systemd) starts only one: with GALLEY_PROCESSES=N in its environment a
 * program answers nothing itself but keeps N processes of the same program, which
 * share its standard input. One that ends is replaced by the program that stands
 * at its path by then, so an upgrade needs no restart. The socket stays open, so
 * that requests wait in its queue and none is lost. Private to this floor.
 */

/* How many processes are wanted, or 0: this process is to answer itself. */
int serve_pool_size(void);

/*
 * Keeps `size` processes of the program at `path` until SIGTERM; then they end,
 * each after the request that it answers, and this returns.
 */
void serve_pool(const char *path, int size);

#endif
