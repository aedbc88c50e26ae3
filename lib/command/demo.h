#ifndef COMMAND_DEMO_H
#define COMMAND_DEMO_H
/* The articles of the demo workspaces, db/demo/LANGUAGE/NAME.md, and their
 * pictures, db/demo/NAME.png, embedded when the tool is built
 * (db/demo/embed.sh). */
#include "import/import.h"

struct demo_document {
	const char *language; /* NULL ends the list */
	const char *name;     /* of the file */
	const char *text;     /* Markdown with front matter */
};
extern const struct demo_document demo_documents[];
extern const struct import_embedded demo_pictures[];

#endif
