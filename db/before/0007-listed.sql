-- Renderer 3: revisions are made otherwise, and they stand in the exported bytes.

-- GET /articles, with and without drafts; the operator's lists. All that a list's
-- request asks of an article stands in the index (ROW_LISTED in lib/article/article-row.h):
-- beside their contents, articles lie on a page each.
DROP INDEX article_listed;
CREATE INDEX article_listed
	ON article (workspace_id, status, created_at, uuid,
		published_url, version, edition_digest, first_published_at,
		modified_at, export_length, digest);

-- What reads ask for stands first in the schema: what stands before it is looked at,
-- too (lib/store/sqlite/db-schema.c). A copy by VACUUM has its indexes behind all tables
-- again, and costs its readers a hundredth more.
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET rowid = rowid + 1000
WHERE tbl_name NOT IN ('api_key', 'workspace', 'article', 'export');
PRAGMA writable_schema = RESET;
