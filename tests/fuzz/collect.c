/* What a browser sends of a page: what is taken is one line, which is read again as it was, and no
 * text of it is obeyed by who reads it. */
#include "base/utf8.h"
#include "pages/collector.h"
#include "stats/hit.h"
#include "tests/fuzz/fuzz.h"

static void
shown(const char *text)
{
	const char *p = text;

	MUST(utf8_valid(text, strlen(text)));
	while (*p != '\0')
		MUST(!utf8_is_obeyed(utf8_next(&p)));
}

static void
put(char *out, size_t max, const char *text)
{
	MUST(strlen(text) <= max);
	shown(text);
	memcpy(out, text, strlen(text) + 1);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct hit hit = { .kind = HIT_VIEW, .workspace = "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55" },
		   again;
	char line[HIT_LINE_MAX + 1];
	struct beacon b;

	(void)hit_read(c->arena, text, len, &again);
	MUST(strlen(bot_rule(text, text)) <= HIT_BOT_MAX);
	if (beacon_read(c, text, len, &b) != NULL)
		return;
	put(hit.path, HIT_PATH_MAX, path_clean(c->arena, b.path));
	MUST(hit.path[0] == '/' && strpbrk(hit.path, "?#\t\n ") == NULL);
	/* What is in one form stays so; bytes that are no text may meet where one between them was
	 * left out. */
	MUST(
	    strchr(hit.path, '%') != NULL || strcmp(path_clean(c->arena, hit.path), hit.path) == 0);
	if (b.referrer != NULL)
		put(hit.referrer, HIT_REFERRER_MAX,
		    path_referrer(c->arena, b.referrer, "https://www.example.com"));
	put(hit.campaign, HIT_CAMPAIGN_MAX,
	    path_campaign(c->arena, b.source, b.medium, b.campaign));
	MUST(hit_read(c->arena, line, hit_write(c->arena, &hit, line), &again));
	MUST(strcmp(again.path, hit.path) == 0 && strcmp(again.referrer, hit.referrer) == 0 &&
	     strcmp(again.campaign, hit.campaign) == 0);
}
