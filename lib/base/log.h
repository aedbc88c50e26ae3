#ifndef BASE_LOG_H
#define BASE_LOG_H
/*
 * The log, and the two ways in which a process gives up.
 *
 * A line is written at once, at most 4,096 bytes, to a file opened with
 * O_APPEND: RFC 3339 time, program, process id, request id, text. Every byte
 * that is not valid UTF-8 is escaped as \xNN, and every character that a reader
 * or a terminal would obey (utf8_is_obeyed()), so that no client can forge a
 * line. A secret that a client or an operator put into a text is made unreadable
 * (mask.h); no program of ours gives one to it.
 */
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>

/* Where a program that answers requests says what happens when it dies. */
typedef void (*log_last_words)(bool passing, int retry_after_s);

/*
 * Names the program, and the file its lines go to; `path` NULL, or a file that
 * cannot be opened: standard error. The strings must live as long as the
 * process.
 */
void log_open(const char *program, const char *path);

/* For processes that live long: when another file, or none, has the name now
 * (the old one was put aside), goes on in that. */
void log_follow(void);

/* The id that following lines carry; NULL or "" for none. */
void log_request(const char *request_id);

/* Adds a line. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same of a text that is ready. */
void log_text(const char *text);

/* Writes a text as the log would have it, and a newline, where a person sees it. */
void log_show(FILE *to, const char *text);

/* Called once by die() and BUG(), before the process ends: sends a whole
 * answer. NULL (programs that people run): the text goes to standard error. */
void log_on_death(log_last_words words);

/* In the last words: what the process dies of, as a person is told it. */
const char *log_death(void);

/* What a person is told in place of the text of the next die(), which is for the
 * log: a whole sentence. It must live as long as the process. */
void log_plainly(const char *sentence);

/* For last words: whoever asked was told, so that die() may exit 0. */
void log_answered(void);

/*
 * A failure: disk, corruption, memory, schema. Logs the text, lets the last
 * words answer (500), exits 1, or 0 where they said log_answered(). The text is
 * for the operator; no client sees it.
 */
_Noreturn void die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A failure that may pass (busy, disk full, input and output): 503 with
 * Retry-After of `retry_after_s` seconds. */
_Noreturn void die_passing(int retry_after_s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Our own contract is broken: logs the place, answers 500, aborts. */
#define BUG(...) log_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void log_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
