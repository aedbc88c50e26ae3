#include "web/etag.h"

#include <string.h>

#include "web/req.h"

void
etag_begin(struct digest *d, const struct req *r)
{
	digest_begin(d, (ETAG_TEXT - 1) / 2, "galley etag 1");
	digest_text(d, r->access.workspace.uuid);
	digest_text(d, r->route->pattern);
	digest_text(d, r->id);
}

void
etag_end(struct digest *d, char out[ETAG_TEXT])
{
	digest_end_hex(d, out);
}

/* Returns whether `text` is a suffix that compressing servers append to a tag. */
static bool
is_suffix(const char *text, size_t len)
{
	static const char *const suffixes[] = { "", "-gzip", "-br", "-gunzip", "-zstd", "-deflate",
		";gzip", ";br", "--gzip" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strlen(suffixes[i]) == len && memcmp(suffixes[i], text, len) == 0)
			return true;
	}
	return false;
}

static bool
tag_fits(const char *tag, size_t len, const char *etag)
{
	size_t own = strlen(etag);

	return len >= own && memcmp(tag, etag, own) == 0 && is_suffix(tag + own, len - own);
}

bool
etag_matches(const char *if_none_match, const char *etag)
{
	const char *p = if_none_match;

	while (p != NULL && *p != '\0') {
		size_t len;
		p += strspn(p, " \t,");
		if (*p == '*')
			return p[1 + strspn(p + 1, " \t")] == '\0';
		if (strncmp(p, "W/", 2) == 0)
			p += 2;
		if (*p != '"') {
			p += strcspn(p, ",");
			continue;
		}
		len = strcspn(++p, "\"");
		if (tag_fits(p, len, etag))
			return true;
		p += len;
		if (*p == '"')
			p++;
	}
	return false;
}
