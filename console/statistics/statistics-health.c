/* How the collector is: what it took and refused, and what to do where nothing is counted. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "job/cron.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "statistics.h"
#include "system/conf.h"

/* Why nothing is counted, and whether the settings help. */
static const struct {
	const char *sentence;
	bool settings;
} silences[] = {
	[STATISTICS_COUNTS] = { NULL, false },
	[STATISTICS_OFF] = { tr_mark(
				 "Readers are not counted: “Count readers” is off in the settings."),
	    true },
	[STATISTICS_RESTS] = { tr_mark("Readers are not counted while the account is suspended."),
	    false },
	[STATISTICS_NO_ORIGIN] = { tr_mark(
				       "Readers are not counted: the settings name no site that may count them."),
	    true },
	[STATISTICS_NO_HIT] = { tr_mark(
				    "Nothing came yet. Put the line below into your website, and let it tell when a reader consents."),
	    false },
	[STATISTICS_NO_FRAME] = { tr_mark(
				      "Nothing came yet. Your pages count their readers in a frame, once the website around it says that the reader consents."),
	    false },
	[STATISTICS_QUIET] = { tr_mark(
				   "Nothing came for three days. Look whether your website still has the line below, and still tells when a reader consents."),
	    false },
};

void
statistics_write_silence(
    struct hwrite *w, struct ctx *c, const struct visit *v, enum statistics_silence silence)
{
	const char *sentence = silences[silence].sentence;

	if (sentence == NULL)
		return;
	if (silences[silence].settings && console_may(v, RIGHT_MANAGE))
		screen_notice_link(w, SCREEN_WARNING, tr(sentence),
		    console_path(c, v, "/%s/settings#settings-%s", v->workspace->uuid,
			silence == STATISTICS_OFF ? "analytics-enabled" : "analytics-origins"),
		    tr("Settings"));
	else
		screen_notice(w, SCREEN_WARNING, "%s", tr(sentence));
}

static void
write_line(struct hwrite *w, const struct statistics_page *p)
{
	const struct workspace *space = p->v->workspace;
	const char *script = pages_script_of(p->c, "collect.js");

	if (!space->analytics_enabled || space->analytics_origins[0] == '\0' || script == NULL)
		return;
	hwrite_element(w, H_P,
	    tr("Each page of your website needs this line. It sends nothing before the page says that the reader consents: galley.consent(true)."));
	screen_copy(w, tr("the line"),
	    arena_printf(p->c->arena, "<script src=\"%s\" data-site=\"%s\" defer></script>", script,
		space->analytics_site_id));
	hwrite_open(w, H_P);
	screen_sentence(w, tr("Sites that may count readers: %s"), space->analytics_origins);
	hwrite_close(w, H_P);
}

static void
write_fact(struct hwrite *w, const struct statistics_page *p, const char *name, int64_t value)
{
	hwrite_element(w, H_DT, name);
	hwrite_element(w, H_DD, statistics_number(p->c, value));
}

static void
write_facts(struct hwrite *w, const struct statistics_page *p)
{
	const struct report_health *h = &p->s.health;

	hwrite_open(w, H_DL);
	write_fact(w, p, tr("Accepted"), h->accepted);
	write_fact(w, p, tr("Refused: of another site"), h->refused_origin);
	write_fact(w, p, tr("Refused: without consent"), h->without_consent);
	write_fact(
	    w, p, tr("Refused: too many from one address, in the whole instance"), h->limited);
	hwrite_element(w, H_DT, tr("The last one that was accepted"));
	hwrite_open(w, H_DD);
	say_time(w, h->last_hit_at);
	hwrite_close(w, H_DD);
	hwrite_close(w, H_DL);
	if (h->last_hit_at != 0)
		hwrite_element(w, H_P, tr("Some minutes may pass until a view is seen here."));
	if (h->refused_origin > 0)
		hwrite_element(w, H_P,
		    tr("Somebody sent views from a site that the settings do not name. If it is yours, add it there."));
}

void
statistics_write_health(struct hwrite *w, const struct statistics_page *p)
{
	struct cron cron;

	hwrite_element(w, H_H2, tr("What the collector took"));
	write_facts(w, p);
	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
	write_line(w, p);
}
