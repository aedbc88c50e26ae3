/*
 * Readers that race writers over kept answers (docs/speed.md §3):
 *
 *	race INSTANCE WORKSPACE ARTICLE KEY REQUESTS
 *
 * Writers give the article one published address after the other, each with the
 * next number. Now and then one declares a change of everything, or only of the
 * keys, or rolls back; each writer is killed at some point. Readers ask for the
 * article through the whole life of a request, with the handlers of
 * cgi-bin/articles.c, many requests in a process. Every answer's number must
 * fulfil two conditions:
 *
 * 1. It is not before the last commit that was acknowledged when the request
 *    began, and not after the last commit that had begun when it ended.
 * 2. As long as run/generation does not change, every source gives the same
 *    number: a computed answer, a kept one, a 304, and the database itself.
 *
 * Linked with the library of a test build, both sides pause at random at every
 * fault point (system/fault.h). Prints the counts; exits with 1 when an answer was
 * wrong.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "article/article.h"
#include "base/arena.h"
#include "base/log.h"
#include "store/generation.h"
#include "system/fault.h"
#include "system/instance.h"
#include "web/service.h"

/* The endpoint's whole program, without its main(). */
static int articles_main(int, char **) __attribute__((unused));
#define main articles_main
#include "cgi-bin/articles.c"
#undef main

#define READERS 2
#define WRITERS 3
#define CHUNK 2000 /* requests of a process: it never unmaps what was kept */
#define PAUSE 128 /* requests at most between two commits of a writer */
#define MOMENTS (1U << 20)
#define PLACE "https://www.example.com/race/"
#define READER_PAUSES "any:24:pause=150"
/* Longer than another writer waits before it asks for the lock again. */
#define WRITER_PAUSES "any:40:pause=2000"
#define DEATH "any:40:kill"

/* What all processes share; only atomic operations touch it. */
struct shared {
	int64_t left; /* requests that no reader took yet; below 0: none */
	uint64_t begun, acknowledged; /* numbers of commits */
	uint64_t commits, killed;
	uint64_t asked, computed, unchanged, stood;
	uint64_t wrong;
	/* What was told at one generation: 40 bits that name it, 24 of number. */
	uint64_t moments[MOMENTS];
};

/* The state of this process. */
static struct shared *shared;
static struct ctx the_c;
static int64_t workspace_id;
static const char *workspace_uuid, *article_uuid;

/* The request under way, and its answer. */
static struct {
	const char *path;
	char authorization[64], tag[64]; /* tag "": none is sent */
	int status;
	uint64_t number; /* of the answer with that tag */
	bool told; /* an answer was sent */
} asking;

static uint64_t
load(uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_SEQ_CST);
}

static bool
goes_on(void)
{
	return __atomic_load_n(&shared->left, __ATOMIC_SEQ_CST) > 0;
}

static bool
take_one(void)
{
	return __atomic_fetch_sub(&shared->left, 1, __ATOMIC_SEQ_CST) > 0;
}

static void
add(uint64_t *value)
{
	__atomic_fetch_add(value, 1, __ATOMIC_SEQ_CST);
}

