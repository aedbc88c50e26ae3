#ifndef BASE_LOG_H
#define BASE_LOG_H
/*
 * The log, and the two ways in which a process dies.
 *
 * A line is written at once, at most 4,096 bytes, to a file opened with
 * O_APPEND: RFC 3339 time, program, process id, request id, text. Every byte
 * that is not valid UTF-8 is escaped as \xNN, and every character that a reader
 * or a terminal would obey (utf8_is_obeyed()), so that no client can forge a
 * line. The log makes a secret unreadable that a client or an operator put into a text
 * (mask.h); no program of ours logs one.
 */
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>

/* The function that answers the request of a program that dies. */
typedef void (*log_last_words)(bool passing, int retry_after_s);

/*
 * Names the program, and the file its lines go to; `path` NULL, or a file that
 * cannot be opened: standard error. The strings must live as long as the
 * process.
 */
void log_open(const char *program, const char *path);

/* Opens the log's file again if another file, or none, has its name now (the old one was
 * rotated): for processes that live long. */
__attribute__((cold)) void log_follow(void);

/* Sets the id of the following lines; NULL or "" for none. */
void log_request(const char *request_id);

/* Adds a line. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Adds a line with this text. */
void log_text(const char *text);

/* Adds a line with this text to another log; to the process's own if that cannot be
 * opened. */
void log_into(const char *path, const char *text);

/* Writes a text for a person to `to`, escaped as in the log, and a newline. */
void log_show(FILE *to, const char *text);

/* Sets the function that die() and BUG() call once, before the process ends; it sends a
 * whole answer. NULL (programs that people run): the text goes to standard error. */
void log_on_death(log_last_words words);

/* Returns the cause of death in a form for people. Call it in the last words. */
const char *log_death(void);

/* Sets the whole sentence that a person gets in place of the text of the next die(), which
 * is for the log. It must live as long as the process. */
void log_plainly(const char *sentence);

/* Notes that the client has its answer, so that die() may exit 0. For last words. */
void log_answered(void);

/* Lets a process that dies go on for an answer that is not its last words: die() calls these again.
 * For last words. */
void log_live_on(void);

/*
 * A failure: disk, corruption, memory, schema. Logs the text, lets the last words
 * answer (500), and exits with 1, or with 0 if they called log_answered(). The text is
 * for the operator; no client sees it.
 */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A failure that may pass (busy, disk full, input and output): 503 with
 * Retry-After of `retry_after_s` seconds. */
_Noreturn void
die_passing(int retry_after_s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Our own contract is broken: logs the place, answers 500, aborts. */
#define BUG(...) log_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void
log_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
