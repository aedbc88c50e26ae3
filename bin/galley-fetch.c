/* The HTTP client of the operator's tool (net/remote.h). Each line of standard
 * input is an address. For each it writes to standard output "OK STATUS LENGTH
 * LENGTH EXPIRES" and the bytes of head and body, or "NO REASON". A line that is
 * too long counts as one address, which is refused. With --pings a line is an address, a
 * signature and a body, with tabs between them, and the address must be https. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "content/picture-format.h"
#include "net/http.h"
#include "system/program.h"

#define MEMORY_MAX ((size_t)64 * 1024 * 1024)
#define LIMIT_MS 30000
#define LINE_BYTES_MAX 4096 /* of an address */
/* Twice what Google reads of a page, and room for the longest article. */
#define PAGE_BYTES_MAX ((size_t)4 * 1024 * 1024)
#define OWN_BYTES_MAX ((size_t)256 * 1024) /* what is longer is cut off */

static const char usage[] =
    "usage: galley-fetch [--private] [--pages] [--pings] [--own] [--certificate]\n"
    "                    [--key] [--form-text KIB | --form-file KIB] [--seconds N]\n"
    "\n"
    "Fetches the address on each line of standard input; galley starts it.\n"
    "\n"
    "  --private      also from one's own network\n"
    "  --pages        pages as browsers get them, else pictures\n"
    "  --pings        posts bodies: of an answer only the status is read\n"
    "  --own          from the operator's own server, wherever it is\n"
    "  --certificate  only when the own server's certificate expires\n"
    "  --key          the first line is a key, which is sent with each address\n"
    "  --form-text KIB, --form-file KIB\n"
    "                 sends a form of that size, in a field or as a file\n"
    "  --seconds N    for each answer\n";

#define FORM_KIB_MAX (64 * 1024)
#define BOUNDARY "----galley-doctor"

static void
tell(const char *bytes, size_t len)
{
	if (!fileio_write_all(STDOUT_FILENO, bytes, len))
		_exit(1);
}

static void
tell_line(const char *line)
{
	tell(line, strlen(line));
}

static void
answer(struct http *http, struct arena *a, struct http_request *request, const char *url)
{
	struct http_answer out;

	request->url = url;
	http_send(http, a, request, &out);
	if (out.outcome != HTTP_ANSWERED) {
		tell_line(arena_printf(a, "NO %s\n", out.why));
		return;
	}
	tell_line(arena_printf(a, "%s %d %zu %zu %" PRId64 "\n", out.cut ? "CUT" : "OK", out.status,
	    out.head.len, out.body.len, out.expires_at / CLOCK_SECOND));
	tell(out.head.data, out.head.len);
	tell(out.body.data, out.body.len);
}

/* Makes the form that is sent, of so many KiB of the letter a. */
static void
make_form(struct arena *a, struct http_request *request, const char *kib, bool file)
{
	long count = strtol(kib, NULL, 10);
	char kibibyte[1024];
	struct buf out;

	if (count < 1 || count > FORM_KIB_MAX)
		usage_refuse(usage);
	buf_init(&out, a, (size_t)(count + 1) * 1024);
	buf_printf(&out,
	    "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"size\"%s"
	    "\r\n\r\n",
	    file ? "; filename=\"size\"\r\nContent-Type: application/octet-stream" : "");
	memset(kibibyte, 'a', sizeof(kibibyte));
	for (long i = 0; i < count; i++)
		buf_add(&out, kibibyte, sizeof(kibibyte));
	buf_add_text(&out, "\r\n--" BOUNDARY "--\r\n");
	request->body = buf_done(&out);
	request->body_len = out.len;
	request->body_type = "multipart/form-data; boundary=" BOUNDARY;
}

/* `wants_key`: a key is on the first line of standard input. */
static void
read_options(struct arena *a, char **words, struct http_request *request, bool *wants_key)
{
	*wants_key = false;
	for (; *words != NULL; words++) {
		if (strcmp(*words, "--private") == 0) {
			request->private_allowed = true;
		} else if (strcmp(*words, "--pages") == 0) {
			request->page = true;
			request->answer_max = PAGE_BYTES_MAX;
		} else if (strcmp(*words, "--pings") == 0) {
			request->signature = "";
		} else if (strcmp(*words, "--own") == 0) {
			request->own = true;
			request->answer_max = OWN_BYTES_MAX;
		} else if (strcmp(*words, "--certificate") == 0) {
			request->own = request->certificate = true;
		} else if (strcmp(*words, "--key") == 0) {
			*wants_key = true;
		} else if ((strcmp(*words, "--form-text") == 0 ||
			       strcmp(*words, "--form-file") == 0) &&
			   words[1] != NULL) {
			bool file = strcmp(*words, "--form-file") == 0;
			make_form(a, request, *++words, file);
		} else if (strcmp(*words, "--seconds") == 0 && words[1] != NULL) {
			request->limit_ms = strtol(*++words, NULL, 10) * 1000;
		} else if (strcmp(*words, "--help") == 0) {
			usage_print(usage);
		} else {
			usage_refuse(usage);
		}
	}
}

/* Takes a ping's line apart: address, signature, body. */
static bool
read_ping(char *line, struct http_request *request)
{
	char *signature = strchr(line, '\t');
	char *body = signature != NULL ? strchr(signature + 1, '\t') : NULL;

	if (body == NULL)
		return false;
	*signature = *body = '\0';
	request->signature = signature + 1;
	request->body = body + 1;
	request->body_len = strlen(body + 1);
	return true;
}

int
main(int argc, char **argv)
{
	struct http_request request = { .answer_max = PICTURE_GIVEN_MAX, .limit_ms = LIMIT_MS };
	struct arena process, one;
	struct http *http;
	char line[LINE_BYTES_MAX], key[LINE_BYTES_MAX];
	bool whole, wants_key, pings;

	arena_init(&process, MEMORY_MAX);
	read_options(&process, argc > 0 ? argv + 1 : argv, &request, &wants_key);
	signal(SIGPIPE, SIG_IGN);
	arena_init(&one, MEMORY_MAX);
	http = http_open(&process);
	if (wants_key) {
		if (!line_read(stdin, key, sizeof(key), &whole) || !whole)
			usage_refuse(usage);
		request.key = key;
	}
	pings = request.signature != NULL;
	while (line_read(stdin, line, sizeof(line), &whole)) {
		if (whole && (!pings || read_ping(line, &request)))
			answer(http, &one, &request, line);
		else
			tell_line("NO the address is too long, or no text\n");
		arena_reset(&one);
	}
	http_close(http);
	return 0;
}
