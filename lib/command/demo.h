#ifndef COMMAND_DEMO_H
#define COMMAND_DEMO_H
/* The articles of the demo workspaces: the files db/demo/LANGUAGE/NAME.md, embedded
 * when the tool is built (db/demo/embed.sh). */

struct demo_document {
	const char *language; /* NULL ends the list */
	const char *name;     /* of the file */
	const char *text;     /* Markdown with front matter */
};
extern const struct demo_document demo_documents[];

#endif
