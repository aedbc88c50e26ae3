#ifndef NET_HTTP_TRANSFER_H
#define NET_HTTP_TRANSFER_H
/* What a request is while libcurl works on it. Private to http.c and http-outcome.c. */
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct http_answer;
struct http_request;

struct http {
	CURL *curl;
	const char *authorities; /* the file of certificates; NULL: none was found */
};

/* What the callbacks of one request share. */
struct transfer {
	const struct http_request *request;
	struct buf *head, *body;
	size_t header_bytes;
	int socket_errno; /* why there was no socket, 0: there was one */
	bool forbidden; /* an address was refused */
	bool too_large; /* a ceiling on bytes was met */
	bool slow;
	bool enough; /* a ping's status was read, and its answer goes on */
	int64_t window_at; /* clock_boot() where the speed's window began; 0
				until the answer begins */
	size_t window_bytes; /* body.len at that time */
	char error[CURL_ERROR_SIZE]; /* what libcurl says of the own server */
};

/* Says what came of a transfer that ended with `code`: fills all of *out but head and body. */
void http_read_outcome(
    const struct http *http, CURLcode code, const struct transfer *t, struct http_answer *out);

#endif
