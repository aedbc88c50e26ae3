#include "provider/openai/openai.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/picture-format.h"
#include "content/url.h"

/* The base64 of the largest picture, with line ends and the JSON around it. */
#define ANSWER_MAX (PICTURE_GIVEN_MAX / 3 * 4 + (size_t)512 * 1024)
#define ASKED_MAX 2
#define PROMPT_CHARS 900 /* the shortest limit of a model in use */
#define FILE_NAME "cover"

/* Returns the size of a wide picture in the words of the model's family. */
static const char *
size_for(const char *model)
{
	if (strstr(model, "dall-e-3") != NULL)
		return "1792x1024";
	if (strstr(model, "dall-e-2") != NULL)
		return "1024x1024";
	return "1536x1024";
}

static void
write_request(struct openai *oa, const char *prompt, bool sized, struct buf *out)
{
	struct jwrite w;

	buf_init(out, &oa->scratch, (size_t)64 * 1024);
	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "model", oa->conf.openai_image_model);
	jwrite_member_text(&w, "prompt", prompt);
	jwrite_member_int(&w, "n", 1);
	if (sized)
		jwrite_member_text(&w, "size", size_for(oa->conf.openai_image_model));
	jwrite_object_end(&w);
	buf_done(out);
}

/* Decodes standard base64: turns it into the form that encoding.h reads, with another
 * alphabet and without padding, line ends and a leading "data:". */
static unsigned char *
decode(struct openai *oa, const char *text, size_t *len)
{
	const char *comma = strncmp(text, "data:", 5) == 0 ? strchr(text, ',') : NULL;
	char *plain, *to;

	if (comma != NULL)
		text = comma + 1;
	plain = to = arena_alloc(&oa->scratch, strlen(text) + 1);
	for (; *text != '\0'; text++) {
		if (*text == '+')
			*to++ = '-';
		else if (*text == '/')
			*to++ = '_';
		else if (strchr("=\r\n", *text) == NULL)
			*to++ = *text;
	}
	*to = '\0';
	return base64_decode(&oa->scratch, plain, len);
}

/* Returns whether an address is on the configured endpoint, which may be in a
 * private network. Every other private address is forbidden. */
static bool
is_on_endpoint(struct openai *oa, const char *url)
{
	const char *base = oa->conf.openai_url;
	const char *scheme = strstr(base, "://");
	size_t len;

	if (scheme == NULL)
		return false;
	len = (size_t)(scheme - base) + 3;
	len += strcspn(base + len, "/");
	return strncmp(url, base, len) == 0 && (url[len] == '/' || url[len] == '\0');
}

static unsigned char *
fetch(struct openai *oa, const char *url, size_t *len)
{
	int64_t left_ms = openai_left_ms(oa);
	struct http_request request = {
		.url = url_clean_web(&oa->scratch, url),
		.answer_max = PICTURE_GIVEN_MAX,
		.limit_ms = left_ms < oa->request_ms ? left_ms : oa->request_ms,
	};
	struct http_answer answer;

	if (request.url == NULL || left_ms <= 0)
		return NULL;
	request.private_allowed =
	    oa->conf.allow_private_provider && is_on_endpoint(oa, request.url);
	http_send(oa->http, &oa->scratch, &request, &answer);
	if (answer.outcome != HTTP_ANSWERED || answer.status != 200) {
		log_line("image: its address gave %s", answer.why);
		return NULL;
	}
	*len = answer.body.len;
	return (unsigned char *)answer.body.data;
}

/* Returns the bytes of the picture that an answer holds or names by address; NULL if
 * there are none. */
static unsigned char *
picture_bytes(struct openai *oa, const struct http_answer *answer, size_t *len)
{
	struct ctx c = openai_scratch(oa);
	const char *base64, *url;
	json_t *json, *first;

	if (answer->status >= 400 || answer->outcome == HTTP_TOO_LARGE ||
	    jread_parse(&c, "answer", answer->body.data, answer->body.len, &json) != NULL)
		return NULL;
	first = json_array_get(json_object_get(json, "data"), 0);
	base64 = json_string_value(json_object_get(first, "b64_json"));
	url = json_string_value(json_object_get(first, "url"));
	if (base64 != NULL && base64[0] != '\0')
		return decode(oa, base64, len);
	return url != NULL ? fetch(oa, url, len) : NULL;
}

/* Writes a new file. It never follows a link in the directory. */
static bool
write_file(const char *name, const void *bytes, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool written;

	if (fd < 0)
		return false;
	written = fileio_write_all(fd, bytes, len);
	return close(fd) == 0 && written;
}

/* Saves the picture and returns the name of its file; NULL if it cannot be a cover. */
static const char *
save(struct openai *oa, const unsigned char *bytes, size_t len)
{
	struct ctx c = openai_scratch(oa);
	struct picture picture;
	const char *name;
	struct err *err = picture_read(&c, bytes, len, &picture);

	if (err != NULL) {
		log_line("image: %s", err->message);
		return NULL;
	}
	if (strcmp(picture.extension, "gif") == 0) {
		log_line("image: a GIF is no cover");
		return NULL;
	}
	name = arena_printf(oa->c->arena, FILE_NAME ".%s", picture.extension);
	if (write_file(name, bytes, len))
		return name;
	log_line("image: %s: %s", name, strerror(errno));
	return NULL;
}

/* Sends one request for a picture. If the size was refused, the next request has none. */
static const char *
ask(struct openai *oa, const char *prompt, bool *sized)
{
	struct openai_post post = {
		.path = "/images/generations", .answer_max = ANSWER_MAX, .tries = 1
	};
	struct http_answer answer;
	unsigned char *bytes;
	struct buf body;
	size_t len = 0;

	arena_reset(&oa->scratch);
	write_request(oa, prompt, *sized, &body);
	post.body = &body;
	if (!openai_post(oa, &post, &answer)) {
		log_line("image: %s", oa->failure.sentence);
		return NULL;
	}
	if (answer.status >= 400)
		*sized = false;
	bytes = picture_bytes(oa, &answer, &len);
	return bytes == NULL ? NULL : save(oa, bytes, len);
}

const char *
openai_image(struct openai *oa, const char *prompt)
{
	const char *name = NULL;
	bool sized = true;

	if (oa->conf.openai_image_model[0] == '\0' || prompt[0] == '\0')
		return NULL;
	protocol_stage(oa->c, "image");
	prompt = arena_printf(oa->c->arena,
	    "%.*s\nNo text, letters, logos or watermarks in the picture.",
	    (int)utf8_prefix(prompt, PROMPT_CHARS), prompt);
	for (int asked = 0; name == NULL && asked < ASKED_MAX; asked++) {
		if (asked > 0)
			openai_wait(oa, oa->pause_ms);
		name = ask(oa, prompt, &sized);
	}
	if (name != NULL)
		oa->usage.images++;
	return name;
}
