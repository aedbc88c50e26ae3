#ifndef SYSTEM_PAGES_ADDRESS_H
#define SYSTEM_PAGES_ADDRESS_H
/* Where strangers read what is shared with them: pages_url of galley.conf, or public_url. */
struct ctx;

/* Returns "https://host[/path]/pages" (arena), or NULL: no address is set. */
const char *pages_address(struct ctx *c);

#endif
