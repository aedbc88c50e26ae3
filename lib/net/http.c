#include "net/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "net/address.h"

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

/* ---- the outcome of a request, and why, in words for people */

#define RETRY_AFTER_MAX_S INT64_C(86400)

static enum http_outcome
outcome_of(CURLcode code, const struct transfer *t, long sent)
{
	switch (code) {
	case CURLE_OK:
		return HTTP_ANSWERED;
	case CURLE_URL_MALFORMAT:
		return HTTP_FORBIDDEN;
	case CURLE_UNSUPPORTED_PROTOCOL:
		/* The address is wrong, or the answer is not HTTP. */
		return sent > 0 ? HTTP_BROKEN : HTTP_FORBIDDEN;
	case CURLE_COULDNT_CONNECT:
		return t->forbidden ? HTTP_FORBIDDEN : HTTP_UNREACHABLE;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return HTTP_UNREACHABLE;
	case CURLE_OPERATION_TIMEDOUT:
		return HTTP_TIMEOUT;
	case CURLE_FILESIZE_EXCEEDED:
		return HTTP_TOO_LARGE;
	default:
		break;
	}
	if (t->too_large)
		return HTTP_TOO_LARGE;
	return t->slow ? HTTP_TIMEOUT : HTTP_BROKEN;
}

/* Returns when the server's certificate expires; 0 if libcurl does not tell. */
static int64_t
expiry_of(CURL *curl)
{
	static const char name[] = "Expire date:";
	const struct curl_slist *line = NULL;
	struct curl_certinfo *chain = NULL;
	time_t expires = -1;

	if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &chain) == CURLE_OK && chain != NULL &&
	    chain->num_of_certs > 0)
		line = chain->certinfo[0]; /* its own; those above it follow */
	for (; line != NULL; line = line->next)
		if (strncasecmp(line->data, name, strlen(name)) == 0)
			expires = curl_getdate(line->data + strlen(name), NULL);
	return expires > 0 ? (int64_t)expires * CLOCK_SECOND : 0;
}

/* Why the operator's own server gave no answer, in words that name the fault to look for:
 * those of the system, or over https those of curl, which name the certificate's. */
static void
explain_own(CURL *curl, CURLcode code, const struct transfer *t, long sent, struct http_answer *out)
{
	long fault = 0;

	if (strncasecmp(t->request->url, "https://", 8) == 0) {
		snprintf(out->why, sizeof(out->why), "curl: (%d) %.200s", (int)code,
		    t->error[0] != '\0' ? t->error : curl_easy_strerror(code));
		out->why[strcspn(out->why, "\r\n")] = '\0';
		return;
	}
	curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &fault);
	if (code == CURLE_COULDNT_RESOLVE_HOST)
		fault = EHOSTUNREACH;
	else if (code == CURLE_OPERATION_TIMEDOUT)
		fault = ETIMEDOUT;
	else if (t->socket_errno != 0)
		fault = t->socket_errno;
	if (sent == 0 && fault != 0)
		snprintf(out->why, sizeof(out->why), "%s", strerror((int)fault));
	else
		snprintf(out->why, sizeof(out->why), "the answer is not HTTP.");
}

/* Of the operator's own server any head is an answer. */
static void
judge_own(CURL *curl, CURLcode code, const struct transfer *t, long sent, struct http_answer *out)
{
	out->expires_at = expiry_of(curl);
	if (out->status != 0 || code == CURLE_OK) {
		out->outcome = HTTP_ANSWERED;
		out->cut = code != CURLE_OK;
	} else {
		explain_own(curl, code, t, sent, out);
	}
}

