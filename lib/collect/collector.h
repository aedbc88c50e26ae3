#ifndef COLLECT_COLLECTOR_H
#define COLLECT_COLLECTOR_H
/*
 * The life of a hit: POST /collect, which a reader's browser sends (docs/pages.md §8). The
 * program opens no database and leaves no line in requests.log; run/sites is all that it reads.
 * It answers in this order:
 *
 *	405	another method
 *	413	a body of more than 1 KiB
 *	429	the address sent more than collect_per_minute
 *	400	no form of a hit (beacon.h)
 *	404	no workspace takes hits of this site
 *	403	no https where it is required; an Origin that is not the site's; no consent
 *	503	the disk is full, or a file of run/ cannot be used
 *	204	the hit is written (stats/hit.h), that of a bot, too (bot.h)
 *
 * Neither the reader's address nor the user agent is written anywhere: a digest of both is, by a
 * key that ends with the day (access/day-key.h). No answer has a cookie, or a header that lets a
 * script of another origin read it. Of run/ a confined process reaches the list of sites, the
 * hits, the keys of days and the counts of addresses.
 */
/* Runs the program. */
int collect_main(int argc, char **argv);

#endif
