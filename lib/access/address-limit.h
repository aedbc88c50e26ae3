#ifndef ACCESS_ADDRESS_LIMIT_H
#define ACCESS_ADDRESS_LIMIT_H
/*
 * How many requests of strangers come from an address in a minute (docs/pages.md §3, §8), and how
 * many forms of the console from a person (docs/console.md §3.13). They are counted in a file of
 * run/, in which each address, of IPv6 each /64, has one of 65,536 places. The key of the day
 * (day-key.h) gives it its place: the file tells nobody's address, and no client can choose with
 * whom it shares a place. The file has at most 17 MiB, and a service has a file of its own.
 *
 * A minute is 60 s less up to 4 s: who makes no more than the limit in any 60 s is never
 * refused. A request that is refused is not counted.
 *
 * An address is a proxy's, and nobody is refused there, if nine of ten requests of the last 24 full
 * hours came from it; not where `no_proxy` says that most requests may well be of one. A request
 * that only says that it was forwarded, as anybody can, has ten times the limit of its peer. If the
 * file or the key cannot be used, every request passes, and the log says so.
 *
 * A confined process needs the right to write the file, and the folder of day-key.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

/* The files, in run/. */
#define ADDRESS_LIMIT_PAGES "pages.rl"
#define ADDRESS_LIMIT_COLLECT "collect.rl"
#define ADDRESS_LIMIT_PICTURES "picture.rl"
#define ADDRESS_LIMIT_FORMS "console/forms.rl"
#define ADDRESS_NETWORK_MAX 8

/*
 * Returns the bytes of an address that one person cannot change at will: of IPv4, also in the
 * form of IPv6, all four, of IPv6 the first eight. What is no address gets eight zeros.
 */
size_t address_network(const char *address, unsigned char out[ADDRESS_NETWORK_MAX]);

struct address_limit {
	const char *file; /* its name in run/ */
	int64_t per_minute; /* 0: nobody is counted, and everybody passes */
	const char *address; /* text, of the client behind the trusted proxies */
	int64_t now; /* microseconds since 1970: clock_now() */
	bool forwarded; /* the request has Forwarded, X-Forwarded-For or Via, and its peer
			 * is no trusted proxy */
	bool no_proxy; /* no address is a proxy's */
	const char *person; /* UUID: who is counted instead of the address; or NULL */
};

/* Counts a request. Returns false if it is beyond the limit; *retry_s is then the time to wait. */
bool address_limit_take(struct ctx *c, const struct address_limit *l, int *retry_s);

/* Returns whether address_limit_take() would take a request now; *retry_s as there. Counts
 * nothing. */
bool address_limit_look(struct ctx *c, const struct address_limit *l, int *retry_s);

/* Returns when a request beyond the limit passed for the last time because it came through a
 * proxy, or said so (microseconds); 0: never, or not known. For doctor. */
int64_t address_limit_passed_at(struct ctx *c, const char *file);

/* Counts a failed key of the API from `address` (store/limit.h). Returns true if thirty failures
 * in the last five minutes came from the address (IPv6: from its /64), or 120 from its /48;
 * *retry_s is then the time to wait. */
bool address_limit_fail(struct ctx *c, const char *address, int *retry_s);

#endif
