-- What rows of schema 7 lack. What the tables hold besides comes with the schema.

ALTER TABLE api_key ADD COLUMN lifetime INTEGER;

UPDATE api_key SET lifetime = expires_at - created_at WHERE expires_at IS NOT NULL;

CREATE TABLE picture_use (article_id, published, digest, workspace_id);
CREATE TABLE picture (workspace_id, digest, alternative, added_at);

-- Where pictures are shown: each word "media" with : or / and 64 hex digits behind it.
WITH RECURSIVE found (article_id, workspace_id, published, digest, rest) AS (
	SELECT id, workspace_id, 0, '', coalesce(image, '') || ' ' || content FROM article
	UNION ALL
	SELECT a.id, a.workspace_id, 1, '', coalesce(e.image, '') || ' ' || e.content
	FROM article a JOIN edition e ON e.id = a.edition_id
	UNION ALL
	SELECT article_id, workspace_id, published,
		CASE WHEN substr(rest, instr(rest, 'media') + 5, 1) IN (':', '/')
			THEN substr(rest, instr(rest, 'media') + 6, 64) ELSE '' END,
		substr(rest, instr(rest, 'media') + 5)
	FROM found WHERE instr(rest, 'media') > 0
)
INSERT INTO picture_use (article_id, published, digest, workspace_id)
SELECT DISTINCT article_id, published, digest, workspace_id FROM found
WHERE length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*';

INSERT INTO picture (workspace_id, digest, alternative, added_at)
SELECT DISTINCT u.workspace_id, u.digest, '', m.created_at
FROM picture_use u JOIN media m ON m.digest = u.digest;
