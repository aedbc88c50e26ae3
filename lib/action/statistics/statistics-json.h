#ifndef ACTION_STATISTICS_JSON_H
#define ACTION_STATISTICS_JSON_H
/* Statistics for programs: the JSON and the CSV of the tool and of the console are the same
 * (docs/pages.md §10). */
#include "action/statistics/statistics.h"
#include "base/clock.h"
#include "base/jwrite.h"

/* Writes what was read, as `galley stats show --json` prints it. Titles of articles that are
 * gone, and sums of days that were not all counted, are null. */
void statistics_to_json(struct jwrite *w, const struct statistics *s);

/* Writes one count, as `galley stats export --json` prints it. */
void statistics_row_to_json(struct jwrite *w, const struct report_row *row);

#define STATISTICS_CSV_HEAD "day,kind,article,label,count\r\n"

/* Writes one count as a row of CSV. */
void statistics_row_to_csv(struct buf *out, const struct report_row *row);

/* Writes a day as "2026-09-01". */
void statistics_day_text(char out[CLOCK_TEXT], int64_t day);

#endif
