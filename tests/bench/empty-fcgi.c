/*
 * The floor of the benchmarks under FastCGI: a program that does nothing but print
 * as many bytes as its query string says, request after request. Linked as the
 * programs of cgi-bin/ are. Like them it forks GALLEY_PROCESSES processes where it is
 * started with a listening socket; under mod_fcgid it is one process.
 */
#include <fcgiapp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define BYTES_MAX (4 * 1024 * 1024)
#define PROCESSES_MAX 64

static int
answer(FCGX_Request *request)
{
	const char *query = FCGX_GetParam("QUERY_STRING", request->envp);
	long count = query != NULL ? strtol(query, NULL, 10) : 0;
	size_t len;
	char *bytes;

	if (count < 0 || count > BYTES_MAX)
		count = 0;
	bytes = malloc((size_t)count + 128);
	if (bytes == NULL)
		return -1;
	len = (size_t)sprintf(bytes, "Status: 200 OK\r\nContent-Type: application/json\r\n\r\n");
	memset(bytes + len, 'x', (size_t)count);
	len += (size_t)count;
	FCGX_PutStr(bytes, (int)len, request->out);
	free(bytes);
	return 0;
}

/* The processes of a pool end with the first of them. */
static void
fork_pool(void)
{
	const char *processes = getenv("GALLEY_PROCESSES");
	long count = processes != NULL ? strtol(processes, NULL, 10) : 1;

	for (long i = 1; i < count && i < PROCESSES_MAX; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			return;
		}
	}
}

int
main(void)
{
	FCGX_Request request;

	fork_pool();
	FCGX_Init();
	FCGX_InitRequest(&request, 0, 0);
	while (FCGX_Accept_r(&request) == 0) {
		if (answer(&request) != 0)
			return 1;
		FCGX_Finish_r(&request);
	}
	return 0;
}
