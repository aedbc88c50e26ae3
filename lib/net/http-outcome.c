/* What came of a request (http.h): its outcome, and why, in words for people. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/clock.h"
#include "net/http-transfer.h"
#include "net/http.h"

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

void
http_read_outcome(
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
