/* Credits of an account (docs/console.md §4.12): what there is, what was moved in a period, as a
 * page and as CSV; and for operators grant and revoke. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "action/account-actions.h"
#include "action/person/person-look.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "console/page.h"
#include "content/lang.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "terminal/csv.h"

/* The page of Credits. */
struct credits {
	struct ctx *c;
	const struct visit *v;
	struct credits_view view;
	struct form period; /* as it was asked for */
};

static const struct field period_fields[] = {
	{ .name = "from", .label = tr_mark("From"), .kind = FIELD_DATE },
	{ .name = "to", .label = tr_mark("To"), .kind = FIELD_DATE },
	{ .name = "show", .label = tr_mark("Show"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field move_fields[] = {
	{ .name = "credits",
	    .label = tr_mark("Credits"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = LEDGER_GRANT_MAX,
	    .required = true,
	    .inputmode = "numeric" },
	{ .name = "ref",
	    .label = tr_mark("Reference"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .missing = tr_mark("Enter what this is for, such as a receipt's number."),
	    .hint = tr_mark(
		"What this is for, such as the number of a receipt. A reference serves once; the customer reads it.") },
	{ .name = "grant", .label = tr_mark("Grant"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "revoke",
	    .label = tr_mark("Revoke"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

/* ---- what is asked */

/* Returns an address of this account's screens with the period in its query; `before` is
 * NULL, or the number of a movement. */
static const char *
credits_address(const struct credits *p, const char *path, const char *before)
{
	struct buf out;

	buf_init(&out, p->c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(p->c, p->v, "/%s/%s", p->v->account->uuid, path));
	screen_address_add(&out, "from", form_text(&p->period, "from"));
	screen_address_add(&out, "to", form_text(&p->period, "to"));
	screen_address_add(&out, "before", before);
	return buf_done(&out);
}

/* Reads the period of the query into the form and the view. Returns false if a date is wrong;
 * the form says so. */
static bool
credits_read_period(struct credits *p)
{
	static const char *const names[] = { "from", "to" };
	struct form_value values[2];
	size_t count = 0;
	bool good;

	for (size_t i = 0; i < 2; i++) {
		const char *text = console_query(p->c, p->v, names[i]);
		if (text != NULL)
			values[count++] = (struct form_value) { names[i], text, strlen(text) };
	}
	p->view.from = 0;
	p->view.to = INT64_MAX;
	form_init(&p->period, "period", period_fields);
	good = form_read(p->c, &p->period, values, count);
	if (good && form_text(&p->period, "from") != NULL)
		p->view.from = form_number(&p->period, "from");
	if (good && form_text(&p->period, "to") != NULL)
		p->view.to = form_number(&p->period, "to") + CLOCK_DAY;
	if (good && p->view.from >= p->view.to) {
		form_refuse(&p->period, "to", tr("The last day is before the first one."));
		good = false;
	}
	if (!good) {
		p->view.from = 0;
		p->view.to = INT64_MAX;
	}
	return good;
}

/* ---- the page */

/* Returns a change with its sign. From right to left a browser would put the sign after the
 * number, but for a mark of the other direction (U+200E) before it. */
static const char *
change(struct ctx *c, int64_t value)
{
	return arena_printf(c->arena, "%s%s%s",
	    value != 0 && lang_is_rtl(tr_tag()) ? "\xE2\x80\x8E" : "", value > 0 ? "+" : "",
	    tr_number(c->arena, value));
}

/* ---- what there is */

static void
write_figure(struct hwrite *w, const char *label, int64_t value)
{
	@ <li><span>{=label}</span>{=" "}<strong>{=tr_number(w->out->arena, value)}</strong></li>
}

static void
write_balance(struct hwrite *w, const struct account *a)
{
	@ <ul class="figures">
	write_figure(w, tr("Available"), a->available);
	write_figure(w, tr("Reserved"), a->reserved);
	write_figure(w, tr("Spent"), a->spent);
	@ </ul><p>New orders are paid from what is available. What is reserved is for orders that
	@ are not done yet; what they do not spend comes back.</p>
}

/* ---- what a time adds up to */

static void
write_sum(struct hwrite *w, const char *label, const char *value)
{
	@ <row><cell>{label}</cell><cell>{value}</cell></row>
}

static void
write_sums(struct hwrite *w, const struct credits *p)
{
	const struct ledger_sum *s = &p->view.sum;
	struct ctx *c = p->c;

	@ <div class="sums"><list caption="What the period adds up to" columns="What|Credits#">
	write_sum(w, tr("Available before"), tr_number(c->arena, s->opening));
	write_sum(w, tr("Granted"), change(c, s->granted));
	write_sum(w, tr("Revoked"), change(c, -s->revoked));
	write_sum(w, tr("Spent"), change(c, -s->spent));
	write_sum(w, tr("Reserved, or no longer reserved"), change(c, -s->reserved));
	write_sum(w, tr("Available after"), tr_number(c->arena, s->closing));
	@ </list></div>
}

static void
write_points(struct hwrite *w, const struct credits *p, const struct plot_point *points)
{
	@ <details class="sums noprint"><summary>The same as a table</summary>
	@ <list caption="Available credits" columns="End of the day|Available#">
	for (size_t i = 0; i < p->view.point_count; i++)
		write_sum(w, points[i].label, tr_number(p->c->arena, points[i].value));
	@ </list></details>
}

static void
write_plot(struct hwrite *w, const struct credits *p)
{
	struct plot_point points[CREDITS_POINTS];
	size_t count = p->view.point_count;

	for (size_t i = 0; i < count; i++)
		points[i] =
		    (struct plot_point) { say_day_text(p->c, p->view.points[i].day / CLOCK_DAY),
			    p->view.points[i].available };
	plot_bars(w, tr("Available credits"), points, count, false);
	write_points(w, p, points);
}

/* ---- the ledger */

static const char *
kind_in_words(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} kinds[] = {
		{ "grant", tr_mark("Granted") },
		{ "revoke", tr_mark("Revoked") },
		{ "reserve", tr_mark("Reserved for an order") },
		{ "settle", tr_mark("Order done") },
		{ "refund", tr_mark("Order not done: given back") },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].kind, kind) == 0)
			return tr(kinds[i].words);
	}
	return kind;
}

/* The order leads to its screen, if the reader may open it. */
static void
write_about(struct hwrite *w, const struct credits *p, const struct ledger_row *row)
{
	const unsigned orders = RIGHT_WRITE | RIGHT_PUBLISH;
	const char *text = row->ref != NULL				 ? row->ref
			   : row->topic != NULL && row->topic[0] != '\0' ? row->topic
									 : row->job_uuid;
	const char *path =
	    row->workspace_uuid == NULL || row->job_uuid == NULL
		? NULL
		: console_path(p->c, p->v, "/%s/orders/%s", row->workspace_uuid, row->job_uuid);

	if (path != NULL && (p->v->rights & orders) == orders)
		@ <a href={path}>{text}</a>
	else
		@ {text}
}

static void
write_row(struct hwrite *w, const struct credits *p, size_t i)
{
	const struct ledger_row *row = &p->view.rows[i];
	const char *by = p->view.by[i];

	if (row->person != NULL && by == NULL)
		by = tr("somebody who was removed");
	else if (row->person == NULL && row->ref != NULL)
		by = tr("the operator");
	@ <row><cell>{!say_moment(w, row->at)}</cell><cell>{kind_in_words(row->kind)}</cell>
	@ <cell>{!write_about(w, p, row)}</cell><cell>{by}</cell><cell>
	if (row->available != 0)
		@ {change(p->c, row->available)}
	@ </cell><cell>
	if (row->spent != 0)
		@ {tr_number(p->c->arena, row->spent)}
	@ </cell><cell>{tr_number(p->c->arena, row->available_after)}</cell></row>
}

static void
write_ledger(struct hwrite *w, const struct credits *p)
{
	const struct credits_view *view = &p->view;

	@ <list caption="The ledger, the newest movement first"
	@ columns="Time (UTC)|What|About|By|Change#|Spent#|Available#">
	for (size_t i = 0; i < view->count; i++)
		write_row(w, p, i);
	@ </list>
	screen_pages(w, view->before != INT64_MAX ? credits_address(p, "credits", NULL) : NULL,
	    view->more
		? credits_address(p, "credits",
		      arena_printf(p->c->arena, "%" PRId64, view->rows[view->count - 1].number))
		: NULL);
}

static void
write_period(struct hwrite *w, const struct credits *p)
{
	@ <div class="noprint">
	form_write(w, &p->period,
	    &(struct form_head) { .search = true,
		.action = console_path(p->c, p->v, "/%s/credits", p->v->account->uuid) });
	@ </div>
	if (p->period.errors > 0)
		return;
	if (p->view.sum.count == 0) {
		screen_empty(w, tr("No credits were moved in this time."),
		    console_path(p->c, p->v, "/%s/credits", p->v->account->uuid), tr("Show all"));
		return;
	}
	write_sums(w, p);
	write_plot(w, p);
	@ <h3>Movements</h3>
	write_ledger(w, p);
	@ <p><a class="button" href={credits_address(p, "credits/csv", NULL)}>Download as CSV</a></p>
}

/* ---- grant and revoke */

/* What a form did, and where it leads. */
struct moved {
	bool revoke, done;
};

static const char *
notice_of(const struct moved *m)
{
	if (!m->done)
		return "moved-before";
	return m->revoke ? "taken-credits" : "granted";
}

static const char *
tell(struct ctx *c, const void *arg)
{
	const struct page *p = arg;

	return arena_printf(c->arena, "%s?notice=%s", p->go, notice_of(p->data));
}

static struct err *
move(struct page *p)
{
	struct moved *m = arena_alloc(p->c->arena, sizeof(*m));
	struct credits_order order = { .account = p->v->account->uuid,
		.person = p->v->person->uuid,
		.credits = form_number(p->form, "credits"),
		.ref = form_text(p->form, "ref") };
	struct account *a;
	struct err *err;

	m->revoke = form_is_on(p->form, "revoke");
	order.kind = m->revoke ? CREDITS_REVOKE : CREDITS_GRANT;
	p->data = m;
	console_will_tell(p->v, tell, p);
	err = credits_move(p->c, &order, &a, &m->done);
	/* What an operator can correct is wrong input (docs/console.md §4.12). */
	if (err != NULL && err->code == ERR_CONFLICT && err->param != NULL)
		err->code = ERR_INVALID;
	if (err != NULL)
		return err;
	if (m->done)
		console_journal(p->c, p->v, "credits %s %" PRId64, m->revoke ? "revoke" : "grant",
		    order.credits);
	p->notice = notice_of(m);
	return NULL;
}

static const struct page_act move_it = {
	.name = "move", .fields = move_fields, .act = move, .go = "/A/credits"
};

/* ---- the page */

static void
write_credits(struct hwrite *w, struct page *p)
{
	const struct credits *k = p->data;
	bool asked = form_text(&k->period, "from") != NULL || form_text(&k->period, "to") != NULL ||
		     k->period.errors > 0;

	@ <div class="ledger">
	write_balance(w, k->view.now);
	@ <h2>Period</h2>
	if (k->view.sum.count == 0 && !asked)
		screen_empty(w,
		    tr("No credits were moved yet. Credits pay for articles that are ordered; the operator grants them."),
		    NULL, NULL);
	else
		write_period(w, k);
	@ </div>
	if (!console_may(p->v, RIGHT_OPERATE))
		return;
	@ <div class="noprint"><h2>Grant or revoke</h2>
	page_form(w, p, &move_it, NULL);
	@ </div>
}

/* Returns the number that an address carries, or one after all movements. */
static int64_t
before_of(struct ctx *c, const struct visit *v)
{
	const char *text = console_query(c, v, "before");

	if (text == NULL || text[0] == '\0' || strlen(text) > 18 ||
	    text[strspn(text, "0123456789")] != '\0')
		return INT64_MAX;
	return strtoll(text, NULL, 10);
}

static struct err *
load_credits(struct page *p)
{
	struct credits *k = p->data;

	k->c = p->c;
	k->v = p->v;
	if (p->acting)
		return NULL;
	k->view.account = p->v->account->uuid;
	k->view.before = before_of(p->c, p->v);
	if (!credits_read_period(k) && p->form == NULL)
		p->reply->status = 422;
	return credits_look(p->c, &k->view);
}

static const struct page_kind credits_page = { sizeof(struct credits), load_credits,
	write_credits };

#define CREDITS .pattern = "/A/credits", .title = tr_mark("Credits"), .page = &credits_page

/* ---- as CSV */

#define BYTES_MAX ((size_t)32 * 1024 * 1024)

struct csv {
	struct ctx *c;
	struct buf *out;
	struct names names;
	bool too_long;
};

/* The columns of `galley credits ledger --csv`, and what the screen knows besides. */
static void
add_row(void *arg, const struct ledger_row *row)
{
	struct csv *csv = arg;
	struct arena *a = csv->c->arena;
	const int64_t numbers[] = { row->available, row->reserved, row->spent, row->available_after,
		row->reserved_after, row->spent_after };
	const char *cells[13];
	char at[CLOCK_TEXT];

	csv->too_long = csv->too_long || csv->out->len > BYTES_MAX;
	if (csv->too_long)
		return;
	clock_format_seconds(at, row->at);
	cells[0] = arena_printf(a, "%" PRId64, row->number);
	cells[1] = at;
	cells[2] = row->kind;
	for (size_t i = 0; i < 6; i++)
		cells[3 + i] = arena_printf(a, "%" PRId64, numbers[i]);
	cells[9] = row->job_uuid;
	cells[10] = row->ref;
	cells[11] = row->topic;
	cells[12] = row->person != NULL ? names_of(csv->c, &csv->names, row->person) : NULL;
	csv_row(csv->out, cells, 13);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	static const char *const names[] = { "number", "at", "kind", "available", "reserved",
		"spent", "available_after", "reserved_after", "spent_after", "job_id", "ref",
		"topic", "person" };
	struct credits *p = arena_alloc(c->arena, sizeof(*p));
	struct csv csv = { .c = c, .out = &reply->body };

	p->c = c;
	p->v = v;
	if (!credits_read_period(p))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Write the days of the period as dates, such as 2026-09-01. The last one must not be before the first one."));
	for (size_t i = 0; i < 13; i++)
		buf_printf(&reply->body, "%s%s", names[i], i < 12 ? "," : "\r\n");
	TRY(credits_list(c, v->account->uuid, p->view.from, p->view.to, add_row, &csv));
	if (csv.too_long)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark(
			"This period has too many movements for one file. Choose a shorter one."));
	reply->type = "text/csv; charset=utf-8";
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"credits.csv\"");
	return NULL;
}

SCREEN(credits) = {
	{ .method = "GET", CREDITS, .need = RIGHT_MANAGE },
	{ .method = "POST", CREDITS, .need = RIGHT_OPERATE, .step_up = true, .act = &move_it },
	{ "GET", "/A/credits/csv", .need = RIGHT_MANAGE, .title = tr_mark("Download as CSV"),
	    .handler = download },
	{ .method = NULL },
};
