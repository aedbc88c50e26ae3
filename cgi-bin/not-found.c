/* Answers every path under /api that is not an endpoint with 404, without a key. */
#include "web/serve.h"

static const struct route routes[] = {
	{ .method = NULL },
};

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "not-found", routes);
}
