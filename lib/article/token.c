#include "article/token.h"

#include <string.h>

#include "article/article.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "export/export.h"

#define TOKEN_BYTES 16

static void
finish(struct digest *d, const char *prefix, char out[TOKEN_TEXT])
{
	memcpy(out, prefix, 3);
	digest_end_hex(d, out + 3);
}

/* Makes a revision of an export. A request for a list makes one for each article:
 * without an address it is one block of BLAKE2b, 128 bytes. */
void
token_export(const struct workspace *w, const struct article *a, char out[TOKEN_TEXT])
{
	bool published = a->status == ARTICLE_PUBLISHED;
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "export " EXPORT_SCHEMA_VERSION);
	digest_int(&d, EXPORT_RENDERER);
	digest_fixed(&d, w->settings_digest, WORKSPACE_DIGEST);
	digest_fixed(&d, a->uuid, UUID_TEXT - 1);
	digest_fixed(&d, published ? a->edition_digest : a->digest, ARTICLE_DIGEST);
	digest_int(&d, a->version * 2 + published);
	digest_int(&d, published ? a->first_published_at : 0);
	digest_int(&d, published ? a->modified_at : 0);
	digest_text(&d, a->published_url);
	finish(&d, "x1_", out);
}

void
token_settings(const struct workspace *w, char out[TOKEN_TEXT])
{
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "galley settings revision 1");
	digest_int(&d, EXPORT_RENDERER);
	digest_text(&d, EXPORT_SCHEMA_VERSION);
	digest_bytes(&d, w->settings_digest, WORKSPACE_DIGEST);
	digest_text(&d, w->epoch);
	digest_int(&d, w->settings_count);
	finish(&d, "s1_", out);
}

void
token_manifest(
    const char settings[TOKEN_TEXT], const char *uuid, int64_t changed_at, char out[TOKEN_TEXT])
{
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "galley manifest 1");
	digest_text(&d, settings);
	digest_text(&d, uuid);
	digest_int(&d, changed_at);
	finish(&d, "m1_", out);
}

void
token_base(const struct article *a, char out[TOKEN_TEXT])
{
	memcpy(out, "b1_", 3);
	digest_hex(out + 3, a->digest, ARTICLE_DIGEST);
}
