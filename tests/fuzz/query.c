/* A query: every accepted value is within its bounds and is not cut. */
#include "base/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "web/req.h"

static const struct param params[] = {
	{ "limit", PARAM_INT, 1, 100, 20, 0 },
	{ "drafts", PARAM_BOOL, 0, 0, 0, 0 },
	{ "cursor", PARAM_TEXT, 0, 2000, 0, 0 },
	{ "since", PARAM_TIME, 0, 0, 0, 0 },
	{ 0 },
};
static const struct route route = { .method = "GET", .pattern = "", .params = params };

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct req r;

	memset(&r, 0, sizeof(r));
	r.route = &route;
	r.query = text;
	(void)len;
	(void)req_scopes(c, &r);
	if (req_params(c, &r) != NULL)
		return;
	MUST(r.param[0].number >= 1 && r.param[0].number <= 100);
	MUST(r.param[2].text == NULL || (utf8_valid(r.param[2].text, strlen(r.param[2].text)) &&
					    utf8_length(r.param[2].text) <= 2000));
	MUST(!r.param[3].given || r.param[3].number >= 0);
}
