#ifndef PAGES_ROOT_H
#define PAGES_ROOT_H
/* Where the pages are (system/conf/pages-address.h). */
struct ctx;

/* Returns the path of the pages' address: "/pages", or behind that of the instance (arena). */
const char *root_path(struct ctx *c);

/* Returns the whole address, "https://host/pages", or the path where none is set (arena). */
const char *root_address(struct ctx *c);

#endif
