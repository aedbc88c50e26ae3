#include "screen/tr.h"

const char *
tr(const char *english)
{
	return english;
}

const char *
tr_count(const char *one, const char *many, int64_t n)
{
	return n == 1 ? one : many;
}
