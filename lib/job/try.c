#include "job/try.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "export/export.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

static void
try_input(struct ctx *c, const struct try_task *task, int64_t deadline_s, struct buf *out);

#define INPUT_MAX ((size_t)16 * 1024 * 1024)
#define TURN_MS 200 /* longest sleep between two calls of alive() */
#define GRACE (5 * CLOCK_SECOND) /* time to end after the last line */
#define STDERR_KEPT ((size_t)2000) /* bytes, for the log */

/* A try that runs. */
struct session {
	struct ctx *c;
	const struct try_watch *watch;
	struct try *out;
	struct try_process process;
	struct buf input; /* the task */
	size_t sent;
	struct buf line; /* what has been read of the present line */
	struct buf complaints; /* the beginning of standard error */
	size_t bytes, lines, values; /* of all output so far */
	json_t *steps;
	struct buf steps_text;
	bool last; /* the last line was read */
	bool stopped; /* by a callback */
	struct err *wrong; /* what was wrong with the output */
	int64_t ends_at; /* boot clock: the deadline, later the grace's end */
	int64_t deadline;
};

const char *
try_program(struct ctx *c)
{
	const char *name = c->conf->provider;

	if (name[0] == '/')
		return name;
	if (name[0] == '\0' || strchr(name, '/') != NULL)
		return NULL;
	return arena_printf(c->arena, "%s/bin/provider-%s", c->instance->programs, name);
}

static void
fail(struct session *s, const char *code, bool retry, const char *sentence)
{
	s->out->end = TRY_FAILED;
	s->out->fault.code = code;
	s->out->fault.retry = retry;
	s->out->fault.sentence = sentence;
}

static int
add_chunk(const char *bytes, size_t len, void *arg)
{
	buf_add(arg, bytes, len);
	return 0;
}

static struct err *
too_much(struct session *s, const char *of)
{
	return refuse(s->c, ERR_INVALID, "The output has too many %s.", of);
}

static struct err *
take_step(struct session *s, const struct try_said *said)
{
	json_object_set(s->steps, said->step, said->output);
	buf_reset(&s->steps_text);
	json_dump_callback(s->steps, add_chunk, &s->steps_text, JSON_COMPACT);
	if (buf_full(&s->steps_text))
		return too_much(s, "bytes in its steps");
	(void)FAULT("provider-step-read");
	s->stopped = !s->watch->step(s->watch->arg, said->step, s->steps_text.data);
	return NULL;
}

static struct err *
take_line(struct session *s, const char *text, size_t len)
{
	struct try_said said;

	TRY(try_line(s->c, text, len, &said));
	if (s->last)
		return refuse(s->c, ERR_INVALID, "There is a line after the last one.");
	switch (said.kind) {
	case LINE_STAGE:
		if (said.stage != NULL)
			s->stopped = !s->watch->stage(s->watch->arg, said.stage);
		return NULL;
	case LINE_STEP:
		return take_step(s, &said);
	case LINE_RESULT:
		s->out->end = TRY_DONE;
		s->out->result = said.result;
		s->out->usage = said.usage;
		break;
	case LINE_ERROR:
		s->out->end = TRY_FAILED;
		s->out->fault = said.fault;
		break;
	}
	s->last = true;
	return NULL;
}

/* Returns the most values that a line can hold. The caller checks the number before the
 * parser takes memory for them. */
static size_t
count_values(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += text[i] == ',' || text[i] == '[' || text[i] == '{';
	return count;
}

/* Takes a whole line. An empty line means nothing. */
static void
end_line(struct session *s)
{
	const char *text = s->line.data;
	size_t len = s->line.len;

	while (len > 0 && (text[len - 1] == '\r' || text[len - 1] == ' '))
		len--;
	if (len > 0 && s->wrong == NULL && !s->stopped) {
		s->values += count_values(text, len);
		if (++s->lines > TRY_LINES_MAX)
			s->wrong = too_much(s, "lines");
		else if (s->values > TRY_VALUES_MAX)
			s->wrong = too_much(s, "values");
		else
			s->wrong = take_line(s, text, len);
	}
	buf_reset(&s->line);
}

