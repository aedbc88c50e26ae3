#include "provider/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"

/* The last line was written. The variable belongs to the process, like standard output. */
static bool ended;

static const char *
code_name(enum protocol_code code)
{
	static const char *const names[] = {
		[PROTOCOL_UNAVAILABLE] = "provider_unavailable",
		[PROTOCOL_REFUSED] = "provider_refused",
		[PROTOCOL_NOT_CONFIGURED] = "provider_not_configured",
		[PROTOCOL_INVALID_OUTPUT] = "invalid_output",
		[PROTOCOL_TIMEOUT] = "timeout",
		[PROTOCOL_INTERNAL] = "internal_error",
	};

	return names[code];
}

/* Writes an error line when die() or BUG() ends the process, without arena and buffers.
 * The error line is an answer, so the exit status is 0. */
static void
last_words(bool passing, int retry_after_s)
{
	char line[160];
	int len;

	(void)retry_after_s;
	if (ended)
		return;
	ended = true;
	len = snprintf(line, sizeof(line),
	    "{\"error\":\"The provider failed.\",\"code\":\"%s\",\"retry\":%s}\n",
	    code_name(PROTOCOL_INTERNAL), passing ? "true" : "false");
	if (fileio_write_all(STDOUT_FILENO, line, (size_t)len))
		_exit(0);
}

void
protocol_begin(struct ctx *c, struct arena *arena, const char *program)
{
	if (getenv("GATEWAY_INTERFACE") != NULL) {
		fprintf(stderr, "%s: this is not a CGI program.\n", program);
		exit(2);
	}
	umask(077);
	signal(SIGPIPE, SIG_IGN);
	log_open(program, NULL);
	log_on_death(last_words);
	arena_init(arena, PROTOCOL_MEMORY_MAX);
	memset(c, 0, sizeof(*c));
	c->arena = arena;
	c->request_id = "";
}

void
protocol_read(struct ctx *c, struct assignment *out)
{
	struct err *err = assignment_read(c, STDIN_FILENO, out);

	if (err == NULL)
		return;
	protocol_error(c, PROTOCOL_INTERNAL, false, "%s", err->message);
	exit(0);
}

/* Begins a line and its object. line_send() ends the object and writes the whole line. */
static void
line_begin(struct ctx *c, struct jwrite *w, struct buf *line)
{
	if (ended)
		BUG("a line after the last one");
	buf_init(line, c->arena, PROTOCOL_LINE_MAX);
	jwrite_init(w, line);
	jwrite_object(w);
}

static void
line_send(struct jwrite *w, struct buf *line)
{
	jwrite_object_end(w);
	buf_add_char(line, '\n');
	if (buf_full(line))
		die("output: a line of more than %d bytes", PROTOCOL_LINE_MAX);
	if (fileio_write_all(STDOUT_FILENO, line->data, line->len))
		return;
	/* The reader has ended: nobody can be told. */
	_exit(1);
}

static void
line_send_last(struct jwrite *w, struct buf *line)
{
	line_send(w, line);
	ended = true;
}

void
protocol_stage(struct ctx *c, const char *stage)
{
	static const char *const stages[] = { "research", "outline", "writing", "image", "checks" };
	struct jwrite w;
	struct buf line;
	size_t i = 0;

	while (i < 5 && strcmp(stages[i], stage) != 0)
		i++;
	if (i == 5)
		BUG("no stage is called %s", stage);
	line_begin(c, &w, &line);
	jwrite_member_text(&w, "stage", stage);
	line_send(&w, &line);
}

void
protocol_step(struct ctx *c, const char *name, const struct buf *json)
{
	struct jwrite w;
	struct buf line;

	line_begin(c, &w, &line);
	jwrite_member_text(&w, "step", name);
	jwrite_name(&w, "output");
	jwrite_raw(&w, json->data, json->len);
	line_send(&w, &line);
}