/* Says what came of a transfer that ended with `code`: fills all of *out but head and body. */
static void
read_outcome(
    const struct http *http, CURLcode code, const struct transfer *t, struct http_answer *out)
{
	CURL *curl = http->curl;
	curl_off_t retry_after = 0;
	long status = 0, sent = 0;

	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after);
	curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &sent);
	out->status = (int)status;
	out->retry_after_s = retry_after < RETRY_AFTER_MAX_S ? retry_after : RETRY_AFTER_MAX_S;
	out->outcome = t->enough ? HTTP_ANSWERED : outcome_of(code, t, sent);
	if (code == CURLE_PEER_FAILED_VERIFICATION && http->authorities == NULL)
		snprintf(out->why, sizeof(out->why),
		    "this host has no list of certificate authorities (ca-certificates)");
	else if (code == CURLE_OK || t->enough)
		snprintf(out->why, sizeof(out->why), "HTTP %d", out->status);
	else if (t->forbidden)
		snprintf(out->why, sizeof(out->why), "the address is not allowed");
	else if (out->outcome == HTTP_TOO_LARGE)
		snprintf(out->why, sizeof(out->why), "the answer is too long");
	else if (t->slow)
		snprintf(out->why, sizeof(out->why), "slower than a trickle");
	else
		snprintf(out->why, sizeof(out->why), "%s", curl_easy_strerror(code));
	if (t->request->own)
		judge_own(curl, code, t, sent, out);
}

/* ---- the client */

#define CONNECT_MS INT64_C(5000)
#define HEADERS_MAX ((size_t)64 * 1024)
/* Once an answer has begun, it must arrive at this speed, measured over this time
 * or over a quarter of the request's limit. Before that, a server may think as
 * long as the request's limit allows. */
#define SLOW_MS INT64_C(10000)
#define SLOW_BYTES ((size_t)1000) /* bytes in SLOW_MS */

/* Finds the file of certificates that hosts trust. libcurl knows only the path of
 * the system on which it was built. */
static const char *
find_authorities(void)
{
	static const char *const usual[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Ubuntu, Arch */
		"/etc/pki/tls/certs/ca-bundle.crt", /* Red Hat and its kin */
		"/etc/ssl/ca-bundle.pem", /* SUSE */
		"/etc/ssl/cert.pem", /* Alpine */
	};

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (access(usual[i], R_OK) == 0)
			return usual[i];
	return NULL;
}

#ifdef GALLEY_TEST
/*
 * The Internet of a test: the file that GALLEY_NET names. Its first line is the file of
 * certificates to trust. The others are "HOST:443:127.0.0.1:PORT", a host whose server is there,
 * or "HOST:443:ADDRESS", what a name is resolved to; only the former may be private.
 */
static struct {
	char trusted[256];
	struct curl_slist *servers, *names;
	unsigned short ports[64];
	size_t count;
} internet;

static void
read_internet(struct http *http)
{
	const char *path = getenv("GALLEY_NET");
	FILE *file = path != NULL ? fopen(path, "re") : NULL;
	unsigned short port;
	char line[256];

	if (file == NULL || fscanf(file, "%255s", internet.trusted) != 1)
		return;
	http->authorities = internet.trusted;
	while (fscanf(file, "%255s", line) == 1) {
		if (sscanf(line, "%*[^:]:443:127.0.0.1:%hu", &port) == 1 && internet.count < 64) {
			internet.servers = curl_slist_append(internet.servers, line);
			internet.ports[internet.count++] = port;
		} else {
			internet.names = curl_slist_append(internet.names, line);
		}
	}
	fclose(file);
}

#endif

struct http *
http_open(struct arena *a)
{
	struct http *http = arena_alloc(a, sizeof(*http));

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		die("libcurl cannot be started");
	http->curl = curl_easy_init();
	if (http->curl == NULL)
		die("libcurl gives no handle");
	http->authorities = find_authorities();
#ifdef GALLEY_TEST
	read_internet(http);
#endif
	return http;
}

void
http_close(struct http *http)
{
	curl_easy_cleanup(http->curl);
	curl_global_cleanup();
}

#ifdef GALLEY_TEST
static bool
is_of_test(const struct sockaddr *address)
{
	struct sockaddr_in v4;

	if (address->sa_family != AF_INET)
		return false;
	memcpy(&v4, address, sizeof(v4));
	for (size_t i = 0; i < internet.count; i++) {
		if (ntohs(v4.sin_port) == internet.ports[i])
			return true;
	}
	return false;
}
#endif

