#ifndef COMMAND_GALLEY_H
#define COMMAND_GALLEY_H
/* The program galley: the life of one call of a command (command.h). */

/* Runs the command that the words name; returns the exit status of the process. */
int galley_main(int argc, char **argv);

#endif