void
protocol_error(struct ctx *c, enum protocol_code code, bool retry, const char *format, ...)
{
	struct jwrite w;
	struct buf line;
	va_list args;
	char *sentence;

	va_start(args, format);
	sentence = arena_vprintf(c->arena, format, args);
	va_end(args);
	sentence[utf8_prefix(sentence, PROTOCOL_SENTENCE_MAX)] = '\0';
	line_begin(c, &w, &line);
	jwrite_member_text(&w, "error", assignment_clean(c, sentence, true));
	jwrite_member_text(&w, "code", code_name(code));
	jwrite_member_bool(&w, "retry", retry);
	line_send_last(&w, &line);
}

static void
texts(struct jwrite *w, const char *name, const char **list, size_t count)
{
	jwrite_member_array(w, name);
	for (size_t i = 0; i < count; i++)
		jwrite_text(w, list[i]);
	jwrite_array_end(w);
}

static void
brief_outline(struct jwrite *w, const struct brief *brief)
{
	jwrite_member_array(w, "outline");
	for (size_t i = 0; i < brief->outline_count; i++) {
		const struct brief_part *part = &brief->outline[i];
		jwrite_object(w);
		jwrite_member_text(w, "heading", part->heading);
		texts(w, "points", part->points, part->point_count);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
brief_sources(struct jwrite *w, const struct brief *brief)
{
	jwrite_member_array(w, "sources");
	for (size_t i = 0; i < brief->source_count; i++) {
		const struct brief_source *source = &brief->sources[i];
		jwrite_object(w);
		jwrite_member_text(w, "id", source->id);
		jwrite_member_text(w, "title", source->title);
		jwrite_member_text(w, "url", source->url);
		jwrite_member_text_if(w, "publisher", source->publisher);
		jwrite_member_text_if(w, "published", source->published);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

void
protocol_brief(struct jwrite *w, const struct brief *brief)
{
	jwrite_object(w);
	jwrite_member_text(w, "topic", brief->topic);
	jwrite_member_text(w, "summary", brief->summary);
	jwrite_member_text(w, "angle", brief->angle);
	jwrite_member_text(w, "audience", brief->audience);
	brief_outline(w, brief);
	texts(w, "questions", brief->questions, brief->question_count);
	texts(w, "keywords", brief->keywords, brief->keyword_count);
	brief_sources(w, brief);
	texts(w, "related", brief->related, brief->related_count);
	jwrite_object_end(w);
}

static void
usage_member(struct jwrite *w, const struct usage *usage)
{
	jwrite_member_object(w, "usage");
	jwrite_member_int(w, "input_tokens", usage->input_tokens);
	jwrite_member_int(w, "output_tokens", usage->output_tokens);
	jwrite_member_int(w, "images", usage->images);
	jwrite_object_end(w);
}

static void
image_member(struct jwrite *w, const struct draft *draft)
{
	if (draft->image.file == NULL) {
		jwrite_member_null(w, "image");
		return;
	}
	jwrite_member_object(w, "image");
	jwrite_member_text(w, "file", draft->image.file);
	jwrite_member_text(w, "alt", draft->image.alt);
	jwrite_member_text_if(w, "caption", draft->image.caption);
	jwrite_object_end(w);
}

void
protocol_result_article(struct ctx *c, const struct draft *draft, const struct usage *usage)
{
	struct jwrite w;
	struct buf line, content;

	buf_init(&content, c->arena, PROTOCOL_LINE_MAX);
	content_to_json(draft->content, NULL, &content);
	line_begin(c, &w, &line);
	jwrite_member_object(&w, "result");
	jwrite_member_text(&w, "title", draft->title);
	jwrite_member_text(&w, "description", draft->description);
	jwrite_member_text_if(&w, "slug", draft->slug);
	jwrite_member_text_if(&w, "section", draft->section);
	texts(&w, "tags", draft->tags, draft->tag_count);
	jwrite_name(&w, "content");
	jwrite_raw(&w, content.data, content.len);
	image_member(&w, draft);
	jwrite_object_end(&w);
	usage_member(&w, usage);
	line_send_last(&w, &line);
}

void
protocol_result_brief(struct ctx *c, const struct brief *brief, const struct usage *usage)
{
	struct jwrite w;
	struct buf line;

	line_begin(c, &w, &line);
	jwrite_member_object(&w, "result");
	jwrite_name(&w, "brief");
	protocol_brief(&w, brief);
	jwrite_object_end(&w);
	usage_member(&w, usage);
	line_send_last(&w, &line);
}
