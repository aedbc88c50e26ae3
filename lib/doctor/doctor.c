#include "doctor/doctor.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "system/work.h"

static const struct {
	const char *name;
	struct doctor_finding (*run)(struct ctx *c);
} checks[] = {
	{ "folders", doctor_folders },
	{ "galley.conf", doctor_conf },
	{ "secrets", doctor_secrets },
	{ "programs", doctor_programs },
	{ "space", doctor_space },
	{ "log", doctor_log }, /* before any check opens the database */
#ifdef STORE_PG
	{ "server", doctor_server },
	{ "users", doctor_users },
	{ "standbys", doctor_standbys },
	{ "connections", doctor_room },
#endif
	{ "database", doctor_database },
	{ "clock", doctor_clock },
	{ "live", doctor_live },
	{ "pictures", doctor_pictures },
	{ "confinement", doctor_confinement },
	{ "provider", doctor_provider },
	{ "certificate", doctor_certificate },
	{ "api", doctor_api },
	{ "authorization", doctor_headers },
	{ "private", doctor_private },
	{ "media", doctor_media },
	{ "console", doctor_console },
	{ "cookies", doctor_cookies },
	{ "posts", doctor_posts },
	{ "neighbours", doctor_neighbours },
	{ "pages", doctor_pages },
	{ "scripts", doctor_scripts },
	{ "collector", doctor_collector },
	{ "hits", doctor_hits },
	{ "addresses", doctor_addresses },
	{ "runner", doctor_runner },
	{ "mail", doctor_mail },
	{ "requests", doctor_requests },
	{ "kept answers", doctor_kept },
};
#define CHECKS (sizeof(checks) / sizeof(checks[0]))

struct err *
doctor_run(struct ctx *c, const struct work *work, struct doctor_results *out)
{
	struct err *err = NULL;

	*out = (struct doctor_results) {
		.list = arena_array(c->arena, CHECKS, sizeof(*out->list)),
		.worst = DOCTOR_GOOD,
	};
	work_begin(work, "Checking", WORK_PIECES, (int64_t)CHECKS);
	while (out->count < CHECKS && err == NULL) {
		struct doctor_result *r = &out->list[out->count];
		if (work_must_stop(work)) {
			err = work_stopped(c, "%zu of %zu checks were made.", out->count, CHECKS);
			break;
		}
		r->check = checks[out->count].name;
		r->finding = checks[out->count++].run(c);
		if (r->finding.level > out->worst)
			out->worst = r->finding.level;
		work_step(work, 1);
	}
	work_end(work);
	return err;
}