static bool
is_allowed(const struct http_request *r, const struct sockaddr *address)
{
	enum address_kind kind = address_kind(address);

#ifdef GALLEY_TEST
	if (is_of_test(address))
		return true;
#endif
	return r->own || kind == ADDRESS_PUBLIC || (kind == ADDRESS_PRIVATE && r->private_allowed);
}

static curl_socket_t
open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct transfer *t = arg;
	curl_socket_t fd;

	if (purpose != CURLSOCKTYPE_IPCXN || !is_allowed(t->request, &address->addr)) {
		t->forbidden = true;
		return CURL_SOCKET_BAD;
	}
	fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	t->socket_errno = fd < 0 ? errno : 0;
	return fd;
}

static size_t
take_header(char *bytes, size_t size, size_t count, void *arg)
{
	struct transfer *t = arg;
	size_t len = size * count;

	t->header_bytes += len;
	if (t->header_bytes > HEADERS_MAX) {
		t->too_large = true;
		return 0;
	}
	if (len >= 5 && memcmp(bytes, "HTTP/", 5) == 0)
		buf_reset(t->head); /* an answer of status 1xx came before this one */
	if (t->request->page || t->request->own)
		buf_add(t->head, bytes, len);
	return len;
}

/* Returns whether the bytes are only empty lines. Some servers send empty lines
 * before an answer to say that they are still thinking; the answer begins with
 * the first other byte. */
static bool
is_blank(const char *bytes, size_t len)
{
	return strspn(bytes, " \t\r\n") >= len;
}

static size_t
take_body(char *bytes, size_t size, size_t count, void *arg)
{
	struct transfer *t = arg;
	size_t len = size * count;
	size_t room = t->request->answer_max - t->body->len;

	if (t->request->signature != NULL) {
		t->enough = true;
		return 0;
	}
	if (len > room) {
		t->too_large = true;
		if (t->request->own)
			buf_add(t->body, bytes, room);
		return 0;
	}
	buf_add(t->body, bytes, len);
	if (!t->request->own && t->window_at == 0 && !is_blank(t->body->data, t->body->len)) {
		t->window_at = clock_boot();
		t->window_bytes = t->body->len;
	}
	return len;
}

static int
watch_speed(void *arg, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up)
{
	struct transfer *t = arg;
	int64_t limit_ms = t->request->limit_ms;
	int64_t window_ms = limit_ms / 4 < SLOW_MS ? limit_ms / 4 : SLOW_MS;
	int64_t now = clock_boot();
	size_t least = SLOW_BYTES * (size_t)window_ms / SLOW_MS;

	(void)down_total, (void)down, (void)up_total, (void)up;
	if (t->window_at == 0 || now - t->window_at < window_ms * 1000)
		return 0;
	t->slow = t->body->len - t->window_bytes < least;
	t->window_at = now;
	t->window_bytes = t->body->len;
	return t->slow ? 1 : 0;
}