static void
raise_to(uint64_t *value, uint64_t number)
{
	uint64_t old = load(value);

	while (old < number && !__atomic_compare_exchange_n(
				   value, &old, number, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

/* ---- what must hold */

static void
wrong(const char *how, const char *what, uint64_t number, uint64_t limit)
{
	add(&shared->wrong);
	fprintf(stderr, "%s: number %" PRIu64 " is %s %" PRIu64 "\n", how, number, what, limit);
}

/* Notes the number of this generation, or compares it with the noted one. */
static void
compare_moment(const char *how, const struct generation *g, uint64_t number)
{
	uint64_t name, word, *place, old;

	memcpy(&name, g->epoch, sizeof(name));
	name ^=
	    g->keys * UINT64_C(0x9E3779B97F4A7C15) ^ g->workspace * UINT64_C(0xC2B2AE3D27D4EB4F);
	name ^= name >> 29;
	place = &shared->moments[name % MOMENTS];
	word = name << 24 | number;
	old = __atomic_exchange_n(place, word, __ATOMIC_SEQ_CST);
	if (old >> 24 == word >> 24 && old != word)
		wrong(how, "not what was told at the same generation:", number, old & 0xFFFFFF);
}

static void
check(const char *how, uint64_t number, uint64_t before, const struct generation *seen)
{
	struct generation now;
	uint64_t after = load(&shared->begun);

	if (number < before)
		wrong(how, "older than", number, before);
	if (number > after)
		wrong(how, "newer than", number, after);
	generation_read(&the_c, workspace_id, &now);
	if (!generation_same(seen, &now))
		return;
	add(&shared->stood);
	compare_moment(how, seen, number);
}

/* ---- readers */

static uint64_t
number_in(const char *bytes, size_t len)
{
	const char *at = bytes == NULL ? NULL : memmem(bytes, len, PLACE, sizeof(PLACE) - 1);

	return at == NULL ? 0 : strtoull(at + sizeof(PLACE) - 1, NULL, 10);
}

static bool
receive(void *arg, const struct iovec answer[2])
{
	const char *tag = memmem(answer[0].iov_base, answer[0].iov_len, "ETag: ", 6);

	(void)arg;
	if (answer[0].iov_len < 11 ||
	    sscanf(answer[0].iov_base, "Status: %3d", &asking.status) != 1)
		asking.status = 0;
	asking.told = true;
	if (asking.status != 200)
		return true;
	asking.number = number_in(answer[1].iov_base, answer[1].iov_len);
	if (tag == NULL || sscanf(tag + 6, "%63[^\r\n]", asking.tag) != 1)
		asking.status = 0;
	return true;
}

/* The real handlers, with a place to pause between them and the snapshot, and
 * between them and what is kept. */
static struct err *
answer_slowly(struct ctx *c, struct req *r, struct reply *reply, route_handler *handler)
{
	struct err *err;

	(void)FAULT("race-before-reading");
	err = handler(c, r, reply);
	(void)FAULT("race-after-reading");
	add(&shared->computed);
	return err;
}

static struct err *
list_slowly(struct ctx *c, struct req *r, struct reply *reply)
{
	return answer_slowly(c, r, reply, list);
}

static struct err *
show_slowly(struct ctx *c, struct req *r, struct reply *reply)
{
	return answer_slowly(c, r, reply, show);
}

/* Asks once; with `with_tag` as a client that has the previous answer. */
static void
ask(const char *path, bool with_tag)
{
	char path_info[64], authorization[96], if_none_match[96];
	char *variables[] = { "REQUEST_METHOD=GET", "REQUEST_URI=/api/v1/articles",
		"SCRIPT_NAME=/api/v1/articles", "QUERY_STRING=", "REMOTE_ADDR=127.0.0.1",
		"HTTPS=on", path_info, authorization, NULL, NULL };
	const struct exchange x = { .variables = variables, .send = receive };
	struct route slow[] = { routes[0], routes[1], { .method = NULL } };
	const struct service service = serve_api("articles", slow);
	uint64_t before = load(&shared->acknowledged);
	struct generation seen;

	slow[0].handler = list_slowly;
	slow[1].handler = show_slowly;
	/* This process asks both over one connection, which must know what both read. */
	slow[0].reads = slow[1].reads = NULL;
	if (!with_tag || strcmp(path, asking.path) != 0)
		asking.tag[0] = '\0';
	asking.path = path;
	asking.told = false;
	snprintf(path_info, sizeof(path_info), "PATH_INFO=%s", path);
	snprintf(
	    authorization, sizeof(authorization), "HTTP_AUTHORIZATION=%s", asking.authorization);
	snprintf(if_none_match, sizeof(if_none_match), "HTTP_IF_NONE_MATCH=%s", asking.tag);
	if (asking.tag[0] != '\0')
		variables[sizeof(variables) / sizeof(variables[0]) - 2] = if_none_match;
	generation_read(&the_c, workspace_id, &seen);
	serve_life(&the_c, &service, &x);
	the_c.request_id = "";
	log_request(NULL);
	if (!asking.told || (asking.status != 200 && asking.status != 304))
		wrong("an answer", "there with the status", asking.number, (uint64_t)asking.status);
	add(&shared->asked);
	if (asking.status == 304)
		add(&shared->unchanged);
	check(asking.status == 304 ? "a 304" : "an answer", asking.number, before, &seen);
}

/* Returns the number of the present published address, in the open transaction. */
static uint64_t
number_now(struct article **article)
{
	*article = article_find(&the_c, workspace_id, article_uuid);
	if (*article == NULL || (*article)->published_url == NULL)
		return 0;
	return number_in((*article)->published_url, strlen((*article)->published_url));
}

static void
ask_database(void)
{
	uint64_t before = load(&shared->acknowledged), number;
	struct generation seen;
	struct article *article;

	generation_read(&the_c, workspace_id, &seen);
	db_open(&the_c, DB_WAIT_READ_MS);
	db_begin_read(&the_c, DB_CONTENT);
	(void)FAULT("race-before-reading");
	number = number_now(&article);
	db_rollback(&the_c);
	check("the database", number, before, &seen);
}

static _Noreturn void
read_some(const char *key)
{
	char *one = arena_printf(the_c.arena, "/%s", article_uuid);
	const char *path[] = { one, "" };
	struct arena arena;

	arena_init(&arena, (size_t)64 << 20);
	the_c.arena = &arena;
	snprintf(asking.authorization, sizeof(asking.authorization), "Bearer %s", key);
	asking.path = "";
	setenv("GALLEY_FAULT", READER_PAUSES, 1);
	for (int i = 0; i < CHUNK && take_one(); i++) {
		ask(path[random() % 8 == 0], random() % 3 == 0);
		if (random() % 32 == 0)
			ask_database();
		arena_reset(&arena);
	}
	_exit(load(&shared->wrong) > 0);
}

/* ---- writers */

static void
write_number(enum db_change change)
{
	struct ctx *c = &the_c;
	struct article *article;
	uint64_t number;

	db_begin_write(c, DB_CONTENT, change, change == DB_CHANGES_WORKSPACE ? workspace_id : 0, 0);
	number = number_now(&article) + 1;
	article_set_published_url(c, workspace_of(c, workspace_id), article,
	    arena_printf(c->arena, PLACE "%" PRIu64, number));
	if (random() % 16 == 0) {
		db_rollback(c);
		return;
	}
	raise_to(&shared->begun, number);
	db_commit(c);
	raise_to(&shared->acknowledged, number);
	add(&shared->commits);
}

static void
write_once(void)
{
	switch (random() % 16) {
	case 0:
		db_begin_write(&the_c, DB_CONTENT, DB_CHANGES_KEYS, 0, 0);
		db_commit(&the_c);
		break;
	case 1:
		write_number(DB_CHANGES_ALL);
		break;
	default:
		write_number(DB_CHANGES_WORKSPACE);
	}
}

/* Between two commits there are requests that find answers kept, mostly: a pause is counted in
 * requests, so a slow machine keeps as many as a fast one. */
static void
let_others_ask(void)
{
	int64_t until = __atomic_load_n(&shared->left, __ATOMIC_SEQ_CST) - random() % PAUSE;

	while (goes_on() && __atomic_load_n(&shared->left, __ATOMIC_SEQ_CST) > until)
		usleep(100);
}

static _Noreturn void
write_some(void)
{
	struct arena arena;

	arena_init(&arena, (size_t)64 << 20);
	the_c.arena = &arena;
	setenv("GALLEY_FAULT", WRITER_PAUSES, 1);
	db_open(&the_c, DB_WAIT_WRITE_MS);
	for (long lives = random() % 200; goes_on(); lives--) {
		if (lives == 0)
			setenv("GALLEY_FAULT", DEATH, 1);
		write_once();
		arena_reset(&arena);
		if (random() % 4 != 0)
			let_others_ask();
	}
	db_close(&the_c);
	_exit(0);
}

/* ---- all of them */

/* Opens no database itself: no connection may be used after a fork(). */
static pid_t
start(bool reader, const char *key)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork: no more processes");
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	srandom((unsigned)getpid());
	db_open(&the_c, DB_WAIT_READ_MS);
	db_begin_read(&the_c, DB_CONTENT);
	workspace_id = workspace_find(&the_c, workspace_uuid, &(bool) { false })->id;
	db_rollback(&the_c);
	db_close(&the_c);
	if (reader)
		read_some(key);
	write_some();
}

static void
stop(const char *what, int status)
{
	add(&shared->wrong);
	fprintf(stderr, "%s ended with the wait status %d\n", what, status);
}

/* Starts a process in the place of each that ended, until all requests are done. */
static void
race(const char *key)
{
	pid_t pid, child[READERS + WRITERS];
	int status;

	for (int i = 0; i < READERS + WRITERS; i++)
		child[i] = start(i < READERS, key);
	while ((pid = wait(&status)) > 0) {
		int i = 0;
		while (child[i] != pid)
			i++;
		bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		if (killed && i >= READERS)
			add(&shared->killed);
		else if (status != 0)
			stop(i < READERS ? "a reader" : "a writer", status);
		if (load(&shared->wrong) > 0)
			__atomic_store_n(&shared->left, 0, __ATOMIC_SEQ_CST);
		if (goes_on())
			child[i] = start(i < READERS, key);
	}
}

int
main(int argc, char **argv)
{
	struct instance instance;
	struct arena arena;

	if (argc != 6)
		return 2;
	arena_init(&arena, (size_t)1 << 20);
	the_c = (struct ctx) { .arena = &arena, .request_id = "" };
	log_open("race", NULL);
	if (instance_find(&the_c, argv[1], &instance) != NULL)
		die("%s is no instance", argv[1]);
	the_c.instance = &instance;
	log_open("race", arena_printf(&arena, "%s/requests.log", instance.log));
	workspace_uuid = argv[2];
	article_uuid = argv[3];
	shared =
	    mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("no memory");
	shared->left = atoll(argv[5]);
	race(argv[4]);
	printf("asked %" PRIu64 " computed %" PRIu64 " unchanged %" PRIu64 " stood %" PRIu64
	       " commits %" PRIu64 " killed %" PRIu64 " wrong %" PRIu64 "\n",
	    shared->asked, shared->computed, shared->unchanged, shared->stood, shared->commits,
	    shared->killed, shared->wrong);
	return shared->wrong > 0;
}
