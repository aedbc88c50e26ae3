#ifndef ACCESS_SETTINGS_H
#define ACCESS_SETTINGS_H
/*
 * The publishing settings of a workspace that reach an export (docs/contract.md §1), as
 * effective values. A string marked "or NULL" is NULL if it is empty, never "".
 */
#include <stdint.h>

struct settings {
	const char *workspace_id; /* UUID */
	const char *name; /* of the workspace */
	const char *language; /* tag of the workspace (WebSite.inLanguage) */
	const char *website; /* https origin without slash, or NULL */
	const char *address_pattern; /* "/blog/{slug}/", or NULL */
	const char *publisher_name; /* or NULL: the name is the brand */
	const char *publisher_logo_url; /* or NULL */
	const char *author_name; /* or NULL: the brand is the author */
	const char *author_url; /* or NULL */
	const char *public_url; /* of the instance, no slash at the end; "" when
				   not set: media have no address then */
};

#endif
