/*
 * The floor of orders in the benchmarks: a CGI that writes one row into the SQLite
 * database FLOOR_DATABASE, with one durable commit, and prints as many bytes as its query
 * string says. Linked as the programs of cgi-bin/ are. It opens, waits and syncs as they
 * do (lib/store/sqlite/db-connection.c), and checks nothing.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BYTES_MAX (4 * 1024 * 1024)
#define TRIES_MAX 10000

/* Sleeps as briefly as a program of cgi-bin/ does that waits for another writer. */
static int
wait_for_others(void *unused, int tries)
{
	struct timespec pause = { 0, 0 };
	long base_us = tries < 3 ? 150 : tries < 10 ? 500 : 1500;

	(void)unused;
	clock_gettime(CLOCK_MONOTONIC, &pause);
	pause.tv_sec = 0;
	pause.tv_nsec = (base_us + pause.tv_nsec / 16 % (2 * base_us)) * 1000;
	nanosleep(&pause, NULL);
	return tries < TRIES_MAX;
}

static int
commit(const char *path)
{
	sqlite3 *db;
	int status;

	if (path == NULL || sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		return -1;
	sqlite3_busy_handler(db, wait_for_others, NULL);
	status = sqlite3_exec(db,
	    "PRAGMA synchronous = EXTRA; BEGIN IMMEDIATE;"
	    " INSERT INTO floor (note) VALUES (hex(zeroblob(200))); COMMIT",
	    NULL, NULL, NULL);
	sqlite3_close(db);
	return status == SQLITE_OK ? 0 : -1;
}

int
main(void)
{
	const char *query = getenv("QUERY_STRING");
	long count = query != NULL ? strtol(query, NULL, 10) : 0;
	size_t len, sent = 0;
	char *answer;

	if (count < 0 || count > BYTES_MAX)
		count = 0;
	answer = malloc((size_t)count + 128);
	if (answer == NULL || commit(getenv("FLOOR_DATABASE")) != 0)
		return 1;
	len = (size_t)sprintf(answer, "Status: 200 OK\r\nContent-Type: application/json\r\n\r\n");
	memset(answer + len, 'x', (size_t)count);
	len += (size_t)count;
	while (sent < len) {
		ssize_t got = write(STDOUT_FILENO, answer + sent, len - sent);
		if (got <= 0)
			return 1;
		sent += (size_t)got;
	}
	return 0;
}
