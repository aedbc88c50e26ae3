#ifndef WEB_SERVE_FCGI_H
#define WEB_SERVE_FCGI_H
/*
 * The loop of a FastCGI process, and a pool of such processes (serve-pool.c). serve-fcgi.c is the
 * only file that knows of FastCGI: the executables are the same as under CGI. For serve.c alone.
 */
struct ctx;
struct service;

/*
 * Several FastCGI processes behind one listening socket, of which galley-serve starts
 * only one. With GALLEY_PROCESSES=N in its environment a program
 * answers nothing itself but keeps N processes of the same program, which share its
 * standard input. A process that ends is replaced by the program that is at its path
 * at that time, so an upgrade needs no restart. The socket stays open, so that
 * requests wait in its queue, and it loses no request.
 */

/* A socket of the pool that is connected to itself. Through it a process that waits for a slow body
 * gives the other connections that it accepted to those that are free. It is standard output, which
 * FastCGI does not use. */
#define SERVE_RELAY STDOUT_FILENO

/* Returns how many processes are wanted, or 0: this process must answer itself. */
__attribute__((cold)) int serve_pool_size(void);

/*
 * Keeps `size` processes of the program at `path` until SIGTERM. Then each process
 * ends after the request that it answers, and this function returns.
 */
__attribute__((cold)) void serve_pool(const char *path, int size);

/*
 * Answers requests until SIGTERM comes between two of them, or a hundred thousand are
 * answered (the web server starts a new process). A connection that comes meanwhile is
 * answered, or refused before a byte of its request is read: web servers then ask
 * another process. Statements stay prepared; the arena is reset after each request.
 */
__attribute__((cold)) void serve_fcgi(struct ctx *c, const struct service *service);

#endif
