#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "content/url.h"

/* The parts of a reference (RFC 3986, appendix B). Each part begins with its
 * delimiter and ends before the next part. Missing parts are empty. */
struct parts {
	const char *scheme; /* "https:" */
	size_t scheme_len;
	const char *authority; /* "//host" */
	size_t authority_len;
	const char *path;
	size_t path_len;
	const char *query; /* "?a=b" */
	size_t query_len;
	const char *fragment; /* "#c" */
};

static size_t
scheme_length(const char *p)
{
	size_t len = strcspn(p, ":/?#");

	if (p[len] != ':' || len == 0)
		return 0;
	if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
		return 0;
	return len + 1;
}

static void
split(struct parts *parts, const char *p)
{
	parts->scheme = p;
	parts->scheme_len = scheme_length(p);
	p += parts->scheme_len;
	parts->authority = p;
	parts->authority_len = strncmp(p, "//", 2) == 0 ? 2 + strcspn(p + 2, "/?#") : 0;
	p += parts->authority_len;
	parts->path = p;
	parts->path_len = strcspn(p, "?#");
	p += parts->path_len;
	parts->query = p;
	parts->query_len = strcspn(p, "#");
	parts->fragment = p + parts->query_len;
}

/* Removes the last segment of `out`, but nothing before `root`. */
static void
drop_segment(struct buf *out, size_t root)
{
	while (out->len > root && out->data[out->len - 1] != '/')
		out->len--;
	if (out->len > root)
		out->len--;
	out->data[out->len] = '\0';
}

/* Appends an absolute path without its dot segments (RFC 3986 §5.2.4). */
static void
add_path(struct buf *out, const char *path)
{
	size_t root = out->len;

	while (*path == '/') {
		const char *segment = path + 1;
		size_t len = strcspn(segment, "/");
		bool dot = len == 1 && segment[0] == '.';
		bool up = len == 2 && strncmp(segment, "..", 2) == 0;
		if (up)
			drop_segment(out, root);
		if (!dot && !up)
			buf_add(out, path, len + 1);
		else if (segment[len] == '\0')
			buf_add_char(out, '/');
		path = segment + len;
	}
}

/* Returns the path of `ref`, resolved against the path of `base` (RFC 3986
 * §5.2.3). */
static const char *
merged(struct arena *a, const struct parts *base, const struct parts *ref)
{
	size_t folder = base->path_len;

	if (ref->path_len > 0 && ref->path[0] == '/')
		return arena_text_n(a, ref->path, ref->path_len);
	while (folder > 0 && base->path[folder - 1] != '/')
		folder--;
	if (folder == 0)
		return arena_printf(a, "/%.*s", (int)ref->path_len, ref->path);
	return arena_printf(a, "%.*s%.*s", (int)folder, base->path, (int)ref->path_len, ref->path);
}

const char *
url_resolve(struct arena *a, const char *base, const char *ref)
{
	struct parts b, r;
	struct buf out;

	split(&b, base);
	split(&r, ref);
	if (url_host(a, base) == NULL || b.authority_len <= 2)
		return NULL;
	if (r.scheme_len > 0)
		return arena_text(a, ref);
	buf_init(&out, a, strlen(base) + strlen(ref) + 2);
	buf_add(&out, b.scheme, b.scheme_len);
	if (r.authority_len > 0) {
		buf_add(&out, r.authority, r.authority_len);
		add_path(&out, arena_text_n(a, r.path, r.path_len));
	} else {
		buf_add(&out, b.authority, b.authority_len);
		if (r.path_len > 0)
			add_path(&out, merged(a, &b, &r));
		else
			buf_add(&out, b.path, b.path_len);
	}
	if (r.query_len > 0 || r.authority_len > 0 || r.path_len > 0)
		buf_add(&out, r.query, r.query_len);
	else
		buf_add(&out, b.query, b.query_len);
	buf_add_text(&out, r.fragment);
	return buf_done(&out);
}