static void
take_output(struct session *s, const char *bytes, size_t len)
{
	s->bytes += len;
	if (s->bytes > TRY_OUTPUT_MAX)
		s->wrong = too_much(s, "bytes");
	while (len > 0 && s->wrong == NULL && !s->stopped) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end != NULL ? (size_t)(end - bytes) : len;
		buf_add(&s->line, bytes, part);
		if (buf_full(&s->line))
			s->wrong = too_much(s, "bytes in one line");
		else if (end != NULL)
			end_line(s);
		part += end != NULL;
		bytes += part;
		len -= part;
	}
}

/* Reads the output that is there. False at the end of the stream. */
static bool
read_output(struct session *s)
{
	char chunk[65536];
	ssize_t got;

	while (s->wrong == NULL && !s->stopped) {
		got = read(s->process.out, chunk, sizeof(chunk));
		if (got > 0)
			take_output(s, chunk, (size_t)got);
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			return false;
		else
			return true;
	}
	return true;
}

/* Reads standard error, keeps its beginning and drops the rest. False at the end of the
 * stream. */
static bool
read_complaints(struct session *s)
{
	char chunk[4096];
	ssize_t got = read(s->process.err, chunk, sizeof(chunk));

	if (got > 0)
		buf_add(&s->complaints, chunk, (size_t)got);
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Writes as much of the task as the pipe takes. False if nothing is left to write. */
static bool
write_input(struct session *s)
{
	ssize_t sent = write(s->process.in, s->input.data + s->sent, s->input.len - s->sent);

	if (sent > 0)
		s->sent += (size_t)sent;
	else if (sent < 0 && errno != EAGAIN && errno != EINTR)
		return false;
	return s->sent < s->input.len;
}

static void
close_end(int *fd)
{
	close(*fd);
	*fd = -1;
}

/* Waits until the provider says something, reads its task or ends. Signals are
 * delivered only here. */
static void
wait_turn(struct session *s, const sigset_t *open)
{
	struct try_process *p = &s->process;
	struct pollfd fds[3] = {
		{ .fd = p->out, .events = POLLIN },
		{ .fd = p->err, .events = POLLIN },
		{ .fd = p->in, .events = POLLOUT },
	};
	struct timespec turn = { .tv_nsec = TURN_MS * 1000000L };

	if (ppoll(fds, 3, &turn, open) <= 0)
		return;
	if (fds[0].revents != 0 && !read_output(s)) {
		/* It can say nothing more, and has the grace to end. */
		close_end(&p->out);
		end_line(s);
		if (s->ends_at > clock_boot() + GRACE)
			s->ends_at = clock_boot() + GRACE;
	}
	if (fds[1].revents != 0 && !read_complaints(s))
		close_end(&p->err);
	if (fds[2].revents != 0 && !write_input(s))
		close_end(&p->in);
}

/* Talks until the program has ended or must end. True if it ended by itself. */
static bool
converse(struct session *s, const sigset_t *open)
{
	bool last = false;

	while (s->wrong == NULL && !s->stopped && clock_boot() < s->ends_at) {
		if (!s->watch->alive(s->watch->arg)) {
			s->stopped = true;
			break;
		}
		if (try_process_ended(&s->process)) {
			/* Everything that it wrote is in the pipe. */
			if (s->process.out >= 0) {
				(void)read_output(s);
				end_line(s);
			}
			return true;
		}
		wait_turn(s, open);
		if (s->last && !last && s->ends_at > clock_boot() + GRACE)
			s->ends_at = clock_boot() + GRACE;
		last = s->last;
	}
	return false;
}

/* Decides how a try ended that no callback stopped. `status` is the wait status of the
 * program, valid if it `ended` by itself. */
static void
judge(struct session *s, bool ended, int status, int64_t seconds)
{
	struct arena *a = s->c->arena;

	if (s->wrong != NULL)
		fail(s, "invalid_output", false,
		    arena_printf(a, "The provider's answer cannot be used: %s", s->wrong->message));
	else if (!s->last && !ended && clock_boot() >= s->deadline)
		fail(s, "timeout", true,
		    arena_printf(
			a, "The provider was not ready after %lld seconds.", (long long)seconds));
	else if (ended && WIFSIGNALED(status))
		fail(s, "provider_unavailable", true, "The provider broke off.");
	else if (!s->last)
		fail(s, "provider_unavailable", true, "The provider ended without a result.");
}

static void
session_init(struct session *s, struct ctx *c, const struct try_task *task,
    const struct try_watch *watch, struct try *out)
{
	memset(s, 0, sizeof(*s));
	s->c = c;
	s->watch = watch;
	s->out = out;
	buf_init(&s->input, c->arena, INPUT_MAX);
	buf_init(&s->line, c->arena, TRY_LINE_MAX);
	buf_init(&s->complaints, c->arena, STDERR_KEPT);
	buf_init(&s->steps_text, c->arena, TRY_STEPS_MAX);
	try_input(c, task, c->conf->provider_timeout_s, &s->input);
	if (buf_full(&s->input))
		die("job %s: its task is longer than %zu bytes", task->job_id, INPUT_MAX);
	/* take_step() wrote these steps before; a first try has "{}". */
	if (jread_parse(c, "steps", task->steps, strlen(task->steps), &s->steps) != NULL)
		die("job %s: its steps are damaged", task->job_id);
}

static void
talk(struct session *s)
{
	int64_t seconds = s->c->conf->provider_timeout_s;
	sigset_t child, before, open;
	bool ended;
	int status;

	/* SIGCHLD is blocked everywhere but in wait_turn(), so that it interrupts only
	 * the sleep. */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	open = before;
	sigdelset(&open, SIGCHLD);
	sigdelset(&open, SIGTERM);
	sigdelset(&open, SIGINT);
	s->deadline = s->ends_at = clock_boot() + seconds * CLOCK_SECOND;
	(void)FAULT("provider-started");
	ended = converse(s, &open);
	if (s->process.err >= 0)
		(void)read_complaints(s);
	status = try_process_kill(&s->process);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (s->complaints.len > 0)
		log_line("provider: %s", s->complaints.data);
	if (s->stopped)
		s->out->end = TRY_STOPPED;
	else
		judge(s, ended, status, seconds);
}

/* Returns whether the error of a start may pass: the machine lacks something for
 * the moment, or the program's file is being replaced. */
static bool
is_passing(int error)
{
	return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE ||
	       error == EIO || error == ETXTBSY;
}

void
try_run(struct ctx *c, const char *program, const struct try_task *task,
    const struct try_watch *watch, struct try *out)
{
	struct session *s = arena_alloc(c->arena, sizeof(*s));
	int error;

	memset(out, 0, sizeof(*out));
	session_init(s, c, task, watch, out);
	error = scratch_make(c, &out->scratch);
	if (error != 0) {
		log_line("run/try-…: %s", strerror(error));
		fail(s, "internal_error", true, "There is no room to work in.");
		return;
	}
	error =
	    try_process_start(c, program, &out->scratch, c->conf->provider_timeout_s, &s->process);
	if (error != 0) {
		log_line("%s: %s", program, strerror(error));
		if (is_passing(error))
			fail(s, "internal_error", true,
			    "There was no room to start the provider in.");
		else
			fail(s, "provider_not_configured", false,
			    "The publisher's provider cannot be started.");
		return;
	}
	talk(s);
}

void
try_close(struct try *try)
{
	scratch_remove(&try->scratch);
}

/* ---- the task: the one JSON object that a provider reads (docs/provider.md) */

#define ARTICLE_MEMORY ((size_t)256 * 1024 * 1024)
#define SUMMARY_MAX 1000 /* code points */

static void
write_job(struct jwrite *w, const struct try_task *task, int64_t deadline_s)
{
	jwrite_member_object(w, "job");
	jwrite_member_text(w, "id", task->job_id);
	jwrite_member_text(w, "kind", job_kind_name(task->kind));
	jwrite_member_text(w, "topic", task->topic);
	jwrite_member_bool(w, "image", task->image);
	jwrite_member_int(w, "attempt", task->attempt);
	jwrite_member_int(w, "deadline_s", deadline_s);
	jwrite_object_end(w);
}

static void
write_workspace(struct jwrite *w, const struct settings *s)
{
	jwrite_member_object(w, "workspace");
	jwrite_member_text(w, "name", s->name);
	jwrite_member_text(w, "language", s->language);
	jwrite_member_text(w, "website", s->website);
	jwrite_member_text(w, "publisher_name", s->publisher_name);
	jwrite_object_end(w);
}

static void
write_article(struct ctx *c, const struct workspace *ws, const struct article *a, struct jwrite *w)
{
	const struct export_source *source = stored_source(c, ws, a, false);
	const struct snapshot *s = source->snapshot;
	const char *summary = s->meta_description;

	if (summary == NULL)
		summary = inline_plain(c->arena, s->content.summary);
	jwrite_object(w);
	jwrite_member_text(w, "id", a->uuid);
	jwrite_member_text(w, "title", s->title);
	jwrite_member_text(
	    w, "summary", arena_text_n(c->arena, summary, utf8_prefix(summary, SUMMARY_MAX)));
	jwrite_member_text(w, "url", export_canonical(c, source));
	jwrite_object_end(w);
}

struct shelf {
	struct article articles[TRY_ARTICLES_MAX];
	size_t count;
};

/* Holds one article in memory at a time: 200 of the largest would not fit. */
static void
write_articles(struct ctx *c, const struct workspace *ws, struct jwrite *w)
{
	struct shelf *shelf = arena_alloc(c->arena, sizeof(*shelf));
	struct arena *whole = c->arena, one;
	struct stmt *q;

	jwrite_member_array(w, "articles");
	db_begin_read(c, DB_CONTENT);
	q = article_list(c, ws->id, ARTICLE_PUBLISHED, TRY_ARTICLES_MAX);
	while (article_next(q, &shelf->articles[shelf->count]))
		shelf->count++;
	arena_init(&one, ARTICLE_MEMORY);
	c->arena = &one;
	for (size_t i = 0; i < shelf->count; i++) {
		write_article(c, ws, &shelf->articles[i], w);
		arena_reset(&one);
	}
	c->arena = whole;
	arena_release(&one);
	db_commit(c);
	jwrite_array_end(w);
}

/* Writes JSON that Galley wrote before, or null. */
static void
write_json(struct jwrite *w, const char *name, const char *json)
{
	jwrite_name(w, name);
	if (json == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, json, strlen(json));
}

/* Appends the task as the JSON object that the program reads. Call it outside a
 * transaction: it reads the database in transactions of its own. */
static void
try_input(struct ctx *c, const struct try_task *task, int64_t deadline_s, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_int(&w, "protocol", 1);
	write_job(&w, task, deadline_s);
	write_workspace(&w, &task->workspace->settings);
	write_json(&w, "brief", task->brief);
	write_articles(c, task->workspace, &w);
	write_json(&w, "steps", task->steps);
	jwrite_object_end(&w);
	buf_add_char(out, '\n');
}

/* ---- the lines of the answer (docs/provider.md) */

#define STEP_NAME_MAX 100 /* code points */

/* Returns the element of `words` that equals `word`; NULL if there is none. */
static const char *
one_of(const char *const *words, const char *word)
{
	for (; *words != NULL; words++) {
		if (word != NULL && strcmp(*words, word) == 0)
			return *words;
	}
	return NULL;
}

/* Returns a stage that a provider may report, or NULL. It may not report "queued" and
 * "done". */
static const char *
known_stage(const char *stage)
{
	static const char *const stages[] = { "research", "outline", "writing", "image", "checks",
		"publishing", NULL };

	return one_of(stages, stage);
}

static const char *
known_code(const char *code)
{
	static const char *const codes[] = { "provider_unavailable", "provider_refused",
		"provider_not_configured", "invalid_output", "timeout", "internal_error", NULL };

	return one_of(codes, code);
}

/* Returns a sentence that may be shown to the customer: one line of limited length. */
static const char *
sentence_of(struct ctx *c, const char *text)
{
	if (text[0] == '\0' || utf8_forbidden(text, true) != NULL)
		return "The provider failed.";
	return arena_text_n(c->arena, text, utf8_prefix(text, JOB_ERROR_MAX));
}

static void
read_error(struct jread *r, json_t *line, struct try_said *out)
{
	const char *text = json_string_value(json_object_get(line, "error"));
	const char *code = jread_line(r, line, "code", JREAD_NEEDED, 100);

	out->kind = LINE_ERROR;
	if (text == NULL)
		jread_refuse(r, "error", "must be a string.");
	else
		out->fault.sentence = sentence_of(r->c, text);
	out->fault.code = known_code(code);
	if (out->fault.code == NULL)
		jread_refuse(r, "code", "is not a known code.");
	out->fault.retry = jread_bool(r, line, "retry", JREAD_NEEDED, false);
}

static void
read_result(struct jread *r, json_t *line, struct try_said *out)
{
	json_t *usage = jread_object(r, line, "usage", JREAD_NEEDED);

	out->kind = LINE_RESULT;
	out->result = jread_object(r, line, "result", JREAD_NEEDED);
	jread_enter(r, "usage");
	out->usage.input_tokens =
	    jread_int(r, usage, "input_tokens", JREAD_NEEDED, 0, PRICE_TOKENS_MAX, 0);
	out->usage.output_tokens =
	    jread_int(r, usage, "output_tokens", JREAD_NEEDED, 0, PRICE_TOKENS_MAX, 0);
	out->usage.images = jread_int(r, usage, "images", JREAD_NEEDED, 0, PRICE_IMAGES_MAX, 0);
	jread_leave(r);
}

static void
read_step(struct jread *r, json_t *line, struct try_said *out)
{
	out->kind = LINE_STEP;
	out->step = jread_line(r, line, "step", JREAD_NEEDED, STEP_NAME_MAX);
	out->output = json_object_get(line, "output");
	if (out->output == NULL)
		jread_refuse(r, "output", "is missing.");
}

static void
read_stage(struct jread *r, json_t *line, struct try_said *out)
{
	json_t *stage = json_object_get(line, "stage");

	out->kind = LINE_STAGE;
	if (!json_is_string(stage))
		jread_refuse(r, "stage", "must be a string.");
	out->stage = known_stage(json_string_value(stage));
}

struct err *
try_line(struct ctx *c, const char *text, size_t len, struct try_said *out)
{
	struct jread r;
	json_t *line;

	memset(out, 0, sizeof(*out));
	TRY(jread_parse(c, "output", text, len, &line));
	jread_begin(&r, c, "");
	line = jread_element_object(&r, line);
	if (json_object_get(line, "result") != NULL)
		read_result(&r, line, out);
	else if (json_object_get(line, "error") != NULL)
		read_error(&r, line, out);
	else if (json_object_get(line, "step") != NULL)
		read_step(&r, line, out);
	else if (json_object_get(line, "stage") != NULL)
		read_stage(&r, line, out);
	else
		jread_refuse(&r, NULL, "is none of stage, step, result and error.");
	return jread_end(&r);
}
