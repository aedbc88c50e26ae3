/*
 * The list of sites that the collector reads, written from the database.
 *
 * suite: fast
 */
#include "access/sites.h"

#include <sys/stat.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/fileio.h"
#include "store/db.h"
#include "store/migrate.h"
#include "tests/unit/access/place.h"

#define SITES 60

static struct workspace *workspaces[SITES];
static struct account *account;

static struct workspace *
add_workspace(void)
{
	struct workspace *w;

	if (workspace_insert(&c, account->id, "Site", "en", &w) != NULL)
		bail("no workspace");
	return w;
}

static void
set(struct workspace *w, const char *field, const char *value)
{
	if (workspace_set(&c, w, field, value) != NULL)
		bail("%s is refused", field);
	(void)workspace_update(&c, w);
}

static void
begin(void)
{
	db_begin_write(&c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
}

/* Has an account with many sites, of which one has no analytics. */
static void
fill(void)
{
	int64_t from;

	db_create(&c, true);
	if (migrate_run(&c, DB_CONTENT, &from) != NULL)
		bail("no schema");
	begin();
	if (account_insert(&c, "Customer", true, &account) != NULL)
		bail("no account");
	for (int i = 0; i < SITES; i++) {
		workspaces[i] = add_workspace();
		set(workspaces[i], "analytics_enabled", i == 0 ? "false" : "true");
		set(workspaces[i], "analytics_origins",
		    arena_printf(&arena, "https://a%d.example,https://b.example:8443", i));
	}
	time_zone_set(&c, workspaces[1]->id, "America/New_York");
	time_zone_set(&c, workspaces[2]->id, "Asia/Kolkata");
	db_commit(&c);
}

static bool
is_listed(int i, struct site *s)
{
	return sites_find(&c, workspaces[i]->analytics_site_id, s) == SITES_FOUND;
}

static void
sites_are_found(void)
{
	static const char *const no_ids[] = { "", "00000000000000000000000000000000000",
		"000000000000000000000000000000000000", "ffffffffffffffffffffffffffffffffffff",
		"gggggggggggggggggggggggggggggggggggg" };
	struct site s;
	int found = 0, none = 0;

	is_int(sites_find(&c, workspaces[3]->analytics_site_id, &s), SITES_UNKNOWN,
	    "without a list nothing is known of a site");
	sites_write(&c);
	for (int i = 1; i < SITES; i++)
		found += is_listed(i, &s) && strcmp(s.workspace, workspaces[i]->uuid) == 0 &&
			 sites_has_origin(&s, arena_printf(&arena, "https://a%d.example", i));
	is_int(found, SITES - 1, "each site is found");
	ok(!is_listed(0, &s), "but for one without analytics");
	for (size_t i = 0; i < sizeof(no_ids) / sizeof(no_ids[0]); i++)
		none += sites_find(&c, no_ids[i], &s) == SITES_NONE;
	is_int(none, sizeof(no_ids) / sizeof(no_ids[0]), "and what is no id");
}

static void
origins_are_compared_byte_by_byte(void)
{
	static const char *const others[] = { "", " ", "null", "https://a5.example:443",
		"https://a5.example.", "https://A5.example", "HTTPS://a5.example",
		"http://a5.example", "https://a5.exampl", "https://a5.example ",
		"https://a5.example/", "https://a5.example https://b.example:8443",
		"https://b.example", "https://a50.example", "5.example", NULL };
	struct site s;
	int had = 0;

	if (!is_listed(5, &s))
		bail("no site");
	ok(sites_has_origin(&s, "https://a5.example") &&
		sites_has_origin(&s, "https://b.example:8443"),
	    "a site has its origins");
	for (int i = 0; others[i] != NULL; i++)
		had += sites_has_origin(&s, others[i]);
	is_int(had, 0, "and no other");
}

static void
zones_have_their_clocks(void)
{
	/* Of these zones the rules of the next years are known: 2026 to 2027. */
	int64_t now = clock_now(), change;
	struct site s;

	if (!is_listed(1, &s))
		bail("no site");
	ok(s.offset_s + s.later_offset_s == -9 * 3600, "New York changes between -5 and -4");
	change = s.changes_at * CLOCK_SECOND;
	ok(change > now && change < now + 300 * CLOCK_DAY && s.changes_at % 3600 == 0,
	    "at an hour of the next months");
	is_int(sites_local(&s, change - CLOCK_SECOND),
	    change - CLOCK_SECOND + s.offset_s * CLOCK_SECOND, "before it is the old one");
	is_int(
	    sites_local(&s, change), change + s.later_offset_s * CLOCK_SECOND, "then the new one");
	if (!is_listed(2, &s))
		bail("no site");
	ok(s.offset_s == 19800 && s.changes_at == 0, "Kolkata does not change");
	if (!is_listed(3, &s))
		bail("no site");
	ok(s.offset_s == 0 && s.changes_at == 0, "UTC is UTC");
}

static int64_t
inode(void)
{
	struct stat st;

	return stat(fileio_path(&arena, sites_folder(&c), "list"), &st) == 0 ? (int64_t)st.st_ino
									     : 0;
}

static void
the_list_follows(void)
{
	int64_t before = inode();
	struct site s;

	sites_write(&c);
	is_int(inode(), before, "a list that is true is not written again");
	begin();
	set(workspaces[4], "analytics_enabled", "false");
	set(workspaces[5], "analytics_origins", "");
	workspace_delete(&c, workspaces[6]);
	db_commit(&c);
	sites_write(&c);
	ok(!is_listed(4, &s), "a site whose analytics are off is not there any more");
	ok(is_listed(5, &s) && !sites_has_origin(&s, "https://a5.example"),
	    "one without origins has none");
	ok(!is_listed(6, &s), "a deleted workspace is not there");
	begin();
	account->suspended = true;
	account_update(&c, account);
	db_commit(&c);
	sites_write(&c);
	is_int(sites_find(&c, workspaces[7]->analytics_site_id, &s), SITES_NONE,
	    "nor one of a suspended account: the list is there, and empty");
}

int
main(void)
{
	place_begin();
	instance.db = arena_printf(&arena, "%s/db/galley.db", instance.home);
	instance.programs = instance.home;
	if (mkdir(arena_printf(&arena, "%s/db", instance.home), 0700) != 0)
		bail("no folder");
	fill();
	sites_are_found();
	origins_are_compared_byte_by_byte();
	zones_have_their_clocks();
	the_list_follows();
	db_close(&c);
	return place_end();
}
