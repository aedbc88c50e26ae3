/*
 * Addresses of pages: what is named is there, and no text of data leaves its segment.
 *
 * suite: fast
 */
#include "console/page.h"

#include "access/account.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };

static const struct workspace workspace = { .uuid = "w-1" };
static const struct account account = { .uuid = "a-1" };

static void
check_paths(void)
{
	struct visit v = { .workspace = &workspace,
		.account = &account,
		.id = "i-1",
		.name = "a name",
		.place = { .root = "/console" } };
	const struct page p = { .c = &c, .v = &v };

	is_text(page_path(&p, "/"), "/console/", "the root");
	is_text(page_path(&p, "/W/keys/ID/revoke"), "/console/w-1/keys/i-1/revoke", "W and ID");
	is_text(page_path(&p, "/A/people/NAME#W"), "/console/a-1/people/a%20name#W", "A and NAME");
	is_text(page_path(&p, "/P/people"), "/console/w-1/people", "P of a workspace");
	is_text(page_path(&p, "/Wide/IDs?of=/W/%s", "W"), "/console/Wide/IDs?of=/W/W",
	    "no other word, and none in a query");
	is_text(page_path(&p, "/W/%s/x?q=%s", "a/b?c#d&%", "\xC3\xA9=1 2"),
	    "/console/w-1/a%2Fb%3Fc%23d%26%25/x?q=%C3%A9%3D1%202", "texts are escaped");
	is_text(page_path(&p, "/W/%s/%s/x%s", "..", ".", ".."), "/console/w-1///x",
	    "and lead to no other folder");
	v.workspace = NULL;
	is_text(page_path(&p, "/P/people"), "/console/a-1/people", "P of an account");
}

int
main(void)
{
	arena_init(&arena, (size_t)4 << 20);
	c.now = 1;
	check_paths();
	return done_testing();
}
