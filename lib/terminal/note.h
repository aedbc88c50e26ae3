#ifndef TERMINAL_NOTE_H
#define TERMINAL_NOTE_H
/* What a program tells the person at the terminal while it works. */

struct progress;
struct work;

/* Writes a line to standard error at once: a warning, what is happening. Secrets in it
 * are masked (base/mask.h), control characters are made visible (terminal/plain.h), and
 * a line of progress is wiped first. */
void note_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Fills *out for a work that a person watches: its sentences are lines on standard
 * error, its progress is *p on the terminal, and it must stop once system/stop.h has
 * caught a signal. *p must live as long as *out.
 */
void note_work(struct progress *p, struct work *out);

#endif
