-- The site that musl/train.c asks: 200 articles of the usual length, each with a job,
-- and one movement of credits.

INSERT INTO account (id, uuid, name, verified, granted, available, created_at)
	VALUES (1, printf('%036d', 1), 'Example', 1, 1000, 1000, 0);
INSERT INTO workspace (id, uuid, account_id, name, language, analytics_site_id,
		settings_digest, epoch, clock, created_at)
	VALUES (1, printf('%036d', 1), 1, 'Example', 'en', printf('%036d', 1),
		zeroblob(16), printf('%032d', 1), 0, 0);
INSERT INTO api_key (id, uuid, workspace_id, digest, scopes, display, created_at)
	VALUES (1, printf('%036d', 1), 1, zeroblob(32), 'articles:read', 'ab_live_', 0);

CREATE TEMP TABLE n AS
	WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
	SELECT i, printf('%08x-0000-4000-8000-%012x', i, i) AS uuid,
		printf('%.*c', 8000, 'x') AS content FROM n;
INSERT INTO edition (id, article_id, version, published_at, digest, title, slug,
		language, noindex, tags, image_width, image_height, image_generated, content)
	SELECT i, i, 1, 1, zeroblob(16), 'Title ' || i, 'title-' || i, 'en', 0, '[]', 0, 0,
		0, content FROM n;
INSERT INTO article (id, uuid, workspace_id, status, created_at, changed_at, version,
		edition_id, edition_digest, edition_of, first_published_at, modified_at,
		export_length, digest, updated_at, title, slug, language, content)
	SELECT i, uuid, 1, 'published', i, i, 1, i, zeroblob(16), zeroblob(16), 1, 1, 12000,
		zeroblob(16), 1, 'Title ' || i, 'title-' || i, 'en', content FROM n;
INSERT INTO export (article_id, revision, body)
	SELECT i, 'x1_', printf('%.*c', 12000, 'x') FROM n;
INSERT INTO job (id, uuid, account_id, workspace_id, api_key_id, kind, topic, image,
		auto_publish, article_uuid, reserved_credits, cost, created_at)
	SELECT i, uuid, 1, 1, 1, 'article', 'Compost', 0, 0, uuid, 20, 20, i FROM n;
INSERT INTO ledger (account_id, number, kind, ref, available, reserved, spent,
		available_after, reserved_after, spent_after, at)
	VALUES (1, 1, 'grant', 'x', 1000, 0, 0, 1000, 0, 0, 1);
