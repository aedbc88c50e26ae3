/* Counting (docs/pages.md §8, §10): what the collector took and refused, below Settings; and why
 * nothing is counted, with what helps. Console's statistics are statistics.c. */
#include "counting.h"

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "job/cron.h"
#include "screen/say.h"
#include "screen/tr.h"
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

/* Returns the address of the setting that helps. */
static const char *
settings_of(const struct page *p, enum statistics_silence silence)
{
	return silence == STATISTICS_OFF ? page_path(p, "/W/settings#settings-analytics-enabled")
					 : page_path(p, "/W/settings#settings-analytics-origins");
}

void
counting_write_silence(struct hwrite *w, const struct page *p, enum statistics_silence silence)
{
	const char *sentence = silences[silence].sentence;

	if (sentence == NULL)
		return;
	if (silences[silence].settings && console_may(p->v, RIGHT_MANAGE))
		screen_notice_link(
		    w, SCREEN_WARNING, tr(sentence), settings_of(p, silence), tr("Settings"));
	else
		@ <notice warning><p>{=tr(sentence)}</p></notice>
}

static void
write_line(struct hwrite *w, const struct page *p)
{
	const struct workspace *space = p->v->workspace;
	const char *script = pages_script_of(p->c, "collect.js");

	if (!space->analytics_enabled || space->analytics_origins[0] == '\0' || script == NULL)
		return;
	@ <p>Each page of your website needs this line. It sends nothing before the page says that
	@ the reader consents: galley.consent(true).</p>
	screen_copy(w, tr("the line"),
	    arena_printf(p->c->arena, "<script src=\"%s\" data-site=\"%s\" defer></script>", script,
		space->analytics_site_id));
	@ <p>Sites that may count readers: {space->analytics_origins}</p>
}

/* Says if the task runner, which counts, does not run. */
static void
write_runner(struct hwrite *w, const struct page *p)
{
	struct cron cron;

	cron_look(p->c, &cron);
	console_runner(w, &cron, console_may(p->v, RIGHT_OPERATE));
}

/* Writes what the collector took and refused in the last days, and the line for the website. */
static void
write_health(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct statistics *s = p->data;
	const struct report_health *h = &s->health;

	counting_write_silence(w, p, s->silence);
	write_runner(w, p);
	@ <section class="box"><header><h2>In the last {STATISTICS_SHOWN} days</h2></header>
	@ <dl><dt>Accepted</dt><dd>{h->accepted}</dd>
	@ <dt>Refused: of another site</dt><dd>{h->refused_origin}</dd>
	@ <dt>Refused: without consent</dt><dd>{h->without_consent}</dd>
	@ <dt>Refused: too many from one address, in the whole instance</dt><dd>{h->limited}</dd>
	@ <dt>The last one that was accepted</dt><dd>{!say_time(w, h->last_hit_at)}</dd></dl>
	if (h->last_hit_at != 0)
		@ <p>Some minutes may pass until a view is seen in Statistics.</p>
	if (h->refused_origin > 0)
		@ <p>Somebody sent views from a site that the settings do not name. If it is yours,
		@ add it there.</p>
	@ </section>
	write_line(w, p);
}

/* ---- nothing was counted yet: what is left to do */

static const char *
class_of(int step, int now)
{
	return step < now ? "done" : step == now ? "now" : NULL;
}

static void
write_step(struct hwrite *w, bool done, const char *title, const char *sentence)
{
	@ <div><h2>{=title}
	if (done)
		@ <span class="heard">{=" "}(done)</span>
	@ </h2>
	if (sentence != NULL)
		@ <p>{=sentence}</p>
	@ </div>
}

void
counting_write_empty(struct hwrite *w, const struct page *p, enum statistics_silence silence)
{
	bool off = silences[silence].settings, manages = console_may(p->v, RIGHT_MANAGE);
	int now = off ? 0 : silence == STATISTICS_NO_HIT || silence == STATISTICS_NO_FRAME ? 1 : 2;
	const char *why = silences[silence].sentence;

	if (silence == STATISTICS_RESTS) {
		counting_write_silence(w, p, silence);
		return;
	}
	@ <section class="empty">
	screen_icon(w, ICON_STATISTICS);
	@ <h2>No readers yet</h2>
	@ <p>Galley counts a reader when your website says that counting is allowed.</p></section>
	@ <section class="box"><ol class="todo">
	@ <li class={class_of(0, now)}>
	write_step(w, now > 0, tr("Let readers be counted"), off ? tr(why) : NULL);
	if (off && manages)
		@ <a class="button primary" href={settings_of(p, silence)}>Settings</a>
	@ </li><li class={class_of(1, now)}>
	write_step(w, now > 1,
	    silence == STATISTICS_NO_FRAME ? tr("Show the pages in a frame")
					   : tr("Put the line into your website"),
	    now == 1 ? tr(why) : tr("It sets no cookie."));
	@ </li><li class={class_of(2, now)}>
	write_step(w, false, tr("See the first reader"),
	    tr("Open an article yourself and agree to be counted: some minutes later it is here."));
	@ <a class="button" href="/W/statistics">Look again</a></li>
	@ </ol></section>
	if (now > 0)
		write_runner(w, p);
	write_line(w, p);
}

/* ---- the page */

static struct err *
show_health(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics *s = arena_alloc(c->arena, sizeof(*s));
	const struct page p = { .c = c, .v = v, .data = s };
	struct err *err = statistics_read(c, v->workspace, s);

	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_health, &p);
	return err;
}

SCREEN(counting) = {
	{ "GET", "/W/settings/counting", .title = tr_mark("What the collector took"),
	    .need = RIGHT_MANAGE, .handler = show_health },
	{ .method = NULL },
};
