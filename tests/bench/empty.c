/*
 * The floor of the benchmarks: a CGI program that only prints as many bytes as its query
 * string says. It is linked as the programs of cgi-bin/ are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MAX (4 * 1024 * 1024)

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
	if (answer == NULL)
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
