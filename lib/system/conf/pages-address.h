#ifndef SYSTEM_PAGES_ADDRESS_H
#define SYSTEM_PAGES_ADDRESS_H
/* Where strangers read what is shared with them: pages_url of galley.conf, or public_url. */
struct ctx;

/* Returns "https://host[/path]/pages" (arena), or NULL: no address is set. */
const char *pages_address(struct ctx *c);

/* Returns the address of the pages with this word, with a slash at its end (arena); NULL: the word
 * is "", or no address is set. */
const char *pages_address_of(struct ctx *c, const char *word);

/* Returns the address of a script for customers' websites (arena), or NULL: no address is set. */
const char *pages_script_of(struct ctx *c, const char *name);

#endif
