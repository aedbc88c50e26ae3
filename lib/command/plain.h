#ifndef COMMAND_PLAIN_H
#define COMMAND_PLAIN_H
/*
 * Text of strangers on an operator's terminal: topics, titles, labels, names of
 * files. A terminal obeys some characters (platform.md §6); shown, none does.
 */

/* Overwrites control characters but line breaks and tabs, and those that turn
 * the direction of other text, with question marks; and bytes that are no
 * UTF-8. */
void plain_make(char *text);

#endif