#define SET(curl, option, value)                                                                   \
	do {                                                                                       \
		if (curl_easy_setopt(curl, option, value) != CURLE_OK)                             \
			die("libcurl does not take %s", #option);                                  \
	} while (0)

static void
set_guards(CURL *curl, struct transfer *t)
{
	const struct http_request *r = t->request;
	bool plain = r->private_allowed || r->page || r->own;
	const char *schemes = plain ? "https,http" : "https";

	SET(curl, CURLOPT_PROTOCOLS_STR, schemes);
	SET(curl, CURLOPT_FOLLOWLOCATION, 0L);
	SET(curl, CURLOPT_PROXY, "");
	SET(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	/* One that has expired or that nobody trusts has a date, too. */
	SET(curl, CURLOPT_SSL_VERIFYPEER, r->certificate ? 0L : 1L);
	SET(curl, CURLOPT_SSL_VERIFYHOST, r->certificate ? 0L : 2L);
	SET(curl, CURLOPT_CONNECT_ONLY, r->certificate ? 1L : 0L);
	SET(curl, CURLOPT_CERTINFO, r->own ? 1L : 0L);
	SET(curl, CURLOPT_NOSIGNAL, 1L);
	SET(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	SET(curl, CURLOPT_OPENSOCKETDATA, t);
}

static void
set_limits(CURL *curl, struct transfer *t)
{
	const struct http_request *r = t->request;
	int64_t connect_ms = r->own || r->limit_ms < CONNECT_MS ? r->limit_ms : CONNECT_MS;

	SET(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
	SET(curl, CURLOPT_TIMEOUT_MS, (long)r->limit_ms);
	/* The body of a ping's answer is not read, however long it is said to be. */
	if (!r->own && r->signature == NULL)
		SET(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)r->answer_max);
	SET(curl, CURLOPT_HEADERFUNCTION, take_header);
	SET(curl, CURLOPT_HEADERDATA, t);
	SET(curl, CURLOPT_WRITEFUNCTION, take_body);
	SET(curl, CURLOPT_WRITEDATA, t);
	SET(curl, CURLOPT_NOPROGRESS, 0L);
	SET(curl, CURLOPT_XFERINFOFUNCTION, watch_speed);
	SET(curl, CURLOPT_XFERINFODATA, t);
}

/* Customers' programs speak HTTP/1.1, and so does doctor. */
static void
set_own(CURL *curl, struct transfer *t)
{
	SET(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(curl, CURLOPT_ERRORBUFFER, t->error);
}

static struct curl_slist *
add_header(struct curl_slist *list, const char *header)
{
	struct curl_slist *longer = curl_slist_append(list, header);

	if (longer == NULL)
		die("libcurl has no memory for a header");
	return longer;
}

/* Makes the list of headers. The caller frees it with drop_headers(). */
static struct curl_slist *
make_headers(struct arena *a, const struct http_request *r)
{
	struct curl_slist *list = NULL;
	char *header;

	if (r->page)
		list = add_header(list, "Accept: text/html, */*;q=0.1");
	else if (!r->own)
		list = add_header(list, "Accept: application/json, image/*;q=0.9");
	list = add_header(list, "Expect:");
	if (r->body != NULL)
		list =
		    add_header(list, arena_printf(a, "Content-Type: %s",
					 r->body_type != NULL ? r->body_type : "application/json"));
	if (r->signature != NULL)
		list = add_header(list, arena_printf(a, "Galley-Signature: %s", r->signature));
	if (r->key != NULL) {
		header = arena_printf(a, "Authorization: Bearer %s", r->key);
		list = add_header(list, header);
		explicit_bzero(header, strlen(header));
	}
	return list;
}

static void
drop_headers(struct curl_slist *list)
{
	for (struct curl_slist *p = list; p != NULL; p = p->next)
		explicit_bzero(p->data, strlen(p->data));
	curl_slist_free_all(list);
}

void
http_send(struct http *http, struct arena *a, const struct http_request *r, struct http_answer *out)
{
	struct transfer t = { .request = r, .head = &out->head, .body = &out->body };
	struct curl_slist *headers = make_headers(a, r);
	CURL *curl = http->curl;
	CURLcode code;

	memset(out, 0, sizeof(*out));
	buf_init(&out->head, a, HEADERS_MAX);
	buf_init(&out->body, a, r->answer_max);
	curl_easy_reset(curl);
	set_guards(curl, &t);
	set_limits(curl, &t);
	if (http->authorities != NULL)
		SET(curl, CURLOPT_CAINFO, http->authorities);
#ifdef GALLEY_TEST
	SET(curl, CURLOPT_CONNECT_TO, internet.servers);
	SET(curl, CURLOPT_RESOLVE, internet.names);
#endif
	SET(curl, CURLOPT_URL, r->url);
	SET(curl, CURLOPT_USERAGENT, r->own ? "galley-doctor" : "Galley");
	if (r->own)
		set_own(curl, &t);
	SET(curl, CURLOPT_HTTPHEADER, headers);
	if (r->page) /* accept every encoding that the library can unpack */
		SET(curl, CURLOPT_ACCEPT_ENCODING, "");
	if (r->body != NULL) {
		SET(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_len);
		SET(curl, CURLOPT_POSTFIELDS, r->body);
	}
	code = curl_easy_perform(curl);
	SET(curl, CURLOPT_ERRORBUFFER, NULL); /* t ends before the handle does */
	read_outcome(http, code, &t, out);
	drop_headers(headers);
}
