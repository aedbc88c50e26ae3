#include "action/statistics/statistics-json.h"

#include <inttypes.h>
#include <stdio.h>

#include "terminal/csv.h"

void
statistics_day_text(char out[CLOCK_TEXT], int64_t day)
{
	clock_format_date(out, day * CLOCK_DAY);
}

static void
member_day(struct jwrite *w, const char *name, int64_t day)
{
	char text[CLOCK_TEXT];

	statistics_day_text(text, day);
	jwrite_member_text(w, name, text);
}

static void
days_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_member_array(w, "days");
	for (size_t i = 0; i < s->day_count; i++) {
		jwrite_object(w);
		member_day(w, "day", s->from + (int64_t)i);
		jwrite_member_int(w, "views", s->days[i].views);
		jwrite_member_int(w, "visitors", s->days[i].visitors);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
member_known(struct jwrite *w, const char *name, int64_t value)
{
	if (value < 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_int(w, name, value);
}

static void
articles_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_member_array(w, "articles");
	for (size_t i = 0; i < s->article_count; i++) {
		const struct statistics_article *a = &s->articles[i];
		jwrite_object(w);
		jwrite_member_text(w, "id", a->id);
		jwrite_member_text(w, "title", a->title);
		jwrite_member_int(w, "views", a->views);
		member_known(w, "first_7_days", a->first_7);
		member_known(w, "first_30_days", a->first_30);
		member_known(w, "since_publication", a->since);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
list_to_json(struct jwrite *w, const char *name, const struct statistics_list *list)
{
	jwrite_member_array(w, name);
	for (size_t i = 0; i < list->count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "label", list->rows[i].name);
		jwrite_member_int(w, "count", list->rows[i].count);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
health_to_json(struct jwrite *w, const struct report_health *h)
{
	jwrite_member_object(w, "health");
	jwrite_member_int(w, "accepted", h->accepted);
	jwrite_member_int(w, "refused_origin", h->refused_origin);
	jwrite_member_int(w, "without_consent", h->without_consent);
	jwrite_member_int(w, "limited", h->limited);
	if (h->last_hit_at == 0)
		jwrite_member_null(w, "last_hit");
	else
		jwrite_member_time(w, "last_hit", h->last_hit_at);
	jwrite_object_end(w);
}

void
statistics_to_json(struct jwrite *w, const struct statistics *s)
{
	jwrite_object(w);
	member_day(w, "from", s->from);
	member_day(w, "to", s->to);
	jwrite_member_text(w, "time_zone", s->time_zone);
	days_to_json(w, s);
	articles_to_json(w, s);
	list_to_json(w, "referrers", &s->referrers);
	list_to_json(w, "campaigns", &s->campaigns);
	list_to_json(w, "languages", &s->languages);
	list_to_json(w, "widths", &s->widths);
	list_to_json(w, "bots", &s->bots);
	health_to_json(w, &s->health);
	jwrite_object_end(w);
}

void
statistics_row_to_json(struct jwrite *w, const struct report_row *row)
{
	jwrite_object(w);
	member_day(w, "day", row->day);
	jwrite_member_text(w, "kind", row->kind);
	jwrite_member_text(w, "article", row->article);
	jwrite_member_text(w, "label", row->label);
	jwrite_member_int(w, "count", row->count);
	jwrite_object_end(w);
}

void
statistics_row_to_csv(struct buf *out, const struct report_row *row)
{
	char day[CLOCK_TEXT], count[24];

	statistics_day_text(day, row->day);
	(void)snprintf(count, sizeof(count), "%" PRId64, row->count);
	csv_row(out, (const char *const[]) { day, row->kind, row->article, row->label, count }, 5);
}
