-- From 8, the schema of release 0.9.0, to 9.

-- Pings: what is told of a workspace's changes, and with which secret. Files of schema 7 and
-- before have no such table.
CREATE TABLE IF NOT EXISTS workspace_more (workspace_id, time_zone);
ALTER TABLE workspace_more ADD COLUMN notify_url TEXT NOT NULL DEFAULT '';
ALTER TABLE workspace_more ADD COLUMN notify_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN notify_secret INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;

-- Who asks to be verified.
ALTER TABLE account ADD COLUMN asked_at INTEGER;
ALTER TABLE account ADD COLUMN declined_at INTEGER;

-- Where this instance is live.
CREATE TABLE live (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- '' of each: not known
	public_url TEXT NOT NULL,
	machine TEXT NOT NULL,
	folder TEXT NOT NULL,
	-- since when the instance is quiet, because it was live elsewhere; 0: it is live
	quiet_at INTEGER NOT NULL
) STRICT;

-- What pages list: what the editions of published articles say. The tables' texts come with the
-- schema.
CREATE TABLE listed (workspace_id, kind, value, created_at, uuid, article_id, modified_at);
INSERT INTO listed
SELECT workspace_id, 'all', '', created_at, uuid, id, modified_at
FROM article WHERE status = 'published';
INSERT INTO listed
SELECT a.workspace_id, 'language', lower(e.language), a.created_at, a.uuid, a.id, a.modified_at
FROM article a JOIN edition e ON e.id = a.edition_id WHERE a.status = 'published';
INSERT INTO listed
SELECT a.workspace_id, 'section', e.section, a.created_at, a.uuid, a.id, a.modified_at
FROM article a JOIN edition e ON e.id = a.edition_id
WHERE a.status = 'published' AND e.section <> '';
-- The SQLite of a release has no functions for JSON. In a list of tags a quotation mark or a backslash
-- of a tag has a backslash before it, so a mark, a comma and a mark are always between two tags.
INSERT INTO listed
WITH RECURSIVE tagged (article_id, tag, rest) AS (
	SELECT a.id, NULL, substr(e.tags, 3, length(e.tags) - 4) || '","'
	FROM article a JOIN edition e ON e.id = a.edition_id
	WHERE a.status = 'published' AND e.tags <> '[]'
	UNION ALL
	SELECT article_id, substr(rest, 1, instr(rest, '","') - 1), substr(rest, instr(rest, '","') + 3)
	FROM tagged WHERE rest <> ''
)
SELECT DISTINCT a.workspace_id, 'tag',
	replace(replace(replace(t.tag, '\\', char(1)), '\"', '"'), char(1), '\'),
	a.created_at, a.uuid, a.id, a.modified_at
FROM tagged t JOIN article a ON a.id = t.article_id WHERE t.tag IS NOT NULL;

-- Every slug that an article was ever published with.
CREATE TABLE public_slug (workspace_id, slug, article_id, language, published_at);
INSERT INTO public_slug
SELECT a.workspace_id, e.slug, a.id, lower(e.language), max(e.published_at)
FROM edition e JOIN article a ON a.id = e.article_id
GROUP BY a.workspace_id, e.slug, a.id, lower(e.language);
